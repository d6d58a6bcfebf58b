#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: every GPU job has its record, it is what the GPUs did, and no job is changed
# shellcheck disable=SC2317,SC2016 # functions are called through await; others expand
. "$(dirname "$0")/lib.sh"

spool=/var/spool/leeway
all_jobs='sacct -a -n -P -S 1970-01-02 -E now+3650days'

cluster --sched leeway --nodes 8 --gpus 4 --clock 60

# A minute of loading, one of work, one at half, then nothing, with the last process gone.
sh_on 'cat > /etc/slurm/fake-gpus.conf <<END
*   0   3   2000   70  35  1
*  60  92  31000  390  64  1
* 120  40  31000  210  50  1
* 180   0    500   60  30  0
END
cp /etc/slurm/plugstack.conf /etc/slurm/plugstack.on'

# Jobs are named after the exit code they must have. A script in the cluster submits them,
# since a shell there costs more than a submission.
sh_on 'cat > /usr/local/bin/plain <<"END"
#!/bin/bash
# plain COUNT NAME: jobs with one GPU that sleep two minutes
try() { for _ in 1 2 3 4 5 6 7 8 9; do ! "$@" || return 0; sleep 20; done; }
for ((i = 0; i < $1; i++)); do
	try sbatch --parsable -J "$2-$((i % 4))" --gpus-per-node=1 --time=20 -o /dev/null \
		--wrap="sleep 120; exit $((i % 4))"
done > /dev/null
END
cat > /usr/local/bin/mix <<"END"
#!/bin/bash
# 60 plain jobs, 40 that train, 40 tasks of arrays, 20 with three steps, 30 on two nodes with
# two steps each, and 10 without a batch script
# a busy slurmctld may let a client wait for too long, and munged may hang up on it, more than once
# in a row
trap "" PIPE
try() { for _ in 1 2 3 4 5 6 7 8 9; do ! "$@" || return 0; sleep 20; done; }
gpu="--gpus-per-node=1 --time=20 -o /dev/null"
for ((i = 0; i < 60; i++)); do
	try sbatch -J "mix-$((i % 4))" $gpu --wrap="sleep $((40 + i * 3)); exit $((i % 4))"
done
for ((i = 0; i < 40; i++)); do
	export MINI_RUN_S=$((60 + i * 4))
	try sbatch -J mix-0 $gpu --wrap="python train.py --epochs $i"
done
for ((i = 0; i < 10; i++)); do
	try sbatch -J "mix-$((i % 3))" --array=1-4 $gpu --wrap="sleep 100; exit $((i % 3))"
done
for ((i = 0; i < 20; i++)); do
	try sbatch -J mix-0 $gpu --wrap="srun sleep 30; srun sleep 60; srun sleep 45"
done
for ((i = 0; i < 30; i++)); do
	try sbatch -J mix-5 -N2 --gpus-per-node=2 --time=20 -o /dev/null \
		--wrap="srun sleep 60; srun sleep 90; exit 5"
done
for ((i = 0; i < 10; i++)); do
	try srun -J mix-0 --gpus=1 --time=20 sleep 90 &
done
wait
END
chmod +x /usr/local/bin/plain /usr/local/bin/mix'
queue_is_empty() { sh_on 'queue=$(squeue -h) && [ -z "$queue" ]'; }

# ---- run times with and without it ----
# quartiles NAME: of the run times of the jobs so named
quartiles() {
	sh_on "$all_jobs -X -o JobName,ElapsedRaw" |
		awk -F'|' -v name="^$1-" '$1 ~ name { print $2 }' | sort -n |
		awk '{ t[NR] = $1 } END { for (q = 1; q < 4; q++) print t[int((NR * q + 3) / 4)] }'
}
sh_on ': > /etc/slurm/plugstack.conf'
as u1 'plain 24 off' > /dev/null
await 90 "24 jobs run without the plugin" queue_is_empty
sh_on 'cp /etc/slurm/plugstack.on /etc/slurm/plugstack.conf'
as u1 'plain 24 on' > /dev/null
await 90 "24 alike run with it" queue_is_empty
mapfile -t off < <(quartiles off)
mapfile -t with < <(quartiles on)
echo "# run times, quartiles, cluster time (x60): ${off[*]} s without it, ${with[*]} s with it"
# a busy machine may widen either
spread=$((off[2] - off[0] > with[2] - with[0] ? off[2] - off[0] : with[2] - with[0]))
ok "the median is no longer by more than the spread and a tenth of a real second" \
	test "$((with[1] - off[1]))" -le "$((spread + 6))"

# ---- 200 jobs of all kinds ----
as u2 '(mix; : > mixed) > /dev/null 2>&1 & '
submitted() { [ "$(sh_on "$all_jobs -X -o JobName | grep -c ^mix")" -ge 200 ]; }
await 180 "200 jobs are submitted" submitted
# who is refused tries again
await 150 "and nobody submits any more" sh_on 'test -e /home/u2/mixed'
await 150 "all end" queue_is_empty

