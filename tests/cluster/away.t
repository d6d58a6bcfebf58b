#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: while StateSaveLocation is away no job is started, of which slurmctld would die
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# only Leeway starts jobs
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --clock 20 \
	--sched-params sched_interval=-1,defer

state=/var/lib/slurm/state
ended() { field_like "$1" JobState '^COMPLETED$'; }
# jobs of each kind, which wait until they are released
plain=$(job --hold 1) array=$(job "--hold --array=1-2" 1)
het=$(as u1 "sbatch --parsable -o /dev/null --hold --mem=100 --time=10 : --mem=100 --time=10 \
	--wrap=true")
is "jobs wait" "$(sh_on 'squeue -h -t PD | wc -l')" 4
ok "all is saved" save_state
ok "the folder goes away" sh_on "mv $state $state.away"
ok "the jobs may start" sh_on "scontrol release $plain $array $het"
await 30 "they are not started, and why is said" in_log \
	"leeway: starts no job whose script cannot be read: StateSaveLocation=$state is away"
is "slurmctld answers" "$(sh_on 'scontrol ping | grep -c UP')" 1
is "they wait still" "$(sh_on 'squeue -h -t R,CG,CD -o %i')" ''
ok "the folder is back" sh_on "rm -rf $state; mv $state.away $state"
for job in "$plain" "${array}_1" "${array}_2" "$het"; do
	await 60 "job $job runs and ends" ended "$job"
done
finish
