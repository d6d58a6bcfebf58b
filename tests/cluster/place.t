#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: where jobs land on a real cluster, by the topology of Slurm or of leeway.yaml
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_release 24.11 "only this one is asked for its topology (src/slurm/compat/topology.h)"

# Two leaves, or blocks, of four nodes with four GPUs each.
tree='SwitchName=s1 Nodes=n[1-4]
SwitchName=s2 Nodes=n[5-8]
SwitchName=top Switches=s[1-2]'
block='BlockName=b1 Nodes=n[1-4]
BlockName=b2 Nodes=n[5-8]
BlockSizes=4'
# n9 is not there
yaml='topology:
  domains:
  - {name: s2, nodes: "n[5-9]"}
  - {name: s1, nodes: "n[1-4]"}
  - {name: top, nodes: "n[1-9]"}'

dumps=/var/lib/slurm/state

# side_of NODELIST: s1 or s2 when all nodes lie in the one, else both
side_of() {
	local node sides=
	for node in $(sh_on "scontrol show hostnames '$1'"); do
		if [ "${node#n}" -le 4 ]; then sides=${sides}1; else sides=${sides}2; fi
	done
	case $sides in
	*1*2* | *2*1*) echo both ;;
	*1*) echo s1 ;;
	*2*) echo s2 ;;
	*) echo none ;;
	esac
}

# runs OPTIONS: submit it and wait until it runs; its id goes to job, its nodes to nodes
runs() {
	job=$(submit u1 "--time=30 --cpus-per-task=1 $1" 3600)
	await 20 "$2" job_is "$job" RUNNING
	nodes=$(job_field "$job" NodeList)
}

# switches: with Leeway alone starting jobs, a job that wants one switch gets it, or waits as
# long as it said
switches() {
	local job waited
	clear_all
	sh_on 'scontrol update NodeName=n[1-2,5-6] State=DRAIN Reason=test'
	job=$(submit u1 "--nodes=3 --exclusive --time=30 --switches=1@20" 600)
	await 60 "tree: a job that waits 20 minutes for a switch runs on two" job_is "$job" RUNNING
	is "tree: on both sides" "$(side_of "$(job_field "$job" NodeList)")" both
	waited=$(sh_on "echo \$((\$(date -d $(job_field "$job" StartTime) +%s) -
		\$(date -d $(job_field "$job" SubmitTime) +%s)))")
	ok "tree: it waited for as long" test "$waited" -ge 1200
	ok "tree: and not much longer" test "$waited" -le 2400
	sh_on "scancel $job"
	job=$(submit u1 "--nodes=3 --exclusive --time=30 --switches=1@23:00:00" 600)
	await 30 "tree: another waits for one switch" field_like "$job" Reason 'planned|Resources'
	sh_on 'scontrol update NodeName=n[5-6] State=RESUME'
	await 60 "tree: when one has the nodes it starts" job_is "$job" RUNNING
	is "tree: there" "$(side_of "$(job_field "$job" NodeList)")" s2
}

one_cluster() { # NAME TOPOLOGY DOMAINS
	local first kind=$1 topology=() alone=()
	: "${out:?}"
	mkdir -p "$out"
	printf 'sched:\n  dump_dir: %s\n' "$dumps" > "$out/leeway.yaml"
	if [ "$kind" = yaml ]; then
		printf '%s\n' "$2" >> "$out/leeway.yaml"
	else
		printf '%s\n' "$2" > "$out/topology.conf"
		topology=(--topology "$out/topology.conf")
	fi
	[ "$kind" != tree ] ||
		alone=(--sched-params 'sched_interval=-1,defer,max_switch_wait=90000')
	cluster --sched leeway --nodes 8 --gpus 4 --clock 60 "${topology[@]}" "${alone[@]}" \
		--leeway-yaml "$out/leeway.yaml"
	await 20 "$kind: the domains are known" in_log "topology: $3"

	# the user's own words win
	runs "--gpus-per-node=1 --nodelist=n4" "$kind: a job starts on the node it names"
	is "$kind: there" "$nodes" n4
	runs "--gpus-per-node=2 --nodelist=n7" "$kind: another as well"
	runs "--gpus-per-node=1" "$kind: a small job starts"
	like "$kind: it fills a broken node" "$nodes" '^n[47]$'
	runs "--nodes=3 --gpus-per-node=4" "$kind: a gang of three nodes starts"
	first=$(side_of "$nodes")
	like "$kind: on one side" "$first" '^s[12]$'
	runs "--nodes=3 --gpus-per-node=4" "$kind: a second gang starts"
	like "$kind: on one side as well" "$(side_of "$nodes")" '^s[12]$'
	unlike "$kind: on the other" "$(side_of "$nodes")" "^$first\$"
	runs "--gpus=2" "$kind: two GPUs, however many nodes, start"
	like "$kind: on one node, of those broken before" "$nodes" '^n[47]$'
	await 20 "$kind: cycles know the sizes that came" \
		sh_on "grep -l '^mix weight=.* gpus=4' $dumps/cycle-*.snap"
	like "$kind: a dump says where a job would go" "$(sh_on \
		"leeway place \$(ls -t $dumps/cycle-*.snap | head -n 1) --nodes 1 --gpus 1")" \
		'^1\. n[47] in '
	[ "$kind" != tree ] || switches
	cluster_gone
}

one_cluster tree "$tree" '3 locality domains$'
one_cluster block "$block" '2 locality domains, strict'
one_cluster yaml "$yaml" '3 locality domains$'
finish
