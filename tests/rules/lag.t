#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: how a replay's slurmctld lagged is told right from its records.
. "$(dirname "$0")/lib.sh"

lag="$root/contrib/minislurm/lib/lag.awk"

# measures DESCRIPTION WANTED: for the files planted before.
measures()
{
	local out
	out=$(awk -f "$lag" "$planted/sacct.psv" "$planted/slurmctld.log" 2>&1) || true
	rm -rf "$planted"
	if [ "$out" = "$2" ]; then
		result yes "$1"
	else
		result no "$1" "says $out, not $2"
	fi
}

# 2026-11-21T18:00:00 is 1795284000. Job 1 runs from 10 to 30 s after it on two nodes, 2 waits
# from 12 on and starts at 40.5; a task of an array is never planned.
plant sacct.psv <<'END'
JobIDRaw|Submit|Start|End
1|1795284010|1795284010|1795284030
2|1795284012|1795284040|1795284060
3|1795284020|None|1795284022
END
plant slurmctld.log <<'END'
[2026-11-21T18:00:09.900] _slurm_rpc_submit_batch_job: JobId=1 InitPrio=1 usec=1
[2026-11-21T18:00:10.400] sched: Allocate JobId=1 NodeList=n[1-2] #CPUs=4 Partition=main
[2026-11-21T18:00:12.000] _slurm_rpc_submit_batch_job: JobId=2 InitPrio=1 usec=1
[2026-11-21T18:00:15.000] leeway: cycle 1: 1 waiting, 0 started (0 backfilled), head job 2, 500 ms
[2026-11-21T18:00:30.000] TRACE_JOBS: deallocate_nodes: JobId=1
[2026-11-21T18:00:32.000] TRACE_JOBS: make_node_idle: enter JobId=1
[2026-11-21T18:00:35.500] leeway: cycle 2: 1 waiting, 0 started (0 backfilled), head job 2, 500 ms
[2026-11-21T18:00:36.100] TRACE_JOBS: make_node_idle: enter JobId=1
[2026-11-21T18:00:40.500] leeway: cycle 3: 1 waiting, 1 started (0 backfilled), nobody, 500 ms
[2026-11-21T18:01:00.000] TRACE_JOBS: deallocate_nodes: JobId=2
[2026-11-21T18:01:01.000] TRACE_JOBS: make_node_idle: enter JobId=2
[2026-11-21T18:01:09.000] TRACE_JOBS: make_node_idle: enter JobId=5_2(7)
[2026-11-21T18:03:00.000] _slurm_rpc_submit_batch_job: JobId=8 InitPrio=1 usec=1
[2026-11-21T18:03:02.000] leeway: cycle 4: 1 waiting, 1 started (0 backfilled), nobody waits, 0 ms
END
# completing 2, 6 and 1 s; heeded after 3, 5.5, 3.5, 4.4 (of 36.1 s) and 2 s, 18.4 s in all; the
# ends of 2 are nobody's, and 1 the main loop starts after 0.5 s. With d after the first, 32.0
# would be heeded d - 2 after it: 5 d - 2 = 18.4
measures "the mean over nodes, and the delays that would come to the same" \
	$'3.0\t3\t4.1\t5\t0.5\t1'

plant sacct.psv <<<'JobIDRaw|Submit|Start|End'
plant slurmctld.log <<<'[2026-11-21T18:00:10.400] slurmctld version 24.11.5 started'
measures "nothing of nothing" $'0.0\t0\t0.0\t0\t0.0\t0'

finish
