# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: random requests for resources, one line of sbatch options each
#
# There is no --spread-job with GPUs per task or in all: with --gpus-per-task it brings down a
# slurmctld 24.11.5 that has topology/tree, whoever selects the nodes.
#
# Wants count and seed; nodes, gpus, cpus and mem of the cluster; types, a comma between; shards
# of a node, if its GPUs have any: then some ask for these.
# A generator of its own (Park and Miller, "Random number generators: good ones are hard to
# find", 1988), since each awk has another rand().

function draw(below) {
	state = (state * 16807) % 2147483647
	return state % below
}
function chance(per_cent) { return draw(100) < per_cent }
function from(low, high) { return low + draw(high - low + 1) }
# the small ones more often than the large ones
function few(high) { return from(1, from(1, high)) }
function add(option) { line = line (line == "" ? "" : " ") option }

function typed(number) { return chance(35) ? type[from(1, type_count)] ":" number : number }

function node_range(  low, high) {
	if (chance(4)) return "--nodes=1,2," from(3, nodes)
	low = few(nodes)
	high = chance(30) ? low + from(0, nodes - low) : low
	return "--nodes=" low (high > low ? "-" high : "")
}

# n3,n4,n9: ascending, each once
function node_list(length_wanted,  i, left, text) {
	left = length_wanted
	for (i = 1; i <= nodes && left; i++) {
		if (draw(nodes - i + 1) >= left)
			continue
		text = text (text == "" ? "" : ",") "n" i
		left--
	}
	return text
}

function add_gpus(  shape) {
	if (shards && chance(15)) {
		add("--gres=shard:" few(int(shards / gpus)))
		return
	}
	shape = draw(100)
	if (shape < 3) {
		add("--gres=gpu:" type[1] ":" few(gpus) ",gpu:" type[type_count] ":" few(gpus))
		if (chance(50)) add(node_range())
	} else if (shape < 5) {
		add("--gpus-per-socket=" few(gpus) " --sockets-per-node=" from(1, 2))
		if (chance(50)) add(node_range())
	} else if (shape < 25) {
		add("--gpus=" typed(few(3 * gpus)))
		if (chance(25)) add(node_range())
		if (chance(25)) add("--ntasks=" few(8))
	} else if (shape < 45) {
		add("--gpus-per-node=" typed(few(gpus)))
		if (chance(75)) add(node_range())
	} else if (shape < 65) {
		add("--gres=gpu:" typed(few(gpus)))
		if (chance(75)) add(node_range())
	} else if (shape < 85) {
		add("--gpus-per-task=" typed(few(4)))
		add("--ntasks=" few(16))
		if (chance(25)) add(node_range())
	} else if (shape < 88) {
		add("--gpus=" few(2 * gpus))
		add("--ntasks-per-gpu=" few(2))
	} else if (shape < 90) {
		add("--gpus-per-node=" few(int(gpus / 2)))
		add("--gpus=" few(3 * gpus))
	} else if (shape < 91) {
		add("--tres-per-task=cpu:" few(4) ",gres/gpu:" few(2))
		add("--ntasks=" few(8))
	} else if (chance(70)) {
		add("--ntasks=" few(3 * cpus))
	} else
		add(node_range())
}

function add_amounts() {
	if (chance(25)) add("--cpus-per-task=" few(cpus))
	if (chance(12)) add("--ntasks-per-node=" few(6))
	if (chance(25)) add("--mem=" (chance(10) ? 0 : few(mem) "M"))
	else if (chance(10)) add("--mem-per-cpu=" few(int(mem / cpus) * 2) "M")
	else if (line ~ /gpu/ && chance(10)) add("--mem-per-gpu=" few(int(mem / gpus) * 2) "M")
	if (line ~ /gpu/ && line !~ /cpus-per-task/ && chance(10)) add("--cpus-per-gpu=" few(12))
}

# one of those that stand in a list with blanks between
function any_of(list,  words, count) {
	count = split(list, words, " ")
	return words[from(1, count)]
}

function add_sharing() {
	if (chance(12)) add("--partition=" any_of("shared shared,main forced alone few"))
	else if (chance(10)) add("--partition=" any_of("dense capped loaded defaults"))
	if (chance(8)) add("--oversubscribe")
	else if (chance(3)) add("--exclusive=user")
	if (chance(4)) add("--overcommit")
	if (chance(4)) add("--licenses=tool:" few(6))
	if (chance(3)) add("--core-spec=1")
}

function add_cores() {
	if (chance(8)) add(any_of("--threads-per-core=1 --ntasks-per-core=1 --ntasks-per-socket=2" \
		" --sockets-per-node=1 --cores-per-socket=4 --hint=nomultithread --mincpus=4"))
	if (chance(8)) add("--distribution=" any_of("block cyclic plane=2 *,pack *,nopack"))
	if (chance(4)) add("--gpu-bind=" any_of("closest single:1 none"))
}

# so many nodes of each type, or of one; with as many nodes in all
function add_counts(  one, other) {
	one = few(3)
	other = few(3)
	if (chance(25)) {
		add("--constraint=" type[from(1, type_count)] "*" one)
		if (line !~ /--nodes=/) add("--nodes=" one + from(0, 1))
		return
	}
	add("--constraint=[" type[1] "*" one "&" type[type_count] "*" other "]")
	if (line !~ /--nodes=/) add("--nodes=" one + other)
}

function add_layout() {
	if (line !~ /gpus=|per-task=.*gpu|gpus-per-task|gpus-per-socket|per-gpu/ && chance(8))
		add("--spread-job")
	if (chance(8)) add("--exclusive")
	else if (line !~ /exclusive/ && chance(2)) add("--exclusive=topo")
	if (chance(5)) add("--contiguous")
	if (chance(6)) add("--switches=" from(1, 2))
	if (chance(7)) add("--nodelist=" node_list(from(1, 3)))
	if (chance(10)) add("--exclude=" node_list(few(int(nodes / 2))))
	if (chance(8)) add("--constraint=" type[from(1, type_count)])
	else if (chance(3)) add("--constraint=" type[1] "|" type[type_count])
	else if (chance(4)) add("--constraint=[" type[1] "|" type[type_count] "]")
	else if (chance(6)) add_counts()
	else if (chance(4)) add("--prefer=" type[from(1, type_count)])
	if (chance(6)) add("--use-min-nodes")
	if (chance(2)) add("--segment=" from(1, 3))
	if (chance(4)) add("--gres-flags=" (chance(50) ? "enforce-binding" : "disable-binding"))
}

BEGIN {
	type_count = split(types, type, ",")
	state = seed % 2147483646 + 1
	for (i = 0; i < 16; i++)
		draw(2)
	for (i = 0; i < count; i++) {
		line = ""
		add_gpus()
		add_amounts()
		add_sharing()
		add_cores()
		add_layout()
		print line
	}
}
