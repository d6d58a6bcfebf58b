# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what counts against Leeway, as TAP
#
# Rows are "ROUND pass|fail|skip CASE WHY", with tabs between, ROUND one of: all, under Leeway
# beside other tests; again, what failed there, by itself; stock, what failed there as well.

BEGIN { FS = "\t" }

$1 == "stock" {
	stock[$3] = $2
	next
}

# the file of a case, which may be the whole of it
function file_of(name) {
	sub(/::.*/, "", name)
	return name
}

$1 == "again" {
	repeated[file_of($3)] = 1
	seen[$3] = 1
}

!($3 in result) { order[++count] = $3 }
{
	if ($1 == "again" && result[$3] == "fail" && $2 == "pass")
		comment[$3] = "failed beside other tests, passed by itself"
	result[$3] = $2
	why[$3] = $4
}

END {
	for (i = 1; i <= count; i++) {
		name = order[i]
		# the file was cut off, and its next run was not
		if (result[name] == "fail" && file_of(name) in repeated && !(name in seen)) {
			result[name] = "pass"
			comment[name] = why[name] " beside other tests, not by itself"
		}
		if (result[name] == "fail" && stock[name] == "fail") {
			result[name] = "skip"
			why[name] = "fails under stock as well: " why[name]
		}
		gsub(/#/, "", name)
		printf "%s %d - %s%s\n", result[order[i]] == "fail" ? "not ok" : "ok", i, name,
			result[order[i]] == "skip" ? " # SKIP " why[order[i]] : ""
		if (result[order[i]] == "fail")
			comment[order[i]] = why[order[i]]
		if (comment[order[i]] != "")
			print "# " comment[order[i]]
	}
	print "1.." count + 0
}
