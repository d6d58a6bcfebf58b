#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a planner that is stuck holds no lock, and slurmctld ends in time in whatever phase it is
# shellcheck disable=SC2317,SC2016 # functions are called through await; the cluster's shell expands
. "$(dirname "$0")/lib.sh"

mkdir -p "$out"
printf 'sched:\n  interval: 2s\n  min_interval: 1s\n' > "$out/leeway.yaml"
cluster --sched leeway --nodes 2 --gpus 2 --cpus 4 --clock 20 --leeway-yaml "$out/leeway.yaml"

# within SECONDS SCRIPT: it succeeds in the cluster, in so many of this machine's seconds
within() {
	local said
	said=$(sh_on "up() { read -r now _ < /proc/uptime; }
		up; begin=\${now/./}; { $2; } > /dev/null 2>&1; rc=\$?; up
		echo \$((\${now/./} - begin)); exit \$rc") || return
	echo "# $2: $said hundredths of a second"
	[ "$said" -le $((100 * $1)) ]
}
answers='timeout 10 squeue -h && timeout 10 scontrol show node n1'
changes='timeout 10 scontrol update nodename=n1 weight=7 && scontrol update nodename=n1 weight=1'
ends='/opt/minislurm/inside/systemctl stop slurmctld'
is_stuck() { sh_on 'test -e /run/stick/stuck'; }
cycles() { log_of_controller | grep -c 'leeway: cycle [0-9]*: [0-9]* waiting'; }
plans_more() { [ "$(cycles)" -gt "$1" ]; }
# what slurmctld says once, from now on
restarted_well() { stop_controller && shaken 1; }
begin_log() { sh_on ': > /var/log/slurm/slurmctld.log'; }

ok "slurmctld starts with a shim" shaken 1
full=$(submit u1 "--nodes=2 --exclusive --time=500" 90000)
starts "all nodes are full" "$full"
waits=$(submit u1 "--nodes=2 --exclusive --time=10" 5)
await 30 "Leeway plans" plans_more 0

# ---- stuck ----
sh_on 'rm -rf /run/stick; mkdir -m 1777 /run/stick'
await 30 "the planner is stuck" is_stuck
ok "slurmctld answers" within 10 "$answers"
ok "records can be changed" within 10 "$changes"
other=$(submit u2 "--nodes=2 --exclusive --time=10" 5)
like "jobs are taken" "$other" '^[0-9]+$'
sh_on "scancel $full"
starts "and Slurm's main loop starts who is next" "$waits"
await 60 "and then the other" has_begun "$other"
begin_log
ok "slurmctld ends in time" within 5 "$ends"
await 10 "the planner is left behind, which is told" in_log \
	'error: leeway: the planner does not end: it is left behind'
unlike "and nothing crashes" "$(log_of_controller)" '[Ss]egmentation|Sanitizer|fatal'
ok "the mark of it is gone" sh_on 'rm -f /run/stick/stuck'
ok "slurmctld starts anew" shaken 1
busy=$(submit u1 "--nodes=2 --exclusive --time=500" 90000)
starts "a job runs" "$busy"
waits=$(submit u1 "--nodes=2 --exclusive --time=10" 5)
await 60 "and the planner is stuck again" is_stuck
ok "a reconfigure ends in time" within 5 "timeout 20 scontrol reconfigure"
ok "and slurmctld answers" within 10 "$answers"
sh_on 'rm -rf /run/stick'
begin_log
ok "let go, and started anew," restarted_well
await 60 "Leeway plans again" plans_more 0

# ---- in whatever phase ----
for ms in 200 400 800; do
	ok "slurmctld starts, slow in each phase by $ms ms" shaken "$ms"
	await 60 "Leeway plans" planned_by 'Leeway (leeway'
	for k in 1 2 3; do pause "0.$((k * 3))"; done
	# the phase that it is in, slurmctld's own end, and what a busy machine adds
	ok "and ends in time" within 20 "$ends"
done
ok "slurmctld is there again" start_controller
clear_all
finish