# sacct's rows, JobIDRaw|JobName|State|ExitCode|AllocTRES|AdminComment, once, of jobs that had
# a step: an srun that takes back its allocation on a busy machine had nothing to record
rows() {
	sh_on "$all_jobs -o JobIDRaw" | sed -n 's/\..*//p' | sort -u > "$out/stepped"
	sh_on "$all_jobs -X -o JobIDRaw,JobName,State,ExitCode,AllocTRES,AdminComment" |
		awk -F'|' 'NR == FNR { stepped[$1] = 1; next } $1 in stepped' "$out/stepped" - \
			> "$out/rows"
}
untold() {
	awk -F'|' '$5 ~ /gpu/ && $2 !~ /^off/ && $6 !~ /leeway:gpu=n:[0-9]/' "$out/rows"
}
all_told() { rows && [ -s "$out/rows" ] && [ -z "$(untold)" ]; }
await 30 "every one of them is told of in accounting" all_told || untold | head | comment
count() { awk -F'|' "$1" "$out/rows" | wc -l; }
jobs=$(count '$5 ~ /gpu/ && $2 !~ /^off/') wide=$(count '$2 == "mix-5"')
echo "# $jobs GPU jobs, $wide of them on two nodes"
ok "they are 224 or more" test "$jobs" -ge 224
is "every exit code is the job's own" \
	"$(awk -F'|' '$2 ~ /-[0-9]$/ && substr($2, length($2)) ":0" != $4' "$out/rows")" ""
is "a job's GPUs are counted over its nodes" \
	"$(awk -F'|' '$2 == "mix-5"' "$out/rows" | grep -c 'leeway:gpu=n:4,')" "$wide"
like "the tag stays beside it" "$(cat "$out/rows")" \
	'leeway:dl=training[^ ]* (leeway:past=[^ ]* )?leeway:gpu=n:1,'

# Every reading of every record against the script: the value of the script at the time of
# the reading, or one reading earlier or later, counted from the begin of the record's step
# or, where a node has several, of one of them; slurmctld, who tells when they began, is
# ahead of the node by what a busy machine takes to start them.
sh_on "cat $spool/jobs/*/*.gpu" > "$out/records"
sh_on "$all_jobs -o JobIDRaw,Start" |
	awk -F'[|.]' 'NF == 3 { print $1, $3 }' > "$out/steps"
cat > "$out/compare.awk" <<'AWK'
function script(t) { return t < 0 ? -1 : t < 60 ? 3 : t < 120 ? 92 : t < 180 ? 40 : 0 }
function may(value, from, to, begin,    t) {
	for (t = from; t <= to; t += 10)
		if (script(t - begin) == value || (t < begin && value == 3))
			return 1
	return 0
}
FILENAME ~ /steps$/ {
	gsub(/[-T:]/, " ", $2)
	starts[$1] = starts[$1] " " mktime($2 " " $3 " " $4 " " $5 " " $6 " " $7)
	next
}
$1 == "lw-record" {
	for (i = 2; i <= NF; i++)
		if (split($i, w, "=") == 2)
			head[w[1]] = w[2]
	records++
	next
}
$1 == "b" {
	at = $2 * head["bucket"]
	for (i = 3; i < NF; i++) {
		split($i, column, ",")
		split(column[3], util, "/")
		if (column[1] == 0)
			continue
		readings += column[1]
		from = at - head["interval"]
		to = at + head["bucket"] + head["interval"]
		good = may(util[2], from, to, head["start"])
		n = split(starts[head["job"]], begin, " ")
		for (s = 1; s <= n && !good; s++)
			good = may(util[2], from - late, to, begin[s])
		if (!good)
			print "job " head["job"] " " head["node"] ": " $0
	}
}
END { print records " records, " readings " readings" > "/dev/stderr" }
AWK
TZ=UTC awk -v late=120 -f "$out/compare.awk" "$out/steps" "$out/records" \
	> "$out/wrong" 2> "$out/seen"
comment < "$out/seen"
is "every reading is what the script says, to one sample" "$(head -n 5 "$out/wrong")" ""
like "of a record a job and node" "$(cat "$out/seen")" "^$((jobs + wide)) records, [0-9]{4} "
ok "no part is left" sh_on "! ls $spool/*.part"

# ---- jobs that are ended by others ----
long='--gpus-per-node=1 --time=10000'
cancelled=$(submit u1 "$long" 100000)
limited=$(submit u1 "--gpus-per-node=1 --time=3" 3000)
orphan=$(submit u1 "$long" 100000)
crashed=$(submit u1 "$long -w n8 --no-requeue" 100000)
for job in "$cancelled" "$orphan" "$crashed"; do
	await 30 "job $job runs" job_is "$job" RUNNING
	await 20 "and is recorded" sh_on "ls $spool/$job.*.part"
