#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that agrees stops when it is ordered to, and runs again from its save (stop.mode)
# shellcheck disable=SC2317,SC2016 # functions are called through await; the cluster expands
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

aged_conf
yaml=$out/leeway.yaml
# settings LINES: no job is promised a start, which would keep its place
settings() {
	printf '%s\n' sched: '  min_interval: 1s' '  patience: 0.9' '  policy: fcfs' stop: "$@" \
		> "$yaml"
}
settings '  mode: on' '  who: qos:scavenger' '  lease: 0s' '  per_day: 20' '  share: 1.0'
order() { said=$(change_job "leeway stops --ask $*"); }
stays_running() { job_is "$1" RUNNING && field_like "$1" Restarts '^0$'; }
# refused JOB NAME: the fact that it is not asked for that reason, and runs on
refused() {
	trained "$1"
	ok "job $1 is ordered to stop" order "$1"
	await 60 "it is not asked: $2" answered "$1" "leeway:stop-refused=$2( |\$)"
	ok "and runs on" stays_running "$1"
	sh_on "scancel $1"
}

# ---- by SIGTERM and a requeue ----
begin --nodes 3 --clock 1
job=$(trains term '-q scavenger')
starts "a job of the scavengers runs" "$job"
trained "$job"
ok "it is ordered to stop" order "$job"
comes_back "$job" 1
within=$(after_clean "$job")
ok "within 5 s of when its nodes were clean ($within)" test "$within" -le 5
await 60 "its word says so" answered "$job" 'leeway:stopped=asked:[0-9]+,by:[0-9]+,back:[0-9]+'
is "its output has both runs" "$(sh_on "cat /tmp/of-u1/out-$job" | grep -c '^run [01]$')" 2
is "leeway stops lists it" "$(sh_on 'leeway stops' | grep -cE "^$job +u1 +runs +requeue ")" 1
is "and in JSON" "$(sh_on 'leeway stops --json' | jq -r '.stops[] | .job + .state')" "${job}runs"

# ---- it makes room, and keeps its place ----
wide=$(submit u2 '--exclusive --nodes=3 --time=60' 3000)
waits_for "another job wants all nodes" "$wide" 'Priority|Resources|planned'
later=$(submit u2 '--exclusive --nodes=3 --time=60' 3000)
ok "the first one is ordered to stop for it" order "$job" --for "$wide"
starts "it has the room" "$wide"
await 60 "the first one waits" is_asked "$job" waits
sh_on "scancel $wide"
comes_back "$job" 2
ok "it goes before a job that came later" job_is "$later" PENDING
sh_on "scancel $later"

# ---- ten times ----
for ((k = 3; k <= 10; k++)); do
	await 60 "the order is answered" answered "$job" 'back:'
	ok "stop $k" order "$job"
	await 90 "it runs again" runs "$job" "$k"
done
trained "$job"
ok "each step was done once beyond the save" whole "$job"
sh_on "scancel $job"

# ---- the other ways to save ----
job=$(trains self '--comment=leeway:stop --signal=B:USR1@60')
periodic=$(trains periodic '--comment=leeway:stop=1m')
array=$(trains term '--comment=leeway:stop --array=1-2%1')
starts "a job that requeues itself runs" "$job"
starts "so does one that saves now and then" "$periodic"
starts "and an array" "${array}_1"
trained "$job"
trained "$periodic" 12
task=$(job_field "${array}_1" JobId)
trained "$task"
ok "the first is ordered to stop" order "$job"
ok "and the second" order "$periodic"
ok "and a task" order "${array}_1"
comes_back "$job" 1
comes_back "$periodic" 1
comes_back "$task" 1
clear_all

# ---- as users are told ----
with_input bash -c 'mkdir /tmp/of-u1/bin && cat > /tmp/of-u1/bin/python &&
	chmod +x /tmp/of-u1/bin/python' << 'END'
#!/bin/bash
until [ -e "$4" ]; do sleep 0.2; done
echo saved
END
sed -n '/^```bash$/,/^```$/p' "$top/doc/user/stop.md" | sed '/^```/d' |
	with_input bash -c 'cat > /tmp/of-u1/job.sh'
job=$(as u1 'cd /tmp/of-u1 && PATH=$PWD/bin:$PATH \
	sbatch --parsable --time=60 --output=out-%j job.sh')
