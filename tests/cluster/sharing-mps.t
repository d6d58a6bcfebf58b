#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sharing by gres/mps, of one user, on one GPU of a node; and beside another job although a
# GPU is free
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

partition=main
file=/var/lib/slurm/state/leeway_share
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: mps
  gres: mps
  parts: 100
  when: always
  where: partition:$partition
  who: comment
  memory_mib: 40000
  runs: 2
  record: $file
END
cluster --sched leeway --nodes 1 --gpus 2 --mps 200 --cpus 16 --mem 8000 --clock 20 \
	--leeway-yaml "$out/leeway.yaml"

# sent USER OPTIONS SECONDS: a job that is called net; its id goes to job
sent() {
	job=$(as "$1" "sbatch --parsable --output=/dev/null --mem=100 --time=60 \
		--cpus-per-task=1 --partition=$partition --job-name=net $2 --wrap='sleep $3'")
}
# opted USER SECONDS
opted() { sent "$1" "--gres=gpu:1 --comment=leeway:share" "$2"; }

# ---- its GPU is busy all the time, and filled to a fifth: that is what counts ----
sh_on "echo '* 0 99 2000 100 40 1 - - 20' > /etc/slurm/fake-gpus.conf"
for user in u1 u2; do
	for _ in 1 2; do
		sent "$user" --gres=gpu:1 40
		await 60 "a run of $user ends" sacct_is "$job" COMPLETED
		await 30 "its SM activity is told" sacct_like "$job" AdminComment 'sm:20'
	done
done
two_known() { [ "$(sh_on "leeway history show --share $file" | grep -c ' net .* 2 ')" = 2 ]; }
await 60 "the runs of both are known" two_known
clear_all

opted u1 4000
first=$job
like "a job of MPS gets shares" "$(job_field "$first" TresPerNode)" 'mps:34$'
starts "it starts" "$first"
mine=$(gpu_of "$first")
opted u1 4000
second=$job
starts "one more of that user starts" "$second"
is "beside it, although a GPU is free" "$(gpu_of "$second")" "$mine"
sent u1 --gres=gpu:1 4000
whole=$job
starts "so a whole one is there for who wants it" "$whole"
sh_on "scancel $whole $second"
await 60 "both are gone" sacct_is "$second" CANCELLED
await 60 "and the GPU is free" sacct_is "$whole" CANCELLED
opted u2 4000
theirs=$job
waits_for "another user's waits" "$theirs" '.'
is "though a GPU is free: Slurm has one of a node for MPS" "$(job_state "$theirs")" PENDING
sh_on "scancel $first"
starts "it starts when nobody else has MPS" "$theirs"
where=$(gpu_of "$theirs")
opted u2 4000
starts "and one more of that user" "$job"
is "beside the first" "$(gpu_of "$job")" "$where"
opted u2 1
waits_for "a third waits" "$job" '.'
is "though a GPU is free" "$(job_state "$job")" PENDING
sh_on "scancel $theirs"
starts "and comes when one of the two is gone" "$job"
finish
