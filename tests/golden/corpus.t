#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: how often the tags of the labelled scripts in tests/corpus are right (TAP).
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
corpus=$here/../corpus
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ! -x $leeway ]]; then
	bail "no program $leeway: run make first, or name it in LEEWAY"
fi

# shows DESCRIPTION COMMAND...: that it succeeds; what it prints is printed in any case
shows() {
	local what=$1 said verdict=yes
	shift
	said=$("$@" 2>&1) || verdict=no
	result "$verdict" "$what" "$said"
}

is_right() {
	"$leeway" tag --corpus "$corpus" --min-precision 0.97 --min-recall 0.95 "$@"
}

# The rate at which it fails is part of the test: a corpus of wrong labels must fail.
wrong_labels_fail() {
	mkdir "$work/wrong"
	cp "$corpus"/*.job "$work/wrong"
	awk -F '\t' -v OFS='\t' '/^#/ { print; next }
		{ $3 = $3 == "none" ? "training" : "none"; print }' "$corpus/index.tsv" \
		>"$work/wrong/index.tsv"
	! "$leeway" tag --corpus "$work/wrong" --min-precision 0.97 >"$work/wrong/out" 2>&1 &&
		grep -F "precision of the part tuned" "$work/wrong/out"
}

every_script_is_listed() {
	diff <(cd "$1" && printf '%s\n' *.job) \
		<(awk -F '\t' '!/^#/ { print $1 }' "$1/index.tsv" | sort)
}

# Written before the rules were read; doc/lab/2026-11-26-tags-of-strangers.md has the figures.
blind_is_no_worse() {
	"$leeway" tag --corpus "$corpus/$1" --min-precision "$2" --min-recall 0.9
}

# Of 10 to 60 KB; they are made here, out of pieces.
long_are_right() {
	"$corpus/long/make-long" "$work/long"
	"$leeway" tag --corpus "$work/long" --min-precision 0.97 --min-recall 0.95
}

sealed_stays_so() {
	local set=$work/$1
	mkdir "$set"
	sed 's/\tnone\t/\ttraining\t/' "$corpus/$1/index.tsv" >"$set/index.tsv"
	cp "$corpus/$1"/*.job "$set"
	"$leeway" tag --corpus "$set" >"$set/text"
	"$leeway" tag --corpus "$set" --json >"$set/json"
	grep -F '(blind, ' "$set/text" >"$set/seen"
	grep -F '"part": "blind"' "$set/json" >"$set/seen"
	! grep -E '\(sealed, |"part": "sealed"' "$set/text" "$set/json"
}

# Names of files may hold any bytes, JSON only UTF-8.
strange_names_are_listed() {
	local script=$work/$'caf\xe9.job'
	printf '#!/bin/sh\ntorchrun train.py\n' >"$script"
	"$leeway" tag --json "$script" >"$work/strange"
	grep -F '/caf?.job"' "$work/strange"
}

shows "precision 0.97 and recall 0.95 in both parts, spelt as by Slurm 24.11" is_right
shows "the same, spelt as by Slurm 22.05" is_right --slurm 22.05
shows "wrong labels are noticed" wrong_labels_fail
shows "every script is in the index" every_script_is_listed "$corpus"
shows "those of the blind parts too" every_script_is_listed "$corpus/blind"
shows "those of the second blind parts too" every_script_is_listed "$corpus/blind2"
shows "precision 0.97 and recall 0.9 in the blind parts" blind_is_no_worse blind 0.97
shows "precision 0.96 and recall 0.9 in the second ones" blind_is_no_worse blind2 0.96
shows "precision 0.97 and recall 0.95 in long scripts" long_are_right
shows "what is wrong in the sealed part is not shown" sealed_stays_so blind
shows "nor in the second one" sealed_stays_so blind2
shows "a script whose name is no UTF-8 is listed" strange_names_are_listed
finish
