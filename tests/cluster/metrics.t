#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sched.metrics: slurmctld's file for Prometheus, as a strict reader reads it
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

dir=/tmp/leeway-metrics
file=$dir/leeway_sched.prom
mkdir -p "$out"
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n  metrics: %s\n' "$file" > "$out/leeway.yaml"

# prom_faults: what is wrong with a text in Prometheus' format; nothing, if all is right
prom_faults() { awk '
	function help() {
		if ($0 !~ /^# HELP [a-z_]+ [^ ]/) return "no help"
		family = $3
		return helped[family]++ ? "helped twice" : ""
	}
	function type() {
		if (NF != 4 || ($4 != "counter" && $4 != "gauge")) return "no type"
		if ($3 != family || typed[$3]++) return "out of place"
		return ($4 == "counter") != ($3 ~ /_total$/) ? "named as another type" : ""
	}
	function value(    name, labels, rest) {
		if (!match($0, /^[a-z_]+/)) return "no value"
		name = substr($0, 1, RLENGTH)
		rest = substr($0, RLENGTH + 1)
		if (name != family || !typed[name]) return "not with its family"
		if (match(rest, "^[{]" label "(," label ")*[}]")) {
			labels = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
		}
		if (rest !~ /^ -?[0-9]+([.][0-9]+)?$/) return "no number"
		return seen[name labels]++ ? "twice" : ""
	}
	BEGIN { label = "[a-z_]+=\"([^\"\\\\]|\\\\[\\\\n\"])*\"" }
	{ fault = /^# HELP / ? help() : /^# TYPE / ? type() : value() }
	fault != "" { print NR ": " fault ": " $0 }
	END { if (!NR) print "0: empty" }'; }

# judged LINE...: what the reader says of them, in short
judged() { printf '%s\n' "$@" | prom_faults | cut -d: -f2 | tr -d '\n'; }
gauge=('# HELP a b' '# TYPE a gauge')
is "the reader takes a good text" \
	"$(judged "${gauge[@]}" 'a{x="\\\"\n",y=""} 1.5' 'a 2' '# HELP c_total d' \
		'# TYPE c_total counter' 'c_total 0')" ""
is "and none with a value before its family" "$(judged 'a 1')" " not with its family"
is "nor with one of another family" "$(judged "${gauge[@]}" 'b 1')" " not with its family"
is "nor a family twice" "$(judged "${gauge[@]}" "${gauge[0]}")" " helped twice"
is "nor a value twice" "$(judged "${gauge[@]}" 'a 1' 'a 2')" " twice"
is "nor a value that is none" "$(judged "${gauge[@]}" 'a 1s')" " no number"
is "nor a label without its quote" "$(judged "${gauge[@]}" 'a{x=1} 1')" " no number"
is "nor a quote within a label" "$(judged "${gauge[@]}" 'a{x="""} 1')" " no number"
is "nor a counter without its ending" "$(judged "${gauge[0]}" '# TYPE a counter')" \
	" named as another type"
is "nor an empty one" "$(prom_faults < /dev/null)" "0: empty"

cluster --sched leeway --nodes 2 --gpus 4 --clock 20 --leeway-yaml "$out/leeway.yaml" \
	--sched-params 'sched_interval=-1,defer'

told() { sh_on "cat $file"; }
# value SERIES: its number
value() { told | awk -v series="$1" '$1 == series { print $2 }'; }
at_least() { [ "$(value "$1" | cut -d. -f1)" -ge "$2" ]; }
has_value() { [ "$(value "$1")" = "$2" ]; }
cycles_of_sdiag() { sh_on sdiag | sed -n 's/^.*Total cycles: *//p' | tail -n 1; }
complaints() { log_of_controller | grep -c 'no metrics are written'; }

sh_on "rm -rf $dir"
await 30 "a directory that is not there is told" \
	in_log "sched.metrics: no metrics are written: $file"
before=$(cycles_of_sdiag)
cycles_pass() { [ "$(cycles_of_sdiag)" -gt $((before + 3)) ]; }
await 60 "cycles go on" cycles_pass
is "it was told once" "$(complaints)" 1
sh_on "mkdir $dir; chown \$(stat -c %u /var/log/slurm/slurmctld.log) $dir"
await 30 "then it is written" sh_on "test -s $file"
await 10 "which is told, too" in_log 'sched.metrics: metrics are written again'
is "all may read it" "$(sh_on "stat -c %a $file")" 644

is "a strict reader finds nothing wrong with it" "$(told | prom_faults)" ""
families=$(sed -n 's/^LW_FAMILY("\([a-z_]*\)",.*/\1/p' "$top/src/slurm/keep/meter.def")
is "every family of the table is in it" "$(told | sed -n 's/^# TYPE \([^ ]*\) .*/\1/p')" "$families"
asked=$(grep -oh 'leeway_sched_[a-z_]*' "$top/contrib/monitoring/"*.* | sort -u | grep -v '_$')
is "so is what the dashboard and the alerts ask for" \
	"$(comm -23 <(echo "$asked") <(echo "$families" | sort))" ""
