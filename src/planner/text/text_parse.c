/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lw-snapshot(5) text into a snapshot; strict, since it also comes from people.
 */
#include "planner/text/text.h"

#include "planner/text/text_amounts.h"
#include "planner/text/text_fields.h"
#include "planner/text/text_names.h"
#include "planner/text/text_parser.h"
#include "planner/text/text_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A short text must not be able to ask for all memory. */
#define SETS_MAX 4096
/* above the nodes there may be switches of switches */
#define DOMAINS_MAX 16384

int lw_text_at_line(const struct lw_text_parser *p, int rc)
{
	return rc ? lw_error_prefix(p->in.err, rc, "%s:%u: ", p->in.name, p->in.line) : 0;
}

int lw_text_no_memory(const struct lw_text_parser *p)
{
	return lw_error_set(p->in.err, -ENOMEM, "%s:%u: out of memory", p->in.name, p->in.line);
}

int lw_text_need_word(const struct lw_text_parser *p, struct lw_text_word *line,
		      const char *field, struct lw_text_word *ret_word)
{
	if (lw_text_next_word(line, ret_word))
		return 0;
	return lw_text_fail(&p->in, field, "missing", NULL);
}

static int text_parse_no_more_words(const struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_text_word word;

	if (lw_text_next_word(line, &word))
		return lw_text_fail(&p->in, "line", "unexpected", &word);
	return 0;
}

/* Things that others refer to by index carry it, so that people need not count. */
static int text_parse_need_index(const struct lw_text_parser *p, struct lw_text_word *line,
				 uint32_t expected, uint32_t *ret_last)
{
	struct lw_text_word word;
	uint32_t first;
	int rc = lw_text_need_word(p, line, "index", &word);

	if (rc)
		return rc;
	if (!lw_text_range(&word, LW_TEXT_NODES_MAX - 1, &first, ret_last) || first != expected)
		return lw_text_fail(&p->in, "index", "not the next one", &word);
	return 0;
}

static int text_parse_need_single_index(const struct lw_text_parser *p, struct lw_text_word *line,
					uint32_t expected)
{
	uint32_t last = 0;
	int rc = text_parse_need_index(p, line, expected, &last);

	if (!rc && last != expected)
		return lw_text_fail(&p->in, "index", "one at a time here", NULL);
	return rc;
}

static int text_parse_need_name(const struct lw_text_parser *p, struct lw_text_word *line,
				char ret_name[LW_TEXT_NAME_MAX])
{
	struct lw_text_word word;
	int rc = lw_text_need_word(p, line, "name", &word);

	if (!rc && !lw_text_get_name(&word, ret_name))
		return lw_text_fail(&p->in, "name", "bad name", &word);
	return rc;
}

/* "idle-w=98 busy-w=338", or nothing. */
static int text_parse_get_draw(const struct lw_text_parser *p, struct lw_text_word *line,
			       struct lw_gpu_draw *draw)
{
	static const char *const keys[] = { "idle-w", "busy-w" };
	uint32_t *const values[] = { &draw->idle_w, &draw->busy_w };
	struct lw_text_word word, value, key;
	uint64_t watts;
	bool more = false;

	for (size_t i = 0; i < 2; i++) {
		if (!lw_text_next_word(line, &word))
			return more ? lw_text_fail(&p->in, keys[i], "missing", NULL) : 0;
		more = true;
		value = word;
		if (!lw_text_cut(&value, '=', &key) || !lw_text_is(&key, keys[i]))
			return lw_text_fail(&p->in, "line", "unexpected", &word);
		if (!lw_text_number(&value, LW_GPU_DRAW_MAX_W, &watts))
			return lw_text_fail(&p->in, keys[i], "bad watts", &value);
		*values[i] = (uint32_t)watts;
	}
	return text_parse_no_more_words(p, line);
}

static int parse_gpu_type(struct lw_text_parser *p, struct lw_text_word *line)
{
	uint32_t count = p->snap->gpu_type_count;
	struct lw_gpu_draw draw = { 0 };
	char name[LW_TEXT_NAME_MAX];
	int rc;

	rc = text_parse_need_single_index(p, line, count);
	if (!rc)
		rc = text_parse_need_name(p, line, name);
	if (!rc)
		rc = text_parse_get_draw(p, line, &draw);
	if (rc)
		return rc;
	rc = lw_snapshot_gpu_type(p->snap, name);
	if (rc == -ENOMEM)
		return lw_text_no_memory(p);
	if (rc == -ENOSPC)
		return lw_text_fail(&p->in, "gpu-type", "too many", NULL);
	if (rc != (int)count)
		return lw_text_fail(&p->in, "gpu-type", "given twice", NULL);
	p->snap->gpu_draw[count] = draw;
	return 0;
}

