/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: recognise a deep-learning (DL) job at submit; encode and decode its tag. */
/*
 * Sites tag jobs by hand-made scripts or by linking wrappers (XALT) and learn the kind of
 * a job only while it runs (the MIT Supercloud Workload Classification Challenge, Weiss
 * et al., 2022). Here the job script itself is read, once, when the job is submitted.
 */
#include "tagger/tag.h"

#include "base/words.h"
#include "tagger/tag_judge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SURE           100
#define EVIDENCE_NAMES 4
#define LEARNING       25 /* points of a script's name */
#define VAGUE_MAX      29 /* less than a script's name says, more than weights it is given */
#define SAYS_MAX       96 /* names with a say in one job; more have none */

static const char *const class_names[LW_TAG_CLASS_COUNT] = {
	[LW_TAG_NONE] = "none",         [LW_TAG_TRAINING] = "training",
	[LW_TAG_SWEEP] = "sweep",       [LW_TAG_INFERENCE] = "inference",
	[LW_TAG_NOTEBOOK] = "notebook",
};

/* ---- GPU requests ---- */

/* All of TEXT .. END as a number, at most UINT32_MAX; false when it has anything but digits. */
static bool tag_read_count(const char *text, const char *end, uint32_t *ret_count)
{
	uint64_t count = 0;

	for (; text < end && *text >= '0' && *text <= '9'; text++) {
		count = count * 10 + (uint64_t)(*text - '0');
		if (count > UINT32_MAX)
			count = UINT32_MAX;
	}
	*ret_count = (uint32_t)count;
	return text == end;
}

/* The length of FRONT, if TEXT begins with it, or 0. */
static size_t tag_begins(const char *text, const char *front)
{
	size_t len = strlen(front);

	return strncmp(text, front, len) ? 0 : len;
}

/*
 * One item of the list, up to END: [gres/]NAME[:TYPE][:COUNT][(...)], with ':' or '='
 * between. A type without a count is one.
 */
static uint32_t tag_item_gpus(const char *item, const char *end)
{
	const char *last = NULL;
	uint32_t count = 1;
	size_t len;

	if (tag_begins(item, "gres") && (item[4] == ':' || item[4] == '/'))
		item += 5;
	len = tag_begins(item, "gpu") + tag_begins(item, "shard") + tag_begins(item, "mps");
	if (!len || strcspn(item + len, ":=,("))
		return 0;
	for (const char *p = item + len; p < end; p++) {
		if (*p == '(')
			end = p;
		else if (*p == ':' || *p == '=')
			last = p + 1;
	}
	return last && tag_read_count(last, end, &count) ? count : 1;
}

uint32_t lw_tag_gpus(const char *tres)
{
	uint64_t total = 0;

	while (tres && *tres) {
		const char *end = tres + strcspn(tres, ",;");

		total += tag_item_gpus(tres, end);
		tres = *end ? end + 1 : end;
	}
	return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

bool lw_tag_wants_gpu(const struct lw_tag_request *job)
{
	return lw_tag_gpus(job->tres_per_node) || lw_tag_gpus(job->tres_per_job) ||
	       lw_tag_gpus(job->tres_per_task) || lw_tag_gpus(job->tres_per_socket);
}

bool lw_tag_is_wanted(const struct lw_tag_request *job, const struct lw_tag *tag)
{
	return tag->class != LW_TAG_NONE || lw_tag_wants_gpu(job);
}

/* ---- recognition ---- */

/* One task, "7", is no sweep, nor is a chain of tasks that run after each other, "1-9%1". */
static bool tag_is_sweep(const char *array)
{
	const char *limit = array ? strchr(array, '%') : NULL;

	return array && strpbrk(array, ",-") && !(limit && !strcmp(limit, "%1"));
}

/*
 * Whether processes on several nodes may talk to each other: many nodes, or many tasks or
 * GPUs that are not held on one node.
 */
static bool tag_may_span_nodes(const struct lw_tag_request *job)
{
	if (job->nodes_min > 1)
		return true;
	if (job->nodes_max == 1 || (job->tasks && job->tasks <= job->tasks_per_node))
		return false;
	return job->tasks > 1 || lw_tag_gpus(job->tres_per_job) > 1;
}

/* The trials of a search do not talk to each other, the nodes of one task of an array do. */
static bool tag_is_gang(const struct lw_tag_request *job, enum lw_tag_class class)
{
	if (class == LW_TAG_NONE)
		return false;
	return class == LW_TAG_SWEEP ? job->nodes_min > 1 && tag_is_sweep(job->array)
				     : tag_may_span_nodes(job);
}

/* The rules that have a say. */
struct say {
	uint32_t count;
	const struct lw_tag_rule *rule[SAYS_MAX];
};

/* Let RULE speak for its name when it is the first of it, or the strongest. */
static void tag_let_speak(const struct lw_tag_rule *rule, struct say *say)
{
	uint32_t i = 0;

	if (!rule->weight)
		return;
	while (i < say->count && strcmp(say->rule[i]->name, rule->name) != 0)
		i++;
	if (i == SAYS_MAX || (i < say->count && rule->weight <= say->rule[i]->weight))
		return;
	say->rule[i] = rule;
	say->count += i == say->count;
}

/* Whether the name of a script that is run tells that it learns, as train.py or main.py. */
static bool tag_learns(const struct lw_tag_judge *judge)
{
	int points = 0;

	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++)
		if (judge->fired.rule[i]) {
			const struct lw_tag_rule *rule = lw_tag_rules_at(judge->rules, i);

			points += rule->place == LW_TAG_ENTRY ? rule->weight : 0;
		}
	return points >= LEARNING;
}

