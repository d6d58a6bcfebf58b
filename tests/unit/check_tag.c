/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tagger/tag.h: jobs and what they are taken for. */
#include "tagger/tag.h"

#include "base/words.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GPU "gres/gpu:1"

static struct lw_tag_rules *rules;

static void set_up(void)
{
	ck_assert_int_eq(lw_tag_rules_create(&rules), 0);
}

static void tear_down(void)
{
	lw_tag_rules_destroy(rules);
}

struct script_case {
	const char *title;
	const char *script;
	const char *gpus; /* tres_per_node */
	enum lw_tag_class want;
	const char *evidence; /* a name that must be given, or NULL */
};

#define T LW_TAG_TRAINING
#define W LW_TAG_SWEEP
#define I LW_TAG_INFERENCE
#define N LW_TAG_NOTEBOOK
#define O LW_TAG_NONE
#define SH "#!/bin/bash\n"

static const struct script_case scripts[] = {
	/* launchers */
	{ "torchrun", SH "torchrun --nproc_per_node=4 train.py\n", GPU, T, "torchrun" },
	{ "torchrun with no GPU asked for", SH "torchrun main.py\n", NULL, T, "torchrun" },
	{ "srun torchrun", SH "srun -N 2 --ntasks-per-node 1 torchrun x.py\n", GPU, T, "torchrun" },
	{ "torchrun by its path", SH "/opt/env/bin/torchrun a.py\n", GPU, T, "torchrun" },
	{ "module torch.distributed.run", SH "srun python -m torch.distributed.run a.py", GPU, T,
	  "torch-distributed" },
	{ "module torch.distributed.launch", SH "python3 -u -m torch.distributed.launch a.py\n",
	  GPU, T, "torch-distributed" },
	{ "accelerate launch", SH "accelerate launch --config_file c.yaml sft.py\n", GPU, T,
	  "accelerate" },
	{ "a module named by a variable", SH "M=pytorch/2.1\nml $M\npython3 run.py\n", GPU, T,
	  "dl-module" },
	{ "a script named at submission", SH "module load pytorch\nsrun python3 $*\n", GPU, T,
	  "dl-module" },
	{ "and by its place", SH "module load pytorch\npython \"${1}\"\n", GPU, T, "dl-module" },
	{ "a shell script named so", SH "module load pytorch\nbash $1\n", GPU, O, NULL },
	{ "whisper as a module", SH "python -m whisper a.mp3 --model large\n", GPU, I, "server" },
	{ "accelerate config is no training", SH "accelerate config default\n", GPU, O, NULL },
	{ "deepspeed", SH "deepspeed --num_gpus 8 t.py --deepspeed_config ds.json\n", GPU, T,
	  "deepspeed" },
	{ "horovodrun", SH "horovodrun -np 8 python t.py\n", GPU, T, "horovodrun" },
	{ "mpirun of a training script",
	  SH "mpirun -np 8 -x NCCL_DEBUG -mca pml ucx python train.py",
	  GPU, T, "train-script" },
	{ "fairseq-train", SH "fairseq-train data --arch transformer\n", GPU, T, "trainer" },
	{ "nnU-Net", SH "nnUNetv2_train 1 3d_fullres 0\n", GPU, T, "trainer" },
	{ "yolo train", SH "yolo train data=coco.yaml\n", GPU, T, "trainer" },
	/* plain Python */
	{ "python train.py with a GPU", SH "python train.py\n", GPU, T, "train-script" },
	{ "python train.py without", SH "python train.py\n", NULL, O, NULL },
	{ "main.py with epochs", SH "python main.py --epochs 90 --lr 0.1\n", GPU, T,
	  "hyperparameters" },
	{ "main.py with a GPU", SH "python main.py\n", GPU, T, "main-script" },
	{ "main.py without", SH "python main.py\n", NULL, O, NULL },
	{ "another name with nothing more", SH "python orbit.py\n", GPU, O, NULL },
	{ "a module of one's own", SH "python -m lab.scripts.train -c a\n", GPU, T,
	  "train-script" },
	{ "a module that rules know", SH "python -m http.server\n", GPU, O, NULL },
	{ "pip before the work", SH "python -m pip install x\npython train.py\n", GPU, T,
	  "train-script" },
	{ "a script in a variable", SH "S=lab/train.py\nsrun python $S -c a\n", GPU, T,
	  "train-script" },
	{ "script and options in a variable", SH "A=\"m.py \\\n --epochs 3\"\npython ${A}\n", GPU,
	  T, "hyperparameters" },
	{ "options in variables in a variable",
	  SH "A='--lr 1'\nB=\"$A --epochs 3\"\npython m.py $B\n", GPU, T, "hyperparameters" },
	{ "a variable that holds itself", SH "A=\"$A m.py\"\npython $A\n", GPU, O, NULL },
	{ "a command read from a here-document",
	  SH "read -r -d '' cmd <<EOF\ncd /w && torchrun t.py\nEOF\nsrun bash -c \"${cmd}\"\n",
	  GPU, T, "torchrun" },
	{ "a here-document that is only read", SH "read -r t <<EOF\ntorchrun t.py\nEOF\necho $t\n",
	  GPU, O, NULL },
	{ "a path to python", SH "/home/u/env/bin/python3.11 src/pretrain_gpt.py\n", GPU, T,
	  "train-script" },
	{ "a script's name is no override", SH "python train.py\n", NULL, O, NULL },
	{ "hydra overrides", SH "python run.py trainer.max_epochs=3 model.depth=4\n", GPU, T,
	  "hyperparameters" },
	{ "behind variables", SH "CUDA_LAUNCH_BLOCKING=1 python resnet50.py\n", GPU, T,
	  "model-script" },
	{ "behind time and nohup", SH "time nohup python finetune.py &\n", GPU, T,
	  "train-script" },
	{ "in a loop", SH "for s in 1 2 3; do\n\tpython train.py --seed $s\ndone\n", GPU, T,
	  "train-script" },
	{ "in an if", SH "if [ -f ckpt ]; then python train.py --resume; fi\n", GPU, T,
	  "train-script" },
	{ "over lines", SH "srun --nodes=2 \\\n  python \\\n  train.py \\\n --lr 1\n", GPU, T,
	  "train-script" },
	{ "in bash -c", SH "srun bash -c 'source env.sh; torchrun train.py'\n", GPU, T,
	  "torchrun" },
	{ "in a substitution", SH "OUT=$(python train.py --epochs 3)\n", GPU, T, "train-script" },
	{ "quoted words", SH "\"python\" 'train.py'\n", GPU, T, "train-script" },
	{ "uv run", SH "uv run python train.py\n", GPU, T, "train-script" },
	{ "conda run", SH "conda run -n torch python main.py\n", GPU, T, "dl-env" },
	{ "conda activate and main.py", SH "conda activate pytorch2\npython main.py\n", GPU, T,
	  "dl-env" },
	{ "a torch environment alone", SH "conda activate torch\n./solver\n", GPU, O, NULL },
	{ "virtual environment", SH ". ~/venvs/torch21/bin/activate\npython main.py\n", GPU, T,
	  "dl-env" },
	{ "a shell script named so", SH "bash scripts/train.sh\n", GPU, T, "train-script" },
	{ "rendezvous variables", SH "export MASTER_ADDR=n1 MASTER_PORT=29500\nsrun python m.py\n",
	  GPU, T, "rendezvous" },
	{ "module load pytorch", SH "module load cuda PyTorch/2.1-foss\npython a.py\n", GPU, T,
	  "dl-module" },
	{ "heredoc to python", SH "python <<'EOF'\nimport torch\ntorch.rand(1)\nEOF\n", GPU, T,
	  "torch-import" },
	{ "a Python job script", "#!/usr/bin/env python3\nimport os, torch\n", GPU, T,
	  "torch-import" },
	{ "a Python script from import", "#!/usr/bin/python\nfrom transformers import AutoModel\n",
	  GPU, T, "hf-import" },
	{ "csh", "#!/bin/tcsh\nsetenv MASTER_ADDR x\nsrun python train.py\n", GPU, T,
	  "train-script" },
	/* other languages */
	{ "Julia", SH "julia --project=. -t 8 train.jl\n", GPU, T, "train-script" },
	{ "Julia by srun", SH "srun julia --project -p 4 net.jl --lr 1\n", GPU, O, NULL },
	{ "Julia of a model", SH "julia unet.jl --epochs 9\n", GPU, T, "hyperparameters" },
	{ "Julia that simulates", SH "julia -O3 diffusion.jl\n", GPU, O, "julia" },
	{ "Julia code", SH "julia -e 'using CUDA, Flux; include(\"a.jl\")'\n", GPU, T,
	  "julia-import" },
	{ "Julia includes", SH "julia --project -e 'include(\"src/train.jl\")'\n", GPU, T,
	  "train-script" },
	{ "Julia here-document", SH "julia <<E\nimport Lux\nE\n", GPU, T, "julia-import" },
	{ "Flux that is none of Julia", SH "python <<E\nimport flux\nE\n", GPU, O, NULL },
	{ "R with torch", SH "Rscript - <<E\nlibrary(torch)\nE\n", GPU, T, "r" },
	{ "R code", SH "Rscript -e 'library(\"keras\"); source(\"a.R\")'\n", GPU, T, "r" },
	{ "R by a name", SH "module load R\nR CMD BATCH --no-save keras_cnn.R x\n", GPU, T, "r" },
	{ "R code of another kind", SH "Rscript -e 'library(sf); f(x)'\n", GPU, O, "r" },
	/* one line of Python */
	{ "a line that calls fit", SH "python -c 'import torch; from a import m; m.fit(2)'\n", GPU,
	  T, "torch-import" },
	{ "a line that calls train", SH "python -c 'from a.b import train; train()'\n", GPU, T,
	  "train-script" },
	{ "a module that trains", SH "python -c 'from a.train import main; main()'\n", GPU, T,
	  "train-script" },
	{ "a line that loads", SH "python -c 'import torch; print(torch.load(\"train.pt\"))'\n",
	  GPU, O, NULL },
	{ "a line that downloads", SH "python -c 'import hf; hf.snapshot_download(\"gpt\")'\n",
	  GPU, O, "not-dl-script" },
	/* what runs other programs */
	{ "ray job submit", SH "ray job submit --address a --no-wait -- python train.py\n", GPU, T,
	  "train-script" },
	{ "ray start", SH "ray start --head\n./a.out\n", GPU, O, NULL },
	{ "uvx", SH "uvx --from vllm vllm serve m\n", GPU, I, "vllm" },
	{ "a task", SH "pixi run -e cuda train\n", GPU, T, "train-program" },
	{ "a stage", SH "dvc exp run -S train.lr=1\n", GPU, T, "experiment" },
	{ "a program that trains", SH "geoseg train --epochs 4\n", GPU, T, "train-program" },
	{ "a folder of that name", SH "cd train --epochs 4\n", GPU, O, NULL },
	{ "wandb agent as a module", SH "python -m wandb agent a/b\n", GPU, W, "wandb-agent" },
	{ "wandb login", SH "python -m wandb login\n./a.out\n", GPU, O, NULL },
	{ "bonito", SH "bonito basecaller m d\n", GPU, O, "bonito" },
	{ "bonito that learns", SH "bonito train m\n", GPU, T, "bonito" },
	/* containers */
	{ "apptainer", SH "apptainer exec --nv pytorch_23.sif python main.py\n", GPU, T,
	  "dl-image" },
	{ "apptainer with binds",
	  SH "singularity exec --nv --bind /a:/b -B /c docker://nvcr.io/nvidia/pytorch:24.01-py3 "
	     "python train.py\n", GPU, T, "dl-image" },
	{ "pyxis in a comment line", SH "#SBATCH --container-image=nvcr.io#nvidia/nemo:24\n"
	     "srun python pre.py\n", GPU, T, "dl-image" },
	{ "pyxis in srun",
	  SH "srun --container-image nvcr.io/nvidia/pytorch:24 bash -c 'python m.py'",
	  GPU, T, "dl-image" },
	{ "an image in a folder called torch",
	  SH "singularity run --nv /torch/gromacs.sif gmx mdrun",
	  GPU, O, "gromacs" },
	{ "docker", SH "docker run --gpus all --rm -it vllm/vllm-openai:latest --model x\n", GPU, I,
	  "serve-image" },
	/* inference, notebooks, sweeps */
	{ "vllm serve", SH "vllm serve meta-llama/Llama-3-8B\n", GPU, I, "vllm" },
	{ "vllm as a module", SH "python -m vllm.entrypoints.openai.api_server\n", GPU, I, "vllm" },
	{ "tritonserver", SH "tritonserver --model-repository=/m\n", GPU, I, "triton" },
	{ "colabfold", SH "colabfold_batch in out\n", GPU, I, "alphafold" },
	{ "infer.py", SH "python infer.py --prompt hello\n", GPU, I, "infer-script" },
	{ "jupyter lab", SH "jupyter lab --no-browser --ip=0.0.0.0\n", GPU, N, "jupyter" },
	{ "jupyter without GPU", SH "jupyter lab --no-browser\n", NULL, O, NULL },
	{ "jupyter nbconvert is no notebook", SH "jupyter nbconvert x.ipynb\n", GPU, O, NULL },
	{ "wandb agent", SH "wandb agent user/proj/abc\n", GPU, W, "wandb-agent" },
	{ "optuna", SH "python hpo_optuna.py --epochs 3\n", GPU, W, "sweep-script" },
	/* not DL, with a GPU */
	{ "gromacs", SH "srun gmx_mpi mdrun -deffnm md\n", GPU, O, "gromacs" },
	{ "namd", SH "mpirun -np 4 namd3 +p8 a.conf\n", GPU, O, "molecular-dynamics" },
	{ "lammps", SH "srun lmp -k on g 1 -in in.lj\n", GPU, O, "molecular-dynamics" },
	{ "vasp", SH "module load vasp\nmpirun -n 8 vasp_std\n", GPU, O, "quantum-chemistry" },
	{ "amber", SH "pmemd.cuda -O -i md.in\n", GPU, O, "molecular-dynamics" },
	{ "matlab", SH "matlab -nodisplay -r \"train_network; exit\"\n", GPU, O, "matlab" },
	{ "R", SH "Rscript train.R --epochs 3\n", GPU, O, "r" },
	{ "parabricks", SH "pbrun fq2bam --ref x\n", GPU, O, "genomics" },
	{ "basecalling", SH "dorado basecaller sup pod5/ > x.bam\n", GPU, O, "genomics" },
	{ "relion", SH "mpirun -np 5 relion_refine_mpi --gpu\n", GPU, O, "microscopy" },
	{ "openmm", SH "python run_openmm.py\n", GPU, O, "not-dl-script" },
	{ "nccl-tests", SH "srun ./all_reduce_perf -b 8 -e 4G\n", GPU, O, "benchmark" },
	{ "hpl", SH "mpirun -np 8 --bind-to none ./xhpl\n", GPU, O, "benchmark" },
	{ "own CUDA code", SH "./wave3d --steps 1000\n", GPU, O, NULL },
	{ "own MPI code", SH "srun -n 64 ./solver input.nml\n", NULL, O, NULL },
	/* traps: a mention is no command */
	{ "a comment", SH "# torchrun train.py\n./a.out\n", GPU, O, NULL },
	{ "echo", SH "echo torchrun train.py; echo \"python -m torch.distributed.run\"\n", GPU, O,
	  NULL },
	{ "heredoc to a file", SH "cat > run.sh <<EOF\ntorchrun train.py\nEOF\n./a.out\n", GPU, O,
	  NULL },
	{ "heredoc with tabs",
	  SH "cat <<-END\n\ttorchrun x\n\tEND\ngmx mdrun\n", GPU, O, "gromacs" },
	{ "two heredocs on a line", SH "cat <<A <<B\ntorchrun\nA\ntorchrun\nB\n./a.out\n", GPU, O,
	  NULL },
	{ "after a heredoc", SH "cat <<EOF\nx\nEOF\ntorchrun t.py\n", GPU, T, "torchrun" },
	{ "after a shift that looks like one", SH "((n = 1 <<2))\ntorchrun t.py\n", GPU, T,
	  "torchrun" },
	{ "pip install", SH "pip install torch transformers\n./a.out\n", GPU, O, NULL },
	{ "which", SH "which torchrun\ncommand -v torchrun && ./a.out\n", GPU, O, NULL },
	{ "an array of words", SH "CMD=( torchrun train.py )\n./a.out\n", GPU, O, NULL },
	{ "a function of that name", SH "torchrun() {\n\t./a.out\n}\n", GPU, O, NULL },
	{ "a pattern of case", SH "case $1 in\ntorchrun) ./a.out ;;\nesac\n", GPU, O, NULL },
	{ "a redirection's file", SH "./a.out > torchrun 2> deepspeed\n", GPU, O, NULL },
	{ "a string over lines", SH "HELP=\"use\ntorchrun train.py\n\"\n./a.out\n", GPU, O, NULL },
	{ "a grep", SH "grep -r 'torchrun' src | tee python\n", GPU, O, NULL },
	{ "copying a training script", SH "cp train.py deepspeed.py $TMPDIR\n./a.out\n", GPU, O,
	  NULL },
	{ "an import check",
	  SH "python -c 'import torch; print(torch.__version__)'\n./a.out\n", GPU, O, NULL },
	{ "a job of another kind in a torch shell", SH "conda activate torch\ngmx mdrun\n", GPU, O,
	  "gromacs" },
	{ "an empty script", "", GPU, O, NULL },
	{ "only a first line", "#!/bin/bash", GPU, O, NULL },
	{ "an unfinished quote", SH "echo 'torchrun\npython train.py\n", GPU, O, NULL },
};

