# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what placement is worth: a deep learning mix on 2 racks of 8 nodes with 8 GPUs.
# shellcheck shell=bash disable=SC2154 # leeway and out are set by bench/run

placement_seeds=5
placement_machine=(--nodes 16 --gpus-per-node 8 --cpus-per-node 64)
placement_figures=gangs_in_one_domain,domains_over_least,nodes_over_least
placement_figures+=,gpu_fragmentation,wait_mean_s,wait_wide_mean_s

# placement_mean LOAD POLICY PLACEMENT OPTION...: figures, their mean over the workloads
placement_mean()
{
	local load=$1 policy=$2 placement=$3 seed
	shift 3
	for ((seed = 1; seed <= placement_seeds; seed++)); do
		"$leeway" sim "$out/dl.$load.$seed.tsv" "${placement_machine[@]}" "$@" --quiet \
			--policy "$policy" --placement "$placement" --print "$placement_figures"
	done | awk -F'\t' '
		{ for (i = 1; i <= NF; i++) sum[i] += $i }
		END { for (i = 1; i <= 6; i++) printf "%s%.6f", (i > 1 ? "\t" : ""), sum[i] / NR }'
}

# Both sides of one case: the model of stock, then ours, and what the goals say of it.
placement_case()
{
	local load=$1 policy=$2 name=$3 stock ours
	shift 3
	stock=$(placement_mean "$load" "$policy" stock "$@")
	ours=$(placement_mean "$load" "$policy" leeway "$@")
	awk -F'\t' -v name="$policy, $name, load $load" '
		function line(what) {
			printf "  %-8s %9.1f %% %8.3f %8.3f %9.1f %% %9.0f %9.0f\n", what,
				100 * $1, $2, $3, 100 * $4, $5, $6
		}
		NR == 1 { print name; line("stock"); frag = $4; wait = $5 }
		NR == 2 {
			line("leeway")
			printf "  fragmentation %.2f of the model of stock (goal 0.50): %s; ",
				$4 / frag, $4 <= frag / 2 ? "ok" : "SHORT"
			printf "wait %.2f (goal 1.00): %s\n", $5 / wait,
				$5 <= wait ? "ok" : "SHORT"
		}' <<<"$stock"$'\n'"$ours"
}

bench_placement()
{
	local load policy seed

	echo "== Placement: gangs in one domain, domains and nodes over the least, free GPUs of no"
	echo "   use to the next job, mean wait, and of the widest tenth; $placement_seeds workloads"
	for load in 0.5 0.7 0.9; do
		for ((seed = 1; seed <= placement_seeds; seed++)); do
			"$leeway" generate --model dl "${placement_machine[@]}" --jobs 5000 \
				--load "$load" --seed "$seed" --quiet -o "$out/dl.$load.$seed.tsv"
		done
		for policy in easy leeway; do
			placement_case "$load" "$policy" "no topology"
			placement_case "$load" "$policy" "tree" --racks 2
			placement_case "$load" "$policy" "block" --racks 2 --blocks
		done
	done
	rm -f "$out"/dl.*.tsv
}
