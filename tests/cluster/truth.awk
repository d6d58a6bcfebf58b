# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: judges for truth.t what leeway when said of jobs by what became of them
#
# Reads, with the variable file from 1 to 5: ids of jobs that were changed while they waited; what
# the administrator did to delay others; what leeway when --all --json said, each time behind a line
# "at SECONDS"; rows of sacct: JobID|State|Start|End|JobIDRaw|AdminComment, with a row for each
# requeue; what became of changes that would start a job (all but sacct by gate-storm). Variable
# slack_s: a start later by so much is one in time. Writes NAME VALUE lines, and "# " lines for the
# reader. Starts and causes of arrays and het jobs are not judged: one statement is of all tasks.
function value(line) {
	sub(/^[^:]*: /, "", line)
	sub(/,$/, "", line)
	return line == "null" ? "" : line
}
function fault(what) {
	faults++
	print "# job " job " at " at ": " what
}
# Was a node drained between FROM_S and TO_S?
function lacked_node(from_s, to_s,    i) {
	for (i = 1; i <= drains; i++)
		if (drained[i] <= to_s && (!resumed[i] || resumed[i] >= from_s))
			return 1
	return 0
}
# Does WHY say what REASON of Slurm's own says? Where that is room, the plan has a better one.
function says_so(why, reason,    i, names, words) {
	split("BeginTime JobHeld JobHeldAdmin DependencyNever Dependency Licenses " \
		"JobArrayTaskLimit ReqNodeNotAvail PartitionNodeLimit PartitionTimeLimit",
		names, " ")
	split("begin time|held|holds it|never|waits for other|licence|tasks of its array|" \
		"nodes that it asks for|its partition allows|its partition allows", words, "|")
	for (i = 1; i in names; i++)
		if (reason ~ names[i] && index(why, words[i]))
			return 1
	if (reason ~ /^"(Resources|Priority|Nodes required)/)
		return now["plan_reason"] !~ /begin-time|after-job|not-ready/
	gsub(/"/, "", reason)
	return index(why, reason)
}
# Does what is told agree with Slurm's own reason? One that Slurm gave when a node was drained, and
# that is back, is out of date, and any that Slurm renews within a cycle.
function compare(    reason) {
	reason = now["slurm_reason"]
	if (reason == "" || reason ~ /^"?planned /)
		return
	if (reason ~ /Nodes required/ && !lacked_node(at - slack_s, at)) {
		outdated++
		return
	}
	compared++
	if (says_so(now["why"], reason)) {
		delete unlike_since[job]
		return
	}
	if (!(job in unlike_since))
		unlike_since[job] = at
	if (at - unlike_since[job] <= slack_s)
		return
	disagreed++
	if (!((reason, now["why"]) in shown))
		print "# job " job " at " at ": Slurm says " reason ", leeway why " now["why"]
	shown[reason, now["why"]] = 1
}
# What cannot be true together, whatever comes later.
function judge_now(    reason) {
	said++
	reason = now["slurm_reason"]
	if (now["never"] == "true" && now["planned_start_s"] != "")
		fault("it never starts, and is planned for " now["planned_start_s"])
	if (now["planned_start_s"] != "" &&
	    reason ~ /JobHeld|NeverSatisfied|PerJob|PartitionTimeLimit/)
		fault("Slurm says " reason ", and it is planned for " now["planned_start_s"])
	if (now["latest_start_s"] != "" && now["promise_fault"] == "" &&
	    now["planned_start_s"] > now["latest_start_s"] + 60)
		fault("it is planned after its promise, and that is not said")
	if (now["deadline"] ~ /met|accepted/ && now["planned_start_s"] > now["deadline_s"])
		fault("it is planned after its deadline, which is called met")
}
function keep() {
	compare()
	note_move()
	if (job ~ /[_+]/)
		return
	judge_now()
	if (now["never"] == "true")
		never[job] = at
	if (now["planned_start_s"] == "")
		return
	n = ++count[job]
	when[job, n] = at
	planned[job, n] = now["planned_start_s"] + 0
}
# Moves of planned starts to later ones, and of what is before a job.
function note_move(    start_s) {
	start_s = now["planned_start_s"]
	if (job in last_start && start_s > last_start[job] + 60) {
		moved[++moves] = at
		mover[moves] = job
	}
	if (job in last_after && now["after_job"] != last_after[job])
		other_after[job] = other_after[job] " " at
	if (job in last_before && now["before"] > last_before[job])
		more_before[job] = more_before[job] " " at
	if (now["plan_reason"] == "\"accepted\"")
		accepted[job] = accepted[job] " " at
	if (now["as_of_s"] != "" && now["as_of_s"] > last_plan)
		plans[++plan_count] = last_plan = now["as_of_s"] + 0
	if (start_s != "")
		last_start[job] = start_s + 0
	last_after[job] = now["after_job"]
	last_before[job] = now["before"] + 0
}
file == 1 { changed[$1] = 1; next }
file == 2 && $2 == "drain" { drained[++drains] = $1; next }
# one at a time is drained
file == 2 && $2 == "resume" { resumed[drains] = $1; next }
file == 2 { longer[++longers] = $1; which[longers] = $3; next }
file == 3 && $1 == "at" { at = $2; next }
file == 3 && $1 == "\"job\":" {
	job = value($0)
	gsub(/"/, "", job)
	split("", now)
	next
}
file == 3 && match($1, /^"[a-z_]+":$/) {
	now[substr($1, 2, length($1) - 3)] = value($0)
	if ($1 == "\"stale\":")
		keep()
	next
}
file == 4 {
	split($0, row, "|")
	rows[row[1]]++
	state[row[1]] = row[2]
	start[row[1]] = row[3]
	past[row[1]] = row[6]
	begins[++runs] = row[3] + 0
	ends[runs] = row[4] ~ /^[0-9]+$/ ? row[4] + 0 : 1e12
	timed_out[runs] = row[2] == "TIMEOUT"
	runs_of[row[5]] = runs_of[row[5]] " " runs
	next
}
match($0, /"as_of_s": [0-9]+/) { as_of = substr($0, RSTART + 11, RLENGTH - 11); next }
# One that does not start at once may have been overtaken: another job has started since that was
# said, up to the first plan that has the change.
/^[0-9]/ {
	tried++
	# it may start before the command that changes it has returned
	if ($5 ~ /^(RUNNING|COMPLET|TIMEOUT)/ && first_start($1, as_of) <= $2 + slack_s)
		next
	if ($5 != "REFUSED" && is_overtaken($1, as_of + 1, plan_after($2) + slack_s / 4) &&
	    ++overtaken)
		next
	vain++
	print "# job " $1 ", changed at " $2 " (" $4 "), was " $5 " at " $3
}
# When JOB first started after AT_S, by accounting.
function first_start(job, at_s,    n, i, list, first) {
	n = split(runs_of[job], list, " ")
	first = at_s + 1e6
	for (i = 1; i <= n; i++)
		if (begins[list[i]] >= at_s - 1 && begins[list[i]] < first)
			first = begins[list[i]]
	return first
}
function plan_after(at_s,    i) {
	for (i = 1; i <= plan_count; i++)
		if (plans[i] >= at_s)
			return plans[i]
	return at_s
}
# Has another job than JOB started between FROM_S and TO_S, and before it?
function is_overtaken(job, from_s, to_s,    i, own_s) {
	own_s = first_start(job, from_s)
	for (i = 1; i <= runs; i++)
		if (begins[i] >= from_s && begins[i] <= to_s && begins[i] < own_s)
			return 1
	return 0
}
# Did it start, as it was submitted? A job that never had nodes may have a start, too.
function has_begun(job) {
	return !(job in changed) && start[job] ~ /^[0-9]+$/ && state[job] !~ /CANCELLED|DEADLINE/
}
# Is there an event in the past of JOB, at FROM or later, that tells why it started later?
function has_cause(job, from,    items, n, i, item, base) {
	if (!match(past[job], /leeway:past=[^ ]*/))
		return 0
	n = split(substr(past[job], RSTART, RLENGTH), items, ",")
	for (i = 1; i <= n; i++) {
		split(items[i], item, "[:-]")
		if (item[1] == "t")
			base = item[2]
		if ((item[1] ~ /^[wxu]$/ || item[1] == "s" && item[4] != "o") &&
		    base + item[2] >= from)
			return 1
		if (item[1] == "d")
			return 1
	}
	return 0
}
# Is one of the times in TEXT between FROM_S and TO_S?
function is_among(text, from_s, to_s,    i, n, times) {
	n = split(text, times, " ")
	for (i = 1; i <= n; i++)
		if (times[i] >= from_s && times[i] <= to_s)
			return 1
	return 0
}
# Did a job that was given more time run at AT_S, and did it get that before?
function was_longer(at_s,    i, k, n, list) {
	for (i = 1; i <= longers; i++) {
		n = split(runs_of[which[i]], list, " ")
		for (k = 1; k <= n; k++)
			if (longer[i] <= at_s && begins[list[k]] <= at_s &&
			    ends[list[k]] >= at_s - slack_s)
				return 1
	}
	return 0
}
# Was a job past its limit at AT_S, which slurmd had still to end?
function was_overdue(at_s,    i) {
	for (i = 1; i <= runs; i++)
		if (timed_out[i] && begins[i] <= at_s && ends[i] >= at_s - slack_s)
			return 1
	return 0
}
function has_moved(job, from_s, to_s,    i) {
	for (i = 1; i <= moves; i++)
		if (mover[i] != job && moved[i] >= from_s && moved[i] <= to_s)
			return 1
	return 0
}
function has_begun_between(from_s, to_s,    i) {
	for (i = 1; i <= runs; i++)
		if (begins[i] >= from_s && begins[i] <= to_s)
			return 1
	return 0
}
function has_ended_between(from_s, to_s,    i) {
	for (i = 1; i <= runs; i++)
		if (ends[i] >= from_s && ends[i] <= to_s)
			return 1
	return 0
}
# Is CAUSE, recorded at AT_S, true? A word is written every ten minutes at the latest.
function is_true(job, cause, at_s,    from_s, to_s) {
	from_s = at_s - 600 - slack_s
	to_s = at_s + slack_s
	if (cause == "n")
		return lacked_node(at_s - slack_s, to_s)
	if (cause == "e")
		return was_longer(to_s) || was_overdue(at_s)
	if (cause == "b")
		return is_among(more_before[job], from_s, to_s) || has_begun_between(from_s, to_s)
	if (cause == "p")
		return has_moved(job, from_s, to_s) || has_begun_between(from_s, to_s)
	if (cause == "a")
		return is_among(other_after[job], from_s, to_s)
	if (cause == "c")
		return has_ended_between(from_s, to_s)
	if (cause == "d")
		return is_among(accepted[job], from_s, to_s)
	return cause == "x" && past[job] ~ /,x:/
}
function judge_causes(job,    items, n, i, item, base) {
	if (!match(past[job], /leeway:past=[^ ]*/))
		return
	n = split(substr(past[job], RSTART, RLENGTH), items, ",")
	for (i = 1; i <= n; i++) {
		split(items[i], item, "[:-]")
		if (item[1] == "t")
			base = item[2]
		if (item[1] != "s")
			continue
		recorded[item[4]]++
		causes++
		if (item[4] == "o")
			unnamed++
		else if (!is_true(job, item[4], base + item[2]) && ++untrue)
			print "# job " job " at " base + item[2] ": untrue cause of " items[i]
	}
}
function judge(job,    i, late) {
	for (i = 1; i <= count[job]; i++) {
		late = start[job] > planned[job, i] + slack_s
		if (late && has_cause(job, when[job, i] - slack_s)) {
			caused++
			continue
		}
		judged++
		kept += !late
		if (late && i == 1) {
			missed++
			print "# job " job ": at " when[job, i] " planned for " planned[job, i] \
				", started " start[job] ", without a cause: " past[job]
		}
	}
}
END {
	for (job in count)
		if (has_begun(job) && rows[job] == 1 && ++jobs)
			judge(job)
	for (job in never)
		if (has_begun(job) && ++wrong)
			print "# job " job ", never to start at " never[job] ", did at " start[job]
	for (job in past)
		if (job !~ /[_+]/)
			judge_causes(job)
	for (cause in recorded)
		print "cause_" cause, recorded[cause]
	print "statements", said + 0
	print "jobs", jobs + 0
	print "judged", judged + 0
	print "kept", kept + 0
	print "kept_share", judged ? kept / judged : 0
	print "with_cause", caused + 0
	print "missed_first", missed + 0
	print "faults", faults + 0
	print "wrong_never", wrong + 0
	print "causes", causes + 0
	print "causes_unnamed", unnamed + 0
	print "causes_untrue", untrue + 0
	print "reasons", compared + 0
	print "reasons_outdated", outdated + 0
	print "reasons_disagree", disagreed + 0
	print "remedies", tried + 0
	print "remedies_overtaken", overtaken + 0
	print "remedies_vain", vain + 0
}
