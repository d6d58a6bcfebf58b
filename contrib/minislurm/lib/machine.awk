# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the machine that a workload is for, and how much of the workload has no room on it
#
# usage: awk -v nodes=N -v gpus=G -v cpus=C -v mem=M [-v given=" --nodes --cpus "]
#            -f machine.awk FILE
#
# nodes, gpus, cpus and mem: the options of the cluster, or their defaults. What FILE says of its
# machine goes before those that are not given. Prints nodes, GPUs, CPUs and MiB of a node, how many
# types of nodes FILE has, how many tasks have no room, and how many there are.

function is_given(option) { return index(given, " --" option " ") }

# say KEY=VALUE
function say(word,	part) {
	split(word, part, "=")
	if (part[1] == "nodes" && !is_given("nodes")) nodes = part[2]
	if (part[1] == "gpus_per_node" && !is_given("gpus")) gpus = part[2]
	if (part[1] == "cpus_per_node" && !is_given("cpus")) cpus = part[2]
	# 0: memory does not count
	if (part[1] == "mem_mib_per_node" && part[2] && !is_given("mem")) mem = part[2]
}

BEGIN { FS = "\t" }

{ sub(/\r$/, "") }

/^#machine[ \t]/ {
	types++
	if (!is_given("gpus")) gpus = 0
	count = split($0, words, /[ \t]+/)
	for (i = 2; i <= count; i++) say(words[i])
}

/^#/ || /^[ \t]*$/ { next }

{
	tasks += $10 == "-" ? 1 : $10
	if ($3 > nodes || $4 > gpus || $5 > cpus || $6 > mem) dropped += $10 == "-" ? 1 : $10
}

END { print nodes, gpus, cpus, mem, types + 0, dropped + 0, tasks + 0 }
