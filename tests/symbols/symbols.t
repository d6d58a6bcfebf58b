#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: is every symbol a plugin needs exported by the Slurm that will load it?
#
# Slurm opens plugins with RTLD_LAZY: one missing function loads well and kills the
# daemon at its first call. Needs the plugins and that Slurm's binaries; says
# "skipped" otherwise.

# functions are called by name through check()
# shellcheck disable=SC2317
set -euo pipefail

build=${top_builddir:-.}
. "$(dirname "$0")/../tap.sh"

# each PREFIX LINES: the lines with the prefix
each() {
	local line
	while read -r line; do echo "$1$line"; done <<< "$2"
}

# The strong undefined symbols of FILE, without symbol versions.
wanted() {
	nm -D --undefined-only "$1" | awk '$(NF - 1) == "U" { sub(/@.*/, "", $NF); print $NF }' |
		sort -u
}

# What the given files export, without symbol versions.
exported() {
	nm -D --defined-only "$@" | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u
}

# The libraries that the loader brings in for FILE.
libraries() {
	ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }'
}

# missing PLUGIN PROVIDER...: symbols that neither its libraries nor the providers have
missing() {
	local plugin=$1 libs
	shift
	mapfile -t libs < <(libraries "$plugin")
	comm -23 <(wanted "$plugin") <(exported "${libs[@]}" "$@")
}

all_there() {
	local names
	names=$(missing "$@")
	[[ -z $names ]] || { each "missing: " "$names"; return 1; }
}

# needs_only PLUGIN REGEX: every DT_NEEDED matches. On aarch64 the stack protector has the loader
# among them, where its secret is.
needs_only() {
	local others
	others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -Ev "^($2|ld-linux-aarch64\.so\.1)$" || true)
	[[ -z $others ]] || { each "needs: " "$others"; return 1; }
}

# exports_only PLUGIN REGEX: every exported symbol matches
exports_only() {
	local others
	others=$(exported "$1" | grep -Ev "^($2)$" || true)
	[[ -z $others ]] || { each "exports: " "$others"; return 1; }
}

is_lazy() {
	! readelf -d "$1" | grep -qE 'BIND_NOW|\(FLAGS_1\).*NOW'
}

# marks FILE: where its machine lets control flow go, or return to, if it can be told that
marks() {
	case $(readelf -hW "$1") in
	*'Machine: '*X86-64*) echo endbr64 ;;
	*'Machine: '*AArch64*) echo 'paciasp|hint\s*#0x19|bti' ;;
	esac
}

# hardened FILE: what a fault could use is not there
hardened() {
	local rc=0 headers symbols
	headers=$(readelf -lW "$1")
	symbols=$(nm -D --undefined-only "$1")
	grep -q GNU_RELRO <<< "$headers" || { echo "no relro" && rc=1; }
	grep -Eq 'GNU_STACK.* RW ' <<< "$headers" || { echo "the stack is executable" && rc=1; }
	! readelf -dW "$1" | grep -q TEXTREL || { echo "text relocations" && rc=1; }
	grep -q __stack_chk_fail <<< "$symbols" || { echo "no stack protector" && rc=1; }
	grep -q '_chk@' <<< "$symbols" || { echo "no checked string functions" && rc=1; }
	# Debian's own start files have no such mark, so the file as a whole has none
	[[ -z $(marks "$1") || $(objdump -d "$1" | grep -cE "$(marks "$1")") -gt 10 ]] ||
		{ echo "no control flow protection" && rc=1; }
	return "$rc"
}

# A plugin that calls FUNCTION, made on the spot, to see that the test can fail.
make_probe() {
	printf 'extern void %s(void);\nvoid probe(void);\nvoid probe(void)\n{\n\t%s();\n}\n' \
		"$2" "$2" > "$1.c"
	"${CC:-cc}" -shared -fPIC -o "$1.so" "$1.c"
}

find_slurm() {
	local dir name
	for dir in ${LEEWAY_SLURM_SBIN:-} /usr/sbin /usr/local/sbin; do
		for name in slurmctld-wlm slurmctld; do
			[[ -x $dir/$name ]] && { readlink -f "$dir/$name"; return; }
		done
	done
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

plugins=()
for name in sched_backfill select_cons_tres job_submit_leeway leeway; do
	[[ -f $build/.libs/$name.so ]] && plugins+=("$name")
done
[[ ${#plugins[@]} -gt 0 ]] || skip_all "no plugin is built: configure --with-slurm-src"
slurmctld=$(find_slurm)
[[ -n $slurmctld ]] || skip_all "no slurmctld here: install it or set LEEWAY_SLURM_SBIN"
full=$(libraries "$slurmctld" | grep '/libslurmfull' || true)
[[ -n $full ]] || skip_all "$slurmctld does not link libslurmfull.so"
release=$(strings -n 6 "$full" | grep -m1 -oxE '[0-9]{2}\.[0-9]{2}\.[0-9]+' || true)
[[ -z ${SLURM_RELEASE:-} || -z $release || $release == "$SLURM_RELEASE" ]] ||
	skip_all "built for Slurm $SLURM_RELEASE, but $full is $release"

entry='init|fini|plugin_(name|type|version|id)'
for name in "${plugins[@]}"; do
	file=$build/.libs/$name.so
	case $name in
	sched_backfill)
		providers=("$slurmctld" "$full") needs='lib(c|m)\.so\..*|libyaml-.*'
		exports="$entry|sched_p_(reconfig|leeway_(find|evades))"
		;;
	select_cons_tres) # scontrol, sinfo, slurmd and slurmstepd load it as well
		providers=("$full") needs='lib(c|m)\.so\..*' exports="$entry|select_p_.*"
		;;
	job_submit_leeway)
		providers=("$slurmctld" "$full") needs='lib(c|m)\.so\..*|libyaml-.*'
		exports="$entry|job_(submit|modify)"
		;;
	leeway) # srun, sbatch and slurmstepd load it
		providers=("$full") needs='lib(c|m|dl|pthread)\.so\..*|libyaml-.*|libz\.so\..*'
		exports="$entry|spank_plugin_version|slurm_spank_.*"
		;;
	esac
	check "$name.so: every undefined symbol is exported" all_there "$file" "${providers[@]}"
	check "$name.so: needs no other library" needs_only "$file" "$needs"
	check "$name.so: exports only entry points" exports_only "$file" "$exports"
	check "$name.so: is hardened" hardened "$file"
	[[ $name == leeway ]] || check "$name.so: binds lazily, as Slurm's own do" is_lazy "$file"
done

# The test itself: it must see what is missing, and accept what is there.
make_probe "$tmp/wrong" lw_no_such_function
check "a missing function is seen" \
	test "$(missing "$tmp/wrong.so" "$slurmctld" "$full")" = lw_no_such_function
make_probe "$tmp/right" select_nodes
check "an exported function is accepted" all_there "$tmp/right.so" "$slurmctld" "$full"
check "a function of slurmctld alone is seen as missing in commands" \
	test "$(missing "$tmp/right.so" "$full")" = select_nodes
"${CC:-cc}" -shared -fPIC -O0 -fno-stack-protector -Wl,-z,execstack,-z,norelro \
	-o "$tmp/soft.so" "$tmp/right.c"
check "what is not hardened is seen" test "$(hardened "$tmp/soft.so" | grep -c .)" -ge 4
check "a foreign export is seen" test "$(exports_only "$tmp/right.so" init || true)" = \
	"exports: probe"

finish
