/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: recognise a deep-learning (DL) job at submit. */
/*
 * Sites tag jobs with their own scripts or with linker wrappers (XALT), or learn the kind of a
 * job only while it runs (the MIT Supercloud Workload Classification Challenge, Weiss et al.,
 * 2022). Here the job script itself is read, once, at the submission.
 *
 * Read the files in this order: tag_rules.def, the evidence; this file, from points to a
 * verdict; shell.h and shell.c, how a script is parsed (shell_word.c, shell_heredoc.c);
 * tag_judge.h and tag_judge.c, from commands to rules; tag_scan.c, one command word by word;
 * tag_verbs.def and tag_verbs.c, launchers and the like; tag_code.c, Python, Julia and R;
 * tag_variables.c. Also: tag_names.c, partitions; tag_text.c, how a tag is written; tag_rules.c,
 * patterns; tag_rules_read.c, rules of a site.
 */
#include "tagger/tag_judge.h"

#define SURE           100
#define EVIDENCE_NAMES 4
#define LEARNING       25 /* points of a script's name */
#define VAGUE_MAX      29 /* less than a script's name says, more than weights it is given */
#define SAYS_MAX       96 /* names with a say in one job; more have none */

/* The rules that have a say. */
struct tag_say {
	uint32_t count;
	const struct lw_tag_rule *rule[SAYS_MAX];
	bool gpu; /* the job asks for one */
};

bool lw_tag_is_wanted(const struct lw_tag_request *job, const struct lw_tag *tag)
{
	return tag->class != LW_TAG_NONE || lw_tag_wants_gpu(job);
}

/* ---- which rules have a say ---- */

/* Let RULE speak for its name when it is the first of it, or the strongest. */
static void tag_let_speak(const struct lw_tag_rule *rule, struct tag_say *say)
{
	uint32_t i = 0;

	while (i < say->count && strcmp(say->rule[i]->name, rule->name) != 0)
		i++;
	if (!rule->weight || i == SAYS_MAX ||
	    (i < say->count && rule->weight <= say->rule[i]->weight))
		return;
	say->rule[i] = rule;
	say->count += i == say->count;
}

/*
 * A name counts once, with the strongest of its rules that hold, the first among equals. What
 * scripts say against learning counts only when no name of a script tells that it learns, as
 * train.py or main.py.
 */
static void tag_gather(const struct lw_tag_judge *judge, struct tag_say *say)
{
	const struct lw_tag_rule *rule;
	int learning = 0;

	for (uint32_t i = 0; (rule = lw_tag_rules_at(judge->rules, i)); i++)
		if (judge->fired.rule[i] && rule->place == LW_TAG_ENTRY)
			learning += rule->weight;
	say->count = 0;
	for (uint32_t i = 0; (rule = lw_tag_rules_at(judge->rules, i)); i++)
		if (judge->fired.rule[i] || (learning < LEARNING && judge->apart.rule[i]))
			tag_let_speak(rule, say);
}

static int tag_sum_points(const struct tag_say *say)
{
	int points = say->gpu ? LW_TAG_GPU_POINTS : 0;

	for (uint32_t i = 0; i < say->count; i++)
		points += say->rule[i]->weight;
	return points < 0 ? 0 : points > SURE ? SURE : points;
}

static void tag_judge_interactive(struct lw_tag_judge *judge, const struct lw_tag_request *job)
{
	struct lw_shell_command command = { .words = 0 };

	if (!job->argv || (job->argc <= 1 && job->command_line)) {
		if (job->command_line)
			lw_tag_judge_commands(judge, job->command_line,
					      strnlen(job->command_line, LW_TAG_SCRIPT_MAX));
		return;
	}
	for (uint32_t i = 0; i < job->argc && i < LW_SHELL_WORDS_MAX && job->argv[i]; i++)
		command.word[command.words++] = (struct lw_shell_word){
			.text = job->argv[i],
			.len = (uint32_t)strnlen(job->argv[i], LW_TAG_SCRIPT_MAX),
		};
	lw_tag_judge_command(judge, &command);
}