done
idle_now() { sh_on 'leeway gpu --idle --window 3m; [ $? = 3 ]' | grep -E "^ *$1 u1 +1 of 1"; }
await 30 "its idle GPU is found while it runs" idle_now "$cancelled"
ok "its user reads its record" as u1 "leeway gpu $cancelled"
# as leeway progress would
ok "it says how far it is" change_job "now=\$(date +%s)
	scontrol update job=$cancelled \
		comment=leeway:progress=300/1000000,at:\$now,from:100,since:\$((now - 100))"
like "which is told with its use" "$(as u1 "leeway gpu $cancelled")" \
	'progress: 300 of 1000000, 2\.0 a second, 5d.* left'
like "and in the list of his jobs" "$(as u1 'leeway gpu')" \
	'progress: 300 of 1000000, 2\.0 a second, 5d.* left'
like "another user is told that it is none of his" \
	"$(as u2 "leeway gpu $cancelled 2>&1 || true")" "job $cancelled is another user's"
ok "with values for Prometheus" sh_on "leeway gpu --prometheus - |
	grep -F 'leeway_gpu_utilization_percent{jobid=\"$cancelled\",user=\"u1\"'"
ok "one is cancelled" sh_on "scancel $cancelled"
ok "one loses its stepd" sh_on "kill -9 \$(pgrep -f 'slurmstepd: \\[$orphan\\.batch')"
ok "and is cancelled" sh_on "scancel $orphan"
for job in "$cancelled" "$limited" "$orphan"; do
	await 60 "what job $job made of its GPU is told" \
		sacct_like "$job" AdminComment 'leeway:gpu=n:1,util:[0-9]+/92'
done
is "it was cancelled" "$(sacct_field "$cancelled" State | cut -d' ' -f1)" CANCELLED
is "it reached its limit" "$(sacct_field "$limited" State)" TIMEOUT

# A node dies at once: its record reaches to its last minute, and the quarter of a second (x60)
# that it takes to kill it.
dead=$(sh_on "kill -9 \$(pgrep -f 'slurmstepd: \[$crashed\.') \$(pgrep -f 'slurmd.* n8\$')
	date +%s")
last=$(sh_on "sed -n 's/^b \([0-9]*\) .*/\1/p' $spool/$crashed.n8.batch.part | tail -n 1")
lost=$((dead - (last + 1) * 30))
echo "# the crash cost $lost s of the record, of cluster time"
ok "a crash costs at most the last minute of a record" test "$lost" -le 75
like "what there is can be read" "$(sh_on "leeway gpu $crashed")" 'n8 +0 FAKE-0 '
ok "an admin gives the node up" sh_on 'scontrol update nodename=n8 state=down reason=crash'
await 30 "its job is over" sacct_is "$crashed" NODE_FAIL
ok "its summary can be sent later" sh_on "leeway gpu publish $crashed --yes"
like "and is there" "$(sacct_field "$crashed" AdminComment)" 'leeway:gpu=n:1,util:[0-9]+/92'

# ---- what fails costs a line in the log, and nothing else ----
lines() { sh_on "cat /var/log/slurm/slurmd.n*.log" | grep -c "$1"; }
plugin() {
	sh_on "sed 's|interval=.*|interval=10s $1|' /etc/slurm/plugstack.on \
		> /etc/slurm/plugstack.conf"
}
plugin 'dir=/proc/no/leeway'
spoolless=$(submit u1 "$long -w n1" 60)
await 40 "a job runs where the spool cannot be written" sacct_is "$spoolless" COMPLETED
await 20 "its summary is sent all the same" \
	sacct_like "$spoolless" AdminComment 'leeway:gpu=n:1,util:[0-9]+/'
is "and one line says so" "$(lines "job $spoolless: GPU record: /proc/no/leeway")" 1
plugin 'source=nvml:/etc/hostname'
wrong=$(submit u1 "$long -w n1" 60)
await 40 "a job runs where NVML is none" sacct_is "$wrong" COMPLETED
is "one line says what is wrong with it" \
	"$(lines "job $wrong: no GPU record: NVML cannot be opened")" 1
is "its exit code is its own" "$(sacct_field "$wrong" ExitCode)" 0:0
# As an earlier release left them: all are gone through, and the next job that ends has some moved.
ok "ten thousand records are gone through" sh_on "cd $spool &&
	first=\$(ls -d jobs/*/*.gpu | head -n 1) &&
	perl -e 'my \$record = shift; link \$record, \$_ . q(.n1.gpu) or die for 20000 .. 29999' \
		\$first &&
	timeout 20 leeway gpu --idle > /dev/null; [ \$? = 0 ]"

# ---- the loop ----
history=/var/lib/slurm/state/leeway_history
sh_on "printf '%s\n' 'sched.policy: leeway' > /etc/slurm/leeway.yaml; scontrol reconfigure"
plugin ''
taught=$(submit u3 "--gpus-per-node=1 --time=17" 150)
await 40 "a job ends under the policy that learns" sacct_is "$taught" COMPLETED
await 40 "what it made of its GPU is in the history" \
	sh_on "leeway history show $history --user u3 --gpus | grep -E ' 1020 +1 +[0-9]+ +0 '"
finish
