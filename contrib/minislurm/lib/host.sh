# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the lab needs from the machine it runs on

host_install() {
	apt-get update -q &&
		DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# host_need COMMAND:PACKAGE...: install the packages of commands that are missing
host_need() {
	local pair missing=()
	for pair; do
		command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || die "needs ${missing[*]}; install them, or run this as root"
	command -v apt-get > /dev/null ||
		die "needs ${missing[*]}, and this is not Debian: install them by hand"
	say "installing ${missing[*]} (apt-get)"
	local log
	log=$(mktemp)
	if ! patiently "apt-get" "$log" host_install "${missing[@]}"; then
		tail -n 15 "$log" >&2
		rm -f "$log"
		die "apt-get could not install ${missing[*]}: see above"
	fi
	rm -f "$log"
}

host_need_root() {
	[ "$(id -u)" = 0 ] || die "must run as root: it makes device nodes and several users"
}

# Everything that runs containers.
host_need_engine() {
	host_need_root
	host_need podman:podman runc:runc flock:util-linux
}

host_cache_dir() { printf '%s\n' "${LEEWAY_CACHE:-/var/cache/leeway}"; }
