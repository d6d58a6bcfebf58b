#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs that opted in share GPUs, once their runs are known; all others have whole ones
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

partition=main
file=/var/lib/slurm/state/leeway_share
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: slice
  where: partition:$partition
  who: comment
  memory_mib: 40000
  runs: 2
  record: $file
END
cluster --sched leeway --nodes 1 --gpus 2 --shards 20 --cpus 16 --mem 8000 --clock 20 \
	--leeway-yaml "$out/leeway.yaml"

# sent NAME OPTIONS SECONDS: its id goes to job, and what sbatch said to /tmp/said
sent() {
	job=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --cpus-per-task=1 \
		--partition=$partition --job-name=$1 $2 --wrap='sleep $3' 2> /tmp/said")
}
said() { sh_on 'cat /tmp/said'; }
# busy UTIL MIB: so much the GPUs of jobs that start from now on do, all the time
busy() { sh_on "echo '* 0 $1 $2 100 40' > /etc/slurm/fake-gpus.conf"; }
# ran NAME UTIL MIB: two runs of it, each with a GPU, of which the recorder tells so much
ran() {
	local job two=()
	busy "$2" "$3"
	for _ in 1 2; do
		sent "$1" --gres=gpu:1 40
		two+=("$job")
	done
	for job in "${two[@]}"; do
		await 60 "a run of $1 ends" sacct_is "$job" COMPLETED
		await 30 "what it made of its GPU is told" \
			sacct_like "$job" AdminComment "leeway:gpu=n:1,util:$2/$2,mem:$3/$3M"
	done
}
gres_of() { job_field "$1" TresPerNode; }
# several words, to the end of the line
told_of() { on scontrol show job "$1" | sed -n 's/.* *AdminComment=//p'; }

# ---- nothing is known yet ----
sent new "--gres=gpu:1 --comment=leeway:share" 1
like "the first run has a whole GPU" "$(gres_of "$job")" 'gpu:1$'
like "and its user is told why" "$(said)" 'whole GPU.*not enough is known'
clear_all

# ---- two runs of each ----
ran half 45 2000
ran heavy 80 3000
# the last, since what is sent later is as busy, and some of it counts as a run
ran light 20 1000
await 60 "they are learned" share_knows "$file" '^ .* light .* 2 +20\.0 '
await 60 "the others as well" share_knows "$file" '^ .* heavy .* 2 +80\.0 '
clear_all

# ---- who opted in, in each form ----
for form in --gres=gpu:1 --gpus=1 --gpus-per-node=1; do
	sent light "$form --comment=leeway:share" 400
	like "$form becomes parts" "$(gres_of "$job")" 'shard:4$'
	like "$form: sbatch says so" "$(said)" 'shares a GPU: shard:4 of 10'
	like "$form: so does AdminComment" "$(told_of "$job")" \
		'leeway:share=shard:4,was:gres[:/]gpu:1'
	starts "$form: it starts" "$job"
	jobs+=("$job")
done
sent half "--gres=gpu:1 --comment=leeway:share" 400
like "one that needs more gets more" "$(gres_of "$job")" 'shard:5$'
starts "it starts beside another" "$job"
jobs+=("$job")

# ---- where they are: four on two GPUs, no three on one ----
is "two are on each GPU" "$(for each in "${jobs[@]}"; do gpu_of "$each"; done | sort | uniq -c |
	awk '{ print $1 }' | paste -sd ' ')" '2 2'
sent light "--gres=gpu:1 --comment=leeway:share" 1
waits_for "a fifth waits" "$job" '.'
is "it is not given what is left of the parts" "$(job_state "$job")" PENDING
sh_on "scancel ${jobs[0]}"
starts "and comes when one of two has left" "$job"
clear_all

# ---- all others ----
sent heavy "--gres=gpu:1 --comment=leeway:share" 1
like "who needs most of a GPU has a whole one" "$(gres_of "$job")" 'gpu:1$'
like "and is told" "$(said)" 'needs most of a GPU'
sent light --gres=gpu:1 1
like "so has who did not opt in" "$(gres_of "$job")" 'gpu:1$'
is "of which nothing is said" "$(said)" ''
sent light "--gres=gpu:1 --comment=leeway:no-share" 1
like "and who opted out" "$(gres_of "$job")" 'gpu:1$'
sent light "--gres=gpu:1 --comment=leeway:share --exclusive" 1
like "an exclusive one" "$(gres_of "$job")" 'gpu:1$'
sent light "--gres=gpu:2 --comment=leeway:share" 1
like "one with two GPUs" "$(gres_of "$job")" 'gpu:2$'
like "AdminComment of it has its tag" "$(told_of "$job")" leeway:dl
unlike "and no word of sharing" "$(told_of "$job")" leeway:share
clear_all

# ---- steps of a job that shares ----
step=$(as u1 "printf '#!/bin/bash\nsrun hostname && touch /tmp/step-ran\n' | sbatch --parsable \
	--output=/dev/null --mem=100 --time=10 --partition=$partition --job-name=light --gpus=1 \
	--comment=leeway:share 2> /tmp/said")
await 60 "srun in a script with --gpus=1 runs" sh_on 'test -e /tmp/step-ran'
like "in a part of a GPU" "$(job_field "$step" TresPerNode)" 'shard:4$'

finish
