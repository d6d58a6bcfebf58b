#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: tags of jobs in a real slurmctld: the site's rules, advice, corrections, admins' words
# shellcheck disable=SC2317,SC2016 # functions are called through ok; others expand
. "$(dirname "$0")/lib.sh"

rules=$(mktemp)
cat > "$rules" << 'END'
tag:
  rules:
    - {name: our-trainer, place: program, points: 60, kind: training, patterns: [ourtrain*]}
    - {name: jupyter, off: yes}
    - {name: lost, place: nowhere, points: 60, kind: training, patterns: [lostprog]}
    - {name: heavy, place: program, points: 600, kind: training, patterns: [heavyprog]}
    - {name: no-such-name, off: yes}
    - {name: behind, place: program, points: 60, kind: inference, patterns: [behindprog]}
END
yaml=/etc/slurm/leeway.yaml
cluster --sched leeway --nodes 2 --gpus 2 --clock 60 --leeway-yaml "$rules"
rm -f "$rules"

# held USER OPTIONS BODY: submit a script that never starts; its id, and what sbatch said
held() {
	as "$1" "printf '#!/bin/bash\n%b\n' '$3' |
		sbatch --parsable --hold -o /dev/null --time=5 $2 2> /tmp/said-$1"
}
said() { sh_on "cat /tmp/said-$1"; }
# comment_of JOB: whole, blanks and all
comment_of() {
	sh_on "scontrol -o show job $1" | sed -n 's/.* AdminComment=\(.*\)/\1/p' |
		sed 's/ [A-Z][A-Za-z/:]*=.*//; s/ $//'
}

# ---- the site's rules ----
log=$(log_of_controller)
# broken NAME LINE REASON
broken() { like "the rule $1 is named with its place" "$log" "leeway.yaml:$2: .*$3.*left out"; }
broken lost 5 'nowhere'
broken heavy 6 '600'
broken no-such-name 7 'no-such-name'
like "the others are taken" "$log" 'leeway.yaml: 3 rules taken'
like "jobs are tagged" "$log" 'leeway: job_submit: tagging deep-learning jobs$'
like "a rule of the site speaks" "$(comment_of "$(held u1 --gpus=1 'ourtrain2 -x')")" \
	'^leeway:dl=training,gang=0,conf=85,ev=our-trainer\+gpu$'
like "so does one behind those with mistakes" "$(comment_of "$(held u1 --gpus=1 behindprog)")" \
	'^leeway:dl=inference,.*ev=behind\+gpu$'
like "one with a mistake does not" "$(comment_of "$(held u1 --gpus=1 'lostprog; heavyprog')")" \
	'^leeway:dl=none,gang=0,conf=75,ev=gpu$'
like "nor one that is switched off" "$(comment_of "$(held u1 --gpus=1 'jupyter lab')")" \
	'^leeway:dl=none,'
like "built-in ones do" "$(comment_of "$(held u1 --gpus=1 'torchrun train.py')")" \
	'^leeway:dl=training,gang=0,conf=100,ev=torchrun\+'

# ---- what is asked for, in every spelling ----
for option in --gres=gpu:1 --gpus=1 --gpus-per-node=1 '--ntasks=1 --gpus-per-task=1' -G1; do
	like "$option is a request for a GPU" "$(comment_of "$(held u1 "$option" hostname)")" \
		'^leeway:dl=none,.*ev=gpu$'
done
is "a job of neither kind gets no comment" "$(comment_of "$(held u1 '' hostname)")" ''
ok "a partition is called after its GPUs" \
	sh_on 'scontrol create PartitionName=lab_gpu Nodes=ALL State=UP'
like "its name tells of them" "$(comment_of "$(held u1 '-p lab_gpu' 'python train.py')")" \
	'^leeway:dl=training,gang=0,conf=72,ev=train-script\+gpu-partition\+python$'
is "and gives no tag to what is not deep learning" \
	"$(comment_of "$(held u1 '-p lab_gpu' 'python orbit.py')")" ''
like "an array of training is a sweep" \
	"$(comment_of "$(held u1 '--gpus=1 --array=1-4' 'python train.py --lr 1')")" \
	'^leeway:dl=sweep,'
like "training on two nodes is a gang" \
	"$(comment_of "$(held u1 '-N2 --gpus-per-node=1' 'srun torchrun a.py')")" \
	'^leeway:dl=training,gang=1,'

# ---- there and back ----
body='module load pytorch\nsrun python train.py --epochs 3'
job=$(held u2 '-N2 --gpus-per-node=2' "$body")
sh_on "printf '#!/bin/bash\n%b\n' '$body' > /tmp/same.sh"
like "leeway tag says the same of the script" \
	"$(sh_on "leeway tag --rules /etc/slurm/leeway.yaml --json \
		--options '-N2 --gpus-per-node=2' /tmp/same.sh 2> /tmp/same.err; :")" \
	"\"$(comment_of "$job" | sed 's/[+]/[+]/g')\""
