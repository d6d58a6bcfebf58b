#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: whatever fails around it, slurmctld answers, and no job and no promise is lost
# shellcheck disable=SC2317 # functions are called by their names
#
# A workload runs, and faults come one after the other (chaos-faults), chosen by LW_CHAOS_SEED, for
# LW_CHAOS_MINUTES; LW_CHAOS_KINDS names those wanted. After each one slurmctld must answer within
# ten seconds. At the end all is put in order and all jobs must end: each that was acknowledged,
# once. What Slurm had not saved when it was killed it may lose or begin again under any scheduler:
# that is counted apart. With LW_CHAOS_SCHED=stock stock backfill schedules.
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cluster/chaos-faults
. "$(dirname "$0")/chaos-faults"

seed=${LW_CHAOS_SEED:-1}
minutes=${LW_CHAOS_MINUTES:-2}
sched=${LW_CHAOS_SCHED:-leeway}
kinds=${LW_CHAOS_KINDS:-$(declare -F | sed -n 's/^declare -f fault_//p' | tr '\n' ' ')}
read -ra kinds <<< "$kinds"
echo "# LW_CHAOS_SEED=$seed LW_CHAOS_MINUTES=$minutes LW_CHAOS_SCHED=$sched"
RANDOM=$seed

conf_extra << 'END'
Licenses=tool:8
PreemptType=preempt/qos
PreemptMode=REQUEUE
DebugFlags=NO_CONF_HASH
MinJobAge=300000
MaxArraySize=100001
MaxJobCount=60000
PartitionName=high Nodes=n[1-4] PriorityTier=9 DefMemPerCPU=100
PartitionName=whole Nodes=n[5-8] OverSubscribe=EXCLUSIVE
PartitionName=share Nodes=n[7-8] OverSubscribe=FORCE:2 DefMemPerCPU=100
END
printf 'sched:\n  interval: 20s\n  min_interval: 1s\n' > "$out/leeway.yaml"
cluster --sched "$sched" --nodes 8 --gpus 4 --cpus 8 --mem 8000 --clock 20 \
	--priority multifactor --sched-params bf_interval=20 --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"

# make_shims: chaos.c and shake.c as one library, and a place for what jobs note
make_shims() {
	local here
	here=$(dirname "${BASH_SOURCE[0]}")
	with_input bash -c "cat > /run/chaos.c" < "$here/chaos.c" &&
		with_input bash -c "cat > /run/shake.c" < "$here/shake.c" &&
		with_input bash -c 'mkdir -m 1777 /run/soak; cat > /run/soak/soak-ops' \
			< "$here/soak-ops" &&
		sh_on 'cd /run
			gcc -D_GNU_SOURCE -O2 -shared -fPIC -o chaos.so chaos.c shake.c
			mkdir -m 1777 /run/chaos && : > /run/chaos/ran && : > /run/chaos/kills
			chmod a+w /run/chaos/ran; sacctmgr -iQ add qos low,urgent
			sacctmgr -iQ modify account a1,a2 set qos=normal,low,urgent'
}
ok "what brings faults is made" make_shims
restarted() { stop_controller && revived; }
ok "slurmctld starts with it" restarted

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

# looked_after: slurmctld answers; or, if it is gone, is brought back
looked_after() {
	if answers || answers; then return; fi
	if ! controller_gone; then
		broke "slurmctld does not answer"
		# shellcheck disable=SC2016 # the shell in the cluster expands it
		sh_on 'kill -9 "$(cat /run/slurm/slurmctld.pid)"'
		for ((k = 0; k < 40; k++)); do ! controller_gone || break; pause 0.1; done
	elif excused; then
		stock_died=$((stock_died + 1))
	else
		broke "slurmctld is gone: $(log_of_controller | tail -n 3)"
	fi
	revived || broke "slurmctld did not start again"
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
				note() { read -r up _ < /proc/uptime
					echo \$1 \$SLURM_JOB_ID \${SLURM_RESTART_COUNT:-0} \$up \
						>> /run/chaos/ran; }
				note begin; sleep '\$((5 + RANDOM % 90))'; note end') || continue
			read -r up _ < /proc/uptime
			echo \"asked \${id%%;*} 0 \$up\" >> /run/chaos/ran
		done" 2> /dev/null || true
}

