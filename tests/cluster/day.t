#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a day of a busy cluster with all parts switched on: nothing grows from hour to hour
# shellcheck disable=SC2317,SC2016 # functions are called through await; the cluster's shell expands
#
# LW_DAY_HOURS and LW_DAY_CLOCK say how long the day is, LW_DAY_RATE how many jobs come in an hour
# of the cluster. The table goes to LW_DAY_TABLE, if that is given. By LW_DAY_SCHED=stock stock
# backfill schedules, with the other parts as they are. By LW_DAY_MODE=watch Leeway watches beside
# stock (sched.mode): then nothing may be written to the record of a job. memory.c of the mini-Slurm
# tells what of slurmctld's memory is in use.
. "$(dirname "$0")/lib.sh"

hours=${LW_DAY_HOURS:-2}
clock=${LW_DAY_CLOCK:-60}
rate=${LW_DAY_RATE:-600}
sched=${LW_DAY_SCHED:-leeway}
mode=${LW_DAY_MODE:-schedule}
echo "# LW_DAY_MODE=$mode LW_DAY_HOURS=$hours LW_DAY_CLOCK=$clock LW_DAY_RATE=$rate" \
	"LW_DAY_SCHED=$sched"

state=/var/lib/slurm/state
conf_extra << 'END'
MinJobAge=300
PreemptType=preempt/qos
PreemptMode=REQUEUE
PartitionName=share Nodes=n[7-8] DefMemPerCPU=100
END
cat > "$out/leeway.yaml" << END
sched:
  order: qssf
  deadlines: guard
  chain_min: 0
  outlook: yes
  mode: $mode
  interval: 60s
  min_interval: 10s
  dump_dir: /run/day/dump
  dump_keep: 20
  metrics: /run/day/leeway_sched.prom
select:
  gang_wait: 5m
tag:
  advise: yes
submit:
  deadline: warn
share:
  mode: slice
  where: partition:share
  who: comment
  memory_mib: 40000
  runs: 2
  record: $state/leeway_share
END
cluster --sched "$sched" --nodes 8 --gpus 4 --shards 40 --cpus 16 --mem 16000 \
	--clock "$clock" --priority multifactor --sched-params sched_interval=-1,defer \
	--conf-extra "$extra" --leeway-yaml "$out/leeway.yaml"

# What comes, twice in each two minutes of the cluster, unless many wait. Most of it is arrays: a
# submission costs more than a start.
make_feeder() {
	with_input bash -c 'mkdir -p /run/day/dump && chown slurm /run/day /run/day/dump
		cat > /run/day/feed' << 'END'
#!/bin/bash
# feed RATE: jobs an hour, until /run/day/stop is there
asked=0
ask() { # COUNT OPTIONS...
	asked=$((asked + $1))
	shift
	id=$(sbatch --parsable --uid="u$((1 + RANDOM % 8))" -o /dev/null --mem=100 "$@" \
		2> /dev/null) || asked=$((asked - 1))
	echo "$asked" > /run/day/asked.new
	mv /run/day/asked.new /run/day/asked # who reads it finds a number
}
span() { echo $((20 + RANDOM % 300)); }
until [ -e /run/day/stop ]; do
	begin=$(date +%s)
	if [ "$(squeue -h -r -t PD | wc -l)" -lt 400 ]; then
		many=$(($1 / 60))
		ask $many --array=1-$many --time=$((5 + RANDOM % 20)) -J "many$((RANDOM % 20))" \
			--wrap="sleep $(span)"
		some=$(($1 / 120))
		ask $some --array=1-$some --gpus-per-node=1 --time=20 -J "train$((RANDOM % 9))" \
			--wrap="export MINI_RUN_S=$(span); python train.py --epochs 9"
		ask $some --array=1-$some --ntasks=4 --time=20 -J wide --wrap="sleep $(span)"
		ask 1 -N2 --gpus-per-node=4 --time=30 -J gang --wrap="sleep $(span)"
		ask 1 --gpus=1 --time=15 --deadline=now+2hours -J due --wrap="sleep $(span)"
		ask 1 --time=10 -J chain --dependency=afterany:"${id%%;*}" --wrap="sleep 60"
		ask 1 -p share --gres=gpu:1 --comment=leeway:share --time=10 -J pair \
			--wrap="sleep $(span)"
		ask 1 --gpus=1 --time=2 -J long --wrap="sleep 900"
	fi
	# what a busy machine takes longer is made up for
	left=$((begin + 120 - $(date +%s)))
	[ "$left" -le 0 ] || sleep "$left"
done
END
	sh_on "echo '*  0  45  9000  300  60  1  10  900  40  20  30' > /etc/slurm/fake-gpus.conf
		date +%s > /run/day/begin; echo 0 > /run/day/asked"
}
ok "there is a day's work" make_feeder
counted() {
	sh_on 'gcc -O2 -shared -fPIC -o /run/memory.so /opt/minislurm/inside/memory.c' &&
		stop_controller &&
		sh_on "mkfifo -m 600 /run/day/memory && chown slurm /run/day/memory &&
			LW_MEMORY=/run/day/memory LW_MEMORY_PID=/run/slurm/slurmctld.pid \
			MS_PRELOAD=/run/memory.so /opt/minislurm/inside/service slurmctld"
}
# it begins anew for that, and finds the folders that were not there before
ok "slurmctld tells what memory it has in use" counted
seen=$(log_of_controller | wc -l)
sh_on "bash /run/day/feed $rate" > "$out/feed.log" 2>&1 &
feeder=$!

