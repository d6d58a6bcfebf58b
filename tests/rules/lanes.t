#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: every test that exists is run by some lane.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# lists: every line of the build lists of the tree we are in
lists()
{
	files . '\.mk$|^Makefile\.am$' | tr '\n' '\0' | xargs -0 -r cat
}

# Test programs and scripts that no build list names.
unlisted_tests()
{
	(
		cd "$1"
		lists | tr -cs 'A-Za-z0-9_.-' '\n' | sort -u >"$scratch/words"
		files . '^tests/.*(/check_[^/]*\.c|\.t)$' | while IFS= read -r file; do
			name=${file##*/}
			printf '%s\t%s\n' "${name%.c}" "$file"
		done | awk -F '\t' '
			in_lists { listed[$1] = 1; next }
			!($1 in listed) { print $2 ": in no build list" }' \
			in_lists=1 "$scratch/words" in_lists=0 -
	)
}

# Build lists that no other includes.
unincluded_lists()
{
	(
		cd "$1"
		lists >"$scratch/lists"
		files . '\.mk$' | sed 's/^/include /' | grep -vxF -f "$scratch/lists" |
			sed -n 's/^include \(.*\)/\1: included nowhere/p'
	)
}

# Lanes of the Makefile that "make check" leaves out, or that cannot be asked for alone.
unused_lanes()
{
	(
		cd "$1"
		files . '^Makefile\.am$' | while IFS= read -r makefile; do
			mapfile -t lanes < <(sed -n 's/^\([A-Z]*_TESTS\) =.*/\1/p' "$makefile")
			for lane in "${lanes[@]}"; do
				grep -qE -e "^TESTS =.*\\($lane\\)" \
					<(sed ':a; /\\$/ { N; s/\\\n//; ta }' "$makefile") ||
					echo "$makefile: TESTS has no $lane"
				lane=${lane%_TESTS}
				lane=${lane,,}
				grep -qE -e "^LANES =(.* )?$lane( |\$)" "$makefile" ||
					echo "$makefile: LANES has no $lane"
			done
		done
	)
}

# Cluster tests without a row in the table of lanes, and rows that are wrong.
untabled_tests()
{
	(
		cd "$1"
		table=tests/cluster/lanes.tsv
		[ -f "$table" ] || return 0
		files . '^tests/cluster/[^/]*\.t$' | sed 's|.*/||; s|\.t$||' |
			awk -F '\t' -v t="$table" '
			in_table && /^#/ { next }
			in_table && (NF != 3 || seen[$1]++ || $2 !~ /^[0-9]+$/ ||
				$3 !~ /^(all|newest|nightly|packaging|soak)$/) {
				print t ": bad row: " $0
			}
			in_table { row[$1] = 1; next }
			{ there[$1] = 1 }
			!($1 in row) { print t ": no row of tests/cluster/" $1 ".t" }
			END { for (name in row) if (!(name in there)) print t ": no test " name }' \
			in_table=1 "$table" in_table=0 - | sort
	)
}

keeps "every test is in a build list" unlisted_tests
keeps "every build list is included" unincluded_lists
keeps "make check runs every lane, make check-LANE each" unused_lanes
keeps "every cluster test is in the table of lanes" untabled_tests

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
TESTS = $(A_TESTS)
LANES = a b'
bites "a lane that is not run" unused_lanes B_TESTS
plant Makefile.am <<<'A_TESTS =
B_TESTS =
TESTS = $(A_TESTS) $(B_TESTS)
LANES = ab a'
bites "a lane that cannot be asked for" unused_lanes "no b"
plant Makefile.am <<<'A_TESTS =
B_TESTS =
TESTS = $(A_TESTS) $(B_TESTS)
LANES = b a'
spares "lanes that are run" unused_lanes

row() { printf '%s\t%s\t%s\n' "$@"; }
for name in x y; do plant "tests/cluster/$name.t" </dev/null; done
row x 20 all | plant tests/cluster/lanes.tsv
bites "a cluster test without a row" untabled_tests "no row of tests/cluster/y.t"
row x 20 all | plant tests/cluster/lanes.tsv
bites "a row without a test" untabled_tests "no test x"
plant tests/cluster/x.t </dev/null
row x 20 nowhere | plant tests/cluster/lanes.tsv
bites "a row that names no lane" untabled_tests "bad row: x"
plant tests/cluster/x.t </dev/null
row x 20 all | plant tests/cluster/lanes.tsv
spares "a test with its row" untabled_tests

# What "contrib/run-tests quick" runs of a branch, by what it has changed.
MS_CHECKOUT=$planted
. "$root/contrib/minislurm/lib/quick.sh"
asked() { printf '%s\n' "$@" | quick_which; }
printf '\ttests/unit/check_gpu \\\n' | plant tests/unit/local-cli.mk
plant tests/unit/local-lab.mk <<<'	tests/unit/check_sim'
printf '\ttests/unit/check_swf \\\n' | plant tests/unit/local-measure.mk
is "a change of a house runs its lane" "$(asked lab/sim/x.c tests/unit/check_sim.c)" "rules lab"
is "also of a subcommand" "$(asked cli/gpu/x.c tests/unit/check_gpu.c)" "rules cli"
is "of both, both" "$(asked cli/gpu/x.c lab/sim/x.c)" "rules cli lab"
is "as of what both use" "$(asked cli/common/x.c)" "rules cli lab"
is "and of its tests" "$(asked tests/unit/check_swf.c)" "rules cli lab"
is "what Slurm loads runs all" "$(asked lab/sim/x.c src/base/x.c)" "rules unit golden"
is "so does a test of no house" "$(asked tests/unit/check_gpus.c)" "rules unit golden"
is "and no change" "$(asked '')" "rules unit golden"

finish
