#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: plugins of another release: slurmctld says so, runs the stock ones, and jobs start
. "$(dirname "$0")/lib.sh"

cluster --sched leeway --nodes 2 --gpus 2 --clock 60
ok "Leeway plans the queue before" in_log 'Leeway .* plans the queue'

# shellcheck disable=SC2317 # called through ok
# version_place LIBRARY: where in the file its plugin_version is
version_place() {
	sh_on "
		f=/usr/lib/\$(uname -m)-linux-gnu/leeway/$1
		at=\$((0x\$(nm -D \$f | awk '\$3 == \"plugin_version\" { print \$1 }')))
		readelf -lW \$f | awk -v at=\$at '
			function number(hex,	n, i) {
				hex = tolower(substr(hex, 3))
				for (i = 1; i <= length(hex); i++)
					n = n * 16 + index(\"123456789abcdef\", substr(hex, i, 1))
				return n
			}
			\$1 == \"LOAD\" {
				from = number(\$3)
				if (at >= from && at < from + number(\$5))
					print at - from + number(\$2)
			}'"
}

# poison LIBRARY: make it say that it was built for Slurm 24.0.1
# shellcheck disable=SC2317 # called through ok
poison() {
	sh_on "printf '\\x01\\x00\\x18\\x00' |
		dd of=/usr/lib/\$(uname -m)-linux-gnu/leeway/$1 bs=1 seek=$(version_place "$1") \
			conv=notrunc status=none"
}

# refuses LIBRARY: a regular expression for what slurmctld says of a wrong version
refuses() { printf '[Ii]ncompatible.*leeway/%s|leeway/%s.*[Ii]ncompatible' "$1" "$1"; }

# not killed: from 25.05 on it does not start without the state that a first start saves late
ok "slurmctld is stopped" stop_controller
for library in sched_backfill.so select_cons_tres.so; do
	ok "$library gets a wrong version" poison "$library"
done
ok "its log begins anew" sh_on ': > /var/log/slurm/slurmctld.log'
ok "slurmctld starts all the same" start_controller
log=$(log_of_controller)
for library in sched_backfill.so select_cons_tres.so; do
	like "it says that it refuses $library" "$log" "$(refuses "$library")"
done
unlike "Leeway does not plan the queue" "$log" 'Leeway .* plans the queue'

job=$(submit u1 "--gpus-per-node=1 --time=5" 60)
like "a job is accepted" "$job" '^[0-9]+$'
await 30 "and runs to its end under stock Slurm" sacct_is "$job" COMPLETED
finish
