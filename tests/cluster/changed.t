#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that is given more time between a plan and its start
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer'

# Who is given more time after it was planned is planned anew: it would delay who was promised room.
# Its record is looked at (LastSchedEval) when the queue is read and again if it is looked at anew:
# only an update that comes between the reading and the start tells something.
evaluated() { job_field "$quick" LastSchedEval; }
evaluated_anew() { [ "$(evaluated)" != "$before" ]; }
evaluated_or_started() { evaluated_anew || ! job_is "$quick" PENDING; }
# planned_and_changed: a new job is released, read, and given twenty hours before it could start
planned_and_changed() {
	quick=$(job "--hold --nodes=1 --exclusive --time=10" 3000)
	before=$(evaluated)
	change_job "scontrol release $quick"
	await 90 "one that would be done by then is planned" evaluated_or_started
	before=$(evaluated)
	change_job "scontrol update jobid=$quick timelimit=1200" &&
		job_is "$quick" PENDING && return
	echo "# job $quick was started before it could be changed"
	sh_on "scancel $quick" || true
	await 40 "it is gone" field_like "$quick" JobState '^(CANCELLED|COMPLETED|TIMEOUT)$'
	return 1
}
first=$(job "--nodelist=n1 --exclusive --time=600" 60000)
starts "a job for ten hours" "$first"
wide=$(job "--nodes=4 --exclusive --time=10" 30)
await 40 "one on all nodes is promised its end" has_promise "$wide"
ok "slurmctld takes its time whenever it gives up the locks" shaken 4000
in_time=no
for _ in 1 2 3 4 5 6; do
	planned_and_changed && in_time=yes && break
done
is "it was given twenty hours before it could start" "$in_time" yes
await 90 "it is looked at again" evaluated_anew
is "it has not started" "$(job_state "$quick")" PENDING
clear_all
finish
