#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: tag and GPU record where there is no accounting; needs job_submit and SPANK alone
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# told JOB REGEX: in its AdminComment, blanks and all
told() { sh_on "scontrol show job $1" | grep -E "AdminComment=.*$2" > /dev/null; }

# what slurmctld has forgotten nobody else knows
conf_extra <<< MinJobAge=36000
cluster --sched leeway --accounting none --nodes 2 --gpus 4 --clock 10 --conf-extra "$extra"
is "there is no accounting" "$(sh_on 'scontrol show config' |
	awk '$1 == "AccountingStorageType" { print $3 }' | grep slurmdbd)" ""
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "job_submit_leeway is in slurmctld" \
	sh_on 'grep -q "/leeway/job_submit_leeway.so" "/proc/$(cat /run/slurm/slurmctld.pid)/maps"'

# Slurm runs a plugin as often as lines name it.
sh_on "sed -i '/leeway.so/ { p; s/\$/ js1=yes/ }' /etc/slurm/plugstack.conf"

# As users write it.
train=$(as u1 "sbatch --parsable <<'END'
#!/bin/bash
#SBATCH --gpus-per-node=1 --time=10 --output=/dev/null
export MINI_RUN_S=120
python train.py --epochs 3
END")
plain=$(submit u1 "--time=10" 60)
wide=$(as u2 "sbatch --parsable --output=/dev/null --nodes=2 --gpus-per-node=2 --time=10 \
	--comment=mine --wrap='srun sleep 120'")
like "a training script is tagged" "$(job_field "$train" AdminComment)" '^leeway:dl=training'
unlike "a plain job is not" "$(job_field "$plain" JobId) $(job_field "$plain" AdminComment)" \
	'dl=training'
await 40 "what it made of its GPU stands beside the tag" \
	told "$train" 'leeway:dl=training[^ ]* leeway:gpu=n:1,util:[0-9]+/92,'
await 20 "it ends" job_is "$train" COMPLETED
unlike "of two lines for the SPANK plugin the first counts" \
	"$(job_field "$train" AdminComment)" 'JS1:'
like "and the log says so" "$(sh_on 'cat /var/log/slurm/slurmd.n*.log')" 'has leeway.so twice'
await 40 "the GPUs of two nodes are counted" told "$wide" 'leeway:gpu=n:4,'
is "the user's comment is his own" "$(job_field "$wide" Comment)" mine
like "each record can be read" "$(sh_on "leeway gpu $train")" ' FAKE-0 '
finish