static int text_parse_add_nodes(struct lw_text_parser *p, const struct lw_text_name_run *run,
				const struct lw_node *node)
{
	char name[LW_TEXT_NAME_MAX];
	int rc = 0;

	for (uint32_t i = 0; i < run->count && !rc; i++) {
		if (!lw_text_run_name(run, i, name))
			return lw_text_fail(&p->in, "name", "too long", NULL);
		rc = lw_text_at_line(p, lw_snapshot_add_node(p->snap, name, &node->total,
							     node->usable, p->in.err));
		lw_snapshot_weigh(p->snap, p->snap->node_count - 1, node->weight);
		lw_snapshot_set_linked(p->snap, p->snap->node_count - 1, node->linked);
	}
	return rc;
}

/* "down", "weight=10", "linked=4", "gpu-parts=2" or an amount. */
static int parse_node_word(struct lw_text_parser *p, const struct lw_text_word *word,
			   struct lw_node *node)
{
	struct lw_text_word value = *word;

	if (lw_text_skip(&value, "weight="))
		return lw_text_get_weight(&p->in, &value, &node->weight);
	if (node->usable && lw_text_is(word, "down"))
		node->usable = false;
	else if (!lw_text_get_count(*word, "linked", &node->linked) &&
		 !lw_text_get_count(*word, "gpu-parts", &node->total.gpu_parts))
		return lw_text_get_amount(&p->in, word, p->snap, &node->total);
	return 0;
}

static int parse_node(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_text_name_run run;
	struct lw_node node = { .usable = true, .weight = 1 };
	struct lw_text_word word;
	uint32_t last = 0;
	int rc;

	rc = text_parse_need_index(p, line, p->snap->node_count, &last);
	if (!rc)
		rc = lw_text_need_word(p, line, "name", &word);
	if (rc)
		return rc;
	if (!lw_text_get_name_run(&word, &run))
		return lw_text_fail(&p->in, "name", "bad name", &word);
	if (run.count != last - p->snap->node_count + 1)
		return lw_text_fail(&p->in, "name", "not as many names as indices", &word);
	while (!rc && lw_text_next_word(line, &word))
		rc = parse_node_word(p, &word, &node);
	return rc ? rc : text_parse_add_nodes(p, &run, &node);
}

int lw_text_ranges(struct lw_text_parser *p, struct lw_text_word *list,
		   int (*add_f)(struct lw_text_parser *p, uint32_t first, uint32_t last,
				void *arg),
		   void *arg)
{
	uint32_t first, last, next = 0;
	struct lw_text_word range;
	bool more;
	int rc;

	do {
		more = lw_text_cut(list, ',', &range);
		if (!p->snap->node_count ||
		    !lw_text_range(&range, p->snap->node_count - 1, &first, &last))
			return lw_text_fail(&p->in, "nodes", "no such nodes", &range);
		if (first < next)
			return lw_text_fail(&p->in, "nodes", "not in order", &range);
		next = last + 1;
		rc = add_f(p, first, last, arg);
	} while (!rc && more);
	return rc;
}

static int text_parse_add_set_range(struct lw_text_parser *p, uint32_t first, uint32_t last,
				    void *arg)
{
	(void)p;
	for (uint32_t i = first; i <= last; i++)
		lw_bitset_set(arg, i);
	return 0;
}

/* Make *RET_NODES of the ranges that are left of LINE, if there are any. */
static int text_parse_get_nodes(struct lw_text_parser *p, struct lw_text_word *line,
				struct lw_bitset *ret_nodes)
{
	struct lw_text_word list;
	int rc = 0;

	if (lw_bitset_init(ret_nodes, p->snap->node_count))
		return lw_text_no_memory(p);
	if (lw_text_next_word(line, &list))
		rc = lw_text_ranges(p, &list, text_parse_add_set_range, ret_nodes);
	if (!rc)
		rc = text_parse_no_more_words(p, line);
	if (rc)
		lw_bitset_fini(ret_nodes);
	return rc;
}