/* A name counts once, with the strongest of its rules that hold, the first among equals. */
static void tag_gather(const struct lw_tag_judge *judge, struct say *ret_say)
{
	const bool all = !tag_learns(judge);

	ret_say->count = 0;
	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++)
		if (judge->fired.rule[i] ||
		    (all && judge->apart.rule[i]))
			tag_let_speak(lw_tag_rules_at(judge->rules, i), ret_say);
}

static int tag_sum_points(const struct say *say, bool gpu)
{
	int points = gpu ? LW_TAG_GPU_POINTS : 0;

	for (uint32_t i = 0; i < say->count; i++)
		points += say->rule[i]->weight;
	return points < 0 ? 0 : points > SURE ? SURE : points;
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

static enum lw_tag_class tag_choose_class(const struct say *say, const char *array)
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
	for (unsigned class = LW_TAG_TRAINING; class < LW_TAG_CLASS_COUNT; class ++)
		if (votes[class] > votes[best])
			best = (enum lw_tag_class) class;
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
static void tag_list_evidence(struct say *say, struct lw_tag *tag)
{
	int sign = tag->class == LW_TAG_NONE ? -1 : 1;

	for (int named = 0; named < EVIDENCE_NAMES; named++) {
		uint32_t best = say->count;

		for (uint32_t i = 0; i < say->count; i++)
			if (say->rule[i] && say->rule[i]->weight * sign > 0 &&
			    (best == say->count ||
			     say->rule[i]->weight * sign > say->rule[best]->weight * sign))
				best = i;
		if (best == say->count)
			break;
		tag_add_evidence(tag, say->rule[best]->name);
		say->rule[best] = NULL;
	}
}

static void tag_judge_interactive(struct lw_tag_judge *judge,
					  const struct lw_tag_request *job)
{
	struct lw_shell_command command = { .words = 0 };

	if (job->argv && (job->argc > 1 || !job->command_line)) {
		for (uint32_t i = 0; i < job->argc && i < LW_SHELL_WORDS_MAX && job->argv[i]; i++)
			command.word[command.words++] = (struct lw_shell_word){
				.text = job->argv[i],
				.len = (uint32_t)strnlen(job->argv[i], LW_TAG_SCRIPT_MAX),
			};
		lw_tag_judge_command(judge, &command);
	} else if (job->command_line) {
		lw_tag_judge_commands(judge, job->command_line,
				      strnlen(job->command_line, LW_TAG_SCRIPT_MAX));
	}
}

/*
 * Whether what was read leaves open what a job with GPUs does: then the middle of a long script
 * is worth its time.
 */
static bool tag_is_open(const struct lw_tag_judge *judge, bool gpu, const struct say *say)
{
	for (uint32_t i = 0; i < say->count; i++)
		if (say->rule[i]->weight < 0)
			return false;
	return (gpu || judge->named) && tag_sum_points(say, gpu) < LW_TAG_DL_POINTS;
}

/* To look for its end is to fetch all of a long script, of which little is read. */
static size_t tag_script_size(const struct lw_tag_request *job)
{
	if (!job->script_len)
		return strnlen(job->script, LW_TAG_SCRIPT_MAX);
	return job->script_len < LW_TAG_SCRIPT_MAX ? job->script_len : LW_TAG_SCRIPT_MAX;
}

static void tag_judge_job(const struct lw_tag_request *job,
				 const struct lw_tag_rules *rules, bool gpu,
				 struct say *ret_say)
{
	struct lw_tag_judge storage, *judge = &storage;

	lw_tag_judge_init(judge, rules);
	if (job->script)
		lw_tag_judge_script(judge, job->script, tag_script_size(job));
	else
		tag_judge_interactive(judge, job);
	if (job->name)
		lw_tag_rules_match(rules, LW_TAG_JOB_NAME, job->name, strlen(job->name),
				   &judge->fired);
	if (job->container)
		lw_tag_judge_image(judge, &(struct lw_shell_word){ .text = job->container, .len = (uint32_t)strlen(job->container) });
	if (!gpu)
		lw_tag_judge_names(judge, job);
	tag_gather(judge, ret_say);
	if (judge->gap.len && tag_is_open(judge, gpu, ret_say)) {
		lw_tag_judge_gap(judge);
		tag_gather(judge, ret_say);
	}
}

/* "leeway:dl" 1, "leeway:not-dl" -1, else 0; separators are spaces and commas. */
static int tag_correction(const char *comment)
{
	while (comment && *comment) {
		size_t len = strcspn(comment, " ,;");

		if (len == strlen("leeway:dl") && !memcmp(comment, "leeway:dl", len))
			return 1;
		if (len == strlen("leeway:not-dl") && !memcmp(comment, "leeway:not-dl", len))
			return -1;
		comment += len;
		comment += strspn(comment, " ,;");
	}
	return 0;
}

void lw_tag_recognise(const struct lw_tag_request *job,
				 const struct lw_tag_rules *rules, struct lw_tag *ret_tag)
{
	struct lw_tag tag = { .class = LW_TAG_NONE };
	struct say say;
	bool gpu;
	int user, points;

	gpu = lw_tag_wants_gpu(job);
	user = tag_correction(job->comment);
	tag_judge_job(job, rules, gpu, &say);
	points = user ? (user > 0 ? SURE : 0) : tag_sum_points(&say, gpu);
	if (points >= LW_TAG_DL_POINTS)
		tag.class = tag_choose_class(&say, job->array);
	tag.confidence = (uint8_t)(tag.class ? points : SURE - points);
	tag.gang = tag_is_gang(job, tag.class);
	if (user)
		tag_add_evidence(&tag, "user");
	tag_list_evidence(&say, &tag);
	if (gpu)
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

void lw_tag_explain(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		    lw_tag_evidence_f found, void *arg)
{
	struct say say;

	tag_judge_job(job, rules, lw_tag_wants_gpu(job), &say);
	for (uint32_t i = 0; i < say.count; i++)
		found(arg, say.rule[i]);
}

/* ---- text ---- */

const char *lw_tag_class_name(enum lw_tag_class class)
{
	return (unsigned)class < LW_TAG_CLASS_COUNT ? class_names[class] : "none";
}

int lw_tag_class_parse(const char *text, size_t len)
{
	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++)
		if (strlen(class_names[i]) == len && !memcmp(class_names[i], text, len))
			return i;
	return -EINVAL;
}

size_t lw_tag_encode(const struct lw_tag *tag, char *buf, size_t size)
{
	int len = snprintf(buf, size, LW_TAG_PREFIX "%s,gang=%d,conf=%d,ev=%s",
			   lw_tag_class_name(tag->class), tag->gang,
			   tag->confidence <= SURE ? tag->confidence : SURE,
			   tag->evidence[0] ? tag->evidence : "-");

	return len < (int)size ? (size_t)len : size - 1;
}

static int tag_parse_evidence(const char *value, size_t len, struct lw_tag *tag)
{
	if (len >= sizeof(tag->evidence))
		return -EINVAL;
	if (len == 1 && *value == '-')
		len = 0;
	memcpy(tag->evidence, value, len);
	tag->evidence[len] = '\0';
	return 0;
}

/* Parse one key=value of LEN bytes. */
static int tag_parse_item(const char *item, size_t len, struct lw_tag *tag)
{
	uint32_t number;

	if (len > 5 && !memcmp(item, "gang=", 5)) {
		if (len != 6 || (item[5] != '0' && item[5] != '1'))
			return -EINVAL;
		tag->gang = item[5] == '1';
	} else if (len > 5 && !memcmp(item, "conf=", 5)) {
		if (len > 8 || !tag_read_count(item + 5, item + len, &number) || number > SURE)
			return -EINVAL;
		tag->confidence = (uint8_t)number;
	} else if (len > 3 && !memcmp(item, "ev=", 3)) {
		return tag_parse_evidence(item + 3, len - 3, tag);
	}
	return 0;
}

int lw_tag_decode(const char *admin_comment, struct lw_tag *ret_tag)
{
	struct lw_tag tag = { .class = LW_TAG_NONE };
	size_t left = 0, len;
	const char *p = lw_words_find(admin_comment, LW_TAG_PREFIX, &left);
	int rc;

	if (!p)
		return -ENOENT;
	p += strlen(LW_TAG_PREFIX);
	left -= strlen(LW_TAG_PREFIX);
	len = strcspn(p, ", ");
	rc = lw_tag_class_parse(p, len);
	if (rc < 0)
		return rc;
	tag.class = (enum lw_tag_class)rc;
	while (len < left) {
		p += len + 1;
		left -= len + 1;
		len = strcspn(p, ", ");
		rc = tag_parse_item(p, len, &tag);
		if (rc)
			return rc;
	}
	*ret_tag = tag;
	return 0;
}
