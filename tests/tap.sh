# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: TAP from shell scripts: what the tests of all lanes share
#
# A test sources this file and states facts, each one TAP line; it ends with `finish`.
tap_count=0 tap_failed=0

comment() { sed 's/^/# /'; }

# result yes|no DESCRIPTION [DETAILS]: a fact that was looked at already
result() {
	tap_count=$((tap_count + 1))
	if [ "$1" = yes ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
	fi
	[ -z "${3:-}" ] || comment <<< "$3"
}

# ok DESCRIPTION COMMAND...: the fact that COMMAND succeeds; what it said follows if not
ok() {
	local what=$1 said
	shift
	if said=$("$@" 2>&1); then
		result yes "$what"
		return 0
	fi
	result no "$what" "failed: $*"$'\n'"$said"
	return 1
}

# check DESCRIPTION COMMAND...: the same in a script that stops at errors, but not here
check() { ok "$@" || true; }

# is DESCRIPTION GOT WANTED
is() {
	local what=$1 got=$2 wanted=$3
	ok "$what" test "$got" = "$wanted" || echo "# got '$got', wanted '$wanted'"
}

# like DESCRIPTION GOT EXTENDED-REGEX
like() {
	ok "$1" grep -Eq -- "$3" <<< "$2" || { echo "# wanted /$3/ in:" && comment <<< "$2"; }
}

# unlike DESCRIPTION GOT EXTENDED-REGEX: GOT must not be empty, as when nothing could be read
unlike() {
	# shellcheck disable=SC2016 # the inner shell expands it
	ok "$1" bash -c 'text=$(cat) && [ -n "$text" ] && ! grep -Eq -- "$1" <<< "$text"' _ "$3" \
		<<< "$2" ||
		comment <<< "$2"
}

# skip DESCRIPTION REASON
skip() { result yes "$1 # SKIP $2"; }

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

bail() {
	echo "Bail out! $*"
	exit 1
}

# finish: the last command of a test
finish() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
}
