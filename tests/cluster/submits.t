#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what submissions must not do by way of job_submit/leeway: pass a limit on GPUs, or end
# slurmctld
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_release '2[4-9].*' 'no job lends a GPU, and submissions come one by one'
file=/var/lib/slurm/state/leeway_share
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: slice
  where: partition:main partition:tight partition:billed
  memory_mib: 40000
  opportunistic: scavenger
  runs: 2
  record: $file
END
conf_extra << 'END'
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu,gres/shard
PartitionName=billed Nodes=n[1-2] TRESBillingWeights="GRES/gpu=1.0"
END
cluster --sched leeway --nodes 2 --gpus 2 --shards 20 --cpus 16 --mem 16000 --clock 20 \
	--leeway-yaml "$out/leeway.yaml" --conf-extra "$extra"

sh_on 'sacctmgr -i add qos one set MaxTRESPerUser=gres/gpu=1
	sacctmgr -i add qos both set MaxTRESPerUser=gres/gpu=1,gres/shard=10
	sacctmgr -i add qos bill set MaxTRESPerUser=billing=1
	sacctmgr -i modify user u1 set qos+=one,both,bill' > /dev/null
await 60 "the QOS are known" sh_on 'scontrol show assoc flags=qos | grep -q "QOS=bill"'
sh_on 'scontrol create PartitionName=tight Nodes=n[1-2] QOS=one'

# sent NAME OPTIONS SECONDS: its id goes to job, what sbatch said to /tmp/said
sent() {
	job=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --cpus-per-task=1 \
		--gres=gpu:1 --job-name=$1 $2 --wrap='sleep $3' 2> /tmp/said")
}
# Two runs of "light", so that it may share.
sh_on "echo '* 0 20 1000 100 40' > /etc/slurm/fake-gpus.conf"
two=()
for _ in 1 2; do
	sent light '' 40
	two+=("$job")
done
for job in "${two[@]}"; do
	await 60 "a run ends" sacct_is "$job" COMPLETED
done
await 60 "they are known" share_knows "$file" '^ .* light .* 2 '

# ---- limits on GPUs ----
# whole WHAT: the job just sent asks for a whole GPU, and its user was told why
whole() {
	like "$1: it asks for a whole GPU" "$(job_field "$job" TresPerNode)" 'gpu:1$'
	like "$1: sbatch says why" "$(sh_on 'cat /tmp/said')" 'a limit .* counts GPUs, and not'
}
# parts WHAT
parts() { like "$1" "$(job_field "$job" TresPerNode)" 'shard:[0-9]+$'; }
# one_at_a_time WHAT OPTIONS: of four jobs one runs, the others wait for the limit
one_at_a_time() {
	local first
	sent light "$2" 4000
	whole "$1"
	first=$job
	starts "$1: the first starts" "$first"
	for _ in 2 3 4; do
		sent light "$2" 4000
		waits_for "$1: another waits" "$job" 'QOSMaxGRESPerUser'
	done
	is "$1: never more than one" "$(sh_on 'squeue -h -t R -o %A')" "$first"
	clear_all
}
for word in lend share; do
	one_at_a_time "$word, a limit of the QOS" \
		"--partition=main --qos=one --comment=leeway:$word"
	one_at_a_time "$word, one of the partition's" "--partition=tight --comment=leeway:$word"
	sent light "--partition=main,tight --comment=leeway:$word" 1
	whole "$word, one of several partitions"
	sent light "--partition=billed --qos=bill --comment=leeway:$word" 1
	whole "$word, a limit on what GPUs alone are billed for"
	sh_on "scancel $job"
	sent light "--partition=main --qos=both --comment=leeway:$word" 1
	parts "$word: where parts are counted as well it has parts"
	sent light "--partition=main --comment=leeway:$word" 1
	parts "$word: so it has where nothing is"
	sent light "--partition=main --qos=bill --comment=leeway:$word" 1
	parts "$word: and where GPUs are not billed"
done
clear_all

