/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway tag: what job_submit/leeway would make of job scripts, and why. */
#include "cli/common/tools.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/tag/corpus.h"
#include "cli/tag/submit.h"
#include "config/config.h"

struct request {
	const char *options;
	const char *rules;
	const char *corpus;
	double min_precision, min_recall;
	bool old_spelling;
	const char *json; /* where to; NULL: as text */
	char **scripts;
	int script_count;
};

/* What is known of one script. */
struct judged {
	const char *file;
	struct lw_submit submit;
	struct lw_tag_request job;
	struct lw_tag tag;
	char text[LW_TAG_TEXT_MAX];
	bool tagged; /* whether the plugin would write the tag at all */
};

/* ---- options ---- */

static int read_options(int argc, char **argv, struct request *request, struct lw_error *err)
{
	static const char *const releases[] = { "22.05", "24.11", NULL };
	uint32_t release = 1;
	bool has_least = false;
	const struct lw_option options[] = {
#include "cli/tag/tag_options.def"
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	if (rc)
		return rc;
	request->old_spelling = release == 0;
	request->scripts = argv + optind;
	request->script_count = argc - optind;
	if (!request->corpus == !request->script_count)
		return lw_error_set(err, -EINVAL, "name scripts, or a corpus by --corpus");
	if (has_least && !request->corpus)
		return lw_error_set(err, -EINVAL,
				    "--min-precision and --min-recall belong to --corpus");
	return 0;
}

/* ---- scripts ---- */

static void tag_judge(const struct request *request, const struct lw_tag_rules *rules,
		      const char *script, struct judged *judged)
{
	lw_submit_read(script, request->options, request->old_spelling, &judged->submit);
	lw_submit_request(&judged->submit, script, &judged->job);
	lw_tag_recognise(&judged->job, rules, &judged->tag);
	lw_tag_encode(&judged->tag, judged->text, sizeof(judged->text));
	judged->tagged = lw_tag_is_wanted(&judged->job, &judged->tag);
}

static void print_rule(void *arg, const struct lw_tag_rule *rule)
{
	fprintf(arg, "  %+4d  %s%s%s\n", rule->weight, lw_tools_plain(rule->name),
		rule->class ? ", speaks for " : "",
		rule->class ? lw_tag_class_name(rule->class) : "");
}

static void print_script(const struct judged *judged, const struct lw_tag_rules *rules)
{
	if (judged->tag.class)
		printf("%s: %s%s, %u %% sure\n", lw_tools_plain(judged->file),
		       lw_tag_class_name(judged->tag.class), judged->tag.gang ? " in a gang" : "",
		       judged->tag.confidence);
	else
		printf("%s: not deep learning, %u %% sure\n", lw_tools_plain(judged->file),
		       judged->tag.confidence);
	printf("  %s\n", judged->tagged ? judged->text
					: "no tag: neither deep learning nor a GPU asked for");
	lw_tag_explain(&judged->job, rules, print_rule, stdout);
	if (lw_tag_wants_gpu(&judged->job))
		printf("  %+4d  a GPU is asked for\n", LW_TAG_GPU_POINTS);
}

static void add_rule(void *arg, const struct lw_tag_rule *rule)
{
	json_array_append_new(arg,
			      json_pack("{s:s, s:i, s:s}", "rule", rule->name, "points",
					rule->weight, "kind", lw_tag_class_name(rule->class)));
}

static void add_script(json_t *list, const struct judged *judged,
		       const struct lw_tag_rules *rules)
{
	json_t *evidence = json_array();

	lw_tag_explain(&judged->job, rules, add_rule, evidence);
	json_array_append_new(
		list, json_pack("{s:o, s:s, s:b, s:i, s:b, s:o, s:o}", "file",
				lw_output_string(judged->file),
				"kind", lw_tag_class_name(judged->tag.class), "gang",
				judged->tag.gang, "confidence", judged->tag.confidence, "gpu",
				lw_tag_wants_gpu(&judged->job), "tag",
				judged->tagged ? json_string(judged->text) : json_null(),
				"evidence", evidence));
}

static int tag_script(const struct request *request, const struct lw_tag_rules *rules,
		      const char *file, json_t *list, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct judged judged = { .file = file };
	int rc = lw_tools_read_text(file, &text, err);

	if (!rc) {
		tag_judge(request, rules, lw_strbuf_text(&text), &judged);
		if (list)
			add_script(list, &judged, rules);
		else
			print_script(&judged, rules);
	}
	lw_strbuf_fini(&text);
	return rc;
}

static int tag_scripts(const struct request *request, const struct lw_tag_rules *rules,
		       struct lw_error *err)
{
	json_t *list = request->json ? json_array() : NULL;
	int rc = 0;

	for (int i = 0; !rc && i < request->script_count; i++)
		rc = tag_script(request, rules, request->scripts[i], list, err);
	if (!rc && request->json)
		rc = lw_output_json(request->json,
				    lw_json_named("leeway.tag",
						  json_pack("{s:O}", "scripts", list)),
				    err);
	json_decref(list);
	return rc;
}

/* ---- a corpus ---- */

static int check_share(const char *what, double share, double least, enum lw_corpus_part part,
		       struct lw_error *err)
{
	if (share >= least)
		return 0;
	return lw_error_set(err, -ERANGE, "%s of the part %s is %.3f, below %g", what,
			    lw_corpus_part_name(part), share, least);
}

static int check_corpus(const struct request *request, const struct lw_corpus *corpus,
			struct lw_error *err)
{
	struct lw_corpus_score score;
	int rc = 0;

	for (int part = 0; !rc && part < LW_CORPUS_PARTS; part++) {
		lw_corpus_count(corpus, (enum lw_corpus_part)part, &score);
		rc = check_share("precision", lw_corpus_precision(&score), request->min_precision,
				 (enum lw_corpus_part)part, err);
		if (!rc)
			rc = check_share("recall", lw_corpus_recall(&score), request->min_recall,
					 (enum lw_corpus_part)part, err);
	}
	return rc;
}

static int tag_corpus(const struct request *request, const struct lw_tag_rules *rules,
		      struct lw_error *err)
{
	struct lw_corpus corpus;
	int rc = lw_corpus_read(request->corpus, &corpus, err);

	if (rc)
		return rc;
	lw_corpus_tag(&corpus, rules, request->old_spelling);
	if (request->json)
		rc = lw_corpus_print_json(&corpus, request->json, err);
	else
		lw_corpus_print(&corpus, stdout);
	if (!rc)
		rc = check_corpus(request, &corpus, err);
	lw_corpus_fini(&corpus);
	return rc;
}

/* ---- rules of the site ---- */

struct complaints {
	const char *file;
	uint32_t count;
};

static void print_complaint(void *arg, unsigned line, const char *text)
{
	struct complaints *complaints = arg;

	complaints->count++;
	fprintf(stderr, "leeway tag: %s:%u: tag.rules: %s\n", lw_tools_plain(complaints->file),
		line, lw_tools_plain(text));
}

/* A rule with a mistake is named and left out as in slurmctld, but is a failure here. */
static int take_rules(struct lw_tag_rules *rules, const struct lw_config *config,
		      const struct lw_mistakes *mistakes, const char *file, struct lw_error *err)
{
	struct complaints complaints = { file, 0 };

	for (uint32_t i = 0; i < mistakes->count; i++)
		print_complaint(&complaints, mistakes->mistake[i].line, mistakes->mistake[i].what);
	lw_tag_rules_take(rules, &config->tag_rules, print_complaint, &complaints);
	return complaints.count
		       ? lw_error_set(err, -EINVAL, "%s: rules with mistakes were left out", file)
		       : 0;
}

static int judge_all(const struct request *request, const struct lw_tag_rules *rules,
		     struct lw_error *err)
{
	return request->corpus ? tag_corpus(request, rules, err)
			       : tag_scripts(request, rules, err);
}

/* Judge even when rules are broken, as slurmctld does, and fail then. */
static int judge_by(const struct request *request, struct lw_tag_rules *rules,
		    const struct lw_config *config, const struct lw_mistakes *mistakes,
		    struct lw_error *err)
{
	int bad = take_rules(rules, config, mistakes, request->rules, err);
	struct lw_error judged = { "" };
	int rc = judge_all(request, rules, &judged);

	if (rc)
		*err = judged;
	return rc ? rc : bad;
}

static int tag_run(const struct request *request, struct lw_tag_rules *rules,
		   struct lw_error *err)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_config config;
	int rc;

	if (!request->rules)
		return judge_all(request, rules, err);
	rc = lw_config_load(request->rules, &config, &mistakes, err);
	if (!rc) {
		rc = judge_by(request, rules, &config, &mistakes, err);
		lw_config_fini(&config);
	}
	lw_mistakes_fini(&mistakes);
	return rc;
}

int lw_tools_tag(int argc, char **argv)
{
	struct lw_tag_rules *rules = NULL;
	struct request request = { 0 };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(argc, argv, &request, &err);
	if (rc)
		return lw_options_refused("tag", rc, &err);
	rc = lw_tag_rules_create(&rules);
	if (rc)
		lw_error_set(&err, rc, "out of memory");
	else
		rc = tag_run(&request, rules, &err);
	lw_tag_rules_destroy(rules);
	rc = lw_output_flush(rc, &err);
	return rc ? lw_tools_failed("tag", &err) : LW_TOOLS_OK;
}
