# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the disk of a machine that leeway check looks at, below $work (bash; sourced by tests).
#
# $here is tests/check; tests/tap.sh is there. Sets $leeway, the program, $work and $cc, a compiler.
# Plugins are made by it and have no code: only what they say of themselves is looked at.
# shellcheck disable=SC2154 # $here

leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

cc=${CC:-cc}
if [[ ! -x $leeway ]]; then
	bail "no program $leeway: run make first, or name it in LEEWAY"
fi
if ! command -v "${cc%% *}" > /dev/null; then
	skip_all "no C compiler"
fi

lib=usr/lib/x86_64-linux-gnu

# plugin PATH TYPE NAME RELEASE: make it, from the copy made first
plugin() {
	local path=$1 type=$2 name=$3 release=$4 major minor micro copy
	IFS=. read -r major minor micro <<< "$release"
	copy=$type-$name-$release
	copy=$work/${copy//[^a-z0-9.]/_}.so
	if [[ ! -e $copy ]]; then
		printf 'const char plugin_type[] = "%s", plugin_name[] = "%s";\n%s %d;\n' "$type" \
			"$name" 'const unsigned plugin_version =' \
			$((10#$major * 65536 + 10#$minor * 256 + 10#$micro)) > "$copy.c"
		# shellcheck disable=SC2086 # cc is a list of words
		$cc -shared -fPIC -nostdlib -o "$copy" "$copy.c"
	fi
	[[ -d ${path%/*} ]] || mkdir -p "${path%/*}"
	cp "$copy" "$path"
}

# slurm RELEASE: Slurm's own plugins
slurm() {
	plugin $lib/slurm-wlm/sched_backfill.so sched/backfill "Slurm Backfill Scheduler" "$1"
	plugin $lib/slurm-wlm/select_cons_tres.so select/cons_tres "Trackable RESources" "$1"
	plugin $lib/slurm-wlm/gpu_nvml.so gpu/nvml "GPU NVML plugin" "$1"
}

# ours RELEASE: Leeway's
ours() {
	plugin $lib/leeway/sched_backfill.so sched/backfill "Leeway backfill scheduler" "$1"
	plugin $lib/leeway/select_cons_tres.so select/cons_tres "Leeway TRES selection" "$1"
	plugin $lib/leeway/job_submit_leeway.so job_submit/leeway "Leeway: tag jobs" "$1"
	plugin $lib/leeway/leeway.so spank leeway "$1"
}

# The disk that most machines differ from in files of /etc/slurm only.
mkdir -p "$work/plain/etc/slurm"
(
	cd "$work/plain" || exit
	slurm 24.11.5
	ours 24.11.5
	mkdir -p var/spool/slurmctld
)

# machine CASE: its disk, in $work/root, and what is not of the disk, in $work/case
machine() {
	local part
	rm -rf "$work/root" "$work/case"
	cp -R "$work/plain" "$work/root"
	mkdir "$work/case"
	"$here/unpack" "$here/$1" "$work/root/etc/slurm"
	(
		cd "$work/root" || exit
		for part in expected options plugins; do
			[[ ! -e etc/slurm/$part ]] || mv "etc/slurm/$part" "$work/case"
		done
		chmod -R u=rwX,go=rX .
		# shellcheck source=/dev/null
		[[ ! -e $work/case/plugins ]] || . "$work/case/plugins"
	)
}
