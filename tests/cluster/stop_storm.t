#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs are stopped at random, while slurmctld and nodes die, and none is lost
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"

# LW_STORM_SEED is the seed, LW_STORM_STOPS how many stops there are at least, unless it goes on for
# LW_STORM_SECONDS before that.
seed=${LW_STORM_SEED:-7} stops=${LW_STORM_STOPS:-150} clock=${LW_STORM_CLOCK:-5} back_s=60
echo "# LW_STORM_SEED=$seed LW_STORM_STOPS=$stops LW_STORM_CLOCK=$clock"

aged_conf
yaml=$out/leeway.yaml
printf '%s\n' sched: '  min_interval: 1s' '  predict: no' stop: '  mode: on' '  for: short' \
	'  who: qos:scavenger' '  lease: 10s' "  back: ${back_s}s" '  per_day: 1000' \
	'  share: 0.6' > "$yaml"
begin --nodes 10 --clock "$clock"
sh_on 'sacctmgr -i modify user u2,u3 set qos+=scavenger' > /dev/null

storm=/run/storm/stop-storm
with_input bash -c 'mkdir -p -m 1777 /run/storm && cd /run/storm && cat > stop-storm &&
	touch made cancelled felled ghosts && chmod 666 made cancelled' \
	< "$(dirname "$0")/stop-storm"
for user in 1 2 3; do
	on --user "u$user" -- bash "$storm" user $((seed * 10 + user)) &
done
for k in 1 2 3; do on bash "$storm" admin $((seed * 10 + k)) & done

asked() { log_of_controller | grep -cE 'it is asked$' || :; }
# trouble: slurmctld is killed, and now and then a node is
rounds=0
trouble() {
	rounds=$((rounds + 1))
	pause $((10 + (seed + rounds * 7) % 20))
	running=$(sh_on 'squeue -h -t R -o %A')
	kill_controller && start_controller || return
	on bash "$storm" ghosts "$seed" "$running"
	[ $((rounds % 3)) != 0 ] || on bash "$storm" fell $((seed * 100 + rounds))
}
hurt=0
until [ "$(asked)" -ge "$stops" ] || [ "$SECONDS" -gt "${LW_STORM_SECONDS:-100000}" ]; do
	trouble || hurt=$((hurt + 1))
done
is "slurmctld came back each of $rounds times" "$hurt" 0
sh_on 'touch /run/storm/calm'
wait
settled() { on bash "$storm" ghosts "$seed"; all_done; }
await 900 "all jobs are over" settled

for what in made cancelled felled ghosts; do sh_on "cat /run/storm/$what" > "$out/$what"; done
sh_on 'sacct -a -X -D -n -P -S 2000-01-01 -o JobIDRaw,JobID,State,Start,End' > "$out/sacct"
log_of_controller > "$out/storm.log"
# shellcheck disable=SC2016 # the shell in the cluster expands it
sh_on 'for f in /tmp/of-*/*/ledger; do
		job=${f%/ledger}
		sed "s/^/${job##*/} /" "$f"
	done' > "$out/ledgers"
# shellcheck disable=SC2016 # likewise
sh_on 'sed -nE "s|.*Purging vestigial job script .*/job0*([0-9]+)/.*|\1|p" \
	/var/log/slurm/slurmd.*.log' > "$out/purged"
sh_on 'leeway stops --json' > "$out/stops.json"
# a look may come a cycle of a busy machine after the start
awk -v back_s="$back_s" -v slack_s=$((4 * clock)) -f "$(dirname "$0")/stop-storm.awk" \
	file=1 "$out/made" file=2 "$out/cancelled" file=3 "$out/felled" file=4 "$out/sacct" \
	file=5 "$out/storm.log" file=6 "$out/ledgers" file=7 "$out/ghosts" \
	file=8 "$out/purged" > "$out/judged"
comment < "$out/judged"
counted() { awk -v name="$1" '$1 == name { print $2 }' "$out/judged"; }
ok "jobs were asked to stop ($(counted asked))" test "$(counted asked)" -gt 0
ok "and others were refused ($(counted refused))" test "$(counted refused)" -gt 0
is "no job was stopped that did not agree" "$(counted bad_disagreed)" 0
is "each job completed, or its user cancelled it" "$(counted bad_lost)" 0
is "each step was done once beyond the last save" "$(counted bad_steps)" 0
is "each return was in time, or told to be late" "$(counted bad_untold)" 0
is "each stop ended once" "$(counted bad_results)" 0
is "and is no longer on its way" \
	"$(jq '[.stops[] | select(.state != "runs")] | length' "$out/stops.json")" 0
is "no daemon died of a wrong address" "$(backtraces)" ''
finish