/*
 * Whether what was read leaves open what a job with GPUs does: then the middle of a long script
 * is worth its time.
 */
static bool tag_is_open(const struct lw_tag_judge *judge, const struct tag_say *say)
{
	for (uint32_t i = 0; i < say->count; i++)
		if (say->rule[i]->weight < 0)
			return false;
	return (say->gpu || judge->named) && tag_sum_points(say) < LW_TAG_DL_POINTS;
}

static void tag_judge_script(struct lw_tag_judge *judge, const struct lw_tag_request *job)
{
	size_t len = job->script_len ? job->script_len : strnlen(job->script, LW_TAG_SCRIPT_MAX);

	lw_tag_judge_script(judge, job->script,
			    len < LW_TAG_SCRIPT_MAX ? len : LW_TAG_SCRIPT_MAX);
}

static void tag_judge_job(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
			  struct tag_say *ret_say)
{
	struct lw_tag_judge judge;
	struct lw_shell_word word;

	ret_say->gpu = lw_tag_wants_gpu(job);
	lw_tag_judge_init(&judge, rules);
	if (job->script)
		tag_judge_script(&judge, job);
	else
		tag_judge_interactive(&judge, job);
	if (job->name) {
		word = tag_word(job->name, job->name + strlen(job->name));
		tag_judge_word(&judge, LW_TAG_JOB_NAME, &word);
	}
	if (job->container) {
		word = tag_word(job->container, job->container + strlen(job->container));
		lw_tag_judge_image(&judge, &word);
	}
	if (!ret_say->gpu)
		lw_tag_judge_names(&judge, job);
	tag_gather(&judge, ret_say);
	if (judge.gap.len && tag_is_open(&judge, ret_say)) {
		lw_tag_judge_gap(&judge);
		tag_gather(&judge, ret_say);
	}
}

void lw_tag_explain(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		    lw_tag_evidence_f found, void *arg)
{
	struct tag_say say;

	tag_judge_job(job, rules, &say);
	for (uint32_t i = 0; i < say.count; i++)
		found(arg, say.rule[i]);
}

/* ---- the verdict ---- */

/* One task, "7", is no sweep, nor is a chain of tasks that run after each other, "1-9%1". */
static bool tag_is_sweep(const char *array)
{
	const char *limit = array ? strchr(array, '%') : NULL;

	return array && strpbrk(array, ",-") && !(limit && !strcmp(limit, "%1"));
}

/*
 * Whether processes on several nodes may talk to each other: many nodes, or many tasks or GPUs
 * that are not held on one node. The trials of a search do not, the nodes of one task of an
 * array do.
 */
static bool tag_is_gang(const struct lw_tag_request *job, enum lw_tag_class class)
{
	if (class == LW_TAG_NONE || class == LW_TAG_SWEEP)
		return class == LW_TAG_SWEEP && job->nodes_min > 1 && tag_is_sweep(job->array);
	if (job->nodes_min > 1)
		return true;
	if (job->nodes_max == 1 || (job->tasks && job->tasks <= job->tasks_per_node))
		return false;
	return job->tasks > 1 || lw_tag_gpus(job->tres_per_job) > 1;
}

/*
 * Whether RULE says little about the kind: a launcher starts whatever it is given, and a network
 * that gives a script its name may be asked as well as trained.
 */
static bool tag_is_vague(const struct lw_tag_rule *rule)
{
	static const char names[] = " torchrun torch-distributed accelerate deepspeed horovodrun "
				    "colossalai oneflow paddle msrun mpi-torch model-script ";
	const char *at = strstr(names, rule->name);

	return at && at[-1] == ' ' && at[strlen(rule->name)] == ' ';
}

