#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: keys are read and documented, man pages exist and are well formed.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# "field path" of every key in the tables.
keys()
{
	cat "$1/src/config/keys.def" "$1/src/planner/model/params.def" 2>/dev/null |
		sed -n 's/^LW_\('"${KEYS:-KEY\\|PARAM}"'\)_[A-Z]*(\([a-z_0-9]*\), '\
'"\([a-z_.0-9]*\)",.*/\2 \3/p'
}

# Keys whose field nothing outside src/config takes from a "config" or "cfg", as we call
# every struct lw_config.
unread_keys()
{
	(
		cd "$1"
		files . "^($houses)/.*\.[ch]\$" | grep -v '^src/config/' | tr '\n' '\0' |
			xargs -0 -r grep -ohE -e '((config|cfg)(->|\.))+[A-Za-z0-9_]+' |
			sed 's/.*[>.]//' | sort -u >"$scratch/taken"
		# those of params.def are read by including it
		KEYS=KEY keys . | awk '
			taken { known[$1] = 1; next }
			!($1 in known) { print $2 ": nothing reads " $1 }' \
			taken=1 "$scratch/taken" taken=0 -
	)
}

# Rows of the table that keys() does not see, so that none escapes the other rules.
unseen_keys()
{
	[ "$(keys "$1" | wc -l)" -eq \
		"$(cat "$1/src/config/keys.def" "$1/src/planner/model/params.def" 2>/dev/null |
			grep -cE '^LW_(KEY|PARAM)_[A-Z]*\([a-z]+_')" ] ||
		echo "keys.def or params.def: a key is not on one line with its path"
}

# Documents that speak of `section.key` where the table has none.
stale_keys()
{
	(
		cd "$1"
		known=" $(keys . | cut -d' ' -f2 | tr '\n' ' ') "
		sections=$(sed -n 's/^LW_KEY_SECTION(\([a-z_]*\),.*/\1/p' src/config/keys.def |
			paste -sd'|')
		files . '\.md$' | tr '\n' '\0' |
			xargs -0 -r grep -noHE "\`($sections)\.[a-z_]+[\`:= ]" |
			sed 's/:`/:/; s/[`:= ]$//' |
			grep -vE '\.(c|h|so|t|md|yaml|conf)$' | while IFS= read -r hit; do
			case $known in
			*" ${hit##*:} "*) ;;
			*) echo "$hit: no such key" ;;
			esac
		done
	)
}

# leeway-sim(1) and lw-plan(5) in documents and pages, with no such page.
missing_pages()
{
	(
		cd "$1"
		files . '\.(md|def|in|[1-8])$' | tr '\n' '\0' | xargs -0 -r sed -n '
			s/\\-/-/g
			s/^\.BR \([^ ]*\) (\([1-8]\)).*/\1(\2)/
			s/[^a-z]\(leeway[a-z.-]*([1-8])\)/\n\1\n/gp
			s/[^a-z]\(lw-[a-z-]*([1-8])\)/\n\1\n/gp
			/^leeway[a-z.-]*([1-8])/p
			/^lw-[a-z-]*([1-8])/p' | grep -oE '^(leeway[a-z.-]*|lw-[a-z-]*)\([1-8]\)' |
			sort -u | while IFS='()' read -r name section; do
			[ -e "doc/man/$name.$section" ] || [ -e "doc/man/$name.$section.in" ] ||
				[ -e "doc/dev/format-${name#leeway-}.txt" ] ||
				echo "doc/man/$name.$section: mentioned, but there is no such page"
		done
	)
}

# What groff, and mandoc where there is one, say of the pages named on standard input.
lint()
{
	while IFS= read -r page; do
		groff -man -Tutf8 -ww -z "$page" 2>&1 | sed "s|^|$page: |"
		if command -v mandoc >/dev/null; then
			mandoc -T lint -W warning "$page" | sed "s|^|$page: |" || true
		fi
	done
}

ill_formed()
{
	(
		cd "$1"
		files . '^doc/man/[^/]*\.[1-8]$' | lint
	)
}

# Those that are made while building are none of git's files.
built_ill_formed()
{
	find "$build/doc/man" -name '*.[1-8]' | lint
}

# The example that is checked in, where it is not what the table says.
differing_example()
{
	local make=$build/src/config/gen-docs
	[ ! -x "$1/gen-docs" ] || make=$1/gen-docs
	"$make" yaml | diff -q "$1/conf/leeway.yaml" - >/dev/null ||
		echo "conf/leeway.yaml: not what keys.def says; make conf"
}

keeps "every key of the table is on one line with its path" unseen_keys
keeps "every key is read by somebody" unread_keys
keeps "no document speaks of a key that is gone" stale_keys
keeps "every man page mentioned is there" missing_pages

key='LW_KEY_BOOL(log_x, "log.x", true, "A sentence.")'
plant src/config/keys.def <<<"$key"
plant src/slurm/x.c <<<'int f(struct lw_config *cfg) { return cfg->log_xy; }'
bites "a key that nothing reads" unread_keys log.x
plant src/config/keys.def <<<"$key"
plant src/slurm/x.c <<<'int f(struct other *o) { return o->log_x; }'
bites "a key whose name another struct has" unread_keys log.x
plant src/config/keys.def <<<"$key"
plant src/slurm/x.c <<<'int f(struct settings *s) { return s->config.log_x; }'
spares "a key that is read" unread_keys
plant src/config/keys.def <<<'LW_KEY_BOOL(log_x,
"log.x", true, "A sentence.")'
bites "a key written over two lines" unseen_keys keys.def
plant src/config/keys.def <<<"LW_KEY_SECTION(log, \"Log.\")
$key"
plant README.md <<<'set `log.y: 1` there'
bites "a document with a stale key" stale_keys log.y
plant src/config/keys.def <<<"LW_KEY_SECTION(log, \"Log.\")
$key"
plant README.md <<<'set `log.x: 1` as in `log.c`'
spares "a document with a good key" stale_keys
plant README.md <<<'as lw-nothing(5) says'
bites "a page that is not there" missing_pages doc/man/lw-nothing.5
plant doc/man/leeway.1 <<<'.BR leeway\-none (1)'
bites "a page in SEE ALSO that is not there" missing_pages doc/man/leeway-none.1

if [ -x "$build/src/config/gen-docs" ]; then
	keeps "the example of settings is what the table says" differing_example
	plant gen-docs <<<$'#!/bin/sh\necho other'
	chmod +x "$planted/gen-docs"
	plant conf/leeway.yaml <<<'mine'
	bites "an example that is behind the table" differing_example conf/leeway.yaml
else
	skip "the example of settings is what the table says" "nothing is built in $build"
fi

if printf '.TH X 1\n' | groff -man -Tutf8 -z >/dev/null 2>&1; then
	keeps "man pages are well formed" ill_formed
	if compgen -G "$build/doc/man/*.[1-8]" >/dev/null; then
		keeps "generated man pages are well formed" built_ill_formed
	else
		skip "generated man pages are well formed" "nothing is built in $build"
	fi
	plant doc/man/x.1 <<<'.TH X 1
.SH NAME
x \- y
.NOSUCH z'
	bites "an ill-formed page" ill_formed doc/man/x.1
else
	skip "man pages are well formed" "groff with its man macros is not installed"
fi

finish
