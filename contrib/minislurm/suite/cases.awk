# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the cases of what pytest -v said: -v test=NAME -v rc=EXIT-STATUS-OF-PYTEST -v list=FILE
#
# Prints "pass|fail|skip CASE WHY", with tabs between, each case once with the worst that was
# said of it: a case that passed may fail when it is torn down. Of a case on the list a failure
# says nothing.

BEGIN {
	FS = "\t"
	verdict["PASSED"] = verdict["XFAIL"] = "pass"
	verdict["FAILED"] = verdict["ERROR"] = verdict["XPASS"] = "fail"
	verdict["SKIPPED"] = "skip"
	while ((getline line < list) > 0) {
		if (line ~ /^test_[0-9_]+::/) {
			name = line
			sub(/ .*/, "", name)
			sub(/^[^ ]+ /, "", line)
			known[name] = line
		}
	}
}

# what the list says of all cases that begin like this one
function excuse(name,    begin) {
	for (begin in known)
		if (index(name, begin) == 1)
			return known[begin]
	return ""
}

function note(name, result, reason) {
	if (!(name in results))
		order[++count] = name
	if (results[name] == "fail")
		return
	results[name] = result
	why[name] = reason
	if (result == "fail" && excuse(name) != "") {
		results[name] = "skip"
		why[name] = excuse(name)
	}
}

# A line begins with the case when that begins; its verdict is the last word, or followed by
# a reason in parentheses.
/^tests\/test_[0-9_]+\.py::/ {
	name = $0
	sub(/^tests\//, "", name)
	sub(/\.py::/, "::", name)
	if (!match(name, / (PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED)( \(.*\))?$/)) {
		sub(/ +$/, "", name)
		cut = name # the last one that began
		next
	}
	tail = substr(name, RSTART + 1)
	name = substr(name, 1, RSTART - 1)
	word = tail
	sub(/ .*/, "", word)
	sub(/^[A-Z]+ *\(?/, "", tail)
	sub(/\)$/, "", tail)
	cut = ""
	note(name, verdict[word], tail)
}

# the whole file
/^SKIPPED \[[0-9]+\] / && !count { skipped = $0 }

END {
	if (cut != "")
		note(cut, "fail", "did not end in time")
	else if (rc == 5 && !count)
		note(test, "skip", skipped)
	else if (rc == "none" || rc > 5 || (rc > 0 && !count))
		note(test, "fail", "pytest ended with status " rc)
	for (i = 1; i <= count; i++)
		print results[order[i]] "\t" order[i] "\t" why[order[i]]
}
