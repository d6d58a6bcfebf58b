#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: whatever fails around it, slurmctld answers, and no job and no promise is lost
# shellcheck disable=SC2317 # functions are called by their names
#
# A workload runs, and faults come one after the other (chaos-faults), chosen by LW_CHAOS_SEED, for
# LW_CHAOS_MINUTES; LW_CHAOS_KINDS names those wanted, one several times if it is to come more
# often. After each one slurmctld must answer within ten seconds, and each promise must be as it was
# or be said to have ended. At the end all is put in order and all jobs must end: each that was
# acknowledged, once. What Slurm had not saved when it was killed it may lose or begin again under
# any scheduler: that is counted apart. With LW_CHAOS_SCHED=stock stock backfill schedules, with
# LW_CHAOS_STARTS=leeway Leeway alone starts jobs.
#
# chaos-table makes one table of the lines "# fault" of several runs.
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cluster/chaos-faults
. "$(dirname "$0")/chaos-faults"

seed=${LW_CHAOS_SEED:-1}
minutes=${LW_CHAOS_MINUTES:-2}
sched=${LW_CHAOS_SCHED:-leeway}
clock=${LW_CHAOS_CLOCK:-10}
all_kinds=$(declare -F | sed -n 's/^declare -f fault_//p')
# usual_kinds: kills come three times as often, what takes long a quarter of that
usual_kinds() {
	local kind
	for kind in $all_kinds; do
		case $kind in
		kill_*) printf "$kind %.0s" {1..12} ;;
		backup | submit_10000 | users_1000 | node_removed | reboot) echo "$kind" ;;
		*) printf "$kind %.0s" {1..4} ;;
		esac
	done
}
read -rd '' -a kinds <<< "${LW_CHAOS_KINDS:-$(usual_kinds)}" || true
echo "# LW_CHAOS_SEED=$seed LW_CHAOS_MINUTES=$minutes LW_CHAOS_SCHED=$sched"
RANDOM=$seed

conf_extra << 'END'
Licenses=tool:8
PreemptType=preempt/qos
PreemptMode=REQUEUE
DebugFlags=NO_CONF_HASH
MinJobAge=7500
MaxArraySize=100001
MaxJobCount=400000
MaxNodeCount=10
TreeWidth=65533
RebootProgram=/bin/true
SlurmctldHost=bak(127.0.0.2)
CommunicationParameters=NoCtldInAddrAny
SlurmctldTimeout=30
PartitionName=high Nodes=n[1-4] PriorityTier=9 DefMemPerCPU=100
PartitionName=whole Nodes=n[5-8] OverSubscribe=EXCLUSIVE
PartitionName=share Nodes=n[7-8] OverSubscribe=FORCE:2 DefMemPerCPU=100
END
params=bf_interval=20
[ "${LW_CHAOS_STARTS:-}" != leeway ] || params+=,sched_interval=-1,defer
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n' > "$out/leeway.yaml"
cluster --sched "$sched" --nodes 8 --gpus 4 --cpus 8 --mem 8000 --clock "$clock" \
	--priority multifactor --sched-params $params --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"

# put FILE NAME: a file of ours into the cluster
put() { with_input bash -c "cat > $2" < "$(dirname "${BASH_SOURCE[0]}")/$1"; }

