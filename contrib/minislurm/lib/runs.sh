# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the runs that a replay compares, and whether the simulator foretells them

# What sched/backfill's manual recommends where queues are long: look at all of the queue
# and at all of the time that limits cover, go on after a yield, in coarse steps.
runs_tuned=bf_continue,bf_max_job_test=10000,bf_window=10080,bf_resolution=300,bf_interval=30

# runs_policy RUN: the policy of leeway.yaml that it stands for; nothing: Leeway's default
runs_policy() {
	case $1 in
	leeway-alone | order-*) echo leeway ;;
	easy | relaxed | adaptive | conservative) echo "$1" ;;
	esac
}

# runs_orders: the names of sched.order, one a line
runs_orders() {
	sed -nE 's/^LW_ORDER\([A-Z0-9]+, ([a-z0-9]+),.*/\1/p' \
		"$MS_HOME/../../src/planner/model/orders.def"
}

# runs_order RUN: the order that it stands for; nothing: the one that Slurm gives
runs_order() { [[ $1 != order-* ]] || echo "${1#order-}"; }

# runs_check LIST: is each a run we know?
runs_check() {
	local run
	for run in ${1//,/ }; do
		case $run in
		stock | stock-tuned | leeway) ;;
		order-*)
			runs_orders | grep -qxF "${run#order-}" ||
				usage_error "--runs: no order is called ${run#order-}"
			;;
		*) [ "$(runs_policy "$run")" ] || usage_error "--runs: no run is called $run" ;;
		esac
	done
}

# shellcheck disable=SC2034 # MS_ variables are cluster.sh's
# runs_set RUN: the options of its cluster; what the user gave goes for all runs
runs_set() {
	local policy order
	policy=$(runs_policy "$1") order=$(runs_order "$1")
	runs_yaml=${runs_yaml-$MS_YAML} runs_params=${runs_params-$MS_SCHED_PARAMS}
	MS_SCHED=leeway MS_YAML=$runs_yaml MS_SCHED_PARAMS=$runs_params
	[[ $1 != stock* ]] || MS_SCHED=stock
	[ "$1" != stock-tuned ] || MS_SCHED_PARAMS=$runs_tuned
	if [ "$1" = leeway-alone ] || [ "$order" ]; then
		MS_SCHED_PARAMS=sched_interval=-1,defer
	fi
	[ -z "$order" ] || MS_YAML="sched.order: $order"$'\n'$MS_YAML
	[ -z "$policy" ] || MS_YAML="sched.policy: $policy"$'\n'$MS_YAML
}

# A second more or less at one submission leads to another schedule, on a real cluster, too. So the
# simulator is asked for so many, with what a user submits moved together by up to so many seconds,
# as little as one real run differs from the next: moved by more, or one by one, the tasks of an
# array come apart and jobs in another order, which is another workload.
runs_shakes=40 runs_shake_by=2s

# runs_simulate DIR COMPLETING_S DELAY_S MAIN_S: mean wait, bounded slowdown and the spread of both,
# by the simulator
runs_simulate() {
	local dir=$1 policy order main=(--set cluster.main_loop="$4s")
	local stock=(--set sim.conf="$1/etc/slurm.conf")
	policy=$(runs_policy "$(basename "$dir")") order=$(runs_order "$(basename "$dir")")
	if [ "$(basename "$dir")" = leeway-alone ] || [ "$order" ]; then
		main=()
	fi
	if [[ $(basename "$dir") == stock* ]]; then policy=stock; else stock=(); fi
	# the age is leeway.yaml's
	tool_leeway "$dir" sim -q --set sched.policy="${policy:-leeway}" "${main[@]}" \
		"${stock[@]}" \
		${order:+--set sched.order="$order" --set sched.order_age=1d} \
		--nodes "$MS_NODES" --gpus-per-node "$MS_GPUS" --cpus-per-node "$MS_CPUS" \
		--mem-per-node "$MS_MEM" --set cluster.completing="$2s" \
		--set cluster.plan_delay="$3s" --set shake.runs="$runs_shakes" \
		--set shake.by="$runs_shake_by" --set shake.sessions=yes \
		--print wait_mean_s,bsld_mean,wait_mean_s:sd,bsld_mean:sd "$dir/as-it-ran.lw"
}

