#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what earlier runs of a gang showed of its traffic says if it waits (doc/dev/placement.md)
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

dumps=/var/lib/slurm/state history=$dumps/leeway_history
gang="--time=2880 --nodes=2 --gpus-per-node=4"
training='torchrun --nnodes=2 train.py'

mkdir -p "$out"
# easy, since what leeway expects of the gang's run bounds its wait as well
cat > "$out/leeway.yaml" <<END2
sched: {policy: easy, dump_dir: $dumps}
select.gang_wait: 1h
topology:
  domains:
  - {name: r1, nodes: "n[1-2]"}
  - {name: r2, nodes: "n[3-4]"}
END2
cluster --sched leeway --nodes 4 --gpus 4 --clock 60 \
	--sched-params sched_interval=-1,defer --leeway-yaml "$out/leeway.yaml"

# submit_gang USER SECONDS PROGRAM
submit_gang() { as "$1" "sbatch --parsable --output=/dev/null $gang --wrap='sleep $2; exit; $3'"; }

# teach USER MIB PROGRAM: two runs of it, with so much traffic over PCIe
teach() {
	local job jobs=
	sh_on "echo '* 0 92 31000 390 64 1 - $2' > /etc/slurm/fake-gpus.conf"
	for _ in 1 2; do
		job=$(submit_gang "$1" 180 "$3")
		jobs="$jobs $job"
	done
	for job in $jobs; do
		await 60 "a run of $1's gang ends" sacct_is "$job" COMPLETED
		await 20 "its traffic is told" \
			sacct_like "$job" AdminComment "leeway:gpu=n:[48],.*,pcie:$2\$"
	done
	await 60 "both are learned" sh_on "leeway history show $history --user $1 --gpus --json |
		grep '\"pcie_jobs\": 2'"
}

waits_for_nearer() { sh_on "grep -l '^reserve $1 nearer-domain' $dumps/cycle-*.plan"; }

# gone JOB: take it away and wait until its nodes are free
gone() {
	sh_on "scancel $1"
	await 30 "it goes" sh_on "! squeue -h -o %A | grep -qx $1"
}

# does_not_wait JOB: it starts where room is, at once
does_not_wait() {
	await 40 "it starts" job_is "$1" RUNNING
	is "across the racks" "$(job_field "$1" NodeList)" 'n[2,4]'
	ok "and was not to wait" sh_on "! grep -l '^reserve $1 nearer-domain' $dumps/cycle-*.plan"
	gone "$1"
}

teach u1 2000 ''
teach u2 20 ''
teach u3 20 "$training"

for node in n1 n3; do
	job=$(submit u4 "--gpus-per-node=4 --time=2880 --nodelist=$node" 100000)
	await 30 "half of a rack is taken" job_is "$job" RUNNING
done

job=$(submit_gang u1 36000 '')
unlike "a gang has no tag" "$(job_field "$job" JobId) $(job_field "$job" AdminComment)" gang=1
await 40 "for what its runs showed it waits for a nearer domain" waits_for_nearer "$job"
ok "the dump says that it talks" sh_on "grep -l '^wait $job .* talks ' $dumps/cycle-*.snap"
plan=$(waits_for_nearer "$job" | head -n 1)
ok "and is planned so again" sh_on "leeway replay ${plan%.plan}.snap | diff - $plan"
gone "$job"

job=$(submit_gang u2 36000 '')
does_not_wait "$job"

job=$(submit_gang u3 36000 "$training")
like "one is tagged as a gang" "$(job_field "$job" AdminComment)" 'leeway:dl=.*gang=1'
does_not_wait "$job"

job=$(submit_gang u4 36000 "$training")
await 40 "where nothing was shown the tag says it" waits_for_nearer "$job"
finish
