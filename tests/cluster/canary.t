#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sched.partitions and sched.who: it plans and starts only some jobs, stock backfill all
# others, on nodes that both have
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

metrics=/var/lib/slurm/leeway.prom
conf_extra <<'END'
PartitionName=mine Nodes=n[1-3] MaxTime=INFINITE State=UP
PartitionName=other Nodes=n[2-4] MaxTime=INFINITE State=UP
END
mkdir -p "$out"
printf 'sched:\n  mode: schedule\n  interval: 5s\n  metrics: %s\n  partitions: mine\n' $metrics \
	> "$out/canary.yaml"
# no main loop, so that it is one backfill or the other that starts a job
cluster --sched leeway --nodes 4 --gpus 2 --clock 15 --leeway-yaml "$out/canary.yaml" \
	--conf-extra "$extra" --sched-params sched_interval=-1,defer,bf_interval=10,bf_continue
ok "the log says what is planned" \
	planned_by 'plans the queue of some jobs (sched.partitions), stock backfill that'
beside='Leeway plans some jobs \(sched.partitions\): stock backfill \(.*\) plans all other jobs'
await 30 "stock's backfill runs beside" in_log "$beside"

whole="--exclusive --mem=100"
mine() { submit "$1" "-p mine $whole $2" "$3"; }
other() { submit "$1" "-p other $whole $2" "$3"; }
by_leeway() { in_log "leeway: started JobId=$1 "; }
by_stock() { in_log "_start_job: Started JobId=$1 "; }
value() { sh_on "sed -n 's/^$1 //p' $metrics"; }
at_least() { [ "$(value "$1")" -ge "$2" ]; }
waits() { job_is "$1" PENDING; }
began_by() { [ "$(seconds_of "$1" StartTime)" -le "$2" ]; }
none_broken() { ! in_log 'promise broken: started'; }
# set_to KEY VALUE: in leeway.yaml, and a reconfigure
set_to() {
	sh_on "sed -i 's/^  $1:.*/  $1: $2/' /etc/slurm/leeway.yaml
		: > /var/log/slurm/slurmctld.log
		scontrol reconfigure"
}

# Each starts its own, on nodes that both may have.
ours=$(mine u1 "--nodes=1 --nodelist=n2 --time=10" 60)
theirs=$(other u2 "--nodes=1 --nodelist=n3 --time=10" 60)
starts "a job of the canary starts" "$ours"
starts "so does another one" "$theirs"
ok "the first by Leeway" by_leeway "$ours"
ok "the other by stock's backfill" by_stock "$theirs"
unlike "none by the other of both" "$(log_of_controller)" \
	"leeway: started JobId=$theirs |_start_job: Started JobId=$ours "
await 60 "the metrics count both" at_least 'leeway_sched_starts_total{by="stock_backfill"}' 1
like "and say what plans" "$(sh_on "grep '^leeway_sched_info' $metrics")" 'planner="both"'
clear_all

# What was promised to a job of the canary holds against stock, which plans as if nothing were.
filling=$(mine u1 "--nodes=2 --nodelist=n1,n2 --time=10" 560)
starts "a job has two of its three nodes" "$filling"
wide=$(mine u1 "--nodes=3 --time=6" 330)
await 60 "one that needs all is promised a start" has_promise "$wide"
latest=$(promise_of "$wide" | awk '{ print $5 }')
long=$(other u2 "--nodes=1 --nodelist=n3 --time=100 --nice=100" 3000)
brief=$(other u2 "--nodes=1 --nodelist=n3 --time=1" 20)
await 60 "one of stock's that ends in time starts" has_begun "$brief"
ok "by stock" by_stock "$brief"
ok "one that does not end in time waits" waits "$long"
await 60 "the start of the promised job is shown, though stock wipes it" planned "$wide"
await 60 "its user is told" field_like "$wide" SystemComment 'leeway:'
is "nothing is written to a job of stock's" "$(job_field "$long" SystemComment)" ''
unlike "nor is its reason of Leeway's" "$(sh_on "scontrol show job $long")" 'planned |leeway:'
await 90 "the promised job starts" has_begun "$wide"
ok "by its latest start" began_by "$wide" $((latest + 60))
ok "the long one of stock's has waited for it" waits "$long"
ok "no promise is broken" none_broken
clear_all

