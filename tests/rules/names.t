#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a static function of one word is alone with its name, so that a stack trace or a
# search says which it is.
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

one_word()
{
	(
		cd "$1"
		files . "^($houses)/.*\.[ch]\$" | tr '\n' '\0' | xargs -0 -r awk '
		/^static [^;={}()#]*[ *][a-z0-9]+\(/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (name in first && first[name] != FILENAME)
				print FILENAME ":" FNR ": " name "() is in " first[name] ", too"
			else
				first[name] = FILENAME
		}'
	)
}

keeps "no two files have a static function of the same one word" one_word

plant lab/sim/a.c <<<'static int take(void)'
plant lab/sim/b.c <<<'static const struct x *take(int a)'
bites "the same word in two files" one_word "lab/sim/b.c:1: take() is in lab/sim/a.c, too"
plant lab/sim/a.c <<<'static int stock_take(void)'
plant lab/sim/b.c <<<'static int convert_take(int a)'
spares "names with that of their file" one_word
printf 'static int take(void);\n\nstatic int take(void)\n' | plant lab/sim/a.c
spares "what is declared before it is defined" one_word

finish
