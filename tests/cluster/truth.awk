# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: judges for truth.t what leeway when said of jobs by what became of them
#
# Reads, with the variable file from 1 to 3: ids of jobs that were changed while they waited; what
# leeway when --all --json said, each time behind a line "at SECONDS" (gate-storm said); rows of
# sacct: JobID|State|Start|AdminComment, with a second row for each requeue. Variable slack_s: a
# start later by so much is one in time. Writes NAME VALUE lines, and "# " lines for the reader.
# Arrays and het jobs are not judged: one statement is of all tasks.
function value(line) {
	sub(/^[^:]*: /, "", line)
	sub(/,$/, "", line)
	return line == "null" ? "" : line
}
function fault(what) {
	faults++
	print "# job " job " at " at ": " what
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
file == 1 { changed[$1] = 1; next }
file == 2 && $1 == "at" { at = $2; next }
file == 2 && $1 == "\"job\":" {
	job = value($0)
	gsub(/"/, "", job)
	split("", now)
	next
}
file == 2 && match($1, /^"[a-z_]+":$/) {
	now[substr($1, 2, length($1) - 3)] = value($0)
	if ($1 == "\"stale\":")
		keep()
	next
}
file == 3 {
	split($0, row, "|")
	rows[row[1]]++
	state[row[1]] = row[2]
	start[row[1]] = row[3]
	past[row[1]] = row[4]
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
		if (item[1] ~ /^[swx]$/ && base + item[2] >= from)
			return 1
		if (item[1] == "d")
			return 1
	}
	return 0
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
	print "statements", said + 0
	print "jobs", jobs + 0
	print "judged", judged + 0
	print "kept", kept + 0
	print "kept_share", judged ? kept / judged : 0
	print "with_cause", caused + 0
	print "missed_first", missed + 0
	print "faults", faults + 0
	print "wrong_never", wrong + 0
}
