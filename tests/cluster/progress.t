#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job says how far it is: its user is told when it is done, and the planner expects that
# shellcheck disable=SC2016,SC2317 # the cluster expands; functions are called through await
. "$(dirname "$0")/lib.sh"

dumps=/var/lib/slurm/state
yaml=$out/leeway.yaml
mkdir -p "$out"
printf '%s\n' sched: '  interval: 10s' '  progress: yes' "  dump_dir: $dumps" '  dump_keep: 5' \
	> "$yaml"
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --clock 20 --leeway-yaml "$yaml"

# trains OPTIONS: a job of u1 that does a step of 100 in 30 s of the cluster's time
trains() {
	as u1 "sbatch --parsable --output=/tmp/train-%j --exclusive --time=600 ${1:-} --wrap='
		for step in \$(seq 0 100); do
			leeway progress \$step 100 --every 60
			sleep 30
		done'"
}
# why JOB REGEX: what its user is told
why() {
	said=$(as u1 "leeway why $1 2>&1")
	[[ $said =~ $2 ]]
}
comment_like() { [[ $(on scontrol show job "$1" | sed -n 's/^ *Comment=//p') =~ $2 ]]; }
# expected JOB: how many seconds its run takes, as the planner last had it
expected() {
	sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)" |
		sed -nE "s/^run $1 .* expect=([0-9]+).*/\\1/p"
}
expects() {
	local expect
	expect=$(expected "$1") && [ "${expect:-0}" -ge "$2" ] && [ "$expect" -le "$3" ]
}

job=$(trains --comment=leeway:no-stop)
starts "a job runs" "$job"
await 60 "it says how far it is" comment_like "$job" 'leeway:progress=[0-9]+/100,at:'
ok "beside what its Comment had" comment_like "$job" '^leeway:no-stop '
await 90 "its user is told when it is done" \
	why "$job" 'progress  [0-9]+ of 100, .*; at that rate done '
echo "$said" | comment
like "others are told, too" "$(as u2 "leeway when $job")" 'RUNNING: [0-9]+ of 100'
# 100 steps of 30 s and what a call takes, at a clock of 20; its limit is 36000 s
await 60 "the planner expects that" expects "$job" 2400 12000
echo "# expected to run $(expected "$job") s"

lies=$(submit u2 "--exclusive --time=60" 30000)
starts "another user's job runs" "$lies"
says_of_another() { as u1 "scontrol update JobId=$lies Comment=leeway:progress=1/2"; }
not_allowed() { ! says_of_another > /dev/null 2>&1; }
ok "a user says nothing of another's job" not_allowed
now=$(sh_on 'date +%s')
ok "it says that it takes a thousand years" change_job "scontrol update job=$lies \
	comment=leeway:progress=1/1000000000,at:$now,from:0,since:$((now - 60))"
await 60 "it is expected to run to its limit" expects "$lies" 3600 3600
ok "rubbish is no harm" change_job "scontrol update job=$lies \
	comment=leeway:progress=99999999999999999999/0,at:x"
await 60 "it is expected to run as its like" expects "$lies" 1 3600
like "nothing is told of it" "$(as u2 "leeway why $lies")" 'RUNNING$'
ok "slurmctld is well" sh_on 'scontrol ping'
finish