# One row: hour, jobs asked for, KiB of slurmctld, mean KiB of a slurmd, threads and files of
# slurmctld, mean cycle in microseconds since the last row, cycles, jobs that wait, bytes of
# Leeway's files in StateSaveLocation, of records and how many, of dumped cycles, KiB of slurmctld
# in use and freed but kept, records of jobs that wait: an array has one, which all its tasks share.
row() {
	sh_on 'hour=$((($(date +%s) - $(cat /run/day/begin)) / 3600))
		pid=$(cat /run/slurm/slurmctld.pid)
		rss() { cat "$@" 2> /dev/null |
			awk "/^VmRSS/ { s += \$2; n++ } END { print int(s / (n ? n : 1)) }"; }
		nodes=$(for k in 1 2 3 4 5 6 7 8; do
			echo /proc/$(cat /run/slurm/slurmd.n$k.pid)/status; done)
		memory() { LD_PRELOAD= timeout 60 head -n 1 /run/day/memory || echo 0 0 0; }
		bytes() { du -sb "$@" 2> /dev/null | awk "{ s += \$1 } END { print s + 0 }"; }
		sdiag > /run/day/sdiag; sdiag --reset > /dev/null
		cycle=$(sed -n "/Backfilling/,\$s/.*Mean cycle: *//p" /run/day/sdiag)
		cycles=$(sed -n "/Backfilling/,\$s/.*Total cycles: *//p" /run/day/sdiag)
		echo "$hour $(cat /run/day/asked) $(rss /proc/$pid/status) $(rss $nodes)" \
			"$(ls /proc/$pid/task | wc -l) $(ls /proc/$pid/fd | wc -l)" \
			"${cycle:-0} ${cycles:-0} $(squeue -h -r -t PD | wc -l)" \
			"$(bytes /var/lib/slurm/state/leeway_*) $(bytes /var/spool/leeway)" \
			"$(find /var/spool/leeway -type f | wc -l) $(bytes /run/day/dump)" \
			"$(memory | cut -d " " -f 2-)" "$(squeue -h -t PD | wc -l)"'
}
# hour_is N: and note how it stands
hour_is() {
	[ "$(sh_on 'echo $((($(date +%s) - $(cat /run/day/begin)) / 3600))')" -ge "$1" ] &&
		row >> "$table" && note_marks
}
# how many records of jobs, of all hours, have a word or a reason of Leeway's
marks=0
note_marks() {
	marks=$((marks + $(sh_on 'scontrol -o show job |
		grep -cE "SystemComment=[^=]*leeway:|Reason=planned" || true')))
}
table=${LW_DAY_TABLE:-$out/day.tsv}
echo "hour jobs ctld_kib slurmd_kib threads files cycle_us cycles waiting state spool records" \
	"dump used_kib kept_kib records_waiting" > "$table"
for ((hour = 0; hour <= hours; hour++)); do
	await $((7200 / clock + 60)) "hour $hour is over" hour_is "$hour"
done
column -t "$table" | comment

# slope COLUMN FROM: KiB for each 10,000 jobs from that hour on, by least squares in the jobs and in
# the records of jobs that wait, which take memory while they do
slope() {
	awk -v c="$1" -v from="$2" '
		NR > 1 && $1 >= from { n++; x[n] = $2; r[n] = $16; y[n] = $c
			mx += $2; mr += $16; my += $c }
		END {
			for (i = 1; i <= n; i++) {
				dx = x[i] - mx / n; dr = r[i] - mr / n; dy = y[i] - my / n
				xx += dx * dx; xr += dx * dr; rr += dr * dr
				xy += dx * dy; ry += dr * dy
			}
			# a queue that is always as long tells nothing of a record
			if (rr == 0 || xx * rr - xr * xr < xx * rr / 1000)
				{ xr = ry = 0; rr = 1 }
			d = xx * rr - xr * xr
			print (d > 0 ? int(10000 * (xy * rr - ry * xr) / d) : 0)
		}' "$table"
}
# most COLUMN FROM TO: the highest of these hours
most() {
	awk -v c="$1" -v a="$2" -v b="$3" 'NR > 1 && $1 >= a && $1 <= b && $c > m { m = $c }
		END { print m + 0 }' "$table"
}
# least COLUMN FROM TO: the lowest, for what comes and goes with requests
least() {
	awk -v c="$1" -v a="$2" -v b="$3" 'NR > 1 && $1 >= a && $1 <= b && (!m || $c < m) { m = $c }
		END { print m + 0 }' "$table"
}
if [ "$mode" = watch ]; then
	is "no record of a job has a word or a reason of Leeway's" "$marks" 0
	unlike "Leeway has started no job" "$(log_of_controller)" 'leeway: started JobId'
	ok "nor promised a start" eval "! sh_on \"grep '^job ' $promises\""
	like "it has watched" "$(log_of_controller)" 'leeway: watch: JobId='
	sh_on "grep -E '^leeway_sched_(lock|cycle|watched|starts)' /run/day/leeway_sched.prom" |
		comment
fi
half=$((hours / 2)) quarter=$((hours / 4))
# An allocator keeps most of what was freed, and more of it for a day: so what is in use is judged
# from the first quarter on, in which tables fill, and resident memory from the half of a whole day
# on, with what stock alone grows by beside.
in_use=$(slope 14 "$quarter") resident=$(slope 3 "$half")
echo "# KiB for each 10,000 jobs: slurmctld has in use $in_use, resident $resident; a slurmd" \
	"$(slope 4 "$quarter")"
# in a short day there are too few jobs to tell it from what comes and goes
[ "$hours" -lt 12 ] || ok "what slurmctld has in use does not grow" test "$in_use" -lt 1024
[ "$hours" -lt 24 ] || ok "nor does its resident memory, by more than stock's" test "$resident" \
	-lt $((2764 + 1024))
[ "$hours" -lt 24 ] || ok "nor does slurmd" test "$(slope 4 "$quarter")" -lt 1024
ok "nor do its threads and files" test "$(least 5 $half "$hours")" -le \
	$(($(least 5 0 $half) + 4)) -a "$(least 6 $half "$hours")" -le $(($(least 6 0 $half) + 4))
[ "$hours" -lt 12 ] || ok "nor does a cycle take longer" test "$(most 7 $half "$hours")" -le \
	$((2 * $(most 7 1 $half) + 50000))
ok "Leeway's state is bounded" test "$(most 10 0 "$hours")" -lt 4000000
ok "dumped cycles are" test "$(most 13 0 "$hours")" -lt 20000000
ok "slurmctld has said no error of Leeway's" test -z "$(log_of_controller |
	tail -n +$((seen + 1)) | grep -E '(error|fatal): .*leeway' | head -n 5 | comment >&2)"
is "no file of Leeway's is for others to read or write" "$(sh_on "find $state /run/day/dump \
	-type f \( -name 'leeway_*' -o -name 'cycle-*' \) \( ! -perm 600 -o ! -user slurm \)")" ''
is "nor a record, but for its user" "$(sh_on "find /var/spool/leeway -type f \
	\( -perm /o=rwx -o -uid +0 \)")" '' # "! -user root" is true of one that has just gone
sh_on ': > /run/day/stop'
wait "$feeder"
sh_on 'for k in 1 2 3 4 5 6 7 8; do scancel -u "u$k"; done' > /dev/null 2>&1
await 120 "the cluster is empty again" all_done
finish
