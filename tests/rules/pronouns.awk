# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: pronouns that stand for jobs or for nobody in particular, one "FILE:LINE: WORD" each.

# Of C the comments and strings count, of Markdown all but code, of all else every line. "share.who"
# and the like are names of settings, "nobody" is a value of leeway train --pass.

# spoken LINE: its comments and strings
function spoken(line,    text, mark, end) {
	text = ""
	while (line != "") {
		if (comment) {
			end = index(line, "*/")
			text = text " " (end ? substr(line, 1, end - 1) : line)
			line = end ? substr(line, end + 2) : ""
			comment = !end
		} else if (match(line, /\/\*|"([^"\\]|\\.)*"/)) {
			mark = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			comment = mark == "/*"
			if (!comment)
				text = text " " mark
		} else {
			line = ""
		}
	}
	return text
}

# prose LINE: what is no code in Markdown
function prose(line) {
	if (line ~ /^ *```/)
		fenced = !fenced
	if (fenced || line ~ /^ *```/ || (blank && line ~ /^(    |\t)/))
		return ""
	blank = line ~ /^[ \t]*$/
	gsub(/`[^`]*`|\]\([^)]*\)/, " ", line)
	return line
}

BEGIN {
	pronoun = "[^a-z](who|whom|whose|whoever|whomever|nobody|anybody|somebody|everybody|" \
		"those (that|who))[^a-z]"
}

FNR == 1 {
	comment = fenced = 0
	blank = 1
}

{
	text = $0
	if (FILENAME ~ /\.(c|h|def)$/)
		text = spoken(text)
	else if (FILENAME ~ /\.md$/)
		text = prose(text)
	gsub(/(sched|share|stop)\.who|^ *who:|nobody, fcfs or order|inspector: nobody/, "", text)
	text = " " tolower(text) " "
	while (match(text, pronoun)) {
		print FILENAME ":" FNR ": " substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, RSTART + RLENGTH - 1)
	}
}
