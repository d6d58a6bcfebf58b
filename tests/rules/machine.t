#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a replay takes its cluster from the workload, and drops no jobs unasked.
# shellcheck disable=SC2034 # MS_ variables are for the library
. "$(dirname "$0")/lib.sh"

MS_HOME=$root/contrib/minislurm
die() { echo "$*"; exit 1; }
# shellcheck source=contrib/minislurm/lib/machine.sh
. "$MS_HOME/lib/machine.sh"

# job NODES GPUS CPUS MEM TASKS
job() { printf '0\t1\t%s\t%s\t%s\t%s\t60\t5\t-\t%s\thpc\tx\n' "$@"; }

# taken OPTION...: what the cluster is, for the file planted, when those were given
taken()
{
	local option
	MS_NODES=16 MS_GPUS=4 MS_CPUS=32 MS_MEM=256000 MS_GIVEN=' '
	for option; do
		machine_given "${option%=*}"
		case ${option%=*} in
		--nodes) MS_NODES=${option#*=} ;;
		--gpus) MS_GPUS=${option#*=} ;;
		--cpus) MS_CPUS=${option#*=} ;;
		esac
	done
	(
		machine_take "$planted/w.lw" "$allow"
		echo "$MS_NODES $MS_GPUS $MS_CPUS $MS_MEM"
	) || true
}

allow=
{ echo '#lw-workload 1'; job 2 4 16 0 -; } | plant w.lw
is "without a machine it is the options'" "$(taken)" "16 4 32 256000"
is "whatever they are" "$(taken --nodes=3 --cpus=17)" "3 4 17 256000"

machine='#machine nodes=5 cpus_per_node=64 gpus_per_node=8 mem_mib_per_node=1000'
{ echo '#lw-workload 1'; echo "$machine"; job 5 8 64 1000 -; } | plant w.lw
is "the file's machine" "$(taken)" "5 8 64 1000"
is "options go first" "$(taken --nodes=7 --gpus=9)" "7 9 64 1000"
{ echo '#lw-workload 1'; printf '%s\r\n' '#machine cpus_per_node=8 nodes=2'; job 1 0 8 5 -; } |
	plant w.lw
is "without GPUs, and memory that does not count" "$(taken)" "2 0 8 256000"

{ echo '#lw-workload 1'; echo "$machine"; job 6 0 1 0 -; job 1 0 1 0 99; } | plant w.lw
is "one in a hundred may have no room" "$(taken)" "5 8 64 1000"
{ echo '#lw-workload 1'; echo "$machine"; job 1 0 1 2000 2; job 1 0 1 0 99; } | plant w.lw
like "two may not" "$(taken)" '^2 of 101 jobs have no room on 5 nodes .* --allow-dropped goes on$'
allow=yes
is "unless that is asked for" "$(taken)" "5 8 64 1000"
allow=

{ echo '#lw-workload 1'; echo "$machine"; echo "$machine"; job 1 0 1 0 -; } | plant w.lw
like "of several types it says what to give" "$(taken --nodes=2)" \
	'several types: give --nodes, --gpus and --cpus$'
is "and takes that" "$(taken --nodes=2 --cpus=4 --gpus=1)" "2 1 4 1000"

finish
