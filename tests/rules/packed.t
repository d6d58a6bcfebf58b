#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: every file is in the release: a checkout builds and tests without that, a release
# does not.
# shellcheck disable=SC2016 # make has dollars of its own
. "$(dirname "$0")/lib.sh"

# packed: what make dist packs: files, and folders as a whole
packed()
{
	printf 'include Makefile\nnames = $(patsubst %s,%%,$(DISTFILES))\n%s\n' '$(srcdir)/%' \
		'lw-packed: ; @printf "%s\n" $(names)' |
		make -s --no-print-directory -C "$build" -f - lw-packed 2>/dev/null |
		sort -u
}

# unpacked ROOT: files that are not, nor are in a folder that is
unpacked()
{
	all_files "$1" | awk '
	in_list { packed[$0] = 1; next }
	{
		for (path = $0; path != "" && !(path in packed); )
			if (!sub("/[^/]*$", "", path))
				path = ""
		if (path == "")
			print $0 ": is not packed: EXTRA_DIST of a local.mk"
	}' in_list=1 "$scratch/packed" in_list=0 -
}

# in a release there are files that a build made, too
if [ ! -f "$build/Makefile" ] || ! git -C "$root" ls-files >"$scratch/git" 2>&1; then
	skip "every file is packed" "no build, or no checkout"
	finish
	exit
fi
packed >"$scratch/packed"
check "what is packed is known" grep -qx 'src/base/past.c' "$scratch/packed"
keeps "every file is packed" unpacked
plant src/base/stray.h <<<''
bites "a file in no list" unpacked src/base/stray.h
plant tests/golden/stray.snap <<<''
spares "a file in a folder that is packed" unpacked
finish
