# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what became of the jobs of a round of rivals under stock and under Leeway
#
# Reads round.tsv, then of stock and then of leeway start, submitted.tsv, sacct.psv, broken.txt
# and left.txt. Wants horizon_s. Prints lines of tabs: "difference" or "note", the job's number
# and what it is; both sides' records and the words follow with a tab before each.

BEGIN {
	FS = "\t"
	slack_s = 2400
}

function tell(kind, n, what, key) {
	print kind "\t" n "\t" what
	print "\t" user[n] ": sbatch " words[n] (touched[n] == "" ? "" : "  ..." touched[n])
	if (key == "") return
	print "\tstock:  " record["stock", key]
	print "\tleeway: " record["leeway", key]
}

FNR == 1 && FILENAME ~ /round.tsv$/ { round = 1 }
FNR == 1 && FILENAME !~ /round.tsv$/ {
	round = 0
	side = FILENAME ~ /\/stock\/[^\/]*$/ ? "stock" : "leeway"
}
round {
	if ($1 != "do") next
	if ($3 > 0) {
		user[$3] = $4
		words[$3] = $6
		run[$3] = $5
		jobs = $3 > jobs ? $3 : jobs
	} else if (match($6, /\{[0-9]+\}/))
		touched[substr($6, RSTART + 1, RLENGTH - 2)] = \
			touched[substr($6, RSTART + 1, RLENGTH - 2)] " " $2 ": " $6
	next
}
FILENAME ~ /start$/ { start[side] = $1; next }
FILENAME ~ /submitted.tsv$/ {
	id[side, $1] = $2
	said[side, $1] = $7
	n_of[side, $2] = $1
	next
}
FILENAME ~ /broken.txt$/ { ++breaks[side, $2]; broken[side, $1, $2] = $3; next }
FILENAME ~ /left.txt$/ {
	match($0, /Reason=[^ ]*/)
	text = substr($0, RSTART, RLENGTH)
	match($0, /JobId=[0-9]+/)
	reason[side, substr($0, RSTART + 6, RLENGTH - 6)] = text
	next
}
FNR == 1 { count = split($0, head, "|"); for (i = 1; i <= count; i++) at[head[i]] = i; next }
{
	split($0, f, "|")
	name = base = f[at["JobID"]]
	sub(/[_+.].*/, "", base)
	if (!((side, base) in n_of)) next
	n = n_of[side, base]
	key = n substr(name, length(base) + 1)
	keys[key] = n
	begin = f[at["Start"]]
	if (begin ~ /^[0-9]+$/ && f[at["NodeList"]] !~ /None/) {
		began[side, key] = begin - start[side]
		runs[side, key]++
		got[side, key] = f[at["AllocTRES"]]
		limit[side, key] = f[at["TimelimitRaw"]]
		if (first[side, n] == "" || begin - start[side] < first[side, n])
			first[side, n] = begin - start[side]
	}
	state[side, key] = f[at["State"]]
	sub(/ .*/, "", state[side, key])
	if (f[at["State"]] ~ /PREEMPTED/) preempted[side]++
	record[side, key] = name " " f[at["State"]] " " began[side, key] "-" \
		(f[at["End"]] - start[side]) " " f[at["NodeList"]] " " f[at["AllocTRES"]] \
		" limit " f[at["TimelimitRaw"]] " " f[at["Partition"]] " " f[at["QOS"]] " " \
		f[at["Reservation"]] " " reason[side, f[at["JobIDRaw"]]] " runs " runs[side, key]
}

