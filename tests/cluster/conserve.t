#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: under conservative a planned start never gets later, also over a restart
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Nobody else starts jobs. A quarter of an hour between two plans is 15 s of this machine's.
yaml=$(mktemp)
printf '%s\n' 'sched.policy: conservative' 'sched.interval: 1h' 'sched.min_interval: 15m' > "$yaml"
trap 'rm -f "$yaml"' EXIT
cluster --sched leeway --nodes 1 --gpus 4 --clock 60 --leeway-yaml "$yaml" \
	--sched-params sched_interval=-1,defer

gpus() { submit u1 "--mem=100 --gpus-per-node=$1 --time=$2" "$3"; }

# two_planned: half of the node runs for long, half for a shorter time. A wide job that comes
# first is planned for when both are done, and a small one behind it for when the first is,
# and so that it would end before.
two_planned() {
	long=$(gpus 2 900 60000)
	short=$(gpus 2 360 60000)
	await 60 "$1: a job has half of the node for fifteen hours" job_is "$long" RUNNING
	await 60 "$1: another the other half for six" job_is "$short" RUNNING
	wide=$(gpus 3 270 15000)
	small=$(gpus 2 300 18000)
	await 60 "$1: a wide job is planned" planned "$wide"
	await 60 "$1: a small one as well" planned "$small"
	ok "$1: for an earlier start than the wide one" test "$(seconds_of "$small" StartTime)" \
		-lt "$(seconds_of "$wide" StartTime)"
	was=$(seconds_of "$small" StartTime)
}

# small_starts: room for the small job now, or for the wide one before the small one ends
small_starts() {
	await 90 "$1: with the long job gone the small one starts" job_is "$small" RUNNING
	ok "$1: no later than planned" test "$(seconds_of "$small" StartTime)" -le "$was"
	is "$1: and the wide one waits" "$(job_state "$wide")" PENDING
	clear_all
}

two_planned running
ok "running: the long job is cancelled" sh_on "scancel $long"
small_starts running

two_planned restarted
ok "restarted: slurmctld is killed, with the plan saved" kill_controller
ok "restarted: it starts again" start_controller
# before the first plan
ok "restarted: the long job is cancelled" sh_on "scancel $long"
small_starts restarted
finish
