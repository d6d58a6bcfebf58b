/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what sacct printed: rows under a header line. */
#include "cli/common/sacct.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"

/* More bars than that are no name. */
#define SURPLUS_MAX 1000

/*
 * Users give jobs what names they like, also with the separator in them or over several lines:
 * such a text ends where what follows has the form of the columns that follow.
 */
enum form {
	ANY,
	FREE, /* may hold bars */
	ID,
	TIME,
	AMOUNT,
	STATE,
	TRES,
	LIMIT,
};

static const struct {
	const char *name;
	enum form form;
} forms[] = {
	{ "JobName", FREE },	   { "Comment", FREE },	     { "AdminComment", FREE },
	{ "SystemComment", FREE }, { "SubmitLine", FREE },   { "WorkDir", FREE },
	{ "Constraints", FREE },   { "Container", FREE },    { "Extra", FREE },
	{ "StdErr", FREE },	   { "StdIn", FREE },	     { "StdOut", FREE },
	{ "WCKey", FREE },	   { "JobID", ID },	     { "JobIDRaw", ID },
	{ "Submit", TIME },	   { "Start", TIME },	     { "End", TIME },
	{ "Eligible", TIME },	   { "NNodes", AMOUNT },     { "AllocNodes", AMOUNT },
	{ "ReqNodes", AMOUNT },	   { "NCPUS", AMOUNT },	     { "AllocCPUS", AMOUNT },
	{ "ReqCPUS", AMOUNT },	   { "ElapsedRaw", AMOUNT }, { "UID", AMOUNT },
	{ "GID", AMOUNT },	   { "State", STATE },	     { "AllocTRES", TRES },
	{ "ReqTRES", TRES },	   { "TimelimitRaw", LIMIT }, { "Timelimit", LIMIT },
	{ "User", ANY },	   { "Account", ANY },	     { "Partition", ANY },
	{ "QOS", ANY },		   { "Cluster", ANY },	     { "NodeList", ANY },
	{ "Flags", ANY },	   { "ExitCode", ANY },	     { "Elapsed", ANY },
};

/* -1: a column we know nothing of. */
static int find_form(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(name, forms[i].name) == 0)
			return (int)forms[i].form;
	return -1;
}

/* "12", "12_3", "12_[3-5]", "12+0", "12.batch" */
static bool is_id(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && (!text[digits] || strchr("_+.[", text[digits]));
}

static bool is_time(const char *text)
{
	struct lw_error err;
	int64_t time_s;

	return !lw_sacct_time(text, "", &time_s, &err);
}

/* "COMPLETED", "CANCELLED by 1000", "CANCELLED+" */
static bool is_state(const char *text)
{
	size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

	return len && (!text[len] || text[len] == ' ' || text[len] == '+');
}

static bool is_limit(const char *text)
{
	struct lw_error err;
	int64_t limit_s;

	return !lw_sacct_limit(text, &limit_s, &err);
}

static bool has_form(enum form form, const char *text)
{
	switch (form) {
	case ID:
		return is_id(text);
	case TIME:
		return is_time(text);
	case AMOUNT:
		return !*text || lw_sacct_is_amount(text);
	case STATE:
		return is_state(text);
	case TRES:
		return !*text || strchr(text, '=');
	case LIMIT:
		return is_limit(text);
	default:
		return true;
	}
}

static enum form form_of(const struct lw_sacct *sacct, uint32_t column)
{
	int form = find_form(sacct->names[column]);

	return form < 0 ? ANY : (enum form)form;
}

/* ---- the header line ---- */

static int check_header(const struct lw_sacct *sacct, const char *header, struct lw_error *err)
{
	char first[32];

	for (uint32_t i = 0; i < sacct->count; i++)
		if (find_form(sacct->names[i]) >= 0)
			return 0;
	header += strspn(header, " \t");
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(header, " \t,;"), header);
	if (find_form(first) >= 0)
		return lw_error_set(err, -EINVAL,
				    "%s:1: the columns are not parted by |: print it with "
				    "sacct --parsable2",
				    sacct->path);
	return lw_error_set(err, -EINVAL,
			    "%s:1: no header line with the names of the columns: print it with "
			    "sacct --parsable2 and without --noheader",
			    sacct->path);
}

static int read_header(struct lw_sacct *sacct, struct lw_error *err)
{
	uint32_t count = 1;
	char *line;

	sacct->is_json = *sacct->lines.next == '{';
	if (sacct->is_json)
		return 0;
	line = lw_lines_next(&sacct->lines);
	if (!line)
		return lw_error_set(err, -EINVAL, "%s:1: empty: not even a header line",
				    sacct->path);
	for (const char *p = line; *p; p++)
		count += *p == '|';
	sacct->names = calloc(count, sizeof(*sacct->names));
	if (!sacct->names)
		return lw_error_set(err, -ENOMEM, "out of memory");
	sacct->count = lw_lines_split(line, '|', sacct->names, count);
	return check_header(sacct, line, err);
}

