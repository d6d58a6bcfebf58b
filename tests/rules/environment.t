#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: the recorder goes by no variable that a job's user could have set.
. "$(dirname "$0")/lib.sh"

# slurmd's own, and of a job's environment what Slurm itself sets or takes away there:
# plugins/spank/step.c says where that is so.
known='getenv\("(SLURMD_NODENAME|SLURM_JOB_GPUS|SLURM_JOB_NODELIST)"\)'
known+='|spank_getenv\(spank, ("(SLURM_(JOB|STEP)_GPUS|CUDA_VISIBLE_DEVICES)"'
known+='|kinds\[i\]\.variable),'

# FILE:LINE: a variable that is read.
other_variables()
{
	(
		cd "$1"
		files . '^(src/record|plugins/spank)/.*\.[ch]$' | tr '\n' '\0' |
			xargs -0 -r grep -HnE 'getenv *\(' | grep -vE "$known"
	)
}

keeps "the recorder goes by no variable of users" other_variables
plant src/record/x.c <<<'const char *dir(void) { return getenv("LEEWAY_DIR"); }'
bites "a variable of our own" other_variables src/record/x.c
plant plugins/spank/x.c <<<'spank_getenv(spank, "LEEWAY_SPOOL", buf, sizeof(buf));'
bites "one of the job's environment" other_variables plugins/spank/x.c
plant src/record/x.c <<<'secure_getenv("LEEWAY_SOURCE")'
bites "however it is read" other_variables src/record/x.c

finish