# healed: nodes and partitions are put in order now and then, or nothing would run any more
healed() { sh_on 'bash /run/soak/soak-ops calm 0 0 /run/soak' > /dev/null 2>&1; }

# left_over: of Leeway's, in StateSaveLocation
left_over() { sh_on "ls $state | grep ^leeway_ | grep -vxE 'leeway_[a-z]+'"; }

declare -A done_of=() void_of=() broken=()
rounds=0 kind=none stock_died=0
feed 12
first_kib=$(memory_kib)
end=$((SECONDS + 60 * minutes))
while [ "$SECONDS" -lt "$end" ]; do
	rounds=$((rounds + 1)) kind=${kinds[RANDOM % ${#kinds[@]}]}
	feed 4
	if "fault_$kind" > /dev/null 2>> "$out/faults.err"; then
		done_of[$kind]=$((${done_of[$kind]:-0} + 1))
	else
		void_of[$kind]=$((${void_of[$kind]:-0} + 1))
	fi
	looked_after 2>> "$out/faults.err"
	((rounds % 5)) || healed
done

echo "# faults by kind: how many came, were not stood, and could not be brought about"
for kind in "${kinds[@]}"; do
	printf '# %-20s %4d %4d %4d\n' "$kind" "${done_of[$kind]:-0}" "${broken[$kind]:-0}" \
		"${void_of[$kind]:-0}"
done
echo "# times that slurmctld ended itself for want of a script, as under any scheduler: $stock_died"
is "every fault is stood" "${!broken[*]}" '' || grep ^broken: "$out/faults.err" | comment
ok "faults came" test "${#done_of[@]}" -gt 0

# ---- what is left ----

nobody_waits() {
	sh_on 'bash /run/soak/soak-ops drain 0 0 /run/soak'
	nobody_left
}
ok "the administrator puts all in order" healed
await 300 "all jobs end" nobody_waits
# accounts: of each job that was acknowledged: not known any more, or never ended; and who began
# twice. Behind each, whether Slurm was killed within ten seconds after that.
accounts() {
	sh_on 'scontrol -o show job |
			sed "s/^JobId=\([0-9]*\).* JobState=\([A-Z_]*\).*/state \1 \2/"
		cat /run/chaos/kills | sed "s/^/kill /"; cat /run/chaos/ran' |
		awk '
		$1 == "state" { state[$2] = $3 }
		$1 == "kill" { kill[++kills] = $2 }
		$1 == "asked" { asked[$2] = $4 }
		$1 == "begin" {
			if (($2, $3) in begun)
				report($2, "began twice", begun[$2, $3])
			begun[$2, $3] = $4
		}
		$1 == "end" { ended[$2] = 1 }
		function report(job, what, when, k, how) {
			how = "saved"
			for (k = 1; k <= kills; k++)
				if (kill[k] >= when && kill[k] <= when + 10)
					how = "unsaved"
			print how, job, what
		}
		END {
			over = "CANCELLED|COMPLETED|FAILED|TIMEOUT|DEADLINE|PREEMPTED"
			for (job in asked)
				if (!(job in ended) && state[job] !~ over)
					report(job, "is lost: " state[job], asked[job])
			print "# jobs asked for: " length(asked) ", kills of slurmctld: " kills
		}'
}
said=$(accounts)
grep '^#' <<< "$said"
echo "# not saved when Slurm was killed: $(grep -c ^unsaved <<< "$said")"
is "no job is lost or begins twice that Slurm had saved" "$(grep ^saved <<< "$said")" ''
is "nothing of Leeway's is left behind" "$(left_over)" ''
last_kib=$(memory_kib)
echo "# resident memory of slurmctld: $first_kib KiB at first, $last_kib KiB at last"
ok "slurmctld has not grown" test "$last_kib" -lt $((2 * first_kib + 40000))
finish
