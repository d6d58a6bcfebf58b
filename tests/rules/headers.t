#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: every header compiles alone, is guarded by a name of its own, and is in a list of
# what is packed: a checkout builds without that, a release does not.
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc}
config=()
if [ -f "$build/config.h" ]; then
	config=(-include "$build/config.h" -I"$build")
fi

# syntax ROOT HEADER...: what the compiler says about each of them alone.
syntax()
{
	(
		cd "$1"
		shift
		[ $# -gt 0 ] || exit 0
		# shellcheck disable=SC2086 # CC and SLURM_CPPFLAGS are lists of words
		$cc -std=gnu11 -fsyntax-only -Wall -Wextra -Wstrict-prototypes \
			-Wmissing-prototypes -Wno-unused-function -Werror "${config[@]}" -Isrc -I. \
			-Itests ${SLURM_CPPFLAGS:-} -x c "$@"
	)
}

own_headers()
{
	local headers
	mapfile -t headers < <(files "$1" "^($houses|tests)/.*\.h\$" |
		grep -vE '^(src/slurm|plugins)/')
	syntax "$1" "${headers[@]}"
}

plugin_headers()
{
	local headers
	mapfile -t headers < <(files "$1" '^plugins/.*\.h$')
	syntax "$1" "${headers[@]}"
}

slurm_headers()
{
	local headers
	# compat.h brings in the other files beside it, those of a release if it is that one
	mapfile -t headers < <(files "$1" '^src/slurm/.*\.h$' |
		grep -v '/compat/\(slurm_\|topology\)')
	syntax "$1" "${headers[@]}"
}

# The first two directives are a guard beginning with LW_, which no other header has.
bad_guards()
{
	(
		cd "$1"
		files . "^($houses|tests)/.*\.h\$" | tr '\n' '\0' | xargs -0 -r awk '
		FNR == 1 { directives = 0 }
		/^#/ && ++directives == 1 {
			guard = $2
			if ($1 != "#ifndef" || guard !~ /^LW_[A-Z0-9_]*_H$/)
				print FILENAME ":" FNR ": not #ifndef LW_..._H"
			else if (guard in home)
				print FILENAME ":" FNR ": " guard " also guards " home[guard]
			home[guard] = FILENAME
		}
		/^#/ && directives == 2 && $0 != "#define " guard {
			print FILENAME ":" FNR ": not #define " guard
			directives++
		}'
	)
}

# In a list by its name behind a slash, or in a folder that is packed or listed as a whole.
unlisted()
{
	(
		cd "$1"
		files . '\.mk$|^Makefile\.am$' | tr '\n' '\0' | xargs -0 -r cat >"$scratch/lists"
		files . "^($houses|tests)/.*\.(h|def)\$" | awk '
		function name(path) { sub(/.*\//, "", path); return path }
		in_lists {
			for (i = 1; i <= NF; i++) {
				packed[$i] = 1
				if ($i ~ /\//)
					listed[name($i)] = 1
			}
			next
		}
		{
			folder = $0
			sub(/\/[^\/]*$/, "", folder)
			files = folder
			gsub("/", "_", files)
			if (!(name($0) in listed) && !(folder in packed) &&
				!("$(FILES_" files ")" in packed))
				print $0 ": is in no list"
		}' in_lists=1 "$scratch/lists" in_lists=0 -
	)
}

if ! command -v "${cc%% *}" >/dev/null; then
	skip "headers compile alone" "no C compiler"
else
	keeps "headers compile alone" own_headers
	# shellcheck disable=SC2086 # lists of words
	if echo '#include <slurm/spank.h>' |
		$cc ${SLURM_CPPFLAGS:-} -fsyntax-only -x c - 2>/dev/null; then
		keeps "headers of the plugins compile alone" plugin_headers
	else
		skip "headers of the plugins compile alone" "no slurm/spank.h (libslurm-dev)"
	fi
	if [ -n "${SLURM_CPPFLAGS:-}" ]; then
		keeps "headers of src/slurm compile alone" slurm_headers
	else
		skip "headers of src/slurm compile alone" "configured without --with-slurm-src"
	fi
fi
keeps "headers are guarded by names of their own" bad_guards
plant src/base/x.h <<<'#ifndef LW_X_H
#define LW_Y_H
#endif'
bites "a guard that does not hold" bad_guards src/base/x.h:2
plant src/base/x.h <<<'#ifndef LW_X_H
#define LW_X_H'
plant src/base/y.h <<<'#ifndef LW_X_H
#define LW_X_H'
bites "two headers with one guard" bad_guards src/base/y.h:1
plant src/base/x.h <<<'/* # */
#ifndef LW_X_H
#define LW_X_H
#include <stdint.h>
#endif'
spares "a guard of its own" bad_guards
keeps "headers are in the lists of what is packed" unlisted
plant src/base/x.h <<<'#define LW_X_H'
plant src/base/local.mk <<<'libbase_la_SOURCES = %D%/xx.h %D%/x.c'
bites "a header in no list" unlisted src/base/x.h
plant src/base/x.h <<<'#define LW_X_H'
bites "a header where there are no lists" unlisted src/base/x.h
plant src/base/x.h <<<'#define LW_X_H'
plant src/base/local.mk <<<'libbase_la_SOURCES = %D%/x.h'
spares "a header in a list" unlisted
plant src/base/x.h <<<'#define LW_X_H'
plant src/base/local.mk <<<'libbase_la_SOURCES = $(FILES_src_base) other.c'
spares "a header in a folder that is listed" unlisted
plant tests/check/x.h <<<'#define LW_X_H'
plant tests/check/local.mk <<<'EXTRA_DIST += tests/check'
spares "a header in a folder that is packed" unlisted

finish
