# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: deadlines on the jobs of a published study (Chronus, SoCC 2021), for bench/run.
# shellcheck shell=bash disable=SC2154 # bench/run sets what this reads

# What was measured of others on the same jobs, by MIX2: deadlines missed in %, mean time to the
# end of jobs without one in minutes, preemptions. All of them know run times.
deadlines_published()
{
	printf '  %-34s %7s %9s %12s\n' 'published, MIX2' 'missed' 'JCT min' 'preemptions'
	printf '  %-34s %7s %9s %12s\n' \
		'FIFO' 58.1 1449 0 \
		'EASY' 57.1 1235 0 \
		'SJF, no preemption' 13.0 346 0 \
		'EDF, no preemption' 14.7 525 0 \
		'EDF, hopeless last, no preemption' 8.2 464 0 \
		"Chronus, authors' code" 3.8 337 29678 \
		'EDF, hopeless last, each 20 min' 0.90 1069 866
}

# deadlines_workload MIX [VARIABLE=VALUE...]: as a file in the folder for results
deadlines_workload()
{
	local mix=$1 file=$out/deadlines.lw variables=() each nodes='nodes=1 cpus_per_node=96'
	shift
	for each in "$@"; do
		variables+=(-v "$each")
		[[ $each != nodes=* ]] || nodes='nodes=12 gpus_per_node=8 cpus_per_node=8'
	done
	{
		echo '#lw-workload 2'
		echo "#machine $nodes"
		awk "${variables[@]}" -f "$here/deadlines.awk" "$rivals/chronus/$mix" |
			sort -s -n -k 1,1
	} >"$file"
	echo "$file"
}

# deadlines_row NAME WORKLOAD OPTION...: a line of the table; figures to $row
deadlines_row()
{
	local name=$1 workload=$2
	shift 2
	row=$("$leeway" sim "$workload" --quiet --json="$out/deadlines.$name.json" --print \
		"$deadlines_figures" "$@")
	awk -F'\t' -v name="$name" '{
		printf "  %-34s %7.2f %9.0f %12d %9d %7d %8.0f\n", name, 100 * $1, $2 / 60, $3, $4,
			$5, $6 / 60
	}' <<<"$row"
}

# The published figures are of MIX2; no accepted job is to miss on any.
deadlines_goal()
{
	[[ $1 == MIX2 || $2 == accepted* ]] || return 0
	awk -F'\t' -v part=deadlines -v where="$1" -v what="$2" -v at="$3" -v times="$4" \
		-v bound="$5" "$goal_awk"'{ goal(where, what, times * $at, bound) }' <<<"$row"
}

# Jobs save for seven minutes at most, and are looked at again each 20, as the published ones were.
stops=stop.mode=on,stop.for=deadline,stop.share=1,stop.lease=20m,stop.save=7m,sim.stop_agree=1

# deadlines_table MIX: every row of ours on the jobs of one file
deadlines_table()
{
	local mix=$1 where=${1%.csv} exact asked again nodes
	where=${where#input_tenth_}
	exact=$(deadlines_workload "$mix")
	echo "== Deadlines on $where; wait: mean of all, min"
	printf '  %-34s %7s %9s %12s %9s %7s %8s\n' '' 'missed' 'JCT min' 'stops' \
		'accepted' 'missed' 'wait'
	deadlines_row fifo "$exact" --run fcfs
	deadlines_row easy "$exact" --run easy
	deadlines_row easy-sjf "$exact" --run easy:sched.order=sjf,sched.order_age=0
	deadlines_row easy-edf "$exact" --run easy:sched.order=edf
	deadlines_goal "$where" "missed %, edf" 1 100 8.2
	deadlines_row easy-order "$exact" --run easy:sched.deadlines=order
	deadlines_row easy-guard "$exact" --run easy:sched.deadlines=guard
	deadlines_goal "$where" "accepted and missed, easy" 5 1 0
	deadlines_row leeway "$exact" --run leeway:sim.runtime=exact
	deadlines_row leeway-order "$exact" --run leeway:sim.runtime=exact,sched.deadlines=order
	deadlines_goal "$where" "missed %, leeway order" 1 100 8.2
	deadlines_row leeway-guard "$exact" --run leeway:sim.runtime=exact,sched.deadlines=guard
	deadlines_goal "$where" "accepted and missed, leeway" 5 1 0
	again=$(deadlines_workload "$mix" cost=10)
	deadlines_row leeway-stops "$again" \
		--run "leeway:sim.runtime=exact,sched.deadlines=order,$stops"
	deadlines_goal "$where" "missed %, stops" 1 100 0.5
	deadlines_goal "$where" "stops" 3 1 200
	deadlines_row stops-a-fifth "$again" \
		--run "leeway:sim.runtime=exact,sched.deadlines=order,$stops,stop.share=0.2"
	deadlines_row stops-half-agree "$again" \
		--run "leeway:sim.runtime=exact,sched.deadlines=order,$stops,sim.stop_agree=0.5"
	deadlines_row guard-stops "$again" \
		--run "leeway:sim.runtime=exact,sched.deadlines=guard,$stops"
	deadlines_goal "$where" "accepted and missed, stops" 5 1 0
	nodes=$(deadlines_workload "$mix" nodes=12)
	deadlines_row nodes-leeway-order "$nodes" \
		--run leeway:sim.runtime=exact,sched.deadlines=order
	deadlines_row nodes-leeway-guard "$nodes" \
		--run leeway:sim.runtime=exact,sched.deadlines=guard
	deadlines_goal "$where" "accepted and missed, nodes" 5 1 0
	nodes=$(deadlines_workload "$mix" nodes=12 cost=10)
	deadlines_row nodes-leeway-stops "$nodes" \
		--run "leeway:sim.runtime=exact,sched.deadlines=order,$stops"
	echo "  run times predicted, limits as people ask for them:"
	asked=$(deadlines_workload "$mix" limit=asked)
	deadlines_row predicted-leeway "$asked" --run leeway
	deadlines_row predicted-order "$asked" --run leeway:sched.deadlines=order
	deadlines_row predicted-guard "$asked" --run leeway:sched.deadlines=guard
	deadlines_goal "$where" "accepted and missed, predicted" 5 1 0
	again=$(deadlines_workload "$mix" limit=asked cost=10)
	deadlines_row predicted-stops "$again" --run "leeway:sched.deadlines=order,$stops"
	rm -f "$out/deadlines.lw"
}

bench_deadlines()
{
	local rivals=${LEEWAY_RIVALS:-} mix row
	local deadlines_figures=deadline_missed_share,jct_best_effort_mean_s,preemptions
	deadlines_figures+=,deadlines_accepted,accepted_missed,wait_mean_s

	if [ ! -r "$rivals/chronus/input_tenth_MIX2.csv" ]; then
		echo "deadlines: skipped: LEEWAY_RIVALS has no chronus/input_tenth_MIX2.csv"
		return 0
	fi
	deadlines_published
	for mix in ${BENCH_MIXES:-input_tenth_MIX2.csv}; do
		deadlines_table "$mix"
	done
}
