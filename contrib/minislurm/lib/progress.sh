# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: shows how far a replay is, on a terminal as a bar, elsewhere as a line now and then

progress_hms() { printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 % 3600 / 60)) $(($1 % 60)); }

progress_bar() { # DONE TOTAL: 24 characters
	local full=$((24 * $1 / ($2 > 0 ? $2 : 1))) bar
	printf -v bar '%*s' "$full" ''
	bar=${bar// /#}
	printf '%-24s' "$bar" | tr ' ' '.'
}

# progress_show LABEL: reads "SECONDS SUBMITTED RUNNING DONE TOTAL" lines
progress_show() {
	local label=$1 s submitted running finished total text last=-1000 shown=
	while read -r s submitted running finished total; do
		text="$label [$(progress_bar "$finished" "$total")]"
		text+=" jobs: $submitted submitted, $running running, $finished done of $total;"
		text+=" cluster time $(progress_hms "$s")"
		if [ -t 2 ]; then
			printf '\r%s\033[K' "$text" >&2
		elif [ $((SECONDS - last)) -ge 15 ] ||
			{ [ "$finished" = "$total" ] && [ "$shown" != "$total" ]; }; then
			printf '%s\n' "$text" >&2
			last=$SECONDS shown=$finished
		fi
	done
	[ ! -t 2 ] || printf '\n' >&2
}