is "Leeway plans" "$(value leeway_sched_planning)" 1
is "nothing has started" "$(value 'leeway_sched_starts_total{by="leeway_in_turn"}')" 0

holds=$(job "--exclusive --nodes=1 --time=60" 30000)
starts "a job starts" "$holds"
await 30 "its start is counted" has_value 'leeway_sched_starts_total{by="leeway_in_turn"}' 1
is "it is not Slurm's" "$(value 'leeway_sched_starts_total{by="slurm"}')" 0
both=$(job "--exclusive --nodes=2 --time=30" 60)
await 30 "one that needs both nodes is promised a start" has_promise "$both"
await 30 "the promise is counted" has_value leeway_sched_promises_made_total 1
await 30 "and open" has_value leeway_sched_promises_open 1
await 30 "who waits is counted" has_value leeway_sched_jobs_waiting 1
await 30 "and why" has_value 'leeway_sched_decisions{reason="reserved"}' 1
is "one runs" "$(value leeway_sched_jobs_running)" 1
is "four GPUs are free" "$(value 'leeway_sched_gpus{state="free"}')" 4
short=$(job "--nodes=1 --time=5" 30)
starts "a short job passes" "$short"
await 30 "which is counted as such" has_value 'leeway_sched_starts_total{by="leeway_backfill"}' 1
cycles=$(value leeway_sched_cycles_total)
await 30 "cycles go on being counted" at_least leeway_sched_cycles_total $((cycles + 2))
like "cycles take time" "$(value 'leeway_sched_cycle_seconds_total{part="read"}')" '\.[0-9]*[1-9]'
like "locks are held" "$(value 'leeway_sched_lock_seconds_total{part="read"}')" '\.[0-9]*[1-9]'
is "the reader still finds nothing wrong" "$(told | prom_faults)" ""
told | sed -n '/^leeway/p' | comment

sh_on "scancel $both"
await 30 "a promise that is withdrawn is counted by reason" \
	has_value 'leeway_sched_promises_withdrawn_total{reason="cancelled"}' 1

# What is no file stays what it is, and holds nobody up.
sh_on "rm $file; mkfifo $file"
await 30 "a FIFO is refused" in_log "$file: something else than a file is there"
next=$(job "--nodes=1 --time=5" 1)
starts "jobs start all the same" "$next"
ok "it is a FIFO still" sh_on "test -p $file && rm $file"
await 30 "the file comes back" sh_on "test -s $file"

# A start of Slurm's own; counters begin anew with slurmctld.
clear_all
sh_on "sed -i 's/sched_interval=-1,defer/bf_interval=30/' /etc/slurm/slurm.conf; rm $file"
stop_controller
start_controller
await 60 "after a start the file is written again" sh_on "test -s $file"
is "promises are remembered" "$(value leeway_sched_promises_made_total)" 1
is "starts are counted from then" "$(value 'leeway_sched_starts_total{by="slurm"}')" 0
first=$(job "--nodes=1 --time=5" 1000)
starts "a job starts, when nodes have come" "$first"
own=$(job "--nodes=1 --time=5" 1000)
starts "the next one starts at submission" "$own"
starts_are() {
	[ "$(told | awk '/^leeway_sched_starts_total/ { sum += $2 } END { print sum }')" = "$1" ]
}
await 30 "both are counted" starts_are 2
ok "one at least as Slurm's start" at_least 'leeway_sched_starts_total{by="slurm"}' 1

# Stock takes over: a queue that takes memory to read, no two jobs alike.
fill_queue() {
	as u1 "for i in \$(seq 150); do
		sbatch -Q -o /dev/null --exclusive -N2 --time=\$((100 + i)) --wrap='sleep 9000'
	done"
}
ok "a long queue is submitted" fill_queue
sh_on "printf 'sched:\n  interval: 5s\n  budget_kib: 1\n  metrics: $file\n' > /etc/slurm/leeway.yaml
	scontrol reconfigure"
await 60 "a hand-over is counted" has_value 'leeway_sched_handovers_total{reason="budget"}' 1
is "Leeway does not plan" "$(value leeway_sched_planning)" 0
like "but stock does" "$(told | grep '^leeway_sched_info')" 'planner="stock"'
unlike "of the queue nothing is told" "$(told | grep jobs_waiting)" '^leeway_sched_jobs_waiting'
is "the reader finds nothing wrong" "$(told | prom_faults)" ""
sh_on "rm -rf $dir"
finish