FIXTURE(set_up, tear_down);

TEST_EACH(script_is_judged, LW_COUNT_OF(scripts))
{
	const struct script_case *c = &scripts[_i];
	struct lw_tag_request job = { .script = c->script, .tres_per_node = c->gpus };
	struct lw_tag tag;

	lw_tag_recognise(&job, rules, &tag);
	ck_assert_msg(tag.class == c->want, "%s: %s, conf %u, %s", c->title,
		      lw_tag_class_name(tag.class), tag.confidence, tag.evidence);
	ck_assert_msg(tag.confidence >= 50 && tag.confidence <= 100, "%s: confidence %u",
		      c->title, tag.confidence);
	if (c->evidence)
		ck_assert_msg(strstr(tag.evidence, c->evidence) != NULL, "%s: evidence %s",
			      c->title, tag.evidence);
}

/* what may stand before a program; every one is looked up in a sorted table */
static const char *const prefixes[] = {
	"!", "aprun -n 4", "apptainer exec img", "builtin", "ch-run -w img", "command",
	"conda run -n x", "do", "docker run --rm img", "elif", "else", "enroot start -w img",
	"env A=1", "exec", "ibrun", "if", "ionice -c 2", "jsrun -n 4", "mamba run -n x",
	"micromamba run -n x", "mpiexec -n 4", "mpiexec.hydra -genv A B -n 4",
	"mpirun --bind-to none -x A", "ncu -o out", "nice -n 10", "nohup", "nsys profile -o out",
	"numactl -N 0 -m 0", "orterun -np 2", "parallel -j 4", "pdm run", "perf stat -e x",
	"pipenv run", "pixi run", "podman run -it img", "poetry run", "prun -n 2",
	"sarus run img", "setsid", "shifter --image=x", "singularity exec --nv -B /a img",
	"srun -N 2 -n4 --mpi pmix -l", "stdbuf -oL", "taskset -c 0-3", "then", "time -p",
	"timeout -k 5 1h", "udocker run img", "until", "uv run", "while", "xargs -n 1",
	"xvfb-run -a", "{", "A=1 B=2", "/usr/bin/srun", "srun srun time -p", "srun --",
};

