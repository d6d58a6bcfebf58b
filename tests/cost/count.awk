# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a profile of callgrind as one line: WORK, instructions of Leeway, those of libraries.
# With PART, instead the instructions in source files that match it, of all of Leeway's.

# name(LINE): what "(7) name", or "(7)" after that, stands for
function name(line,   id)
{
	id = line
	sub(/\).*/, "", id)
	sub(/^[^(]*\(/, "", id)
	sub(/^[^)]*\) ?/, "", line)
	if (line != "")
		names[kind, id] = line
	return names[kind, id]
}
/^c?ob=/ { kind = "object"; found = name($0); if (/^ob=/) object = found; next }
/^c?f[lie]=/ { kind = "file"; found = name($0); if (/^f/) file = found; next }
# what the function that is called costs is counted there
/^calls=/ { getline; next }
/^[0-9+*-]/ {
	if (object !~ /leeway/) {
		library += $2
		next
	}
	own += $2
	if (part != "" && file ~ part)
		of_part += $2
}
END {
	if (part != "")
		print of_part + 0, own
	else
		printf "%s\t%d\t%d\n", work, own, library
}
