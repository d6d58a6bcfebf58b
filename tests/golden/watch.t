#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway watch report says of some days of a small cluster (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# log SLOW: long and short jobs of one or both nodes, and how long each has waited
log()
{
	awk -v slow="$1" 'BEGIN {
		print "JobID|User|Account|Partition|JobName|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|" \
			"TimelimitRaw|AdminComment"
		for (i = 1; i <= 120; i++) {
			submit = 1751328000 + 900 * i
			wait = i % 7 * slow
			run = i % 5 ? 600 : 7000
			nodes = 1 + (i % 4 == 0)
			printf "%d|u%d|a|main|job|%d|%d|%d|COMPLETED|%d|%d|cpu=%d,node=%d|%d|\n", i,
				i % 3, submit, submit + wait, submit + wait + run, nodes, 4 * nodes,
				4 * nodes, nodes, run / 60 + 30
		}
	}'
}
log 5700 >"$work/sacct.psv"
log 60 >"$work/swift.psv"
cat >"$work/metrics.prom" <<'END'
# TYPE leeway_sched_cycles_total counter
leeway_sched_cycles_total 200
leeway_sched_cycle_seconds_total{part="read"} 0.2
leeway_sched_cycle_seconds_total{part="think"} 0.7
leeway_sched_cycle_seconds_total{part="apply"} 0.1
leeway_sched_lock_seconds_total{part="read"} 0.3
leeway_sched_lock_seconds_total{part="apply"} 0.1
leeway_sched_watched_starts_total{plan="sooner"} 30
leeway_sched_watched_starts_total{plan="alike"} 90
leeway_sched_watched_sooner_seconds_total 3600
leeway_sched_handovers_total{reason="budget"} 1
END
cd "$work"

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" watch "$@" 2>&1 || status=$?
	echo "exit status $status"
}
machine=(--nodes 2 --cpus-per-node 4)
page=$(says report --sacct sacct.psv "${machine[@]}" --metrics metrics.prom)
comment <<<"$page"
like "it says of how many jobs it is" "$page" '^Jobs that ran: 120. Jobs simulated: 120.$'
like "the measured wait is that of the log" "$page" '^mean wait +4h43m '
like "the forecast has an interval" "$page" '^mean wait .* \([0-9].* to [0-9].*\)$'
like "how far simulated stock is from it" "$page" 'Its mean wait is [0-9.]+ % of the measured one'
like "which jobs would wait longer" "$page" '^  (No job|.*of the jobs) would wait over an hour'
like "and which users" "$page" '(No user|[0-9]+ of 3 users) would wait over a minute longer'
like "what a plan costs" "$page" '200 plans, 5.0 ms of planning and 2.0 ms of Slurm.s locks each'
like "what plans would have started sooner" "$page" '25 % of the starts .* by 2m00s in the mean'
like "that planning was given up" "$page" 'gave up planning 1 time:'
like "it ends well" "$page" '^exit status 0$'
swift=$(says report --sacct swift.psv "${machine[@]}")
like "where jobs waited far less, there is no forecast" "$swift" '^mean wait .* -$'
like "and why" "$swift" 'too far off for a forecast. The cluster is larger than simulated'
unlike "nor harm, of such a simulation" "$swift" 'would wait'
like "nor in JSON" "$(says report --sacct swift.psv "${machine[@]}" --json)" '"harm": null'
log 0 >idle.psv
like "where no job waited there is nothing to gain" \
	"$(says report --sacct idle.psv "${machine[@]}")" 'less than a minute: there is nothing'
is "twice the same" "$(says report --sacct sacct.psv "${machine[@]}" --metrics metrics.prom)" "$page"
is "in one process, too" "$(says report --sacct sacct.psv "${machine[@]}" --parallel 1 \
	--metrics metrics.prom)" "$page"
json=$(says report --sacct sacct.psv "${machine[@]}" --json)
like "JSON says what it is" "$json" '"schema": "leeway.watch"'
like "and has no cost without metrics" "$json" '"cost": null'
unlike "nor the text" "$json" 'Jobs that ran'

# what it is read from
of_file=$(says report --sacct sacct.psv "${machine[@]}")
mkdir bin there
printf '#!/bin/sh\ncat "%s/sacct.psv"\n' "$work" >bin/sacct
chmod +x bin/sacct
head -n 5 sacct.psv >there/sacct
is "the cluster is asked for the same" "$(says report --cluster --bin bin "${machine[@]}")" "$of_file"
is "also beside a file of that name" \
	"$(cd there && says report --cluster --bin ../bin "${machine[@]}")" "$of_file"
is "a pipe will do" "$(says report --sacct - "${machine[@]}" <sacct.psv)" "$of_file"
is "and so will another" "$(says report --sacct - "${machine[@]}" < <(cat sacct.psv))" "$of_file"
mkfifo pipe
cat sacct.psv >pipe &
is "and one with a name" "$(timeout 60 "$leeway" watch report --sacct pipe "${machine[@]}")" \
	"${of_file%$'\n'*}"
wait

# settings
: >empty.yaml
is "a file that sets nothing is the default" \
	"$(says report --sacct sacct.psv "${machine[@]}" --config empty.yaml)" "$of_file"
unlike "another policy forecasts other waits" \
	"$(says report --sacct sacct.psv "${machine[@]}" --set sched.policy=fcfs)" "^$(
		grep -oE '^mean wait .*' <<<"$of_file")"
like "and stock stays stock" \
	"$(says report --sacct sacct.psv "${machine[@]}" --set sched.order=saf)" "^$(
		grep -oE '^mean wait +[^ ]+ +[^ ]+' <<<"$of_file")"
echo 'leeway_sched_cycles_total 0' >idle.prom
unlike "metrics without a plan have no cost of one" \
	"$(says report --sacct sacct.psv "${machine[@]}" --metrics idle.prom)" nan

cp metrics.prom kept.prom
like "the metrics are an input, and are kept" "$(says report --sacct sacct.psv "${machine[@]}" \
	--metrics kept.prom --json=kept.prom)" 'kept.prom: it is one of the inputs, and is kept'
check "as they were" cmp metrics.prom kept.prom

# what cannot be
like "jobs that do not fit the machine are told of" \
	"$(says report --sacct sacct.psv --nodes 1 --cpus-per-node 4)" \
	'30 of 120 jobs do not fit the machine: give the cluster.s --nodes'
like "a verb is wanted" "$(says)" '^leeway watch: say report$'
like "which is wrong use" "$(says)" '^exit status 2$'
like "that is one" "$(says repeat)" '"repeat" is not report'
like "an input is wanted" "$(says report "${machine[@]}")" 'say either --cluster or --sacct FILE'
like "one of them" "$(says report --cluster --sacct sacct.psv "${machine[@]}")" \
	'say either --cluster or --sacct FILE'
like "and a machine" "$(says report --sacct sacct.psv)" 'give --nodes, --cpus-per-node'
like "an operand is refused" "$(says report --sacct sacct.psv "${machine[@]}" more)" 'more'
echo 'leeway_sched_cycles_total nan' >nan.prom
like "metrics without cycles are refused" \
	"$(says report --sacct sacct.psv "${machine[@]}" --metrics nan.prom)" \
	'nan.prom: has no leeway_sched_cycles_total: give the file that sched.metrics'
like "and a file that is not there" \
	"$(says report --sacct sacct.psv "${machine[@]}" --metrics none)" 'none: cannot open: No such file'
head -n 1 sacct.psv >empty.psv
like "a log without a job is told" "$(says report --sacct empty.psv "${machine[@]}")" \
	'exit status 1'
finish
