#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: where jobs land on a real cluster, by the topology of Slurm or of leeway.yaml
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

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
  - {name: top, nodes: "n[1-9]"}
  islands:
  - {nodes: "n[1-9]", gpus: 2}'

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
	job=$(submit u1 "--time=600 --cpus-per-task=1 $1" 36000)
	await 20 "$2" job_is "$job" RUNNING
	nodes=$(job_field "$job" NodeList)
}

# switches: with Leeway alone starting jobs, a job that wants one switch gets it, or waits as
# long as it said
switches() {
	local job waited
	clear_all
	sh_on 'scontrol update NodeName=n[1-2,5-6] State=DRAIN Reason=test'
	job=$(submit u1 "--nodes=3 --exclusive --time=600 --switches=1@20" 36000)
	await 60 "tree: a job that waits 20 minutes for a switch runs on two" job_is "$job" RUNNING
	is "tree: on both sides" "$(side_of "$(job_field "$job" NodeList)")" both
	waited=$(sh_on "echo \$((\$(date -d $(job_field "$job" StartTime) +%s) -
		\$(date -d $(job_field "$job" SubmitTime) +%s)))")
	ok "tree: it waited for as long" test "$waited" -ge 1200
	ok "tree: and not much longer" test "$waited" -le 2400
	sh_on "scancel $job"
	job=$(submit u1 "--nodes=3 --exclusive --time=600 --switches=1@23:00:00" 36000)
	await 30 "tree: another waits for one switch" field_like "$job" Reason 'planned|Resources'
	sh_on 'scontrol update NodeName=n[5-6] State=RESUME'
	await 60 "tree: when one has the nodes it starts" job_is "$job" RUNNING
	is "tree: there" "$(side_of "$(job_field "$job" NodeList)")" s2
}

# islands: n1 fits best, but has one GPU left in each island; n3 has two in one
islands() {
	local first near="--exclude=n[5-8]"
	ok "islands: a node that is not there is named" in_log \
		'topology.islands: 1 of the 9 nodes of n\[1-9\] are not in slurm.conf'
	clear_all
	runs "--gpus-per-node=1 --nodelist=n1" "islands: a GPU is taken"
	first=$job
	runs "--gpus-per-node=1 --nodelist=n1" "islands: and another of that node"
	runs "--gpus-per-node=1 --nodelist=n1" "islands: and a third"
	runs "--gpus-per-node=2 --nodelist=n3" "islands: two of another node"
	gone "$first" "islands: the first job goes"
	runs "--gpus-per-node=2 $near" "islands: a job of two GPUs starts"
	is "islands: where one island has both" "$nodes" n3
	is "islands: and gets these" "$(devices_of "$job")" 2-3
	gone "$job" "islands: it goes"
	runs "--nodes=2 --gpus-per-node=2 $near" "islands: a gang starts"
	like "islands: where one island has both GPUs of each node" "$nodes" \
		'^n\[(2-3|3-4)\]$'
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
	[ "$kind" != yaml ] || islands
	cluster_gone
}

# gone JOB WHAT: take it away and wait until its nodes are free
gone() {
	as u1 "scancel $1"
	await 30 "$2" sh_on "! squeue -h -o %A | grep -qx $1"
}

# devices_of JOB: the GPUs it has of its node, as in 0-1
devices_of() {
	sh_on "scontrol show job -d $1" | sed -n 's/.*GRES=gpu:[0-9]*(IDX:\([^)]*\)).*/\1/p'
}

# waited JOB: cluster seconds from submission to start
waited() {
	local from to
	from=$(sh_on "date -d '$(job_field "$1" SubmitTime)' +%s")
	to=$(sh_on "date -d '$(job_field "$1" StartTime)' +%s")
	echo $((to - from))
}

# Two leaves of which the second has two nodes without GPUs; GPUs in islands of two. Licences, since
# the planner sees nodes in them.
mixed_cluster() {
	local blocker gang long="--time=2880 --cpus-per-task=1" whole="--nodes=3 --gpus-per-node=4"
	local program="sleep 36000; torchrun --nnodes=3 train.py"
	mkdir -p "$out"
	printf '%s\n' "$tree" > "$out/topology.conf"
	echo Licenses=tool:4 > "$out/extra.conf"
	# easy, since what leeway expects of the gang's run bounds its wait as well
	printf 'sched:\n  policy: easy\n  dump_dir: %s\nselect:\n  gang_wait: 15m\n' "$dumps" \
		> "$out/leeway.yaml"
	cluster --sched leeway --nodes 8 --gpus 4 --gpuless 2 --islands 2 --clock 60 \
		--sched-params sched_interval=-1,defer --topology "$out/topology.conf" \
		--leeway-yaml "$out/leeway.yaml" --conf-extra "$out/extra.conf"

	# rule 6
	runs "--licenses=tool:1" "a job without GPUs starts"
	like "on a node without any" "$nodes" '^n[78]$'
	blocker=$job
	runs "--nodes=2 --ntasks-per-node=31" "another takes what is left of these"
	is "there" "$nodes" "n[7-8]"
	gang=$job
	runs "--cpus-per-task=2" "the next starts all the same"
	like "on a node with GPUs" "$nodes" '^n[1-6]$'
	gone "$job" "it goes"
	gone "$gang" "the others go"
	gone "$blocker" "and the first"

	# which GPUs of a node: Slurm's choice, by Links
	runs "--gpus-per-node=1 --nodelist=n6" "one GPU of an island is taken"
	blocker=$job
	like "it is one" "$(devices_of "$job")" '^[0-3]$'
	runs "--gpus-per-node=2 --nodelist=n6" "two GPUs of that node are"
	like "both of one island" "$(devices_of "$job")" '^(0-1|2-3)$'
	gone "$job" "these go"
	gone "$blocker" "and that one"

	# rule 7
	runs "--time=2880 --nodes=2 --gpus-per-node=4 --nodelist=n1,n2" \
		"half of the first leaf is taken"
	blocker=$job
	runs "$long $whole" "a gang of which nothing is known starts"
	is "across the leaves" "$(side_of "$nodes")" both
	like "at once" "$(waited "$job")" '^[12]?[0-9]{1,2}$'
	gone "$job" "it goes"
	gang=$(as u1 "sbatch --parsable --output=/dev/null $long $whole --wrap='$program'")
	like "a gang that trains is tagged" "$(job_field "$gang" AdminComment)" 'leeway:dl=.*gang=1'
	await 40 "it waits for a nearer domain" sh_on "grep -l '^reserve $gang nearer-domain' \
		$dumps/cycle-*.plan"
	await 60 "not for ever" job_is "$gang" RUNNING
	like "as long as select.gang_wait says" "$(waited "$gang")" '^(9[0-9]{2}|1[0-7][0-9]{2})$'
	is "and then across the leaves" "$(side_of "$(job_field "$gang" NodeList)")" both
	gone "$gang" "it goes"
	gang=$(as u1 "sbatch --parsable --output=/dev/null $long $whole --wrap='$program'")
	gone "$blocker" "the first leaf comes free"
	await 40 "another starts" job_is "$gang" RUNNING
	is "there" "$(side_of "$(job_field "$gang" NodeList)")" s1
	cluster_gone
}

one_cluster tree "$tree" '3 locality domains$'
# 22.05 has no topology/block
[ "$(release)" = 22.05 ] || one_cluster block "$block" '2 locality domains, strict'
one_cluster yaml "$yaml" '3 locality domains$'
mixed_cluster
finish
