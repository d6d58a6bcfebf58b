#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: no command writes its JSON over a file that it has read (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# keeps NAME FILE OPTION...: FILE, of the work folder, is an input of that command
keeps()
{
	local name=$1 file=$work/$2
	shift 2
	cp "$file" "$work/before"
	like "$name is an input" "$("$leeway" "$@" --json="$file" 2>&1 || true)" \
		': it is one of the inputs, and is kept'
	check "and is as it was" cmp "$work/before" "$file"
}

cp "$here/../state/promises-1.12" "$work/leeway_promises"
cp "$here/../state/promises-ended-1.12" "$work/leeway_promises_ended"
cp "$here/../state/stops-1.12" "$work/leeway_stops"
cp "$here/../state/history-1.12" "$work/history"
cp "$here/../state/model-1.1" "$work/model"
cp "$here/analyse/small.swf" "$work/small.swf"
cp "$here/../../conf/recipes/gavel.yaml" "$work/recipes"
printf 'a: sched.policy=easy\nb: sched.policy=leeway\n' >"$work/runs"
printf '0.25 380\n' >"$work/factors"
head -c 32 /dev/zero >"$work/salt"
printf "kind 1 0 0 0\n" >"$work/tenants"

keeps "the file of promises" leeway_promises promises --state "$work" --now 1795000000
keeps "and of those that ended" leeway_promises_ended promises --state "$work" --now 1795000000
keeps "that of stopped jobs" leeway_stops stops --state "$work" --now 1795000000
keeps "a history" history history show "$work/history"
keeps "recipes" recipes history evaluate --recipes "$work/recipes"
keeps "a net" model model show "$work/model"
keeps "a trace" small.swf sim "$work/small.swf" -q
keeps "a file of runs" runs sim "$work/small.swf" -q --compare --run "@$work/runs"
keeps "prices of energy" factors sim "$work/small.swf" -q --set figures.energy=yes \
	--set "figures.factors=$work/factors"
keeps "what jobs use of a GPU" tenants sim "$work/small.swf" -q --set share.mode=mps \
	--nodes 4 --gpus-per-node 4 \
	--tenants "$work/tenants"
keeps "a salt" salt analyse "$work/small.swf" -q --anonymous --salt-file "$work/salt"
finish
