#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway why and leeway when on a running cluster: what they say of a job, and that it holds
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 2 --gpus 4 --clock 20

# why USER JOB REGEX: what USER is told of JOB
why() { [[ $(as "$1" "leeway why $2 2>&1") =~ $3 ]]; }
# A job of another that holds a node for an hour, one that needs both, and one that would delay it.
holds=$(submit u2 "--exclusive --nodes=1 --time=60" 30000)
starts "a job has one of two nodes" "$holds"
both=$(submit u2 "--exclusive --nodes=2 --time=30" 60)
await 30 "one that needs both is promised a start" has_promise "$both"
long=$(submit u1 "--exclusive --nodes=1 --time=600" 600)

await 60 "its user is told that it would delay that one" \
	why u1 "$long" "would delay a promised job \\(job $both\\)"
await 90 "and what would let it start now" why u1 "$long" "with --time=[0-9:]+ it would start now"
like "all see who waits for what" "$(as u1 "leeway why $both")" \
	"first to wait on its nodes.*the end of job $holds makes the room"
like "and until when" "$(as u1 "leeway why $both")" 'promised at the latest '
like "with what is not known yet" "$(as u1 "leeway why $both")" 'too few jobs have started yet'

latest=$(as u1 "leeway why $both --json" | sed -n 's/.*"latest_start_s": \([0-9]*\).*/\1/p')
is "the latest start is what was promised" "$latest" "$(promise_of "$both" | awk '{ print $5 }')"

# what it looks like, for the log
for shown in "why $long" "why $both" "when --all" promises; do
	as u1 "echo \$ leeway $shown; leeway $shown" | comment
done

# Jobs by table: one's own, and another's.
own=$(as u1 'leeway when')
like "leeway when has one's own jobs" "$own" "$long +"
unlike "and no others" "$own" "$both +"
like "and those of others if it is asked" "$(as u1 'leeway when --all')" "$both +"
like "promises are listed for all to see" "$(as u1 'leeway promises')" "^$both +"
like "and with how they were kept for root" "$(sh_on 'leeway promises')" "^made 1: kept 0"

# A job that is held is Slurm's to explain, and the planner's word goes.
as u1 "scontrol hold $long"
await 60 "a held job has Slurm's reason" why u1 "$long" "it is held.*scontrol release"
no_word() { ! field_like "$long" SystemComment 'leeway:why='; }
await 60 "and no word of the planner's" no_word
as u1 "scontrol release $long"
await 90 "released, it has its hint again" why u1 "$long" "with --time=[0-9:]+ it would start now"

# The hint is taken, and holds.
command=$(as u1 "leeway why $long" | grep -o 'scontrol update.*' | head -n 1)
like "the hint is a command" "$command" "^scontrol update JobId=$long TimeLimit="
as u1 "$command"
starts "with it the job starts" "$long"
await 60 "and nothing is said of it any more" no_word
like "which leeway why tells" "$(as u1 "leeway why $long")" 'it does not wait: RUNNING'
ok "the promise still stands" has_promise "$both"
unknown=$(as u1 'leeway why 999999 2>&1 || true')
like "an unknown job is told" "$unknown" 'no job 999999|Invalid job id'
finish
