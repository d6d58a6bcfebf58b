#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: plugins built for records of another layout see it, and leave the cluster to stock
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_build
ok "plugins are built whose job record has one member more" \
	build_run /build/src/tests/cluster/falsify || bail "no falsified plugins"

cluster --sched leeway --nodes 2 --gpus 2 --clock 60 \
	--plugins "$(build_dir)/falsified-plugins"
job=$(submit u1 "--gpus-per-node=1 --time=5" 60)
like "a job is accepted" "$job" '^[0-9]+$'
await 20 "the scheduler plugin sees it" \
	in_log 'leeway: self-check failed: a job record has [0-9]+ bytes .* [0-9]+ in'
await 20 "and so does the select plugin" in_log 'leeway: select: self-check failed'
await 20 "stock backfill has the queue" in_log 'stock backfill .*(is used instead|plans the queue)'
await 30 "the job runs to its end" sacct_is "$job" COMPLETED
# which only a scheduler plugin that is alive starts
het=$(as u1 "sbatch --parsable --output=/dev/null --time=5 -N1 : -N1 --time=5 --wrap='sleep 30'")
await 60 "so does a het job" sacct_is "$het" COMPLETED
like "slurmctld is up" "$(sh_on 'scontrol ping')" UP
is "and was never started anew" "$(log_of_controller | grep -c 'slurmctld version .* started')" 1
finish