# runs_lag DIR: how long a node was COMPLETING, how late a plan was made and how late Slurm's main
# loop started jobs, in whole seconds, which the simulator counts in, as slurmctld's own log has it
runs_lag() {
	awk -f "$MS_HOME/lib/lag.awk" "$1/sacct.psv" "$1/logs/slurmctld.log" |
		awk '{ printf "%.0f\t%.0f\t%.0f\n", $1, $3, $5 }'
}

# runs_measured DIR: the same of what happened
runs_measured() {
	awk -F '|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["AllocTRES"] == "" || $at["Start"] $at["End"] !~ /^[0-9]+$/ { next }
		{
			wait = $at["Start"] - $at["Submit"]; run = $at["End"] - $at["Start"]
			slow = (wait + run) / (run > 10 ? run : 10)
			waits += wait; slows += slow > 1 ? slow : 1; n++
		}
		END { printf "%.6g\t%.6g\t%d\n", n ? waits / n : 0, n ? slows / n : 0, n }' \
		"$1/sacct.psv"
}

# runs_table FILE: its columns, which tabs separate, one under the other
runs_table() {
	awk -F '\t' 'NR == FNR { for (i = 1; i <= NF; i++) if (length($i) > w[i]) w[i] = length($i)
			next }
		{ for (i = 1; i < NF; i++) printf "%-" (w[i] + 2) "s", $i; print $NF }' "$1" "$1"
}

# runs_slowdown OUT WORKLOAD DIR...: the slowdown of all runs by one and the same run times
runs_slowdown() {
	local out=$1 workload=$2 dir
	shift 2
	{
		printf '#run\tbsld_as_asked\tjobs\n'
		for dir; do
			printf '%s\t' "$(basename "$dir")"
			awk -F '\t' -f "$MS_HOME/lib/slowdown.awk" "$workload" \
				"$dir/submitted.tsv" "$dir/sacct.psv"
		done
	} > "$out/slowdown.tsv"
	say "bounded slowdown by the run times of the workload ($out/slowdown.tsv):"
	runs_table "$out/slowdown.tsv"
}

# runs_agree DIR COMPLETING_S DELAY_S MAIN_S: a row of that table
runs_agree() {
	local simulated
	simulated=$(runs_simulate "$@") || die "cannot simulate $1"
	awk -v run="$(basename "$1")" -v lag="$2"$'\t'"$3"$'\t'"$4" 'BEGIN { OFS = "\t" }
		{ ratio = $4 ? $1 / $4 : "-"
		  print run, lag, $1, $4, $6, ratio, $2, $5, $7, $3 }' \
		<<< "$(runs_measured "$1")"$'\t'"$simulated"
}

# runs_is_told_more WORKLOAD: does it say what accounting does not, on jobs that wait for others, or
# on deadlines?
runs_is_told_more() {
	awk '!/^#/ && /\t(after|at_most|deadline_s)=/ { found = 1; exit } END { exit !found }' "$1"
}

# runs_agreement OUT DIR...: a table of the runs, stock's by its model, printed and kept: the
# simulator with nodes that are free at once and plans that are made at once, and as Slurm lagged
runs_agreement() {
	local out=$1 dir lag
	shift
	{
		printf '#run\tcompleting_s\tplan_delay_s\tmain_loop_s\twait_s\t'
		printf 'simulated_wait_s\twait_sd_s\t'
		printf 'wait_ratio\tbsld\tsimulated_bsld\tbsld_sd\tjobs\n'
		for dir; do
			tool_leeway "$dir" workload --fixed-cancels -q --sacct "$dir/sacct.psv" \
				-o "$dir/as-it-ran.lw" || die "cannot read $dir/sacct.psv"
			lag=$(runs_lag "$dir")
			runs_agree "$dir" 0 0 0
			# shellcheck disable=SC2086 # three words
			runs_agree "$dir" $lag
		done
	} > "$out/agreement.tsv"
	say "the real cluster against the simulator, on what ran ($out/agreement.tsv):"
	runs_table "$out/agreement.tsv"
}

# shellcheck disable=SC2034 # MS_ variables are cluster.sh's
# runs_trace: have slurmctld write when jobs end and nodes are free of them, a line each
runs_trace() {
	[[ $MS_CONF_EXTRA == *DebugFlags=* ]] || MS_CONF_EXTRA+=$'\nDebugFlags=TraceJobs'
}
