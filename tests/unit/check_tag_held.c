/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tagger/tag.h: what variables hold, and words that two kinds use. */
#include "tagger/tag.h"

#include "unit/unit.h"

#include <string.h>

#define SH "#!/bin/bash\n"
#define T  LW_TAG_TRAINING
#define W  LW_TAG_SWEEP
#define I  LW_TAG_INFERENCE
#define O  LW_TAG_NONE

static struct lw_tag_rules *rules;

static void set_up(void)
{
	ck_assert_int_eq(lw_tag_rules_create(&rules), 0);
}

static void tear_down(void)
{
	lw_tag_rules_destroy(rules);
}

static const struct {
	const char *script; /* of a job with a GPU */
	enum lw_tag_class want;
	const char *evidence; /* a name that must be given, or NULL */
} held[] = {
	/* images */
	{ SH "SIF=/i/pytorch_25.sif\napptainer exec --nv $SIF python a.py\n", T, "dl-image" },
	{ SH "C=\"nvcr.io/x/pytorch:25\"\nsrun --container-image=$C python a.py\n", T, "dl-image" },
	{ SH "C=nvcr.io/x/pytorch:25\nsrun --container-image ${C} python a.py\n", T, "dl-image" },
	{ SH "SIF=/i/gromacs.sif\nTF=tf.sif\napptainer exec $SIF python train.py\n", O, NULL },
	/* options before what is run */
	{ SH "B=\"--bind /d --pwd /\"\napptainer exec $B a.sif python train.py\n", T,
	  "train-script" },
	{ SH "apptainer exec --nv $B --pwd / a.sif bash train.sh\n", T, "train-script" },
	{ SH "apptainer exec $A python train.py\n", T, "train-script" },
	{ SH "apptainer run $D/torch.sif --bind /a\n", T, "dl-image" },
	{ SH "I=torch.sif\napptainer run $I --nv\n", T, "dl-image" },
	{ SH "A='--exclusive --container-image=x/torch'\nsrun $A python a.py\n", T, "dl-image" },
	{ SH "A=\"-n 4 -c 8\"\nsrun $A --label bash -c 'python train.py'\n", T, "train-script" },
	{ SH "A=\"-n 4\"\nsrun $A gmx mdrun train.py\n", O, "gromacs" },
	/* what is run behind a wrapper */
	{ SH "RUN=\"srun -n 4\"\n$RUN python train.py\n", T, "train-script" },
	{ SH "$RUN python train.py\n", T, "train-script" },
	{ SH "$GMX mdrun -s train.tpr\n", O, "gromacs" },
	{ SH "$SOLVER --in train.py\n", O, NULL },
	{ SH "$SOLVER mesh train.py\n", O, NULL },
	{ SH "A=\"mesh.vtk\"\n$A\n", O, NULL },
	/* names without quotes */
	{ SH "M=resnet50\npython a.py --arch $M\n", T, "model-name" },
	{ SH "M=naca0012\npython a.py --arch $M --checkpoint $M\n", T, "model-arguments" },
	/* Hydra's short option, and that of others */
	{ SH "python main.py -m lr=1,2\n", W, "multirun" },
	{ SH "python run.py lr=1,2 seed=3 -m\n", W, "multirun" },
	{ SH "python main.py -m big --lr=3\n", T, "hyperparameters" },
	{ SH "python orbit.py -m mesh.obj\n", O, NULL },
	{ SH "python orbit.py -m\n", O, NULL },
	/* reinforcement learning */
	{ SH "python a.py --algo ppo --env Ant-v4\n", T, "network-arguments" },
	{ SH "python a.py --total-timesteps 1000000\n", T, "hyperparameters" },
	/* what stands there when nobody says something else */
	{ SH "S=${1:-train.py}\npython $S\n", T, "train-script" },
	{ SH "S=${1:-${S:-lab/train.py}}\npython -u \"$S\"\n", T, "train-script" },
	{ SH "python ${1:-lab/train.py}\n", T, "train-script" },
	{ SH "S=\"${1-train.py}\"\npython $S\n", T, "train-script" },
	{ SH "S=${1:?train.py}\npython $S\n", O, NULL },
	{ SH "S=${1:+train.py}\npython ${S%train.py}\n", O, NULL },
	{ SH "S=${\npython ${ ${: ${:- ${:-}\n", O, NULL },
	/* arrays */
	{ SH "C=(python a.py --lr 1)\nsrun \"${C[@]}\"\n", T, "hyperparameters" },
	{ SH "C=(\n  python a.py\n  --lr 1\n)\n\"${C[@]}\"\n", T, "hyperparameters" },
	{ SH "A=(--epochs 3\n--x)\npython a.py ${A[@]}\n", T, "hyperparameters" },
	{ SH "C=(torchrun train.py --lr 1)\nls \"${C[@]}\"\n", O, NULL },
	{ SH "C=(python a.py --lr 1)\necho python a.py\n", O, NULL },
	{ SH "C=(\n\"${C[@]}\"\n", O, NULL },
	{ SH "C=(env A=abcdef torchrun train.py)\n\"${C[@]}\"\n", T, "torchrun" },
	{ SH "C=(A=abcdef B+=ghijkl torchrun train.py)\n\"${C[@]}\"\n", T, "torchrun" },
	/* an interpreter */
	{ SH "P=/e/x/bin/python3.11\n$P train.py\n", T, "train-script" },
	{ SH "P=/e/x/bin/python\nsrun \"$P\" -m lab.train --x\n", T, "train-script" },
	{ SH "P=/e/python/bin/gmx\n$P -m lab.train --x\n", O, NULL },
	/* a script that learns beside others, and others alone */
	{ SH "python main.py\npython plot.py\n", T, "main-script" },
	{ SH "python preprocess.py\nsrun python train.py\n", T, "train-script" },
	{ SH "python run.py\npython plot.py\n", O, NULL },
	{ SH "python plot_predictions.py\npython run.py\n", O, NULL },
	/* a look says what there is, and nothing of what is done */
	{ SH "python -c 'import torch; torch.cuda.is_available()'\npython a.py\n", T, "dl-env" },
	{ SH "python -c 'import torch; torch.cuda.is_available()'\n./a\n", O, NULL },
	{ SH "python -c 'import numpy'\npython a.py\n", O, NULL },
	/* what is set decides nothing alone */
	{ SH "EPOCHS=3\nlearning_rate=1\n", O, NULL },
	{ SH "EPOCHS=3\npython a.py\n", T, "hyperparameters" },
	/* weights */
	{ SH "python a.py --model w/best.pth\n", I, "weights" },
	{ SH "python a.py mesh.vtk\n", O, NULL },
	/* what a container's shell is fed */
	{ SH "enroot start --root img << E\nbash infer_all.sh\nE\n", I, "infer-script" },
	{ SH "apptainer run --nv a.sif <<E\npython train.py\nE\n", T, "train-script" },
	{ SH "apptainer exec a.sif ./solver <<E\npython train.py\nE\n", O, NULL },
	{ SH "singularity run --nv g.sif <<E\ngmx mdrun -s train.py\nE\n", O, "gromacs" },
	/* JAX */
	{ SH "XLA_PYTHON_CLIENT_MEM_FRACTION=.9\npython a.py\n", O, NULL },
	{ SH "export JAX_ENABLE_X64=1\npython main.py\n", O, NULL },
};

