#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a static function has a word of its file's name in what Slurm loads, and is alone
# with its name there, and elsewhere if that is one word, so that a stack trace or a search says
# which it is.
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

# "FILE LINE NAME" of each static function in the files that match.
statics()
{
	files . "$1" | tr '\n' '\0' | xargs -0 -r awk '
	/^static [^;={}()#]*[ *][a-z0-9_]+\(/ {
		name = $0
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		print FILENAME, FNR, name
	}'
}

alike()
{
	(
		cd "$1"
		statics "^($houses)/.*\.[ch]\$" | awk '
		$3 ~ /^lw_/ || ($3 ~ /_/ && $1 !~ /^(\.\/)?(src|plugins)\//) { next }
		$3 in first && first[$3] != $1 {
			print $1 ":" $2 ": " $3 "() is in " first[$3] ", too"
			next
		}
		{ first[$3] = $1 }'
	)
}

# Static functions without a word of the name of their file.
nameless()
{
	(
		cd "$1"
		statics "^(src|plugins)/.*\.c\$" | awk '{
			file = $1
			sub(/.*\//, "", file)
			sub(/\.c$/, "", file)
			for (i = split(file, word, /[_-]/); i; i--)
				if (index("_" $3 "_", "_" word[i] "_"))
					next
			print $1 ":" $2 ": " $3 "() has no word of " file
		}'
	)
}

keeps "no two files have a static function of the same name" alike

keeps "a static function that Slurm loads has a word of its file" nameless

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

plant src/base/spare_room.c <<<'static const struct x *take_rooms(int a)'
bites "a name without its file's" nameless "spare_room.c:1: take_rooms() has no word of spare_room"
printf 'static int room_of(int a)\nstatic int spare(void)\n' | plant src/base/spare_room.c
spares "names with a word of it" nameless

finish
