#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: the command lines that documents show are taken by the leeway that was built.
. "$(dirname "$0")/lib.sh"

# table ROOT: of all commands and their options, as typed.awk has it
table()
{
	"$(program "$1")" --help </dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' |
		while IFS= read -r command; do
			echo "$command"
			"$(program "$1")" "$command" --list-options </dev/null 2>/dev/null |
				awk -F '\t' -v command="$command" '{ print command, $1, $2 }'
		done
}

# Of what was tried on one day nobody says that it works still.
mistyped()
{
	table "$1" >"$scratch/table"
	(
		cd "$1"
		files . '\.md$' | grep -v '^doc/lab/' | tr '\n' '\0' |
			xargs -0 -r awk -f "$root/tests/rules/typed.awk" "$scratch/table"
	)
}

# shown ROOT: how many there are
shown()
{
	(cd "$1" && files . '^doc/user/.*\.md$' | tr '\n' '\0' |
		xargs -0 grep -ohE '(^ +|`)leeway [a-z]+' | wc -l)
}

plant_program()
{
	plant leeway <<-'END'
		#!/bin/sh
		[ "$1" = --help ] && echo '  act  does something' && exit
		[ "$2" = --list-options ] || exit 0
		printf -- '--that\tvalue\t\n--this\tflag\t\n--json\toptional\t\n'
	END
	chmod +x "$planted/leeway"
}

# bites_at TEXT: a document that has it is named
bites_at()
{
	plant_program
	plant doc/page.md <<<"$1"
	bites "$1" mistyped doc/page.md:1
}

if [ ! -x "$build/leeway" ]; then
	skip "documents show what is taken" "nothing is built in $build"
	finish
	exit
fi
keeps "documents show what is taken" mistyped
check "there are many to look at" test "$(shown "$root")" -ge 30

# shellcheck disable=SC2016 # back quotes are Markdown's
for text in '    leeway act --thus' '    $ leeway do' 'say `leeway act --thus 5`' \
	'    leeway act --this=5' '| `leeway act --that --this` |' '    leeway act --that'; do
	bites_at "$text"
done
plant_program
plant doc/page.md <<'END'
`leeway act --this`, `leeway act --that`, `leeway COMMAND --help`, `leeway act --json[=FILE]`

    leeway act --that 5 --json=x | less --none
    leeway act --that=5 --this  # --none
    leeway act --this --that \
        5
END
plant doc/lab/page.md <<<'    leeway act --thus'
spares "what is taken, and what was tried once" mistyped

finish
