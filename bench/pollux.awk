# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: makes a workload file (lw-workload(5)) of one of the authors' workloads of Pollux.
#
# awk -v folder=FOLDER -f pollux.awk FOLDER/workloads/workload-1.csv; FOLDER is their simulator's.
#
# A job runs with its user's batch size, on full nodes of four GPUs as far as it can be. Then its
# time is the time of a step, as in their tables, times a number of steps that its size does not
# change. A node of the workload is one GPU. The authors' jobs have neither users nor limits: eight
# users have the jobs of an application, and limits are those of a menu, twice the run or more.
BEGIN {
	FS = ","
	split("bert cifar10 deepspeech2 imagenet ncf yolov3", names, " ")
	split("2 100 80 90 10 50", epochs, " ")
	for (i in names) {
		place[names[i]] = i
		last[names[i]] = epochs[i]
	}
	menu_count = split("3600 14400 43200 86400 172800 345600 604800", menu, " ")
	print "#lw-workload 2"
	print "#machine nodes=64 cpus_per_node=8 gpus_per_node=1"
}

function ceil(x) { return x == int(x) ? x : int(x) + 1 }

# Lines of FILE, of an application's table; the first is of names.
function lines(app, file, rows, count, path) {
	path = folder "/traces/" app "/" file
	count = 0
	while ((getline row <path) > 0)
		rows[count++] = row
	close(path)
	if (!count) {
		print "pollux.awk: " path " cannot be read" >"/dev/stderr"
		failed = 1
		exit 2
	}
	return count
}

# The times of a step by local batch size, of a placement of GPUs: "app gpus" to a count.
function read_steps(app, rows, count, i, f, gpus, ids) {
	for (gpus = 1; gpus <= 16; gpus++) {
		ids = gpus % 4 ? gpus % 4 : ""
		for (i = 0; i < int(gpus / 4); i++)
			ids = ids "4"
		packed[ids] = gpus
	}
	count = lines(app, "placements.csv", rows)
	for (i = 1; i < count; i++) {
		split(rows[i], f, ",")
		if (f[1] in packed)
			note_step(app, packed[f[1]], f[2], f[3], f[4])
	}
	delete rows
	count = lines(app, "scalability.csv", rows)
	for (i = 1; i < count; i++) {
		split(rows[i], f, ",")
		if (f[2] > 16 && f[1] * 4 == f[2])
			note_step(app, f[2], f[3], f[4], f[5])
	}
}

function note_step(app, gpus, local, step, sync, n) {
	n = ++steps[app, gpus]
	batch[app, gpus, n] = local + 0
	step_s[app, gpus, n] = step + 0
	sync_s[app, gpus, n] = sync + 0
	if (local + 0 > most_local[app])
		most_local[app] = local + 0
}

# Linear between the sizes of the table: the time of a step with ACCUM more, without telling.
function time_of(app, gpus, local, accum, n, i, part, step, sync) {
	n = steps[app, gpus]
	for (i = 1; i < n - 1 && batch[app, gpus, i + 1] < local; i++)
		;
	part = (local - batch[app, gpus, i]) / (batch[app, gpus, i + 1] - batch[app, gpus, i])
	step = step_s[app, gpus, i] + part * (step_s[app, gpus, i + 1] - step_s[app, gpus, i])
	sync = sync_s[app, gpus, i] + part * (sync_s[app, gpus, i + 1] - sync_s[app, gpus, i])
	return step + accum * (step - sync)
}

# What each epoch takes of progress is the least of all batch sizes.
function read_progress(app, file, size, rows, count, i, f) {
	while (("ls " folder "/traces/" app | getline file) > 0) {
		if (file !~ /^validation-/)
			continue
		size = file
		gsub(/[^0-9]/, "", size)
		if (!(app in init) || size + 0 < init[app])
			init[app] = size + 0
		count = lines(app, file, rows)
		for (i = 1; i < count && i <= last[app]; i++) {
			split(rows[i], f, ",")
			if (!((app, i) in progress) || f[1] + 0 < progress[app, i])
				progress[app, i] = f[1] + 0
			sqr[app, size, i] = f[4] + 0
			var[app, size, i] = f[5] + 0
		}
		delete rows
	}
	close("ls " folder "/traces/" app)
}

# The seconds of the job on so many GPUs, as their simulator counts them.
function run_s(app, gpus, size, local, most, accum, atomic, scale, i, sum, s, v) {
	local = ceil(size / gpus - 1e-8)
	most = app == "yolov3" ? 8 : most_local[app]
	accum = ceil(local / most - 1e-8) - 1
	if (gpus == 1 && size > init[app] && accum < 1)
		accum = 1
	atomic = ceil(local / (accum + 1) - 1e-8)
	scale = gpus * atomic * (accum + 1) / init[app]
	for (i = 1; i <= last[app]; i++) {
		s = sqr[app, size, i]
		v = var[app, size, i]
		sum += (progress[app, i] - progress[app, i - 1]) * (v / scale + s) / (v + s)
	}
	return sum * time_of(app, gpus, atomic, accum)
}

# Of a job that runs on half as many GPUs as well, what the GPUs share of its run, in thousandths.
function sizes(app, gpus, size, full, shared) {
	if (gpus < 2)
		return ""
	shared = int(1000 * (run_s(app, gpus / 2, size) / full - 1) + 0.5)
	return sprintf("\tsizes=%d,%d", gpus / 2, shared > 1000 ? 1000 : shared)
}

function limit_s(run, i) {
	for (i = 1; i < menu_count && menu[i] < 2 * run; i++)
		;
	return menu[i]
}

FNR == 1 { next }
{
	app = $3
	if (!(app in place)) {
		print "pollux.awk: there is no application " app >"/dev/stderr"
		failed = 1
		exit 2
	}
	if (!(app in init)) {
		read_steps(app)
		read_progress(app)
	}
	full = int(run_s(app, $4 + 0, $5 + 0) + 0.5)
	printf "%d\t%d\t%d\t1\t1\t0\t%d\t%d\t-\t-\t%s\t%s-%d-%d%s\n", $2,
		8 * place[app] + FNR % 8, $4,
		limit_s(full), full, ($4 > 1 ? "gang" : "train1"), app, $4, $5,
		sizes(app, $4 + 0, $5 + 0, full)
}
END { if (failed) exit 2 }