starts "the example of the page for users runs" "$job"
ok "it is ordered to stop" order "$job"
await 90 "it runs again" runs "$job" 1
is "it had saved" "$(sh_on "grep -c saved /tmp/of-u1/out-$job")" 1
clear_all

# ---- which jobs are not asked ----
job=$(trains term '')
starts "a job did not agree" "$job"
refused "$job" disagrees
job=$(trains term '-q scavenger --comment=leeway:no-stop')
starts "a scavenger disagrees" "$job"
refused "$job" disagrees
job=$(trains term '-q scavenger --no-requeue')
starts "a job may not be requeued" "$job"
refused "$job" no-requeue
job=$(trains self '--comment=leeway:stop --signal=B:USR1@60')
next=$(submit u2 "--dependency=afterok:$job --time=60" 3000)
starts "another job waits for the end of a job" "$job"
refused "$job" depended-on
sh_on "scancel $next"

# ---- what is learned ----
job=$(trains exit0 '--comment=leeway:stop --signal=B:USR1@60')
starts "a job runs that ends when it is asked" "$job"
trained "$job"
ok "it is ordered to stop" order "$job"
await 60 "it ends" in_log "job $job was asked to stop and ended instead"
job=$(trains exit0 '--comment=leeway:stop --signal=B:USR1@60')
starts "another one of that name runs" "$job"
refused "$job" ends
like "leeway stops tells of it" "$(sh_on 'leeway stops')" "u1 +exit0 .*ended instead"

# ---- one dies while it saves ----
job=$(trains crash '--comment=leeway:stop')
starts "a job dies while it saves" "$job"
trained "$job" 25
ok "it is ordered to stop" order "$job"
comes_back "$job" 1
clear_all

# ---- slurmctld is killed in each state ----
for how in '--signal=B:USR1@60' ''; do
	job=$(trains slow "--comment=leeway:stop $how")
	starts "a job runs that takes long to save" "$job"
	trained "$job"
	ok "it is ordered to stop" order "$job"
	await 30 "it is on its way" is_asked "$job" "$([ -n "$how" ] && echo asked || echo leaves)"
	killed
	comes_back "$job" 1
	sh_on "scancel $job"
done
job=$(trains term '--comment=leeway:stop')
for ((k = 0; k < 2; k++)); do others[k]=$(submit u2 '--exclusive --time=60' 3000); done
starts "all nodes are taken" "${others[1]}"
trained "$job"
node=$(job_field "$job" NodeList)
ok "the node of the job is for no other run" \
	sh_on "scontrol update nodename=$node state=drain reason=test"
ok "it is ordered to stop" order "$job"
await 60 "it waits" is_asked "$job" waits
killed
# the drain may be forgotten, too
sh_on "scontrol update nodename=$node state=resume" 2> /dev/null
comes_back "$job" 1
clear_all

# ---- what would be ----
ok "the setting is to tell" sh_on "printf 'stop:\n  mode: tell\n  lease: 0s\n' \
	> /etc/slurm/leeway.yaml
	scontrol reconfigure"
job=$(trains term '--comment=leeway:stop')
starts "a job runs" "$job"
refused "$job" told
clear_all
cluster_gone

# ---- time goes by ----
settings '  mode: on' '  lease: 0s' '  back: 20m' '  share: 1.0'
begin --nodes 1 --clock 20
job=$(trains deaf '--comment=leeway:stop --signal=B:USR1@60')
starts "a job runs that does not listen" "$job"
trained "$job"
ok "it is ordered to stop" order "$job"
await 120 "it is left alone" in_log "job $job was asked to stop and runs on"
ok "it runs" stays_running "$job"
sh_on "scancel $job"
job=$(trains deaf '--comment=leeway:stop --signal=B:USR1@60')
starts "another one of that name runs" "$job"
refused "$job" deaf
clear_all

job=$(trains term '--comment=leeway:stop')
starts "a job runs" "$job"
trained "$job"
other=$(submit u2 '--exclusive --time=600' 30000)
ok "it is ordered to stop for another one" order "$job" --for "$other"
starts "that has the room" "$other"
later=$(submit u2 '--exclusive --time=600' 30000)
ok "a later one is more important" sh_on "scontrol update job=$later priority=4000000000"
await 150 "the first job is late" in_log "job $job has stopped, and is not back by the time"
sh_on "scancel $other"
comes_back "$job" 1
ok "it went next" job_is "$later" PENDING
clear_all
finish
