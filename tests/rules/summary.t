#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: tests/summary counts right, and never calls nothing a success.
. "$(dirname "$0")/lib.sh"

# adds_up DESCRIPTION STATUS LAST_LINE: for the files planted before.
adds_up()
{
	local out status=0
	out=$("$root/tests/summary" "$planted" 2>&1) || status=$?
	rm -rf "$planted"
	if [ "$status" -eq "$2" ] && [ "${out##*$'\n'}" = "$3" ]; then
		result yes "$1"
	else
		result no "$1" "status $status, not $2: $out"
	fi
}

plant a/x.trs <<'END'
:test-result: PASS 1 - one
:test-result: PASS 2 - two
:test-global-result: PASS
:recheck: no
END
adds_up "two passed" 0 "2 passed, 0 failed"
plant a/x.trs <<<':test-result: PASS 1 - one'
plant a/b/y.trs <<<':test-result: FAIL 1 - one
:test-result: ERROR - exited with status 1
:test-result: XPASS 2 - two
:test-result: XFAIL 3 - three
:test-result: SKIP 4 - four # SKIP no compiler'
adds_up "every kind of result of make" 1 "2 passed, 3 failed, 1 skipped"
plant a/x.trs <<<':test-result: FAIL
:test-result: SKIP
:test-result: FAIL
:test-result: ERROR'
plant a/x.log <<<'FAIL: x.t 1 - first
SKIP: x.t 2 - second # SKIP no compiler
not ok 3 - third
FAIL: x.t 3 - third
ERROR: x.t - exited with status 1'
plant b/y.trs <<<':test-result: ERROR'
plant b/y.log <<<'ERROR: y.t - exited with status 1'
out=$("$root/tests/summary" "$planted" || true)
rm -rf "$planted"
want='FAILED: x.t 1 - first
skipped: x.t 2 - second # SKIP no compiler
FAILED: x.t 3 - third
FAILED: y.t - exited with status 1
0 passed, 3 failed, 1 skipped'
if [ "$out" = "$want" ]; then
	result yes "names what failed and what was skipped"
else
	result no "names what failed and what was skipped" "$out"
fi
plant a/x.tap <<<'1..2
not ok 1 - one
# got 3, wanted 4
ok 2 - two
# a note
'
plant a/x.tap.first <<<'ok 1 - one
not ok 2 - two
# nobody there'
plant b/y.tap.first <<<'ok 1 - one'
plant b/y.tap <<<'ok 1 - one
1..1'
out=$("$root/tests/summary" "$planted" || true)
want="FAILED: $planted/a/x: not ok 1 - one
    # got 3, wanted 4
repeated: $planted/a/x: not ok 2 - two
    # nobody there
repeated: $planted/b/y: ended early
warning: 2 tests failed beside others and had to be run again: x, y
2 passed, 1 failed"
rm -rf "$planted"
is "says why, and tells of first runs that do not count" "$out" "$want"
plant a/x.tap <<<'1..3
ok 1 - one
ok 2 - two # skip no container
not ok 3 - three
    not ok 1 - a subtest is its parent'"'"'s business'
adds_up "every kind of result of TAP" 1 "1 passed, 1 failed, 1 skipped"
plant a/x.tap <<<'ok 1
ok 2
1..2'
plant a/y.tap <<<'1..0 # SKIP no podman'
adds_up "a plan at the end, and a lane skipped as a whole" 0 "2 passed, 0 failed, 1 skipped"
plant a/x.tap <<<'1..3
ok 1
ok 2'
adds_up "fewer tests than planned" 1 "2 passed, 1 failed"
plant a/x.tap <<<'ok 1'
plant b/y.tap <<<'1..1
ok 1'
adds_up "a file cut before its plan" 1 "2 passed, 1 failed"
plant a/x.tap <<<'1..5
ok 1
Bail out! no disk'
adds_up "a lane that bailed out" 1 "1 passed, 1 failed"
plant a/x.tap </dev/null
adds_up "an empty file" 1 "0 passed, 1 failed"
plant a/x.log <<<'PASS: nothing of ours'
adds_up "no results at all" 1 "0 passed, 0 failed"
plant a/x.tap <<<'1..0 # SKIP no podman'
adds_up "nothing but skipped" 1 "0 passed, 0 failed, 1 skipped"
adds_up "a path that is not there" 2 "summary: $planted: no such file or directory, or not readable"

finish
