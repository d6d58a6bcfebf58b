#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway nodes, gpu --user and size tell of a job that lost a node, by accounting
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStoreFlags=job_comment
END
yaml=$out/leeway.yaml
printf '%s\n' sched: '  min_interval: 1s' recover: '  mode: on' > "$yaml"
cluster --sched leeway --nodes 3 --gpus 2 --cpus 4 --mem 8000 --clock 1 --accounting slurmdbd \
	--conf-extra "$extra" --leeway-yaml "$yaml"

# train NODES: a job on two GPUs of each node, that waits to be told how far it is
train() { as u1 "sbatch --parsable --requeue -J train -N $1 --gpus-per-node=2 --time=60 \
	--output=/dev/null --wrap='sleep 3000'"; }
# tells JOB FROM STEP: it was at FROM when it began, and at STEP a minute later, which is now
tells() {
	local now since
	now=$(sh_on 'date +%s') since=$(seconds_of "$1" StartTime)
	sh_on "scontrol update JobId=$1 \
		Comment=leeway:progress=$3/1000,at:$now,from:$2,since:$((since + 1))"
}
ran_for() { [ $(($(sh_on 'date +%s') - $(seconds_of "$1" StartTime))) -ge "$2" ]; }
nodes_of() { sh_on "scontrol show hostnames $(job_field "$1" NodeList)"; }
has_nodes() { nodes=$(nodes_of "$1") && [ -n "$nodes" ]; }
runs_again() { field_like "$1" JobState '^RUNNING$' && field_like "$1" Restarts '^1$'; }
rows_of() { [ "$(sh_on "sacct -X -D -n -P -j $1 -o End | grep -c '^2'")" = "$2" ]; }

gang=$(train 2)
starts "a job runs on two nodes" "$gang"
await 20 "they are known" has_nodes "$gang"
last=${nodes##*$'\n'}
await 90 "it has run for a minute" ran_for "$gang" 62
ok "it says how far it is" tells "$gang" 0 500
ok "one of its nodes is lost" sh_on "scontrol update nodename=$last state=down reason=broken"
sh_on "scontrol update nodename=$last state=resume"
await 60 "it runs again" runs_again "$gang"
await 90 "for a minute" ran_for "$gang" 62
# half of its work was saved
ok "it says that it went on" tells "$gang" 250 700
ok "it is over" sh_on "scancel $gang"
await 60 "accounting has both runs" rows_of "$gang" 2
sh_on "sacct -X -D -P -j $gang -o JobID,State,Start,End,NodeList,AllocTRES,Comment%80" | comment

said=$(as u1 'leeway gpu 2>&1')
comment <<< "$said"
like "the run that was lost is told" "$said" \
	'training time [0-9]+ %; 1 run interrupted, GPU-hours repeated 0\.[0-9], in doubt 0'
is "the job is one line" "$(grep -cE "^$gang +[A-Z_]+ +4 " <<< "$said")" 1
said=$(sh_on 'leeway nodes --all 2>&1')
comment <<< "$said"
like "the node that went down is told" "$said" "^$last +1 +[0-9]+ +1 "
like "and no finding is made of one" "$said" 'not known$'
said=$(as u1 'leeway size 2>&1')
comment <<< "$said"
like "one size tells nothing" "$said" 'not known: only one size was run, 4 GPUs'

alone=$(train 1)
starts "the same on one node" "$alone"
await 90 "it has run for a minute" ran_for "$alone" 62
ok "it says how far it is" tells "$alone" 0 300
ok "it is over" sh_on "scancel $alone"
await 60 "accounting has it" rows_of "$alone" 1
said=$(as u1 'leeway size 2>&1')
comment <<< "$said"
like "two sizes are compared by their progress" "$said" \
	'the time of all steps of a job, by its progress'
like "with an advice that is a guess" "$said" '^  how     a guess: fewer than 3 runs'
finish