TEST_EACH(prefix_is_stepped_over, LW_COUNT_OF(prefixes))
{
	char script[128];
	struct lw_tag_request job = { .script = script };
	struct lw_tag tag;

	snprintf(script, sizeof(script), "%s torchrun t.py\n", prefixes[_i]);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_msg(tag.class == T, "%s: %s", script, tag.evidence);
}

struct job_case {
	const char *title;
	struct lw_tag_request job;
	enum lw_tag_class want;
	bool gang;
};

static const char *const words_srun[] = { "python", "-u", "train.py", NULL };
static const char *const words_gmx[] = { "gmx", "mdrun", NULL };

static const struct job_case jobs[] = {
	{ "one node", { .script = SH "torchrun a.py", .nodes_min = 1, .nodes_max = 1,
			.tres_per_node = "gres/gpu:8", .tasks = 8 }, T, false },
	{ "two nodes", { .script = SH "torchrun a.py", .nodes_min = 2, .nodes_max = 2 }, T, true },
	{ "GPUs of the job, nodes open", { .script = SH "torchrun a.py", .nodes_min = 1,
					   .tres_per_job = "gres/gpu:16" }, T, true },
	{ "tasks, nodes open", { .script = SH "srun python train.py", .nodes_min = 1, .tasks = 16,
				 .tres_per_task = "gres:gpu:1" }, T, true },
	{ "a gang of something else is none", { .script = SH "srun gmx_mpi mdrun",
						.nodes_min = 4 }, O, false },
	{ "an array is a sweep", { .script = SH "python train.py --lr $L", .array = "0-31%4",
				   .tres_per_node = GPU }, W, false },
	{ "an array of one is not", { .script = SH "python train.py", .array = "7",
				      .tres_per_node = GPU }, T, false },
	{ "a chain is not", { .script = SH "python train.py", .array = "1-9%1",
			      .tres_per_node = GPU }, T, false },
	{ "a sweep over arrays of two nodes", { .script = SH "torchrun a.py", .array = "1-9%12",
						.nodes_min = 2 }, W, true },
	{ "trials on two nodes", { .script = SH "srun wandb agent x", .nodes_min = 2 }, W, false },
	{ "all tasks on a node", { .script = SH "torchrun a.py", .nodes_min = 1, .tasks = 8,
				   .tasks_per_node = 8 }, T, false },
	{ "an array of inference stays so", { .script = SH "vllm serve m", .array = "0-3",
					      .tres_per_node = GPU }, I, false },
	{ "srun by its words", { .argv = words_srun, .argc = 3, .tres_per_node = GPU }, T, false },
	{ "srun of something else", { .argv = words_gmx, .argc = 2, .tres_per_node = GPU }, O,
	  false },
	{ "srun as typed", { .command_line = "srun -n4 --gpus 4 python train.py",
			     .tres_per_job = "gres/gpu:4", .nodes_max = 1 }, T, false },
	{ "a container of the job", { .script = SH "python main.py", .tres_per_node = GPU,
				      .container = "/images/pytorch.sqsh" }, T, false },
	{ "a telling name", { .script = SH "python main.py", .tres_per_node = GPU,
			      .name = "llama-ft" }, T, false },
	{ "a telling name is not enough", { .script = SH "./a.out", .tres_per_node = GPU,
					    .name = "bert" }, O, false },
	{ "the user says it is", { .script = SH "./a.out", .comment = "x leeway:dl" }, T, false },
	{ "the user says it is not", { .script = SH "torchrun a.py", .tres_per_node = GPU,
				       .comment = "leeway:not-dl,thanks" }, O, false },
	{ "the user says something else", { .script = SH "torchrun a.py",
					    .comment = "leeway:not-dlx" }, T, false },
	{ "nothing known", { .tasks = 1 }, O, false },
};

