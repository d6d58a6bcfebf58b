# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: example: what job.sh runs, in each process: train.py DIRECTORY. STEPS: how many there are.
import os
import subprocess
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

folder, steps = sys.argv[1], int(os.environ.get("STEPS", 3600))
checkpoint = os.path.join(folder, "checkpoint.pt")


def say(word, step):
    """One process speaks: to the output, and to Slurm, at most once in five minutes."""
    if dist.get_rank() == 0:
        print(word, step, flush=True)
        subprocess.run(["leeway", "progress", str(step), str(steps)])


def save(model, optimizer, step):
    """All or nothing: a job that is killed here has its last save."""
    if dist.get_rank() == 0:
        state = (step, model.module.state_dict(), optimizer.state_dict())
        torch.save(state, checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)
    say("save", step)
    dist.barrier()


def asked(device):
    """Does any process see the file? All must stop at the same step."""
    seen = torch.tensor([float(os.path.exists(os.path.join(folder, "stop")))], device=device)
    dist.all_reduce(seen, op=dist.ReduceOp.MAX)
    return seen.item() > 0


gpu = torch.cuda.is_available()
dist.init_process_group("nccl" if gpu else "gloo")
device = torch.device("cuda:" + os.environ["LOCAL_RANK"] if gpu else "cpu")
model = DistributedDataParallel(torch.nn.Linear(64, 64).to(device))
optimizer = torch.optim.AdamW(model.parameters())
step = 0
if os.path.exists(checkpoint):
    step, model_state, optimizer_state = torch.load(checkpoint, map_location="cpu")
    model.module.load_state_dict(model_state)
    optimizer.load_state_dict(optimizer_state)
say("begin", step)
while step < steps and not asked(device):
    loss = model(torch.randn(32, 64, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    time.sleep(0.5)  # as a larger model would take
    step += 1
    say("step", step)
save(model, optimizer, step)
dist.destroy_process_group()
