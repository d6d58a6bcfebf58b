#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: GPUs of two types for jobs that name none, and what their users are told of the types
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf_extra <<'END'
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100
END
cluster --sched leeway --nodes 4 --gpus 4 --gpu-types a100,h100 --cpus 16 --mem 8000 --clock 20 \
	--sched-params 'sched_interval=-1,defer' --conf-extra "$extra"

# What ran on each type accounting tells its user, who sees no file of slurmctld's.
types_say() { as u1 'leeway types train' > "$out/types.txt" && grep -Eq "$1" "$out/types.txt"; }
for _ in 1 2 3; do
	job "-J train --gpus=h100:1" 60
	job "-J train --gpus=a100:1" 400
done > /dev/null
last=$(job "-J train --gpus=1 --nodelist=n1" 400)
await 120 "runs on both types are told apart" types_say '^  why +on h100 it takes [0-9]+ %'
await 60 "the last of them ended" job_is "$last" COMPLETED
await 60 "with the energy that the node told of" types_say '^  h100 +3 +0:[0-9:]+ +[0-9.]+ (J|Wh) '
await 60 "it asked for any type" types_say '^train, 1 GPU, partition main: asked for any type$'
like "the faster one is free" "$(cat "$out/types.txt")" '^  h100 +3 .* 8 of 8 +0'
like "and advised" "$(cat "$out/types.txt")" '^  ask for +--gpus=h100:1$'
comment < "$out/types.txt"
for node in n3 n4; do
	taken=$(job "-J train --nodelist=$node --gpus-per-node=4 --time=600" 60000)
	starts "the GPUs of $node are taken" "$taken"
done
job "-J train --gpus=h100:1 --array=1-3" 60 > /dev/null
await 60 "it is told that it is not free, and who waits" types_say '^  h100 +3 .* 0 of 8 +3'
like "then any type comes first" "$(cat "$out/types.txt")" \
	'ask for +--gpus=1 \(any type: .* --gpus=h100:1$'
comment < "$out/types.txt"
clear_all

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
