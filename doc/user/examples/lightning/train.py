# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: what job.sh runs, in each task: train.py DIRECTORY. STEPS: how many there are.
import os
import signal
import subprocess
import sys
import time

import lightning
import torch
from lightning.pytorch.plugins.environments import SLURMEnvironment

folder, steps = sys.argv[1], int(os.environ.get("STEPS", 3600))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)

    def training_step(self, batch, batch_idx):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


class Tell(lightning.Callback):
    """One process speaks: to the output, and to Slurm, at most once in five minutes."""

    def say(self, trainer, word):
        if trainer.is_global_zero:
            print(word, trainer.global_step, flush=True)
            subprocess.run(["leeway", "progress", str(trainer.global_step), str(steps)])

    def on_train_start(self, trainer, module):
        self.say(trainer, "begin")

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        self.say(trainer, "step")
        time.sleep(0.5)  # as a larger model would take

    def on_save_checkpoint(self, trainer, module, checkpoint):
        self.say(trainer, "save")


trainer = lightning.Trainer(
    max_steps=steps,
    default_root_dir=folder,  # where all nodes see it: it looks there for the save
    num_nodes=int(os.environ["SLURM_JOB_NUM_NODES"]),
    devices=2,
    plugins=[SLURMEnvironment(auto_requeue=True, requeue_signal=signal.SIGUSR1)],
    callbacks=[Tell()],
    logger=False,
    enable_checkpointing=False,  # or as often as you like, beside that
    enable_progress_bar=False,
)
trainer.fit(Model(), torch.utils.data.DataLoader(torch.randn(640, 64), batch_size=32))
