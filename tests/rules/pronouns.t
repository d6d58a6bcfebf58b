#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: texts name the thing: pronouns such as who and nobody, which may only become fewer.
. "$(dirname "$0")/lib.sh"

# How many of them each group of texts may have. Lower a number when you have taken some out;
# never raise one. Texts about people say "the user" and "an administrator".
most='
conf	0	^conf/[^/]*$|^src/config/keys\.def$|^doc/man/leeway\.yaml\.5\.in$
user	0	^README\.md$|^doc/user/.*\.md$
admin	0	^doc/admin/.*\.md$
dev	0	^HACKING\.md$|^doc/dev/.*\.(md|txt)$
man	1	^doc/man/.*\.[1-8](\.in)?$
src	32	^(src|plugins|cli|lab|measure)/.*\.(c|h|def)$
'
most_in_help=0

# found_in ROOT REGEX: each, with file and line
found_in()
{
	(
		cd "$1"
		files . "$2" | tr '\n' '\0' |
			xargs -0 -r awk -f "$root/tests/rules/pronouns.awk"
	)
}

# Groups with more than they may have: what is there, and how many there may be.
too_many()
{
	local group number regex
	while IFS=$'\t' read -r group number regex; do
		[ -n "$group" ] || continue
		found_in "$1" "$regex" >"$scratch/found"
		[ "$(wc -l <"$scratch/found")" -le "$number" ] ||
			{ echo "$group: more than $number" && cat "$scratch/found"; }
	done <<<"$most"
}

# The same of what each --help prints.
too_many_in_help()
{
	local command
	"$(program "$1")" --help </dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' \
		>"$scratch/commands"
	while IFS= read -r command; do
		"$(program "$1")" ${command:+"$command"} --help </dev/null 2>&1 || true
	done < <(echo && cat "$scratch/commands") >"$scratch/help"
	awk -f "$root/tests/rules/pronouns.awk" "$scratch/help" >"$scratch/found"
	[ "$(wc -l <"$scratch/found")" -le "$most_in_help" ] ||
		{ echo "help: more than $most_in_help" && cat "$scratch/found"; }
}

keeps "no group of texts has more pronouns than before" too_many
if [ -x "$build/leeway" ]; then
	keeps "nor has what --help prints" too_many_in_help
	lines=$(printf 'who\n%.0s' $(seq $((most_in_help + 1))))
	printf '#!/bin/sh\necho "%s"\n' "$lines" | plant leeway
	chmod +x "$planted/leeway"
	bites "a help with too many" too_many_in_help "help: more than $most_in_help"
else
	skip "nor has what --help prints" "nothing is built in $build"
fi

for words in 'jobs who wait' 'Nobody waits.' 'a job (whose run is long)' 'those that wait'; do
	plant doc/user/x.md <<<"$words"
	bites "\"$words\"" too_many doc/user/x.md:1
done
plant conf/leeway.yaml <<<'# somebody waits'
bites "a comment of the example" too_many conf/leeway.yaml:1
plant doc/user/x.md <<'END'
whole nodes, `squeue | grep who`, [a link](x.md#who-waits), the setting share.who

    who

```
nobody
```
END
plant conf/leeway.yaml <<<"  who: ''"
plant src/config/keys.def <<<'int who; LW_KEY_WORDS(who, "share.who", "a sentence") /* why */'
spares "code, links and a name" too_many
plant src/config/keys.def <<<'int who; LW_KEY_WORDS(who, "share.who", "who shares")'
bites "a string" too_many src/config/keys.def:1
plant src/config/keys.def <<'END'
/* jobs
 * who share */
END
bites "a comment of two lines" too_many src/config/keys.def:2

finish
