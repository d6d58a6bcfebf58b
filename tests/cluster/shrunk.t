#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that a running job gave back are of use to the next jobs
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# An epilog that takes longer than the answer to the order to end the job: what Slurm forgets when
# a job shrinks then keeps a node until it answers the next time, after hours of this cluster.
conf_extra <<'END'
Epilog=/usr/local/bin/slow-epilog
END
cluster --sched "${LW_SHRUNK_SCHED:-leeway}" --nodes 4 --gpus 4 --clock 20 --conf-extra "$extra"
sh_on 'printf "%s\n" "#!/bin/sh" "LD_PRELOAD= sleep 3" > /usr/local/bin/slow-epilog
	chmod +x /usr/local/bin/slow-epilog'

three_idle() { [ "$(sh_on 'sinfo -h -N -t idle -o %N | wc -l')" = 3 ]; }

large=$(submit u1 "--mem=100 --nodes=4 --exclusive --time=600" 60000)
starts "a job has four nodes" "$large"
change_job "scontrol update jobid=$large numnodes=1"
await 30 "and gives three of them back" three_idle
first=$(submit u1 "--mem=100 --nodes=3 --exclusive --time=60" 60000)
starts "another job has them" "$first"
sh_on "scancel $first"
await 60 "and ends" three_idle
second=$(submit u1 "--mem=100 --nodes=3 --exclusive --time=60" 60000)
starts "they are of use to the next one" "$second"
await 30 "the log says why" in_log '[123] idle nodes are of use to all jobs'
clear_all
finish