FIXTURE(set_up, tear_down);

TEST_EACH(held_is_followed, LW_COUNT_OF(held))
{
	struct lw_tag_request job = { .script = held[_i].script, .tres_per_node = "gres/gpu:1" };
	struct lw_tag tag;

	lw_tag_recognise(&job, rules, &tag);
	ck_assert_msg(tag.class == held[_i].want, "%s: %s, %s", held[_i].script,
		      lw_tag_class_name(tag.class), tag.evidence);
	if (held[_i].evidence)
		ck_assert_msg(strstr(tag.evidence, held[_i].evidence) != NULL,
			      "%s: evidence %s", held[_i].script, tag.evidence);
}

/* Each kind on two nodes with GPUs: none of them may hide what is run. */
static const struct {
	const char *script;
	enum lw_tag_class want;
} hidden[] = {
	/* variables that are empty, or hold options in odd ways */
	{ SH "srun ${R} -l torchrun train.py\n", T },
	{ SH "R=\"\"\nsrun $R -l -K torchrun train.py\n", T },
	{ SH "R=\" -l\"\nsrun $R --mpi=none torchrun train.py\n", T },
	{ SH "R=\" -n 4\"\nR+=\" -l\"\nsrun $R -K torchrun train.py\n", T },
	{ SH "C=srun\nC+=\" -l torchrun\"\n$C train.py\n", T },
	{ SH "C=(srun -l)\nC+=(\n  torchrun\n  train.py\n)\n\"${C[@]}\"\n", T },
	{ SH "C=\"\n  srun\n  -l\n  torchrun\n\"\n$C train.py\n", T },
	{ SH "C=(\n  python\n  -m\n  torch.distributed.run\n  a.py\n)\nsrun \"${C[@]}\"\n", T },
	{ SH "A=\"\n  --label\n  --mpi none\"\nsrun $A -K torchrun train.py\n", T },
	{ SH "srun $(opts) -l torchrun train.py\n", T },
	{ SH "$(find_mpi) torchrun train.py\n", T },
	{ SH "A=\"echo a\"\nA+=\" torchrun train.py\"\n$A\n", O },
	{ SH "srun $SOLVER --in torchrun\n", O },
	/* programs that run what stands behind them */
	{ SH "srun ./bind.sh torchrun train.py\n", T },
	{ SH "./bind --gpu-map 0,1 torchrun train.py\n", T },
	{ SH "bash wrapper.sh torchrun train.py\n", T },
	{ SH "srun bash wrapper.sh -v python -u train.py --lr 1\n", T },
	{ SH "compute-sanitizer --tool memcheck python train.py\n", T },
	{ SH "srun rocprof --stats -o out.csv torchrun train.py\n", T },
	{ SH "py-spy record -o a.svg -- python train.py\n", T },
	{ SH "srun coverage run train.py\n", T },
	{ SH "coverage run --parallel-mode -m lab.train\n", T },
	{ SH "unknown-tool -- deepspeed train.py\n", T },
	{ SH "./wrap srun -n 4 python train.py\n", T },
	{ SH "srun echo torchrun train.py\n", O },
	{ SH "srun ./install.sh deepspeed\n", O },
	{ SH "./mesh --in torchrun.msh train.py\n", O },
	{ SH "./report \"use torchrun train.py\"\n", O },
	{ SH "srun ./bind.sh gmx mdrun\n", O },
	{ SH "mytool check # torchrun train.py\n", O },
	/* scripts in other languages, by their first lines */
	{ "#!/usr/bin/env Rscript\nlibrary(torch)\n", T },
	{ "#!/usr/share/R/bin/Rscript --vanilla\nsuppressMessages(library(keras3))\n", T },
	{ "#!/usr/bin/Rscript\nlibrary(sf)\n", O },
	{ "#!/usr/bin/env julia\nusing CUDA, Flux\n", T },
	{ "#!/opt/share/julia --project\nusing DifferentialEquations\n", O },
	{ "#!/usr/bin/env -S uv run --script\nimport torch\n", T },
	{ "#!/usr/bin/env -S python3 -u\nimport torch\n", T },
	{ "#!/usr/bin/env -S uv run --script\nimport numpy\n", O },
	{ "#!/usr/bin/env -S bash -l\ntorchrun train.py\n", T },
	/* a launcher starts what it is given, and some programs do both */
	{ SH "torchrun generation.py\n", I },
	{ SH "srun accelerate launch lab/batch_inference.py\n", I },
	{ SH "torchrun eval_llm.py\n", I },
	{ SH "torchrun train_and_evaluate.py\n", T },
	{ SH "torchrun main.py --resume last.pth\n", T },
	{ SH "torchrun main.py\n", T },
	{ SH "cellpose --dir x --pretrained_model cyto3\n", I },
	{ SH "cellpose --dir x --train --n_epochs 9\n", T },
	{ SH "python -m cellpose --dir x --pretrained_model cyto3\n", I },
	{ SH "python -m cellpose --dir x --train --n_epochs 9\n", T },
	{ SH "yolo detect mode=predict source=a\n", I },
	{ SH "yolo task=detect mode=train data=a\n", T },
	{ SH "litgpt generate m\n", I },
	/* a framework that is there, and work of another kind */
	{ SH "module load pytorch\n"
	     "apptainer exec torch.sif python preprocess_data.py --tokenizer a\n",
	  O },
	{ SH "apptainer exec torch.sif python tools/convert_weights.py a.pth\n", O },
	{ SH "apptainer exec torch.sif python merge_lora.py --base a --out b\n", O },
	{ SH "apptainer exec torch.sif python quantize.py a.pth\n", O },
	{ SH "module load pytorch\npython export_onnx.py\n", O },
	{ SH "module load pytorch\npython llama_to_hf.py\n", O },
	{ SH "torchrun train.py\npython zero_to_fp32.py out\n", T },
	{ SH "apptainer exec torch.sif python train_xgboost.py --learning_rate 1\n", O },
	{ SH "module load pytorch\npython main.py --model xgboost --learning_rate 1\n", O },
	{ SH "apptainer exec torch.sif python genetic_search.py\n", O },
	{ SH "module load pytorch\npython main.py --population 100 --batch_size 9\n", O },
	{ SH "module load pytorch\npython <<E\nimport lightgbm\nE\n", O },
	{ SH "python preprocess_data.py\ntorchrun train.py\n", T },
	{ SH "torchrun train_tokens.py\n", T },
};

