#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that agrees gets the number of nodes that the plan chooses, and goes on on more
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

aged_conf
yaml=$out/leeway.yaml
printf '%s\n' sched: '  min_interval: 1s' stop: '  mode: on' '  lease: 0s' size: '  mode: on' \
	> "$yaml"
# teach NODES SECONDS: three runs of the name train
teach() {
	for _ in 1 2 3; do
		submit u1 "--job-name=train --nodes=$1 --gpus-per-node=1 --mem=100 --time=60" "$2"
	done > /dev/null
}
# sized OPTIONS: a training of that name, on two to four nodes; prints its id
sized() {
	as u1 "mkdir -p /tmp/of-u1
		sbatch --parsable --job-name=train --nodes=2-4 --gpus-per-node=1 --mem=100 \
			--output=/tmp/of-u1/out-%j --signal=B:USR1@60 $* \
			--wrap='TRAINER_PAUSE=8 exec trainer self /tmp/of-u1/\$SLURM_JOB_ID'"
}
agrees='--comment=leeway:size,leeway:stop'
# others: so long that none may pass a promised one
others() {
	for _ in 1 2 3 4 5 6 7 8; do
		submit u2 '--nodes=4 --gpus-per-node=1 --mem=100 --time=600' 7000
	done > /dev/null
}
queue_is() { [ "$(sh_on 'squeue -h -t PD -u u2 | wc -l')" = "$1" ]; }
nodes_of() { job_field "$1" NumNodes; }
# between FILL JOB NODES: it starts in the room of another one, before eight that came after it
between() {
	others
	await 60 "others wait" queue_is 8
	await 60 "its user is told" sh_on \
		"leeway why $2 | grep 'plan chooses its number of nodes: $3'"
	sh_on "scancel $1"
	starts "it starts when there is room" "$2"
}
# fill NODES: so many are in use
fill() {
	full=$(submit u2 "--nodes=$1 --gpus-per-node=1 --mem=100 --time=120" 7000)
	starts "$1 nodes are in use" "$full"
}
history=/var/lib/slurm/state/leeway_history
begin --nodes 4 --gpus 1 --gpu-types a100 --clock 40
teach 4 400
teach 2 700
await 180 "six runs are over" all_done
await 60 "and are learned" sh_on "leeway history show $history | grep '^6 jobs learned'"

fill 4
short=$(sized "$agrees --time=10")
between "$full" "$short" "[34]"
ok "on half of its nodes its limit might end it" test "$(nodes_of "$short")" -gt 2
clear_all

fill 4
job=$(sized "$agrees --time=60")
between "$full" "$job" 2
is "where others wait, it has half of them" "$(nodes_of "$job")" 2
trained "$job"
sh_on 'scancel -u u2'
await 60 "once none waits, it goes on on more" runs "$job" 1
is "on all" "$(nodes_of "$job")" 4
trained "$job"
ok "each step was done once beyond the save" whole "$job"
ok "the log says so" in_log "job $job is to go on on more nodes: it is asked"
clear_all

ones=()
for _ in 1 2 3 4; do
	fill 1
	ones+=("$full")
done
job=$(sized "$agrees --time=60 --nodes=1-4")
others
await 60 "of one to four nodes, too, the plan chooses half" sh_on \
	"leeway why $job | grep 'plan chooses its number of nodes: 2'"
sh_on "scancel ${ones[0]}"
probe=$(submit u1 '--nodes=1 --gpus-per-node=1 --mem=100 --time=10' 60)
await 120 "a short job runs on the first node that comes free" sacct_is "$probe" COMPLETED
ok "Slurm's own starts leave it to the plan" job_is "$job" PENDING
sh_on "scancel ${ones[1]}"
starts "it starts when a second node is free" "$job"
is "on both" "$(nodes_of "$job")" 2
clear_all

first=$(sized "$agrees --time=60")
starts "no other job waits" "$first"
is "so it has all nodes that it may have" "$(nodes_of "$first")" 4
clear_all

for comment in leeway:size leeway:stop; do
	fill 2
	job=$(sized "--comment=$comment --time=60")
	starts "one that says only $comment" "$job"
	is "has what is free" "$(nodes_of "$job")" 2
	trained "$job"
	sh_on "scancel $full"
	probe=$(submit u2 '--nodes=1 --gpus-per-node=1 --mem=100 --time=60' 60)
	await 60 "plans go on" sacct_is "$probe" COMPLETED
	ok "it is left alone" runs "$job" 0
	clear_all
done
finish
