# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: C without comments and the insides of literals, as "FILE:LINE:text".

# The rest of LINE behind a literal that began with QUOTE.
function behind_literal(line, quote,    c) {
	while (line != "") {
		c = substr(line, 1, 1)
		line = substr(line, c == "\\" ? 3 : 2)
		if (c == quote)
			break
	}
	return line
}

FNR == 1 {
	comment = 0
}

{
	line = $0
	text = ""
	while (line != "") {
		if (comment) {
			end = index(line, "*/")
			if (!end)
				break
			line = substr(line, end + 2)
			comment = 0
			continue
		}
		if (!match(line, /\/\*|\/\/|"|'/)) {
			text = text line
			break
		}
		text = text substr(line, 1, RSTART - 1)
		mark = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (mark == "/*") {
			comment = 1
		} else if (mark == "//") {
			break
		} else {
			line = behind_literal(line, mark)
			text = text mark mark
		}
	}
	if (text ~ /[^ \t]/)
		print FILENAME ":" FNR ":" text
}