# What nobody had a hand in must end alike.
function ends_alike(n, key,  a, b) {
	a = state["stock", key]
	b = state["leeway", key]
	if (a == b || a == "") return 1
	# who waits for another's fate shares it, whom others push out or the horizon cuts is chance
	if (touched[n] != "" || words[n] ~ /dependency|deadline|time-min/) return 1
	# minutes here are a second or two of the machine's time
	if (a b ~ /TIMEOUT/ && a b ~ /COMPLETED/ && limit["stock", key] * 60 - run[n] < 150 && \
		run[n] - limit["stock", key] * 60 < 150)
		return 1
	return a a b b ~ /PREEMPTED|CANCELLED|RUNNING|PENDING|REQUEUED|SUSPENDED/
}
# Whether somebody whose fate it waits for, or a reservation, was there in time may be chance.
function hangs(n,  text) {
	text = words[n]
	if (text ~ /--reservation=/) return 1
	while (match(text, /dependency=[a-z]+:\{[0-9]+\}/)) {
		text = substr(text, RSTART, RLENGTH)
		gsub(/[^0-9]/, "", text)
		if (state["stock", text] != state["leeway", text] || hangs(text)) return 1
		text = words[text]
	}
	return 0
}
# The request says what is had, if how many nodes is no matter of choice.
function fixed(n) {
	return words[n] !~ /prefer|nodes=[0-9]+[-,]|mem=0|spread|exclusive|core-spec| : / && \
		touched[n] !~ /numnodes|partition|licenses|features/ && \
		words[n] !~ /partition=[a-z]+,/ && \
		words[n] ~ /nodes=[0-9]/ && words[n] !~ /alone|--mem=|gres-flags/
}
function judge(key, n,  a, b) {
	a = began["stock", key]
	b = began["leeway", key]
	if (a != "" && b == "") {
		# who is an array's rest has another name while it waits
		tell(a < end_s && state["leeway", key] !~ /DEADLINE/ && \
			touched[n] !~ /scancel|hold|suspend|requeue|top/ && !hangs(n) ? \
			"difference" : "note", n, "started by stock alone", key)
	} else if (a == "" && b != "")
		tell("note", n, "started by leeway alone", key)
	else if (a != "" && b != "") {
		if (b > a + slack_s) tell("note", n, "started " b - a " s later", key)
		if (!ends_alike(n, key)) tell("difference", n, "ended otherwise", key)
		if (limit["stock", key] != limit["leeway", key] && \
			words[n] !~ /time-min|deadline|partition=[^ ]*short/ && \
			touched[n] !~ /timelimit|partition/)
			tell("difference", n, "another limit", key)
		if ((got["stock", key] ~ /billing/) != (got["leeway", key] ~ /billing/))
			tell("difference", n, "billed on one side alone", key)
		else if (fixed(n) && got["stock", key] != got["leeway", key])
			tell("difference", n, "other resources", key)
		else if (got["stock", key] != got["leeway", key])
			tell("note", n, "other resources", key)
	}
}

END {
	end_s = horizon_s - slack_s
	for (n = 1; n <= jobs; n++) {
		if ((("stock", n) in id) != (("leeway", n) in id))
			tell("note", n, "what it waits for was refused on one side")
		else if ((id["stock", n] == "-") != (id["leeway", n] == "-"))
			# what asks for nodes that are busy is taken unlooked at
			tell(said["stock", n] said["leeway", n] ~ /configuration is not/ ? \
				"note" : "difference", n, \
				"stock: " said["stock", n] ", leeway: " said["leeway", n])
		for (rule in rules) delete rules[rule]
		for (i in broken) {
			split(i, part, SUBSEP)
			if (part[1] == "leeway" && part[2] == n)
				tell(breaks["stock", part[3]] ? "note" : "difference", n, \
					"breaks " part[3] ": " broken[i])
		}
	}
	for (key in keys)
		if (id["stock", keys[key]] != "-" && id["leeway", keys[key]] != "-")
			judge(key, keys[key])
	for (i in id) {
		split(i, part, SUBSEP)
		if (id[i] != "-") taken[part[1]]++
	}
	for (i in began) {
		split(i, part, SUBSEP)
		started[part[1]]++
		if (began[i] ~ /^[0-9]+$/) { waited[part[1]] += began[i] }
	}
	for (n = 1; n <= 2; n++) {
		side = n == 1 ? "stock" : "leeway"
		printf "count\t%s\t%d of %d submissions taken, %d starts, %d preempted, " \
			"mean start %d s\n", side, taken[side], jobs, started[side], \
			preempted[side], started[side] ? waited[side] / started[side] : 0
	}
}
