# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the rows of a measurement of schedulers at scale come to

# scale_rows DIR: "PHASE KEY VALUE" of all phases
scale_rows() {
	local phase thread
	for phase in off stock leeway; do
		thread=leeway
		[ "$phase" = leeway ] || thread=bckfl
		awk -v phase="$phase" -v thread="$thread" \
			-f "$MS_HOME/inside/scale/summary.awk" "$1/locks.$phase" \
			"$1/requests.$phase"
		scale_sdiag "$phase" "$1/sdiag.$phase"
	done
	# what was looked at again counts as seen last
	awk -F '\t' '{
		n = split($1, part, ".")
		row[(n > 1 ? part[n] : "all") "\t" part[1]] = $2
	} END { for (name in row) print name "\t" row[name] }' "$1/facts.tsv" | sort
}

# scale_sdiag PHASE FILE: backfill's own figures
scale_sdiag() {
	awk -v phase="$1" '
		/^Backfilling stats/ { b = 1 }
		b && /Last cycle: / { cycle = $3 }
		b && /Max cycle: / { max = $3 }
		b && /Mean cycle: / { mean = $3 }
		b && /Last depth cycle: / { depth = $4 }
		b && /Last depth cycle \(try sched\): / { tried = $6 }
		b && /Total cycles: / { cycles = $3 }
		END {
			printf "%s\tsdiag_cycles\t%d\n%s\tsdiag_last_ms\t%.1f\n", phase, cycles,
				phase, cycle / 1000
			printf "%s\tsdiag_mean_ms\t%.1f\n%s\tsdiag_max_ms\t%.1f\n", phase,
				mean / 1000, phase, max / 1000
			printf "%s\tsdiag_depth\t%d\n%s\tsdiag_tried\t%d\n", phase, depth, phase,
				tried
		}' "$2"
}

# scale_json: rows from stdin as one object a phase
scale_json() {
	awk -F '\t' '
		{
			if (!($1 in seen)) { seen[$1] = 1; order[++phases] = $1 }
			text[$1] = text[$1] sprintf("%s\n    \"%s\": %s",
				text[$1] == "" ? "" : ",", $2, $3)
		}
		END {
			printf "{"
			for (i = 1; i <= phases; i++)
				printf "%s\n  \"%s\": {%s\n  }", (i > 1 ? "," : ""), order[i],
					text[order[i]]
			print "\n}"
		}'
}

# scale_table: rows from stdin for people
scale_table() { awk -F '\t' -f "$MS_HOME/lib/scale_table.awk"; }
