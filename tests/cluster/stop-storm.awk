# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what became of the jobs of a storm of stops: counts, and what is not right
#
# -v back_s=SECONDS: the promise of a return. Files, each with file=N before it: 1 the jobs made,
# 2 what was cancelled, 3 jobs on felled nodes, 4 sacct -D (JobIDRaw|JobID|State|Start), 5 the
# log of slurmctld, 6 the ledgers, each line with its job before it,
# 7 jobs that ended in the moment before slurmctld died, which Slurm forgets, 8 jobs of
# which a slurmd that hears of slurmctld again has taken the script away, before it ran.
#
# forgotten: jobs that were asked in the moment before slurmctld died, and FAILED: a fault that is
# known (doc/lab/2026-11-30-stop-storm.md).

function wrong(what, job, why) { bad[what]++; print "# " what ": job " job ": " why }
# the job of the users that a job belongs to: of an array
function master(job) { return job in of ? of[job] : job }

file == 1 { how[$1] = $2; agrees[$1] = $3; steps[$1] = $4; next }
file == 2 { cancelled[$1] = 1; next }
file == 3 { felled[$1]++; next }
file == 4 {
	split($0, field, "|")
	job = field[1]
	of[job] = field[2]
	sub(/_.*/, "", of[job])
	state[job] = field[3]
	sub(/ .*/, "", state[job])
	start[job] = field[4]
	if (state[job] == "REQUEUED") requeued[job]++
	next
}
file == 5 && / is ordered to stop: it is asked$| is to make room for job .*: it is asked$/ {
	match($0, /job [0-9]+/)
	job = substr($0, RSTART + 4, RLENGTH - 4)
	asked[job]++
	asked_at[job] = substr($1, 2, 19)
	planned += / is to make room /
	count["asked"]++
	next
}
file == 5 && / is ordered to stop: / { count["refused"]++; next }
# of the stops before, Slurm may have forgotten the requeue
file == 5 && /leeway: built for Slurm / {
	for (job in asked) if (asked[job] > result[job]) risked[job] = asked[job]
	next
}
file == 5 && /leeway: job [0-9]+ runs again, / {
	match($0, /job [0-9]+/)
	job = substr($0, RSTART + 4, RLENGTH - 4)
	match($0, /again, -?[0-9]+/)
	after = substr($0, RSTART + 7, RLENGTH - 7) + 0
	count["back"]++
	result[job]++
	sum += after
	if (after > most) most = after
	# a look may be some seconds after the start
	if (after > back_s + slack_s && !told[job]) wrong("untold", job, "back after " after " s")
	if (told[job] && after <= back_s) wrong("untold", job, "told, and back after " after " s")
	told[job] = 0
	next
}
file == 5 && /leeway: job [0-9]+ has stopped, and (is|was) not back / {
	match($0, /job [0-9]+/)
	told[substr($0, RSTART + 4, RLENGTH - 4)] = 1
	count["late"]++
	next
}
file == 5 && /leeway: job [0-9]+ was asked to stop and (runs on|ended instead)/ {
	match($0, /job [0-9]+/)
	job = substr($0, RSTART + 4, RLENGTH - 4)
	result[job]++
	if (/runs on/) count["deaf"]++
	else { count["ended"]++; ended[job] = 1 }
	next
}
file == 6 {
	job = $1
	count[$2]++
	if ($2 == "end") done[job] = $3
	right = $2 == "begin" ? saved[job] + 0 : $2 == "step" ? at[job] + 1 : at[job]
	if ($3 != right) wrong("steps", job, $2 " " $3 " is to be " right)
	at[job] = $3
	if ($2 == "save") saved[job] = $3
}

file == 7 { ghost[$1] = 1; count["ghosts"]++; next }
file == 8 { purged[$1 + 0] = 1 }

END {
	for (job in asked)
		if (agrees[master(job)] != "yes") wrong("disagreed", job, "it was asked")
	for (job in state) {
		m = master(job)
		if (!(m in how)) continue
		count["jobs"]++
		if (agrees[m] != "yes" && requeued[job] > 0 && !ghost[job])
			wrong("disagreed", job, "it was requeued")
		kind = ""
		if (state[job] == "CANCELLED" && m in cancelled) kind = "cancelled"
		if (state[job] == "COMPLETED" && done[job] == steps[m]) kind = "completed"
		if (kind) count[kind]++
		if (kind || (state[job] == "COMPLETED" && ended[job] && how[m] == "exit0")) continue
		if (ghost[job] && state[job] == "CANCELLED") continue
		# SIGTERM came through, and what it was for is not known any more
		if (state[job] == "FAILED" && risked[job] && risked[job] == asked[job]) {
			count["forgotten"]++
			continue
		}
		if (purged[job] && state[job] == "FAILED" && !(job in at)) {
			count["purged"]++
			continue
		}
		# Slurm does not run it again
		if (felled[job] && agrees[m] != "yes" && state[job] ~ /NODE_FAIL/) continue
		wrong("lost", job, how[m] " is " state[job] " at step " at[job] " of " steps[m])
	}
	for (job in asked) {
		m = master(job)
		open = asked[job] - result[job]
		# it was cancelled on its way, or ran again and ended between two looks
		if (open == 1 && (m in cancelled || \
		    (state[job] == "COMPLETED" && start[job] >= asked_at[job]))) {
			count["over"]++
			continue
		}
		if (open != 0) wrong("results", job, asked[job] " stops, " result[job] + 0 " ends")
	}
	count["planned"] = planned
	count["mean_s"] = count["back"] ? int(sum / count["back"]) : 0
	count["most_s"] = most
	split("jobs begin step completed cancelled asked planned refused back late deaf ended " \
		"over ghosts purged forgotten mean_s most_s", names, " ")
	for (i = 1; i in names; i++) print names[i], count[names[i]] + 0
	split("disagreed lost steps untold results", names, " ")
	for (i = 1; i in names; i++) print "bad_" names[i], bad[names[i]] + 0
}
