#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: where nobody else starts jobs, an event leads to a plan, not the interval
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# The interval is an hour, sixty times what the test takes on this clock.
yaml=$(mktemp)
printf '%s\n' 'sched.policy: leeway' 'sched.interval: 1h' 'sched.min_interval: 2s' > "$yaml"
extra=$(mktemp)
echo AccountingStorageEnforce=associations,limits,qos > "$extra"
cluster --sched leeway --nodes 1 --gpus 4 --clock 10 --leeway-yaml "$yaml" \
	--conf-extra "$extra" --sched-params sched_interval=-1,defer
rm -f "$yaml" "$extra"
await 20 "Leeway plans every hour" in_log 'Leeway \(leeway, every 3600 s\)'
unlike "nobody else starts jobs" "$(log_of_controller)" 'Slurm starts jobs'

first=$(submit u1 "--gpus-per-node=4 --time=60" 3000)
await 30 "a job is planned for when it is submitted" job_is "$first" RUNNING
second=$(submit u2 "--gpus-per-node=4 --time=60" 3000)
await 30 "the next one waits for the node, and knows till when" has_promise "$second"
is "it does wait" "$(job_state "$second")" PENDING
ok "the first is cancelled" sh_on "scancel $first"
await 30 "the end of a job leads to a plan" job_is "$second" RUNNING
third=$(submit u1 "--hold --gpus-per-node=4 --time=60" 3000)
ok "the second is cancelled too" sh_on "scancel $second"
await 30 "it has gone" sacct_is "$second" CANCELLED
is "a held job stays" "$(job_state "$third")" PENDING
ok "it is released" change_job "scontrol release $third"
await 30 "a change of a job leads to a plan" job_is "$third" RUNNING
fourth=$(submit u2 "--gpus-per-node=4 --time=60" 3000)
ok "the node is drained, the third cancelled" sh_on "
	scontrol update node=ALL state=drain reason=test && scancel $third"
await 30 "it has gone as well" sacct_is "$third" CANCELLED
is "nothing starts on a drained node" "$(job_state "$fourth")" PENDING
ok "the node is taken back" sh_on "scontrol update node=ALL state=resume"
await 30 "a change of a node leads to a plan" job_is "$fourth" RUNNING
ok "the fourth is cancelled" sh_on "scancel $fourth"

# Who was refused for a limit is next as soon as that allows it, not some plans later.
sh_on 'sacctmgr -i add qos narrow set GrpTRES=cpu=1 && sacctmgr -i modify user u1 set qos+=narrow' \
	> /dev/null
await 60 "a QOS of one CPU is known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=narrow'
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "five jobs of that QOS" as u1 'for i in 1 2 3 4 5; do
	sbatch -Q -o /dev/null --qos=narrow --mem=100 --time=5 --wrap="sleep 20"; done'
await 60 "all have run, one after the other" all_done

# Slurm forgets when the last task of an array could have started; then sacct does not list it.
array=$(job "--gpus-per-node=4 --array=0-1 --time=60" 3000)
await 30 "the first task of an array runs" sh_on "squeue -h -t R | grep -q ' ${array}_0 '"
await 30 "the last one waits for it" sh_on "squeue -h -t PD | grep -q ' ${array}_1 '"
ok "both are cancelled" sh_on "scancel $array"
# By their plain numbers: the last task has the array's. Slurm 22.05 may go on calling that record
# by all tasks that the array had.
cancelled() {
	sh_on "sacct -X -n -P -j $array -o JobIDRaw,State" |
		grep "^$1|CANCELLED" > /dev/null
}
await 30 "the first has gone" cancelled "$((array + 1))"
await 30 "and the last" cancelled "$array"
cluster_gone
# collected NUMBER: its state
collected() { awk -F '|' -v id="$1" '$1 == id { print $10 }' "$out/sacct.psv"; }
is "the first is collected" "$(collected "$((array + 1))")" "CANCELLED by 0"
is "and the last" "$(collected "$array")" "CANCELLED by 0"
finish
