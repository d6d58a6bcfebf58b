#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway chain on a running cluster: what it sends, and what it shows of chains of each form
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 2 --gpus 4 --clock 60

# column NUMBER JOB: of each link of that job's chain, as its user is shown it, in a row
column() {
	as u1 "leeway chain show $2" |
		awk -v n="$1" '$1 ~ /^[0-9]+$/ { print $n }' | paste -sd ' '
}
column_is() { [ "$(column "$1" "$2")" = "$3" ]; }

# Three links, each a minute long.
as u1 "printf '#!/bin/bash\nsleep \$1\n' > /tmp/link.sh"
sent=$(as u1 "leeway chain submit --links 3 --after ok -o /dev/null --time 10 -n1 /tmp/link.sh 60")
read -r first second third <<< "$(awk '{ print $1 }' <<< "$sent" | paste -sd ' ')"
like "the numbers of three jobs are printed" "$first $second $third" '^[0-9]+ [0-9]+ [0-9]+$'
like "the second waits for the first" "$(job_field "$second" Dependency)" "afterok:$first\\("
like "the third for the second" "$(job_field "$third" Dependency)" "afterok:$second\\("
is "a chain is shown from its end" "$(column 2 "$third")" "$first $second $third"
await 60 "the last link completes" sacct_is "$third" COMPLETED
await 20 "all have completed" column_is 3 "$second" "COMPLETED COMPLETED COMPLETED"
is "all links are shown from the middle" "$(column 2 "$second")" "$first $second $third"

# What lies between them is what lies between the times of accounting.
times=$(sh_on "SLURM_TIME_FORMAT=%s sacct -X -n -P -o Start,End -j $first,$second,$third")
sum=$(awk -F '|' 'NR > 1 { sum += $1 - end } { end = $2 } END { print sum }' <<< "$times")
is "the interruptions are those of accounting" \
	"$(as u1 "leeway chain show $first --json" | sed -n 's/.*"total_s": \([0-9]*\).*/\1/p')" \
	"$sum"
like "accounting has told" "$(as u1 "leeway chain show $first --json")" \
	'"accounting_error": null'

# The script of the page for users, behind which a program saves when it is told, or is ready.
awk '/^```bash/ { on = 1; next } /^```/ { on = 0 } on' "$(dirname "$0")/../../doc/user/chains.md" |
	with_input --user u1 -- bash -c 'mkdir /tmp/page && cat > /tmp/page/job.sh'
with_input --user u1 -- bash -c 'cat > /tmp/page/torchrun && chmod +x /tmp/page/torchrun' <<'END'
#!/bin/bash
links=$(cat "${*: -1}/links" 2> /dev/null || echo 0)
echo $((links + 1)) > "${*: -1}/links"
until [ -e "${*: -1}/stop" ]; do
	[ "$links" = 0 ] || exec touch "${*: -1}/done"
	sleep 5
done
END
small="--time 8 --mem 100 --cpus-per-task 1 --gpus-per-node 1 -o /dev/null"
sent=$(as u1 "cd /tmp/page && PATH=/tmp/page:\$PATH &&
	leeway chain submit --links 3 --after ok --signal B:USR1@300 $small job.sh")
last=$(awk 'END { print $1 }' <<< "$sent")
await 120 "the page's chain completes" sacct_is "$last" COMPLETED
await 20 "each of its links" column_is 3 "$last" "COMPLETED COMPLETED COMPLETED"
is "of which two ran the program" "$(as u1 'cat /tmp/page/run/links')" 2

# Links that serve: the next begins before the limit of the one before.
sent=$(as u1 "leeway chain submit --links 2 --overlap 20m --time 45 -n1 -o /dev/null \
	--wrap 'sleep 3600'")
read -r first second <<< "$(awk '{ print $1 }' <<< "$sent" | paste -sd ' ')"
await 30 "the first link runs" job_is "$first" RUNNING
await 60 "the second is planned for 25 minutes after its start" sh_on "squeue -h -j $second -o %S |
	grep -q ^20"
await 90 "the second begins" job_is "$second" RUNNING
is "beside the first" "$(job_field "$first" JobState)" RUNNING
ok "25 minutes after its start, or little later" near "$(seconds_of "$second" StartTime)" \
	"$(($(seconds_of "$first" StartTime) + 1500))" 120
is "both are links" "$(column 2 "$second")" "$first $second"
ok "they are cancelled" sh_on "scancel $first $second"

# A script that sbatch does not take, and a job that nobody knows.
like "where sbatch refuses nothing is sent" \
	"$(as u1 "leeway chain submit --links 3 /tmp/no-such 2>&1 || true")" 'No job was sent'
like "an unknown job is told" "$(as u1 "leeway chain show 999999 2>&1 || true")" \
	'there is no job 999999 that you may see'

# Requeued, and started again.
again=$(submit u1 "--requeue --time=600" 36000)
await 30 "a job runs" job_is "$again" RUNNING
await 30 "accounting knows" sacct_is "$again" RUNNING
ok "it is requeued" change_job "scontrol requeue $again"
await 30 "it waits" job_is "$again" PENDING
ok "and may begin" change_job "scontrol update job=$again starttime=now"
await 60 "it runs again" job_is "$again" RUNNING
await 20 "two runs are shown" column_is 2 "$again" "$again $again"
like "of which the second says so" "$(as u1 "leeway chain show $again")" 'requeued: run 2'
ok "it is cancelled" sh_on "scancel $again"

# One task of an array at a time, and jobs of one name in turn.
tasks=$(submit u1 "--array=1-3%1 --time=10" 30)
await 90 "the last task completes" sacct_is "${tasks}_3" COMPLETED
await 20 "tasks are links" column_is 2 "$tasks" "${tasks}_1 ${tasks}_2 ${tasks}_3"
turn=$(submit u1 "--job-name=turn --time=100" 3600)
other=$(submit u1 "--job-name=turn --dependency=singleton --time=10" 30)
await 20 "of two jobs of a name one waits" column_is 3 "$other" "RUNNING PENDING"
is "both are links" "$(column 2 "$other")" "$turn $other"
finish
