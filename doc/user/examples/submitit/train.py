#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: submitit saves when it is asked to stop, and goes on from its save
#
# usage: python3 train.py. Submitit asks Slurm for its own signal, and its handler saves by
# checkpoint() and requeues the job. STEPS: how many there are. Tried with submitit 1.5.4, as a job
# of one task; not with several.
import os
import subprocess
import time

import submitit


class Training(submitit.helpers.Checkpointable):
    """What is in it is its save, by pickle. A large model is better kept in a file of its own."""

    def __init__(self, steps):
        self.step, self.steps = 0, steps

    def say(self, word):
        print(word, self.step, flush=True)
        subprocess.run(["leeway", "progress", str(self.step), str(self.steps)])

    def checkpoint(self, *args, **kwargs):
        self.say("save")
        return super().checkpoint(*args, **kwargs)

    def __call__(self):
        self.say("begin")
        while self.step < self.steps:
            time.sleep(0.5)  # your work
            self.step += 1
            self.say("step")
        return self.step


if __name__ == "__main__":
    executor = submitit.AutoExecutor(folder="submitit-%j")
    executor.update_parameters(
        name="submitit",
        timeout_min=240,
        slurm_signal_delay_s=120,
        slurm_comment="leeway:stop",
        slurm_additional_parameters={"requeue": True},
    )
    print(executor.submit(Training(int(os.environ.get("STEPS", 3600)))).job_id)