account=$(sh_on 'sacctmgr -n -P show user u1 format=DefaultAccount')
# limited NAME VALUE KNOWN: the account has that limit on GPUs, and slurmctld shows it as KNOWN
limited() {
	sh_on "sacctmgr -i modify account $account set $1=gres/gpu=$2" > /dev/null
	await 60 "the account has a limit: $1, $3" \
		sh_on "scontrol show assoc flags=assoc account=$account |
			grep -q '$1=.*gres/gpu=$3('"
}
limited GrpTRES 3 3
sent light "--partition=main --comment=leeway:lend" 1
whole "a limit of the account"
limited GrpTRES -1 N
limited GrpTRESMins 100 100
sent light "--partition=main --comment=leeway:share" 1
whole "a limit of the account's minutes"
limited GrpTRESMins -1 N
sent light "--partition=main --comment=leeway:lend" 1
parts "without them it lends"
clear_all

# ---- submissions side by side, while what they are judged by changes ----
# large_record FILE: /tmp/large is FILE with 4,000 more keys: reading it takes some milliseconds
large_record() {
	sh_on "awk 'NR == 1 { next } /^learned/ { print \"learned 90000\"; next }
		{ print } / light / { user = \$2; tag = \$3; type = \$5; run = \$0 }
		END {
			sub(/^([^ ]+ ){6}/, \"\", run)
			for (i = 0; i < 4000; i++)
				printf \"use %s %s n%06d %s %d %s\n\", user, tag, i, type, i, run
		}' $1 > /tmp/payload &&
		printf 'lw-share 1 %s ' \$(stat -c %s /tmp/payload) > /tmp/head &&
		crc=\$(cat /tmp/head /tmp/payload | gzip -1 | tail -c 8 | od -An -N 4 -tx4) &&
		{ cat /tmp/head; echo \$crc; cat /tmp/payload; } > /tmp/large"
}
# submitted FILE LOOPS COUNT: u1 runs so many loops at a time of submissions that only ask, while
# /tmp/large takes FILE's place again and again; how many were answered. None waits for a slurmctld
# that is gone.
submitted() {
	sh_on "touch /tmp/go
		there=/proc/\$(cat /run/slurm/slurmctld.pid)
		while [ -e /tmp/go ]; do
			cp /tmp/large $1.next && mv $1.next $1
		done &
		for ((loop = 0; loop < $2; loop++)); do
			setpriv --reuid=u1 --regid=u1 --init-groups bash -c '
				for ((i = 0; i < $3; i++)); do
					[ -e '\$there' ] || break
					sbatch --test-only --mem=100 --time=60 --partition=main \
						--gres=gpu:1 --job-name=light \
						--comment=leeway:share --chdir=/tmp --wrap=true 2>&1
				done | grep -c \"to start at\" > /tmp/answered-'\$loop &
			loops+=(\$!)
		done
		wait \"\${loops[@]}\"
		rm -f /tmp/go && wait
		cat /tmp/answered-*" | awk '{ sum += $1 } END { print sum + 0 }'
}
# there_is PID
there_is() { sh_on 'cat /run/slurm/slurmctld.pid' | grep -qx "$1" && sh_on "kill -0 $1"; }
pid=$(sh_on 'cat /run/slurm/slurmctld.pid')
many=${SUBMITS_EACH:-60}
ok "there is a large record" large_record "$file"
ok "which can be read" share_knows /tmp/large ' n003999 '
is "of six loops all submissions are answered" "$(submitted "$file" 6 "$many")" $((6 * many))
ok "slurmctld lives" there_is "$pid"
sent light "--partition=main --comment=leeway:share" 1
parts "what was known is known"

# ---- words longer than Slurm takes ----
like "Slurm refuses a word of 100,000 bytes, and stays" "$(as u1 "sbatch --wrap=true --gres=gpu:1 \
	--comment=\"leeway:share \$(head -c 100000 /dev/zero | tr '\\0' x)\" 2>&1")" 'too long'
ok "slurmctld lives on" there_is "$pid"
finish
