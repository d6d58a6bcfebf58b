# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the lab scripts say to people, and how they give up

# Progress and notes go to stderr, so that stdout stays for results.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

MS_PATIENCE_S=20

# patience WHAT LOG: every so often say that WHAT goes on, with the last line of LOG, until
# standard input ends, which it does however its holder does
patience() {
	local since=$SECONDS rc last
	while :; do
		rc=0
		read -rt "$MS_PATIENCE_S" || rc=$?
		[ "$rc" -gt 128 ] || return 0
		last=
		[ -z "$2" ] || last=$(tail -n 1 "$2" 2> /dev/null |
			tr -cd '[:print:]' | cut -c 1-60) || true
		say "waiting for $1, $((SECONDS - since)) s so far${last:+: $last}"
	done
}

# patiently WHAT LOG COMMAND...: run it, and say now and then that it goes on. Its output goes
# to the end of LOG, unless that is "".
patiently() {
	local what=$1 log=$2 rc=0 ticks
	shift 2
	exec {ticks}> >(patience "$what" "$log")
	# a number is needed: a name would close the descriptor for good
	if [ -n "$log" ]; then
		eval '"$@"' '>> "$log" 2>&1' "$ticks>&-" || rc=$?
	else
		eval '"$@"' "$ticks>&-" || rc=$?
	fi
	exec {ticks}>&-
	return "$rc"
}

# take_lock DESCRIPTOR WHAT: and say so when somebody else is at it
take_lock() {
	flock -n "$1" && return
	say "waiting for another run, which is $2"
	flock "$1"
}

die() {
	printf '%s: error: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

usage_error() {
	printf '%s: %s (see --help)\n' "${0##*/}" "$*" >&2
	exit 2
}

# need_value OPTION COUNT: an option's value must follow it
need_value() { [ "$2" -ge 2 ] || usage_error "$1 needs a value"; }

# need_number OPTION VALUE: a whole number of at least 1
need_number() {
	[[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || usage_error "$1 needs a whole number from 1 up, not '$2'"
}

need_file() { [ -f "$2" ] || usage_error "$1: no such file: $2"; }
need_dir() { [ -d "$2" ] || usage_error "$1: no such directory: $2"; }

# print_help FILE: the comment block under the title is the manual
print_help() {
	awk 'NR > 4 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"
}
