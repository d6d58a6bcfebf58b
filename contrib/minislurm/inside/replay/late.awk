# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: how late a replay's submissions are, and whether its clock is too fast for the machine
#
# usage: awk -v now=S -v clock=FACTOR -v tries=N -f late.awk events.tsv submitted.tsv
#
# now: cluster seconds since the workload's second 0; tries: how often the clock may still be
# slowed. Prints mean lateness of what is due, the greatest, the span of arrivals (all in
# cluster seconds), the mean as a share of the span in percent, the next clock (0: go on) and
# "late" or "prompt". `leeway report` draws the same line, at the end.
#
# The clock is too fast when the mean over all jobs is above the line whatever is still to come;
# or, once enough was seen, if it will be by far when submissions go on to take what they took.

# foretell(COST, DONE): the mean when, after the first DONE, each submission takes COST seconds
function foretell(cost, done,	i, end, sum) {
	sum = done ? known : 0
	end = done ? ended : 0
	for (i = done + 1; i <= jobs; i++) {
		end = (end > at[i] ? end : at[i]) + cost
		sum += end - at[i]
	}
	return sum / jobs
}

# Halves it, and once more where that is foretold to help; half the line is to spare.
function slower(cost,	next_clock) {
	next_clock = clock > 1 ? int(clock / 2) : 1
	if (next_clock > 1 && foretell(cost * next_clock / clock, 0) > line / 2)
		next_clock = int(next_clock / 2)
	return next_clock
}

function is_too_fast(cost) {
	if (due_late / jobs > line) return 1
	return handed >= 20 && now / clock >= 15 && foretell(cost, handed) > 2 * line
}

BEGIN { FS = "\t" }

# what is to be submitted, in the order in which it will be
NR == FNR { if ($3 == "submit") at[++jobs] = $1; next }
NF >= 4 {
	i = ++handed
	late = $4 > 0 ? $4 : 0
	busy += at[i] + late - (ended > at[i] ? ended : at[i])
	ended = at[i] + late
	known += late
	if (late > greatest) greatest = late
}

END {
	due_late = known
	for (due = handed; due < jobs && at[due + 1] < now; due++) {
		due_late += now - at[due + 1]
		if (now - at[due + 1] > greatest) greatest = now - at[due + 1]
	}
	span = at[jobs] - at[1]
	line = 0.02 * span
	mean = due ? due_late / due : 0
	judged = span > 0
	next_clock = 0
	cost = handed ? busy / handed : 0
	if (judged && tries > 0 && clock > 1 && is_too_fast(cost)) next_clock = slower(cost)
	printf "%.0f %d %d %.1f %d %s\n", mean, greatest, span, (judged ? 100 * mean / span : 0),
		next_clock, (judged && mean > line ? "late" : "prompt")
}
