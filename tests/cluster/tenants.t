#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what each tenant of a GPU makes of it; who fills its memory last leaves, and nobody else
# shellcheck disable=SC2317,SC2016 # functions are called through await; the cluster expands
. "$(dirname "$0")/lib.sh"

file=/var/lib/slurm/state/leeway_share
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: slice
  where: partition:main
  who: comment
  memory_mib: 40000
  memory_limit: 0.9
  memory_hard: 0.95
  runs: 2
  record: $file
END
cluster --sched leeway --nodes 1 --gpus 2 --shards 20 --cpus 16 --mem 8000 --clock 20 \
	--leeway-yaml "$out/leeway.yaml"

# So many MiB; the same program once more has learned nothing, and ends by itself.
fake_holder '20 $1' '[ -z "${SLURM_RESTART_COUNT:-}" ] || { use 38000; sleep 60; exit 0; }'
tell() { sh_on "touch /tmp/told-$1"; }
untold() { sh_on 'rm -f /tmp/told-* /tmp/on-gpus/*'; }

# holds NAME OPTIONS WORDS: a job of that program; its id goes to job, its output to /tmp/out-ID
holds() {
	job=$(as u1 "sbatch --parsable --output=/tmp/out-%j --open-mode=append --mem=100 --time=60 \
		--cpus-per-task=1 --partition=main --job-name=$1 $2 --wrap='exec holds $3'")
}
shares="--gres=gpu:1 --comment=leeway:share"
said_by() { sh_on "cat /tmp/out-$1"; }
has_said() { said_by "$1" | grep -E "$2" > /dev/null; }
record_of() { sh_on "leeway gpu $1 --json 2> /dev/null"; }
# most JOB METRIC: the highest reading of the job's one GPU
most() {
	record_of "$1" | tr -d ' \n' | sed -n "s/.*\"$2\":{[^}]*\"max\":\([0-9]*\).*/\1/p"
}
sees() { [ "$(most "$1" "$2")" = "$3" ]; }
told_of() { on scontrol show job "$1" | sed -n 's/.* *AdminComment=//p'; }

# ---- two runs that have a GPU each ----
two=()
for _ in 1 2; do
	holds light --gres=gpu:1 '1000 end'
	two+=("$job")
done
for job in "${two[@]}"; do starts "a run starts" "$job"; done
for job in "${two[@]}"; do
	await 30 "what it does is read" sees "$job" mem 1000
done
tell end
for job in "${two[@]}"; do await 60 "it ends" sacct_is "$job" COMPLETED; done
await 60 "they are learned" share_knows "$file" '^ .* light .* 2 +[0-9.]+ .* 1000 '
untold

# pair NAME OPTIONS WORDS: an elder and one that came later, on one GPU, since the other is
# taken
pair() {
	holds taker --gres=gpu:1 '100 end'
	taker=$job
	starts "the other GPU is taken" "$taker"
	holds "$1" "$shares" '1000 end'
	elder=$job
	starts "the elder starts" "$elder"
	await 30 "and is read" sees "$elder" mem 1000
	holds "$1" "$2" "$3"
	newer=$job
	starts "another comes" "$newer"
	await 30 "and is read" sees "$newer" mem 1000
}

# ---- who came last grows ----
pair light "$shares" '1000 soon=35500 much=38000 end'
like "AdminComment has the marks" "$(told_of "$newer")" \
	'leeway:share=shard:4,was:gres[:/]gpu:1,.*limit:900/950/10'
await 30 "of the elder its own use is told from the device's" sees "$elder" dmem 2000
is "its own is its own" "$(most "$elder" mem)" 1000
is "so is its utilisation" "$(most "$elder" util)" 20
is "of 40 % in all" "$(most "$elder" dutil)" 40
tell soon
await 30 "it is warned" has_said "$newer" 'runs short: 36500 of 40000 MiB'
# its step has asked for the comment by now, and must not write back what it was then
ok "an admin writes there" sh_on \
	"scontrol update jobid=$newer AdminComment='$(told_of "$newer") admin:note'"
tell much
await 40 "it is ended, and told why" has_said "$newer" 'this job is ended, and requeued to a whole'
like "with what it was" "$(said_by "$newer")" '39000 of 40000 MiB are in use, and it came last'
is "it was warned once" "$(said_by "$newer" | grep -c 'runs short')" 1
# 22.05 makes no GPU of shards: there it asks for all that a GPU has
await 40 "it asks for a whole GPU" field_like "$newer" TresPerNode '(gpu:1|shard:10)$'
like "AdminComment says why" "$(told_of "$newer")" \
	'leeway:share=none,was:shard:4,left:memory'
like "and has what the admin wrote" "$(told_of "$newer")" 'admin:note'
sh_on "scancel $taker"
await 60 "it runs again" sacct_is "$newer" RUNNING
is "the elder still runs" "$(job_state "$elder")" RUNNING
await 60 "with a whole GPU it comes to its end" sacct_is "$newer" COMPLETED
like "its record knows what became of it" "$(record_of "$newer")" '"left-memory"'
like "what it made of the whole one is told" "$(sacct_field "$newer" AdminComment)" \
	'leeway:gpu=n:1,util:[0-9]+/20,mem:[0-9]+/37G'
is "the elder still runs" "$(job_state "$elder")" RUNNING
tell end
await 40 "the elder comes to its end" sacct_is "$elder" COMPLETED
is "by itself" "$(sacct_field "$elder" ExitCode)" 0:0
is "it was told nothing" "$(said_by "$elder" | grep -c leeway:)" 0
like "accounting knows who was there" "$(sacct_field "$elder" AdminComment)" \
	"leeway:gpu=n:1,util:[0-9]+/20,mem:[0-9]+/1000M,.*shared:1,dutil:[0-9]+,with:$newer"
# the run that was ended counts, and the next one with it
await 60 "what it used in the end is learned" \
	share_knows "$file" '^ .* light .* 4 +[0-9.]+ .* 37888 '
untold
clear_all

# ---- who may not be requeued, of a name that is not known to grow ----
two=()
for _ in 1 2; do
	holds other --gres=gpu:1 '1000 end'
	two+=("$job")
done
for job in "${two[@]}"; do await 30 "a run of another name is read" sees "$job" mem 1000; done
tell end
for job in "${two[@]}"; do await 60 "it ends" sacct_is "$job" COMPLETED; done
await 60 "they are learned" share_knows "$file" '^ .* other .* 2 +[0-9.]+ .* 1000 '
untold
pair other "$shares --no-requeue" '1000 much=38000 end'
tell much
await 40 "it is ended, and told why" has_said "$newer" 'this job is ended, since memory'
await 40 "for good" sacct_is "$newer" CANCELLED
is "the elder still runs" "$(job_state "$elder")" RUNNING
tell end
await 60 "and comes to its end" sacct_is "$elder" COMPLETED
is "nothing is said to it" "$(said_by "$elder" | grep -c leeway:)" 0
unlike "nothing was wrong on the node" "$(sh_on 'cat /var/log/slurm/slurmd.n1.log')" \
	'leeway: .*(could not|cannot)'
finish
