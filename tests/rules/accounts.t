#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a mini-Slurm asks for its accounts again where slurmdbd did not reach its data base
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$(dirname "$0")/../../contrib/minislurm/inside/common.sh"

# sacctmgr: says what it is told to for as often as it is told to, then adds
sacctmgr() {
	echo "$*" >> "$scratch/asked"
	[ "$(wc -l < "$scratch/asked")" -le "$refusals" ] || return 0
	echo "sacctmgr: error: $says"
	return 1
}
# asked: how often it was
asked() { wc -l < "$scratch/asked"; }
# added REFUSALS SAYS: is the account there in the end?
# shellcheck disable=SC2317 # called through check and is
added() {
	refusals=$1 says=$2
	: > "$scratch/asked"
	real_sleep() { :; }
	sacctmgr_add account a1
}

check "what is added at once is added" added 0 ''
is "and asked for once" "$(asked)" 1
check "no data base, twice: it is added" added 2 \
	'Sending PersistInit msg: Unable to connect to database'
is "at the third time" "$(asked)" 3
is "another refusal is told" "$(added 1 'no such cluster' 2>&1 || true)" \
	'sacctmgr: error: no such cluster'
is "and is the last" "$(asked)" 1
check "no data base for ever is a failure" eval \
	'! added 1000 "Unable to connect to database" 2> /dev/null'
finish
