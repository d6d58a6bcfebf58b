#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: Lightning saves when it is asked to stop, and goes on from its save
#
# usage: sbatch job.sh, beside train.py. Without B: the signal comes to what runs under srun, where
# Lightning's own handler saves and requeues the job.
# Tried with Lightning 2.6.2 on CPUs, on one node; not with several nodes, nor with NCCL.
#SBATCH --job-name=lightning --time=4:00:00 --output=lightning-%j.out --open-mode=append --requeue
#SBATCH --nodes=1 --ntasks-per-node=2 --cpus-per-task=2 --gpus-per-node=2
#SBATCH --comment=leeway:stop --signal=USR1@120
set -euo pipefail

srun python3 train.py "run-$SLURM_JOB_ID"
