# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: settings and values to try a Slurm and leeway check with, from the tables of the latter
#
# usage: awk -v release=2411 -f check_grid.awk slurmvalues.def slurmkeys.def
#
# Prints file, kind of line, setting and value, tabs between them: values that are none of the
# setting's type, and some that are.

function clean(text) { gsub(/[" ]/, "", text); return text }

# the arguments of a macro, in arg[1..]
function take(line,   n) {
	sub(/^[^(]*\(/, "", line)
	sub(/\)[ \t]*$/, "", line)
	n = split(line, arg, /,/)
	while (n) { arg[n] = clean(arg[n]); n-- }
}

function known(first, last) {
	return release >= first + 0 && (release <= last + 0 || last == 2605)
}

function put(value) {
	if (!((where, key, value) in done))
		printf "%s\t%s\t%s\t%s\n", file[where], where, key, value
	done[where, key, value] = 1
}

# both what NUMBER takes and what it does not
function numbers(least, most,   k) {
	put("x"); put("-1"); put("64G"); put(""least + 7)
	put(most == "UINT16_MAX" ? "70000" : "99999999999999999999999")
	if (least > 0) put("0")
}

function words(type, list,   n, k, item) {
	put("Foo")
	n = split(known_words[type], item, "\n")
	for (k = 1; k <= n && k <= 3; k++)
		put(item[k])
	put(tolower(item[1])); put(toupper(item[1]))
	if (list && n > 1) { put(item[1] ",Foo"); put("," item[2]) }
}

function values(type) {
	if (form[type] == "ANY") { put("foo"); put("1") }
	else if (form[type] == "NUMBER") numbers(least[type], most[type])
	else if (form[type] == "FLOAT") { put("x"); put("1.5"); put("50%") }
	else if (form[type] == "TIME") {
		put("abc"); put("1:2:3:4"); put("1-"); put("90"); put("0")
	}
	else if (form[type] == "ONE") words(type, 0)
	else if (form[type] == "LIST") words(type, 1)
	else if (form[type] == "PLUGIN") { put(text[type] "/foo"); put(text[type] "/none") }
	else if (form[type] == "PORTS") { put("x"); put("0"); put("7102-7101"); put("7101,7102") }
	else if (form[type] == "PORT") { put("x"); put("0"); put("7101"); put("70000") }
	else if (form[type] == "LICENSES") { put("a:x"); put("a:-1"); put("a:1,b") }
	else if (form[type] == "RLIMITS") {
		words(type, 1)
		put("ALL"); put("NONE,CPU"); put("all")
	}
	else if (form[type] == "PATH") { put("lib"); put("/lib,lib"); put("none") }
	else if (form[type] == "PATHS") { put("lib"); put("/lib,lib"); put("none") }
	else if (form[type] == "IGNORED") { put("x"); put("1") }
	else if (form[type] == "REMOVED") { put("1"); put("2"); put("yes") }
}

BEGIN {
	file["GLOBAL"] = file["NODE"] = file["PARTITION"] = "slurm.conf"
	file["CGROUP"] = "cgroup.conf"
	file["GRES"] = "gres.conf"
	file["SWITCH"] = file["BLOCK"] = "topology.conf"
	# who this machine is: any other value only says that it is not
	n = split("SlurmctldHost ControlMachine ControlAddr BackupController BackupAddr " \
		"SlurmctldAddr NodeName NodeHostname PartitionName FrontendName DownNodes " \
		"NodeSet SwitchName BlockName", names, " ")
	for (i = 1; i <= n; i++) skipped[names[i]] = 1
}

/^TOOLS_SLURM_TYPE/ {
	take($0)
	form[arg[1]] = arg[2]; least[arg[1]] = arg[4]; most[arg[1]] = arg[5]; text[arg[1]] = arg[6]
}
/^TOOLS_SLURM_WORD/ {
	take($0)
	sub(/\*$/, "", arg[2])
	if (known(arg[3], arg[4])) {
		if (arg[1] in known_words) arg[2] = known_words[arg[1]] "\n" arg[2]
		known_words[arg[1]] = arg[2]
	}
}
/^TOOLS_SLURM_KEY/ {
	take($0)
	where = arg[1]; key = arg[2]
	if (key in skipped || (where == "BLOCK" && key == "BlockSizes")) next
	if (known(arg[3], arg[4])) values(arg[5])
	else if (where != "GRES") put("1")
}
END {
	where = "BLOCK"; key = "BlockSizes"
	if (release >= 2405) { put("1,2,4"); put("1,3"); put("0"); put("x") }
	where = "GLOBAL"; key = "NoSuchSetting"
	put("1")
}
