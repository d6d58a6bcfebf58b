/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain submit: a job a link, by plain sbatch, each to wait for the one before. */
#include "cli/chain/chain.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/number.h"
#include "base/strbuf.h"
#include "cli/chain/command.h"
#include "cli/common/json.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

/* Words of our own in a command, and its end. */
#define OWN_WORDS 6
/* Room for "--dependency=afterany:4294967295?after:4294967295+1000000", and for a cluster's name.
 */
#define WORD_MAX 320

/* What became of a chain. */
struct sent {
	const struct lw_chain_request *request;
	const struct lw_chain_line *line;
	uint32_t after_min; /* a link may begin so long after the one before; 0: after its end */
	uint32_t *ids; /* a job for each link, as far as they were sent */
	uint32_t count;
	char cluster[WORD_MAX - 16]; /* that sbatch named, or "" */
	uint32_t unsure;             /* a job that may have been sent beside them, or 0 */
	bool doubtful;               /* a job may have been sent with an unknown number */
	char reason[LW_ERROR_MAX];   /* why it is not whole, or "" */
};

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
	interrupted = number;
}

static const int held[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE };
#define HELD (sizeof(held) / sizeof(held[0]))

/*
 * A chain must not break off without a word. A signal to terminate ends it after the link that
 * is being sent; a reader that has gone away does not end it. A signal that is ignored stays
 * ignored.
 */
