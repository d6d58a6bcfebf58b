#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a cycle over its budget, or cycles that fail: stock takes over until a reconfigure
. "$(dirname "$0")/lib.sh"

# settings TEXT: the new leeway.yaml, taken over by a reconfigure
settings() {
	sh_on ": > /var/log/slurm/slurmctld.log
		printf 'sched:\\n  interval: 5s\\n  min_interval: 1s\\n  patience: 0\\n$1' \
			> /etc/slurm/leeway.yaml
		scontrol reconfigure"
}

# A queue that takes a moment to read: no two jobs alike, so that each is looked at.
# shellcheck disable=SC2317 # called through ok
fill_queue() {
	as u1 "for i in \$(seq 150); do
		sbatch -Q -o /dev/null --exclusive -N2 --time=\$((100 + i)) --wrap='sleep 9000'
	done"
}

takes_over='leeway: .*over its budget.* stock backfill .* plans'
cluster --sched leeway --nodes 2 --gpus 2 --clock 60
ok "a long queue is submitted" fill_queue
await 30 "Leeway plans it" in_log 'leeway: cycle .* waiting'

settings '  budget_ms: 1\n'
await 60 "a cycle takes too long, and the log says so" \
	in_log 'error: leeway: cycle .* is over its budget .* processor time, sched.budget_ms is 1'
await 30 "stock backfill plans the queue" in_log "$takes_over"
unlike "Leeway does not go on" "$(log_of_controller | sed -n '/stock backfill .* plans/,$p')" \
	'leeway: cycle [0-9]+: [0-9]+ waiting'

settings ''
await 60 "after a reconfigure Leeway plans again" in_log 'leeway: cycle .* waiting'
unlike "within its budget" "$(log_of_controller)" 'over its budget'

settings '  budget_kib: 1\n'
await 60 "a cycle takes too much memory, and the log says so" \
	in_log 'error: leeway: cycle .* is over its budget .*KiB of memory, sched.budget_kib is 1'
await 30 "stock backfill plans the queue again" in_log "$takes_over"

ok "slurmctld starts anew" shaken 2
ok "another long queue is submitted" fill_queue
settings ''
await 60 "after a reconfigure Leeway plans again" in_log 'leeway: cycle .* waiting'
unlike "stock does not" "$(log_of_controller)" "$takes_over"
ok "then it has no memory" sh_on ': > /run/starve'
await 60 "and the log says so" in_log 'error: leeway: cannot read the queue: out of memory'
await 60 "three cycles later stock backfill plans the queue" \
	in_log 'leeway: 3 cycles in a row planned nothing \(out of memory\): stock .* plans'
ok "there is memory again" sh_on 'rm /run/starve'
settings ''
await 60 "and after a reconfigure Leeway plans again" in_log 'leeway: cycle .* waiting'
finish