static enum lw_tag_class tag_choose_class(const struct tag_say *say, const char *array)
{
	int votes[LW_TAG_CLASS_COUNT] = { 0 }, vague = 0;
	enum lw_tag_class best = LW_TAG_TRAINING;

	for (uint32_t i = 0; i < say->count; i++) {
		const struct lw_tag_rule *rule = say->rule[i];

		if (rule->weight > 0 && !tag_is_vague(rule))
			votes[rule->class] += rule->weight;
		else if (rule->weight > vague)
			vague = rule->weight < VAGUE_MAX ? rule->weight : VAGUE_MAX;
	}
	votes[LW_TAG_TRAINING] += vague;
	for (int i = LW_TAG_TRAINING; i < LW_TAG_CLASS_COUNT; i++)
		if (votes[i] > votes[best])
			best = (enum lw_tag_class)i;
	return best == LW_TAG_TRAINING && tag_is_sweep(array) ? LW_TAG_SWEEP : best;
}

/* A name that does not fit any more is left out. */
static void tag_add_evidence(struct lw_tag *tag, const char *name)
{
	size_t used = strlen(tag->evidence), len = strlen(name);

	if (used + len + 1 >= sizeof(tag->evidence))
		return;
	if (used)
		tag->evidence[used++] = '+';
	memcpy(tag->evidence + used, name, len + 1);
}

/* The strongest rules on the side of the verdict, the strongest first; SAY is used up. */
static void tag_list_evidence(struct tag_say *say, struct lw_tag *tag)
{
	const int sign = tag->class == LW_TAG_NONE ? -1 : 1;

	for (int named = 0; named < EVIDENCE_NAMES; named++) {
		const struct lw_tag_rule **best = NULL;

		for (uint32_t i = 0; i < say->count; i++)
			if (say->rule[i] && say->rule[i]->weight * sign > 0 &&
			    (!best || say->rule[i]->weight * sign > (*best)->weight * sign))
				best = &say->rule[i];
		if (!best)
			break;
		tag_add_evidence(tag, (*best)->name);
		*best = NULL;
	}
}

/* "leeway:dl" 1, "leeway:not-dl" -1, else 0; separators are spaces and commas. */
static int tag_correction(const char *comment)
{
	while (comment && *comment) {
		struct lw_shell_word word = tag_word(comment, comment + strcspn(comment, " ,;"));

		if (tag_is(&word, "leeway:dl") || tag_is(&word, "leeway:not-dl"))
			return tag_is(&word, "leeway:dl") ? 1 : -1;
		comment += word.len + strspn(comment + word.len, " ,;");
	}
	return 0;
}

void lw_tag_recognise(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		      struct lw_tag *ret_tag)
{
	const int user = tag_correction(job->comment);
	struct lw_tag tag = { .class = LW_TAG_NONE };
	struct tag_say say;
	int points;

	tag_judge_job(job, rules, &say);
	points = user ? (user > 0 ? SURE : 0) : tag_sum_points(&say);
	if (points >= LW_TAG_DL_POINTS)
		tag.class = tag_choose_class(&say, job->array);
	tag.confidence = (uint8_t)(tag.class ? points : SURE - points);
	tag.gang = tag_is_gang(job, tag.class);
	if (user)
		tag_add_evidence(&tag, "user");
	tag_list_evidence(&say, &tag);
	if (say.gpu)
		tag_add_evidence(&tag, "gpu");
	*ret_tag = tag;
}

const char *lw_tag_advice(const struct lw_tag_request *job, const struct lw_tag *tag)
{
	if (tag->class == LW_TAG_NONE && !strcmp(tag->evidence, "cpu-program+gpu"))
		return "this job asks for a GPU, but the programs in its script do not seem to "
		       "use one; without that request it may start sooner";
	if (tag->class == LW_TAG_TRAINING && tag->gang && job->nodes_min <= 1 && !job->nodes_max)
		return "this training may be spread over any number of nodes; say --nodes to keep "
		       "its GPUs together";
	return NULL;
}
