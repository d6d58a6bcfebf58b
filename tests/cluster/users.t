#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that a user has for himself, with Leeway alone starting jobs (doc/admin/parity.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
echo 'PartitionName=own Nodes=n[1-2] ExclusiveUser=YES DefMemPerCPU=100' > "$extra"
# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 3 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

not_refused() { unlike "$1" "$(log_of_controller)" "job $2: Slurm would not start it"; }
# own USER OPTIONS: a job in the partition whose nodes have one user each
own() { submit "$1" "--mem=100 --partition=own $2" 30000; }
# waits_for_end WHAT JOB OTHER NODE: JOB is planned for NODE when OTHER ends, and not refused
waits_for_end() {
	await 60 "$1 is planned" planned "$2"
	is "$1: there" "$(job_field "$2" SchedNodeList)" "$4"
	ok "$1: for then" near "$(seconds_of "$2" StartTime)" "$(seconds_of "$3" EndTime)" 60
	not_refused "$1 is not refused" "$2"
}

long=$(own u1 "--nodelist=n1 --time=600")
starts "a user has a node" "$long"
short=$(own u1 "--nodelist=n2 --time=300")
starts "and another for a shorter time" "$short"
other=$(own u2 "--time=10")
waits_for_end "a job of another user" "$other" "$short" n2
beside=$(own u1 "--nodelist=n1 --time=600")
starts "one of the same user starts beside his own" "$beside"
plain=$(submit u2 "--mem=100 --nodelist=n2 --time=10" 3000)
waits_for_end "a job of the other in a partition of all" "$plain" "$short" n2
sh_on "scancel $plain"
short2=$(own u1 "--nodelist=n2 --time=20")
starts "one that is gone by then starts as well" "$short2"
sh_on "scancel $short $short2"
starts "when the node is free of him, the other has it" "$other"
is "there" "$(job_field "$other" NodeList)" n2
clear_all

# The same for one job.
mine=$(submit u1 "--mem=100 --nodelist=n3 --time=300 --exclusive=user" 30000)
starts "a job that shares its node with its user's only" "$mine"
wants=$(submit u2 "--mem=100 --nodelist=n3 --time=10" 3000)
waits_for_end "one of another user" "$wants" "$mine" n3
clear_all
mine=$(submit u1 "--mem=100 --nodelist=n3 --time=300" 30000)
starts "a job that shares its node with all" "$mine"
wants=$(submit u2 "--mem=100 --nodelist=n3 --time=10 --exclusive=user" 3000)
waits_for_end "one that shares it with nobody else's" "$wants" "$mine" n3

# So it is with labels, where jobs select their nodes by them.
printf '%s\n' MCSPlugin=mcs/user MCSParameters=enforced,select > "$extra"
cluster_gone
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"
long=$(submit u1 "--mem=100 --nodelist=n1 --time=600" 30000)
starts "a job with a label has a node" "$long"
short=$(submit u1 "--mem=100 --nodelist=n2 --time=300" 30000)
starts "and one of the same label another" "$short"
wants=$(submit u2 "--mem=100 --time=10" 3000)
waits_for_end "one of another label" "$wants" "$short" n2
beside=$(submit u1 "--mem=100 --nodelist=n1 --time=600" 30000)
starts "one of the same starts beside the first" "$beside"
sh_on "scancel $short"
starts "when its node is empty the other starts" "$wants"
finish
