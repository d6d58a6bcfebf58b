# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what kinds of jobs use and how pairs fare (lw-tenants(5)), of a table of pairs by type.

# Nobody published the use of these jobs. As their SM activity and utilisation stands the one number
# for each that explains best, by least squares, how all pairs of them fare: 1 / the sum of both, at
# most 1. As memory stands what tells who fits on a GPU with whom.
#
#   awk -v type=v100 -f sharing.awk PAIRS.csv >tenants; NAMES, if given, gets "number,model"

function slower(a, b)
{
	return rate[a, b] < rate[b, a] ? rate[a, b] : rate[b, a]
}

# How far pairs of M are from what X for it says.
function off(m, x,   n, sum, expected, away)
{
	away = 0
	for (n = 1; n <= count; n++) {
		if (!fits[m, n])
			continue
		sum = x + (n == m ? x : load[n])
		expected = sum > 1 ? 1 / sum : 1
		away += (expected - slower(m, n)) ^ 2
	}
	return away
}

function fit_loads(   turn, m, x, best, found, away)
{
	for (turn = 0; turn < 30; turn++)
		for (m = 1; m <= count; m++) {
			best = -1
			for (x = 1; x <= 100; x++) {
				away = off(m, x / 100)
				if (best < 0 || away < best) {
					best = away
					found = x / 100
				}
			}
			load[m] = found
		}
}

# More for two that do not fit, less for two that do, until all is well.
function fit_memory(   turn, a, b, wrong)
{
	for (a = 1; a <= count; a++)
		need[a] = whole / 4
	for (turn = 0; turn < 3000; turn++) {
		wrong = 0
		for (a = 1; a <= count; a++)
			for (b = a; b <= count; b++) {
				if (fits[a, b] && need[a] + need[b] > 0.9 * whole) {
					need[a] -= whole / 200
					need[b] -= whole / 200
					wrong++
				} else if (!fits[a, b] && need[a] + need[b] <= whole) {
					need[a] += whole / 300
					need[b] += whole / 300
					wrong++
				}
			}
		if (!wrong)
			break
	}
	if (wrong)
		print wrong " pairs do not go with one number for memory" >"/dev/stderr"
}

function number_of(model)
{
	if (!(model in number)) {
		number[model] = ++count
		name[count] = model
		load[count] = 0.5
	}
	return number[model]
}

BEGIN {
	FS = ","
	whole = 16384
}
$1 == type && $2 == 1 {
	a = number_of($3)
	b = number_of($4)
	rate[a, b] = $7 + 0
	rate[b, a] = $8 + 0
	fits[a, b] = fits[b, a] = $7 > 0 && $8 > 0
}
END {
	fit_loads()
	fit_memory()
	print "memory " whole
	for (a = 1; a <= count; a++) {
		printf "kind %d %.1f %.1f %d\n", a, 100 * load[a], 100 * load[a], need[a]
		if (names != "")
			print a "," name[a] >names
	}
	for (a = 1; a <= count; a++)
		for (b = a; b <= count; b++)
			printf "pair %d %d %.0f %.0f\n", a, b, 1000 * rate[a, b], 1000 * rate[b, a]
}
