# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a mini-Slurm's life seen from outside: options, up, exec, collect, down

# Options of every command that starts a cluster, with their defaults.
# shellcheck disable=SC2034 # they are read by name when the container starts
cluster_defaults() {
	MS_NODES=16 MS_GPUS=4 MS_CPUS=32 MS_MEM=256000 MS_CLOCK=60 MS_USERS=8
	MS_SCHED=stock MS_PRIORITY=basic MS_SCHED_PARAMS='' MS_DEBUG=info
	MS_CONF_EXTRA='' MS_YAML='' MS_TOPOLOGY='' MS_PLUGINS='' MS_PACKAGES='' MS_NAME='' MS_OUT=''
	MS_FLEET=slurmd MS_PRELOAD='' MS_GPU_TYPES='' MS_GPULESS=0 MS_ISLANDS=1 MS_SHARDS=0
	MS_MPS=0 MS_THREADS=1 MS_LESSER=0 MS_ACCOUNTING=slurmdbd MS_SIBLING='' MS_POOL=no
}

# cluster_option NAME VALUE...: take one option; sets MS_TOOK to the words used, 0 if
# it is not one of ours
# shellcheck disable=SC2034 # MS_TOOK is for the caller
cluster_option() {
	MS_TOOK=2
	case $1 in
	--nodes | --gpus | --gpu-types | --gpuless | --islands | --shards | --mps | --cpus | \
		--threads | --lesser | --mem | --clock | --users | --sched | --priority | \
		--accounting | --sched-params | --fleet | --sibling | --debug | --conf-extra | \
		--leeway-yaml | --topology | --plugins | --packages | --name | --out | \
		--release | --slurm-src)
		need_value "$1" $#
		cluster_set "${1#--}" "$2"
		;;
	*) MS_TOOK=0 ;;
	esac
}

# shellcheck disable=SC2034 # as above
cluster_set() {
	case $1 in
	nodes | cpus | threads | lesser | mem | clock | users | gpuless | islands | shards | mps)
		need_number "--$1" "$2"
		printf -v "MS_${1^^}" %s "$2"
		;;
	gpus) [ "$2" = 0 ] || need_number --gpus "$2"; MS_GPUS=$2 ;;
	gpu-types)
		[[ $2 =~ ^[a-z0-9_]+(,[a-z0-9_]+)*$ ]] ||
			usage_error "--gpu-types: names with commas between, not '$2'"
		MS_GPU_TYPES=$2
		;;
	sched)
		[[ $2 =~ ^(stock|leeway)$ ]] || usage_error "--sched is stock or leeway"
		MS_SCHED=$2
		;;
	priority)
		[[ $2 =~ ^(basic|multifactor)$ ]] ||
			usage_error "--priority is basic or multifactor"
		MS_PRIORITY=$2
		;;
	accounting)
		[[ $2 =~ ^(slurmdbd|none)$ ]] || usage_error "--accounting is slurmdbd or none"
		MS_ACCOUNTING=$2
		;;
	sched-params) MS_SCHED_PARAMS=$2 ;;
	fleet)
		[[ $2 =~ ^(slurmd|cloud)$ ]] || usage_error "--fleet is slurmd or cloud"
		MS_FLEET=$2
		;;
	sibling)
		[[ $2 =~ ^[a-z]{3,12}$ && ! $2 =~ ^(mini|slurm|slurmd|state)$ ]] ||
			usage_error "--sibling: 3 to 12 letters a to z, but no name of Slurm's"
		MS_SIBLING=$2
		;;
	debug) MS_DEBUG=$2 ;;
	conf-extra) need_file --conf-extra "$2"; MS_CONF_EXTRA=$(cat "$2") ;;
	topology) need_file --topology "$2"; MS_TOPOLOGY=$(cat "$2") ;;
	leeway-yaml) need_file --leeway-yaml "$2"; MS_YAML=$(cat "$2") ;;
	plugins) need_dir --plugins "$2"; MS_PLUGINS=$(realpath "$2") ;;
	packages) need_dir --packages "$2"; MS_PACKAGES=$(realpath "$2") ;;
	name) MS_NAME=$2 ;;
	release) release_choose "$2" ;;
	slurm-src) release_choose_source "$2" ;;
	out) MS_OUT=$(realpath -m "$2") ;;
	esac
}

# cluster_mounts: what the container sees of this machine, all read-only, one flag a line
cluster_mounts() {
	printf '%s\n' -v "$MS_HOME:/opt/minislurm:ro"
	[ -z "$MS_PLUGINS" ] || printf '%s\n' -v "$MS_PLUGINS:/leeway-plugins:ro"
	# a machine as its administrator has it: ours is to come from packages alone
	if [ -n "$MS_PACKAGES" ]; then
		printf '%s\n' -v "$MS_PACKAGES:/root/packages:ro"
		return
	fi
	[ ! -d "$(build_root)" ] || printf '%s\n' -v "$(build_root):/leeway:ro"
}

