# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: shared by the scripts which run inside a mini-Slurm container
#
# Settings arrive in the container's environment: MS_NODES, MS_GPUS, MS_CPUS, MS_MEM,
# MS_CLOCK, MS_USERS, MS_SCHED, MS_PRIORITY, MS_SCHED_PARAMS, MS_CONF_EXTRA, MS_YAML,
# MS_RELEASE, MS_TOPOLOGY, MS_GPU_TYPES, MS_GPULESS, MS_ISLANDS, MS_MPS, MS_FLEET, MS_ACCOUNTING,
# MS_SIBLING (name of a second cluster), MS_PRELOAD (a library for slurmctld), MS_POOL (yes where
# the cluster is to be put back to its first state).

# shellcheck disable=SC2034 # for the scripts which read this file
MS_INSIDE=/opt/minislurm/inside
# shellcheck disable=SC2034 # used by the scripts that read this file
MS_CONF=/opt/minislurm/conf
MS_RUN=/run/minislurm
MS_CLOCK_ENV=$MS_RUN/clock.env

# shape: the settings of a cluster that was put back in another shape than it had first
# shellcheck source=/dev/null
[ ! -e "$MS_RUN/shape" ] || . "$MS_RUN/shape"
# shellcheck disable=SC2034 # as above
MS_LIB=/usr/lib/$HOSTTYPE-linux-gnu

# shellcheck disable=SC2034 # as above
MS_SIBLING_PORT=6917 # of its slurmctld

# at_sibling COMMAND...: for the second cluster
at_sibling() { SLURM_CONF=/etc/$MS_SIBLING/slurm.conf "$@"; }

note() { printf '%s %s\n' "$(real_seconds)" "$*" >> "$MS_RUN/init.log"; }

# Seconds of the machine, not of the cluster: the kernel's file cannot be faked.
real_seconds() {
	local up
	read -r up _ < /proc/uptime
	printf '%s\n' "${up%.*}"
}

real_sleep() { LD_PRELOAD='' command sleep "$1"; }

# wait_for REAL_SECONDS COMMAND...: poll until the command succeeds; given up after so many seconds
# and as many looks as they hold on a machine that is not busy. On giving up, what its last try said
# goes to stderr.
wait_for() {
	local end=$(($(real_seconds) + $1)) looks=$((5 * $1)) said
	shift
	until said=$("$@" 2>&1); do
		looks=$((looks - 1))
		if [ "$(real_seconds)" -ge "$end" ] && [ "$looks" -le 0 ]; then
			printf '%s\n' "$said" >&2
			return 1
		fi
		real_sleep 0.1
	done
}

# sacctmgr_add WHAT...: once more where slurmdbd did not reach its data base. It gives that 30 s of
# the cluster's, which at a fast clock is a moment.
sacctmgr_add() {
	local said
	for _ in 1 2 3 4 5 6 7 8 9; do
		! said=$(sacctmgr -iQ add "$@" 2>&1) || return 0
		[[ $said = *'Unable to connect to database'* ]] || break
		real_sleep 0.5
	done
	printf '%s\n' "$said" >&2
	return 1
}

# From here on every child process lives in cluster time. munged gives a client 2 s of it, few
# milliseconds here; a client which comes too late gets SIGPIPE, and would die of it where libmunge
# would only try again.
join_clock() {
	trap '' PIPE
	# shellcheck disable=SC1090
	. "$MS_CLOCK_ENV"
}
