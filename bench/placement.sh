# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what placement is worth: a deep learning mix on 2 racks of 8 nodes with 8 GPUs.
# shellcheck shell=bash disable=SC2154 # leeway and out are set by bench/run

placement_seeds=12
placement_machine=(--nodes 16 --gpus-per-node 8 --cpus-per-node 64)
placement_figures=gangs_in_one_domain,domains_over_least,nodes_over_least
placement_figures+=,gpu_fragmentation,wait_mean_s,wait_wide_mean_s,gpu_unusable

# placement_each LOAD POLICY PLACEMENT OPTION...: figures, a line for each workload
placement_each()
{
	local load=$1 policy=$2 placement=$3 seed
	shift 3
	for ((seed = 1; seed <= placement_seeds; seed++)); do
		"$leeway" sim "$out/dl.$load.$seed.tsv" "${placement_machine[@]}" "$@" --quiet \
			--run "$policy" --set sim.placement="$placement" \
			--print "$placement_figures"
	done
}

# placement_file LOAD POLICY PLACEMENT TOPOLOGY: where its figures are kept
placement_file()
{
	echo "$out/placed.$1.$2.$3.$4.tsv"
}

placement_run()
{
	local options=()
	case $4 in
	tree) options=(--racks 2) ;;
	block) options=(--racks 2 --set cluster.blocks=yes) ;;
	esac
	placement_each "$1" "$2" "$3" "${options[@]}" >"$(placement_file "$@")"
}

# placement_pair NAME STOCK OURS: the figures of two files, and the goals of their ratios. How
# far these are from chance: the standard error by leaving out one workload at a time.
placement_pair()
{
	paste "$2" "$3" | awk -F'\t' -v name="$1" -v part=placement "$goal_awk"'
		# "-" without domains
		function shown(i, digits, scale) {
			return known[i] ? sprintf("%.*f", digits, scale * sum[i] / known[i]) : "-"
		}
		function line(what, from) {
			printf "  %-8s %9s %% %8s %8.3f %9.1f %% %9.0f %9.0f\n", what,
				shown(from + 1, 1, 100), shown(from + 2, 3, 1), sum[from + 3] / NR,
				100 * sum[from + 4] / NR, sum[from + 5] / NR, sum[from + 6] / NR
		}
		function error(i,    j, ratio, mean, squares) {
			for (j = 1; j <= NR; j++)
				mean += (sum[i + n] - value[j, i + n]) / (sum[i] - value[j, i]) / NR
			for (j = 1; j <= NR; j++) {
				ratio = (sum[i + n] - value[j, i + n]) / (sum[i] - value[j, i])
				squares += (ratio - mean) ^ 2
			}
			return sqrt(squares * (NR - 1) / NR)
		}
		{
			n = NF / 2
			for (i = 1; i <= NF; i++) {
				value[NR, i] = $i
				sum[i] += $i
				known[i] += $i != "-"
			}
		}
		END {
			print name
			line("stock", 0)
			line("leeway", n)
			broken = sum[n + 4] / sum[4]
			wait = sum[n + 5] / sum[5]
			printf "  fragmentation %.2f +- %.2f of the model of stock, wait " \
				"%.2f +- %.2f\n",
				broken, error(4), wait, error(5)
			printf "  at any time, also while too few are free: %.2f +- %.2f\n",
				sum[n + 7] / sum[7], error(7)
			goal(name, "fragmentation, of stock", broken, 0.5)
			goal(name, "wait, of stock", wait, 1)
		}'
}

# Both placements under one policy.
placement_case()
{
	local load=$1 policy=$2 topology=$3 name=$3
	[ "$topology" != none ] || name="no topology"
	placement_run "$load" "$policy" stock "$topology"
	placement_run "$load" "$policy" leeway "$topology"
	placement_pair "$policy, $name, load $load" \
		"$(placement_file "$load" "$policy" stock "$topology")" \
		"$(placement_file "$load" "$policy" leeway "$topology")"
}

# The means of the lines on standard input: a share, a share, seconds.
placement_island_line()
{
	awk -F'\t' -v what="$1" '
		{ held += $1; broken += $2; wait += $3 }
		END {
			printf "  %-18s %6.1f %% %6.1f %% %8.0f\n", what, 100 * held / NR,
				100 * broken / NR, wait / NR
		}'
}

# Nodes whose GPUs are linked in islands of so many; and what it costs to go by them.
placement_islands()
{
	local load=$1 island=$2 placement_figures=jobs_in_one_island,gpu_fragmentation,wait_mean_s
	local tree=(--racks 2) linked=(--gpus-per-island "$island")

	echo "leeway, tree, islands of $island, load $load"
	placement_each "$load" leeway stock "${tree[@]}" "${linked[@]}" |
		placement_island_line stock
	placement_each "$load" leeway leeway "${tree[@]}" "${linked[@]}" |
		placement_island_line leeway
	placement_each "$load" leeway leeway "${tree[@]}" |
		placement_island_line "without islands" | sed -E 's/ [0-9.]+ %/       -/'
}

# What a site has before and after: stock's placement, and all of ours. Slurm's backfill keeps room
# for one job or for all, by its limits: both by users' limits.
placement_products()
{
	local load topology before

	echo "== The same of the products: stock's placement by limits, leeway with ours"
	for load in 0.5 0.7 0.9; do
		for topology in none tree block; do
			placement_run "$load" conservative stock "$topology"
			for before in easy conservative; do
				placement_pair "$before to leeway, $topology, load $load" \
					"$(placement_file "$load" "$before" stock "$topology")" \
					"$(placement_file "$load" leeway leeway "$topology")"
			done
		done
	done
}

bench_placement()
{
	local load policy topology seed island

	echo "== Placement: gangs in one domain, domains and nodes over the least, free GPUs of no"
	echo "   use to the next job, mean wait, and of the widest tenth; $placement_seeds" \
		"workloads"
	for load in 0.5 0.7 0.9; do
		for ((seed = 1; seed <= placement_seeds; seed++)); do
			"$leeway" generate --model dl "${placement_machine[@]}" --jobs 5000 \
				--load "$load" --seed "$seed" --quiet -o "$out/dl.$load.$seed.tsv"
		done
		for policy in easy leeway; do
			for topology in none tree block; do
				placement_case "$load" "$policy" "$topology"
			done
		done
	done
	placement_products
	echo "== Islands: jobs in one island of each node that could be, free GPUs of no use to the"
	echo "   next job, mean wait"
	for load in 0.5 0.7 0.9; do
		for island in 2 4; do
			placement_islands "$load" "$island"
		done
	done
	rm -f "$out"/dl.*.tsv "$out"/placed.*.tsv
}