# A job of stock's with more priority has its start: later jobs of the canary do not pass it.
holder=$(other u2 "--nodes=1 --nodelist=n2 --time=10" 560)
starts "a job of stock's has a node" "$holder"
head=$(other u2 "--nodes=3 --time=10" 300)
await 60 "a wide one waits for it, with a start by stock" planned "$head"
shown=$(seconds_of "$head" StartTime)
later=$(mine u1 "--nodes=1 --nodelist=n3 --time=100" 3000)
small=$(mine u1 "--nodes=1 --nodelist=n3 --time=2" 60)
apart=$(mine u1 "--nodes=1 --nodelist=n1 --time=100" 3000)
await 60 "one that ends before starts on its nodes" has_begun "$small"
await 60 "one on a node that it does not want starts" has_begun "$apart"
ok "by Leeway" by_leeway "$apart"
ok "a long one waits behind it" waits "$later"
await 60 "its user is told so" field_like "$later" SystemComment 'leeway:'
await 60 "the wide one has its start still" planned "$head"
like "Slurm's reason" "$(job_field "$head" Reason)" '^(Resources|Priority|None)$'
like "leeway why says which scheduler plans it" "$(sh_on "leeway why $head")" \
	'Leeway does not plan it'
await 90 "the wide one starts" has_begun "$head"
ok "by stock" by_stock "$head"
ok "the long one has waited for it" waits "$later"
ok "when stock said" began_by "$head" $((shown + 90))
await 120 "the long one follows" has_begun "$later"
clear_all

# Components that never fit together: stock has a start for the first of them in each cycle.
wide="-p other $whole --time=60 --nodes=3"
never=$(as u2 "sbatch --parsable -o /dev/null $wide : $wide --wrap='sleep 60'")
await 60 "stock plans a part of a het job that fits at no time" planned "$never"
later=$(mine u1 "--nodes=1 --nodelist=n3 --time=100" 3000)
await 120 "a job of the canary does not wait for it for ever" has_begun "$later"
ok "the het job waits" waits "$never"
clear_all

# More and less, by a word and a reconfigure.
ok "it is told to plan all" set_to partitions "''"
await 60 "Leeway plans the queue" planned_by 'not stock backfill'
theirs=$(other u2 "--nodes=1 --time=10" 20)
starts "a job of the other partition starts" "$theirs"
ok "by Leeway" by_leeway "$theirs"
filling=$(other u2 "--nodes=3 --time=100" 6000)
starts "another one has all nodes of its partition" "$filling"
waiting=$(other u2 "--nodes=3 --time=10" 60)
await 60 "a third one is promised a start" has_promise "$waiting"
await 60 "and told so" field_like "$waiting" SystemComment 'leeway:'
ok "it is told to plan some again" set_to partitions mine
await 60 "stock's backfill runs again" in_log "$beside"
no_mark() { ! field_like "$1" SystemComment 'leeway:'; }
no_promise() { ! has_promise "$1"; }
await 60 "what that user was told is gone" no_mark "$waiting"
await 60 "so is the promise" no_promise "$waiting"
await 60 "stock plans that job" planned "$waiting"
ours=$(mine u1 "--nodes=1 --nodelist=n1 --time=10" 20)
starts "a job of the canary starts" "$ours"
ok "by Leeway" by_leeway "$ours"
ok "it is told to watch" set_to mode watch
await 60 "stock plans the queue" in_log 'sched.mode is watch: stock backfill \(.*\) plans the queue'
ours=$(mine u1 "--nodes=1 --nodelist=n1 --time=10" 20)
starts "a job of that partition starts" "$ours"
ok "by stock" by_stock "$ours"
unlike "Leeway starts none" "$(log_of_controller)" 'leeway: started JobId'
is "slurmctld did not crash" "$(backtraces)" ''
finish
