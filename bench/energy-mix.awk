# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a made-up workload whose jobs all end by themselves, on whatever type, nodes in an order.
#
#   awk -v first=N -f energy-mix.awk WORKLOAD
#
# FIRST is the type, by its place, whose nodes come first, then those behind it. Nobody runs for
# more than two days on the reference type, and limits are fifteen times that at least: a job that
# its limit ends does less on a slow type, so that energies would not be of the same work.
BEGIN {
	FS = OFS = "\t"
	longest = 2 * 86400
}

/^#machine/ {
	machine[++types] = $0
	next
}

/^#/ {
	print
	next
}

{
	for (i = 0; !told && i < types; i++)
		print machine[(first - 1 + i) % types + 1]
	told = 1
	count = split($8, run, ",")
	$8 = ""
	most = 0
	for (i = 1; i <= count; i++) {
		if (run[i] > longest)
			run[i] = longest
		if (run[i] > most)
			most = run[i]
		$8 = $8 (i > 1 ? "," : "") run[i]
	}
	if ($7 < 15 * most)
		$7 = (int(15 * most / 60) + 1) * 60
	print
}
