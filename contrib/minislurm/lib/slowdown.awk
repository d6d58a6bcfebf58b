# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the bounded slowdown of a replay, by the run times that its workload asked for
#
# usage: awk -f slowdown.awk WORKLOAD submitted.tsv sacct.psv
#
# In a faster clock a job of two seconds runs for as long as the machine takes to start and to
# end it, minutes at 300 times the speed of time; on a busier machine for longer, which makes
# its slowdown look better. So divide by what each job was to run: its run time, or its limit.

FNR == 1 { file++ }
file == 1 && !/^#/ && NF { run[++jobs] = $8; limit[jobs] = $7 }
file == 2 { number[$2] = $1 }
file == 3 && FNR == 1 {
	for (i = split($0, names, "|"); i; i--) at[names[i]] = i
	next
}
file == 3 {
	split($0, row, "|")
	if (row[at["AllocTRES"]] == "" || row[at["End"]] !~ /^[0-9]+$/) next
	parts = split(row[at["JobID"]], id, "_")
	if (!(id[1] in number)) next
	n = number[id[1]]
	runs = split(run[n], each, ",")
	s = each[parts > 1 && runs > 1 ? id[2] + 1 : 1] + 0
	if (s > limit[n]) s = limit[n] + 0
	slow = (row[at["Start"]] - row[at["Submit"]] + s) / (s > 10 ? s : 10)
	sum += slow > 1 ? slow : 1
	count++
}
END { printf "%.6g\t%d\n", count ? sum / count : 0, count }
