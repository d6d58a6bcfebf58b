#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: users submit at random in all forms, and no start of Slurm's own breaks a promise
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# One row a setting: SchedulerParameters, PreemptType, and what happens in between. LW_STORM_SEED
# is the seed, LW_STORM_JOBS how many jobs a setting (300).
settings='
-|none|restart
bf_continue,bf_interval=5,bf_max_job_test=1000|none|reconfigure
defer|none|nothing
defer_batch|none|restart
sched_interval=-1|none|nothing
batch_sched_delay=20,sched_min_interval=5000000|none|reconfigure
-|qos|nothing
-|partition_prio|restart'
seed=${LW_STORM_SEED:-7} jobs=${LW_STORM_JOBS:-300}

# In the cluster: submit N jobs of three users with SEED, at most one a tenth of a second.
# shellcheck disable=SC2016 # the shell in the cluster expands it
storm='RANDOM=$1
pick() { echo "${@:1 + RANDOM % $#}" | cut -d " " -f 1; }
for ((i = 0; i < $2; i++)); do
	limit=$((1 + RANDOM % 40)) run=$((1 + RANDOM % (60 * limit)))
	shape=$(pick --nodes=1_--exclusive --nodes=2_--exclusive --nodes=4_--exclusive --ntasks=1 \
		--ntasks=3 --nodes=1_--gpus=1 --nodes=1_--gpus=4 --nodelist=n3 --array=1-3)
	part=$(pick main main low high low,main)
	how=$(pick sbatch sbatch sbatch sbatch srun)
	cd / && if [ "$how" = sbatch ]; then
		runuser -u "$(pick u1 u2 u3)" -- sbatch --mem=100 -p "$part" ${shape//_/ } \
			-t "$limit" -o /dev/null --wrap="sleep $run"
	else
		runuser -u "$(pick u1 u2 u3)" -- timeout 20 srun --immediate=1 --mem=100 \
			-p "$part" --ntasks=1 -t "$limit" sleep "$run" &
	fi
	LD_PRELOAD= sleep 0.1
done > /dev/null 2>&1
wait'

between() {
	case $1 in
	restart) kill_controller && start_controller ;;
	reconfigure) sh_on 'scontrol reconfigure' ;;
	esac
}

queue_is_over() { [ "$(sh_on 'squeue -h -t PD,R,CG | wc -l')" -eq 0 ]; }

# What the log says of promises: made, broken.
promises_told() { log_of_controller | grep -c "$1" || true; }

run_setting() { # PARAMS PREEMPT BETWEEN
	local options=(--sched leeway --nodes 4 --gpus 4 --clock 20 --debug info)
	[ "$1" = - ] || options+=(--sched-params "$1")
	local tier=9
	[ "$2" != none ] || tier=1
	conf_extra <<END
$([ "$2" = none ] || printf 'PreemptType=preempt/%s\nPreemptMode=REQUEUE\n' "$2")
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=$tier
END
	cluster "${options[@]}" --conf-extra "$extra"
	sh_on "printf '%s' '$storm' > /run/storm; bash /run/storm $seed $((jobs / 2))"
	between "$3"
	sh_on "bash /run/storm $((seed + 1)) $((jobs - jobs / 2))"
	await 900 "$1, $2, $3: all jobs are over" queue_is_over
	broken=$(promises_told 'promise to job .* broken')
	comment <<< "$1, $2, $3: $(promises_told 'promise to job .* kept') kept, $broken broken"
	is "$1, $2, $3: no promise is broken" "$broken" 0
	cluster_gone
}

while IFS='|' read -r params preempt happens <&3; do
	[ -z "$params" ] || run_setting "$params" "$preempt" "$happens"
done 3<<< "$settings"
finish
