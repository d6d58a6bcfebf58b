#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: planning changes none of the usage that Slurm counts by association and QOS
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageEnforce=associations,limits,qos
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
END
printf '%s\n' sched: '  policy: conservative' '  interval: 1s' '  min_interval: 1s' \
	> "$out/leeway.yaml"

cycles() { sh_on sdiag | sed -n 's/^.*Total cycles: *//p' | tail -n 1; }
cycled() { [ "$(cycles)" -ge "$1" ]; }
# cycles_go_by NUMBER
cycles_go_by() { await 120 "$1 cycles go by" cycled $(($(cycles) + $1)); }
# submitted QOS: how many submissions of u1 count against it
submitted() {
	sh_on "scontrol show assoc_mgr flags=qos qos=$1" | grep -A 2 "u1(" |
		sed -n 's/.*MaxSubmitJobsPU=[^(]*(\([0-9]*\)).*/\1/p'
}
# het OPTIONS SECONDS: of two parts, each with the options; prints its id
het() {
	as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=10 $1 : \
		--mem=100 --time=10 $1 --wrap='sleep $2'"
}
prepare() { # WHO
	sh_on 'sacctmgr -i add qos qa,qb
		sacctmgr -i add qos few set GrpTRES=cpu=1
		sacctmgr -i modify qos qb set MaxSubmitJobsPerUser=4
		sacctmgr -i modify user u1 set qos+=few' > /dev/null
	await 60 "$1: three QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=few'
	ok "$1: two partitions have one each" sh_on 'printf "PartitionName=%s Nodes=ALL QOS=%s\n" \
		pa qa pb qb >> /etc/slurm/slurm.conf && scontrol reconfigure'
	await 60 "$1: they are there" sh_on 'scontrol show partition pb | grep -q QoS=qb'
}

cluster --sched leeway --nodes 3 --gpus 0 --cpus 4 --mem 8000 --clock 60 \
	--priority multifactor --sched-params 'sched_interval=-1,defer' \
	--conf-extra "$extra" --leeway-yaml "$out/leeway.yaml"
prepare leeway
ok "all nodes are reserved for ten hours" sh_on 'scontrol create reservation=all nodes=ALL \
	starttime=now duration=10:00:00 users=root flags=ignore_jobs'

# Each part of a het job is one submission to each partition of its list.
for i in 1 2; do
	het "--partition=pa,pb" 10 > /dev/null
done
is "two het jobs are submitted to a QOS" "$(submitted qb)" 4
cycles_go_by 30
is "and as many are counted" "$(submitted qb)" 4
like "no other may be" "$(het "--partition=pa,pb" 10 2>&1)" 'QOSMaxSubmitJob'

finish
