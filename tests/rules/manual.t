#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: every command has a page, which knows the options of its table, as --help does.
# shellcheck disable=SC2016 # awk and sed have dollars of their own
. "$(dirname "$0")/lib.sh"

commands()
{
	"$(program "$1")" --help </dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

help_of()
{
	"$(program "$1")" "$2" --help </dev/null 2>&1
}

# Commands without a page, or that leeway(1) leaves out.
without_page()
{
	local all=$1/doc/man/leeway.1
	[ -e "$all" ] || all=$build/doc/man/leeway.1
	commands "$1" | while IFS= read -r command; do
		[ -e "$1/doc/man/leeway-$command.1.in" ] ||
			echo "doc/man/leeway-$command.1.in: is not there"
		grep -qF "leeway\\-$command (1)" "$all" ||
			echo "doc/man/leeway.1: has no leeway-$command(1)"
	done
}

# Pages of commands that leave out what scripts, and people in a hurry, look for.
without_section()
{
	local file section
	for file in "$1"/doc/man/leeway*.1 "$1"/doc/man/leeway*.1.in; do
		[ -e "$file" ] || continue
		for section in 'EXIT STATUS' 'EXAMPLE'; do
			grep -q "^\.SH $section" "$file" ||
				echo "doc/man/${file##*/}: has no section $section"
		done
	done
}

# What cannot be made of a page and the table that it names.
unmade_options()
{
	local file
	for file in "$1"/doc/man/leeway-*.1.in; do
		[ -e "$file" ] || continue
		grep -q '^@OPTIONS .*@$' "$file" ||
			echo "doc/man/${file##*/}: its options are not from their table"
		awk -v top="$1" -f "$root/doc/man/options.awk" "$file" >/dev/null || true
	done
}

# Commands that are not named when a letter is wrong.
not_guessed()
{
	commands "$1" | while IFS= read -r command; do
		{ "$(program "$1")" "${command}e" 2>&1 || true; } |
			grep -F "mean \"leeway $command\"" >/dev/null ||
			echo "leeway: does not think of $command"
	done
}

# Commands whose --help does not say how they end: scripts go by it.
without_codes()
{
	commands "$1" | while IFS= read -r command; do
		help_of "$1" "$command" | grep -E '^Exit code: 0' >/dev/null ||
			echo "leeway $command --help: names no exit codes"
	done
}

# Lines of a --help that a terminal of 80 columns folds.
wide_help()
{
	{
		echo
		commands "$1"
	} | while IFS= read -r command; do
		"$(program "$1")" ${command:+"$command"} --help </dev/null 2>&1 | awk -v \
			command="$command" 'length($0) > 80 { print "leeway " command ": " $0 }'
	done
}

# What bash offers for a word of a command line, one a line.
offered()
{
	bash -c '. "$1/contrib/completion/leeway"
		program=$2
		shift 2
		COMP_WORDS=("$program" "$@") COMP_CWORD=$#
		_leeway "$program" && printf "%s\n" "${COMPREPLY[@]}"' \
		_ "$root" "$(program "$1")" "${@:2}" 2>/dev/null
}

# Commands that the completion does not offer, or of which it offers no option.
not_offered()
{
	offered "$1" '' | sort -u >"$scratch/offered"
	commands "$1" | sort -u | comm -23 - "$scratch/offered" |
		sed 's/$/: not offered by contrib\/completion\/leeway/'
	commands "$1" | while IFS= read -r command; do
		offered "$1" "$command" -- | grep -qE -- "^--help=?\$" ||
			echo "$command: contrib/completion/leeway offers none of its options"
	done
}

# takes PROGRAM COMMAND OPTION=VALUE: it finds fault with what stands behind that, and not with that
takes()
{
	# shellcheck disable=SC2086 # a verb is a word of its own
	{ "$1" ${2/#history/history import} "$3" --no-such-option 2>&1 || true; } </dev/null |
		grep -F -- '--no-such-option: no such' >/dev/null
}

# Values that the completion offers and the command refuses.
refused_values()
{
	local option value
	commands "$1" | while IFS= read -r command; do
		"$(program "$1")" "$command" --list-options 2>/dev/null |
			awk -F '\t' '{ for (i = split($3, v, " "); i > 0; i--) print $1, v[i] }' |
			while read -r option value; do
				takes "$(program "$1")" "$command" "$option=$value" ||
					echo "$command $option: refuses $value"
			done
	done
}

# plant_program COMMAND OPTION: a leeway with one command that has one option
plant_program()
{
	plant leeway <<-END
		#!/bin/sh
		[ "\$1" = --help ] && echo '  $1  does something' && exit
		[ "\$2" = --list-options ] && printf '%s\\tvalue\\ta b\\n' '$2' --help && exit
		echo 'usage: leeway $1'
		echo '  $2 X  means something'
	END
	chmod +x "$planted/leeway"
}

keeps "the options of a page are made from their table" unmade_options
table='LW_TEXT("usage\n") LW_OPTION("this", 0, NULL, "do", .given = x)'
plant cli/act/act_options.def <<<"$table"
plant doc/man/leeway-act.1.in <<<'@OPTIONS cli/act/act_options.def@
@--that@
much'
bites "what a page adds to an option that is not there" unmade_options "no option --that"
plant doc/man/leeway-act.1.in <<<'@OPTIONS cli/act/act_options.def@'
bites "a table that is not there" unmade_options "no table"
plant doc/man/leeway-act.1.in <<<'.SH OPTIONS'
bites "options that a page has by hand" unmade_options leeway-act.1.in
plant cli/act/act_options.def <<<'LW_OPTION(this, 0, NULL, "do", .given = x)'
plant doc/man/leeway-act.1.in <<<'@OPTIONS cli/act/act_options.def@'
bites "an option that cannot be read" unmade_options "no option: this"
plant cli/act/act_options.def <<<"$table"
plant doc/man/leeway-act.1.in <<<'@OPTIONS cli/act/act_options.def@
@--this@
much'
spares "a page that adds to what is there" unmade_options

if [ ! -x "$build/leeway" ]; then
	skip "every command has a page" "nothing is built in $build"
	finish
	exit
fi
keeps "every command has a page, and leeway(1) names it" without_page
keeps "a command's page has exit status and examples" without_section
keeps "completion in bash offers every command, and its options" not_offered
keeps "the values that completion offers are taken" refused_values
keeps "a misspelt command is guessed" not_guessed
keeps "each --help names its exit codes" without_codes
keeps "each --help fits 80 columns" wide_help

plant_program act "--that $(printf '%080d' 0)"
bites "a help that is too wide" wide_help 'leeway act: '
plant_program act --that
spares "a help that is not" wide_help
plant_program act --that
bites "a help without exit codes" without_codes 'leeway act --help: names no exit codes'
# completion looks at standard output only
plant leeway <<'END'
#!/bin/sh
[ "$1" = --help ] && echo '  act  does something' && exit
echo '  --that X' >&2
END
chmod +x "$planted/leeway"
bites "options that completion cannot offer" not_offered 'act: contrib/completion/leeway'
plant leeway <<'END'
#!/bin/sh
[ "$1" = --help ] && echo '  act  does something' && exit
[ "$2" = --list-options ] && printf -- '--that\tvalue\tmuch\n' && exit
echo "leeway act: --that: no"
END
chmod +x "$planted/leeway"
bites "a value that is refused" refused_values 'act --that: refuses much'
plant_program act --this
spares "commands and options that are offered" not_offered
plant_program act --this
bites "a command that is not guessed" not_guessed 'think of act'
plant_program act --this
plant doc/man/leeway.1 <<<'.BR leeway\-act (1)'
bites "a command without a page" without_page doc/man/leeway-act.1
plant_program act --this
plant doc/man/leeway-act.1.in <<<'.SH OPTIONS'
bites "a command that leeway(1) leaves out" without_page doc/man/leeway.1
plant_program act --this
plant doc/man/leeway.1 <<<'.BR leeway\-act (1)'
plant doc/man/leeway-act.1.in <<<'.SH OPTIONS'
spares "a command with its page" without_page
plant doc/man/leeway-act.1 <<<'.SH EXAMPLES'
bites "a page without exit status" without_section 'act.1: has no section EXIT STATUS'

finish
