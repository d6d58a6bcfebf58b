#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: with sched.deadlines who can meet a deadline goes first, and reads whether it will be met
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Nobody else starts jobs.
yaml=$(mktemp)
printf '%s\n' 'sched.policy: easy' 'sched.deadlines: guard' \
	'submit.deadline: warn' > "$yaml"
trap 'rm -f "$yaml"' EXIT
# when they started is looked at when all are done
conf_extra <<< MinJobAge=36000
cluster --sched leeway --nodes 1 --gpus 4 --clock 60 --leeway-yaml "$yaml" \
	--sched-params sched_interval=-1,defer --conf-extra "$extra"

ok "the log names it" in_log 'Leeway \(easy, deadlines guard, '

# whole MINUTES [WORD]: a job that has the node for two of them
whole() { submit u1 "--mem=100 --gpus-per-node=4 --time=$1 ${2:-}" 120; }
start_of() { seconds_of "$1" StartTime; }
reads() { job_field "$1" Reason | grep -q "$2"; }

filler=$(submit u1 "--mem=100 --gpus-per-node=4 --time=300" 20000)
starts "a job has the node for five hours" "$filler"
first=$(whole 30)
later=$(whole 30 --deadline=now+600minutes)
near=$(whole 30 --deadline=now+400minutes)
never=$(whole 30 --deadline=now+320minutes)
await 60 "one that ends in time behind it is accepted" reads "$near" 'accepted:_by'
await 60 "so is one that has longer" reads "$later" 'accepted:_by'
await 60 "one that would not is at risk" reads "$never" 'at_risk'
# Slurm refuses it, and speaks of time limits.
said=$(as u1 "sbatch --mem=100 --time=30 --deadline=now+20minutes --wrap=true 2>&1" || true)
like "one that could not even on an empty node is told why" "$said" \
	'cannot be met: with a time limit'
like "and is refused by Slurm" "$said" 'Batch job submission failed'
ok "nobody tells one without a deadline of any" test \
	"$(job_field "$first" Reason | grep -c 'accepted\|risk')" = 0
guarded=/var/lib/slurm/state/leeway_guarded
# planned JOB: when it is to start, by the file
planned() { sh_on "awk '\$1 == \"job\" && \$2 == $1 { print \$4 }' $guarded"; }
before=$(planned "$near")
ok "its node is on file" sh_on "grep -A1 '^job $near ' $guarded | grep '^on n1 '"
ok "so is no other" test "$(sh_on "grep -c ^job $guarded")" = 2
ok "slurmctld is killed" kill_controller
ok "and comes back" start_controller
await 60 "what was accepted still is" reads "$near" 'accepted:_by'
is "and is planned as it was" "$(planned "$near")" "$before"
ok "slurmctld is started again" sh_on "scontrol reconfigure"
await 60 "and it still is" reads "$near" 'accepted:_by'
ok "the node comes free" sh_on "scancel $filler"
for job in "$near" "$later" "$never" "$first"; do
	await 90 "job $job is done" job_is "$job" COMPLETED
done
for job in "$near" "$later" "$never"; do
	ok "job $job started before the one without a deadline" \
		test "$(start_of "$job")" -lt "$(start_of "$first")"
done

# As under stock, a job gets the limit that its deadline leaves, if it asked for none, or for less
# at least.
minutes() { job_field "$1" TimeLimit | awk -F: '{ print 60 * $1 + $2 }'; }
without=$(submit u1 "--mem=100 --deadline=now+90minutes" 120)
starts "a job without a limit starts in time for its deadline" "$without"
ok "with a limit that its deadline leaves" test "$(minutes "$without")" -le 90 -a \
	"$(minutes "$without")" -gt 20
least=$(submit u1 "--mem=100 --time=500 --time-min=5 --deadline=now+90minutes" 120)
starts "so does one that asked for more than its deadline leaves" "$least"
ok "with such a limit" test "$(minutes "$least")" -le 90 -a "$(minutes "$least")" -gt 20
tasks=$(submit u1 "--mem=100 --array=1-2%1 --deadline=now+90minutes" 600)
await 60 "a task of an array starts" has_begun "${tasks}_1"
is "the others ask for no limit still" "$(job_field "${tasks}_2" TimeLimit)" \
	UNLIMITED
sh_on "scancel $tasks"
tasks=$(submit u1 "--mem=100 --array=1-3 --hold --time=60" 600)
ok "a task of an array gets another limit" \
	change_job "scontrol update job=${tasks}_2 timelimit=30"
ok "and is released" change_job "scontrol release ${tasks}_2"
await 60 "it starts" has_begun "${tasks}_2"
is "the others keep theirs" "$(job_field "${tasks}_3" TimeLimit)" 01:00:00
finish
