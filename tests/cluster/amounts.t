#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what jobs are planned on is what Slurm takes for them: none of these is refused, with
# Leeway alone starting jobs (doc/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 4 --cpus 4 --mem 8000 --clock 20 --users 1 \
	--accounting none --sched-params 'sched_interval=-1,defer'

# planned_after WHAT OPTIONS OTHER NODES: a job of OPTIONS is planned for when OTHER ends
planned_after() {
	local waits
	waits=$(job "--time=20 $2" 3000)
	await 90 "$1 is planned" planned "$waits"
	like "$1: there" "$(job_field "$waits" SchedNodeList)" "^$4\$"
	ok "$1: for when it can start" near "$(seconds_of "$waits" StartTime)" \
		"$(seconds_of "$3" EndTime)" 60
	unlike "$1 is not refused" "$(log_of_controller)" "job $waits: Slurm would not start it"
	sh_on "scancel $waits"
}

# Whole nodes, of which each has the CPUs, or the GPUs, of one task and not quite of another.
filler=$(job "--nodelist=n4 --exclusive --time=30" 3000)
starts "a job on a node starts" "$filler"
for each in --cpus-per-task=3 --gpus-per-task=3; do
	planned_after "a job of four tasks with $each on whole nodes" \
		"--ntasks=4 $each --exclusive" "$filler" 'n\[1-4\]'
done
clear_all
finish
