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

# usage: all that Slurm counts, of users, associations and QOS
usage() { sh_on 'scontrol show assoc_mgr'; }
# counts: what of it is of jobs that are there, and not nought: submissions, running jobs, jobs that
# age, and what they have, of each association and QOS, and of each user and account under a QOS;
# sorted, since 22.05 lists QOS in another order after a restart
counts() {
	usage | awk '
		/^ClusterName=/ { of = $2 " " $3 " " $4; who = "" }
		/^QOS=/ { of = $1; sub(/\(.*/, "", of); who = "" }
		NF == 1 && !/=/ { who = $1 }
		{
			for (i = 1; i <= NF; i++) {
				key = $i
				sub(/=.*/, "", key)
				if (key !~ /^(Grp|Max)/ || key ~ /^Grp(TRESMins|Wall)$/)
					continue
				n = split($i, parts, ",")
				for (k = 1; k <= n; k++)
					if (parts[k] ~ /\([0-9.]*[1-9][0-9.]*\)$/)
						print of, who, key, parts[k]
			}
		}' | sort
}
cycles() { sh_on sdiag | sed -n 's/^.*Total cycles: *//p' | tail -n 1; }
cycled() { [ "$(cycles)" -ge "$1" ]; }
# cycles_go_by NUMBER
cycles_go_by() { await 120 "$1 cycles go by" cycled $(($(cycles) + $1)); }
# cycles_in SECONDS: how many go by, up to a thousand; at midnight Slurm counts anew
cycles_in() {
	local end=$((SECONDS + $1)) before now sum=0
	before=$(cycles)
	while [ "$SECONDS" -lt "$end" ] && [ "$sum" -lt 1000 ]; do
		pause 0.5
		now=$(cycles)
		sum=$((sum + (now < before ? now : now - before)))
		before=$now
	done
	echo "$sum"
}
# submitted QOS: how many submissions of u1 count against it
submitted() {
	local uid
	uid=$(sh_on 'id -u u1')
	# 22.05 names the user by number alone
	sh_on "scontrol show assoc_mgr flags=qos qos=$1" | grep -A 2 -E "u1\(|^ +$uid\$" |
		sed -n 's/.*MaxSubmitJobsPU=[^(]*(\([0-9]*\)).*/\1/p'
}
# het OPTIONS SECONDS [OPTIONS]: of two parts, each with the options; prints its id
het() {
	as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=10 $1 : \
		--mem=100 --time=10 ${3:-$1} --wrap='sleep $2'"
}
prepare() { # WHO
	sh_on 'sacctmgr -i add qos qa,qb,qc
		sacctmgr -i add qos few set GrpTRES=cpu=2
		sacctmgr -i modify qos qb set MaxSubmitJobsPerUser=4
		sacctmgr -i modify user u1 set qos+=few' > /dev/null
	await 60 "$1: QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q QOS=few'
	ok "$1: partitions have them" sh_on 'printf "PartitionName=%s Nodes=ALL QOS=%s\n" \
		pa qa pb qb pc qc >> /etc/slurm/slurm.conf && scontrol reconfigure'
	await 60 "$1: they are there" sh_on 'scontrol show partition pc | grep -q QoS=qc'
}
# submissions COMMANDS: of u1, where "s" submits a small job
submissions() {
	as u1 "s() {
			sbatch --parsable -o /dev/null --mem=100 --time=10 --wrap='sleep 60' \"\$@\"
		}
		$1"
}
# waiting: jobs of all kinds that wait for something else than room
# shellcheck disable=SC2016 # the shell in the cluster expands it
waiting() {
	submissions 'held=$(s --hold --partition=pa,main)
		s --dependency=afterok:$held --partition=main,pc
		s --begin=now+20hours
		s --hold --array=1-1000%2 --partition=pa,pc
		s --qos=few -n4
		s --qos=few -n4 --array=1-3
		sbatch -o /dev/null --hold --mem=100 -p pa,pc : --mem=100 -p pa,pc --wrap=true' \
		> /dev/null
}
nodes_answer() { ! sh_on 'sinfo -h -o %t' | grep -F '*' > /dev/null; }
left() { sh_on "squeue -h -n $1" | grep -q .; }
none_left() { ! left "$1" && ! sh_on 'sinfo -h -o %t' | grep -E 'comp|alloc|mix' > /dev/null; }
# storm WHO LIST: jobs come, start, end, are held, changed, cancelled and requeued; het jobs go to
# the partitions of LIST
storm() {
	submissions "export SBATCH_JOB_NAME=storm
		for i in 1 2 3; do
			s --requeue --wrap='sleep 600' > /tmp/requeued
			other=\$(s --partition=pa,main -n2)
			tasks=\$(s --array=1-4 --partition=main,pc)
			sbatch -o /dev/null --mem=100 --time=10 -p $2 : --mem=100 --time=10 -p $2 \
				--wrap='sleep 60'
			held=\$(s --hold --partition=pa,pc)
			after=\$(s --dependency=afterany:\$other --partition=pc,main)
			scontrol release \$held
			scontrol hold \$after
			scancel \${tasks}_2
			scontrol update jobid=\$after partition=pa,main
		done" > /dev/null 2>&1
	requeued=$(sh_on 'cat /tmp/requeued')
	starts "$1: a job of the storm starts" "$requeued"
	ok "$1: it is requeued" sh_on "scontrol requeue $requeued"
	# Slurm itself leaves a submission counted of a job that is cancelled while it is requeued
	# and completes (job_signal())
	await 60 "$1: and has left its node" field_like "$requeued" JobState '^(PENDING|RUNNING)$'
	ok "$1: some are cancelled" sh_on 'scancel -n storm --state=running'
	ok "$1: and all" sh_on 'scancel -n storm'
	await 120 "$1: the storm is over" none_left storm
}