static int parse_topology(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_text_word word;
	int rc = lw_text_need_word(p, line, "topology", &word);

	if (rc)
		return rc;
	if (!lw_text_is(&word, "block"))
		return lw_text_fail(&p->in, "topology", "can only be block", &word);
	if (p->snap->domains.strict || p->snap->domains.count)
		return lw_text_fail(&p->in, "topology", "must come once, before domains", NULL);
	p->snap->domains.strict = true;
	return text_parse_no_more_words(p, line);
}

/* Take "in=3" off the front of LINE, if it is there. */
static int text_parse_get_parent(const struct lw_text_parser *p, struct lw_text_word *line,
				 uint32_t *ret_parent)
{
	struct lw_text_word rest = *line, word;
	uint64_t parent;

	if (!lw_text_next_word(&rest, &word) || !lw_text_skip(&word, "in="))
		return 0;
	if (!p->snap->domains.count ||
	    !lw_text_number(&word, p->snap->domains.count - 1, &parent))
		return lw_text_fail(&p->in, "in", "no such domain before it", &word);
	*ret_parent = (uint32_t)parent;
	*line = rest;
	return 0;
}

static int parse_domain(struct lw_text_parser *p, struct lw_text_word *line)
{
	uint32_t parent = LW_NO_DOMAIN;
	struct lw_bitset nodes;
	char name[LW_TEXT_NAME_MAX];
	int rc;

	if (p->snap->domains.count == DOMAINS_MAX)
		return lw_text_fail(&p->in, "domain", "too many", NULL);
	if (p->snap->set_count)
		return lw_text_fail(&p->in, "domain", "must come before sets", NULL);
	rc = text_parse_need_single_index(p, line, p->snap->domains.count);
	if (!rc)
		rc = text_parse_need_name(p, line, name);
	if (!rc)
		rc = text_parse_get_parent(p, line, &parent);
	if (!rc)
		rc = text_parse_get_nodes(p, line, &nodes);
	if (rc)
		return rc;
	rc = lw_text_at_line(p, lw_snapshot_add_domain(p->snap, name, parent, &nodes, p->in.err));
	lw_bitset_fini(&nodes);
	return rc;
}

static int parse_mix(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_mix_size size = { 0 };
	struct lw_text_word word;
	uint64_t seen = 0;
	int rc = 0;

	lw_text_absent_fields(&lw_text_size, &size);
	while (!rc && lw_text_next_word(line, &word))
		rc = lw_text_get_field(&p->in, &lw_text_size, &word, p->snap, &size, &seen);
	if (!rc)
		rc = lw_text_check_fields(&p->in, &lw_text_size, seen);
	return rc ? rc : lw_text_at_line(p, lw_snapshot_add_size(p->snap, &size, p->in.err));
}

static int parse_set(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_bitset nodes;
	char name[LW_TEXT_NAME_MAX];
	int rc;

	if (p->snap->set_count == SETS_MAX)
		return lw_text_fail(&p->in, "set", "too many", NULL);
	rc = text_parse_need_single_index(p, line, p->snap->set_count);
	if (!rc)
		rc = text_parse_need_name(p, line, name);
	if (!rc)
		rc = text_parse_get_nodes(p, line, &nodes);
	if (rc)
		return rc;
	rc = lw_text_at_line(p, lw_snapshot_add_set(p->snap, name, &nodes, p->in.err));
	lw_bitset_fini(&nodes);
	return rc;
}

/* closed NUMBER from=TIME until=TIME NODES */
static int parse_resv_window(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_resv_window resv_window = { 0 };
	struct lw_bitset nodes;
	struct lw_text_word word;
	uint64_t seen = 0;
	int rc = text_parse_need_single_index(p, line, p->snap->resv_window_count);

	for (int i = 0; !rc && i < 2; i++) {
		rc = lw_text_need_word(p, line, "closed", &word);
		if (!rc)
			rc = lw_text_get_field(&p->in, &lw_text_resv_window, &word, p->snap,
					       &resv_window, &seen);
	}
	if (!rc)
		rc = lw_text_check_fields(&p->in, &lw_text_resv_window, seen);
	if (!rc)
		rc = text_parse_get_nodes(p, line, &nodes);
	if (rc)
		return rc;
	rc = lw_text_at_line(p, lw_snapshot_add_resv_window(p->snap, &nodes, resv_window.from_s,
							    resv_window.until_s, p->in.err));
	lw_bitset_fini(&nodes);
	return rc;
}

