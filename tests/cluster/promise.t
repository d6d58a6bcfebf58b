#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what users read of a promise: start, latest start and reason, and that these do not waver
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Slurm's main loop is on: it wipes reasons whenever it looks at a job.
cluster --sched leeway --nodes 4 --gpus 0 --cpus 4 --mem 8000 --clock 20

latest_of() { promise_of "$1" | cut -d ' ' -f 5; }
# told_word JOB: what its user reads of a promise; of an array its waiting rest. Beside it may stand
# what leeway why reads.
told_word() {
	sh_on "scontrol show job $1" | grep -o 'leeway:latest-start=[^ ;]*' | head -n 1
}
# latest_shown JOB: the same, as seconds since the epoch
latest_shown() {
	local word
	word=$(told_word "$1")
	[ -n "$word" ] && sh_on "date -d ${word#*=} +%s"
}
told() { [ -n "$(latest_shown "$1")" ]; }
untold() { [ -z "$(told_word "$1")" ]; }
# samples JOB COUNT: start and reason as squeue has them; jobs come behind it meanwhile, each of
# which sets off Slurm's main loop
# shellcheck disable=SC2016 # the shell in the cluster expands it
samples() {
	sh_on 'for ((i = 0; i < '"$2"'; i++)); do
		if [ $((i % 6)) -eq 0 ]; then
			runuser -u u2 -- sbatch -Q -o /dev/null --mem=100 --nodes=4 --time=5 \
				--wrap="sleep 5"
			LD_PRELOAD= sleep 0.3
		fi
		squeue -h -j '"$1"' -o "%S %r"
		LD_PRELOAD= sleep 0.1
	done'
}
# starts_shown COUNT SAMPLES...: so many different starts follow one another
starts_shown() {
	local count=$1 all
	shift
	all=$(printf '%s\n' "$@" | cut -d ' ' -f 1 | uniq)
	[ "$(wc -l <<< "$all")" -eq "$count" ] || { echo "$all" && return 1; }
}
# Who asks while the main loop is at work may be answered before our reason is back.
reason_stays() {
	[ "$(printf '%s\n' "$@" | grep -vc ' planned ')" -le 2 ] || { echo "$@" && return 1; }
}

full=$(job "--nodes=4 --exclusive --time=60" 30000)
starts "a job on all nodes" "$full"
head=$(job "--nodes=4 --exclusive --time=10" 2000)
await 60 "one for all of them is promised a start" has_promise "$head"
await 30 "its user can read of it" told "$head"
is "the latest start, as in the promise file" "$(latest_shown "$head")" "$(latest_of "$head")"
waits_for "and in the reason" "$head" \
	'^planned_.*,_at_the_latest_[^_]*,_on_n\[1-4\]_after_job_'"$full"
# behind it stands what leeway why reads
like "squeue has it, too" "$(sh_on "squeue -h -j $head -O system_comment:200")" \
	"$(told_word "$head")( |\$)"

# A live page of the same, by root, and by a user who may not read the promise file.
page=$(sh_on 'leeway live /tmp/live --once && cat /tmp/live/index.html')
like "a live page has the job that runs" "$page" "<b>$full</b> .*lw-bar lw-c1.*ends by "
like "and the planned and the latest start of the other" "$page" \
	"<b>$head</b> .*lw-planned.*>starts [0-9A-Z].*at the latest [0-9A-Z]"
like "nodes with who is on them" "$page" ">n1 … n4 \\(4\\)</td>.*<td>$full [a-z0-9]+</td>"
like "promises by their file" "$page" 'Made: [1-9][0-9]*\. .* Open: [1-9]'
like "and cycles" "$page" '<td>Last cycle</td><td>[0-9.]+ ms</td>'
page=$(as u1 'leeway live /tmp/live-u1 --once --no-users && cat /tmp/live-u1/index.html')
like "a user's page has promises by their jobs" "$page" 'jobs carry a promised start'
like "and nodes with jobs alone, if it is told so" "$page" "\\(4\\)</td>.*<td>$full</td>"
is "its time limit is what it was" "$(job_field "$head" TimeLimit)" 00:10:00

first=$(samples "$head" 60)
ok "in sixty samples of a plan that does not change the start is the same" \
	starts_shown 1 "$first"
ok "and the reason" reason_stays "$first"
like "with a start and the reason" "$first" '^20.* planned '
sh_on "scancel -u u2"
sh_on "scontrol update jobid=$full timelimit=90"
second=$(samples "$head" 60)
ok "where the plan changes the start changes once" starts_shown 2 "$first" "$second"
ok "and the reason stays ours" reason_stays "$second"
is "what is promised does not" "$(latest_shown "$head")" "$(latest_of "$head")"
sh_on "scancel -u u2"

word=$(told_word "$head")
ok "slurmctld is killed" kill_controller
ok "and starts again" start_controller
await 60 "it plans" in_log "leeway: cycle .*head job $head"
is "the promise can be read yet" "$(told_word "$head")" "$word"

sh_on "scontrol hold $head"
await 60 "who is held can read of none" untold "$head"
sh_on "scontrol release $head"
await 60 "once released it is promised another start" told "$head"
like "and the first was withdrawn, since it was held" \
	"$(sh_on "grep -a ^totals $promises")" '^totals 2 0 0 0 0 1 0 0'
sh_on "scancel $full"
starts "it starts" "$head"
await 60 "who runs can read of none" untold "$head"
sh_on "scancel $head"
await 60 "it ends" accounted "$head"
is "nor does accounting have any" "$(sacct_field "$head" SystemComment)" ''
like "the promise was kept" "$(sh_on "grep -a ^totals $promises")" '^totals 2 1 0 0 0 1 0 0'

# A promise to an array is to its next task: when that has started, the rest is promised another.
full=$(job "--nodes=4 --exclusive --time=60" 30000)
starts "a job on all nodes" "$full"
array=$(job "--nodes=4 --exclusive --time=10 --array=1-2" 2000)
await 60 "an array is promised a start" told "$array"
old=$(latest_of "$array")
sh_on "scancel $full"
starts "a task starts" "${array}_1"
another() { told "$array" && [ "$(latest_shown "$array")" != "$old" ]; }
await 60 "the rest is promised another" another
like "the task that runs is not" "$(sh_on "scontrol show job ${array}_1")" 'JobState=RUNNING'
unlike "and says so" "$(sh_on "scontrol show job ${array}_1")" 'latest-start'
sh_on "scancel $array"
await 60 "all are gone" all_done
finish
