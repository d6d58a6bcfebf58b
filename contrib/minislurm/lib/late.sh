# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: were a replay's jobs submitted in time, and if not, how it begins again
#
# inside/replay/late.awk has the rule.

MS_TRIES=3 # how often the clock may still be slowed
late_asked=  # the clock that was asked for, once it has been

late_hms() { # SECONDS
	if [ "$1" -lt 60 ]; then printf '%d s' "$1"; return; fi
	printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 % 3600 / 60)) $(($1 % 60))
}

# shellcheck disable=SC2034 # for the caller
# late_read RC: what the run on $MS_NAME, which ended with RC, says of it. Sets MS_LATE: not
# empty when it was too late; and MS_SLOWER: the clock to begin again with, or empty.
late_read() {
	local next verdict
	read -r late_mean late_greatest late_span late_share next verdict \
		< <(podman exec "$MS_NAME" cat /run/minislurm/replay/late)
	MS_LATE='' MS_SLOWER=''
	[ "$verdict" = prompt ] || MS_LATE=yes
	[ "$1" != 5 ] || MS_SLOWER=$next
}

# late_say LABEL: of what late_read has read
late_say() {
	say "$1: jobs were submitted $(late_hms "$late_mean") late on average," \
		"$(late_hms "$late_greatest") at most; the mean is $late_share % of the" \
		"$(late_hms "$late_span") in which they arrive${MS_LATE:+, which is too much}"
}

# late_foretell WORKLOAD: how long its arrivals take at the clock of the cluster
late_foretell() {
	local span
	span=$(awk -F '\t' '/^[0-9]/ && $1 > last { last = $1 } END { print last + 0 }' "$1")
	say "a run's jobs arrive within $(late_hms "$span") of cluster time," \
		"$(late_hms $((span / MS_CLOCK))) at this clock, x$MS_CLOCK; then the last must end"
}

# late_begin_again WORKLOAD: what is changed for the next try
late_begin_again() {
	late_asked=${late_asked:-$MS_CLOCK}
	MS_TRIES=$((MS_TRIES - 1))
	say "this machine does not keep up with the clock, x$MS_CLOCK: jobs are submitted" \
		"$(late_hms "$late_mean") late on average. All begins again with x$MS_SLOWER," \
		"and takes longer; what was made with the faster clock is made anew."
	MS_CLOCK=$MS_SLOWER
	late_foretell "$1"
}

late_say_clock() {
	[ -z "$late_asked" ] ||
		say "the clock was slowed down from x$late_asked to x$MS_CLOCK, since this" \
			"machine did not keep up"
}