static void hold_signals(struct sigaction before[HELD])
{
	interrupted = 0;
	for (size_t i = 0; i < HELD; i++) {
		struct sigaction ours = { .sa_handler =
						  held[i] == SIGPIPE ? SIG_IGN : note_signal };

		sigemptyset(&ours.sa_mask);
		sigaction(held[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(held[i], &ours, NULL);
	}
}

static void release_signals(const struct sigaction before[HELD])
{
	for (size_t i = 0; i < HELD; i++)
		sigaction(held[i], &before[i], NULL);
}

/* ---- one link ---- */

/* The words of a link's command in a row; what is ours lies in the texts. */
struct command {
	const char **argv;
	char signal[WORD_MAX], cluster[WORD_MAX], after[WORD_MAX];
};

/* The option by which a link waits for the job BEFORE. */
static void name_before(const struct sent *sent, const char *before, char option[WORD_MAX])
{
	if (sent->after_min)
		snprintf(option, WORD_MAX, "--dependency=afterany:%s?after:%s+%" PRIu32, before,
			 before, sent->after_min);
	else
		snprintf(option, WORD_MAX, "--dependency=%s:%s",
			 sent->request->after == TOOLS_CHAIN_OK ? "afterok" : "afterany", before);
}

/*
 * That of a link that waits for the job BEFORE, a number or how a shell finds it; NULL: for none.
 * Of two options of one name sbatch takes the later: ours are the last.
 */
static int make_command(const struct sent *sent, const char *before, struct command *command)
{
	const struct lw_chain_line *line = sent->line;
	int at = 0;

	command->argv = calloc((size_t)line->count + OWN_WORDS, sizeof(*command->argv));
	if (!command->argv)
		return -ENOMEM;
	command->argv[at++] = "sbatch";
	command->argv[at++] = "--parsable";
	for (int i = 0; i < line->options; i++)
		command->argv[at++] = line->words[i];
	if (sent->request->signal) {
		snprintf(command->signal, WORD_MAX, "--signal=%s", sent->request->signal);
		command->argv[at++] = command->signal;
	}
	if (before && sent->cluster[0]) {
		snprintf(command->cluster, WORD_MAX, "--clusters=%s", sent->cluster);
		command->argv[at++] = command->cluster;
	}
	if (before) {
		name_before(sent, before, command->after);
		command->argv[at++] = command->after;
	}
	for (int i = line->options; i < line->count; i++)
		command->argv[at++] = line->words[i];
	return 0;
}

/* "4711" or "4711;cluster": the answer of sbatch --parsable. */
static bool read_answer(const char *text, uint32_t *ret_id, char *cluster, size_t size)
{
	uint64_t id;

	if (!lw_number_take(&text, UINT32_MAX - 1, &id) || !id || (*text && *text != ';'))
		return false;
	/* a cluster name that is cut could be that of another */
	if (*text && snprintf(cluster, size, "%s", text + 1) >= (int)size)
		return false;
	*ret_id = (uint32_t)id;
	return true;
}

/* The job in what sbatch printed, or 0. A site's own may print more lines before it. */
static uint32_t find_answer(struct sent *sent, const struct lw_strbuf *out)
{
	char *copy = strdup(lw_strbuf_text(out)), *line = copy, *next;
	uint32_t id = 0;

	for (; line; line = next) {
		next = lw_tools_cut_line(line);
		(void)read_answer(line, &id, sent->cluster, sizeof(sent->cluster));
	}
	free(copy);
	return id;
}

/* WHAT, and WHY without the end of its last line. */
static void set_reason(struct sent *sent, const char *what, const char *why)
{
	struct lw_error reason = { "" };
	size_t len = strlen(why);

	while (len && strchr("\r\n", why[len - 1]))
		len--;
	lw_error_set(&reason, 0, "%s%.*s", what, (int)len, why);
	snprintf(sent->reason, sizeof(sent->reason), "%s", reason.text);
}

/* What SAID means: a link more, or a reason why there is none. */
static void judge_answer(struct sent *sent, const struct lw_command_said *said)
{
	bool ended_well = WIFEXITED(said->status) && WEXITSTATUS(said->status) == 0;
	bool much = said->out.len > LW_COMMAND_OUTPUT_MAX;
	uint32_t id = much ? 0 : find_answer(sent, &said->out);
	char *reason = lw_command_reason(said);

	if (ended_well && id)
		sent->ids[sent->count++] = id;
	else if (!ended_well)
		set_reason(sent, "sbatch failed: ", reason ? reason : "out of memory");
	else if (much)
		set_reason(sent, "sbatch printed far more than the number of a job", "");
	else if (!said->out.len)
		set_reason(sent, "sbatch printed no number of a job", "");
	else
		set_reason(sent, "sbatch printed no number of a job, but: ",
			   lw_strbuf_text(&said->out));
	if (!ended_well)
		sent->unsure = id;
	sent->doubtful = !id && (ended_well || WIFSIGNALED(said->status));
	free(reason);
}

static void send_link(struct sent *sent)
{
	struct lw_command_said said;
	struct lw_error why = { "" };
	struct command command;
	char before[16];
	int rc;

	if (sent->count)
		snprintf(before, sizeof(before), "%" PRIu32, sent->ids[sent->count - 1]);
	if (make_command(sent, sent->count ? before : NULL, &command)) {
		set_reason(sent, "out of memory", "");
		return;
	}
	rc = lw_command_run(command.argv, &said, &why);
	if (rc)
		set_reason(sent, why.text, "");
	else
		judge_answer(sent, &said);
	lw_command_fini(&said);
	free(command.argv);
}

/* ---- what is told ---- */

static void print_link(const struct sent *sent)
{
	uint32_t count = sent->count;

	printf("%" PRIu32 "  link %" PRIu32 " of %" PRIu32, sent->ids[count - 1], count,
	       sent->request->links);
	if (count > 1)
		printf(", when %" PRIu32 " has %s", sent->ids[count - 2],
		       sent->request->after == TOOLS_CHAIN_OK ? "ended well" : "ended");
	if (count > 1 && sent->after_min)
		printf(", or %" PRIu32 " minutes after its start", sent->after_min);
	printf("\n");
	fflush(stdout);
}

/* What is there of a chain that is not whole, and what to do about it; where it cannot get lost.
 */
static void tell_rest(const struct sent *sent)
{
	char before[16], after[WORD_MAX];

	if (!sent->count)
		fprintf(stderr, "No job was sent.\n");
	if (sent->unsure)
		fprintf(stderr,
			"Job %" PRIu32 " may have been sent, though: see squeue -j %" PRIu32 "\n",
			sent->unsure, sent->unsure);
	else if (sent->doubtful)
		fprintf(stderr, "That link may have been sent, though: see squeue --me\n");
	if (!sent->count)
		return;
	fprintf(stderr, "Sent, and left as they are:");
	for (uint32_t i = 0; i < sent->count; i++)
		fprintf(stderr, " %" PRIu32, sent->ids[i]);
	fprintf(stderr, "\nTo cancel them:  scancel");
	if (sent->cluster[0])
		fprintf(stderr, " --clusters=%s", lw_tools_plain(sent->cluster));
	for (uint32_t i = 0; i < sent->count; i++)
		fprintf(stderr, " %" PRIu32, sent->ids[i]);
	snprintf(before, sizeof(before), "%" PRIu32, sent->ids[sent->count - 1]);
	name_before(sent, before, after);
	if (sent->count == sent->request->links)
		fprintf(stderr, "\n");
	else
		fprintf(stderr,
			sent->after_min
				? "\nTo go on:        the same command with --links %" PRIu32
				  " '%s'\n"
				: "\nTo go on:        the same command with --links %" PRIu32
				  " %s\n",
			sent->request->links - sent->count, after);
}

static json_t *make_links(const struct sent *sent)
{
	json_t *links = json_array();

	for (uint32_t i = 0; i < sent->count; i++) {
		char job[16], before[16] = "";

		snprintf(job, sizeof(job), "%" PRIu32, sent->ids[i]);
		if (i)
			snprintf(before, sizeof(before), "%" PRIu32, sent->ids[i - 1]);
		json_array_append_new(links, json_pack("{s:s, s:o}", "job", job, "after",
						       i ? json_string(before) : json_null()));
	}
	return links;
}

static int print_json(const struct sent *sent, struct lw_error *err)
{
	bool whole = sent->count == sent->request->links;
	json_t *root = json_pack("{s:o, s:I, s:b, s:o, s:o}", "links", make_links(sent), "asked",
				 (json_int_t)sent->request->links, "whole", (int)whole, "cluster",
				 sent->cluster[0] ? lw_output_string(sent->cluster) : json_null(),
				 "error", whole ? json_null() : lw_output_string(sent->reason));

	return lw_output_json(sent->request->json, lw_json_named("leeway.chain.submit", root),
			      err);
}

/* ---- --dry-run ---- */

/*
 * A line for a shell: id2=$(sbatch ... --dependency=afterany:${id1%%;*} ...), without what a
 * cluster's name adds.
 */
static int add_line(const struct sent *sent, uint32_t link, struct lw_strbuf *text)
{
	struct command command;
	char before[32];
	int rc;

	snprintf(before, sizeof(before), "${id%" PRIu32 "%%%%;*}", link - 1);
	rc = make_command(sent, link > 1 ? before : NULL, &command);
	if (rc)
		return rc;
	lw_strbuf_add(text, "id%" PRIu32 "=$(sbatch", link);
	for (int i = 1; command.argv[i]; i++) {
		/* what a shell takes for a pattern is in quotes */
		if (command.argv[i] == command.after)
			lw_strbuf_add(text, sent->after_min ? " \"%s\"" : " %s", command.after);
		else
			lw_origin_add_word(text, command.argv[i]);
	}
	lw_strbuf_add(text, ")");
	free(command.argv);
	return 0;
}

static int dry_run(const struct sent *sent, struct lw_error *err)
{
	const struct lw_chain_request *request = sent->request;
	json_t *lines = json_array();
	int rc = 0;

	for (uint32_t link = 1; !rc && link <= request->links; link++) {
		struct lw_strbuf text = LW_STRBUF_INIT;

		rc = add_line(sent, link, &text);
		rc = rc ? rc : text.error;
		if (rc)
			lw_error_set(err, rc, "out of memory");
		else if (request->json)
			json_array_append_new(lines, lw_output_string(lw_strbuf_text(&text)));
		else
			printf("%s\n", lw_strbuf_text(&text));
		lw_strbuf_fini(&text);
	}
	if (!rc && request->json)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.chain.submit",
				      json_pack("{s:[], s:I, s:b, s:n, s:n, s:O}", "links",
						"asked", (json_int_t)request->links, "whole", 0,
						"cluster", "error", "commands", lines)),
			err);
	json_decref(lines);
	return rc;
}

