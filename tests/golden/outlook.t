#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: leeway sim, figures.outlook: likely starts hold as often as they say (TAP).
# LEEWAY_TRACES names a folder of traces; without it they are skipped.
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"

# outlook FILE OPTION...: a line "NAME said by_p50 by_p90" for each length of queues, in percent
outlook() {
	"$leeway" sim "$@" --set figures.outlook=yes 2>/dev/null |
		awk '/ said / { on = 1 }
			on && $1 == "up" { print "up-to-" $3, $5, $7, $9 }
			on && $1 == "more" { print "more", $3, $5, $7 }'
}

# holds FILE OPTION...: of lengths with 300 figures and more, 42 to 58 % by p50 and 85 to 95 % by p90,
# give or take three standard errors of so many
holds() {
	outlook "$@" >"$work/rows"
	awk 'function off(share, least, most, error) { return share < least - error || share > most + error }
		$2 >= 300 {
			rows++
			if (off($3, 42, 58, 150 / sqrt($2)) || off($4, 85, 95, 90 / sqrt($2))) {
				print
				bad = 1
			}
		}
		END { exit bad || !rows }' "$work/rows"
}

# spells_fit FILE: of all figures
spells_fit() {
	"$leeway" sim "$@" --set figures.outlook=yes 2>/dev/null |
		awk '$1 == "all" && NF > 8 { fits = $3 >= 1 && $3 <= $2 } END { exit !fits }'
}

"$leeway" generate --model mix --jobs 20000 --load 1 --nodes 32 -q -o "$work/mix.lw"
ok "figures hold on a generated workload" holds "$work/mix.lw"
is "and are the same each time" "$(cat "$work/rows")" "$(outlook "$work/mix.lw")"
ok "in spells, no more of them than figures" spells_fit "$work/mix.lw"
like "and in JSON" "$("$leeway" sim "$work/mix.lw" --set figures.outlook=yes --json)" '"by_p90": 0\.[89]'
few=$("$leeway" generate --model mix --jobs 40 --load 1 --nodes 32 -q -o "$work/few.lw" &&
	"$leeway" sim "$work/few.lw" --set figures.outlook=yes --json | tr -d ' \n')
like "it has a row for each age" "$few" \
	'"by_age":\[\{[^]]*"waited_min_s":0[,}][^]]*:600[,}][^]]*:3600[,}][^]]*:21600[,}][^]]*:86400[,}]'
like "shares and means of nothing are null" "$few" \
	'"said":0,"spells":0,"by_p50":null,"by_p90":null,"too_wide":null,"told_by_p90":null,"left_mean_s":null,"p50_mean_s":null,"p90_mean_s":null'
unlike "those of something are not" "$few" '"said":[1-9][0-9]*,[^}]*null,"p'
like "of one policy only" "$("$leeway" sim "$work/mix.lw" --compare --set figures.outlook=yes 2>&1 || true)" \
	'figures.outlook is of one run'

for trace in KTH-SP2-1996 TACC-LS6-A100-2022 ALCF-Theta-2023 COARE-2020; do
	file=${LEEWAY_TRACES:-/nowhere}/$trace.swf.gz field=user
	[ "$trace" != ALCF-Theta-2023 ] || field=group
	if [ -e "$file" ]; then
		ok "figures hold on $trace" holds "$file" --set jobs.user_field="$field"
	else
		skip "figures hold on $trace" "LEEWAY_TRACES has it not"
	fi
done

finish
