#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: two clusters of one federation: each of their jobs starts on one of them, once
# shellcheck disable=SC2317 # functions are called through ok and await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
echo 'DebugFlags=Federation' > "$out/extra.conf"
# only Leeway starts jobs, on both
cluster --sched leeway --sibling far --nodes 2 --gpus 0 --clock 60 --debug verbose \
	--sched-params sched_interval=-1,defer --conf-extra "$out/extra.conf"

# far SCRIPT: on the second cluster, as root; what lib.sh has is for the first
far() { sh_on "export SLURM_CONF=/etc/far/slurm.conf; $1"; }
log_of_far() { sh_on 'cat /var/log/slurm/far.log'; }
in_far_log() { log_of_far | grep -E -- "$1" > /dev/null; }
far_like() { far "scontrol --local show job $1" | grep -E "$2" > /dev/null; }

# whole CLUSTER OPTIONS SECONDS: a job of whole nodes that says where it runs; prints its id
whole() {
	local conf=/etc/slurm/slurm.conf
	[ "$1" = mini ] || conf=/etc/$1/slurm.conf
	as u1 "SLURM_CONF=$conf sbatch --parsable --output=/dev/null --exclusive --time=60 $2 \
		--wrap='echo \${SLURM_ARRAY_JOB_ID:-\$SLURM_JOB_ID} \$SLURM_CLUSTER_NAME >> ran
		sleep $3'" | cut -d ';' -f 1
}
# runs_of JOB: the clusters that it ran on, each as often as it did
runs_of() { sh_on "sed -n 's/^$1 //p' /home/u1/ran" | paste -sd ' '; }
ran() { [[ $(runs_of "$1") =~ ^($2)$ ]]; }
idle_both() {
	[ "$(sh_on 'squeue -h'; far 'squeue -h')" = '' ] &&
		[ "$(sh_on 'sinfo -h -o %t'; far 'sinfo -h -o %t')" = $'idle\nidle' ]
}
# fill CLUSTER: a job that stays on it and takes all of it
fill() { whole "$1" "--nodes=2 --clusters=$1 --time=700" 36000; }

await 30 "Leeway plans the queue of the first cluster" planned_by 'Leeway (leeway,'
await 30 "and that of the second" in_far_log 'Leeway \(leeway,.* plans the queue'

blocker=$(fill mini)
await 40 "the first cluster is full" job_is "$blocker" RUNNING
moved=$(whole mini '' 60)
await 60 "a job of it runs on the second" ran "$moved" far
like "which asked for the lock" "$(log_of_far)" "attempting fed job lock on JobId=$moved by"
like "and was given it" "$(log_of_controller)" "fed JobId=$moved locked by 2"
ok "the first cluster gets room" sh_on "scancel $blocker"

submit_many() {
	for _ in 1 2 3 4 5 6; do
		whole mini '' 60 && whole far '' 60 || return
	done
}
ok "more jobs are submitted on both than there are nodes" submit_many
await 150 "all are done" idle_both
ran=$(sh_on "sed -E '/^($blocker|$moved) /d' /home/u1/ran")
is "each of the 12 ran, and none twice" \
	"$(cut -d ' ' -f 1 <<< "$ran" | sort -u | wc -l) $(wc -l <<< "$ran")" '12 12'
like "some on the first cluster" "$ran" ' mini'
like "some on the second" "$ran" ' far'
unlike "none started without the lock" "$(log_of_far; log_of_controller)" \
	"it's not locked|doesn't have job lock"

# An array and a het job stay on the cluster that they were submitted on.
array=$(whole mini '-a 1-2' 60)
het=$(as u1 "sbatch --parsable --output=/dev/null --time=5 -N1 : -N1 --wrap='sleep 60'")
await 60 "both tasks of an array run" ran "$array" 'mini mini'
await 60 "a het job ends" sacct_is "${het%;*}" COMPLETED

# A held job is on the other cluster only while it is released.
held=$(whole mini --hold 60)
blocker=$(fill mini) far_blocker=$(fill far)
await 40 "the clusters are full" far_like "$far_blocker" JobState=RUNNING
await 40 "both of them" job_is "$blocker" RUNNING
ok "the other cluster does not know the held job" eval "! far_like $held Job"
ok "it is released" change_job "scontrol release $held"
await 40 "now it has" far_like "$held" JobState=PENDING
ok "it is held again" change_job "scontrol hold $held"
await 40 "and no more on the other cluster" eval "! far_like $held Job"

# One that may only run on the other cluster waits for it.
locked=$(whole mini --hold 60)
ok "a job is tied to the other cluster" change_job "scontrol update jobid=$locked clusters=far"
ok "and released" change_job "scontrol release $locked"
await 40 "it waits there" far_like "$locked" JobState=PENDING
ok "the first cluster gets room" sh_on "scancel $blocker"
after=$(whole mini '--clusters=mini' 60)
await 60 "which others use" ran "$after" mini
is "not this job" "$(runs_of "$locked")" ''

# Nobody gives the lock while the cluster that a job comes from is away.
blocker=$(fill mini)
await 40 "the first cluster is full again" job_is "$blocker" RUNNING
orphan=$(whole mini --nodes=2 60)
await 40 "a job is planned on it" has_promise "$orphan"
await 40 "and on the second cluster" far_like "$orphan" 'StartTime=20.*'
ok "the first cluster's slurmctld is stopped" stop_controller
ok "the second gets room" far "scancel $far_blocker"
await 60 "the job tied to it runs" ran "$locked" far
await 60 "the other job's start is refused" \
	in_far_log "leeway: job $orphan: Slurm would not start it: .*lock"
ok "it waits" far_like "$orphan" JobState=PENDING
await 20 "for the lock, as it says" far_like "$orphan" Reason=FedJobLock
ok "the first cluster's slurmctld comes back" start_controller
await 90 "the job starts on the second, once" ran "$orphan" far
await 40 "the first revokes its own" in_log "revoking fed JobId=$orphan"
ok "the held job has not run" ran "$held" ''
ok "it is released as well" change_job "scontrol release $held"
await 60 "and runs on the second, too" ran "$held" far
ok "the first gets room" sh_on "scancel $blocker"
await 90 "everything ends" idle_both
like "each of these ran once" \
	"$(runs_of "$orphan"),$(runs_of "$held"),$(runs_of "$locked"),$(runs_of "$after")" \
	'^far,far,far,mini$'
ok "a promise to a job that runs elsewhere is gone" test -z "$(promise_of "$orphan")"
unlike "and not called broken" "$(log_of_controller)" "promise to job $orphan .*late"
finish
