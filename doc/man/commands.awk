# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the list of commands in leeway(1), from cli/common/commands.def
/^LW_(LAB_)?COMMAND\(/ {
	split($0, part, /[(,]/)
	what = substr($0, index($0, "\"") + 1)
	sub(/"\)$/, "", what)
	gsub(/\\/, "\\e", what)
	gsub(/-/, "\\-", what)
	sub(/^[.']/, "\\\\\\&&", what)
	print ".TP"
	print ".BR leeway\\-" part[2] " (1)"
	print what "."
}
