#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: two users and an administrator do at random what they may, all at once
# shellcheck disable=SC2317 # functions are called through await
#
# LW_SOAK_SEED chooses what they do, LW_SOAK_ROUNDS how long they do it. With LW_SOAK_SCHED=stock
# stock backfill schedules: what its slurmctld complains of ours may too.
. "$(dirname "$0")/lib.sh"

seed=${LW_SOAK_SEED:-1}
rounds=${LW_SOAK_ROUNDS:-4}
things=${LW_SOAK_THINGS:-30} # that each of the three does in a round
sched=${LW_SOAK_SCHED:-leeway}
echo "# LW_SOAK_SEED=$seed LW_SOAK_ROUNDS=$rounds LW_SOAK_THINGS=$things LW_SOAK_SCHED=$sched"

need_containers
mkdir -p "$out"
cat > "$out/extra.conf" <<'END'
Licenses=tool:8
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
DependencyParameters=kill_invalid_depend
DebugFlags=NO_CONF_HASH
PartitionName=high Nodes=n[1-4] PriorityTier=9 DefMemPerCPU=100
PartitionName=whole Nodes=n[5-8] OverSubscribe=EXCLUSIVE
PartitionName=share Nodes=n[7-8] OverSubscribe=FORCE:2 DefMemPerCPU=100
END
printf 'SwitchName=left Nodes=n[1-4]\nSwitchName=right Nodes=n[5-8]\nSwitchName=top %s\n' \
	'Switches=left,right' > "$out/topology.conf"
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n  hold_ms: 1\n' > "$out/leeway.yaml"
beside=bf_interval=30
cluster --sched "$sched" --nodes 8 --gpus 4 --gpu-types a100,v100 --cpus 8 --mem 8000 \
	--clock 30 --priority multifactor --sched-params "$beside" \
	--conf-extra "$out/extra.conf" --topology "$out/topology.conf" \
	--leeway-yaml "$out/leeway.yaml"
ok "slurmctld takes its time whenever it gives up the locks" shaken 5
with_input bash -c 'mkdir -m 1777 /run/soak; cat > /run/soak/soak-ops' \
	< "$(dirname "$0")/soak-ops"
ok "qualities of service are made" sh_on 'sacctmgr -i add qos low,urgent
	sacctmgr -i modify qos urgent set preempt=low priority=100
	sacctmgr -i modify account a1,a2 set qos=normal,low,urgent'

# things_of WHO SEED COUNT
things_of() {
	if [ "$1" = admin ]; then
		on -- bash /run/soak/soak-ops admin "$2" "$3" /run/soak
	else
		on --user "$1" -- bash /run/soak/soak-ops user "$2" "$3" /run/soak
	fi
}
# all_at_once SEED
all_at_once() {
	things_of admin "$1" "$things" &
	things_of u1 $(($1 + 1000)) "$things" &
	things_of u2 $(($1 + 2000)) "$things" &
	wait
}
# starters PARAMS: who may start jobs beside the plugin
starters() {
	sh_on "sed -i 's/^SchedulerParameters=.*/SchedulerParameters=$1/' /etc/slurm/slurm.conf
		scontrol reconfigure"
}

controller() { sh_on 'cat /run/slurm/slurmctld.pid'; }
# shellcheck disable=SC2016 # the shell in the cluster expands it
lives() { sh_on 'scontrol ping | grep -q UP && kill -0 "$(cat /run/slurm/slurmctld.pid)"'; }
memory_kib() { sh_on "awk '/^VmRSS/ { print \$2 }' /proc/$(controller)/status"; }
looks() { sh_on 'bash /run/soak/soak-ops look 0 0 /run/soak'; }
plans() {
	[ "$sched" = stock ] || {
		! in_log 'stock backfill .* plans the queue' && in_log 'not stock backfill, plans'
	}
}
# what slurmctld complains of, without the numbers
complaints() {
	log_of_controller | grep -E '^\[[^]]*\] (error|fatal):|Sanitizer|runtime error' |
		sed -E 's/^\[[^]]*\] //; s/[0-9]+/N/g' | sort | uniq -c | sort -rn
}
# Of files that are not there yet, of connections on a busy machine, of what users and the
# administrator do, and of counts of its own, it complains whoever schedules.
usual='MessageTimeout is too high|High latency for|state file|backup state save file|[Mm][Pp][Ii]|'
usual+='Zero Bytes|failed: Connection|timed out|not responding|agent_fini: left|'
usual+='Registered PENDING|Not operator user|modify priority|Weight.* differ from|'
usual+='persist_conn|[Ll]ocks left set|'
usual+='Semaphores still set|'
usual+='(license use count|run_secs|(comp|owner)_job_cnt|accrue_cnt) underflow|'
usual+='create file \(null\)|' # while 22.05 reads its configuration anew
usual+='find_preemptable_jobs: JobId=N not pending' # whose dependency fails at submission

for ((round = 1; round <= rounds; round++)); do
	words=$beside how="beside the main loop"
	if ((round % 2 == 0)); then
		words=sched_interval=-1,defer how=alone
	fi
	ok "round $round, $how" starters "$words"
	await 60 "slurmctld answers" lives
	all_at_once $((seed * 10000 + round))
	ok "slurmctld lives" lives
	is "nothing has two owners, nobody another limit than he was given" "$(looks)" ''
	[ "$round" -gt 1 ] || first_kib=$(memory_kib)
done
ok "who plans still does" plans

# All that can run does, and ends; who waits for what will not be is cancelled.
nobody_waits() {
	sh_on 'bash /run/soak/soak-ops drain 0 0 /run/soak'
	nobody_left
}
ok "the administrator puts all in order" sh_on 'bash /run/soak/soak-ops calm 0 0 /run/soak'
held=$(job --hold 5)
like "what is looked for is seen" "$(sh_on "echo $held 77777 > /run/soak/limits.false
	bash /run/soak/soak-ops look 0 0 /run/soak
	rm /run/soak/limits.false")" "job $held: limit 00:10:00, not 77777"
await 300 "all jobs end" nobody_waits
ok "slurmctld lives at last" lives
is "nobody died of a wrong address" "$(backtraces)" ''
for left in $(sh_on "squeue -h -o '%A'"); do
	sh_on "scontrol -o show job $left" | sed 's/^/# left: /'
	sh_on 'scontrol show assoc_mgr flags=qos' | grep -E 'QOS=|Grp(Jobs|TRES)=' |
		sed 's/^/# left: /'
done
is "nothing is held of any node" "$(sh_on 'scontrol -o show node' |
	grep -Eo 'CPUAlloc=[1-9]|AllocTRES=[^ ]+|AllocMem=[1-9]|PLANNED')" ''
is "nor of any licence" "$(sh_on 'scontrol -o show lic' | grep -Eo 'Used=[1-9]')" ''
is "slurmctld has nothing unusual to complain of" "$(complaints | grep -Ev "$usual")" ''
last_kib=$(memory_kib)
echo "# resident memory of slurmctld: $first_kib KiB after one round, $last_kib KiB at last"
ok "slurmctld has not grown" test "$last_kib" -lt $((2 * first_kib + 20000))
finish
