#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: whose GPUs are shared is told by what Slurm allocated, not by what users set
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

shape=(--sched leeway --nodes 2 --gpus 2 --cpus 8 --mem 8000 --clock 20)
mine='CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=40 SLURM_SHARDS_ON_NODE=2'

# Each GPU is at 92 % all the time.
busy() { sh_on 'echo "*  0  92  31000  390  64  1" > /etc/slurm/fake-gpus.conf'; }

# recorded WHAT VARIABLES OPTIONS REGEX: the fact that such a job has that word in accounting
recorded() {
	local id
	id=$(as u1 "$2 sbatch --parsable --output=/dev/null --time=10 $3 --wrap='sleep 60'")
	await 60 "$1: it ends" sacct_is "$id" COMPLETED
	await 30 "$1: its GPUs are $4" sacct_like "$id" AdminComment "$4"
}

cluster "${shape[@]}"
busy
recorded "whole GPUs" '' "--gpus-per-node=2" 'leeway:gpu=n:2,util:92/92'
recorded "a user sets what Slurm sets for shares" "$mine" "--gpus-per-node=1" \
	'leeway:gpu=n:1,util:92/92'
stepped=$(as u1 "sbatch --parsable --output=/dev/null --time=10 --gpus-per-node=1 --wrap='
	export CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=40; srun sleep 60'")
await 60 "and for a step: it ends" sacct_is "$stepped" COMPLETED
await 30 "and for a step: its GPU is read" sacct_like "$stepped" AdminComment \
	'leeway:gpu=n:1,util:92/92'
cluster_gone

cluster "${shape[@]}" --mps 200
busy
recorded "beside shares, a whole GPU" "${mine% *}" "--gpus-per-node=1" 'leeway:gpu=n:1,util:92/92'
recorded "a share" '' "--gres=mps:50" 'leeway:gpu=n:1,util:-,.*unsup:1'
cluster_gone

cluster "${shape[@]}" --shards 8
busy
recorded "a shard" '' "--gres=shard:1" 'leeway:gpu=n:1,util:-,.*unsup:1'
recorded "a shard, submitted from a job with two" "${mine#* }" "--gres=shard:1" \
	'leeway:gpu=n:1,util:-,.*unsup:1'
recorded "a whole GPU, submitted from there" "${mine#* }" "--gpus-per-node=1" \
	'leeway:gpu=n:1,util:92/92'
alone=$(as u1 "${mine#* } srun --time=10 --gpus-per-node=1 bash -c 'echo \$SLURM_JOB_ID; sleep 60'")
await 60 "a job of srun alone: it ends" sacct_is "$alone" COMPLETED
await 30 "a job of srun alone: its GPU is read" sacct_like "$alone" AdminComment \
	'leeway:gpu=n:1,util:92/92'
finish
