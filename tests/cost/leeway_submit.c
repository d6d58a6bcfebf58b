/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a fixed work: job_submit looks at three scripts, again and again. */
#include "slurm/compat/public.h"
#include "unit/scratch.h"
#include "unit/submit_stub.h"

enum { ROUNDS = 200 };

static char loop[] = "#!/bin/bash\n#SBATCH --gpus-per-node=4\nmodule load cuda nccl\n"
		     "source ~/venv/bin/activate\nexport OMP_NUM_THREADS=8\n"
		     "for lr in 1e-3 1e-4; do\n"
		     "  srun python -m torch.distributed.run --nproc-per-node 4 train.py \\\n"
		     "    --model resnet50 --lr $lr --epochs 90 --data /data/imagenet\ndone\n";
static char solver[] = "#!/bin/sh\nmodule load openmpi\nmpirun -n 64 ./simulate input.nml\n";
static char finetune[] = "#!/bin/bash\naccelerate launch finetune.py --model llama-7b\n";

/* Is SCRIPT taken for training? */
static bool is_training(char *script)
{
	job_desc_msg_t job = job_of(1000);
	char *told = NULL;
	bool trains;

	job.script = script;
	ck_assert_int_eq(job_submit(&job, job.user_id, &told), 0);
	trains = job.admin_comment && strstr(job.admin_comment, "training");
	free(told);
	free_job(&job);
	return trains;
}

TEST(three_scripts)
{
	scratch_setup();
	stub_submit_begin(scratch_dir);
	ck_assert_int_eq(init(), 0);
	for (int i = 0; i < ROUNDS; i++) {
		ck_assert(is_training(loop));
		ck_assert(!is_training(solver));
		ck_assert(is_training(finetune));
	}
	fini();
	scratch_teardown();
}