# cluster_flags: sets MS_FLAGS to what hands the options to a container
cluster_flags() {
	local v
	MS_RELEASE=$(release_name) MS_FLAGS=()
	for v in NODES GPUS CPUS MEM CLOCK USERS SCHED PRIORITY SCHED_PARAMS DEBUG \
		CONF_EXTRA YAML RELEASE TOPOLOGY FLEET PRELOAD GPU_TYPES GPULESS ISLANDS \
		SHARDS MPS THREADS LESSER ACCOUNTING SIBLING POOL; do
		export "MS_$v"
		MS_FLAGS+=(-e "MS_$v")
	done
	mapfile -t -O ${#MS_FLAGS[@]} MS_FLAGS < <(cluster_mounts)
}

# cluster_start: start the container of the cluster $MS_NAME, without waiting for it
cluster_start() {
	cluster_flags
	container_run -d --name "$MS_NAME" --label "$MS_LABEL.out=$MS_OUT" \
		"${MS_FLAGS[@]}" -- /opt/minislurm/inside/init > /dev/null
}

# cluster_wait PID: until all nodes are idle
cluster_wait() {
	local since=$SECONDS run=/proc/$1/root/run/minislurm told=$SECONDS
	until [ -e "$run/ready" ]; do
		[ -e "/proc/$1" ] || die "the cluster's container ended by itself"
		[ ! -e "$run/failed" ] || cluster_explain
		[ $((SECONDS - since)) -lt 300 ] || die "the cluster was not ready in 300 s"
		if [ $((SECONDS - told)) -ge "$MS_PATIENCE_S" ]; then
			told=$SECONDS
			say "$MS_NAME: waiting for $(cluster_step "$run/init.log")," \
				"$((SECONDS - since)) s so far"
		fi
		sleep 0.2
	done
}

# cluster_step LOG: what it is at while it comes up
cluster_step() {
	local step
	step=$(sed -n 's/^[0-9]* step: //p' "$1" 2> /dev/null | tail -n 1) || step=
	printf '%s\n' "${step:-the container}"
}

# cluster_up: start it and wait until all nodes are idle
cluster_up() {
	local pid since
	image_make
	[ "$MS_SCHED" = stock ] || [ -n "$MS_PLUGINS" ] || build_once
	since=$SECONDS
	say "$MS_NAME: starting the cluster"
	cluster_start || die "podman could not start the container: see above"
	pid=$(container_pid "$MS_NAME") || die "the cluster's container ended by itself"
	cluster_wait "$pid"
	say "$MS_NAME: $MS_NODES nodes x $MS_GPUS GPUs, $MS_SCHED, clock x$MS_CLOCK," \
		"up in $((SECONDS - since)) s"
}

cluster_explain() {
	local why
	why=$(podman exec "$MS_NAME" cat /run/minislurm/failed)
	if [ -n "$MS_OUT" ]; then
		cluster_collect "$MS_NAME" "$MS_OUT"
		why+=" (logs are in $MS_OUT)"
	fi
	die "the cluster did not come up: $why"
}

# cluster_exec NAME [--user USER] COMMAND...: run it in the cluster's own time
cluster_exec() {
	local name=$1
	shift
	if [ -t 0 ] && [ -t 1 ]; then
		podman exec -it "$name" /opt/minislurm/inside/exec "$@"
		return
	fi
	container_door "$name" || die "no cluster named $name (see: minislurm list)"
	"${MS_DOOR[@]}" /opt/minislurm/inside/exec "$@"
}

# cluster_collect NAME DIR: accounting rows, statistics, logs and configuration
cluster_collect() {
	mkdir -p "$2"
	podman exec "$1" /opt/minislurm/inside/collect | tar -xm --no-same-owner -C "$2"
}

cluster_exists() { podman container exists "$1"; }

# cluster_down NAME: collect to the directory it was started with, then remove it
cluster_down() {
	local out
	cluster_exists "$1" || die "no cluster named $1 (see: minislurm list)"
	out=$(podman inspect -f "{{index .Config.Labels \"$MS_LABEL.out\"}}" "$1" 2> /dev/null) ||
		out=
	[ -z "$out" ] || cluster_collect "$1" "$out" || say "could not collect everything to $out"
	container_remove "$1"
}

# cluster_guard: remove $MS_NAME however this script ends
cluster_guard() {
	trap 'container_remove "$MS_NAME"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}
