#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: users submit at random in all forms, and no start of Slurm's own breaks a promise
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# LW_STORM_SEED is the seed, LW_STORM_JOBS how many jobs are submitted in each setting, and
# LW_STORM_ONLY has the numbers of the settings to try. LW_STORM_CANARY names a partition (main,
# left or high): Leeway plans the jobs of that alone (sched.partitions), stock backfill all others.
# The table goes to gate_storm.tsv in LW_CLUSTER_OUT.
seed=${LW_STORM_SEED:-7} jobs=${LW_STORM_JOBS:-240} clock=${LW_STORM_CLOCK:-30}
canary=${LW_STORM_CANARY:-}

# SchedulerParameters, PreemptType, sched.policy, sched.deadlines, and what happens in between. In
# the last one only Leeway starts jobs.
settings='
-|none|leeway|off|restart
bf_continue,bf_interval=5,bf_max_job_test=1000|none|leeway|guard|reconfigure
defer|none|easy|off|nothing
defer_batch|none|leeway|guard|restart
sched_interval=-1|none|conservative|off|nothing
batch_sched_delay=20,sched_min_interval=5000000|none|leeway|off|reconfigure
-|qos|easy|off|nothing
-|partition_prio|leeway|off|restart
sched_interval=-1,defer|none|leeway|off|nothing'
columns=(jobs started slurms stocks strayed promises kept withdrawn by_tier by_order by_plan broken
	accepted missed out_of_order wait_s cpu_percent gpu_percent)

between() {
	case $1 in
	restart) kill_controller && start_controller ;;
	reconfigure) sh_on 'scontrol reconfigure' ;;
	esac
}

settings_of() { # SCHEDPARAMS PREEMPT POLICY DEADLINES: sets options
	local tier=1 preempt=''
	if [ "$2" != none ]; then
		preempt="PreemptType=preempt/$2"$'\n'PreemptMode=REQUEUE
		tier=9
	fi
	conf_extra <<END
Licenses=tool:4
$preempt
PartitionName=left Nodes=n[1-3] MaxTime=INFINITE State=UP DefMemPerCPU=10
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 DefMemPerCPU=10
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=$tier DefMemPerCPU=10
END
	printf 'sched.patience: 0.5\nsched.policy: %s\nsched.deadlines: %s\n' "$3" "$4" \
		> "$out/storm.yaml"
	[ -z "$canary" ] || echo "sched.partitions: $canary" >> "$out/storm.yaml"
	options=(--sched leeway --nodes 6 --gpus 4 --clock "$clock" --conf-extra "$extra"
		--leeway-yaml "$out/storm.yaml")
	[ "$1" = - ] || options+=(--sched-params "$1")
}

act=/run/storm/gate-storm

# storm SEED COUNT: three users at once
storm() {
	local user children=()
	for user in 1 2 3; do
		on --user "u$user" -- bash "$act" user $(($1 * 10 + user)) $(($2 / 3)) &
		children+=($!)
	done
	wait "${children[@]}"
}

begin_storm() {
	with_input bash -c 'mkdir -p /run/storm && cat > /run/storm/gate-storm && cd /run/storm &&
		touch ended accepted changed several && chmod 666 changed several' \
		< "$(dirname "$0")/gate-storm"
	[ "$1" != qos ] || sh_on 'sacctmgr -i add qos low,urgent
		sacctmgr -i modify qos urgent set preempt=low priority=100
		sacctmgr -i modify account a1,a2,a3,a4 set qos=normal,low,urgent
		touch /run/storm/qos' > /dev/null
	on bash "$act" watch &
	on bash "$act" admin "$seed" &
}

# What still waits after a minute is let go: it may wait for good.
storm_is_over() {
	[ "$SECONDS" -lt "$patient_until" ] ||
		sh_on "squeue -h -t PD -o %A | xargs -r scancel"
	# shellcheck disable=SC2016 # the shell in the cluster expands it
	sh_on '[ "$(squeue -h -t PD,R,CG | wc -l)" = 0 ]'
}
end_storm() { sh_on 'touch /run/storm/over'; wait; }

# count PREEMPT: what became of all of it, in storm.count
count() {
	local fields=JobIDRaw,JobID,User,JobName%60,Partition,State,Eligible,Start,End,TimelimitRaw
	log_of_controller > "$out/storm.log"
	sh_on 'cat /run/storm/ended' > "$out/storm.ended"
	sh_on 'cat /run/storm/accepted' > "$out/storm.accepted"
	sh_on 'cat /run/storm/{changed,several}' > "$out/storm.unsure"
	sh_on "SLURM_TIME_FORMAT=%s sacct -a -X -n -P -S 1970-01-01 -o $fields,AllocTRES%200,QOS" \
		> "$out/storm.sacct"
	awk -v cpus=32 -v gpus=4 -v nodes=6 -v tiers="$([ "$1" = none ] || echo yes)" \
		-v canary="$canary" \
		-f "$(dirname "$0")/gate-storm.awk" file=1 "$out/storm.ended" \
		file=2 "$out/storm.sacct" \
		file=3 "$out/storm.log" file=4 "$out/storm.accepted" \
		file=5 "$out/storm.unsure" > "$out/storm.count"
	grep '^#' "$out/storm.count" || true
}
counted() { awk -v name="$1" '$1 == name { print $2 }' "$out/storm.count"; }

table=$(dirname "$out")/gate_storm.tsv
note_row() { # SETTING
	local column row=$1
	for column in "${columns[@]}"; do row+=$'\t'$(counted "$column"); done
	echo "$row" >> "$table"
	comment <<< "$(paste -d '=' <(printf '%s\n' "${columns[@]}") \
		<(cut -f 2- <<< "$row" | tr '\t' '\n') | paste -sd ' ')"
}

run_setting() { # SCHEDPARAMS PREEMPT POLICY DEADLINES BETWEEN
	local what="$1, preempt/$2, $3, deadlines $4, $5${canary:+, a canary of $canary}"
	settings_of "$1" "$2" "$3" "$4"
	cluster "${options[@]}"
	begin_storm "$2"
	storm "$seed" $((jobs / 2))
	between "$5"
	storm $((seed + 1)) $((jobs - jobs / 2))
	sh_on 'touch /run/storm/calm'
	patient_until=$((SECONDS + 60))
	await 900 "$what: all jobs are over" storm_is_over
	end_storm
	count "$2"
	mkdir -p "$out/$number" && cp "$out"/storm.* "$out/$number"
	note_row "$what"
	ok "$what: jobs have run" test "$(counted started)" -gt $((jobs / 2))
	ok "$what: promises were made" test "$(counted promises)" -gt 0
	is "$what: no promise is broken" "$(counted broken)" 0
	is "$what: no accepted deadline is missed" "$(counted missed)" 0
	is "$what: no start of Slurm's own is out of order" "$(counted out_of_order)" 0
	[ -z "$canary" ] || ok "$what: stock has started jobs" test "$(counted stocks)" -gt 0
	is "$what: none is started by the other's backfill" "$(counted strayed)" 0
	cluster_gone
}

number=0
mkdir -p "$out"
{ IFS=$'\t'; echo "setting	${columns[*]}"; } > "$table"
unset IFS
while IFS='|' read -r params preempt policy deadlines happens <&3; do
	[ -n "$params" ] || continue
	number=$((number + 1))
	[[ " ${LW_STORM_ONLY:-$number} " != *" $number "* ]] ||
		run_setting "$params" "$preempt" "$policy" "$deadlines" "$happens"
done 3<<< "$settings"
finish
