#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway tune advises for a small log, and when it advises nothing (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"
cd "$work"

"$leeway" generate --model lublin --jobs 1500 --load 0.9 --nodes 32 --seed 3 -o busy.lw -q
"$leeway" generate --model lublin --jobs 300 --load 0.01 --nodes 32 --seed 3 -o idle.lw -q
printf 'sched:\n  policy: easy\n' >easy.yaml

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" tune "$@" 2>&1 || status=$?
	echo "exit status $status"
}
# harm is allowed: long jobs wait for short ones here
free=(--harm 1)
advice=$(says busy.lw --config easy.yaml "${free[@]}")
comment <<<"$advice"
like "it has halves" "$advice" '^[0-9]+ and [0-9]+ jobs, of every second of 30 pieces of 1d00h each$'
like "it says what the settings are now" "$advice" '^as it is .* 100 % '
like "the best of one half" "$advice" '^Chosen on the even pieces: sched.policy=leeway.'
like "and of the other" "$advice" '^Chosen on the odd pieces: sched.policy=leeway.'
like "what both speak for is advised" "$advice" '^Advised: sched.policy=leeway, .* [0-9]+ % to [0-9]+ %'
like "as a file" "$advice" '^  policy: leeway$'
like "it ends well" "$advice" '^exit status 0$'
is "in one process it says the same" "$(says busy.lw --config easy.yaml "${free[@]}" --parallel 1)" \
	"$advice"
json=$(says busy.lw --config easy.yaml "${free[@]}" --json)
like "JSON says what it is" "$json" '"schema": "leeway.tune"'
like "and what is advised" "$json" '"advised": "sched.policy=leeway"'

none=$(says idle.lw)
like "where no job waits nothing is to be changed" "$none" '^Advised: change nothing'
unlike "and no file is printed" "$none" '^sched:'
strict=$(says busy.lw --config easy.yaml --harm 0)
like "what harms a job is marked" "$strict" '^sched.policy=leeway .*!'
unlike "and not advised" "$strict" '^Advised: sched.policy=leeway'

# the defaults are those of leeway.yaml
: >empty.yaml
is "a file that sets nothing changes nothing" "$(says busy.lw --config empty.yaml)" "$(says busy.lw)"
like "a sample is told of" "$(says busy.lw --sample 300)" '^By [0-9]+ of [0-9]+ weeks, spread over all'

# what cannot be
like "jobs that do not fit the machine are told of" "$(says busy.lw --nodes 1)" \
	'jobs do not fit the machine: give the cluster.s --nodes'
like "a log is wanted" "$(says)" 'say a trace, --sacct FILE or --cluster'
like "one" "$(says busy.lw --cluster)" 'say a trace, --sacct FILE or --cluster'
like "one trace" "$(says busy.lw idle.lw)" 'one trace, not "idle.lw"'
like "of sacct the machine is asked for" "$(says --sacct busy.lw)" 'give --nodes, --cpus-per-node'
like "a share is at most 1" "$(says busy.lw --harm 2)" '^exit status 2$'
like "a file of settings is read" "$(says busy.lw --config none.yaml)" 'none.yaml'
printf 'sched:\n  polcy: easy\n' >wrong.yaml
like "and its mistakes are told" "$(says busy.lw --config wrong.yaml)" 'polcy'
echo '; MaxProcs: 4' >empty.swf
like "a log without jobs is told" "$(says empty.swf)" '^exit status 1$'
finish