TEST_EACH(job_is_judged, LW_COUNT_OF(jobs))
{
	const struct job_case *c = &jobs[_i];
	struct lw_tag tag;

	lw_tag_recognise(&c->job, rules, &tag);
	ck_assert_msg(tag.class == c->want && tag.gang == c->gang, "%s: %s gang %d, %s", c->title,
		      lw_tag_class_name(tag.class), tag.gang, tag.evidence);
}

static const struct {
	const char *title;
	struct lw_tag_request job;
	const char *advice; /* part of it, or NULL */
} advised[] = {
	{ "a GPU for samtools", { .script = SH "samtools sort x.bam\n", .tres_per_node = GPU },
	  "asks for a GPU" },
	{ "samtools without", { .script = SH "samtools sort x.bam\n" }, NULL },
	{ "samtools and basecalling", { .script = SH "dorado x | samtools sort\n",
					.tres_per_node = GPU }, NULL },
	{ "own code", { .script = SH "./a.out\n", .tres_per_node = GPU }, NULL },
	{ "the user knows better", { .script = SH "samtools x\n", .tres_per_node = GPU,
				     .comment = "leeway:not-dl" }, NULL },
	{ "a gang anywhere", { .script = SH "torchrun a.py\n", .tres_per_job = "gres/gpu:8" },
	  "say --nodes" },
	{ "a gang on two nodes", { .script = SH "torchrun a.py\n", .tres_per_job = "gres/gpu:8",
				   .nodes_min = 2, .nodes_max = 2 }, NULL },
	{ "one GPU", { .script = SH "torchrun a.py\n", .tres_per_job = "gres/gpu:1" }, NULL },
};