# shellcheck disable=SC2016 # the shell in the cluster expands it
# make_shims: what brings faults, and a place for what jobs note
make_shims() {
	sh_on 'mkdir -m 777 /run/chaos; mkdir -m 1777 /run/soak' &&
		put chaos.c /run/chaos.c && put shake.c /run/shake.c &&
		put backtrace.c /run/backtrace.c && put backup.c /run/backup.c &&
		put chaos-flood.c /run/flood.c &&
		put chaos-ops /run/chaos/ops &&
		put soak-ops /run/soak/soak-ops && sh_on '
			cd /run/chaos && touch ran kills died states rounds && chmod a+w ran died
			shim="gcc -D_GNU_SOURCE -O2 -shared -fPIC -o"
			last=../backtrace.c
			$shim chaos.so ../chaos.c ../shake.c $last &&
				$shim disk.so ../chaos.c $last &&
				$shim /run/backup.so ../backup.c $last &&
				gcc -O2 -include slurm/slurm.h -o flood ../flood.c -lslurm'
}
# make_others: a configuration for the backup, QOS, a thousand users more
# shellcheck disable=SC2016 # the shell in the cluster expands it
make_others() {
	sh_on 'echo 127.0.0.2 bak >> /etc/hosts
		cp -r /etc/slurm /etc/bak && cd /etc/bak && rm -f slurmdbd.conf
		sed -i "s,/slurmctld\.\(pid\|log\)\$,/bak.\1," slurm.conf
		: > /var/log/slurm/bak.log && chown slurm /var/log/slurm/bak.log
		echo "NodeName=d1 Name=gpu File=/dev/nvidia[0-3]" >> /etc/slurm/gres.conf
		for ((k = 10001; k <= 11000; k++)); do
			echo "v$k:x:$k:$k::/tmp:/bin/sh"
		done >> /etc/passwd
		sacctmgr -iQ add qos low,urgent
		sacctmgr -iQ modify account a1,a2 set qos=normal,low,urgent'
}
# all_anew: slurmctld and the slurmd with their shims
all_anew() {
	stop_controller && started || return
	for ((k = 1; k <= 8; k++)); do ops slurmd "n$k"; done
}
# caught: one that dies of a wrong address is told of, and comes back
# shellcheck disable=SC2016 # the shell in the cluster expands it
caught() {
	sh_on 'pid=$(cat /run/slurm/slurmctld.pid) file=/var/log/slurm/backtrace.slurmctld.$pid.log
		kill -SEGV "$pid" || exit
		while kill -0 "$pid" 2> /dev/null; do :; done
		grep "^signal 11, .*, thread .*, process $pid\$" "$file" &&
			tail -n 8 "$file" | grep "slurmctld(.*) *\[0x" &&
			mv "$file" /run/chaos/planted' && revived
}
ok "what brings faults is made" make_shims
ok "and whom they need" make_others
ok "slurmctld starts with it" all_anew
ok "who dies of a wrong address leaves where it was" caught

answers() { sh_on 'timeout 10 scontrol ping | grep -q UP && timeout 10 squeue -h > /dev/null'; }
controller() { sh_on 'cat /run/slurm/slurmctld.pid'; }
memory_kib() { sh_on "awk '/^VmRSS/ { print \$2 }' /proc/$(controller)/status"; }

# broke WHAT: the fault at work is not stood
broke() {
	echo "broken: $kind, number $rounds: $*" >&2
	broken[$kind]=$((${broken[$kind]:-0} + 1))
}

# excused: did slurmctld end itself as it does under any scheduler? It starts no job whose script it
# cannot read.
excused() {
	log_of_controller | tail -n 3 | grep -q 'fatal: .*Unable to load job batch script'
}

# looked_after: slurmctld is well; or, if it is gone, is brought back
looked_after() {
	local said
	said=$(ops look "$kind")
	if [ "$said" != gone ]; then
		[ -z "$said" ] || broke "$said"
		[[ $said = *'does not answer'* ]] || return 0
		slain
		started || broke "slurmctld did not start again"
	elif excused; then
		stock_died=$((stock_died + 1))
		revived || broke "slurmctld did not start again"
	else
		broke "slurmctld is gone: $(backtraces) $(log_of_controller | tail -n 3)"
		revived || broke "slurmctld did not start again"
	fi
}

