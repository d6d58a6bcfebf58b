#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: planning goes on at its pace when the clock is set back by hours
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
printf 'sched:\n  interval: 60s\n  min_interval: 1s\n  hold_ms: 1\n' > "$out/leeway.yaml"
cluster --sched leeway --nodes 2 --gpus 0 --cpus 4 --mem 8000 --clock 100 \
	--sched-params 'sched_interval=-1,defer' --leeway-yaml "$out/leeway.yaml"

cycles() { sh_on 'sdiag' | awk '/^Backfill/ { ours = 1 } ours && /Total cycles/ { print $3 }'; }
# Slurm 22.05 drops a request that is under way while its clock is set back ("Zero Bytes were
# transmitted or received"), and its sbatch fails; under stock it does as well.
comes() {
	head=$(job "--nodes=2 --exclusive --time=200" 9000)
	[ -n "$head" ]
}
have_come() { [ "$(cycles)" -ge "$1" ]; }

ok "slurmctld is one whose clock can be set back" shaken 5
await 60 "cycles come" have_come 1
first=$(cycles)
began_s=$(sh_on 'date +%s')
await 60 "ten more, one a minute" have_come $((first + 10))
# more may come while we look; a wait of two seconds by the machine's own clock would be 200 of the
# cluster's
more=$(($(cycles) - first)) took_s=$(($(sh_on 'date +%s') - began_s))
ok "as fast as the cluster's clock goes ($more in $took_s s)" test $((took_s / more)) -lt 120

busy=$(job "--nodes=2 --exclusive --time=1000" 50000)
starts "a job takes all nodes" "$busy"
ok "a reservation is made: what changed last is hours ahead when the clock is set back" \
	sh_on 'scontrol create reservation=later start=now+2days duration=60 nodes=n1 users=root'
ok "the clock is set back" sh_on ': > /run/set-back'
await 30 "a job comes" comes
await 30 "it is planned" planned "$head"
second=$(job "--nodes=1 --exclusive" 30)
await 30 "and so is the next one" planned "$second"
ok "the clock is as it was" sh_on 'rm /run/set-back'
sh_on "scancel $busy"
starts "when there is room, the first one starts" "$head"
finish
