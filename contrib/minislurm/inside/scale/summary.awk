# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the rows of one phase say: -v phase=NAME -v thread=NAME; files: locks, requests
#
# Prints "PHASE KEY VALUE" rows. A cycle is a run of at least two holds of the scheduler's thread,
# each asked for within 0.6 s of the end of the one before: stock yields for half a second, and
# cycles may follow each other after little more. A request is in a cycle when it came in one: of
# those that one merely meets more are long, for being long.

# Shell's sort; not every awk has one of its own.
function sort_numbers(values, count,    gap, i, k, held) {
	for (gap = int(count / 2); gap > 0; gap = int(gap / 2))
		for (i = gap + 1; i <= count; i++) {
			held = values[i]
			for (k = i; k > gap && values[k - gap] > held; k -= gap)
				values[k] = values[k - gap]
			values[k] = held
		}
}

function percentile(values, count, share,    at) {
	at = int(count * share + 0.999999)
	return count ? values[at < 1 ? 1 : at] : 0
}

function say(key, value) { printf "%s\t%s\t%s\n", phase, key, value }

function end_cycle() {
	if (holds > 1) {
		cycles++
		from[cycles] = begun
		to[cycles] = ended
		if (ended - begun > longest_cycle)
			longest_cycle = ended - begun
		cycle_sum += ended - begun
	}
	holds = 0
}

function note(name, value) { noted[name, ++count[name]] = value }

function report(name,    all, i, sum, squares, mean, spread) {
	if (!count[name])
		return
	for (i = 1; i <= count[name]; i++) {
		all[i] = noted[name, i]
		sum += all[i]
		squares += all[i] ^ 2
	}
	mean = sum / count[name]
	sort_numbers(all, count[name])
	say(name "_count", count[name])
	say(name "_median_ms", percentile(all, count[name], 0.5) / 1000)
	# two thirds of all such samples have the true median between these, whatever its law
	spread = sqrt(count[name]) / 2
	say(name "_median_low_ms", percentile(all, count[name], 0.5 - spread / count[name]) / 1000)
	say(name "_median_high_ms", percentile(all, count[name], 0.5 + spread / count[name]) / 1000)
	say(name "_mean_ms", mean / 1000)
	# of the mean, when requests differ as these do
	if (count[name] > 1)
		say(name "_error_ms", sqrt((squares / count[name] - mean ^ 2) / \
			(count[name] - 1)) / 1000)
	say(name "_p99_ms", percentile(all, count[name], 0.99) / 1000)
	say(name "_max_ms", all[count[name]] / 1000)
}

FILENAME ~ /locks/ && $3 == "w" && $2 == thread {
	if (holds && $1 - $4 - ended > 600000)
		end_cycle()
	if (!holds++)
		begun = $1
	ended = $1 + $5
	writes++
	held += $5
	if ($5 > longest)
		longest = $5
	if ($6 > longest_cpu)
		longest_cpu = $6
	next
}

FILENAME ~ /locks/ && $3 == "w" && $5 > others { others = $5 }

FILENAME ~ /requests/ {
	if (!closed++)
		end_cycle()
	requests++
	started[requests] = $1
	took[requests] = $3
	answered[requests] = $6
	what[requests] = $2
	failed += $5 != "-"
}

END {
	if (!closed)
		end_cycle()
	for (i = 1; i <= requests; i++) {
		during = 0
		for (c = 1; c <= cycles && !during; c++)
			during = started[i] >= from[c] && started[i] < to[c]
		name = what[i] == "look" ? "squeue" : "sbatch"
		place = during ? "_in_cycle" : "_outside"
		note(name, took[i])
		note(name place, took[i])
		note(name "_answer", answered[i])
		note(name "_answer" place, answered[i])
	}
	say("cycles", cycles + 0)
	say("cycle_longest_ms", longest_cycle / 1000)
	say("cycle_mean_ms", cycles ? cycle_sum / cycles / 1000 : 0)
	say("lock_holds", writes + 0)
	say("lock_held_ms", held / 1000)
	say("lock_longest_ms", longest / 1000)
	say("lock_longest_cpu_ms", longest_cpu / 1000)
	say("lock_longest_others_ms", others / 1000)
	parts = split("squeue squeue_answer sbatch sbatch_answer", part)
	for (i = 1; i <= parts; i++) {
		report(part[i])
		report(part[i] "_in_cycle")
		report(part[i] "_outside")
	}
	say("requests_failed", failed + 0)
}
