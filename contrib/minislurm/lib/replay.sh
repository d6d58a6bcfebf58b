# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: one replay of a workload on one mini-Slurm, and the files it leaves

json_string() {
	local s=${1//\\/\\\\}
	printf '"%s"' "${s//\"/\\\"}"
}

# replay_meta DIR LABEL WORKLOAD RC: what the rows of DIR were measured on
replay_meta() {
	local jobs tasks start version since
	read -r jobs tasks < <(podman exec "$MS_NAME" cat /run/minislurm/replay/size.tsv)
	start=$(podman exec "$MS_NAME" cat /run/minislurm/replay/start)
	version=$(podman exec "$MS_NAME" slurmctld -V)
	since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
	cat > "$1/meta.json" <<-JSON
		{
		  "label": $(json_string "$2"),
		  "sched": "$MS_SCHED",
		  "factor": $MS_CLOCK,
		  "nodes": $MS_NODES,
		  "gpus_per_node": $MS_GPUS,
		  "cpus_per_node": $MS_CPUS,
		  "mem_mib_per_node": $MS_MEM,
		  "users": $MS_USERS,
		  "jobs": $jobs,
		  "tasks": $tasks,
		  "start_epoch": $start,
		  "drained": $([ "$4" = 0 ] && echo true || echo false),
		  "slurm_version": $(json_string "${version#slurm-wlm }"),
		  "measured": "$since",
		  "workload": $(json_string "$(basename "$3")"),
		  "workload_sha256": "$(sha256sum < "$3" | cut -d ' ' -f 1)"
		}
	JSON
}

replay_warn_refused() {
	local n
	n=$(podman exec "$MS_NAME" sh -c 'cat /run/minislurm/replay/refused.txt 2> /dev/null; :' |
		tee "$1/refused.txt" | wc -l)
	if [ "$n" = 0 ]; then rm -f "$1/refused.txt"; else
		say "warning: sbatch refused $n jobs: $(head -n 1 "$1/refused.txt")"
	fi
}

# replay_run OBSERVE_S DEADLINE_S LABEL: the part inside. In the background, so that a
# signal is heeded at once and not when the cluster has drained.
replay_run() {
	podman exec "$MS_NAME" /opt/minislurm/inside/replay/run /run/minislurm/workload.tsv \
		"$1" "$2" "$MS_TRIES" > >(progress_show "$3") &
	wait $!
}

# shellcheck disable=SC2034 # MS_DRAINED is for the caller
# replay_one WORKLOAD DIR LABEL OBSERVE_S DEADLINE_S: on a cluster of its own, which is
# gone afterwards; called $replay_name if this is set. Sets MS_DRAINED: no when the
# deadline came first; and MS_LATE, MS_SLOWER (late.sh), of which the latter means that it broke
# off and left nothing in DIR.
replay_one() {
	local workload=$1 dir=$2 label=$3 rc=0
	MS_NAME=${replay_name:-$(container_new_name "replay-$MS_SCHED")}
	mkdir -p "$dir"
	cluster_guard
	cluster_up
	podman exec -i "$MS_NAME" sh -c 'cat > /run/minislurm/workload.tsv' < "$workload"
	replay_run "$4" "$5" "$label" || rc=$?
	case $rc in
	0 | 5) MS_DRAINED=yes ;;
	4)
		MS_DRAINED=no
		say "$label: deadline of $5 cluster seconds passed before all jobs ended"
		;;
	*) die "$label: the replay failed (code $rc)" ;;
	esac
	late_read "$rc"
	if [ -z "$MS_SLOWER" ]; then
		late_say "$label"
		patiently "the files of $label" '' cluster_collect "$MS_NAME" "$dir"
		replay_warn_refused "$dir"
		replay_meta "$dir" "$label" "$workload" "$rc"
	fi
	container_remove "$MS_NAME"
}
