#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a static function is alone with its name in what Slurm loads, and elsewhere if that
# is one word, so that a stack trace or a search says which it is.
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

alike()
{
	(
		cd "$1"
		files . "^($houses)/.*\.[ch]\$" | tr '\n' '\0' | xargs -0 -r awk '
		/^static [^;={}()#]*[ *][a-z0-9_]+\(/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (name ~ /^lw_/ || (name ~ /_/ && FILENAME !~ /^(\.\/)?(src|plugins)\//))
				next
			if (name in first && first[name] != FILENAME)
				print FILENAME ":" FNR ": " name "() is in " first[name] ", too"
			else
				first[name] = FILENAME
		}'
	)
}

keeps "no two files have a static function of the same name" alike

plant lab/sim/a.c <<<'static int take(void)'
plant lab/sim/b.c <<<'static const struct x *take(int a)'
bites "the same word in two files" alike "lab/sim/b.c:1: take() is in lab/sim/a.c, too"
plant src/base/a.c <<<'static int take_all(void)'
plant src/base/b.c <<<'static int take_all(int a)'
bites "two words that Slurm loads" alike "src/base/b.c:1: take_all() is in src/base/a.c, too"
plant lab/sim/a.c <<<'static int stock_take(void)'
plant lab/sim/b.c <<<'static int convert_take(int a)'
spares "names with that of their file" alike
printf 'static int take(void);\n\nstatic int take(void)\n' | plant lab/sim/a.c
spares "what is declared before it is defined" alike

finish