# feed COUNT: so many jobs of two users, unless many wait; which are acknowledged is noted
feed() {
	local user=u$((1 + RANDOM % 2))
	as "$user" "[ \$(squeue -h | wc -l) -lt 60 ] || exit 0
		RANDOM=$RANDOM
		demands=('--ntasks=1' '--ntasks=3' '--nodes=2 --gpus-per-node=2' '--gpus-per-node=1'
			'--nodes=4 --gpus-per-node=4' '--exclusive --nodes=3' '--gpus-per-node=4'
			'--nodes=8 --ntasks-per-node=8' '--ntasks=8 --partition=high')
		for ((k = 0; k < $1; k++)); do
			id=\$(timeout 20 sbatch --parsable --output=/dev/null --mem=100 \
				\${demands[RANDOM % 9]} --time=\$((2 + RANDOM % 20)) --wrap='
				note() {
					read -r up _ < /proc/uptime
					now=\$(date +%s)
					echo \$1 \$SLURM_JOB_ID \${SLURM_RESTART_COUNT:-0} \$up \
						\$((now - \${SLURM_JOB_START_TIME:-now})) \
						>> /run/chaos/ran
				}
				note begin; sleep '\$((5 + RANDOM % 90))'; note end') || continue
			read -r up _ < /proc/uptime
			echo \"asked \${id%%;*} 0 \$up\" >> /run/chaos/ran
		done" 2> /dev/null || true
}

# healed: nodes and partitions are put in order now and then, or nothing would run any more
healed() {
	sh_on 'bash /run/soak/soak-ops calm 0 0 /run/soak
		! scontrol show node d1 || scontrol update nodename=d1 state=down reason=chaos
		scontrol delete nodename=d1; true' > /dev/null 2>&1
}

# left_over: of Leeway's, in StateSaveLocation
left_over() { sh_on "ls $state | grep ^leeway_ | grep -vxE 'leeway_[a-z]+(_ended)?'"; }

declare -A done_of=() void_of=() broken=() took_of=()
rounds=0 kind=none stock_died=0
feed 12
first_kib=$(memory_kib)
end=$((SECONDS + 60 * minutes))
while [ "$SECONDS" -lt "$end" ]; do
	rounds=$((rounds + 1)) kind=${kinds[RANDOM % ${#kinds[@]}]} begin=${EPOCHREALTIME/./}
	((rounds % 3)) || feed 5
	if "fault_$kind" > /dev/null 2>> "$out/faults.err"; then
		done_of[$kind]=$((${done_of[$kind]:-0} + 1))
	else
		void_of[$kind]=$((${void_of[$kind]:-0} + 1))
	fi
	looked_after 2>> "$out/faults.err"
	took_of[$kind]=$((${took_of[$kind]:-0} + (${EPOCHREALTIME/./} - begin) / 1000))
	((rounds % 8)) || { healed && ops harvest; }
done

echo "# fault: how many came, were not stood, could not be brought about; ms of all"
while read -r kind; do
	printf '# fault %-20s %4d %4d %4d %7d\n' "$kind" "${done_of[$kind]:-0}" \
		"${broken[$kind]:-0}" "${void_of[$kind]:-0}" "${took_of[$kind]:-0}"
done < <(printf '%s\n' "${kinds[@]}" | LC_ALL=C sort -u)
sh_on "sed 's/[0-9][0-9]*/N/g' /run/chaos/died | LC_ALL=C sort | uniq -c" | sed 's/^ */# died in /'
[ ! -e "$out/floods" ] || comment < "$out/floods"
echo "# times that slurmctld ended itself for want of a script, as under any scheduler: $stock_died"
is "every fault is stood" "${!broken[*]}" '' || grep ^broken: "$out/faults.err" | comment
# the files are among the logs, to be read with addr2line
is "nobody died of a wrong address" "$(backtraces)" ''
ok "faults came" test "${#done_of[@]}" -gt 0

# ---- what is left ----

# Slurm may drain a node long after a kill, when it hears of a job that it does not know.
nobody_waits() {
	sh_on 'bash /run/soak/soak-ops drain 0 0 /run/soak'
	looks=$((looks + 1))
	((looks % 10)) || { healed && ops lost_ends; }
	nobody_left
}
looks=0
ok "the administrator puts all in order" healed
await 300 "all jobs end" nobody_waits
said=$(ops accounts "$clock")
grep '^#' <<< "$said"
echo "# lost or begun twice, and not saved when Slurm was killed: $(grep -c ^unsaved <<< "$said")"
is "no job is lost or begins twice that Slurm had saved" "$(grep ^saved <<< "$said")" ''
is "nothing of Leeway's is left behind" "$(left_over)" ''
last_kib=$(memory_kib) kept=$(sh_on 'grep -c ^JobId= /run/chaos/jobs')
echo "# resident memory of slurmctld: $first_kib KiB, at last $last_kib KiB with $kept jobs"
# after a restart with 20,000 jobs stock has 25 KiB for each
ok "slurmctld has not grown" test "$last_kib" -lt $((2 * first_kib + 40000 + 50 * kept))
finish
