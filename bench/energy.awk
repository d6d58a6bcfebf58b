# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs with deadlines on nodes that are paid for by the hour, under four rules.
#
#   awk -F, -v nodes=N -v rule=RULE -f energy.awk JOBS TIMES
#
# JOBS: ANDREAS' Lof_Selectjobs.csv, TIMES its SelectJobs_times.csv (bench/energy says more). A
# node is of any type of machine while jobs are on it, and costs that machine's price. A second
# after its deadline costs a job's weight. Prints total cost, cost of machines, cost of lateness.
#
#   greedy   at each event all jobs are placed anew, as published: most pressed first, the cheapest
#            set-up that meets the deadline, else the fastest; then machines shrink, and idle GPUs
#            go where they speed up most. Moving costs nothing.
#   greedy1  the same for jobs that wait; who runs stays
#   edf      nearest deadline first, packed: the fewest GPUs that meet it, else the fastest, on
#            machines that are on before others, which are the largest of the cheaper type
#   alone    each job at its submission on the cheapest set-up that meets its deadline, or the
#            fastest, GPUs paid by their share: a bound for who starts each job once and keeps
#            deadlines

FILENAME == ARGV[1] && FNR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}

FILENAME == ARGV[1] {
	jobs++
	name[jobs] = $column["UniqueJobsID"]
	number[name[jobs]] = jobs
	submit[jobs] = $column["SubmissionTime"]
	due[jobs] = $column["Deadline"]
	weight[jobs] = $column["Tardinessweight"]
	left[jobs] = 1
	next
}

FNR > 1 {
	j = number[$1]
	if (!($2 in size)) {
		machine[++machines] = $2
		type[$2] = $3
		size[$2] = $5
		price[$2] = $6 / 3600
	}
	# the same on any machine of the type
	time[j, $3, $4] = $7
	if (!shortest[j] || $7 < shortest[j])
		shortest[j] = $7
}

# The machine of TYPE with so many GPUs or a few more.
function machine_for(of, gpus,    m, best)
{
	for (m = 1; m <= machines; m++)
		if (type[machine[m]] == of && size[machine[m]] >= gpus &&
				(!best || size[machine[m]] < size[best]))
			best = machine[m]
	return best
}

function largest(of,    m, best)
{
	for (m = 1; m <= machines; m++)
		if (type[machine[m]] == of && (!best || size[machine[m]] > size[best]))
			best = machine[m]
	return best
}

function closed_node(    n)
{
	for (n = 1; n <= nodes; n++)
		if (!used[n])
			return n
	return 0
}

function put(j, n, gpus)
{
	used[n] += gpus
	at[j] = n
	has[j] = gpus
	end[j] = now + left[j] * time[j, type[on[n]], gpus]
}

# Best fit: the node that is on, of the type, with the fewest free GPUs that are enough.
function open_node(of, gpus,    n, best)
{
	for (n = 1; n <= nodes; n++)
		if (used[n] && type[on[n]] == of && size[on[n]] - used[n] >= gpus &&
				(!best || size[on[n]] - used[n] < size[on[best]] - used[best]))
			best = n
	return best
}

function late_cost(j, done)
{
	return done > due[j] ? weight[j] * (done - due[j]) : 0
}

# Set-ups of job J in setup_type, setup_gpus: the cheapest that meet the deadline first, then the
# fastest.
function list_setups(j,    m, g, of, seen, key, i, k)
{
	setups = 0
	for (m = 1; m <= machines; m++) {
		of = type[machine[m]]
		for (g = 1; g <= size[machine[m]]; g++) {
			if (((of, g) in seen) || !((j, of, g) in time))
				continue
			seen[of, g] = 1
			key = left[j] * time[j, of, g]
			key = now + key <= due[j] ? key * price[machine_for(of, g)] : 1e9 + key
			for (i = ++setups; i > 1 && setup_key[i - 1] > key; i--) {
				setup_key[i] = setup_key[i - 1]
				setup_type[i] = setup_type[i - 1]
				setup_gpus[i] = setup_gpus[i - 1]
			}
			setup_key[i] = key
			setup_type[i] = of
			setup_gpus[i] = g
		}
	}
}

function place_greedy(j,    n, k)
{
	list_setups(j)
	n = open_node(setup_type[1], setup_gpus[1])
	if (!n && (n = closed_node()))
		on[n] = largest(setup_type[1])
	k = 1
	while (!n && k < setups)
		n = open_node(setup_type[++k], setup_gpus[k])
	if (n)
		put(j, n, setup_gpus[k])
	return n
}

# Machines shrink to what is used; what is idle then goes where it speeds up most.
function shrink_and_fill(fixed,    n, j, best, gain, most, of)
{
	for (n = 1; n <= nodes; n++) {
		if (!used[n] || fixed[n])
			continue
		of = type[on[n]]
		on[n] = machine_for(of, used[n])
		while (used[n] < size[on[n]]) {
			best = most = 0
			for (j = 1; j <= jobs; j++) {
				if (at[j] != n || !((j, of, has[j] + 1) in time))
					continue
				gain = time[j, of, has[j]] / time[j, of, has[j] + 1]
				if (gain > most) {
					most = gain
					best = j
				}
			}
			if (!best || most <= 1)
				break
			used[n]++
			has[best]++
			end[best] = now + left[best] * time[best, of, has[best]]
		}
	}
}

