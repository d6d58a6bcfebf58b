#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what keeps many jobs waiting is not written to the log of slurmctld at each look at them
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PartitionName=strict Nodes=ALL AllowQos=normal
END
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n' > "$out/leeway.yaml"
# neither the main loop nor a submission looks at any
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 60 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"

cycles() { sh_on 'sdiag' | awk '/^Backfill/ { ours = 1 } ours && /Total cycles/ { print $3 }'; }
cycled() { [ "$(cycles)" -ge "$1" ]; }
has_licences() { sh_on 'scontrol -o show lic' | grep -q "tool@far Total=$1 "; }
# said WORDS: how often
said() { log_of_controller | grep -c -- "$1"; }

share=allowed
[ "$(release)" != 22.05 ] || share=percentallowed
ok "there are licences, from a server outside" sh_on "sacctmgr -i add qos other
	sacctmgr -i add resource name=tool server=far servertype=any count=4 type=license \
		cluster=mini $share=100"
await 30 "slurmctld knows of them" has_licences 4
busy=$(job "--nodes=2 --exclusive --time=1000" 50000)
starts "a job takes all nodes" "$busy"
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "ten jobs wait with a QOS, ten for licences, ten in two partitions" as u1 'for i in $(seq 10); do
	sbatch -Q -o /dev/null -p strict --mem=100 --time=10 --wrap="sleep 9000"
	sbatch -Q -o /dev/null -L tool@far:3 --mem=100 --time=10 --wrap="sleep 9000"
	sbatch -Q -o /dev/null -p main,strict --mem=100 --time=10 --wrap="sleep 9000"
done'
first=$((busy + 1)) second=$((busy + 2)) either=$((busy + 3))
ok "the QOS is shut out, and the server has one licence left" sh_on '
	scontrol update partition=strict AllowQos=other
	sacctmgr -i modify resource tool server=far set count=1'
await 30 "slurmctld knows that too" has_licences 1
waits_for "a job waits for its QOS" "$first" "^Job's"
waits_for "another for licences" "$second" '^Licenses$'
qos=$(said 'QOS not permitted') licences=$(said 'licenses than configured')
is "slurmctld said of each that its QOS may not" "$((qos >= 10))" 1
is "and of each that there are too few licences" "$((licences >= 10))" 1
await 60 "ten cycles more" cycled $(($(cycles) + 10))
is "of no QOS anything was said once more" "$(said 'QOS not permitted')" "$qos"
is "nor of licences" "$(said 'licenses than configured')" "$licences"
waits_for "the job still waits for its QOS" "$first" "^Job's"
waits_for "who may start elsewhere waits for room" "$either" '^(Resources|Priority|planned)'
ok "both are as they were" sh_on 'scontrol update partition=strict AllowQos=normal
	sacctmgr -i modify resource tool server=far set count=4'
sh_on "scancel $busy"
starts "who waited for his QOS starts" "$first"
starts "who waited for licences does" "$second"
finish
