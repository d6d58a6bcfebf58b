# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the rule scripts share: the list of files, planted offenders.
# shellcheck shell=bash
#
# A rule is a function that takes the root of a tree and prints every line that breaks
# it, with the file's name. "keeps" runs it on this tree and wants silence; "bites"
# runs it on a tree with planted files and wants the offender named: a rule that
# cannot fail is found out. What a linter of others finds, or what git diff --check
# does too, is not proven so.
set -euo pipefail
export LC_ALL=C

. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
root=${top_srcdir:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
# shellcheck disable=SC2034 # for the scripts that source this file
build=${top_builddir:-$root/build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
planted=$scratch/planted

# quiet RULE ROOT: it names no offender. Errors of the rule itself count.
quiet()
{
	local out
	out=$("$1" "$2" 2>&1) || true
	[ -z "$out" ] || { echo "$out" | sed -n 1,40p; return 1; }
}

# names FILE RULE ROOT: it is named
names()
{
	local out
	out=$("$2" "$3" 2>&1) || true
	case $out in
	*"$1"*) ;;
	*)
		echo "said instead: ${out:-nothing}"
		return 1
		;;
	esac
}

# keeps DESCRIPTION RULE: this tree has no offender.
keeps() { check "$1" quiet "$2" "$root"; }

# plant FILE: put standard input there, in the tree for the next bites or spares.
plant()
{
	mkdir -p "$planted/$(dirname "$1")"
	cat >"$planted/$1"
}

# bites DESCRIPTION RULE FILE: the rule names FILE, planted before.
bites()
{
	check "catches $1" names "$3" "$2" "$planted"
	rm -rf "$planted"
}

# spares DESCRIPTION RULE: the rule has nothing against what was planted.
spares()
{
	check "spares $1" quiet "$2" "$planted"
	rm -rf "$planted"
}

# The folders that have our code.
houses='src|plugins|measure|cli|lab'
all_dirs=(README.md NEWS.md HACKING.md Makefile.am configure.ac bootstrap .ci
	bench build-aux/gen-version cli conf contrib debian doc lab m4 measure plugins src
	tests)

# Every file here that is ours: what git knows or would add; in an unpacked
# tarball, what lies in our directories and is no product of a build.
find_all()
{
	if [ -e .git ] && git ls-files --cached --others --exclude-standard \
		-- "${all_dirs[@]}" >"$scratch/ls" 2>/dev/null && [ -s "$scratch/ls" ]; then
		while IFS= read -r file; do
			[ ! -f "$file" ] || printf '%s\n' "$file"
		done <"$scratch/ls"
	else
		find "${all_dirs[@]}" -name .libs -prune -o -name .deps -prune -o -type f \
			! -name '*.[oa]' ! -name '*.l[oa]' ! -name '*.so' ! -name '*.log' \
			! -name '*.trs' ! -name '.dirstamp' ! -name 'lt*.m4' \
			! -name libtool.m4 -print 2>/dev/null || true
	fi | sed 's|^\./||' | sort
}

# all_files ROOT. This tree is searched once.
all_files()
{
	(
		cd "$1"
		if [ "$PWD" != "$root" ]; then
			find_all
			return
		fi
		[ -s "$scratch/own" ] || find_all >"$scratch/own"
		cat "$scratch/own"
	)
}

# files ROOT REGEX: those whose path matches.
files()
{
	all_files "$1" | grep -E -e "$2" || true
}

c_files()
{
	files "$1" "^($houses|tests)/.*\.(c|h|def)\$"
}

# Everything run by a shell, by name or by its first line.
shell_files()
{
	(
		cd "$1"
		all_files . | grep -E '(^|/)[^.]*$|\.(sh|t|bats)$' | tr '\n' '\0' |
			xargs -0 -r awk 'FNR == 1 && (/^#!.*(sh|bats)$/ || FILENAME ~ /\.sh$/) {
				print FILENAME
			}
			{ nextfile }' | tr '\n' '\0' |
			xargs -0 -r grep -L 'wrapper[ ]script for' || true
	)
}

# A rule that looks at no file would keep silent for ever. (Counted, and not with grep -q,
# which would end the pipe early: pipefail takes that for a failure.)
found=$(
	all_files "$root" | grep -cxE 'Makefile\.am' || true
	c_files "$root" | grep -cxE 'src/base/error\.[ch]' || true
	shell_files "$root" | grep -cxE 'bootstrap|tests/rules/(lib\.sh|text\.t)' || true
)
if [ "${found//$'\n'/ }" != "1 2 3" ]; then
	bail "the list of files in $root is not whole (${found//$'\n'/ })"
fi

# code ROOT FILES_FUNCTION: "FILE:LINE:text" without comments and the insides of literals.
code()
{
	(
		cd "$1"
		"$2" . | tr '\n' '\0' | xargs -0 -r awk -f "$root/tests/rules/code.awk"
	)
}

# program ROOT: the one planted there, or the one that was built
program()
{
	if [ -x "$1/leeway" ]; then
		printf '%s\n' "$1/leeway"
	else
		printf '%s\n' "$build/leeway"
	fi
}
