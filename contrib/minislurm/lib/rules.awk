# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what one cluster of rivals did that must never be, by its accounting records
#
# Reads round.tsv, start, submitted.tsv, done.tsv, reservations.txt and sacct.psv of that side, in
# this order; wants nodes and cpus. Prints a line each of tabs: job's number, rule, what happened.

function broken(row, rule, what) {
	print number[row] "\t" rule "\t" what
}
# option NAME: its value in the words of job n, the first of several; "" if it is not there
function option(n, name,  text, at) {
	text = " " words[n] " "
	sub(/ : .*/, " ", text)
	at = index(text, " --" name "=")
	if (!at)
		return ""
	text = substr(text, at + length(name) + 4)
	sub(/ .*/, "", text)
	return text
}
function has(n, flag) { return words[n] ~ "--" flag "( |=|$)" }
# "n[1-3,5]" or "n1,n2" to set[]
function expand(list, set,  parts, ends, count, i, k) {
	split("", set)
	gsub(/[^-,0-9]/, "", list)
	count = split(list, parts, ",")
	for (i = 1; i <= count; i++) {
		split(parts[i], ends, "-")
		for (k = ends[1] + 0; k <= (ends[2] == "" ? ends[1] : ends[2]) + 0; k++)
			if (k) set[k] = 1
	}
}
function meet(a, b) { return begin[a] < end[b] && begin[b] < end[a] }

BEGIN { FS = "\t" }

FILENAME ~ /round.tsv$/ {
	if ($1 == "conf" && $2 ~ /^PartitionName=/) {
		split($2, part_word, " ")
		part = substr(part_word[1], 15)
		if ($0 ~ /OverSubscribe=EXCLUSIVE/) alone[part] = 1
		if ($0 ~ /OverSubscribe=(FORCE|YES)/) shares[part] = 1
		if ($0 ~ /ExclusiveUser=YES/) of_user[part] = 1
		if (match($0, /MaxTime=[0-9]+/))
			most[part] = substr($0, RSTART + 8, RLENGTH - 8)
		if (match($0, /MaxNodes=[0-9]+/))
			widest[part] = substr($0, RSTART + 9, RLENGTH - 9)
		if (match($0, / Nodes=[^ ]+/)) {
			text = substr($0, RSTART + 7, RLENGTH - 7)
			if (text != "ALL") part_nodes[part] = text
		}
	}
	if ($1 == "conf" && $2 ~ /PreemptMode=SUSPEND/) gang = 1
	if ($2 == "--lesser") lesser = $3
	next
}
FILENAME ~ /start$/ { start = $1; next }
FILENAME ~ /end$/ { next }
FILENAME ~ /submitted.tsv$/ {
	words[$1] = $6
	if ($2 != "-") { n_of[$2] = $1; id_of[$1] = $2; came[$1] = $3; user_of[$1] = $4 }
	next
}
FILENAME ~ /done.tsv$/ {
	if (match($2, /\{[0-9]+\}/)) {
		n = substr($2, RSTART + 1, RLENGTH - 2)
		touched[n] = touched[n] " " $2
		if ($2 ~ /release/) released[n] = released[n] ? released[n] : $1
	}
	if ($2 == "resume-all") calm = $1
	next
}
FILENAME ~ /reservations.txt$/ {
	if (!match($0, /ReservationName=[^ ]+/)) next
	name = substr($0, RSTART + 16, RLENGTH - 16)
	match($0, /StartTime=[0-9]+/)
	r_start[name] = substr($0, RSTART + 10, RLENGTH - 10)
	match($0, /EndTime=[0-9]+/)
	r_end[name] = substr($0, RSTART + 8, RLENGTH - 8)
	match($0, / Nodes=[^ ]+/)
	r_nodes[name] = substr($0, RSTART + 7, RLENGTH - 7)
	match($0, / Flags=[^ ]*/)
	r_flags[name] = substr($0, RSTART + 7, RLENGTH - 7)
	r_cores[name] = /CoreID/
	next
}
FNR == 1 { count_of = split($0, head, "|"); for (i = 1; i <= count_of; i++) at[head[i]] = i; next }
{
	split($0, f, "|")
	begins = f[at["Start"]]
	ends = f[at["End"]]
	if (begins !~ /^[0-9]+$/ || ends !~ /^[0-9]+$/ || f[at["NodeList"]] ~ /None/) next
	base = f[at["JobID"]]
	sub(/[_+.].*/, "", base)
	if (!(base in n_of)) next
	rows++
	id[rows] = f[at["JobID"]]
	number[rows] = n_of[base]
	begin[rows] = begins + 0
	end[rows] = ends + 0
	state[rows] = f[at["State"]]
	list[rows] = f[at["NodeList"]]
	limit[rows] = f[at["TimelimitRaw"]]
	taken[rows] = f[at["NCPUS"]]
	wide[rows] = f[at["NNodes"]]
	partition[rows] = f[at["Partition"]]
	quality[rows] = f[at["QOS"]]
	within[rows] = f[at["Reservation"]]
	user[rows] = f[at["User"]]
	got[rows] = f[at["AllocTRES"]]
	idle[rows] = f[at["Suspended"]] != "00:00:00"
	het[rows] = id[rows] ~ /\+[1-9]/
	if (!first[number[rows]] || begin[rows] < first[number[rows]])
		first[number[rows]] = begin[rows]
	if (end[rows] > last[number[rows]]) last[number[rows]] = end[rows]
}

