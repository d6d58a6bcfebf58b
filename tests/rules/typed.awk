# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: finds what no leeway takes among the command lines that documents show
#
# usage: awk -f typed.awk TABLE DOCUMENT...
#
# TABLE has a line an option: command, option, flag, value or optional; and a line a command alone.
# A command line is a line of a block of code, or stands between two back quotes.

FILENAME == ARGV[1] {
	known[$1] = 1
	if ($2 != "")
		kind[$1, $2] = $3
	next
}

function fault(what) { printf "%s:%d: %s: leeway %s\n", FILENAME, FNR, what, line }

# judge TEXT: what follows "leeway ", up to where a shell goes on with something else. In a SENTENCE
# an option may be spoken of without its value.
function judge(text, sentence,    word, n, i, name, command) {
	sub(/ *[|;&>#].*/, "", text)
	line = text
	n = split(text, word, /[ \t]+/)
	command = word[1]
	if (command !~ /^[a-z]+$/)
		return
	if (!(command in known)) {
		fault("no such command")
		return
	}
	# all that is not its own is sbatch's
	if (command == "chain" && word[2] == "submit")
		return
	for (i = 2; i <= n; i++) {
		gsub(/[][,.:]+$|^\[/, "", word[i])
		if (word[i] !~ /^--[a-z]/)
			continue
		name = word[i]
		sub(/[=\[].*/, "", name)
		if (!((command, name) in kind))
			fault("no option " name)
		else if (kind[command, name] == "flag" && word[i] ~ /=/)
			fault("no value is taken by " name)
		else if (kind[command, name] == "value" && word[i] !~ /=/ && \
			(i == n ? !sentence : word[i + 1] ~ /^--/))
			fault("no value is given to " name)
	}
}

FNR == 1 { fenced = 0; before = "" }
/^ *```/ { fenced = !fenced; next }
fenced || /^    / {
	whole = before $0
	if (whole ~ /\\$/) {
		before = substr(whole, 1, length(whole) - 1)
		next
	}
	before = ""
	if (match(whole, /^ *(\$ +|# +)?leeway +/))
		judge(substr(whole, RLENGTH + 1), 0)
	next
}
{
	rest = $0
	while (match(rest, /`leeway [^`]*`/)) {
		judge(substr(rest, RSTART + 8, RLENGTH - 9), 1)
		rest = substr(rest, RSTART + RLENGTH)
	}
}