/* RC is that of reading its lines from PATH. */
static int begin_rows(struct lw_sacct *sacct, const char *path, int rc, struct lw_error *err)
{
	if (!rc) {
		lw_origin_add(path, sacct->lines.sha256);
		rc = read_header(sacct, err);
	}
	if (rc)
		lw_sacct_fini(sacct);
	return rc;
}

int lw_sacct_open(struct lw_sacct *sacct, const char *path, struct lw_error *err)
{
	*sacct = (struct lw_sacct){ .path = path, .is_file = true };
	return begin_rows(sacct, path, lw_lines_open(&sacct->lines, path, err), err);
}

int lw_sacct_of_fd(struct lw_sacct *sacct, int fd, const char *path, struct lw_error *err)
{
	*sacct = (struct lw_sacct){ .path = path, .is_file = true };
	return begin_rows(sacct, path, lw_lines_of_fd(&sacct->lines, fd, path, err), err);
}

int lw_sacct_of_text(struct lw_sacct *sacct, const char *text, const char *source,
		     struct lw_error *err)
{
	int rc;

	memset(sacct, 0, sizeof(*sacct));
	sacct->path = source;
	sacct->lines.text = sacct->lines.next = strdup(text);
	rc = sacct->lines.text ? read_header(sacct, err)
			       : lw_error_set(err, -ENOMEM, "out of memory");
	if (rc)
		lw_sacct_fini(sacct);
	return rc;
}

void lw_sacct_fini(struct lw_sacct *sacct)
{
	lw_lines_fini(&sacct->lines);
	lw_strbuf_fini(&sacct->text);
	free(sacct->names);
	free(sacct->fields);
	memset(sacct, 0, sizeof(*sacct));
}

int lw_sacct_column(const struct lw_sacct *sacct, const char *names)
{
	while (*names) {
		size_t len = strcspn(names, "|");

		for (uint32_t i = 0; i < sacct->count; i++)
			if (strncasecmp(sacct->names[i], names, len) == 0 && !sacct->names[i][len])
				return (int)i;
		names += len + (names[len] == '|');
	}
	return -1;
}

/* ---- which bars part columns ---- */

/*
 * Where the texts of the row's free columns end. fits[column][used] is true when the columns from
 * there on can have what is left of the pieces once USED of those too many have gone to columns
 * before.
 */
struct fit {
	const struct lw_sacct *sacct;
	char *const *pieces;
	uint32_t surplus;
	bool *fits;
};

static bool *fits_at(const struct fit *fit, uint32_t column, uint32_t used)
{
	return &fit->fits[(size_t)column * (fit->surplus + 1) + used];
}

static bool fits_column(const struct fit *fit, uint32_t column, uint32_t used)
{
	enum form form = form_of(fit->sacct, column);

	if (form != FREE)
		return has_form(form, fit->pieces[column + used]) &&
		       *fits_at(fit, column + 1, used);
	for (uint32_t after = used; after <= fit->surplus; after++)
		if (*fits_at(fit, column + 1, after))
			return true;
	return false;
}

static bool find_fits(const struct fit *fit)
{
	uint32_t count = fit->sacct->count;

	*fits_at(fit, count, fit->surplus) = true;
	for (uint32_t column = count; column-- > 0;)
		for (uint32_t used = 0; used <= fit->surplus; used++)
			*fits_at(fit, column, used) = fits_column(fit, column, used);
	return *fits_at(fit, 0, 0);
}

/* How many of the pieces too many a free column gets: a name as many as it may, others as few. */
static uint32_t share_of(const struct fit *fit, uint32_t column, uint32_t used)
{
	bool greedy = strcasecmp(fit->sacct->names[column], "JobName") == 0;
	uint32_t share = 0;

	if (form_of(fit->sacct, column) != FREE)
		return 0;
	for (uint32_t i = 0; used + i <= fit->surplus; i++) {
		if (!*fits_at(fit, column + 1, used + i))
			continue;
		share = i;
		if (!greedy)
			break;
	}
	return share;
}

/* The pieces stand one behind the other: those of one column are joined again by their bars. */
static void sacct_join(const struct fit *fit, char **fields)
{
	uint32_t used = 0;

	for (uint32_t column = 0; column < fit->sacct->count; column++) {
		uint32_t share = share_of(fit, column, used);
		char *const *piece = &fit->pieces[column + used];

		for (uint32_t i = 1; i <= share; i++)
			piece[i][-1] = '|';
		fields[column] = *piece;
		used += share;
	}
}

static uint32_t count_bars(const char *text)
{
	uint32_t bars = 0;

	for (; *text; text++)
		bars += *text == '|';
	return bars;
}