TEST_EACH(advice_is_given, LW_COUNT_OF(advised))
{
	struct lw_tag tag;
	const char *said;

	lw_tag_recognise(&advised[_i].job, rules, &tag);
	said = lw_tag_advice(&advised[_i].job, &tag);
	ck_assert_msg(advised[_i].advice ? said && strstr(said, advised[_i].advice) : !said,
		      "%s: %s", advised[_i].title, said ? said : "nothing");
}

TEST(a_name_counts_once)
{
	struct lw_tag_request job = { .script = SH "./x --epochs 1\npython a.py --lr 1 --epochs 2 "
						   "--batch-size 3 --optimizer adam\n" };
	struct lw_tag tag;

	/* python 15 and hyperparameters 25 */
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_uint_eq(tag.confidence, 60);
	ck_assert_int_eq(tag.class, O);
}

static void fill(char *text, size_t size, const char *with)
{
	size_t len = strlen(with);

	for (size_t i = 0; i < size; i++)
		text[i] = with[i % len];
	text[size] = '\0';
}

/* Scripts that train large models set their variables first, and tidy up at the end. */
TEST(settings_leave_room_for_the_launcher)
{
	char text[8192];
	struct lw_tag tag;

	fill(text, 1008, "LEARNING_RATE=0.0001\n");
	strcat(text, "srun torchrun pretrain.py\n");
	fill(text + strlen(text), 3750, "echo done with one stage\n");
	lw_tag_recognise(&(struct lw_tag_request){ .script = text }, rules, &tag);
	ck_assert_int_eq(tag.class, T);
}

