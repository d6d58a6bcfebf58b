#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: a script that saves when it is asked to stop, and goes on from its save
#
# usage: sbatch job.sh. The signal comes to the script itself (B:), which heeds it after the step
# that runs: a step, and a save, are to be done in the 120 s of --signal. STEPS: how many there are.
#SBATCH --job-name=plain --time=4:00:00 --output=plain-%j.out --open-mode=append --requeue
#SBATCH --comment=leeway:stop --signal=B:USR1@120
set -eu

steps=${STEPS:-3600}
save=save-$SLURM_JOB_ID # where all nodes see it; its name stays while Slurm requeues the job

work() { sleep 1; } # a step of yours: it takes its number

asked=no
trap 'asked=yes' USR1

step=0
[ ! -e "$save" ] || step=$(cat "$save")
echo "begin $step"
leeway progress "$step" "$steps" || : # from where this run begins

while [ "$step" -lt "$steps" ] && [ "$asked" = no ]; do
	work $((step + 1))
	step=$((step + 1))
	echo "step $step"
	leeway progress "$step" "$steps" || :
done

echo "$step" > "$save.new"
mv "$save.new" "$save" # all or nothing: a job that is killed here has its last save
echo "save $step"
[ "$step" -lt "$steps" ] || exit 0
until scontrol requeue "$SLURM_JOB_ID"; do sleep 5; done
