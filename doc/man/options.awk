# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the section OPTIONS of a command's page, from the table of its options
#
# usage: awk -v top=SOURCES -f options.awk PAGE.1.in
#
# The line "@OPTIONS FILE@" in the page names the table, as in cli/common/options.h. It is replaced by
# all options of it, each with its sentence. Until the next section the page has only what it adds:
# lines behind "@--NAME@" to that option, lines before the first of these to all.

function fail(why) {
	print FILENAME ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/,[^ ]/, ",\\:&", text)
	gsub(/,\\:,/, ",\\:", text)
	return text
}

# A word, bold if it is an option or a page, in italics if it is one of the names of ARG's values.
function word(text, arg, before, after) {
	match(text, /^[("]*/)
	before = substr(text, 1, RLENGTH)
	text = substr(text, RLENGTH + 1)
	if (match(text, /^--?[a-z][a-z0-9-]*/) || match(text, /^[a-z.-]+\([1-8]\)/)) {
		after = substr(text, RLENGTH + 1)
		text = substr(text, 1, RLENGTH)
		if (text ~ /\)$/) {
			after = substr(text, length(text) - 2) after
			text = substr(text, 1, length(text) - 3)
		}
		return before "\\fB" roff(text) "\\fR" roff(after)
	}
	match(text, /^[A-Z]*/)
	after = substr(text, RLENGTH + 1)
	if (RLENGTH && after !~ /^[A-Za-z0-9_]/ &&
	    index(" " arg " ", " " substr(text, 1, RLENGTH) " "))
		return before "\\fI" substr(text, 1, RLENGTH) "\\fR" roff(after)
	return before roff(text)
}

# A clause of --help as a sentence of a page.
function sentence(text, arg, i, n, words, out) {
	gsub(/[^A-Z]+/, " ", arg)
	sub(/:?\n*$/, "", text)
	n = split(text, words, " ")
	if (words[1] ~ /^[a-z-]+,?$/)
		words[1] = toupper(substr(words[1], 1, 1)) substr(words[1], 2)
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? " " : "") word(words[i], arg)
	return out "."
}

# What TABLE begins with: strings, which are one. It is taken off.
function take_text(text, part) {
	text = ""
	while (match(table, /^[ \t\n]*"([^"\\]|\\.)*"/)) {
		part = substr(table, 1, RLENGTH - 1)
		sub(/^[ \t\n]*"/, "", part)
		text = text part
		table = substr(table, RLENGTH + 1)
	}
	gsub(/\\n/, "\n", text)
	gsub(/\\"/, "\"", text)
	return text
}

# An option: what it is called, and what it does.
function take_option(names, name, letter, arg, help) {
	if (!match(table, /^"[a-z0-9-]+", (0|'.'), (NULL|"[^"]*"),/))
		fail(file ": no option: " substr(table, 1, 60))
	split(substr(table, 1, RLENGTH), names, ", *")
	table = substr(table, RLENGTH + 1)
	name = substr(names[1], 2, length(names[1]) - 2)
	letter = names[2] == "0" ? "" : substr(names[2], 2, 1)
	arg = names[3] == "NULL" ? "" : substr(names[3], 2, length(names[3]) - 2)
	help = take_text()
	known[name] = ++rows
	heading[rows] = (letter == "" ? "" : "\\fB\\-" letter "\\fR, ") "\\fB\\-\\-" roff(name) "\\fR"
	if (arg ~ /^\[=/)
		heading[rows] = heading[rows] "[=\\fI" substr(arg, 3, length(arg) - 3) "\\fR]"
	else if (arg != "")
		heading[rows] = heading[rows] " \\fI" arg "\\fR"
	body[rows] = sentence(help, arg)
}

function read_table(path, line, got, what, text) {
	table = ""
	while ((got = (getline line <path)) > 0)
		if (line !~ /^(#|\/?\*| \*)/)
			table = table line "\n"
	if (got < 0)
		fail("no table " path)
	close(path)
	while (match(table, /LW_(OPTION|TEXT|OPTIONS_END)\(/)) {
		what = substr(table, RSTART, RLENGTH)
		table = substr(table, RSTART + RLENGTH)
		if (what == "LW_OPTION(")
			take_option()
		else if (what == "LW_TEXT(" && rows) {
			text = take_text()
			if (text ~ /[^\n ]/)
				group[rows] = text
		}
	}
}

# A text between options: a heading if it ends with a colon.
function print_group(text, heads) {
	if (heads)
		sub(/\.$/, "", text)
	print (heads ? ".SS " : ".PP\n") text
}

function print_options(i, name) {
	printf "%s", more[""]
	for (i = 1; i <= rows; i++) {
		print ".TP"
		print heading[i]
		# a line without a blank is not drawn out to the margin
		print body[i] ~ /\\:/ ? ".ad l\n" body[i] "\n.ad b" : body[i]
		for (name in known)
			if (known[name] == i)
				printf "%s", more[name]
		if (i in group && i < rows)
			print_group(sentence(group[i], ""), group[i] ~ /:\n/)
	}
	print ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint a summary of the options."
	inside = 0
}

/^@OPTIONS [^ ]*@$/ {
	file = substr($2, 1, length($2) - 1)
	read_table(top "/" file)
	inside = 1
	at = ""
	next
}
inside && /^@--[a-z0-9-]+@$/ {
	at = substr($0, 4, length($0) - 4)
	if (!(at in known))
		fail(file " has no option --" at)
	next
}
inside && /^\.SH/ { print_options() }
inside {
	more[at] = more[at] $0 "\n"
	next
}
{ print }
END {
	if (inside && !failed)
		print_options()
}
