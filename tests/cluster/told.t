#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a replay of a chain and of deadlines under a queue, stock beside Leeway in one report
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
trap cluster_gone EXIT
trap 'exit 130' INT TERM

# Whole nodes of four, so that nobody fits in between. A chain of three links begins first, then
# twenty jobs as long; at last four short ones, which their queue would keep too long.
workload=$out/workload.tsv
# one SUBMIT_S USER LIMIT_S RUN_S NAME [WORD...]
one() {
	printf '%s\t%s\t1\t4\t8\t0\t%s\t%s\t-\t-\ttrain1\t%s' "${@:1:5}"
	[ $# = 5 ] || printf '\t%s' "${@:6}"
	echo
}
{
	echo '#lw-workload 2'
	one 0 1 360 330 link id=1
	one 0 1 360 330 link id=2 after=afterok:1
	one 0 1 360 330 link id=3 after=afterany:2,singleton
	for ((i = 0; i < 20; i++)); do one $((i + 1)) 2 360 330 other; done
	for ((i = 0; i < 4; i++)); do one $((30 + i)) 3 120 90 due deadline_s=900 weight=2; done
} > "$workload"

# A link of one of four nodes is above what chains may take over by default, and its limit below
# what is planned. Slurm lets a link age from the end of the one before, where age counts. Nobody
# else starts jobs beside Leeway: Slurm's main loop knows nothing of deadlines.
yaml=$out/leeway.yaml
printf '%s\n' 'sched.chain_share: 0.3' 'sched.chain_total: 0.3' 'sched.chain_min: 0' \
	'sched.deadlines: order' > "$yaml"
conf_extra <<< $'PriorityWeightAge=100000\nPriorityMaxAge=1-0\nPriorityCalcPeriod=1'
"$top/contrib/minislurm/replay" --runs stock,leeway-alone --name "$name" --nodes 4 --gpus 4 \
	--cpus 8 --clock 60 --keep-clock --observe 600 --priority multifactor \
	--conf-extra "$extra" \
	--leeway-yaml "$yaml" --workload "$workload" --out "$out" \
	> "$out/report.out" 2> "$out/replay.err" &
wait "$!"
code=$?
# 5: on a busy machine they came late; late.t asks when that is said
ok "the replay ends" test "$code" = 0 -o "$code" = 5
like "no job is lost" "$(cat "$out/report.out")" '^ *LOST +0 +0( |$)'
like "every submission was taken" "$(cat "$out/report.out")" 'refused by sbatch +0 +0( |$)'

# figure RUN KEY: of the first or second run of the report
figure() {
	awk -v run="$1" -v key="\"$2\":" '$1 == key && ++n == run { sub(/,$/, "", $2); print $2 }' \
		"$out/report.json"
}
sed -n '/^Chains/,/^Machine/p' "$out/report.out" | sed 's/^/# /'
is "both links of the chain started under stock" "$(figure 1 links)" 2
is "and under Leeway" "$(figure 2 links)" 2
# half: what is left are COMPLETING, and a cycle, which a busy machine stretches
ok "Leeway interrupts a chain by less than half of that" awk -v stock="$(figure 1 \
	interruption_mean_s)" -v leeway="$(figure 2 interruption_mean_s)" \
	'BEGIN { exit !(leeway < stock / 2) }'
is "no two links run at once" "$(figure 2 overlap_mean_s)" 0.0
is "four have deadlines" "$(figure 2 deadlines)" 4
ok "stock misses some" awk -v stock="$(figure 1 deadline_missed_share)" \
	'BEGIN { exit !(stock > 0) }'
ok "Leeway misses at most half as many" awk -v stock="$(figure 1 deadline_missed_share)" \
	-v leeway="$(figure 2 deadline_missed_share)" 'BEGIN { exit !(leeway <= stock / 2) }'
ok "sbatch was told of those before" test "$(awk -F '\t' '$9 ~ /^after(ok|any):[0-9]+/ && $3' \
	"$out/leeway-alone/submitted.tsv" | wc -l)" = 2
finish
