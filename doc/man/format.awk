# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a page of section 5 from the text that describes a format: -v name=leeway-record
#
# The text begins with a title, underlined; it is shown as it is written.
function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	sub(/^[.']/, "\\\\\\&&", text)
	return text
}
NR == 1 {
	print ".TH " toupper(roff(name)) " 5 \"\" \"Leeway\" \"Leeway\""
	print ".SH NAME"
	print roff(name) " \\- " roff($0)
	print ".SH DESCRIPTION"
	print ".nf"
	next
}
NR == 2 && /^=+$/ { next }
NR == 3 && /^$/ { next }
{ print roff($0) }
END { print ".fi" }
