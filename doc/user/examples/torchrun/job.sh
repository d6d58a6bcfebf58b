#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: PyTorch with torchrun saves when it is asked to stop, and goes on from its save
#
# usage: sbatch job.sh, beside train.py. The signal comes to this script (B:), since launchers and
# containers do not all pass one on: it makes a file, and all processes look for that.
# Tried with PyTorch 2.6.0 on CPUs, on one node; not with several nodes, nor with NCCL.
#SBATCH --job-name=torchrun --time=4:00:00 --output=torchrun-%j.out --open-mode=append --requeue
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=4 --gpus-per-node=2
#SBATCH --comment=leeway:stop --signal=B:USR1@120
set -euo pipefail

dir=$PWD/run-$SLURM_JOB_ID # where all nodes see it
mkdir -p "$dir"
rm -f "$dir/stop"
trap 'touch "$dir/stop"' USR1

srun torchrun --standalone --nproc-per-node=2 train.py "$dir" &
wait $! || wait $! # the signal ends the first one
[ -e "$dir/stop" ] || exit 0
until scontrol requeue "$SLURM_JOB_ID"; do sleep 5; done
