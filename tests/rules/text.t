#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: licence lines, blanks, columns, and nothing left to do.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# What people wrote: no data, pictures or the licence.
text_files()
{
	all_files "$1" |
		grep -vE '^COPYING$|\.(svg|png|gz|swf|tsv|csv|snap|plan|json|diff|patch)$' |
		grep -vE '^tests/(corpus|data|golden)/' || true
}

# in_text PATTERN ROOT
in_text()
{
	(
		cd "$2"
		text_files . | tr '\n' '\0' | xargs -0 -r grep -nHIE -e "$1" || true
	)
}

trailing_blanks()
{
	in_text '[[:blank:]]+$' "$1"
	in_text $'\r' "$1"
}

blanks_before_tabs()
{
	in_text $'^\t* +\t' "$1"
}

# C is indented with tabs; fewer than 8 blanks may align what follows.
indented_with_blanks()
{
	(
		cd "$1"
		c_files . | tr '\n' '\0' | xargs -0 -r grep -nHE $'^\t* {8}' || true
	)
}

# tail heads each file's last byte with a line "==> FILE <==".
missing_newline()
{
	(
		cd "$1"
		text_files . | tr '\n' '\0' |
			xargs -0 -r sh -c 'tail -v -c 1 "$@"; echo' tail | awk '
			/^==> .* <==$/ { file = substr($0, 5, length($0) - 8); next }
			file != "" && $0 != "" { print file ": no newline at its end" }
			{ file = "" }'
	)
}

# Columns, with tabs to 8 and a character of UTF-8 as one. Prose in Markdown runs on.
long_lines()
{
	(
		cd "$1"
		text_files . | grep -v '\.md$' | tr '\n' '\0' | xargs -0 -r awk '
		length($0) > 50 {
			width = 0
			n = split($0, part, "\t")
			for (i = 1; i <= n; i++) {
				gsub(/[\200-\277]/, "", part[i])
				width += length(part[i])
				if (i < n)
					width += 8 - width % 8
			}
			# an example of a format in a man page is as wide as the format, and
			# what a program says, or keeps, as wide as it says it
			if (width > 100 && FILENAME !~ \
				/^doc\/man\/|^tests\/check\/[0-9]|^tests\/state\//)
				print FILENAME ":" FNR ": " width " columns"
		}'
	)
}

# The words are put together here so that this file does not hold them.
left_to_do()
{
	local words='TO''DO|FIX''ME|XX''X|HA''CK:'
	in_text "(^|[^A-Za-z0-9])($words)([^A-Za-z0-9]|\$)" "$1"
}

# The two lines that begin every source file, behind #! in a script and behind the word
# to shellcheck in what scripts include. What configure
# includes documents itself under SYNOPSIS, and needs only the first.
missing_licence()
{
	(
		cd "$1"
		text_files . |
			grep -E '\.(c|h|def|sh|t|bats|py|awk|mk|am|ac|m4)$|(^|/)[^.]*$' |
			tr '\n' '\0' | xargs -0 -r awk '
		function judge(  spdx, who, at) {
			if (name !~ /\.[a-z0-9]+$/ && line[1] !~ /^#!/)
				return
			at = line[1] ~ /^#!|^# shellcheck shell=/ ? 2 : 1
			if (name ~ /\.(c|h|def)$/) {
				spdx = "/* SPDX-License-Identifier: GPL-2.0-or-later */"
				who = "^/\\* Leeway: "
			} else {
				spdx = "# SPDX-License-Identifier: GPL-2.0-or-later"
				who = name ~ /\.m4$/ ? "^# SYNOPSIS$" : "^# Leeway: "
			}
			if (line[at] != spdx)
				print name ":" at ": not the SPDX line"
			else if (line[at + 1] !~ who)
				print name ":" at + 1 ": not \"Leeway: what this is\""
		}
		FNR == 1 {
			if (NR > 1)
				judge()
			split("", line)
			name = FILENAME
		}
		FNR <= 3 { line[FNR] = $0 }
		END { if (NR) judge() }'
		text_files . | grep -E '\.(c|h|def|sh|t|bats|py|awk|mk|am|ac|m4)$' |
			while IFS= read -r file; do
				[ -s "$file" ] || echo "$file: empty"
			done
	)
}

# What git holds although a build, configure or bootstrap makes it.
products()
{
	local made='Makefile|Makefile\.in|config\.status|config\.log|config\.h\.in'
	made+='|aclocal\.m4|libtool|stamp-h1|.*\.(o|lo|la|so|a)'
	(
		cd "$1"
		git ls-files >"$scratch/tracked"
		grep -E -e "(^|/)($made)\$" "$scratch/tracked" |
			sed 's/$/: made by a build/' || true
		# few hold the magic anywhere: only those are looked at one by one
		grep -vE -e "(^|/)($made)\$" "$scratch/tracked" | tr '\n' '\0' |
			xargs -0 -r grep -slaF -e $'\177ELF' | while IFS= read -r file; do
			[ "$(head -c 4 "$file" | tr -d '\0')" != $'\177ELF' ] ||
				echo "$file: a binary"
		done
	)
}

keeps "no blanks at the end of a line" trailing_blanks
keeps "no blanks before a tab" blanks_before_tabs
keeps "C is indented with tabs" indented_with_blanks
keeps "every file ends with a newline" missing_newline
keeps "no line is wider than 100 columns" long_lines
keeps "nothing is marked as left to do" left_to_do
keeps "every source file begins with its licence and what it is" missing_licence

{ printf '\t%093d\n' 0; } | plant src/base/x.c
bites "101 columns" long_lines "src/base/x.c:1: 101"
{ printf '\t%090d\303\251\303\251\n' 0; } | plant src/base/x.c
spares "100 columns of UTF-8" long_lines
plant src/base/x.c <<<'int x;'
bites "a C file without a licence" missing_licence src/base/x.c:1
plant src/base/x.h <<<'/* SPDX-License-Identifier: GPL-2.0-or-later */
int x;'
bites "a header that does not say what it is" missing_licence src/base/x.h:2
plant contrib/x <<<'#!/usr/bin/env bash
# Leeway: x'
bites "a script without a licence" missing_licence contrib/x:2
plant src/base/x.c </dev/null
bites "an empty file" missing_licence "src/base/x.c: empty"
plant src/base/x.c <<<'/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: something. */'
plant contrib/x <<<'#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: something.'
plant contrib/data <<<'no script'
spares "files with their two lines" missing_licence

# committed FILE...: put what is planted under git.
committed()
{
	git -C "$planted" init -q
	git -C "$planted" add -f "$@"
}

if [ -e "$root/.git" ] && git -C "$root" ls-files >/dev/null 2>&1; then
	keeps "git holds no product of a build" products
	plant build-x/config.status <<<'#!/bin/sh'
	committed build-x/config.status
	bites "a committed config.status" products build-x/config.status
	plant cli/leeway <<<$'\177ELF...'
	committed cli/leeway
	bites "a committed program" products cli/leeway
	plant src/config/config.c <<<'int x;'
	plant src/config/magic.c <<<$'\n\177ELF'
	plant configure.ac <<<'AC_INIT'
	committed src/config configure.ac
	spares "committed sources" products
else
	skip "git holds no product of a build" "this is no checkout of git"
fi

finish
