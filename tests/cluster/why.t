#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway why and leeway when on a running cluster: what they say of a job, and that it holds
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
PartitionName=left Nodes=n1 MaxTime=INFINITE State=UP
PartitionName=right Nodes=n2 MaxTime=INFINITE State=UP
PartitionName=closed Nodes=n2 MaxTime=INFINITE State=UP AllowAccounts=nobodys
Licenses=matlab:1
END
cluster --sched leeway --nodes 2 --gpus 4 --clock 20 --conf-extra "$extra"

# why USER JOB REGEX: what USER is told of JOB
why() {
	said=$(as "$1" "leeway why $2 2>&1")
	[[ $said =~ $3 ]]
}
# A job of another that holds a node for an hour, one that needs both, and one that would delay it.
holds=$(submit u2 "--exclusive --nodelist=n1 --time=60 --licenses=matlab" 30000)
starts "a job has one of two nodes" "$holds"
both=$(submit u2 "--exclusive --nodes=2 --time=30" 60)
await 30 "one that needs both is promised a start" has_promise "$both"
long=$(submit u1 "--exclusive --nodes=1 --time=600" 600)

await 60 "its user is told that it would delay that one" \
	why u1 "$long" "would delay a job that room is kept for \\(job $both\\)"
await 90 "and what would let it start now" why u1 "$long" "with --time=[0-9:]+ it would start now"
like "all see who waits for what" "$(as u1 "leeway why $both")" \
	"first to wait on its nodes.*the end of job $holds makes the room"
like "and until when" "$(as u1 "leeway why $both")" 'promised at the latest '
like "with what is not known yet" "$(as u1 "leeway why $both")" 'similar jobs tell too little'

latest=$(as u1 "leeway why $both --json" | sed -n 's/.*"latest_start_s": \([0-9]*\).*/\1/p')
is "the latest start is what was promised" "$latest" "$(promise_of "$both" | awk '{ print $5 }')"

# what it looks like, for the log
for shown in "why $long" "why $both" "when --all" promises; do
	as u1 "echo \$ leeway $shown; leeway $shown" | comment
done

# Jobs by table: one's own, and another's.
own=$(as u1 'leeway when')
like "leeway when has one's own jobs" "$own" "^$long +"
unlike "and no others" "$own" "^$both +"
like "and those of others if it is asked" "$(as u1 'leeway when --all')" "^$both +"
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

# A partition that it may use, which has room.
tight=$(submit u1 "--partition=left --exclusive --nodes=1 --time=5" 30)
await 90 "another partition is a hint" \
	why u1 "$tight" "in partition (main|right) it would start now"
unlike "one that it may not use is none" "$(as u1 "leeway why $tight")" closed
as u1 "scancel $long" # its node is free
command=$(as u1 "leeway why $tight" | grep -o 'scontrol update.*Partition=.*' | head -n 1)
like "which is a command, too" "$command" "^scontrol update JobId=$tight Partition=(main|right)\$"
as u1 "$command"
starts "with it the job starts" "$tight"

# Until when a licence or a reservation keeps a job. A time of tomorrow has its date: "11-30T00:09".
licensed=$(submit u1 "--nodes=1 --time=1 --licenses=matlab" 1)
await 60 "who waits for a licence is told until when" \
	why u1 "$licensed" "until +[^,]+, or before: when job $holds ends, which has .* matlab"
as u1 "scancel $licensed"
sh_on 'scontrol create reservation reservationname=exam users=u1 nodes=n2 \
	starttime=now+2hours duration=60'
inside=$(submit u1 "--reservation=exam --nodes=1 --time=1" 1)
await 60 "and who waits for a reservation" \
	why u1 "$inside" 'until +[^,]+, when the reservation exam begins'
as u1 "scancel $inside"
sh_on 'scontrol delete reservation=exam'

unknown=$(as u1 'leeway why 999999 2>&1 || true')
like "an unknown job is told" "$unknown" 'no job 999999|Invalid job id'

# What PrivateData=jobs hides nobody is told by Leeway: u2's jobs are none of u1's.
mine=$(submit u1 "--exclusive --nodes=1 --time=600" 600)
await 60 "a job of one's own would delay another's" why u1 "$mine" "job $both"
sh_on 'echo PrivateData=jobs >> /etc/slurm/slurm.conf; scontrol reconfigure'
hidden() { ! [[ $(as u1 "squeue -h -a -o %i") =~ (^|[^0-9])$both($|[^0-9]) ]]; }
await 60 "Slurm shows u1 no jobs of u2" hidden
# names_none COMMAND: nothing of it that u1 reads is the number of another's job
before='^|job |JobId=|would_delay": |after_job": |"job": "'
names_none() { ! as u1 "$1 2>&1" | grep -E "($before)($both|$holds)([^0-9:]|\$)"; }
await 120 "nor does a word on one's own job" names_none "leeway why $mine"
ok "nor its JSON" names_none "leeway why $mine --json"
ok "nor its record" names_none "scontrol show job $mine"
ok "nor a table of all" names_none 'leeway when --all'
ok "nor one of u2" names_none 'leeway when --user u2'
ok "nor the list of promises" names_none 'leeway promises'
ok "nor its JSON" names_none 'leeway promises --json'
ok "nor chains" names_none 'leeway chain show'
like "of another's job nothing is told" "$(as u1 "leeway why $both 2>&1 || true")" \
	'you may see|Invalid job id'
not_seen() { ! as u1 "leeway when $both"; } # sacct goes by slurmdbd.conf, as gpu and chain do
ok "nor by leeway when" not_seen
reason_of() { as u2 "squeue -h -j $both -o %r"; }
says_no_other() { [[ $(reason_of) =~ planned ]] && ! [[ $(reason_of) =~ 'after job' ]]; }
await 60 "a planned start does not say after whose job" says_no_other
ok "whose job it is sees it" why u2 "$both" 'first to wait on its nodes'
like "root sees all" "$(sh_on 'leeway when --all')" "^$both +"
open_files=$(sh_on 'find /var/lib/slurm/state -maxdepth 1 -name "leeway_*" -perm /077')
is "what Leeway keeps can be read by Slurm alone" "$open_files" ""
finish
