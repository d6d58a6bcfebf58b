#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway size says of a made-up user whose jobs follow Amdahl's law (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# log SIZE...: five jobs of each size, of which a fifteenth is not shared, with some noise
log()
{
	echo "JobID|State|ElapsedRaw|Submit|Start|NNodes|AllocTRES|Comment|AdminComment|JobName"
	for gpus; do
		awk -v n="$gpus" 'BEGIN {
			for (i = 0; i < 5; i++)
				printf "%d%d|COMPLETED|%d|1751500800|%d|1|cpu=4,gres/gpu:h100=%d," \
					"gres/gpu=%d,node=1|||train\n", n, i,
					(1000 + 14000 / n) * (1 + 0.01 * i), 1751500800 + 100 * n, n, n
		}'
	done
}
mkdir "$work/bin"
cat >"$work/bin/sacct" <<'END'
#!/bin/sh
cat "$LOG"
END
chmod +x "$work/bin/sacct"
PATH=$work/bin:$PATH
export LOG=$work/sacct.psv
cd "$work"

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" size "$@" 2>&1 || status=$?
	echo "exit status $status"
}
log 1 2 4 8 16 32 >sacct.psv
page=$(says)
comment <<<"$page"
like "each size has its row" "$page" '^ +8 +5 +0:46:45 +5\.45 +68 %'
like "the largest that makes good use is advised" "$page" '^  advice  4 GPUs: 3.3 times as fast'
like "with what more would bring" "$page" '; 8 are 1.6 times as fast as that, for 1.2 times'
like "what the advice is worth is told" "$page" '^  how     likely: three of four'
like "it ends well" "$page" '^exit status 0$'
is "twice the same" "$(says)" "$page"
like "JSON says what it is" "$(says --json)" '"schema": "leeway.size"'
like "and has the law" "$(says --json)" '"growing_s": [0-9.e-]+,'

log 1 2 4 >sacct.psv
like "beyond what was run, the law tells" "$(says)" 'of 8 about 68 % is expected'
log 2 >sacct.psv
like "of one size nothing is known" "$(says)" '^  advice  not known: only one size was run, 2 GPUs$'
log >sacct.psv
like "and of no jobs" "$(says)" '^no job of yours started in that time$'
like "two names are one too many" "$(says one two)" 'exit status 2'
finish