ran=$(as u1 "sbatch --parsable -o /dev/null --gpus=1 --time=5 --wrap='sleep 1; exit 3'")
await 60 "a tagged job ends as its script says" sacct_is "$ran" FAILED
is "with its own exit code" "$(sacct_field "$ran" ExitCode)" 3:0
like "its tag is in accounting" "$(sacct_field "$ran" AdminComment)" '^leeway:dl=none,.*ev=gpu'
as u1 'srun --gpus=1 --time=5 -J shell bash -c "true; : torchrun train.py"' > /dev/null
shell_tagged() {
	sh_on 'sacct -a -X -n -P -S 1970-01-02 -E now+3650days --name shell -o AdminComment%500' |
		grep -E '^leeway:dl=[a-z]+,.*gpu'
}
await 60 "a job without a script is tagged by its command line" shell_tagged

# ---- users know better ----
job=$(held u1 '--gpus=1 --comment=leeway:not-dl' 'torchrun train.py')
like "a user says that it is none" "$(comment_of "$job")" '^leeway:dl=none,gang=0,conf=100,ev=user'
job=$(held u1 '--gpus=1 --comment="paper 7, leeway:dl"' ./own.bin)
like "or that it is, beside other words" "$(comment_of "$job")" \
	'^leeway:dl=training,gang=0,conf=100,ev=user'
like "whose comment stays" "$(sh_on "scontrol -o show job $job")" ' Comment=paper 7, leeway:dl '

# ---- and so do administrators ----
job=$(held u1 --gpus=1 'torchrun train.py')
ok "an admin writes over a tag" change_job "scontrol update jobid=$job AdminComment='mine alone'"
ok "and the user changes the job" as u1 "scontrol update jobid=$job TimeLimit=4"
is "which leaves the admin's words" "$(comment_of "$job")" 'mine alone'

# ---- advice ----
idle='--gpus=1 -n1'
job=$(held u1 "$idle" 'samtools sort a.bam')
like "a job that leaves its GPU alone is taken" "$job" '^[0-9]+$'
is "and nothing is said" "$(said u1)" ''
# A plugin of the site's that runs before ours says something, too; a Slurm built from a tree may
# be without Lua.
plugins=leeway
! sh_on 'ls /usr/lib/*/slurm*/job_submit_lua.so' > /dev/null 2>&1 || plugins=lua,leeway
ok "slurmctld is killed" kill_controller
sh_on 'cat > /etc/slurm/job_submit.lua << "END"
function slurm_job_submit(job, part_list, uid)
	if job.name == "watched" then
		job.admin_comment = "ticket=4711 watch"
	end
	return slurm.SUCCESS
end
function slurm_job_modify(job, record, part_list, uid)
	return slurm.SUCCESS
end
return slurm.SUCCESS
END
sed -i "s/^JobSubmitPlugins=leeway/JobSubmitPlugins='"$plugins"'/" /etc/slurm/slurm.conf'
ok "advice is switched on" sh_on \
	"sed -i 's/^tag:/tag:\n  advise: yes/' $yaml; : > /var/log/slurm/slurmctld.log"
ok "slurmctld starts again" start_controller
ok "and says so" in_log 'tagging deep-learning jobs, with advice'
job=$(held u1 "$idle" 'samtools sort a.bam')
like "the same job is taken" "$job" '^[0-9]+$'
like "and its user is told in one line" "$(said u1)" '^sbatch: .*asks for a GPU'
is "of one line" "$(said u1 | wc -l)" 1
like "its request is as it was" "$(sh_on "scontrol -o show job $job")" 'gres/gpu[=:]1'
held u1 --gpus=1 'torchrun train.py' > /dev/null
is "a job that uses its GPU hears nothing" "$(said u1)" ''

if [ "$plugins" = leeway ]; then
	skip "what an admin's plugin says stays in front of the tag" "no job_submit_lua.so"
	skip "and alone, where there is no tag" "no job_submit_lua.so"
else
	like "what an admin's plugin says stays in front of the tag" \
		"$(comment_of "$(held u1 '--gpus=1 -J watched' 'torchrun train.py')")" \
		'^ticket=4711 watch leeway:dl=training,'
	is "and alone, where there is no tag" "$(comment_of "$(held u1 '-J watched' hostname)")" \
		'ticket=4711 watch'
fi

# ---- a file that is broken as a whole ----
ok "slurmctld is killed again" kill_controller
ok "leeway.yaml is no YAML any more" sh_on \
	"printf 'tag: [\n' > $yaml; : > /var/log/slurm/slurmctld.log"
ok "slurmctld starts all the same" start_controller
ok "and names the line" in_log 'leeway: job_submit: .*leeway.yaml:[0-9]+.*built-in rules alone'
like "jobs are tagged by the built-in rules" \
	"$(comment_of "$(held u1 --gpus=1 'jupyter lab')")" '^leeway:dl=notebook,'
finish
