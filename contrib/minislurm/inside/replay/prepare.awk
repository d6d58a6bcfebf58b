# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: turns a workload file into job scripts and a list of events
#
# Variables: dir (where jobs/N.sh, size.tsv and events.unsorted go), users (how many exist).
# The scripts are what users write every day: nothing in them knows of a scheduler. What sbatch
# is told of other jobs and of deadlines stands with the event, in numbers of this file's jobs.
# An event: second, number of the job, "submit" or "cancel", user, tasks, and of a submission the
# deadline in seconds after it, its weight, run times, what it waits for, as sbatch wants it but
# with such numbers, and how many tasks may run at a time; "-" for what is not said.

function refuse(why) {
	printf "workload line %d: %s\n", FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

function check_number(i, what) {
	if ($i !~ /^[0-9]+$/) refuse(what " is not a whole number: " $i)
}

function hms(s) { return sprintf("%d:%02d:%02d", s / 3600, (s % 3600) / 60, s % 60) }

# What the user's program is called, by the kind of job
function command(kind, gpus) {
	if (kind == "gang")
		return sprintf("srun torchrun --nnodes=%d --nproc-per-node=%d train.py", $3, gpus)
	if (kind == "hpc") return "mpirun ./solver"
	if (kind == "sweep") return "python train.py --trial $SLURM_ARRAY_TASK_ID"
	if (kind == "infer") return "python serve.py"
	if (kind == "notebook") return "jupyter lab"
	return "python train.py"
}

function write_script(file, kind) {
	print "#!/bin/bash" > file
	print "#SBATCH --job-name=" ($12 == "" || $12 == "-" ? kind : $12) > file
	print "#SBATCH --nodes=" $3 > file
	if (kind == "hpc")
		print "#SBATCH --ntasks-per-node=" $5 > file
	else
		print "#SBATCH --ntasks-per-node=1 --cpus-per-task=" $5 > file
	if ($4 > 0) print "#SBATCH --gpus-per-node=" $4 > file
	if ($6 > 0) print "#SBATCH --mem=" $6 "M" > file
	print "#SBATCH --time=" hms($7) > file
	if ($10 != "-")
		print "#SBATCH --array=0-" ($10 - 1) \
			(word["at_most"] ? "%" word["at_most"] : "") > file
	print "#SBATCH --output=/dev/null" > file
	print "" > file
	if (index($8, ",")) {
		gsub(",", " ", $8)
		print "runs=(" $8 ")" > file
		print "export MINI_RUN_S=${runs[$SLURM_ARRAY_TASK_ID]}" > file
	} else
		print "export MINI_RUN_S=" $8 > file
	print command(kind, $4) > file
	if (word["exit"]) print "exit " word["exit"] > file
	close(file)
}

# Of version 2, behind the columns: lw-workload(5). weight is for the report; what a job's program
# does and whether it can be stopped, no user tells Slurm.
function take_words(	i, at, key) {
	split("", word)
	for (i = 13; i <= NF; i++) {
		at = index($i, "=")
		key = substr($i, 1, at - 1)
		if (!at || !index(known, " " key " ")) refuse("unknown word: " $i)
		if (key == "think_s") refuse("think_s: nobody submits by himself in a replay")
		word[key] = substr($i, at + 1)
		if (key ~ /^(id|deadline_s|weight|exit|at_most)$/ && word[key] !~ /^[0-9]+$/)
			refuse(key " is not a whole number: " word[key])
	}
}

# "afterok:7:9,singleton", by ids, with the numbers of jobs instead
function afters(text,	clauses, ids, i, k, said) {
	for (i = split(text, clauses, ","); i; i--) {
		for (k = split(clauses[i], ids, ":"); k > 1; k--) {
			if (!(ids[k] in number)) refuse("after: no job above has id=" ids[k])
			said = ":" number[ids[k]] said
		}
		if (ids[1] !~ /^(after(any|ok|notok|corr)|singleton)$/)
			refuse("after: " ids[1])
		said = (i > 1 ? "," : "") ids[1] said
	}
	return said
}

function or_dash(text) { return text == "" ? "-" : text }

BEGIN {
	FS = OFS = "\t"
	kinds = " hpc train1 gang sweep infer notebook "
	known = " id after think_s deadline_s weight resumable recipe exit at_most sizes "
}

FNR == 1 {
	sub(/\r$/, "")
	if ($0 !~ /^#lw-workload [12]([ \t]|$)/)
		refuse("the first line must be '#lw-workload 1', or 2")
	if ($0 ~ /^#lw-workload 1/) known = " "
}
/^#/ || /^[ \t\r]*$/ { next }

{
	sub(/\r$/, "")
	if (NF < 11) refuse("has " NF " columns, not 12")
	split("submit_s user nodes gpus_per_node cpus_per_node mem_mib_per_node " \
		"limit_s run_s", name, " ")
	for (i = 1; i <= 7; i++) check_number(i, name[i])
	# an array may give a run time a task: "5,7,9"
	if ($8 !~ /^[0-9]+(,[0-9]+)*$/ || (index($8, ",") && split($8, runs, ",") != $10))
		refuse("run_s is not a whole number, nor one a task: " $8)
	if ($9 != "-") check_number(9, "cancel_s")
	if ($10 != "-") check_number(10, "array")
	if ($3 < 1 || $5 < 1 || $7 < 1 || $10 == "0")
		refuse("nodes, cpus, limit and array start at 1")
	if (!index(kinds, " " $11 " ")) refuse("unknown kind: " $11)

	take_words()
	jobs++
	tasks += ($10 == "-" ? 1 : $10)
	run_s = $8
	write_script(dir "/jobs/" jobs ".sh", $11)
	who = "u" (($2 + users - 1) % users + 1)
	print $1, jobs, "submit", who, ($10 == "-" ? 1 : $10), or_dash(word["deadline_s"]), \
		or_dash(word["weight"]), run_s, or_dash(afters(word["after"])), \
		or_dash(word["at_most"]) > (dir "/events.unsorted")
	if (word["id"]) number[word["id"]] = jobs
	if ($9 != "-") print $1 + $9, jobs, "cancel", who, 0 > (dir "/events.unsorted")
}

END {
	if (failed) exit 1
	if (!jobs) refuse("there are no jobs in it")
	print jobs, tasks > (dir "/size.tsv")
}
