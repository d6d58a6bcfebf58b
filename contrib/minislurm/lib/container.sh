# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: how a lab container is started on this machine

MS_LABEL=org.leeway.minislurm
# podman 5 warns of hybrid cgroups at every call; what the lab does works under them
export PODMAN_IGNORE_CGROUPSV1_WARNING=1

# podman with the runtime that also works under hybrid cgroups
container_podman() {
	if command -v runc > /dev/null; then
		podman --runtime "$(command -v runc)" "$@"
	else
		podman "$@"
	fi
}

# container_ulimits: flags which stay under this machine's hard limits, one a line
container_ulimits() {
	local files procs
	files=$(ulimit -Hn) procs=$(ulimit -Hu)
	if [ "$files" = unlimited ] || [ "$files" -gt 65536 ]; then files=65536; fi
	printf '%s\n' --ulimit "nofile=$files:$files"
	# podman lowers its own limit to 32768 first, and nobody may go back up.
	if [ "$procs" = unlimited ] || [ "$procs" -gt 32768 ]; then procs=32768; fi
	printf '%s\n' --ulimit "nproc=$procs:$procs"
}

# container_run ARGS...: podman run on an overlay of the image, or of $MS_IMAGE; ARGS are
# flags, then `--`, then the command. No network: everything a cluster says, it says to itself.
container_run() {
	local flags=() limits
	while [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	shift
	mapfile -t limits < <(container_ulimits)
	container_podman run --rm --network none --hostname ctl --add-host ctl:127.0.0.1 \
		--pids-limit -1 --label "$MS_LABEL=1" \
		--cap-add MKNOD --cap-add NET_ADMIN --cap-add SYS_NICE --cap-add SYS_PTRACE \
		"${limits[@]}" "${flags[@]}" --rootfs "${MS_IMAGE:-$(image_path)}:O" "$@"
}

# container_pid NAME: its first process, as this machine counts them
container_pid() { podman inspect -f '{{.State.Pid}}' "$1" 2> /dev/null; }

# container_limit PID NAME: one of its hard limits
container_limit() { sed -n "s/^Max $2  *[^ ]*  *\\([^ ]*\\).*/\\1/p" "/proc/$1/limits"; }

# container_caps PID: what its processes may be able to do, as setpriv wants it. Its status moves
# while it starts, so it is read at once, not a line at a time.
container_caps() {
	local mask i caps=-all
	mask=$(sed -n 's/^CapBnd:[[:space:]]*//p' "/proc/$1/status")
	[ -n "$mask" ] || return
	for ((mask = 16#$mask, i = 0; mask >> i; i++)); do
		! ((mask >> i & 1)) || caps+=,+cap_$i
	done
	printf '%s\n' "$caps"
}

# container_door NAME: sets MS_DOOR to what runs a command beside its first process, with that
# one's environment, limits and capabilities; an error if there is none yet. As podman exec without
# a terminal, which takes so many processes to do it that whoever polls keeps the machine busy.
container_door() {
	local environment pid files procs caps
	pid=$(container_pid "$1") || return
	mapfile -d '' -t environment < "/proc/$pid/environ" || return
	# until the runtime has become what it is to run, it has another environment
	[[ " ${environment[*]} " = *' HOSTNAME=ctl '* ]] || return
	files=$(container_limit "$pid" 'open files') procs=$(container_limit "$pid" processes)
	caps=$(container_caps "$pid") || return
	# shellcheck disable=SC2034 # for the caller
	MS_DOOR=(prlimit "--nofile=$files" "--nproc=$procs" nsenter -t "$pid" -m -u -i -n -p --
		/usr/bin/env -i "${environment[@]}" setpriv --bounding-set "$caps" --)
}

# container_remove NAME: gone at once, whatever it does; no error if it is not there
container_remove() {
	container_podman rm -f -t 0 "$1" > /dev/null 2>&1 || true
}

container_new_name() { printf '%s-%s-%s\n' "$1" "$$" "$RANDOM"; }
