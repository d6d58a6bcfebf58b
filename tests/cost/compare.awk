# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rows of works beside the table of what they may cost: a line for each, "ok", "less" or
# "more", then what it is about. More is beyond ALLOWED_PERCENT, of libraries beyond five times
# that: how they do what they are asked is theirs.

BEGIN { FS = "\t" }
/^#/ { next }
FNR == NR { own[$1] = $2; library[$1] = $3; peak[$1] = $4; next }
function is_more(new, old, percent) { return new > old * (1 + percent / 100) }
function told(what, new, old)
{
	return sprintf("%s: %d %s, %d in the table (%+.1f %%)", $1, new, what, old,
		old ? 100 * (new / old - 1) : 100)
}
!($1 in own) { print "more\t" $1 ": not in the table"; next }
is_more($2, own[$1], allowed_percent) { print "more\t" told("instructions", $2, own[$1]); next }
is_more($3, library[$1], 5 * allowed_percent) {
	print "more\t" told("instructions of libraries", $3, library[$1])
	next
}
is_more($4, peak[$1], allowed_percent) { print "more\t" told("KiB at most", $4, peak[$1]); next }
is_more(own[$1], $2, allowed_percent) { print "less\t" told("instructions", $2, own[$1]); next }
{ print "ok\t" told("instructions", $2, own[$1]) }