function check_begin(r, n,  text) {
	text = option(n, "begin")
	if (text ~ /^now\+[0-9]+$/ && n in came && begin[r] < came[n] + substr(text, 5) - 2 && \
		touched[n] !~ /starttime/)
		broken(r, "begin", id[r] " started " came[n] + substr(text, 5) - begin[r] \
			" s early")
	if (has(n, "hold") && begin[r] < (n in released ? released[n] : calm) - 1)
		broken(r, "hold", id[r] " started though held")
}
function check_dependency(r, n,  text, part, other, o) {
	text = option(n, "dependency")
	if (touched[n] ~ /dependency/) return
	if (text == "singleton") {
		for (o = 1; o <= rows; o++)
			if (number[o] != n && user[o] == user[r] && meet(o, r) && \
				option(number[o], "job-name") == option(n, "job-name"))
				if (number[o] < number[r] || words[number[o]] ~ /singleton/)
					broken(r, "singleton", id[r] " ran beside " id[o])
		return
	}
	if (split(text, part, ":") < 2) return
	other = part[2]
	gsub(/[{}]/, "", other)
	if (other ~ /\+/) {
		split(other, part, "+")
		if (part[1] in first && begin[r] < first[part[1]] + 60 * part[2] - 2)
			broken(r, "dependency", id[r] " started before " text)
	} else if (text ~ /^after:/) {
		if (other in first && begin[r] < first[other])
			broken(r, "dependency", id[r] " started before " text)
	} else if (other in last && begin[r] < last[other] && !requeued[other])
		broken(r, "dependency", id[r] " started before the end of " text)
}
# so many at once: those that run when this one starts
function check_array(r, n,  text, o, others) {
	text = option(n, "array")
	if (text !~ /%/ || touched[n] ~ /arraytaskthrottle/) return
	sub(/.*%/, "", text)
	for (o = 1; o <= rows; o++)
		if (number[o] == n && begin[o] <= begin[r] && end[o] > begin[r]) others++
	if (others > text + 0)
		broken(r, "array", id[r] ": " others " tasks at once of " text)
}
function licence_count(n, name,  text) {
	text = option(n, "licenses")
	if (touched[n] ~ /licenses=/) return name == "lm" ? 1 : 0
	return text ~ "^" name ":" ? substr(text, length(name) + 2) + 0 : 0
}
function check_licences(r, n, name, total,  o, used) {
	if (!licence_count(n, name)) return
	for (o = 1; o <= rows; o++)
		if (!het[o] && !idle[o] && begin[o] <= begin[r] && end[o] > begin[r] && \
			touched[number[o]] !~ /licenses=/)
			used += licence_count(number[o], name)
	if (used > total) broken(r, "licence", id[r] ": " used " of " name)
}
function check_qos(r,  o, others, used) {
	if (quality[r] != "capped" && quality[r] != "group") return
	for (o = 1; o <= rows; o++) {
		if (quality[o] != quality[r] || begin[o] > begin[r] || end[o] <= begin[r] || \
			idle[o] || touched[number[o]] ~ /qos=/)
			continue
		if (user[o] == user[r]) others++
		used += taken[o]
	}
	if (quality[r] == "capped" && others > 2)
		broken(r, "qos", id[r] ": " others " jobs at once of two")
	if (quality[r] == "group" && used > cpus)
		broken(r, "qos", id[r] ": " used " CPUs of " cpus)
}
# What its component asked for, of a het job.
function own_words(r,  parts) {
	if (id[r] !~ /\+/) return words[number[r]]
	split(words[number[r]], parts, " : ")
	return parts[substr(id[r], index(id[r], "+") + 1) + 1]
}
# From whom does it keep its nodes? "all", "users" or nobody
function keeps(r,  text) {
	text = own_words(r)
	if (partition[r] in alone || text ~ /--exclusive( |$)/) return "all"
	if (partition[r] in of_user || text ~ /--exclusive=user/) return "users"
	return ""
}
function check_own(r,  o, k, mine, other) {
	if (keeps(r) == "" || idle[r] || gang) return
	expand(list[r], mine)
	for (o = 1; o <= rows; o++) {
		if (o == r || !meet(o, r) || idle[o] || number[o] == number[r]) continue
		if (keeps(r) == "users" && user[o] == user[r]) continue
		expand(list[o], other)
		for (k in other)
			if (k in mine)
				broken(r, "own", id[r] " has n" k " beside " id[o])
	}
}
function check_nodes(r, n,  text, mine, other, k) {
	expand(list[r], mine)
	if (touched[n] ~ /excnodelist|partition=|numnodes|features/) return
	if ((text = option(n, "exclude")) != "" && !het[r]) {
		expand(text, other)
		for (k in other) if (k in mine) broken(r, "exclude", id[r] " has n" k)
	}
	if ((text = option(n, "nodelist")) != "" && !het[r] && \
		words[n] !~ /--(ntasks|nodes|exclude)=/) {
		expand(text, other)
		for (k in other) if (!(k in mine)) broken(r, "nodelist", id[r] " lacks n" k)
	}
	if (partition[r] in part_nodes) {
		expand(part_nodes[partition[r]], other)
		for (k in mine)
			if (!(k in other)) broken(r, "partition", id[r] " has n" k)
	}
	if (partition[r] in widest && wide[r] > widest[partition[r]])
		broken(r, "partition", id[r] " has " wide[r] " nodes")
	if (has(n, "contiguous") && !het[r]) {
		text = 0
		for (k in mine) if ((k - 1) in mine == 0) text++
		if (text > 1) broken(r, "contiguous", id[r] " has " list[r])
	}
}
function check_limit(r, n) {
	if (partition[r] in most && limit[r] > most[partition[r]] && quality[r] != "long" && \
		touched[n] !~ /timelimit|partition/)
		broken(r, "maxtime", id[r] " has " limit[r] " min")
}
# who is of no reservation does not run into one, nor the others beside theirs
function check_reservation(r, n,  name, mine, theirs, k, latest, earliest) {
	if (touched[n] ~ /timelimit/) return
	expand(list[r], mine)
	for (name in r_start) {
		if (within[r] == name) {
			if (r_flags[name] !~ /FLEX/ && (begin[r] < r_start[name] || \
				(begin[r] >= r_end[name] && r_flags[name] !~ /DAILY/)))
				broken(r, "reservation", id[r] " not in the time of " name)
			continue
		}
		if (r_flags[name] ~ /FLOAT/ || r_cores[name]) continue
		if (within[r] != "" && r_flags[name] ~ /OVERLAP|MAINT/) continue
		latest = begin[r] + 60 * limit[r]
		if (begin[r] >= r_end[name] || latest <= r_start[name] || r_flags[name] ~ /FLEX/)
			continue
		expand(r_nodes[name], theirs)
		for (k in mine)
			if (k in theirs)
				broken(r, "reservation", id[r] " has n" k " of " name " from " \
					begin[r] - start " s on, which is " r_start[name] - start \
					" to " r_end[name] - start)
	}
}
function check_cpus(r,  o, k, mine, other, used) {
	if (gang || wide[r] != 1 || partition[r] in shares || idle[r]) return
	expand(list[r], mine)
	for (k in mine) break
	for (o = 1; o <= rows; o++) {
		if (begin[o] > begin[r] || end[o] <= begin[r] || idle[o] || \
			partition[o] in shares)
			continue
		expand(list[o], other)
		if (k in other) used += wide[o] == 1 ? taken[o] : 1
	}
	if (used > (k > nodes - lesser ? cpus / 2 : cpus))
		broken(r, "cpus", id[r] ": " used " CPUs of n" k)
}
# They start one after the other, in one hold of the locks, each at its own time of day: a second of
# a fast clock may pass there. The next plan is later than that.
function check_het(r,  o, a, b, apart) {
	a = id[r]
	if (a !~ /\+0$/) return
	sub(/\+.*/, "", a)
	for (o = 1; o <= rows; o++) {
		b = id[o]
		sub(/\+.*/, "", b)
		apart = begin[o] > begin[r] ? begin[o] - begin[r] : begin[r] - begin[o]
		if (o != r && a == b && id[o] ~ /\+/ && state[o] == state[r] && \
			state[r] == "COMPLETED" && apart > 2)
			broken(r, "het", id[r] " and " id[o] ": " apart " s apart")
	}
}

END {
	for (r = 1; r <= rows; r++)
		if (state[r] ~ /REQUEUED|PREEMPTED|NODE_FAIL/) requeued[number[r]] = 1
	for (r = 1; r <= rows; r++) {
		n = number[r]
		check_begin(r, n)
		check_dependency(r, n)
		check_array(r, n)
		check_licences(r, n, "tool", 4)
		check_licences(r, n, "lm", 2)
		check_qos(r)
		check_own(r)
		check_nodes(r, n)
		check_limit(r, n)
		check_reservation(r, n)
		check_cpus(r)
		check_het(r)
	}
}
