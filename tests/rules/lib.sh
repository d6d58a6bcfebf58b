# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the rule scripts share: TAP, the list of files, planted offenders.
# shellcheck shell=bash
#
# A rule is a function that takes the root of a tree and prints every line that breaks
# it, with the file's name. "keeps" runs it on this tree and wants silence; "bites"
# runs it on a tree with planted files and wants the offender named: a rule that
# cannot fail is found out.
set -euo pipefail
export LC_ALL=C

root=${top_srcdir:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
# shellcheck disable=SC2034 # for the scripts that source this file
build=${top_builddir:-$root/build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
planted=$scratch/planted
count=0
failed=0

# result yes|no DESCRIPTION [DETAILS]
result()
{
	count=$((count + 1))
	if [ "$1" = yes ]; then
		printf 'ok %d - %s\n' "$count" "$2"
		return
	fi
	failed=$((failed + 1))
	printf 'not ok %d - %s\n' "$count" "$2"
	printf '%s\n' "${3:-}" | sed -n '1,40s/^/# /p'
}

# skip DESCRIPTION REASON
skip()
{
	count=$((count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$count" "$1" "$2"
}

# keeps DESCRIPTION RULE: this tree has no offender. Errors of the rule itself count.
keeps()
{
	local out
	out=$("$2" "$root" 2>&1) || true
	if [ -z "$out" ]; then
		result yes "$1"
	else
		result no "$1" "$out"
	fi
}

# plant FILE: put standard input there, in the tree for the next bites or spares.
plant()
{
	mkdir -p "$planted/$(dirname "$1")"
	cat >"$planted/$1"
}

# bites DESCRIPTION RULE FILE: the rule names FILE, planted before.
bites()
{
	local out
	out=$("$2" "$planted" 2>&1) || true
	rm -rf "$planted"
	case $out in
	*"$3"*)
		result yes "catches $1"
		;;
	*)
		result no "catches $1" "said instead: ${out:-nothing}"
		;;
	esac
}

# spares DESCRIPTION RULE: the rule has nothing against what was planted.
spares()
{
	local out
	out=$("$2" "$planted" 2>&1) || true
	rm -rf "$planted"
	if [ -z "$out" ]; then
		result yes "spares $1"
	else
		result no "spares $1" "$out"
	fi
}

finish()
{
	printf '1..%d\n' "$count"
	[ "$failed" -eq 0 ]
}

all_dirs=(README.md NEWS.md HACKING.md Makefile.am configure.ac bootstrap .ci
	build-aux/gen-version conf contrib debian doc m4 plugins src tests)

# Every file of the tree that is ours: what git knows or would add; in an unpacked
# tarball, what lies in our directories and is no product of a build.
all_files()
{
	(
		cd "$1"
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
		fi
	) | sed 's|^\./||' | sort
}

# files ROOT REGEX: those whose path matches.
files()
{
	all_files "$1" | grep -E -e "$2" || true
}

c_files()
{
	files "$1" '^(src|plugins|tests)/.*\.(c|h|def)$'
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
	echo "Bail out! the list of files in $root is not whole (${found//$'\n'/ })"
	exit 1
fi

# code ROOT FILES_FUNCTION: "FILE:LINE:text" without comments and the insides of literals.
code()
{
	(
		cd "$1"
		"$2" . | tr '\n' '\0' | xargs -0 -r awk -f "$root/tests/rules/code.awk"
	)
}
