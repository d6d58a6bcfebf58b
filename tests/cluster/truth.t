#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: users submit at random in all forms, and what leeway when said of their jobs comes true
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# LW_TRUTH_SEED is the seed, LW_TRUTH_JOBS how many jobs are submitted.
seed=${LW_TRUTH_SEED:-7} jobs=${LW_TRUTH_JOBS:-2000} clock=30

conf_extra <<'END'
Licenses=tool:4
PartitionName=left Nodes=n[1-3] MaxTime=INFINITE State=UP DefMemPerCPU=10
PartitionName=low Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 DefMemPerCPU=10
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=1 DefMemPerCPU=10
END
printf 'sched.patience: 0.5\nsched.deadlines: guard\n' > "$out/storm.yaml"
cluster --sched leeway --nodes 6 --gpus 4 --clock "$clock" --conf-extra "$extra" \
	--leeway-yaml "$out/storm.yaml"

act=/run/storm/gate-storm
with_input bash -c 'mkdir -p /run/storm && cat > /run/storm/gate-storm && cd /run/storm &&
	touch changed acts remedies && chmod 666 changed' < "$(dirname "$0")/gate-storm"
on bash "$act" said &
on bash "$act" admin "$seed" &
on bash "$act" harm "$seed" &
on bash "$act" remedies "$seed" &
children=()
for user in 1 2 3; do
	on --user "u$user" -- bash "$act" user $((seed * 10 + user)) $((jobs / 3)) &
	children+=($!)
done
wait "${children[@]}"
sh_on 'touch /run/storm/calm'
# What still waits after a minute is let go: it may wait for good.
patient_until=$((SECONDS + 60))
storm_is_over() {
	[ "$SECONDS" -lt "$patient_until" ] ||
		sh_on "squeue -h -t PD -o %A | xargs -r scancel"
	# shellcheck disable=SC2016 # the shell in the cluster expands it
	sh_on '[ "$(squeue -h -t PD,R,CG | wc -l)" = 0 ]'
}
await 900 "all jobs are over" storm_is_over
sh_on 'touch /run/storm/over'
wait

for what in changed said acts remedies; do
	sh_on "cat /run/storm/$what" > "$out/$what"
done
fields=JobID,State,Start,End,JobIDRaw,AdminComment%600
# of time 0 sacct makes this midnight, and the storm may be longer
sh_on "SLURM_TIME_FORMAT=%s sacct -a -X -D -n -P -S 2000-01-01 -o $fields" > "$out/ended"
# a cycle, of a machine that is busy for four seconds
awk -v slack_s=$((4 * clock)) -f "$(dirname "$0")/truth.awk" file=1 "$out/changed" \
	file=2 "$out/acts" file=3 "$out/said" file=4 "$out/ended" file=5 "$out/remedies" \
	> "$out/judged"
comment < "$out/judged"
counted() { awk -v name="$1" '$1 == name { print $2 }' "$out/judged"; }
ok "statements are judged" test "$(counted judged)" -gt $((jobs / 4))
is "no statement contradicts itself or Slurm" "$(counted faults)" 0
is "no job starts that was never to start" "$(counted wrong_never)" 0
is "no first planned start is missed without a recorded cause" "$(counted missed_first)" 0
is "every recorded cause is true" "$(counted causes_untrue)" 0
is "what is said agrees with Slurm's own reason" "$(counted reasons_disagree)" 0
ok "changes that would start a job are made" test "$(counted remedies)" -gt $((jobs / 100))
is "and each starts it" "$(counted remedies_vain)" 0
ok "95 % of planned starts are kept where nothing changed" \
	awk -v share="$(counted kept_share)" 'BEGIN { exit !(share >= 0.95) }'
finish
