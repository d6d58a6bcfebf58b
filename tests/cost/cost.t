#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: fixed works cost no more instructions and memory than the table says.
#
# Instructions are counted by valgrind, so that they do not depend on the machine or on what else
# it does. They depend on compiler, flags and C library: with others than the table's nothing is
# compared. What was measured is in cost.tsv of the build folder, with the rows of works that were
# not run as they are in the table. To accept it, put it in place of tests/cost/cost.tsv, in a
# commit that says what the cost buys. With LW_QUICK the longest works are not run.
set -euo pipefail
# shellcheck source=tests/tap.sh
. "${top_srcdir:?}/tests/tap.sh"
# shellcheck source=tests/cost/works
. "$top_srcdir/tests/cost/works"

folder=$top_srcdir/tests/cost table=$top_srcdir/tests/cost/cost.tsv
measured=${top_builddir:?}/cost.tsv
by_default='^[^	]*\.leeway	'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# of the library, whatever this processor has
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-ERMS,-FSRM,-FMA,-BMI2
export NETTLE_FAT_OVERRIDE=none

# made_with: what the numbers depend on
made_with()
{
	printf '# %s, %s, %s, %s\n' "$(${CC:-cc} --version | head -n 1)" \
		"$(sed -n 's/^CFLAGS = //p' "$top_builddir/Makefile")" \
		"$(getconf GNU_LIBC_VERSION)" "$(uname -m)"
}

# compare TABLE MEASURED [ALLOWED]
compare() { awk -v allowed_percent="${3:-2}" -f "$folder/compare.awk" "$1" "$2"; }

# measure NAME: its row
measure()
{
	local words
	read -ra words <<<"$(work_command "$1")"
	words[0]=$top_builddir/${words[0]}
	valgrind --tool=callgrind --callgrind-out-file="$1.callgrind" \
		"${words[@]}" >/dev/null 2>"$1.err" &&
		valgrind --tool=massif --depth=1 --massif-out-file="$1.massif" \
			"${words[@]}" >/dev/null 2>>"$1.err" &&
		awk -v work="$1" -f "$folder/count.awk" "$1.callgrind" >"$1.count" &&
		awk -F = '/^mem_heap_B=/ && $2 > most { most = $2 }
			END { printf "%d\n", most / 1024 }' "$1.massif" |
		paste "$1.count" - >"$1.row"
}

# measure_all: two at a time
measure_all()
{
	local name
	for name in $(work_names); do
		[ "$(jobs -r | wc -l)" -lt 2 ] || wait -n || true
		measure "$name" &
	done
	wait
	for name in $(work_names); do
		cat "$name.row" 2>/dev/null || { echo "$name" && cat "$name.err"; } >>failed
	done
}

# The comparison itself, on rows made for it.
printf 'a\t1000\t1000\t100\n' >"$scratch/old"
judged() { printf 'a\t%s\t%s\t%s\n' "$@" | compare "$scratch/old" - | cut -f 1; }
is "the same is well" "$(judged 1000 1000 100)" ok
is "two percent more are well" "$(judged 1020 1100 102)" ok
is "three percent more are not" "$(judged 1030 1000 100)" more
is "nor of libraries twelve" "$(judged 1000 1120 100)" more
is "nor of memory three" "$(judged 1000 1000 103)" more
is "three percent less are told" "$(judged 970 1000 100)" less
is "a work that is in no row is not well" \
	"$(printf 'b\t1\t1\t1\n' | compare "$scratch/old" - | cut -f 1)" more

if ! command -v valgrind >/dev/null; then
	skip "works cost what they did" "there is no valgrind"
	finish
	exit
fi
made=$(made_with)
if [ "$made" != "$(head -n 1 "$table")" ] && [ -z "${LW_COST_ANEW:-}" ]; then
	skip "works cost what they did" "measured with another compiler: ${made#\# }"
	finish
	exit
fi
# shellcheck disable=SC2034 # LEEWAY_TRACES is works'
LEEWAY_TRACES=${LEEWAY_TRACES:-}
(cd "$scratch" && export PATH="$scratch:$PATH" && work_files && measure_all >"$scratch/rows")
[ -n "$(work_traces)" ] || skip "works with traces" "there are none"
[ -n "$(work_programs)" ] || skip "works of what Slurm loads" "it is not built"
is "every work runs" "$(cat "$scratch/failed" 2>/dev/null)" ""
{
	echo "$made"
	printf '# work\tinstructions\tof libraries\tKiB at most\n'
	cat "$scratch/rows"
	awk -F '\t' 'FNR == NR { known[$1] = 1; next } !/^#/ && !($1 in known)' \
		"$scratch/rows" "$table"
} >"$measured"
while IFS=$'\t' read -r verdict what; do
	case $verdict in
	ok) result yes "$what" ;;
	less) result yes "$what" "so much less: put $measured in place of $table" ;;
	more)
		result no "$what" "if that buys something, put $measured in place of $table"
		;;
	esac
done < <(
	# what comes to the default run is paid for by all
	compare "$table" <(grep -v "$by_default" "$scratch/rows")
	compare "$table" <(grep "$by_default" "$scratch/rows") 0.5
)

# What is off costs nothing: of a run with the default, each part at most half a percent, and all
# of them at most as much beside a run in which they are switched off by name.
instructions() { awk -v work="$1" '$1 == work { print $2 }' "$scratch/rows"; }
on=$(instructions KTH-SP2-1996.leeway) off=$(instructions KTH-SP2-1996.off)
while IFS=$'\t' read -r part files; do
	for file in $files; do
		check "$part: there are files $file" \
			grep -qF "$file" "$top_srcdir/build-aux/files.mk"
	done
	if [ -z "$on" ]; then
		skip "$part cost nothing if off" "there are no traces"
		continue
	fi
	read -r costs all < <(awk -v part="${files// /|}" -f "$folder/count.awk" \
		"$scratch/KTH-SP2-1996.leeway.callgrind")
	check "$part: off, $costs of $all instructions" test "$((costs * 200))" -le "$all"
done < <(grep -v '^#' "$folder/parts.tsv")
[ -z "$on" ] ||
	check "the default has $on instructions, with all of them off $off" \
		test "$((on * 200))" -le "$((off * 201))"
finish