static const char *const fillers[] = {
	"x <<EOF\n", "$(", "`", "\"", "(", "a=(", "srun -n 1 ", "bash -c 'bash -c \"", "\\\n", "<",
	"python <<A\nimport torch\nA\n", "export A=1;", "${", "cat <<A\n", "sh -c sh;", "((1<<2));",
	"bash -c \"$(", "#SBATCH -N 1\n", "a<<b bbbbbbbbbbbbbbbbbbbbbbb\n",
};

/* slurmctld waits meanwhile: 5 ms at most. Who runs it slowly, by valgrind or qemu, says so. */
TEST_EACH(hostile_script_takes_bounded_time, LW_COUNT_OF(fillers))
{
	const size_t size = 1 << 20;
	char *text = malloc(size + 1);
	struct lw_tag_request job = { .script = text, .tres_per_node = "gres/gpu:1" };
	struct timespec before, after;
	struct lw_tag tag;
	double took_s, limit_s = getenv("LW_QUICK") ? 1 : 0.1;

	ck_assert_ptr_nonnull(text);
	fill(text, size, fillers[_i]);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	lw_tag_recognise(&job, rules, &tag);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	free(text);
	took_s = difftime(after.tv_sec, before.tv_sec) +
		 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
	ck_assert_msg(took_s < limit_s, "%s: %.3f s", fillers[_i], took_s);
}

/* Every prefix of every script, in a buffer of its exact size, for the sanitizers. */
TEST_EACH(cut_script_is_read_within_bounds, LW_COUNT_OF(scripts))
{
	size_t len = strlen(scripts[_i].script);
	struct lw_tag tag;

	for (size_t cut = 0; cut <= len; cut++) {
		char *text = strndup(scripts[_i].script, cut);
		struct lw_tag_request job = { .script = text };

		ck_assert_ptr_nonnull(text);
		lw_tag_recognise(&job, rules, &tag);
		free(text);
	}
}
