#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: nodes that are powered down count as idle, and a planned start wakes them
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
printf '%s\n' SuspendTime=7200 SuspendTimeout=7200 > "$extra"
# State=CLOUD, and a ResumeProgram that does nothing: the nodes stay on their way up for ever.
cluster --sched leeway --fleet cloud --nodes 2 --gpus 4 --cpus 8 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# powered COUNT REGEX: so many nodes are in such a state
powered() { [ "$(sh_on "sinfo -h -N -p main -o %t" | grep -Ec -- "$2")" = "$1" ]; }

ok "both nodes are powered down" powered 2 '^idle~'
one=$(job "--gpus-per-node=4 --time=600" 30000)
await 40 "a job starts on one of them" job_is "$one" CONFIGURING
await 20 "which Slurm wakes" powered 1 '#$'
ok "the other is left alone" powered 1 '^(idle|plnd)~'

both=$(job "--nodes=2 --gpus-per-node=4 --time=20" 300)
await 40 "a job for both is planned" planned "$both"
is "on both" "$(job_field "$both" SchedNodeList)" 'n[1-2]'
ok "for the end of the first" near "$(seconds_of "$both" StartTime)" \
	"$(seconds_of "$one" EndTime)" 60
ok "the node kept for it stays down until then" powered 1 '^(idle|plnd)~'
short=$(job "--gpus-per-node=4 --time=10" 60)
await 40 "one that ends before takes it, and wakes it" job_is "$short" CONFIGURING
await 20 "so both are on their way up" powered 2 '#$'
ok "both jobs are cancelled" sh_on "scancel $one $short"
await 60 "the planned job starts on nodes that are not there yet" job_is "$both" CONFIGURING
is "on both" "$(job_field "$both" NodeList)" 'n[1-2]'

# Who waits for a node that is on its way down is planned on it.
ok "they are cancelled, and one node is powered down" sh_on "scancel $both &&
	scontrol update nodename=n1 state=POWER_DOWN_FORCE"
await 20 "it is on its way" powered 1 '%$'
both=$(job "--nodes=2 --gpus-per-node=4 --time=20" 300)
await 40 "a job for both is planned" planned "$both"

# Where one node may be powered up, who would power up another waits for that one.
limited() {
	echo SlurmctldParameters=max_powered_nodes=1 >> "$extra"
	cluster_gone
	cluster --sched leeway --fleet cloud --nodes 2 --gpus 4 --cpus 8 --mem 8000 --clock 20 \
		--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"
	one=$(job "--gpus-per-node=4 --time=600" 30000)
	await 40 "a job starts" job_is "$one" CONFIGURING
	# Slurm counts it from then on only: who comes before is let on the other, by stock as well
	await 20 "and powers up a node" powered 1 '#$'
	next=$(job "--gpus-per-node=4 --time=20" 300)
	await 40 "the next one is planned" planned "$next"
	is "on the same node" "$(job_field "$next" SchedNodeList)" "$(job_field "$one" NodeList)"
	ok "for the end of the first" near "$(seconds_of "$next" StartTime)" \
		"$(seconds_of "$one" EndTime)" 60
	unlike "and not refused" "$(log_of_controller)" "job $next: Slurm would not start it"
}
[ "$(release)" = 22.05 ] || limited
finish
