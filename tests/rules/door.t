#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: what a container's processes may do is read right while its first one starts.
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$root/contrib/minislurm/lib/container.sh"

# A process whose name grows and shrinks, as that of one which becomes another program: what
# follows in its status moves.
restless()
{
	while :; do
		printf init > /proc/self/comm
		printf 'runc:[2:INIT]' > /proc/self/comm
	done
}
restless &
trap 'kill $!; rm -rf "$scratch"' EXIT

wanted=$(container_caps $$)
answers=$(for _ in {1..200}; do container_caps $! 2>&1; done | sort -u)
is "they are told alike two hundred times" "$answers" "$wanted"
unlike "and are some" "$wanted" '^-all$'
check "who has gone tells none" test -z "$(container_caps 0 2> /dev/null)"
finish