static int parse_policy(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_policy_params ignored;

	if (p->policies++)
		return lw_text_fail(&p->in, "policy", "given twice", NULL);
	return lw_text_get_policy(&p->in, line, &ignored);
}

static const struct {
	const char *word;
	int (*parse_f)(struct lw_text_parser *p, struct lw_text_word *line);
} lines[] = {
	{ "gpu-type", parse_gpu_type }, { "node", parse_node },
	{ "topology", parse_topology }, { "domain", parse_domain },
	{ "mix", parse_mix },           { "set", parse_set },
	{ "run", lw_text_get_run },     { "wait", lw_text_get_wait },
	{ "policy", parse_policy },     { "closed", parse_resv_window },
	{ "need", lw_text_get_need },   { "keep", lw_text_get_keep },
};

static int text_parse_parse_line(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_text_word word;
	int rc = 0;

	lw_text_next_word(line, &word);
	if (!lw_text_is(&word, "need"))
		rc = lw_text_end_coallocation(p);
	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (lw_text_is(&word, lines[i].word))
			return lines[i].parse_f(p, line);
	}
	return lw_text_fail(&p->in, "line", "unknown kind", &word);
}

/* The next line must be "WORD number". */
static int parse_head(struct lw_text_parser *p, const char *word, int64_t *ret_value)
{
	struct lw_text_word line, got;

	if (!lw_text_next_line(&p->in, &line))
		return p->in.line ? lw_text_fail(&p->in, word, "missing", NULL)
				  : lw_error_set(p->in.err, -EINVAL, "%s: the file is empty",
						 p->in.name);
	lw_text_next_word(&line, &got);
	if (!lw_text_is(&got, word))
		return lw_text_fail(&p->in, word, "expected instead of", &got);
	if (!lw_text_next_word(&line, &got) || !lw_text_time(&got, ret_value))
		return lw_text_fail(&p->in, word, "bad number", &got);
	return text_parse_no_more_words(p, &line);
}

static int text_parse_parse_text(struct lw_text_parser *p)
{
	int64_t version = 0, now_s = 0;
	struct lw_text_word line;
	int rc;

	rc = parse_head(p, "lw-snapshot", &version);
	if (rc)
		return rc;
	if (version != 1)
		return lw_text_fail(&p->in, "lw-snapshot", "only version 1 can be read", NULL);
	rc = parse_head(p, "now", &now_s);
	p->snap->now_s = now_s;
	while (!rc && lw_text_next_line(&p->in, &line))
		rc = text_parse_parse_line(p, &line);
	return rc ? rc : lw_text_end_coallocation(p);
}

static int text_parse_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A plan says names, so two nodes of one name would make it ambiguous. */
static int text_parse_check_node_names(const struct lw_text_parser *p)
{
	uint32_t count = p->snap->node_count;
	char **names = calloc(count ? count : 1, sizeof(*names));
	int rc = 0;

	if (!names)
		return lw_text_no_memory(p);
	for (uint32_t i = 0; i < count; i++)
		names[i] = p->snap->nodes[i].name;
	qsort(names, count, sizeof(*names), text_parse_compare_names);
	for (uint32_t i = 1; i < count && !rc; i++) {
		if (!strcmp(names[i - 1], names[i]))
			rc = lw_error_set(p->in.err, -EINVAL, "%s:%u: node: two are called %s",
					  p->in.name, p->in.line, names[i]);
	}
	free(names);
	return rc;
}

int lw_snapshot_parse(struct lw_snapshot *snap, const char *name, const char *text,
		      struct lw_error *err)
{
	struct lw_text_parser p = {
		.in = { .name = name, .rest = text, .err = err },
		.snap = snap,
	};
	int rc;

	lw_snapshot_init(snap, 0);
	rc = text_parse_parse_text(&p);
	if (!rc)
		rc = text_parse_check_node_names(&p);
	free(p.allocs);
	free(p.needs);
	if (rc)
		lw_snapshot_fini(snap);
	return rc;
}
