#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that can be had in several modes (node_features/helpers, such as MIG)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
need_release '2[4-6].*' "slurmd takes a plugin on at a restart only"

# Neither the main loop nor a submission starts anything.
cluster --sched leeway --nodes 4 --gpus 1 --cpus 4 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer'

# Another mode takes a reboot, which these nodes never come back from. Who asks is known by name.
# shellcheck disable=SC2016 # the shell in the cluster expands it
sh_on 'cat > /etc/slurm/mode << "END"
#!/bin/bash
tr "\0" "\n" < /proc/$PPID/cmdline | grep -qx n4 && echo split || echo whole
END
	chmod +x /etc/slurm/mode
	echo "Feature=whole,split Helper=/etc/slurm/mode" > /etc/slurm/helpers.conf
	echo "NodeFeaturesPlugins=node_features/helpers" >> /etc/slurm/slurm.conf
	echo "RebootProgram=/bin/true" >> /etc/slurm/slurm.conf
	scontrol reconfigure'
mode_is() { [ "$(sh_on "scontrol show node $1" | grep -o 'ActiveFeatures=.*')" = "$2" ]; }
await 60 "one node is in another mode" mode_is n4 ActiveFeatures=split
await 60 "than the others" mode_is n1 ActiveFeatures=whole

one=$(job "--constraint=split" 300)
starts "a job that wants this mode starts" "$one"
is "where it need not be made first" "$(job_field "$one" NodeList)" n4

# Only idle nodes are rebooted: one is kept until it is, of which others would take a part.
ok "nobody is in this mode, and one node is left" sh_on \
	"scancel $one; scontrol update node=n[2-4] state=drain reason=test"
half=$(job "--ntasks=2 --time=300" 30000)
starts "half of it is taken" "$half"
made=$(submit u1 "--constraint=split --time=30 --mem-per-cpu=3000" 300)
await 60 "a job that wants the mode waits for the other half" planned "$made"
other=$(job "--ntasks=1 --time=6000" 60000)
sh_on "scancel $half"
out_of_queue() { [ "$(job_field "$1" JobState)" != PENDING ]; }
await 60 "the node is to be rebooted when it is idle" out_of_queue "$made"
is "for this job" "$(job_field "$made" NodeList)" n1
ok "who came later waits" job_is "$other" PENDING
finish