function place_edf(j,    m, of, g, n, best_n, best_g, best_t, t, fit)
{
	for (m = 1; m <= machines; m++) {
		of = type[machine[m]]
		for (g = 1; g <= size[machine[m]]; g++) {
			if (!((j, of, g) in time))
				continue
			n = open_node(of, g)
			t = time[j, of, g]
			fit = n && now + t <= due[j]
			if (!n || (best_n && best_fit && !fit) ||
					(best_n && best_fit && fit && g >= best_g) ||
					(best_n && best_fit == fit && !fit && t >= best_t))
				continue
			best_n = n
			best_g = g
			best_t = t
			best_fit = fit
		}
	}
	# a node that is off before one on which it is late
	if ((!best_n || !best_fit) && (n = closed_node())) {
		of = cheaper_type(j)
		on[n] = largest(of)
		for (g = 1; g < size[on[n]] && now + time[j, of, g] > due[j]; g++)
			;
		best_n = n
		best_g = g
	}
	best_fit = 0
	if (best_n)
		put(j, best_n, best_g)
	return best_n
}

# Of the two types the one on which it costs less on a GPU.
function cheaper_type(j,    m, best, cost, least)
{
	for (m = 1; m <= machines; m++) {
		if (size[machine[m]] != 1 || !((j, type[machine[m]], 1) in time))
			continue
		cost = price[machine[m]] * time[j, type[machine[m]], 1]
		if (!best || cost < least) {
			best = type[machine[m]]
			least = cost
		}
	}
	return best ? best : type[machine[1]]
}

# Until when node N is on, by the jobs that it has.
function on_until(n,    j, last)
{
	last = now
	for (j = 1; j <= jobs; j++)
		if (at[j] == n && end[j] > last)
			last = end[j]
	return last
}

# The next of the jobs that wait.
function first_waiting(    j, best, key, least)
{
	for (j = 1; j <= jobs; j++) {
		if (state[j] != 1 || at[j] || passed[j])
			continue
		key = rule == "edf" ? due[j] : due[j] - now - left[j] * shortest[j]
		if (!best || key < least) {
			best = j
			least = key
		}
	}
	return best
}

function place_all(    j, n, fixed)
{
	delete passed
	if (rule == "greedy") {
		for (n = 1; n <= nodes; n++)
			used[n] = 0
		for (j = 1; j <= jobs; j++)
			at[j] = 0
	}
	for (n = 1; n <= nodes; n++)
		fixed[n] = used[n] > 0
	while (j = first_waiting()) {
		n = rule ~ /^greedy/ ? place_greedy(j) : place_edf(j)
		if (!n)
			passed[j] = 1
	}
	if (rule ~ /^greedy/)
		shrink_and_fill(fixed)
}

# To time TO: machines are paid, and work is done.
function advance(to,    j, n)
{
	for (n = 1; n <= nodes; n++)
		if (used[n])
			paid += price[on[n]] * (to - now)
	for (j = 1; j <= jobs; j++) {
		if (!at[j])
			continue
		if (end[j] > now)
			left[j] -= left[j] * (to - now) / (end[j] - now)
		if (end[j] > to + 1e-6)
			continue
		used[at[j]] -= has[j]
		at[j] = 0
		state[j] = 2
		finished++
		late += late_cost(j, to)
	}
	now = to
}

function next_event(    j, to)
{
	to = -1
	for (j = 1; j <= jobs; j++) {
		if (!state[j] && (to < 0 || submit[j] < to))
			to = submit[j]
		if (at[j] && (to < 0 || end[j] < to))
			to = end[j]
	}
	return to
}

# Of a job alone: what its GPUs cost by their share of the largest machine.
function cost_alone(j,    m, of, g, cost, least, fastest)
{
	least = -1
	for (m = 1; m <= machines; m++) {
		of = type[machine[m]]
		for (g = 1; g <= size[machine[m]]; g++) {
			if (!((j, of, g) in time))
				continue
			cost = g * price[largest(of)] / size[largest(of)] * time[j, of, g]
			if (submit[j] + time[j, of, g] <= due[j] && (least < 0 || cost < least))
				least = cost
			if (time[j, of, g] == shortest[j])
				fastest = cost
		}
	}
	return least < 0 ? fastest : least
}

END {
	if (rule == "alone") {
		for (j = 1; j <= jobs; j++)
			paid += cost_alone(j)
		finished = jobs
	}
	while (finished < jobs) {
		advance(next_event())
		for (j = 1; j <= jobs; j++)
			if (!state[j] && submit[j] <= now)
				state[j] = 1
		place_all()
	}
	printf "%.0f %.0f %.0f\n", paid + late, paid, late
}
