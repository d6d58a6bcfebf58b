#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: what is written in slurmctld and outlives a call is known, and which lock guards it.
# shellcheck disable=SC2016 # awk has dollars of its own
. "$(dirname "$0")/lib.sh"

# Slurm calls job_submit, select and sched plugins in many threads. Each object that they share is
# here, with what has one thread at a time write it. A new one needs a lock, and a line.
known='
plugins/job_submit/job_submit_leeway.c rules init(), fini(): job_submit.c of Slurm locks both
src/record/inherit.c once pthread_once()
src/slurm/agent/cycle.c reading the thread of the agent
src/slurm/agent/think.c thought the thread of the agent, and the worker while it waits
src/slurm/agent/thread.c the_agent its mutex, or the thread of the agent (agent.h)
src/slurm/lock/session.c beside_stock the thread of the agent
src/slurm/log.c slurm_log the thread of the agent
src/slurm/log.c spoken_keys the thread of the agent
src/slurm/read/sharebook.c open_book open_mutex
src/slurm/read/sharebook.c open_mutex a mutex
src/slurm/select/admit.c change_count the job lock, for writing
src/slurm/select/admit.c change_room the job lock, for writing
src/slurm/select/admit.c changes the job lock, for writing
src/slurm/select/admit.c changes_lost the job lock, for writing
src/slurm/select/admit.c freed_s the job lock, for writing
src/slurm/select/admit.c caps the job lock, for writing
src/slurm/select/admit.c gate the job lock, for writing
src/slurm/select/admit.c judged the job lock, for writing
src/slurm/select/admit.c ours the job lock, for writing
src/slurm/select/admit.c shut_s the job lock, for writing
src/slurm/select/admit.c was_reset the job lock, for writing
src/slurm/select/failed.c avoided the job lock, for writing
src/slurm/select/failed.c noted the job lock, for writing
src/slurm/select/narrow.c candidates the job lock, for writing
src/slurm/select/narrow.c domains the job lock, for writing
src/slurm/select/narrow.c enabled atomic
src/slurm/select/narrow.c fleet the job lock, for writing
src/slurm/select/narrow.c fragment the job lock, for writing
src/slurm/select/narrow.c fragment_known the job lock, for writing
src/slurm/select/narrow.c placer the job lock, for writing
src/slurm/select/narrow.c wishes the job lock, for writing
src/slurm/select/narrow.c wish_sizes the job lock, for writing
src/slurm/select/others.c others the job lock, for writing
src/slurm/select/select.c idle_only the job lock, for writing
src/slurm/select/select.c stock init(), fini(): no thread uses select before and after
src/slurm/select/select.c verdict atomic
src/slurm/select/select_link.c handle the thread of the agent, or what starts and ends it
src/slurm/select/select_link.c tell the thread of the agent, or what starts and ends it
src/slurm/select/tenants.c house the job lock, for writing
src/slurm/select/tenants.c read_s the job lock, for writing
src/slurm/select/tenants.c seat_count the job lock, for writing
src/slurm/select/tenants.c seat_room the job lock, for writing
src/slurm/select/tenants.c seats the job lock, for writing
src/slurm/select/tenants.c tenants the job lock, for writing
'

# What slurmctld may load.
loaded_files()
{
	c_files "$1" | grep -E '^(src|plugins)/' | grep -v '^plugins/spank/'
}

# "FILE NAME" of each object that is no constant: behind "static", or at the start of a line.
objects()
{
	code "$1" loaded_files | awk '
	# Is what DECLARED ends in constant: a pointer itself, and not what it points to?
	function constant(declared) {
		if (declared ~ /\*/)
			return declared ~ /\*[ \t]*const[^*]*$/
		return declared ~ /(^|[ \t])const[ \t]/
	}
	function report(file, names,    count, part, i) {
		count = split(names, part, /,/)
		for (i = 1; i <= count; i++) {
			sub(/[;=[].*/, "", part[i])
			gsub(/[ \t]+$/, "", part[i])
			sub(/.*[ \t*]/, "", part[i])
			print file, part[i]
		}
	}
	{
		split($0, head, ":")
		file = head[1]
		text = substr($0, length(head[1]) + length(head[2]) + 3)
	}
	# behind a struct without a name
	unnamed == file && text ~ /^[}]/ {
		report(file, substr(text, 2))
		unnamed = ""
	}
	text ~ /^static (struct|union) [{]$/ { unnamed = file }
	# what begins at the left in a .c file is an object if it is no type and no function
	text !~ /^[ \t]*static[ \t]/ &&
		(file !~ /\.c$/ || text !~ /^[a-z][a-z_0-9]*[ \t*]+[a-z]/) { next }
	text ~ /^(typedef|extern)[ \t]/ || text ~ /^(struct|enum|union) [a-z_0-9]*( ?[{]|;$)/ ||
		text ~ /^[a-z_0-9]+:$/ { next }
	text ~ /[=;]/ {
		declared = text
		sub(/[=;].*/, "", declared)
		if (declared ~ /\(\*/)
			sub(/\)[ \t]*\(.*/, "", declared)
		# a function has its parentheses behind its name, maybe with an end of its own
		if (declared !~ /\(($|[^*])/ && declared !~ /\)[ \t]*$/ && !constant(declared))
			report(file, declared)
	}' | sort -u
}

# Objects that nobody has thought about.
unknown()
{
	objects "$1" | grep -vxFf <(awk 'NF { print $1, $2 }' <<<"$known") || true
}

# Lines of the table of what is gone.
stale()
{
	comm -13 <(objects "$1") <(awk 'NF { print $1, $2 }' <<<"$known" | sort -u)
}

keeps "all that is written in slurmctld has a lock" unknown
keeps "and the table has no more" stale

for text in 'static int count;' 'static struct lw_x one, *two;' 'static const char *last;' \
	'int shared = 1;' 'static bool seen[4] = { 0 };' '	static unsigned calls;' \
	'static int (*hook)(int);' 'struct lw_table table;'; do
	plant src/share/x.c <<<"$text"
	bites "$text" unknown src/share/x.c
done
plant plugins/job_submit/x.c <<'END'
static struct {
	int a;
} shares;
END
bites "one of a struct without a name" unknown 'plugins/job_submit/x.c shares'
plant src/base/x.c <<'END'
struct lw_x;
struct lw_x {
	int a;
};
enum { FOUR = 4 };
enum level { ONE, TWO };
typedef int number;
extern int elsewhere;
static const int one = 1;
static const char *const names[] = { "a", "b" };
static const struct {
	int a;
} table[] = { { 1 } };
static double (*const calls[])(double) = {
	sin,
};
static int f(int a);
static int f(int a)
{
	return a;
}
const int out = 1;
int main(void)
{
	static const char *const in[] = { "c" };
	int local = 1;
	return local;
}
END
plant cli/x.c <<<'static int count;'
spares "constants, types and functions" unknown
finish
