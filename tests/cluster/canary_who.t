#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sched.who: it plans the jobs of some QOS only, and its promises hold against Slurm's main
# loop and stock's backfill, which start all others on the same nodes
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

mkdir -p "$out"
printf 'sched:\n  mode: schedule\n  interval: 5s\n  who: research fast\n' > "$out/who.yaml"
# as Slurm is installed: its main loop and submissions start jobs, too
cluster --sched leeway --nodes 4 --gpus 2 --clock 15 --leeway-yaml "$out/who.yaml" \
	--sched-params bf_interval=10,bf_continue
ok "the log says what is planned" \
	planned_by 'plans the queue of some jobs (sched.who), stock backfill that'
beside='Leeway plans some jobs \(sched.who\): stock backfill \(.*\) plans all other jobs'
await 30 "stock's backfill runs beside" in_log "$beside"
sh_on 'sacctmgr -i add qos research,fast
	sacctmgr -i modify account a1,a2,a3,a4 set qos=normal,research,fast' > /dev/null
has_qos() { sh_on "sbatch --test-only --uid=$1 --qos=$2 --wrap=true"; }
for user in u1 u2; do
	await 60 "$user has the QOS" has_qos "$user" research
	await 60 "$user has the other one" has_qos "$user" fast
done

whole="--exclusive --mem=100"
mine() { submit u1 "--nice=100 --qos=research $whole $1" "$2"; }
other() { submit u2 "$whole $1" "$2"; }
by_backfill() { in_log "_start_job: Started JobId=$1 "; }
by_main() { in_log "sched: Allocate JobId=$1 "; }
by_leeway() { in_log "leeway: started JobId=$1 "; }
waits() { job_is "$1" PENDING; }
began_by() { [ "$(seconds_of "$1" StartTime)" -le "$2" ]; }
latest_of() { promise_of "$1" | awk '{ print $5 }'; }
none_broken() { ! in_log 'promise broken: started'; }
no_promise() { ! has_promise "$1"; }
no_mark() { ! field_like "$1" SystemComment 'leeway:'; }
is_stocks() { sh_on "leeway why $1" | grep -q 'Leeway does not plan it'; }
# give_qos QOS JOB
give_qos() { change_job "scontrol update jobid=$2 qos=$1"; }

# Nodes are free, so Slurm starts either at once.
ours=$(mine "--nodes=1 --time=10" 30)
theirs=$(other "--nodes=1 --time=10" 30)
starts "a job of such a QOS starts" "$ours"
starts "so does another one" "$theirs"
nobody_but() { ! by_backfill "$ours" && ! by_leeway "$theirs"; }
ok "neither is started by the other's backfill" nobody_but
clear_all

# What was promised holds against the main loop, which has free nodes for a later job of stock's.
filling=$(mine "--nodes=2 --time=10" 560)
starts "a job has two of four nodes" "$filling"
wide=$(mine "--nodes=4 --time=6" 330)
await 60 "one that needs all is promised a start" has_promise "$wide"
latest=$(latest_of "$wide")
long=$(other "--nodes=1 --time=100" 3000)
brief=$(other "--nodes=1 --time=1" 20)
await 60 "a job of stock's that ends in time starts" has_begun "$brief"
ok "not by Leeway" eval "! by_leeway $brief"
ok "one that does not end in time waits, for all its priority" waits "$long"
ok "it is stock's" is_stocks "$long"
is "nothing is written to its record" "$(job_field "$long" SystemComment)" ''
await 120 "the promised job starts" has_begun "$wide"
ok "by its latest start" began_by "$wide" $((latest + 60))
ok "the long one has waited for it" waits "$long"
ok "no promise is broken" none_broken
clear_all

# A job goes from one to the other with its QOS, while it waits.
filling=$(mine "--nodes=3 --time=100" 6000)
starts "a job has three nodes" "$filling"
moved=$(mine "--nodes=2 --time=10" 30)
await 60 "one that needs two is promised a start" has_promise "$moved"
await 60 "and told so" field_like "$moved" SystemComment 'leeway:'
ok "it is given another QOS" give_qos normal "$moved"
await 60 "its promise is gone" no_promise "$moved"
await 60 "so is what it was told" no_mark "$moved"
ok "it is stock's" is_stocks "$moved"
await 60 "stock plans it" planned "$moved"
ok "it is given one of Leeway's" give_qos fast "$moved"
await 60 "it is promised a start again" has_promise "$moved"
await 60 "and told so again" field_like "$moved" SystemComment 'leeway:'
ok "it is not stock's" eval "! is_stocks $moved"

# A job that names several QOS is Leeway's if all are.
if [[ ! $(release) = 2[2-3].* ]]; then
	both=$(submit u2 "$whole --qos=research,fast --nodes=2 --time=10" 30)
	mixed=$(submit u2 "$whole --qos=research,normal --nodes=2 --time=10" 30)
	await 60 "a job of two of Leeway's QOS is told when" \
		field_like "$both" SystemComment leeway:
	ok "it is not stock's" eval "! is_stocks $both"
	await 60 "one of another QOS beside is planned by stock" planned "$mixed"
	ok "it is promised nothing, and told nothing" eval "no_promise $mixed && no_mark $mixed"
	ok "it is stock's" is_stocks "$mixed"
fi
clear_all
ok "no promise is broken" none_broken
is "slurmctld did not crash" "$(backtraces)" ''
finish
