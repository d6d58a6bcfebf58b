# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a table of jobs with run times by GPU type as a workload of single GPUs.
#
# FORM is gavel or hare. NODES of one GPU of each type. Each job is a user of its own. Limits are
# three times the longest run.

# "ResNet-18 (batch size 128)": "resnet-18-b128"
function name_of(model)
{
	sub(/ \(batch size /, "-b", model)
	sub(/[)'].*$/, "", model)
	return tolower(model)
}

BEGIN {
	FS = ","
	print "#lw-workload 2"
	split("v100 p100 k80", types, " ")
	for (i = 1; i <= 3; i++)
		printf "#machine nodes=%d cpus_per_node=1 gpus_per_node=1 gpu_type=%s\n", nodes,
			types[i]
}

FNR > 1 {
	if (form == "hare") {
		weight = $3
		model = $4
		sub(/^"\('/, "", model)
		run = $6
		longest = $8
	} else {
		weight = 1
		model = $7
		run = $3
		longest = $5
	}
	printf "%.0f\t%d\t1\t1\t1\t0\t%d\t%.0f\t-\t-\ttrain1\t%s\trecipe=%s\tweight=%d\n",
		$2, $1 + 1, (int(3 * longest / 60) + 1) * 60, run, name_of(model),
		name_of(model), weight
}
