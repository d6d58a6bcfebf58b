#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: cycles and the requests in them are told right from a measurement's records.
. "$(dirname "$0")/lib.sh"

summary="$root/contrib/minislurm/inside/scale/summary.awk"

# said KEY WANTED: of the files planted before
said()
{
	local got
	got=$(awk -v phase=p -v thread=leeway -f "$summary" "$planted/locks.p" \
		"$planted/requests.p" | sed -n "s/^p	$1	//p") || true
	is "$1" "$got" "$2"
}

# A cycle from 1.0 to 1.51 s: holds at 1.0, 1.2 and, after a request's half a second, 1.505; one
# that is asked for 0.55 s after that and got 1.5 s later is of it, too: to 3.57. Then one of two
# holds, 0.65 s behind it. Another thread's, a reader's, and a hold by itself are no cycles.
plant locks.p <<'END'
1000000 leeway w 0 10000 8000
1200000 leeway w 0 10000 8000
1505000 leeway w 0 5000 4000
3560000 leeway w 1500000 10000 9000
3900000 other w 0 70000 60000
4000000 leeway r 0 10000 10000
4220000 leeway w 0 10000 8000
4300000 leeway w 0 20000 12000
9000000 leeway w 0 30000 11000
END
# The second came between the two, the last during the hold that is none.
plant requests.p <<'END'
1400000 look 9000 0 - 8000
3700000 look 5000 0 - 4000
4310000 submit 7000 0 - 6000
9000100 submit 3000 0 - 2000
END
said cycles 2
said cycle_longest_ms 2570
said cycle_mean_ms 1335
said lock_longest_ms 30
said lock_longest_cpu_ms 12
said lock_longest_others_ms 70
said squeue_answer_in_cycle_median_ms 8
said squeue_answer_outside_median_ms 4
said sbatch_in_cycle_count 1
said sbatch_outside_median_ms 3
said requests_failed 0
finish
