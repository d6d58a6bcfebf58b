# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the lab scripts say to people, and how they give up

# Progress and notes go to stderr, so that stdout stays for results.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

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
