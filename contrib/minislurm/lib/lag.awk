# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: how a slurmctld of a replay lagged behind what happened, from its own log
#
# usage: awk -f lag.awk sacct.psv slurmctld.log
#
# Prints three times in seconds and what they are of: how long a node was COMPLETING after the
# end of a job on average (and how many were); how long after the first thing that happened a
# plan would have to come, always the same, for all that happened to be heeded as late on average as
# it was (and how many things); and how long after a job came, or a node had been rid of another,
# whatever was last, Slurm's main loop started it, on average (and how many). The log must have what
# DebugFlags=TraceJobs writes. Who waits is asked of sacct.psv, since without anybody nothing is
# planned.

function days(year, month, day) { # before the day since 1 March of year 0
	if (month < 3) { year--; month += 12 }
	return 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + \
		int((153 * (month - 3) + 2) / 5) + day
}

# "[2026-11-21T18:54:33.671] ...": the cluster has no time zone
function stamp(line,  date) {
	split(substr(line, 2, 23), date, /[-T:.]/)
	return (days(date[1], date[2], date[3]) - days(1970, 1, 1)) * 86400 + \
		date[4] * 3600 + date[5] * 60 + date[6] + date[7] / 1000
}

function job_of(line) {
	return match(line, /JobId=[0-9_]+(\([0-9]+\))?/) ? substr(line, RSTART, RLENGTH) : ""
}

function waits(second) {
	if (seen == "") seen = first_second
	for (; seen <= second; seen++) waiting += change[seen]
	return waiting > 0
}

# "JobId=49" of "JobId=49_3(52)", a task of the array that was submitted
function base_of(id) {
	sub(/_.*/, "", id)
	return id
}

function happened(at, submitted) {
	if (submitted != "") came[submitted] = at
	if (submitted == "" && !waits(int(at))) return
	event[++events] = at
	job[events] = submitted
}

# No plan need heed any more that it came, nor what happened if nobody is left that waits.
function started_by_main_loop(at, who,  i, kept, left) {
	left = waits(int(at))
	for (i = 1; i <= events; i++) {
		if (job[i] == who || !left) continue
		event[++kept] = event[i]
		job[kept] = job[i]
	}
	events = kept + 0
	by_main_loop++
	main_delays += at - (came[who] > opened ? came[who] : opened)
}

# A plan made from what was known at BEGAN was done AT.
function planned(began, at,  i, kept) {
	for (i = 1; i <= events; i++) {
		if (event[i] > began) {
			event[++kept] = event[i]
			job[kept] = job[i]
		} else {
			heeded[++count] = event[i]
			delays += at - event[i]
		}
	}
	events = kept + 0
}

# How late all would have been in all, had a plan come DELAY after the first of them each time.
function late(delay,  i, plan, sum) {
	plan = -1
	for (i = 1; i <= count; i++) {
		if (heeded[i] > plan) plan = heeded[i] + delay
		sum += plan - heeded[i]
	}
	return sum
}

function equal_delay(  low, high, i) {
	for (high = 1; late(high) < delays && high < 86400;) high *= 2
	for (i = 0; i < 30; i++) {
		if (late((low + high) / 2) < delays) low = (low + high) / 2
		else high = (low + high) / 2
	}
	return high
}

FNR == 1 { file++ }
file == 1 && FNR == 1 {
	for (i = split($0, names, "|"); i; i--) at[names[i]] = i
	next
}
file == 1 {
	split($0, row, "|")
	submitted = row[at["Submit"]]
	left = row[at["Start"]] ~ /^[0-9]+$/ ? row[at["Start"]] : row[at["End"]]
	if (submitted !~ /^[0-9]+$/) next
	change[submitted + 0]++
	if (left ~ /^[0-9]+$/) change[left + 0]--
	if (first_second == "" || submitted + 0 < first_second) first_second = submitted + 0
	next
}
/\] TRACE_JOBS: deallocate_nodes: JobId=/ {
	now = stamp($0)
	ended[job_of($0)] = now
	happened(now, "")
}
/\] TRACE_JOBS: make_node_idle: enter JobId=/ && job_of($0) in ended {
	now = stamp($0)
	completing += now - ended[job_of($0)]
	nodes++
	opened = now
	happened(now, "")
}
/\] _slurm_rpc_submit_batch_job: JobId=/ { happened(stamp($0), job_of($0)) }
/\] sched: Allocate JobId=/ { started_by_main_loop(stamp($0), base_of(job_of($0))) }
/\] leeway: cycle [0-9]+: .* ms$/ {
	now = stamp($0)
	planned(now - $(NF - 1) / 1000, now)
}
END {
	printf "%.1f\t%d\t%.1f\t%d\t%.1f\t%d\n", nodes ? completing / nodes : 0, nodes, \
		count ? equal_delay() : 0, count, \
		by_main_loop ? main_delays / by_main_loop : 0, by_main_loop
}