/* ---- all of them ---- */

static void send_links(struct sent *sent)
{
	bool as_text = !sent->request->json;

	while (sent->count < sent->request->links && !sent->reason[0]) {
		uint32_t before = sent->count;

		send_link(sent);
		if (as_text && sent->count > before)
			print_link(sent);
		if (interrupted && sent->count < sent->request->links && !sent->reason[0])
			set_reason(sent, "interrupted", "");
	}
}

/* What of the environment would have sbatch print nothing, or wait for the job's end. */
static void clear_environment(void)
{
	unsetenv("SBATCH_QUIET");
	unsetenv("SBATCH_WAIT");
	unsetenv("SBATCH_TEST_ONLY");
}

static int chain_send(struct sent *sent, struct lw_error *err)
{
	struct sigaction before[HELD];
	uint32_t links = sent->request->links;
	struct lw_error why = { "" };
	int rc;

	clear_environment();
	hold_signals(before);
	send_links(sent);
	rc = sent->request->json ? print_json(sent, &why) : lw_output_flush(0, &why);
	release_signals(before);
	if (sent->count < links) {
		fprintf(stderr,
			"leeway chain: link %" PRIu32 " of %" PRIu32 " was not sent: %s\n",
			sent->count + 1, links, sent->reason);
		tell_rest(sent);
		return lw_error_set(err, -EIO, "the chain is not whole");
	}
	if (rc) {
		tell_rest(sent);
		return lw_error_set(err, rc, "%s", why.text);
	}
	return 0;
}

int lw_chain_submit(const struct lw_chain_request *request, const struct lw_chain_line *line,
		    struct lw_error *err)
{
	struct sent sent = { .request = request, .line = line };
	int rc;

	if (request->signal && strlen(request->signal) > WORD_MAX / 2)
		return lw_error_set(err, -EINVAL, "--signal: too long");
	if (request->has_overlap &&
	    lw_chain_overlap(line, request->overlap_s, &sent.after_min, err))
		return -EINVAL;
	if (request->dry_run)
		return dry_run(&sent, err);
	rc = lw_output_check(request->json, err);
	if (rc)
		return rc;
	sent.ids = calloc(request->links, sizeof(*sent.ids));
	if (!sent.ids)
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = chain_send(&sent, err);
	free(sent.ids);
	return rc;
}