TEST_EACH(hidden_is_found, LW_COUNT_OF(hidden))
{
	struct lw_tag_request job = { .script = hidden[_i].script,
				      .tres_per_node = "gres/gpu:8",
				      .nodes_min = 2,
				      .nodes_max = 2 };
	struct lw_tag tag;

	lw_tag_recognise(&job, rules, &tag);
	ck_assert_msg(tag.class == hidden[_i].want, "%s: %s, %s", hidden[_i].script,
		      lw_tag_class_name(tag.class), tag.evidence);
	ck_assert_int_eq(tag.gang, hidden[_i].want != O);
}

/* A job's name and its script are two witnesses only when they do not say the same word. */
static const struct {
	struct lw_tag_request job;
	enum lw_tag_class want;
} named[] = {
	{ { .script = SH "python train_times.py", .name = "train_delays" }, O },
	{ { .script = SH "python train_net.py --epochs 9", .name = "train_net" }, T },
	{ { .script = SH "python train_net.py", .name = "llama" }, T },
	{ { .script = SH "python a.py", .name = "train", .tres_per_node = "gpu:1" }, T },
	{ { .script = SH "python a.py", .name = "times", .tres_per_node = "gpu:1" }, O },
	{ { .script = SH "./run.sh", .name = "train", .tres_per_node = "gpu:1" }, T },
	{ { .script = SH "./run.sh", .name = "train" }, O },
};

TEST_EACH(same_word_counts_once, LW_COUNT_OF(named))
{
	struct lw_tag tag;

	lw_tag_recognise(&named[_i].job, rules, &tag);
	ck_assert_msg(tag.class == named[_i].want, "%s named %s: %s, %s", named[_i].job.script,
		      named[_i].job.name, lw_tag_class_name(tag.class), tag.evidence);
}
