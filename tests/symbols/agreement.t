#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: do source tree, installed headers and the release that configure read agree?
#
# Plugins that see two releases' headers load well and then read wrong fields.

# functions are called by name through check()
# shellcheck disable=SC2317
set -euo pipefail

top=${top_srcdir:-.}
build=${top_builddir:-.}
. "$(dirname "$0")/../tap.sh"

# compile FLAGS...: what all of src/slurm includes
compile() {
	# shellcheck disable=SC2086 # they are lists of words
	${CC:-cc} -std=gnu11 -include "$build/config.h" -I"$build" -I"$top/src" "$@" \
		$SLURM_CPPFLAGS -x c "$top/src/slurm/compat/compat.h"
}

# strays [FLAGS]: headers of Slurm that come from elsewhere than the tree and configure's own.
strays() {
	local found
	found=$(compile -M "$@" 2>/dev/null | tr -s ' \134' '\n' |
		grep -E '/(slurm|src/[a-z]+)/[a-z_]+\.h$' |
		grep -vE "^($SLURM_SRC|$build/slurm-release|$top/src)/" || true)
	echo "$found"
	[[ -z $found ]]
}

# says REGEX COMMAND...: it fails, and says so
says() {
	local regex=$1 said
	shift
	if said=$("$@" 2>&1) || ! grep -Eq -- "$regex" <<< "$said"; then
		echo "$said"
		return 1
	fi
}

# A tree of the next micro release, as far as configure looks at it.
refuses_other_tree() {
	mkdir -p "$tmp/tree" "$tmp/conf"
	sed "s/^\([ \t]*Micro:[ \t]*\).*/\1$((${SLURM_RELEASE##*.} + 1))/" "$SLURM_SRC/META" \
		> "$tmp/tree/META"
	cd "$tmp/conf"
	says 'but the installed slurm/slurm_version.h says' \
		"$top/configure" --with-slurm-src="$tmp/tree"
}

[[ -n ${SLURM_RELEASE:-} ]] || skip_all "configured without --with-slurm-src"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/other/slurm" "$tmp/installed/slurm"
sed 's/SLURM_VERSION_NUMBER .*/SLURM_VERSION_NUMBER 0x630101/' \
	"$build/slurm-release/slurm/slurm_version.h" > "$tmp/other/slurm/slurm_version.h"
for name in slurm slurm_errno slurmdb; do
	echo '#error "this is not the header that was meant"' > "$tmp/installed/slurm/$name.h"
done

check "every header of Slurm is from the tree that was given" strays
check "one that is not would be seen" says "$tmp/other/slurm" strays -I"$tmp/other"
check "a header of another release stops the compiler" \
	says 'not of the release that configure read' compile -fsyntax-only -I"$tmp/other"
check "headers that are installed as well do not get in" \
	compile -fsyntax-only -idirafter "$tmp/installed"
installed=/usr/include/slurm
if [[ -f $installed/slurm.h ]]; then
	for name in slurm.h slurm_errno.h slurmdb.h spank.h; do
		check "the installed $name is that of the tree" \
			cmp "$installed/$name" "$SLURM_SRC/slurm/$name"
	done
	check "configure refuses a tree of another release than is installed" refuses_other_tree
else
	skip "installed headers are those of the tree" "none are installed"
fi
finish
