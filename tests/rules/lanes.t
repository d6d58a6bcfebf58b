#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: every test that exists is run by some lane.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# Test programs and scripts that no build list names.
unlisted_tests()
{
	(
		cd "$1"
		mapfile -t lists < <(files . '\.mk$|^Makefile\.am$')
		[ ${#lists[@]} -gt 0 ] || lists=(/dev/null)
		files . '^tests/.*(/check_[^/]*\.c|\.t)$' | while IFS= read -r file; do
			name=${file##*/}
			grep -qwF -e "${name%.c}" "${lists[@]}" || echo "$file: in no build list"
		done
	)
}

# Build lists that no other includes.
unincluded_lists()
{
	(
		cd "$1"
		mapfile -t lists < <(files . '\.mk$|^Makefile\.am$')
		files . '\.mk$' | while IFS= read -r list; do
			grep -qxF -e "include $list" "${lists[@]}" ||
				echo "$list: included nowhere"
		done
	)
}

# Lanes of the Makefile that "make check" leaves out.
unused_lanes()
{
	(
		cd "$1"
		files . '^Makefile\.am$' | while IFS= read -r makefile; do
			mapfile -t lanes < <(sed -n 's/^\([A-Z]*_TESTS\) =.*/\1/p' "$makefile")
			for lane in "${lanes[@]}"; do
				grep -qE -e "^TESTS =.*\\($lane\\)" "$makefile" ||
					echo "$makefile: TESTS has no $lane"
			done
		done
	)
}

keeps "every test is in a build list" unlisted_tests
keeps "every build list is included" unincluded_lists
keeps "make check runs every lane" unused_lanes

plant tests/unit/check_x.c </dev/null
plant tests/unit/local.mk <<<'UNIT_TESTS += tests/unit/check_xy'
bites "a unit test in no list" unlisted_tests tests/unit/check_x.c
plant tests/rules/x.t </dev/null
bites "a script in no list" unlisted_tests tests/rules/x.t
plant tests/unit/check_x.c </dev/null
plant tests/unit/local.mk <<<'UNIT_TESTS += tests/unit/check_x'
spares "a test in a list" unlisted_tests
plant tests/unit/local.mk </dev/null
plant Makefile.am <<<'include src/base/local.mk'
bites "a list that is not included" unincluded_lists tests/unit/local.mk
plant Makefile.am <<<'A_TESTS =
B_TESTS =
TESTS = $(A_TESTS)'
bites "a lane that is not run" unused_lanes B_TESTS

finish
