#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the files of conf/, as an administrator copies them, on a real cluster
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

conf=$top/conf
mkdir -p "$out"

# here FILE: it, with the nodes and the directory of this cluster; package.t has the package's own
here() {
	sed -e 's|gpu\[|n[|g' -e "s|/usr/lib/x86_64-linux-gnu/leeway/|${1:-}|" -e '/^PluginDir=/d'
}

here < "$conf/topology.conf" > "$out/topology.conf"
here < "$conf/slurm.conf" > "$out/slurm-lines.conf"
cluster --sched leeway --nodes 8 --gpus 4 --clock 20 --leeway-yaml "$conf/leeway.yaml" \
	--topology "$out/topology.conf" --conf-extra "$out/slurm-lines.conf"
plugins=$(sh_on "grep -o '/[^ ]*/leeway.so' /etc/slurm/plugstack.conf")
for file in gres plugstack; do
	here "${plugins%leeway.so}" < "$conf/$file.conf" > "$out/$file.conf"
	ok "$file.conf is put there" \
		with_input -- bash -c "cat > /etc/slurm/$file.conf" < "$out/$file.conf"
done
ok "slurmctld reads the files" sh_on 'scontrol reconfigure'
await 30 "Leeway plans the queue" planned_by 'Leeway (leeway'
ok "by the settings of leeway.yaml" in_log 'settings from /etc/slurm/leeway.yaml'
await 30 "the switches are known" in_log 'topology:.*domains'
settled() { [ "$(sh_on 'sinfo -h -o %t | sort -u')" = idle ]; }
await 60 "the nodes are idle, with their GPUs" settled
unlike "Slurm's main loop stays on" "$(sh_on 'scontrol show config')" \
	'SchedulerParameters *=.*(sched_interval|defer)'

wide=$(job "--nodes=4 --gpus-per-node=4" 3)
starts "a job of four nodes" "$wide"
like "has them below one switch" "$(job_field "$wide" NodeList)" '^n\[(1-4|5-8)\]$'
await 60 "and ends" sacct_is "$wide" COMPLETED
training=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --gpus-per-node=1 --time=10 \
	--wrap='true || torchrun train.py'")
await 30 "deep learning is tagged" field_like "$training" AdminComment 'leeway:dl=training'
await 60 "and it ends as without a recorder of GPUs" sacct_is "$training" COMPLETED
finish
