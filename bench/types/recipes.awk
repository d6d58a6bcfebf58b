# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: make conf/recipes/gavel.yaml of Gavel's table of steps a second, sorted by type and model.

# "ResNet-18 (batch size 128)", 8 GPUs: "resnet-18-b128-x8"
function name_of(model, gpus)
{
	sub(/ \(batch size /, "-b", model)
	sub(/\)$/, "", model)
	return tolower(model) (gpus > 1 ? "-x" gpus : "")
}

BEGIN { FS = "," }
FNR == 1 { next }
{
	name = name_of($2, $3)
	if (!(name in seen)) {
		seen[name] = 1
		names[++count] = name
	}
	rate[name, $1] = $4 + 0
}

END {
	split("v100 p100 k80", types, " ")
	for (i = 1; i <= count; i++) {
		name = names[i]
		line = ""
		for (t = 1; t <= 3; t++)
			if (rate[name, types[t]] > 0)
				line = line (line == "" ? "" : ", ") types[t] ": " \
					sprintf("%.6g", rate[name, types[t]])
		printf "  %s:\n    rate: { %s }\n", name, line
		apart = rate[name, "v100_unconsolidated"]
		if (apart > 0 && apart < rate[name, "v100"])
			printf "    spread: { domain: %.3g, across: %.3g }\n",
				apart / rate[name, "v100"], apart / rate[name, "v100"]
	}
}
