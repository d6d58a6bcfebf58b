#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: three types of GPUs, and jobs whose progress depends on the type that they run on: the
# same queue under stock Slurm, with any type, and with the type on which each ends first
# shellcheck disable=SC2317,SC2016 # functions are called through await; the shell there expands
. "$(dirname "$0")/lib.sh"

clock=${LW_TYPES_CLOCK:-60}
history=/var/lib/slurm/state/leeway_history
jobs=28
types=v100,p100,k80

# What a job does: so many steps of ten seconds on the fastest type, and on the others so many times
# as many.
conf_extra <<'END'
AccountingStorageTRES=gres/gpu,gres/gpu:v100,gres/gpu:p100,gres/gpu:k80
END
cat > "$out/work" <<'END'
#!/bin/bash
# work KIND: until it is done, at the rate of the GPU on this node
declare -A steps=([conv]=36 [lm]=48 [rl]=30 [gan]=36)
declare -A slow=([conv-p100]=200 [conv-k80]=800 [lm-p100]=150 [lm-k80]=600
	[rl-p100]=110 [rl-k80]=130 [gan-p100]=300 [gan-k80]=1000)
node=$(scontrol -o show node "$SLURMD_NODENAME")
[[ $node =~ Gres=gpu:([a-z0-9]+) ]]
each=${slow[$1-${BASH_REMATCH[1]}]:-100}
for ((done = 0; done < 100 * steps[$1]; done += 10000 / each)); do
	sleep 10
done
END
for part in any finish; do
	printf 'sched.patience: 0.5\nsched.dump_dir: /var/lib/slurm/cycles\nselect.type: %s\n' \
		"$part" > "$out/$part.yaml"
done

# With the first of each kind at the end of the queue nobody is helped by chance.
submit_all() {
	with_input -- bash -c 'cat > /usr/local/bin/work && chmod 755 /usr/local/bin/work' \
		< "$out/work"
	sh_on 'install -d -o slurm /var/lib/slurm/cycles'
	as u1 'for i in 1 2 3 4 5 6 7; do for kind in conv gan; do
		sbatch -Q -J $kind -o /dev/null --mem=100 --time=300 --gpus-per-node=1 \
			--wrap="/usr/local/bin/work $kind"; done; done' &&
		as u2 'for i in 1 2 3 4 5 6 7; do for kind in lm rl; do
		sbatch -Q -J $kind -o /dev/null --mem=100 --time=300 --gpus-per-node=1 \
			--wrap="/usr/local/bin/work $kind"; done; done'
}
# rows: of the jobs that ended well: job, kind, submitted, started, ended, node
rows() {
	sh_on 'SLURM_TIME_FORMAT=%s sacct -a -X -n -P -S now-2days \
		-o JobIDRaw,JobName,Submit,Start,End,NodeList,State | grep "|COMPLETED$"' \
		> "$out/$1.rows"
	[ "$(wc -l < "$out/$1.rows")" = "$jobs" ]
}
# table_row RUN: mean time from submission to end, makespan, how many ran where
table_row() {
	awk -F '|' -v run="$1" '
		{ sum += $5 - $3; if (!first || $3 < first) first = $3
		  if ($5 > last) last = $5; at[int((substr($6, 2) + 1) / 2)]++ }
		END { printf "%s: mean %.1f min, all after %.1f min, v100 %d, p100 %d, k80 %d\n",
			run, sum / NR / 60, (last - first) / 60, at[1], at[2], at[3] }' \
		"$out/$1.rows" | tee "$out/$1.row"
}
mean() { sed -n 's/.*mean \([0-9.]*\) min.*/\1/p' "$out/$1.row"; }
# at_most A PERCENT B
at_most() { awk -v a="$1" -v p="$2" -v b="$3" 'BEGIN { exit !(a <= b * p / 100) }'; }
# run NAME: all jobs, to their end
run() {
	ok "$1: the jobs are submitted" submit_all
	[ "$1" != finish ] || look
	await 600 "$1: all end" all_done
	await 60 "$1: and well, none is lost" rows "$1"
	comment < <(table_row "$1")
}
# seeded: slurmctld anew, with the history that the run under stock left to accounting
seeded() {
	stop_controller && with_input -- bash -c "cat > /tmp/stock.psv" < "$out/stock.psv" &&
		sh_on "leeway history import --sacct /tmp/stock.psv -o $history &&
			chown slurm: $history" && start_controller
}
why_says() {
	sh_on 'for job in $(squeue -h -t PD -o %i); do leeway why "$job"; done' \
		> "$out/why.txt" 2>&1
	grep -qE 'on (v100|p100), .*on (k80|p100)' "$out/why.txt"
}
dumped() { sh_on "cat /var/lib/slurm/cycles/cycle-*.snap" | grep -E -- "$1" > /dev/null; }
# look: while the jobs of finish wait
look() {
	await 60 "the plan knows how long jobs run by type" dumped '^wait .* expect:k80='
	await 60 "a job is told what it waits for, and until when" why_says
	comment < <(grep -m 3 -iE 'waits for|on v100' "$out/why.txt")
}

shape=(--nodes 6 --gpus 2 --cpus 8 --mem 8000 --gpu-types "$types" --clock "$clock"
	--conf-extra "$extra")
alone=(--sched leeway --sched-params 'sched_interval=-1,defer')
cluster --sched stock "${shape[@]}"
run stock
columns=JobID,UID,Partition,TimelimitRaw,ElapsedRaw,State,End,ReqCPUS,NNodes,AdminComment
sh_on "sacct -a -X -P -S now-2days -o $columns,AllocTRES%200,JobName" > "$out/stock.psv"
cluster_gone
for part in any finish; do
	cluster "${alone[@]}" "${shape[@]}" --leeway-yaml "$out/$part.yaml"
	ok "$part: what ran under stock is learned" seeded
	sh_on "leeway history show $history --types" > "$out/$part.types"
	like "$part: by type of GPU" "$(cat "$out/$part.types")" k80
	await 60 "$part: slurmctld answers" sh_on 'scontrol ping | grep -q UP'
	run "$part"
	cluster_gone
done
ok "with the type on which it ends first a job is done in 0.8 of stock's time" \
	at_most "$(mean finish)" 80 "$(mean stock)"
ok "and not later than with any" at_most "$(mean finish)" 100 "$(mean any)"
finish
