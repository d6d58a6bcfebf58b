#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a job that is given more time between a plan and its start
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer'

# Who is given more time after it was planned is planned anew: it would delay who was promised room.
evaluated() { job_field "$quick" LastSchedEval; }
evaluated_anew() { [ "$(evaluated)" != "$before" ]; }
first=$(job "--nodelist=n1 --exclusive --time=60" 3000)
starts "a job for an hour" "$first"
wide=$(job "--nodes=4 --exclusive --time=10" 30)
await 40 "one on all nodes is promised its end" has_promise "$wide"
ok "slurmctld takes its time whenever it gives up the locks" shaken 4000
quick=$(job "--hold --nodes=1 --exclusive --time=10" 3000)
before=$(evaluated)
sh_on "scontrol release $quick"
await 90 "one that would be done by then is planned" evaluated_anew
before=$(evaluated)
ok "it is given ten hours" sh_on "scontrol update jobid=$quick timelimit=600"
await 90 "it is looked at again" evaluated_anew
is "it has not started" "$(job_state "$quick")" PENDING
clear_all
finish
