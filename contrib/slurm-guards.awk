# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the work of contrib/slurm-guards: the messages of C files, against the rows of a table.

# The name by which guards.tsv calls a file.
function short(path) {
	if (path ~ /slurmctld\/read_config/)
		return "ctld"
	if (path ~ /plugins\/topology\//) {
		sub(/.*plugins\/topology\//, "", path)
		sub(/\/.*/, "", path)
		return path == "3d_torus" ? "torus" : path == "common" ? "topology" : path
	}
	sub(/.*\//, "", path)
	sub(/\.c$/, "", path)
	return path == "partition_mgr" ? "partition" : path
}

# The strings that TEXT, behind the parenthesis of a call, begins with, joined; or how it begins.
function message(text,    joined, piece) {
	joined = ""
	while (match(text, /^([ \t\n]|PRI[a-z0-9A-Z]+)*"([^"\\]|\\.)*"/)) {
		piece = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		sub(/^[^"]*"/, "", piece)
		sub(/"$/, "", piece)
		joined = joined piece
	}
	return joined
}

function scan(file, text,    said) {
	while (match(text, /[^A-Za-z0-9_"](fatal|fatal_abort|error|error_in_daemon)[ ]*\(/)) {
		text = substr(text, RSTART + RLENGTH)
		said = message(text)
		if (said != "" && !((file, said) in seen)) {
			seen[file, said] = 1
			files[++count] = file
			texts[count] = said
		}
	}
}

# The row whose message is the longest that TEXT begins with; 0: none.
function row_of(file, text,    i, best) {
	best = 0
	for (i = 1; i <= rows; i++)
		if (row_file[i] == file && index(text, row_text[i]) == 1 &&
		    (!best || length(row_text[i]) > length(row_text[best])))
			best = i
	return best
}

BEGIN {
	FS = "\t"
	while ((getline < table) > 0) {
		if (/^#/ || ($2 != "all" && $2 != release))
			continue
		row_file[++rows] = $1
		row_text[rows] = $3
		row_finding[rows] = $4
	}
	FS = " "
}

{
	all[FILENAME] = all[FILENAME] $0 "\n"
}

FNR == 1 {
	order[++read] = FILENAME
}

END {
	for (i = 1; i <= read; i++)
		scan(short(order[i]), all[order[i]])
	for (i = 1; i <= count; i++) {
		row = row_of(files[i], texts[i])
		if (!row) {
			print release ": no row: " files[i] ": " texts[i]
			bad = 1
			continue
		}
		used[row] = 1
		if (row_finding[row] != "-")
			alone++
		if (row_finding[row] != "-" && row_finding[row] != "open")
			found++
	}
	for (i = 1; i <= rows; i++)
		if (!(i in used)) {
			print release ": no message: " row_file[i] ": " row_text[i]
			bad = 1
		}
	printf "%s: %d messages, %d by a file alone, %d of these found\n", release, count, alone,
		found
	exit bad
}
