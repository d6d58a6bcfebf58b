#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: chains of jobs: who waits for the end of another starts when it comes (sched.chain)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
PriorityWeightAge=1000000
PriorityMaxAge=1-0
PriorityCalcPeriod=1
PartitionName=more Nodes=n1 DefMemPerCPU=100
END
yaml=$out/leeway.yaml
# without the bounds of what chains may take over: here one link takes the whole machine
bounds='  chain_min: 0s\n  chain_share: 1\n  chain_total: 1\n'
printf 'sched:\n  predict: no\n%b' "$bounds" > "$yaml"
# One node: whoever has it keeps it from all others. Leeway alone starts jobs.
cluster --sched leeway --nodes 1 --gpus 0 --cpus 4 --mem 8000 --clock 20 --priority multifactor \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra" --leeway-yaml "$yaml"

# link OPTIONS SECONDS: the whole node for an hour, of u1
link() { submit u1 "--exclusive --time=60 $1" "$2"; }
# fill COUNT [SECONDS]: others in the queue, who want the same
fill() {
	for ((i = 0; i < $1; i++)); do
		others+=("$(submit u2 "--exclusive --time=60" "${2:-3000}")")
	done
}
# By Slurm's own reckoning the last of the others comes before JOB: it has aged, which JOB has not.
elder_than() { [ "$(job_field "${others[-1]}" Priority)" -gt "$(job_field "$1" Priority)" ]; }
pass() { await 60 "to Slurm the others are older" elder_than "$1"; }
# moment JOB Start|End: in seconds, by accounting
moment() { sh_on "SLURM_TIME_FORMAT=%s sacct -X -n -P -j $1 -o $2" | head -n 1; }
known() { [[ $(moment "$1" "$2") =~ ^[0-9]+$ ]]; }
# others_wait: none of them has begun
others_wait() { [ "$(sh_on 'squeue -h -u u2 -t PD -o %i' | wc -l)" = ${#others[@]} ]; }
one_runs() { [ "$(sh_on 'squeue -h -u u2 -t R -o %i' | wc -l)" = 1 ]; }
# follows JOB BEFORE DESCRIPTION: it has begun, within two minutes of that end and before others
follows() {
	starts "$3: it starts" "$1"
	ok "$3: before all others" others_wait
	await 30 "$3: accounting has both" eval "known $1 Start && known $2 End"
	gap=$(($(moment "$1" Start) - $(moment "$2" End)))
	echo "# $3: $gap s after the end of the one before"
	ok "$3: within two minutes" test "$gap" -ge 0 -a "$gap" -le 120
}
begin_anew() {
	clear_all
	others=()
}
others=()

# Any end will do, and early.
first=$(link "" 30000)
starts "the first link runs" "$first"
second=$(link "--dependency=afterany:$first" 30000)
third=$(link "--dependency=afterany:$second" 30000)
fill 3
await 30 "the next link is planned" planned "$second"
ok "for the end of the first" near "$(seconds_of "$second" StartTime)" \
	"$(seconds_of "$first" EndTime)" 90
await 30 "its reason says so" field_like "$second" Reason \
	"^planned_.*_on_n1_at_the_end_of_job_$first\$"
# Slurm wipes the texts of such jobs each second.
count_shown() {
	shown=0
	for ((i = 0; i < 40; i++)); do
		field_like "$second" Reason '^planned_' && shown=$((shown + 1))
	done
}
count_shown
echo "# it is shown in $shown of 40 looks"
ok "and goes on to say so" test "$shown" -ge 12
ok "squeue --start shows it" sh_on "squeue --start -h -j $second -o '%S %Y' | grep -E '^20.*n1'"
is "the one behind it is not planned" "$(job_field "$third" SchedNodeList)" ''
is "nothing is promised yet" "$(promise_of "$second")" ''

# An administrator gives the first more time.
was=$(seconds_of "$second" StartTime)
ok "the limit of the first is raised" change_job "scontrol update job=$first timelimit=120"
pass "$second"
later() { [ "$(seconds_of "$second" StartTime)" -ge $((was + 3500)) ]; }
await 30 "the start of the next moves with it" later
ok "the first is cancelled" sh_on "scancel $first"
follows "$second" "$first" "after an early end"
await 30 "now the third is planned" planned "$third"
ok "an administrator cuts the limit of the second" \
	change_job "scontrol update job=$second timelimit=2"
follows "$third" "$second" "after a cut limit"
begin_anew

# The state is read back after a crash.
first=$(link "" 30000)
starts "a link runs" "$first"
second=$(link "--dependency=afterany:$first" 30000)
fill 2
await 30 "the next is planned" planned "$second"
ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
await 60 "the next is planned again" planned "$second"
pass "$second"
ok "the first ends" sh_on "scancel $first"
follows "$second" "$first" "after a crash"
begin_anew

# Who can no longer start keeps nothing.
first=$(as u1 "sbatch --parsable --output=/dev/null --exclusive --time=60 \
	--wrap='until [ -e /tmp/fail ]; do sleep 5; done; false'")
starts "a link that will fail runs" "$first"
second=$(link "--dependency=afterok:$first" 30000)
fill 2
await 30 "the next is planned" planned "$second"
sh_on 'touch /tmp/fail'
waits_for "it fails, and the next never starts" "$second" DependencyNeverSatisfied
await 30 "another starts" one_runs
is "the next is planned no more" "$(job_field "$second" SchedNodeList)" ''
begin_anew

# Nor does who is cancelled.
first=$(link "" 30000)
starts "a link runs" "$first"
second=$(link "--dependency=afterany:$first" 30000)
fill 2
await 30 "the next is planned" planned "$second"
sh_on "scancel $second; scancel $first"
await 40 "both are cancelled: another starts" one_runs
begin_anew

# By name, and several at a time; a name alone does not let it pass those before it.
first=$(link "--job-name=chain" 30000)
starts "a link runs" "$first"
second=$(link "--job-name=chain --dependency=singleton" 30000)
third=$(link "--job-name=chain --dependency=singleton" 30000)
fill 2
await 30 "the next by that name is planned" planned "$second"
is "the one behind it is not" "$(job_field "$third" SchedNodeList)" ''
pass "$second"
sh_on "scancel $first"
follows "$second" "$first" "by its name"
begin_anew

# An array one at a time.
array=$(as u1 "sbatch --parsable --output=/dev/null --exclusive --time=60 --array=1-3%1 \
	--wrap='sleep 300'")
await 40 "the first task of an array runs" sh_on "squeue -h -r -t R -j $array | grep -q _1"
fill 2
await 30 "the next is planned" planned "$array"
await 120 "all three run" sacct_is "${array}_3" RUNNING
ok "before all others" others_wait
await 30 "accounting has them" eval "known ${array}_1 End && known ${array}_3 Start"
for task in 1 2; do
	gap=$(($(moment "${array}_$((task + 1))" Start) - $(moment "${array}_$task" End)))
	echo "# task $((task + 1)): $gap s after task $task"
	ok "task $((task + 1)) within two minutes" test "$gap" -ge 0 -a "$gap" -le 120
done
begin_anew

# Every form, among two jobs that have half of the node each; the first has less time.
half() { submit u1 "--ntasks=2 --mem=100 $1" 30000; }
# form DESCRIPTION OPTIONS JOB: who waits so is planned for the end of JOB
form() {
	local id
	id=$(half "--time=60 $2")
	await 30 "planned: $1" field_like "$id" Reason "_at_the_end_of_job_$3\$"
	sh_on "scancel $id"
}
first=$(half --time=60)
second=$(half --time=120)
starts "two jobs run" "$second"
form "the last of several" "--dependency=afterany:$second:$first" "$second"
form "of several kinds" "--dependency=afterok:$second,afternotok:$first" "$second"
form "the first of several, if one is enough" "--dependency=afterany:$second?afterany:$first" \
	"$first"
form "not before a time" "--dependency=afterany:$first --begin=now+30minutes" "$first"
form "in one of two partitions" "--partition=main,more --dependency=afterany:$first" "$first"
late=$(half "--time=60 --dependency=afterany:$first --begin=now+2hours")
held=$(half "--time=60 --dependency=afterany:$first --hold")
form "when so long has passed, and there is room" "--dependency=after:$first+55" "$first"
is "not planned: who is to begin later" "$(job_field "$late" SchedNodeList)" ''
is "nor who is held" "$(job_field "$held" SchedNodeList)" ''
begin_anew
array=$(half "--time=60 --array=1-4%2")
await 40 "an array that may run two tasks does" sh_on \
	"[ \$(squeue -h -r -t R -j $array -o %i | wc -l) = 2 ]"
await 30 "planned: its third task" field_like "$array" Reason '_at_the_end_of_job_'
begin_anew
array=$(half "--time=60 --array=1-2")
like=$(half "--time=60 --array=1-2 --dependency=aftercorr:$array")
await 30 "planned: a task after the like one" field_like "${like}_2" Reason '_at_the_end_of_job_'
begin_anew

# A requeued job is as old as it was: it comes before all who came after its first submission.
first=$(submit u1 "--exclusive --time=60 --requeue" 30000)
starts "a job runs" "$first"
fill 3
await 30 "a cycle has seen it run: another is planned behind it" planned "${others[0]}"
ok "it is requeued" sh_on "scontrol requeue $first"
await 60 "another starts" one_runs
await 60 "it waits" job_is "$first" PENDING
ok "and may begin" change_job "scontrol update job=$first starttime=now"
await 30 "its first submission is on record" sh_on \
	"grep -q '^job $first ' /var/lib/slurm/state/leeway_since"
ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
await 30 "it is still there" sh_on "grep -q '^job $first ' /var/lib/slurm/state/leeway_since"
pass "$first"
sh_on "scancel \$(squeue -h -u u2 -t R -o %A)"
starts "it is the next" "$first"
is "the others wait" "$(sh_on 'squeue -h -u u2 -t R -o %i')" ''
begin_anew

# Under easy the order of the queue is all that counts. Without sched.chain who waited for another
# is the youngest then, as under stock.
starts_of() { log_of_controller | grep -c 'plans the queue'; }
plans_anew() { [ "$(starts_of)" -gt "$starts" ]; }
# settings CHAIN
settings() {
	starts=$(starts_of)
	ok "sched.chain: $1" sh_on "printf 'sched:\n  predict: no\n  policy: easy\n' \
		> /etc/slurm/leeway.yaml; printf '  chain: $1\n$bounds' \
		>> /etc/slurm/leeway.yaml; scontrol reconfigure"
	await 30 "the settings are read" plans_anew
}
settings yes
first=$(link "" 30000)
starts "a link runs" "$first"
second=$(link "--dependency=afterany:$first" 30000)
fill 2
await 30 "the next is planned" planned "$second"
pass "$second"
sh_on "scancel $first"
follows "$second" "$first" "under easy"
begin_anew

settings no
first=$(link "" 30000)
starts "a link runs" "$first"
second=$(link "--dependency=afterany:$first" 30000)
fill 2 300
pass "$second"
is "the next is not planned" "$(job_field "$second" SchedNodeList)" ''
is "its reason is Slurm's" "$(job_field "$second" Reason)" Dependency
sh_on "scancel $first"
await 40 "another starts" one_runs
is "it waits" "$(job_state "$second")" PENDING
await 90 "until all others have run" has_begun "$second"
await 30 "accounting has both" eval "known $second Start && known $first End"
gap=$(($(moment "$second" Start) - $(moment "$first" End)))
echo "# without sched.chain: $gap s after the end of the one before"
ok "that takes as long as they run" test "$gap" -ge 600
finish
