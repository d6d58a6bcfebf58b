# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs with deadlines as a published study has them, as a workload.
#
# usage: awk [-v limit=asked] [-v nodes=12] -f deadlines.awk JOBS.csv | sort ... (deadlines.sh)
#
# Columns by their names: submit_time and duration in minutes, num_gpu, user, expect_time_list:
# soft deadlines after submission in minutes, of which the last counts; best_effort 1: none. The
# machine is one pool of 96 processors, or nodes=12 of 8 GPUs. A limit is the run time, or with
# limit=asked the next of the times that people ask for. To save and to start again takes
# a tenth and four tenths of a minute, more for more GPUs, times cost (1).
BEGIN {
	FS = ","
	count = split("30 60 120 240 480 720 1440 2880 4320 10080", asked, " ")
	cost = cost ? cost : 1
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
{
	gpus = $(column["num_gpu"])
	run = $(column["duration"])
	user = $(column["user"])
	if (!(user in users))
		users[user] = ++user_count
	last = split($(column["expect_time_list"]), due, "-")
	time_limit = run
	for (i = 1; limit == "asked" && i <= count; i++) {
		if (asked[i] >= run) {
			time_limit = asked[i]
			break
		}
	}
	wide = 1 + log(gpus) / log(2)
	many = nodes && gpus > 8 ? gpus / 8 : 1
	each = gpus / many
	kind = many > 1 ? "gang" : nodes ? "train1" : "hpc"
	printf "%d\t%d\t%d\t%d\t%d\t0\t%d\t%d\t-\t-\t%s\tj%s", 60 * $(column["submit_time"]),
		users[user], many, (nodes ? each : 0), each, 60 * time_limit, 60 * run, kind,
		$(column["job_id"])
	if ($(column["best_effort"]) != 1)
		printf "\tdeadline_s=%d", 60 * due[last]
	printf "\tresumable=%d,%d\n", 6 * cost * wide, 24 * cost * wide
}
