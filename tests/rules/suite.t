#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: what Slurm's own suite said of a file is judged right.
. "$(dirname "$0")/lib.sh"

suite="$root/contrib/minislurm/suite"

# round NAME STATUS: rows of a round in which test_9_1 ended so and said what was planted
round()
{
	awk -v test=test_9_1 -v rc="$2" -v list="$suite/tests" -f "$suite/cases.awk" \
		"$planted/$1.log" | sed "s/^/$1	/"
}

# judged ROUND...: what the rows planted as ROUND.rows lead to
judged()
{
	local name
	for name; do cat "$planted/$name.rows"; done | awk -f "$suite/verdict.awk" |
		grep -v '^#' | tr '\n' ';'
}

plant all.log <<'END'
tests/test_9_1.py::test_a PASSED
tests/test_9_1.py::test_b FAILED
tests/test_9_1.py::test_c SKIPPED (needs more)
END
round all 1 > "$planted/all.rows"
is "each case has its verdict" "$(cut -f 2- "$planted/all.rows" | tr '\t\n' ' ;')" \
	'pass test_9_1::test_a ;fail test_9_1::test_b ;skip test_9_1::test_c needs more;'
needs='ok 3 - test_9_1::test_c # SKIP needs more'
is "one that fails counts" "$(judged all)" \
	"ok 1 - test_9_1::test_a;not ok 2 - test_9_1::test_b;$needs;1..3;"

plant again.log <<'END'
tests/test_9_1.py::test_a PASSED
tests/test_9_1.py::test_b PASSED
END
round again 0 > "$planted/again.rows"
is "not one that passes by itself" "$(judged all again)" \
	"ok 1 - test_9_1::test_a;ok 2 - test_9_1::test_b;$needs;1..3;"

# killed in the last case, and after it
printf '%s\n' 'tests/test_9_1.py::test_a PASSED' > "$planted/all.log"
printf '%s' 'tests/test_9_1.py::test_b ' >> "$planted/all.log"
round all 137 > "$planted/all.rows"
is "a file that is cut off fails" "$(judged all)" \
	'ok 1 - test_9_1::test_a;not ok 2 - test_9_1::test_b;1..2;'
is "if it does so by itself" "$(judged all again)" \
	'ok 1 - test_9_1::test_a;ok 2 - test_9_1::test_b;1..2;'
printf '%s' PASSED >> "$planted/all.log"
round all 137 > "$planted/all.rows"
like "one cut off when all cases were over as well" "$(judged all)" 'not ok 3 - test_9_1;'
unlike "if it does so by itself" "$(judged all again)" 'not ok'
round all 137 | sed 's/^all/again/' > "$planted/again.rows"
like "which it may" "$(judged all again)" 'not ok 3 - test_9_1;'
sed 's/^all/stock/' "$planted/all.rows" > "$planted/stock.rows"
unlike "but not if it does so under stock" "$(judged all again stock)" 'not ok'
finish
