#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the select plugin is the user's servant as stock's is, and outlives what users ask for
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"

# cycles COUNT: so many plans were dumped since
cycles() { [ "$(sh_on "ls $dumps/cycle-*.snap | wc -l")" -gt "$(($1 + dumped))" ]; }

# Types of GPUs that no node has: of a job that is held, and of one that is refused at once.
unknown_types() {
	local held
	dumped=$(sh_on "ls $dumps/cycle-*.snap | wc -l")
	held=$(as u1 'sbatch --parsable --hold --gres=gpu:nosuch:1 -o /dev/null --wrap=true')
	like "a job that asks for unknown GPUs is held" "$held" '^[0-9]+$'
	ok "another is refused" \
		as u1 '! sbatch --gres=gpu:neither:1 -o /dev/null --wrap=true 2> /dev/null'
	await 60 "slurmctld goes on" cycles 3
	ok "it lives" sh_on 'scontrol ping | grep -q UP'
	sh_on "scancel $held"
	dumped=$(sh_on "ls $dumps/cycle-*.snap | wc -l")
	await 60 "and when the job is gone" cycles 3
	starts "a job for GPUs that are there starts" "$(job '--gpus-per-node=1' 3000)"
	unlike "none is remembered by a type that is not there" \
		"$(sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)")" 'nosuch|neither'
}

dumps=/var/lib/slurm/state
printf 'sched:\n  dump_dir: %s\n  dump_keep: 1000\n' "$dumps" > "$out/leeway.yaml"
cluster --sched leeway --nodes 4 --gpus 4 --cpus 16 --mem 8000 --clock 20 --users 2 \
	--leeway-yaml "$out/leeway.yaml"
starts "a job starts" "$(job '--gpus-per-node=1' 3000)"
unknown_types
finish