cluster --sched leeway --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 40 \
	--priority multifactor --sched-params 'sched_interval=-1,defer' \
	--conf-extra "$extra" --leeway-yaml "$out/leeway.yaml"
prepare leeway
ok "all nodes are reserved for ten hours" sh_on 'scontrol create reservation=all nodes=ALL \
	starttime=now duration=10:00:00 users=root flags=ignore_jobs'

# Each part of a het job is one submission to each partition of its list.
het "--partition=pa,pb" 10 > /dev/null
het "--partition=pa,pb" 10 > /dev/null
cycles_go_by 30
is "two het jobs are submitted to a QOS" "$(submitted qb)" 4
like "no other may be" "$(het "--partition=pa,pb" 10 2>&1)" 'QOSMaxSubmitJob'

# Whatever waits, and however often it is planned.
waiting
ok "others wait for room" submissions 's && s --partition=pa,main -n8 -N2 && s --array=1-5 &&
	s --partition=pc,main,pa --array=1-4%2 && s --qos=few -n2'
het "" 10 > /dev/null
het "--partition=pc,main" 10 > /dev/null
het "--qos=few" 10 "--qos=few -n2" > /dev/null
cycles_go_by 10
before=$(usage)
gone_by=$(cycles_in 40)
ok "many cycles go by ($gone_by)" test "$gone_by" -ge 100
is "all usage is as it was" "$(usage)" "$before"

# Of a het job one part starts, and none of the nodes that are left are neighbours.
ok "the nodes are free" sh_on 'scontrol delete reservation=all'
clear_all
await 60 "all nodes answer" nodes_answer
ok "one between the others takes no jobs" sh_on 'scontrol update nodename=n2 state=drain reason=gap'
before=$(submitted qc)
pair=$(het "--partition=pa,pc -N1 --nodelist=n4" 10 "--partition=pa,pc -N2 --contiguous")
await 60 "a het job that wants neighbours is refused" in_log "job $pair: Slurm would not start it"
is "it is submitted still" "$(submitted qc)" $((${before:-0} + 2))
clear_all
ok "the node takes jobs again" sh_on 'scontrol update nodename=n2 state=resume'

waiting
storm leeway pa,pc
cycles_go_by 10
planned=$(counts)
ok "slurmctld is stopped" stop_controller
ok "and started" start_controller
cycles_go_by 10
is "what is counted is what Slurm counts when it starts" "$planned" "$(counts)"
cluster_gone

# When stock tries whether the parts of a het job may start together, it takes submissions off the
# QOS of other partitions, and ends the age of a part. So here het jobs have one partition each, and
# no limit.
cluster --sched stock --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 40 \
	--priority multifactor --sched-params 'sched_interval=-1,defer,bf_interval=1' \
	--conf-extra "$extra"
prepare stock
waiting
storm stock main
cycles_go_by 10
is "and what stock counts after the same" "$planned" "$(counts)"
finish
