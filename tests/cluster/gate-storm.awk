# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: counts for gate_storm.t what became of promises, deadlines and the order
#
# Reads, with the variable file from 1 to 5: ended promises (FILE of gate-storm watch), rows of
# sacct: JobIDRaw|JobID|User|JobName|Partition|State|Eligible|Start|End|TimelimitRaw|AllocTRES|QOS,
# the log of slurmctld, accepted deadlines, and jobs that were of other partitions, too. Variables:
# cpus, gpus of a node, nodes, tiers (yes: the partition high has one), canary (the partition of
# Leeway's jobs; empty: all are). Writes NAME VALUE lines.
file == 1 {
	if ($1 != "ended" || $0 in seen)
		next
	seen[$0] = 1
	made++
	promised[$2] = 1
	if ($7 <= 1)
		kept++
	else if ($7 == 2)
		late[++lates] = $2 " " $3 " " $5 " " $8
	else
		withdrawn++
	next
}

# The number of the job in the log line after WORD, as in sacct's JobIDRaw.
function raw_id(word,    rest) {
	rest = substr($0, index($0, word) + length(word))
	if (match(rest, /^[0-9_+*]*[(][0-9]+/))
		sub(/.*[(]/, "", rest)
	return rest + 0
}

# The last component of a het job counts: all start together.
function rank_of(id,    i, least) {
	least = priority[id]
	for (i = 1; i <= members[id]; i++)
		if (priority[member[id, i]] < least)
			least = priority[member[id, i]]
	return least
}

# Does job A go before job B in Slurm's order? Slurm sorts a job before those that it may preempt,
# and all others by tier and priority: where A may preempt some, B's place beside it is by chance.
function goes_first(a, b) {
	return rank_of(a) > rank_of(b) || (qos[a] == "urgent" && qos[b] != "urgent")
}

# Until the next plan, has a job that goes first the room of the promised one?
function note_head(id,    i) {
	for (i = 1; i <= lates; i++)
		passed[i] = id != late[i] + 0 && goes_first(id, late[i] + 0)
}

file == 2 {
	split($0, f, "|")
	n++
	raw[n] = f[1]; job[n] = f[2]; key[n] = f[3] "|" f[4] "|" f[5]
	part[n] = f[5]; state[n] = f[6]; eligible[n] = f[7]; start[n] = f[8]; end[n] = f[9]
	limit[n] = f[10]; qos[f[1] + 0] = f[12]
	if (f[2] ~ /[+]/)
		member[f[2] + 0, ++members[f[2] + 0]] = f[1] + 0
	cpu[n] = amount(f[11], "cpu=")
	gpu[n] = amount(f[11], "gres/gpu=")
	if (eligible[n] ~ /^[0-9]+$/ && eligible[n] > last)
		last = eligible[n]
	if (eligible[n] ~ /^[0-9]+$/ && (!first || eligible[n] < first))
		first = eligible[n]
	next
}

file == 3 {
	if (/NodeList=[(]null/)
		next
	if (/ InitPrio=/) {
		newest = substr($0, index($0, "InitPrio=") + 9) + 0
		priority[raw_id("JobId=")] = newest
		if (newest && (!least || newest < least))
			least = newest
	}
	# a released job goes to the end of the queue
	else if (/ release hold on JobId=/)
		priority[raw_id("JobId=")] = least
	else if (/, setting priority to /)
		priority[raw_id("JobId=")] = substr($0, index($0, "setting priority to ") + 20) + 0
	else if (/ head job /)
		note_head(raw_id("head job "))
	else if (/Requeuing JobId=/)
		requeued[raw_id("JobId=")] = substr($1, 2, 19)
	# sacct has the last start of a requeued job: it counts for the one that made it
	if (match($0, / started JobId=[0-9_]+/)) {
		id = substr($0, RSTART, RLENGTH)
		sub(/.*=/, "", id)
		delete own[id]
		delete stocks[id]
		ours[id] = 1
	}
	# starts of Slurm's own, the third of them by stock's backfill, which runs beside a canary
	if (match($0, /(sched: Allocate|_slurm_rpc_allocate_resources|: Started) JobId=[0-9_]+/)) {
		stock = substr($0, RSTART, 9) == ": Started"
		id = substr($0, RSTART, RLENGTH)
		sub(/.*=/, "", id)
		own[id] = 1
		delete ours[id]
		delete stocks[id]
		if (stock)
			stocks[id] = 1
		for (i = 1; i <= lates; i++)
			excused[i, id] = passed[i]
	}
	next
}

file == 4 { accepted[$1] = $2 }

file == 5 { unsure[$1 + 0] = 1 }

# Is row I a job of Leeway's for all of its time? Of a changed one, or one of several partitions,
# that is not known.
function is_ours(i) {
	return !canary || (part[i] == canary && !(job[i] + 0 in unsure) && job[i] !~ /[+]/)
}

# Started by the backfill of the other.
function strayed(    i, count) {
	for (i = 1; i <= n; i++)
		if ((job[i] in stocks && is_ours(i)) ||
		    (job[i] in ours && canary && part[i] != canary &&
		     !(job[i] + 0 in unsure))) {
			print "# strayed: " job[i] ", of " part[i]
			count++
		}
	return count + 0
}

# What has started was in time, though an administrator may requeue it later.
function missed_deadlines(    i, count) {
	for (i = 1; i <= n; i++)
		count += state[i] ~ /^DEADLINE/ && raw[i] in accepted &&
			 accepted[raw[i]] > requeued[raw[i]]
	return count + 0
}

function amount(tres, word,    at) {
	at = index("," tres, "," word)
	return at ? substr(tres, at + length(word)) + 0 : 0
}

# Had such a job started since promise P of late was made, and did it run when that was due? KIND:
# a job of the higher tier; one that Slurm itself started; one that it started though no job had
# been put before the promised one; one that goes first, as the next task of an array.
function ran(p, kind,    i, w, such) {
	split(late[p], w, " ")
	for (i = 1; i <= n; i++) {
		such = kind == "tier" ? part[i] == "high" : job[i] in own
		if (kind == "before")
			such = goes_first(job[i] + 0, w[1] + 0)
		if (kind == "alone" && excused[p, job[i]])
			such = 0
		if (such && start[i] + 0 >= w[2] && start[i] <= w[4] &&
		    !(end[i] + 0 && end[i] <= w[3]))
			return 1
	}
	return 0
}

# Two jobs alike but for their limits, and nothing is promised to the longer: it has started, though
# the shorter had waited for a minute, and waited for two more. Limits differ by five times, so that
# the shorter is expected to end first whatever earlier runs took. Both are Leeway's.
function out_of_order(    i, j, count) {
	for (i = 1; i <= n; i++) {
		if (key[i] !~ /[|]--/ || !(start[i] + 0) || raw[i] in promised ||
		    !(job[i] in own) || !is_ours(i))
			continue
		for (j = 1; j <= n; j++)
			if (key[j] == key[i] && limit[j] * 5 <= limit[i] &&
			    is_ours(j) &&
			    eligible[j] + 60 < start[i] && start[j] > start[i] + 120) {
				print "# " job[i] " started before " job[j] ": " key[i] ", " \
				      start[i]
				count++
				break
			}
	}
	return count + 0
}

END {
	for (i = 1; i <= lates; i++)
		if (tiers == "yes" && ran(i, "tier"))
			tier++
		else {
			print "# broken: job, made, latest, started: " late[i]
			if (ran(i, "alone"))
				broken++
			else if (ran(i, "own") || ran(i, "before"))
				order++
			else
				by_plan++
		}
	for (i = 1; i <= n; i++) {
		if (!(start[i] + 0))
			continue
		started++
		wait += start[i] - eligible[i]
		if (job[i] in own)
			owns++
		until = end[i] + 0 && end[i] < last ? end[i] : last
		if (until > start[i]) {
			cpu_s += cpu[i] * (until - start[i])
			gpu_s += gpu[i] * (until - start[i])
		}
	}
	for (id in accepted)
		accepts++
	print "jobs", n
	print "started", started + 0
	print "slurms", owns + 0
	for (i = 1; i <= n; i++)
		backfilled += job[i] in stocks
	print "stocks", backfilled + 0
	print "strayed", strayed()
	print "promises", made + 0
	print "kept", kept + 0
	print "withdrawn", withdrawn + 0
	print "by_tier", tier + 0
	print "by_order", order + 0
	print "by_plan", by_plan + 0
	print "broken", broken + 0
	print "accepted", accepts + 0
	print "missed", missed_deadlines()
	print "out_of_order", out_of_order()
	printf "wait_s %d\n", started ? wait / started : 0
	span = nodes * (last > first ? last - first : 1)
	printf "cpu_percent %.1f\n", 100 * cpu_s / span / cpus
	printf "gpu_percent %.1f\n", 100 * gpu_s / span / gpus
}
