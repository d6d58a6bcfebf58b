# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: one look at the queue: from squeue's lines to rows of squeue.tsv and counts
#
# Input: squeue -o '%i|%T|%S|%r|%Y' in priority order. Variables: now, top (pending jobs
# to keep), rows (file to append to). Prints the number of running and pending tasks.
# A waiting array is one line; it counts as all its tasks and is named by its first one.

function tasks_of(id,	list, part, n, i, range, sum) {
	if (!match(id, /\[.*\]/)) return 1
	list = substr(id, RSTART + 1, RLENGTH - 2)
	sub(/%.*/, "", list)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++)
		sum += split(part[i], range, "-") == 2 ? range[2] - range[1] + 1 : 1
	return sum
}

function first_of(id) {
	if (!match(id, /\[[0-9]+/)) return id
	return substr(id, 1, RSTART - 1) substr(id, RSTART + 1, RLENGTH - 1)
}

BEGIN { FS = "|"; OFS = "\t" }
NF == 0 { next }
$2 != "PENDING" { running++; next }
{
	pending += tasks_of($1)
	if (++rank <= top)
		print now, first_of($1), $2, rank, ($3 ~ /^[0-9]+$/ ? $3 : "-"), $4, \
			($5 == "" || $5 == "(null)" ? "-" : $5) >> rows
}
END { printf "%d %d\n", running, pending }
