# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the machine that a workload is for becomes that of the cluster

# machine_given OPTION: note that the user gave it
machine_given() {
	case $1 in
	--nodes | --gpus | --cpus | --mem) MS_GIVEN+="$1 " ;;
	esac
}

# shellcheck disable=SC2034 # MS_ variables are cluster.sh's
# machine_take WORKLOAD ALLOW: set of the cluster what the user did not give. Dies when more than
# 1 % of the jobs have no room on it, unless ALLOW is not empty.
machine_take() {
	local types dropped tasks
	read -r MS_NODES MS_GPUS MS_CPUS MS_MEM types dropped tasks < <(
		awk -v nodes="$MS_NODES" -v gpus="$MS_GPUS" -v cpus="$MS_CPUS" -v mem="$MS_MEM" \
			-v given="$MS_GIVEN" -f "$MS_HOME/lib/machine.awk" "$1"
	)
	[ "$types" -lt 2 ] || machine_is_given_whole ||
		die "$(basename "$1") is for nodes of several types:" \
			"give --nodes, --gpus and --cpus"
	[ $((dropped * 100)) -le "$tasks" ] || [ "$2" ] ||
		die "$dropped of $tasks jobs have no room on $MS_NODES nodes of $MS_GPUS GPUs," \
			"$MS_CPUS CPUs and $MS_MEM MiB, more than 1 %: --allow-dropped goes on"
}

machine_is_given_whole() {
	local option
	for option in nodes gpus cpus; do
		[[ $MS_GIVEN == *" --$option "* ]] || return 1
	done
}
