/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what was learned of waits, as text. */

/*
 * "learned N"; "factors P50 P90 N" for each class of queue lengths; "hist NUMBER COUNT..." and
 * "day D COUNT P50 P90 ..." as far as there is something in them. The general histograms are sums
 * of the special ones when they are read back.
 */
#include "predictor/outlook.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DAY_MAX    10000000
#define FACTOR_MAX 10000000

static void outlook_text_print_hists(const struct lw_outlook *outlook, struct lw_strbuf *out)
{
	const struct lw_outlook_hist *hist = &outlook->hist[0][0][0][0];
	uint32_t count = sizeof(outlook->hist) / sizeof(*hist);

	for (uint32_t i = 0; i < count; i++) {
		if (!hist[i].sum)
			continue;
		lw_strbuf_add(out, "hist %" PRIu32, i);
		for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++)
			lw_strbuf_add(out, " %u", hist[i].bins[bin]);
		lw_strbuf_add(out, "\n");
	}
}

static void outlook_text_print_day(const struct lw_outlook_day *day, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "day %" PRId64, day->day);
	for (uint32_t q = 0; q < LW_OUTLOOK_QUEUES; q++)
		lw_strbuf_add(out, " %" PRIu32 " %" PRIu32 " %" PRIu32, day->count[q],
			      day->by_p50[q], day->by_p90[q]);
	lw_strbuf_add(out, "\n");
}

void lw_outlook_print(const struct lw_outlook *outlook, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "learned %" PRIu64 "\nfactors", outlook->learned);
	for (uint32_t q = 0; q < LW_OUTLOOK_QUEUES; q++)
		lw_strbuf_add(out, " %" PRId32 " %" PRId32 " %" PRIu64, outlook->p50_ppm[q],
			      outlook->p90_ppm[q], outlook->judged[q]);
	lw_strbuf_add(out, "\n");
	outlook_text_print_hists(outlook, out);
	for (uint32_t i = 0; i < LW_OUTLOOK_DAYS; i++)
		if (outlook->days[i].day)
			outlook_text_print_day(&outlook->days[i], out);
}

/* The numbers of LINE, each behind a blank; -EBADMSG unless there are COUNT. */
static int outlook_text_take_numbers(const char *line, uint64_t max, uint64_t *numbers,
				     uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (*line++ != ' ' || !lw_number_take(&line, max, &numbers[i]))
			return -EBADMSG;
	}
	return *line ? -EBADMSG : 0;
}

static int outlook_text_take_factors(struct lw_outlook *outlook, const char *line)
{
	uint64_t n[3 * LW_OUTLOOK_QUEUES];

	if (outlook_text_take_numbers(line, UINT64_MAX, n, 3 * LW_OUTLOOK_QUEUES))
		return -EBADMSG;
	for (uint32_t q = 0; q < LW_OUTLOOK_QUEUES; q++) {
		if (!n[3 * q] || n[3 * q] > FACTOR_MAX || !n[3 * q + 1] ||
		    n[3 * q + 1] > FACTOR_MAX)
			return -EBADMSG;
		outlook->p50_ppm[q] = (int32_t)n[3 * q];
		outlook->p90_ppm[q] = (int32_t)n[3 * q + 1];
		outlook->judged[q] = n[3 * q + 2];
	}
	return 0;
}

static void outlook_text_add_hist(struct lw_outlook_hist *to, const struct lw_outlook_hist *from)
{
	/* a sum of several may be more than one holds: it is halved then */
	while (to->sum + from->sum > UINT16_MAX) {
		to->sum = 0;
		for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++)
			to->sum += to->bins[bin] /= 2;
	}
	for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++)
		to->bins[bin] += from->bins[bin];
	to->sum += from->sum;
}

static int outlook_text_take_hist(struct lw_outlook *outlook, const char *line)
{
	struct lw_outlook_hist *hists = &outlook->hist[0][0][0][0];
	uint32_t count = sizeof(outlook->hist) / sizeof(*hists), i;
	uint64_t n[1 + LW_OUTLOOK_BINS];
	uint32_t kind, base, age;

	if (outlook_text_take_numbers(line, UINT16_MAX / 2, n, 1 + LW_OUTLOOK_BINS) ||
	    n[0] >= count || hists[n[0]].sum)
		return -EBADMSG;
	i = (uint32_t)n[0];
	for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++) {
		hists[i].bins[bin] = (uint16_t)n[1 + bin];
		hists[i].sum += hists[i].bins[bin];
	}
	if (!hists[i].sum || hists[i].sum > UINT16_MAX / 2)
		return -EBADMSG;
	age = i / LW_OUTLOOK_WIDTHS % LW_OUTLOOK_AGES;
	base = i / LW_OUTLOOK_WIDTHS / LW_OUTLOOK_AGES % LW_OUTLOOK_BASES;
	kind = i / LW_OUTLOOK_WIDTHS / LW_OUTLOOK_AGES / LW_OUTLOOK_BASES;
	outlook_text_add_hist(&outlook->by_base[kind][base][age], &hists[i]);
	outlook_text_add_hist(&outlook->by_age[age], &hists[i]);
	outlook_text_add_hist(&outlook->all, &hists[i]);
	return 0;
}

static int outlook_text_take_day(struct lw_outlook *outlook, const char *line)
{
	uint64_t n[1 + 3 * LW_OUTLOOK_QUEUES];
	struct lw_outlook_day *day;

	if (outlook_text_take_numbers(line, UINT32_MAX, n, 1 + 3 * LW_OUTLOOK_QUEUES) ||
	    n[0] > DAY_MAX)
		return -EBADMSG;
	day = &outlook->days[n[0] % LW_OUTLOOK_DAYS];
	day->day = (int64_t)n[0];
	for (uint32_t q = 0; q < LW_OUTLOOK_QUEUES; q++) {
		day->count[q] = (uint32_t)n[1 + 3 * q];
		day->by_p50[q] = (uint32_t)n[2 + 3 * q];
		day->by_p90[q] = (uint32_t)n[3 + 3 * q];
	}
	return 0;
}

static int outlook_text_take_line(struct lw_outlook *outlook, const char *line)
{
	if (!strncmp(line, "learned", 7))
		return outlook_text_take_numbers(line + 7, UINT64_MAX, &outlook->learned, 1);
	if (!strncmp(line, "factors", 7))
		return outlook_text_take_factors(outlook, line + 7);
	if (!strncmp(line, "hist", 4))
		return outlook_text_take_hist(outlook, line + 4);
	if (!strncmp(line, "day", 3))
		return outlook_text_take_day(outlook, line + 3);
	return -EBADMSG;
}

int lw_outlook_parse(struct lw_outlook *outlook, char *text, size_t size, const char *path,
		     struct lw_error *err)
{
	char *line = text;
	unsigned number = 0;
	int rc = memchr(text, '\0', size) ? -EBADMSG : 0;

	lw_outlook_init(outlook);
	while (!rc && line) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		number++;
		rc = *line ? outlook_text_take_line(outlook, line) : 0;
		line = end;
	}
	if (!rc)
		return 0;
	lw_outlook_init(outlook);
	return lw_error_set(err, rc,
			    "%s: line %u of the payload is not what was learned of waits", path,
			    number);
}
