# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the rows of a measurement of schedulers at scale, as a table for people
{ value[$1, $2] = $3 }
function row(name, format, key,    p) {
	printf "%-44s", name
	for (p = 1; p <= 3; p++) {
		if ((phase[p], key) in value)
			printf format, value[phase[p], key]
		else
			printf "%14s", "-"
	}
	print ""
}
function latency(name, key) {
	row(name ", requests", "%14d", key "_count")
	row(name ", median ms", "%14.1f", key "_median_ms")
	row(name ", median at least", "%14.1f", key "_median_low_ms")
	row(name ", median at most", "%14.1f", key "_median_high_ms")
	row(name ", mean ms", "%14.1f", key "_mean_ms")
	row(name ", error of the mean", "%14.1f", key "_error_ms")
	row(name ", p99 ms", "%14.1f", key "_p99_ms")
	row(name ", max ms", "%14.1f", key "_max_ms")
}
END {
	split("off stock leeway", phase, " ")
	printf "%-44s%14s%14s%14s\n", "", "off", "stock", "leeway"
	row("jobs waiting", "%14d", "waiting")
	row("jobs considered in the last cycle", "%14d", "sdiag_tried")
	row("longest cycle seen, ms", "%14.1f", "cycle_longest_ms")
	row("last cycle by sdiag, ms (without pauses)", "%14.1f", "sdiag_last_ms")
	row("longest hold of the job lock, ms", "%14.1f", "lock_longest_ms")
	row("the same in processor time, ms", "%14.1f", "lock_longest_cpu_ms")
	row("longest by all other threads, ms", "%14.1f", "lock_longest_others_ms")
	latency("squeue", "squeue")
	latency("squeue outside a cycle", "squeue_outside")
	latency("squeue in a cycle", "squeue_in_cycle")
	latency("its answer outside a cycle", "squeue_answer_outside")
	latency("its answer in a cycle", "squeue_answer_in_cycle")
	latency("sbatch", "sbatch")
	latency("sbatch outside a cycle", "sbatch_outside")
	latency("sbatch in a cycle", "sbatch_in_cycle")
	row("jobs with a planned start", "%14d", "planned")
	row("of those without planned nodes", "%14d", "planned_without_nodes")
	if (("leeway", "burst_accepted") in value) {
		row("submissions accepted", "%14d", "burst_accepted")
		row("refused", "%14d", "burst_refused")
		row("different ids", "%14d", "burst_ids")
		row("of them in squeue", "%14d", "burst_squeue")
		row("of them in sacct", "%14d", "burst_sacct")
		row("seconds for all", "%14.1f", "burst_s")
	}
	if (("plan", "reserved") in value)
		printf "\nof %d jobs for which Leeway planned a start, squeue " \
			"--start shows time and nodes of %d\n",
			value["plan", "reserved"], value["plan", "reserved"] - \
			value["plan", "reserved_not_shown"]
	tested = value["stock", "sdiag_tried"]
	# who thinks for seconds holds the lock twice and is one cycle in sdiag
	took = value["leeway", "cycle_longest_ms"]
	if (value["leeway", "sdiag_max_ms"] > took)
		took = value["leeway", "sdiag_max_ms"]
	if (tested > 0 && took > 0) {
		whole = value["stock", "sdiag_last_ms"] * \
			value["stock", "waiting"] / tested
		printf "\nstock, whole queue: %.1f s", whole / 1000
		if (tested < value["stock", "waiting"])
			printf " (from %d jobs tested in %.1f s)", tested,
				value["stock", "sdiag_last_ms"] / 1000
		printf "\nleeway, whole queue: %.3f s with pauses, ", took / 1000
		printf "%.0f times faster\n", whole / took
	}
}
