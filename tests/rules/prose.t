#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: documents are written for readers: sentences, figures, cells, links and pages.
# shellcheck disable=SC2016 # what is planted has back quotes
. "$(dirname "$0")/lib.sh"

documents() { files "$1" '^(README|HACKING|SECURITY)\.md$|^doc/.*\.md$'; }

# Sentences above 30 words or 4 figures, cells above 200 letters.
overlong()
{
	(
		cd "$1"
		documents . | tr '\n' '\0' | xargs -0 -r awk -f "$root/tests/rules/prose.awk"
	)
}

# Links to files that are not there.
dead_links()
{
	(
		cd "$1"
		documents . | tr '\n' '\0' | xargs -0 -r awk '
		{
			while (match($0, /\]\([^)]*\)/)) {
				link = substr($0, RSTART + 2, RLENGTH - 3)
				$0 = substr($0, RSTART + RLENGTH)
				sub(/#.*/, "", link)
				if (link == "" || link ~ /^[a-z]+:/)
					continue
				folder = FILENAME
				if (!sub(/\/[^\/]*$/, "", folder))
					folder = "."
				print folder "/" link "\t" FILENAME ":" FNR ": " link
			}
		}' | while IFS=$'\t' read -r file said; do
			[ -e "$file" ] || echo "$said: no such file"
		done
	)
}

# Files of the source, named in `back quotes`, that are not there; capitals and * stand for a name.
dead_paths()
{
	local folders="$houses|tests|contrib|doc|conf|debian|bench"
	(
		cd "$1"
		documents . | tr '\n' '\0' |
			xargs -0 -r grep -noHE "\`($folders)/[^\`]*\`" |
			tr -d '`' | while IFS= read -r hit; do
			path=${hit#*:*:}
			path=${path%% *}
			case $path in
			*[\*\{A-Z]*) continue ;;
			esac
			[ -e "$path" ] || echo "$hit: no such file"
		done
	)
}

# Documents that a page or a message says the package has, and that are not packed.
unpacked()
{
	local hit path
	(
		cd "$1"
		files . "^(README\.md|(doc|debian|packaging|$houses)/.*)\$" | tr '\n' '\0' |
			xargs -0 -r grep -noHE '/usr/share/doc/leeway[\]?-slurm/[A-Za-z0-9/.\-]+' |
			sed 's/\\//g' | while IFS= read -r hit; do
			path=${hit##*/leeway-slurm/}
			path=${path%.}
			case $path in
			examples | NEWS.md | README.md) continue ;;
			examples/*) path=conf/${path#examples/} ;;
			*) path=doc/$path ;;
			esac
			[ -e "$path" ] || echo "$hit: no $path"
		done
	)
}

# Pages of experiments that do not say when, what was asked, how, and what came out.
unlike_experiments()
{
	local file word
	(
		cd "$1"
		files . '^doc/lab/.*\.md$' | grep -v '/README\.md$' | while IFS= read -r file; do
			[[ $file =~ ^doc/lab/20[0-9]{2}-[0-9]{2}-[0-9]{2}- ]] ||
				echo "$file: its name has no date"
			for word in Question Setting Answer; do
				grep -q "^\*\*$word\.\*\*" "$file" || echo "$file: no **$word.**"
			done
			grep -qE '`[^`]+`|^    [a-z]' "$file" || echo "$file: names no command"
			grep -qF "(${file##*/})" doc/lab/README.md ||
				echo "$file: doc/lab/README.md has no link to it"
		done
	)
}

keeps "sentences, figures and cells are short" overlong
keeps "links of documents lead to files" dead_links
keeps "files that documents name are there" dead_paths
keeps "documents that the package is said to have are there" unpacked
keeps "a page of the laboratory is one experiment" unlike_experiments

words() { local i; for ((i = 0; i < $1; i++)); do printf 'word '; done; }

{ words 30; echo 'end.'; } | plant doc/dev/x.md
bites "31 words" overlong 'doc/dev/x.md:1: a sentence of 31 words'
{ words 16; echo; words 15; echo; } | plant README.md
bites "31 words over two lines, without a full stop" overlong 'README.md:1: a sentence of 31'
{ printf '* one.\n\n  '; words 31; } | plant HACKING.md
bites "31 words in an item" overlong HACKING.md:3
{ words 29; echo 'end. Then more, and [a link](of/many words).'; } | plant doc/dev/x.md
spares "30 words" overlong
{ printf '```\n'; words 40; printf '\n```\n\n    '; words 40; echo; echo '`'"$(words 40)"'`'; } |
	plant doc/dev/x.md
spares "code" overlong
plant doc/dev/x.md <<< 'It is 1, 2.5, 3 % and 4,000 to 5.'
bites "five figures" overlong 'doc/dev/x.md:1: 5 figures'
plant doc/dev/x.md <<< 'On 2026-11-22 with 24.11.5 P99 of TACC-LS6 is 1, 2, 3 and 4.'
spares "four figures beside dates, releases and names" overlong
printf '| a | %0201d |\n' 0 | plant doc/dev/x.md
bites "201 letters in a cell" overlong 'doc/dev/x.md:1: a cell of 201'
printf '| %0100d | %0198d\303\251\303\251 |\n' 0 0 | plant doc/dev/x.md
spares "200 letters in a cell" overlong
plant doc/man/x.1 <<< "$(words 40)"
spares "man pages" overlong

plant doc/dev/x.md <<< 'see [y](../admin/y.md#z)'
bites "a dead link" dead_links 'doc/dev/x.md:1: ../admin/y.md'
plant doc/admin/y.md <<< 'y'
plant doc/dev/x.md <<< 'see [y](../admin/y.md#z), [z](#z) and [w](https://example.org/)'
spares "good links" dead_links
plant doc/dev/x.md <<< 'as `src/base/gone.c` has it'
bites "a file that is gone" dead_paths src/base/gone.c
plant src/base/there.c <<< ''
plant doc/dev/x.md <<< '`src/base/there.c`, `src/base/NAME.c`, `src/*/x.c`'
spares "files that are there, and patterns" dead_paths

plant doc/man/x.1 <<< '.I /usr/share/doc/leeway\-slurm/admin/x.md'
bites "a document that no package has" unpacked doc/admin/x.md
plant conf/x.yaml <<< ''
plant doc/admin/y.md <<< ''
say=/usr/share/doc/leeway-slurm
plant src/x.c <<< "see $say/admin/y.md and $say/examples/x.yaml."
spares "documents that it has" unpacked

experiment='**Question.** Why?
**Setting.** `make bench`
**Answer.** So.'
plant doc/lab/README.md <<< '[it](2026-01-01-x.md)'
plant doc/lab/2026-01-01-x.md <<< "${experiment/Answer/Result}"
bites "an experiment without an answer" unlike_experiments 'no **Answer.**'
plant doc/lab/README.md <<< '[it](x.md)'
plant doc/lab/x.md <<< "$experiment"
bites "one without a date" unlike_experiments 'x.md: its name'
plant doc/lab/README.md <<< 'nothing'
plant doc/lab/2026-01-01-x.md <<< "$experiment"
bites "one that is not listed" unlike_experiments 'README.md has no link'
plant doc/lab/README.md <<< '[it](2026-01-01-x.md)'
plant doc/lab/2026-01-01-x.md <<< "$experiment"
spares "an experiment" unlike_experiments

finish
