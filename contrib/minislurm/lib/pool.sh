# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: clusters that a row of tests shares: one at a time, each put back to its first state
#
# A pool is a directory. Its folders idle and taken have an empty file for each cluster, called by
# the container's name, a dot, and its key; a file is moved from one to the other, which of two
# tests only one can do. Its file log has a line for each cluster that was booted, put back or made
# anew.

# pool_key: what a cluster keeps for as long as it lives; nothing where it is not to be shared
pool_key() {
	[ -z "$MS_PLUGINS$MS_PACKAGES$MS_SIBLING$MS_PRELOAD" ] || return 0
	printf '%s-x%s-%s-users-%s\n' "$(release_name)" "$MS_CLOCK" "$MS_USERS" "$MS_ACCOUNTING"
}

pool_note() { echo "$*" >> "$pool/log"; }

# pool_lose KEY [WHY]: $MS_NAME, which is lent, is gone; WHY, where it was to be shared
pool_lose() {
	[ -z "${2:-}" ] || pool_note "made anew $MS_NAME $1: $(tail -n 1 <<< "$2")"
	container_remove "$MS_NAME"
	rm -f "$pool/taken/$MS_NAME.$1"
}

# pool_shape: what may differ from one use to the next, as a shell reads it
pool_shape() {
	local v
	for v in NODES GPUS CPUS MEM SCHED PRIORITY SCHED_PARAMS DEBUG CONF_EXTRA YAML TOPOLOGY \
		FLEET GPU_TYPES GPULESS ISLANDS SHARDS MPS THREADS LESSER; do
		v=MS_$v
		printf '%s=%q\n' "$v" "${!v}"
	done
}

# pool_start: $MS_NAME, which is idle, in the shape that is asked for
pool_start() {
	container_door "$MS_NAME" || { echo "it is gone" && return 1; }
	# shellcheck disable=SC2016 # the shell in the cluster expands it
	pool_shape | "${MS_DOOR[@]}" /bin/sh -c 'cat > /run/minislurm/shape &&
		exec /opt/minislurm/inside/reset start' 2>&1
}

# pool_reuse KEY: one that is idle; sets MS_NAME
pool_reuse() {
	local idle said
	for idle in "$pool/idle/"*".$1"; do
		mv "$idle" "$pool/taken/" 2> /dev/null || continue
		MS_NAME=$(basename "$idle" ".$1")
		if said=$(pool_start); then
			pool_note "put back $MS_NAME $1"
			return
		fi
		pool_lose "$1" "${said:-it does not start}"
	done
	return 1
}

# pool_take POOL: a cluster as the options have it; sets MS_NAME
pool_take() {
	local pool=$1 key
	key=$(pool_key)
	mkdir -p "$pool"/{idle,taken}
	[ -z "$key" ] || ! pool_reuse "$key" || return 0
	MS_NAME=$(container_new_name leeway-pool)
	# shellcheck disable=SC2034 # for the container
	[ -z "$key" ] || MS_POOL=yes
	: > "$pool/taken/$MS_NAME.$key"
	pool_note "booted $MS_NAME $key"
	cluster_guard
	cluster_up
	trap - EXIT INT TERM HUP
}

# pool_park: $MS_NAME as it was at first, but for slurmctld and nodes
pool_park() {
	container_door "$MS_NAME" || { echo "it is gone" && return 1; }
	"${MS_DOOR[@]}" /opt/minislurm/inside/reset park 2>&1
}

# pool_give POOL NAME: it is not needed any more
pool_give() {
	local pool=$1 taken key said
	taken=$(cd "$pool/taken" && printf '%s\n' "$2".*)
	[ -e "$pool/taken/$taken" ] || die "$pool has not lent a cluster called $2"
	MS_NAME=$2 key=${taken#*.}
	if [ -z "$key" ]; then
		pool_lose ''
	elif said=$(pool_park); then
		mv "$pool/taken/$taken" "$pool/idle/"
	else
		pool_lose "$key" "${said:-it is gone}"
	fi
}

# pool_empty POOL: no cluster is left of it
pool_empty() {
	local file
	for file in "$1"/{idle,taken}/*; do
		[ -e "$file" ] || continue
		file=${file##*/}
		container_remove "${file%%.*}"
	done
	rm -rf "$1"/{idle,taken}
}
