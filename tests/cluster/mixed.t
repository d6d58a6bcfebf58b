#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: GPUs of two types for jobs that name none
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 4 --gpus 4 --gpu-types a100,h100 --cpus 16 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer'

# Who takes GPUs of any type is given those of two, where one type would have enough later only,
# unless another was promised them.
for node in n2 n4; do
	taken=$(job "--nodelist=$node --gpus-per-node=4 --time=600" 60000)
	starts "the GPUs of $node are taken" "$taken"
done
wide=$(job "--nodes=2 --gpus-per-node=4 --time=6000" 300)
starts "one that wants two nodes with GPUs starts" "$wide"
is "on one of each type" "$(job_field "$wide" NodeList)" 'n[1,3]'
await 60 "it ends" job_is "$wide" COMPLETED
for node in n1 n3; do
	starts "of $node one GPU is left" \
		"$(job "--nodelist=$node --gpus-per-node=3 --time=600" 60000)"
done
total=$(job "--gpus=2 --time=6000" 60000)
starts "one that wants two GPUs in all starts" "$total"
is "on one of each type" "$(job_field "$total" NodeList)" 'n[1,3]'
clear_all
starts "the GPUs of n2 are taken" "$(job "--nodelist=n2 --gpus-per-node=4 --time=600" 60000)"
starts "and those of n4" "$(job "--nodelist=n4 --gpus-per-node=4 --time=900" 60000)"
head=$(job "--nodelist=n1,n2 --nodes=2 --gpus-per-node=4 --time=60" 500)
await 60 "a job is promised nodes of one type" has_promise "$head"
wide=$(job "--nodes=2 --gpus-per-node=4 --time=6000" 60000)
await 60 "the next one is planned" planned "$wide"
ok "and waits" job_is "$wide" PENDING
clear_all
finish
