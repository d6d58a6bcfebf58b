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

# progress_text LABEL SECONDS SUBMITTED RUNNING DONE TOTAL LATE_S, or what is waited for
progress_text() {
	if [[ ! $2 =~ ^[0-9]+$ ]]; then
		printf '%s: %s\n' "$1" "${*:2}"
		return
	fi
	printf '%s [%s] jobs: %d submitted, %d running, %d done of %d; cluster time %s' "$1" \
		"$(progress_bar "$5" "$6")" "$3" "$4" "$5" "$6" "$(progress_hms "$2")"
	[ "${7:-0}" = 0 ] || printf ', submitted %s late on average' "$(late_hms "$7")"
	[ "$3" -lt "$6" ] || [ "$5" = "$6" ] || printf '; waiting for the last to end'
}

# progress_show LABEL: reads "SECONDS SUBMITTED RUNNING DONE TOTAL LATE_S" lines, and lines in
# words
progress_show() {
	local label=$1 s submitted running finished total late text last=-1000 shown=
	while read -r s submitted running finished total late; do
		text=$(progress_text "$label" "$s" "$submitted" "$running" "$finished" "$total" \
			"$late")
		if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
			printf '\r%s\033[K' "$text" >&2
		elif [ $((SECONDS - last)) -ge 15 ] ||
			{ [ "$finished" = "$total" ] && [ "$shown" != "$total" ]; }; then
			printf '%s\n' "$text" >&2
			last=$SECONDS shown=$finished
		fi
	done
	[ ! -t 2 ] || printf '\n' >&2
}