/* Cut TEXT, a row, into FIELDS, a field for each column. -EINVAL: it is none. */
static int sacct_cut(struct lw_sacct *sacct, char *text, struct lw_error *err)
{
	struct fit fit = { .sacct = sacct };
	uint32_t pieces = 1 + count_bars(text);
	int rc = 0;

	if (pieces < sacct->count || pieces > sacct->count + SURPLUS_MAX)
		return lw_error_set(err, -EINVAL, "%" PRIu32 " fields, %" PRIu32 " wanted", pieces,
				    sacct->count);
	if (lw_grow((void **)&sacct->fields, &sacct->room, pieces, sizeof(*sacct->fields)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	lw_lines_split(text, '|', sacct->fields, pieces);
	fit.pieces = sacct->fields;
	fit.surplus = pieces - sacct->count;
	if (!fit.surplus)
		return 0;
	fit.fits = calloc(((size_t)sacct->count + 1) * (fit.surplus + 1), sizeof(*fit.fits));
	if (!fit.fits)
		return lw_error_set(err, -ENOMEM, "out of memory");
	if (find_fits(&fit))
		sacct_join(&fit, sacct->fields);
	else
		rc = lw_error_set(err, -EINVAL,
				  "%" PRIu32 " fields, %" PRIu32 " wanted, and no name or comment "
				  "to hold the bars",
				  pieces, sacct->count);
	free(fit.fits);
	return rc;
}

/* ---- rows ---- */

static bool is_free(const struct lw_sacct *sacct, uint32_t column)
{
	return form_of(sacct, column) == FREE;
}

/* Has LINE, which is left as it was, a field for each column, each of the right form? */
static bool is_whole_row(const struct lw_sacct *sacct, char *line)
{
	bool whole = count_bars(line) + 1 == sacct->count;

	for (uint32_t column = 0; whole && column < sacct->count; column++) {
		char *end = strchrnul(line, '|'), was = *end;

		*end = '\0';
		whole = has_form(form_of(sacct, column), line);
		*end = was;
		line = end + (was == '|');
	}
	return whole;
}

/* Can nothing more belong to the row in sacct->text, of which PIECES are there? */
static bool is_complete(const struct lw_sacct *sacct, uint32_t pieces)
{
	return pieces == sacct->count && !is_free(sacct, sacct->count - 1) &&
	       is_whole_row(sacct, sacct->text.text);
}

/* Does LINE begin a row, and not go on with the one before, of which PIECES are there? */
static bool begins_row(const struct lw_sacct *sacct, char *line, uint32_t pieces)
{
	if (form_of(sacct, 0) == ID)
		return lw_tools_is_row(line) || is_complete(sacct, pieces);
	/* a comment of many lines, and the row has not got further */
	if (pieces == 1 && is_free(sacct, 0))
		return false;
	if (is_whole_row(sacct, line))
		return true;
	return pieces >= sacct->count && !is_free(sacct, sacct->count - 1);
}

static char *next_line(struct lw_sacct *sacct)
{
	char *line;

	do {
		line = lw_lines_next(&sacct->lines);
	} while (line && !*line);
	sacct->pending = line;
	sacct->pending_line = sacct->lines.number;
	return line;
}

int lw_sacct_next(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err)
{
	char *line;
	uint32_t pieces;
	int rc;

	if (*sacct->mark)
		return lw_sacct_next_marked(sacct, ret_fields, err);
	line = sacct->pending ? sacct->pending : next_line(sacct);
	if (!line)
		return 0;
	sacct->line = sacct->pending_line;
	sacct->text.len = 0;
	lw_strbuf_add(&sacct->text, "%s", line);
	pieces = 1 + count_bars(line);
	while (next_line(sacct) && !begins_row(sacct, sacct->pending, pieces)) {
		lw_strbuf_add(&sacct->text, " %s", sacct->pending);
		pieces += count_bars(sacct->pending);
	}
	if (sacct->text.error)
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = sacct_cut(sacct, sacct->text.text, err);
	if (rc)
		return rc;
	*ret_fields = sacct->fields;
	return 1;
}

/* ---- rows, and what is none ---- */

void lw_sacct_pass_over(struct lw_sacct *sacct)
{
	sacct->taken--;
	if (!sacct->passed++)
		sacct->passed_line = sacct->line;
}

int lw_sacct_next_row(struct lw_sacct *sacct, char ***ret_fields, struct lw_error *err)
{
	int rc;

	while ((rc = lw_sacct_next(sacct, ret_fields, err)) != 0) {
		if (rc < 0 && rc != -EINVAL)
			return rc;
		sacct->taken++;
		if (rc > 0 && (form_of(sacct, 0) != ID || is_id((*ret_fields)[0])))
			return 1;
		lw_sacct_pass_over(sacct);
	}
	return 0;
}

int lw_sacct_passed(const struct lw_sacct *sacct, const char *command, struct lw_error *err)
{
	if (!sacct->passed)
		return 0;
	if (!sacct->taken)
		return lw_error_set(err, -EIO,
				    "nothing that %s printed can be read as jobs: is it Slurm's?",
				    sacct->path);
	fprintf(stderr,
		"leeway %s: %" PRIu32 " of %" PRIu32 " rows of %s cannot be read and are left "
		"out\n",
		command, sacct->passed, sacct->passed + sacct->taken, sacct->path);
	if (sacct->is_file && !sacct->is_json)
		fprintf(stderr,
			"leeway %s: %s:%" PRIu32 " is the first: it has no job id, or not the "
			"columns of line 1; print it with sacct --parsable2, JobID first and "
			"JobName last\n",
			command, sacct->path, sacct->passed_line);
	return 0;
}
