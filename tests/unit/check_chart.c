/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of cli/chart: what is drawn, and, however far off. */
#include "cli/chart/chart.h"

#include "cli/chart/table.h"
#include "cli/common/origin.h"
#include "unit/drawing.h"
#include "unit/unit.h"

#include <math.h>

#define STRETCHES 4

/* Of stretches of 10 s. */
static const struct {
	double from_s, to_s, wanted[STRETCHES];
} spreads[] = {
	{ 0, 10, { 10, 0, 0, 0 } },
	{ 5, 25, { 5, 10, 5, 0 } },
	{ -100, 3, { 3, 0, 0, 0 } },
	{ 35, 1e300, { 0, 0, 0, 5 } },
	{ 40, 50, { 0 } },
	{ 1e12, 2e12, { 0 } }, /* beyond what a number of a stretch goes to */
	{ 1e300, 2e300, { 0 } },
	{ NAN, 50, { 10, 10, 10, 10 } }, /* from no time on: from the first */
	{ 10, 5, { 0 } },
};

TEST_EACH(values_are_spread, LW_COUNT_OF(spreads))
{
	double found[STRETCHES] = { 0 };

	lw_chart_spread(found, STRETCHES, 10, spreads[_i].from_s, spreads[_i].to_s, 1);
	for (int k = 0; k < STRETCHES; k++)
		ck_assert_double_eq(found[k], spreads[_i].wanted[k]);
}

/* Stretches of no length: nothing lies on any. */
TEST(nothing_is_spread_over_nothing)
{
	double found[STRETCHES] = { 0 };

	lw_chart_spread(found, STRETCHES, 0, 5, 25, 1);
	lw_chart_spread(found, 0, 10, 5, 25, 1);
	for (int k = 0; k < STRETCHES; k++)
		ck_assert_double_eq(found[k], 0);
}

/* ---- geometry ---- */

static void draw(const struct lw_chart *chart, enum lw_chart_form form, struct drawing *drawing)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_chart_svg(chart, form, &sb);
	ck_assert_int_eq(sb.error, 0);
	drawing_read(lw_strbuf_text(&sb), drawing);
	drawing_check(drawing);
	lw_strbuf_fini(&sb);
}

/* A chart with all that may run into each other. */
static struct lw_chart make_chart(enum lw_chart_axis axis)
{
	struct lw_chart chart = { .key = "x", .x_axis = axis, .x_min = 1.0 / 3600 };

	strcpy(chart.title, "Wait against broken promises, and a title that goes on and on until "
			    "it runs into what is at its right");
	strcpy(chart.x_label, "mean violation of a promise (hours, logarithmic; below 1 s counts "
			      "as 1 s)");
	strcpy(chart.y_label, "mean wait (hours) ± the sd of 3 shakes");
	strcpy(chart.x_key, "violation_hours");
	strcpy(chart.y_key, "wait_hours");
	return chart;
}

static const char *const factors[] = { "0",    "0.01", "0.02", "0.03", "0.05",
				       "0.07", "0.1",  "0.2",  "0.3",  "0.5" };
static const char *const policies[] = { "easy",
					"relaxed:relax=0.1",
					"relaxed:relax=0.02:backfill-order=shortest",
					"clairvoyant",
					"leeway",
					"a <b> & \"c\" of its own" };

/* Six policies and a curve of ten factors, all of them at one place, APART from each other. */
static struct lw_chart make_crowd(double apart)
{
	struct lw_chart chart = make_chart(LW_CHART_LOG);
	struct lw_looks looks = { 0 };
	struct lw_chart_series *curve = lw_chart_add(&chart, "relaxed by constant factors",
						     lw_looks_next(&looks, "relaxed"), 10);

	curve->marks = true;
	for (int i = 0; i < 10; i++) {
		curve->x[i] = 0.01 * (1 + apart * i);
		curve->y[i] = 2;
		curve->labels[i] = factors[i];
	}
	for (int p = 0; p < 6; p++) {
		struct lw_chart_series *dot =
			lw_chart_add(&chart, policies[p], lw_looks_next(&looks, policies[p]), 1);

		dot->no_line = dot->named = true;
		dot->x[0] = 0.01 + apart * 0.001 * p;
		dot->y[0] = 2 - apart * 0.1 * p;
		dot->y_sd[0] = 0.05;
	}
	return chart;
}

/* Where names coincide they go apart; on a screen none of them is lost. */
TEST_EACH(labels_are_apart, 4)
{
	struct lw_chart chart = make_crowd(_i * 0.1);
	struct drawing wide, phone;

	draw(&chart, LW_CHART_WIDE, &wide);
	draw(&chart, LW_CHART_PHONE, &phone);
	for (int p = 0; p < 5; p++) {
		uint32_t found = 0;

		for (uint32_t i = 0; i < wide.count; i++)
			found += strcmp(wide.words[i].text, policies[p]) == 0;
		ck_assert_msg(found == 2, "%s: %u times", policies[p],
			      found); /* the legend, too */
	}
	for (int f = 0; f < 10; f++)
		ck_assert_msg(drawing_find(&wide, factors[f]) != NULL, "%s", factors[f]);
	lw_chart_fini(&chart);
}

/* Bars whose groups have long names. */
TEST(names_of_groups_are_apart)
{
	struct lw_chart chart = make_chart(LW_CHART_BARS);
	struct lw_looks looks = { 0 };
	struct drawing drawing;

	for (int g = 0; g < LW_CHART_GROUPS; g++)
		snprintf(chart.groups[g], sizeof(chart.groups[g]), "%d–%d", 1000 + g, 2000 + g);
	for (int p = 0; p < 6; p++) {
		struct lw_chart_series *bars = lw_chart_add(
			&chart, policies[p], lw_looks_next(&looks, policies[p]), LW_CHART_GROUPS);

		for (int g = 0; g < LW_CHART_GROUPS; g++)
			bars->y[g] = 1e6 * g + p;
	}
	draw(&chart, LW_CHART_WIDE, &drawing);
	draw(&chart, LW_CHART_PHONE, &drawing);
	lw_chart_fini(&chart);
}

/* From a second to a thousand days, on an axis in hours. */
TEST_EACH(numbers_of_axes_are_apart, 2)
{
	struct lw_chart chart = make_chart(_i ? LW_CHART_LOG : LW_CHART_LINEAR);
	struct lw_looks looks = { 0 };
	struct lw_chart_series *line =
		lw_chart_add(&chart, "leeway", lw_looks_next(&looks, "leeway"), 2);
	struct drawing drawing;

	line->x[1] = 24000;
	line->y[1] = 123456;
	draw(&chart, LW_CHART_WIDE, &drawing);
	draw(&chart, LW_CHART_PHONE, &drawing);
	lw_chart_fini(&chart);
}

TEST(a_legend_stands_below_the_title)
{
	struct lw_chart chart = make_crowd(1);
	struct drawing drawing;

	for (int form = 0; form < 2; form++) {
		const struct drawing_word *easy;

		draw(&chart, (enum lw_chart_form)form, &drawing);
		easy = drawing_find(&drawing, "relaxed by constant factors");
		ck_assert_ptr_nonnull(easy);
		ck_assert_double_gt(easy->top, drawing.words[0].bottom);
		ck_assert_double_ge(drawing.width, form == LW_CHART_PHONE ? 360 : 900);
		ck_assert_double_le(drawing.width, form == LW_CHART_PHONE ? 360 : 1000);
	}
	lw_chart_fini(&chart);
}

/* What a phone of 360 pixels shows is as large as it is drawn. */
TEST(no_letter_is_small)
{
	struct lw_chart chart = make_crowd(1);
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_chart_svg(&chart, LW_CHART_PHONE, &sb);
	for (const char *p = lw_strbuf_text(&sb); (p = strstr(p, "font-size=\"")); p++)
		ck_assert_double_ge(atof(p + 11), 11);
	lw_strbuf_fini(&sb);
	lw_chart_fini(&chart);
}

/* ---- numbers ---- */

/* Field COLUMN of line LINE. */
static const char *field(const char *csv, int line, int column, char buf[64])
{
	for (; line; line--)
		csv = strchr(csv, '\n') + 1;
	for (; column; column--)
		csv = strchr(csv, ',') + 1;
	snprintf(buf, 64, "%.*s", (int)strcspn(csv, ",\n"), csv);
	return buf;
}

/* Where the number LABEL stands on an axis. */
static double tick(const struct drawing *drawing, const char *label, bool upright)
{
	const struct drawing_word *word = drawing_find(drawing, label);

	ck_assert_msg(word != NULL, "%s", label);
	return upright ? word->bottom - 0.2 * 13 - 4.5 : (word->left + word->right) / 2;
}

/* By its axes, a curve goes through the points of the CSV. */
TEST(csv_and_chart_are_the_same)
{
	struct lw_chart chart = make_chart(LW_CHART_LINEAR);
	struct lw_looks looks = { 0 };
	struct lw_strbuf svg = LW_STRBUF_INIT, csv = LW_STRBUF_INIT;
	struct lw_chart_series *line =
		lw_chart_add(&chart, "a, b", lw_looks_next(&looks, "easy"), 5);
	struct drawing drawing;
	const char *path, *text;
	char buf[64];

	for (int i = 0; i < 5; i++) {
		line->x[i] = 5 * i;
		line->y[i] = i == 3 ? NAN : 700 + 100 * i * i;
	}
	lw_chart_svg(&chart, LW_CHART_WIDE, &svg);
	lw_chart_csv(&chart, &csv);
	drawing_read(lw_strbuf_text(&svg), &drawing);
	text = lw_strbuf_text(&csv);
	ck_assert_str_eq(field(text, 0, 0, buf), "series");
	ck_assert_str_eq(field(text, 0, 1, buf), "violation_hours");
	ck_assert_str_eq(field(text, 0, 2, buf), "wait_hours");
	ck_assert_int_eq(strncmp(strchr(text, '\n') + 1, "\"a, b\",", 7), 0);
	ck_assert_str_eq(field(text, 4, 3, buf), "");
	path = strstr(lw_strbuf_text(&svg), "stroke-width=\"1.8\" d=\"M") + 22;
	for (int i = 0; i < 5; i++) {
		double x0 = 2 * tick(&drawing, "2", false) - tick(&drawing, "4", false);
		double y0 = 2 * tick(&drawing, "500", true) - tick(&drawing, "1000", true);
		double x, y, px = 0, py = 0;

		if (i == 3)
			continue;
		x = atof(field(text, i + 1, 2, buf));
		y = atof(field(text, i + 1, 3, buf));
		ck_assert_int_eq(sscanf(path, "%*1[ML]%lf %lf", &px, &py), 2);
		path += 1 + strcspn(path + 1, "ML\"");
		ck_assert_double_eq_tol(px, x0 + (tick(&drawing, "4", false) - x0) / 4 * x, 0.3);
		ck_assert_double_eq_tol(py, y0 + (tick(&drawing, "500", true) - y0) / 500 * y,
					0.3);
	}
	lw_strbuf_fini(&svg);
	lw_strbuf_fini(&csv);
	lw_chart_fini(&chart);
}

static uint32_t count(const char *text, const char *what)
{
	uint32_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* As a band around a line, as bars at a dot; and in the CSV. */
TEST(what_may_be_off_is_shown)
{
	struct lw_chart chart = make_crowd(1);
	struct lw_strbuf svg = LW_STRBUF_INIT, csv = LW_STRBUF_INIT;
	char buf[64];

	lw_chart_svg(&chart, LW_CHART_WIDE, &svg);
	lw_chart_csv(&chart, &csv);
	ck_assert_uint_eq(count(lw_strbuf_text(&svg), "lw-whisker"), 6);
	ck_assert_str_eq(field(lw_strbuf_text(&csv), 0, 3, buf), "wait_hours_sd");
	ck_assert_str_eq(field(lw_strbuf_text(&csv), 11, 3, buf), "0.05");
	ck_assert_str_eq(field(lw_strbuf_text(&csv), 3, 4, buf), "0.02");
	lw_strbuf_fini(&svg);
	lw_strbuf_fini(&csv);
	lw_chart_fini(&chart);
}

/* ---- images and pages ---- */

/* Nothing is fetched, and nothing of others is markup. */
static void check_alone(const char *text)
{
	static const char *const fetching[] = { "src=",    "href=",   "url(",
						"@import", "<script", "<link" };

	for (size_t i = 0; i < LW_COUNT_OF(fetching); i++)
		ck_assert_msg(!strstr(text, fetching[i]), "%s", fetching[i]);
	ck_assert_uint_eq(count(text, "http"),
			  count(text, "xmlns=\"http://www.w3.org/2000/svg\""));
	ck_assert_ptr_null(strstr(text, "<b>"));
	ck_assert_ptr_nonnull(strstr(text, "a &lt;b&gt; &amp; &quot;c&quot; of its own"));
}

TEST(an_image_stands_alone)
{
	char *argv[] = { "sim", "--svg", "x<b>y", "it's" };
	struct lw_charts charts = { .title = "T <b>", .about = "<b>", .count = 1 };
	struct lw_strbuf one = LW_STRBUF_INIT, all = LW_STRBUF_INIT;

	lw_origin_begin(4, argv);
	lw_origin_add("w<b>", "ab12");
	charts.charts[0] = make_crowd(1);
	lw_chart_svg(&charts.charts[0], LW_CHART_WIDE, &one);
	lw_charts_svg(&charts, &all);
	for (int i = 0; i < 2; i++) {
		const char *text = lw_strbuf_text(i ? &all : &one);

		check_alone(text);
		ck_assert_int_eq(strncmp(text, "<svg xmlns=", 11), 0);
		ck_assert_ptr_nonnull(strstr(text, "prefers-color-scheme: dark"));
		ck_assert_ptr_nonnull(strstr(text, "leeway " PACKAGE_VERSION "\n"));
		ck_assert_ptr_nonnull(strstr(
			text,
			"leeway sim --svg &#39;x&lt;b&gt;y&#39; &#39;it&#39;\\&#39;&#39;s&#39;\n"));
		ck_assert_ptr_nonnull(strstr(text, "sha256 ab12  w&lt;b&gt;\n"));
	}
	lw_strbuf_fini(&one);
	lw_strbuf_fini(&all);
	lw_charts_fini(&charts);
}

TEST(a_page_is_for_screens_phones_and_paper)
{
	struct lw_charts charts = { .title = "T", .count = 1 };
	struct lw_strbuf page = LW_STRBUF_INIT, one = LW_STRBUF_INIT;
	const char *text;

	charts.charts[0] = make_crowd(1);
	lw_page_begin(&page, charts.title);
	lw_page_charts(&page, &charts);
	lw_page_table(&page);
	lw_page_table_end(&page);
	lw_page_end(&page);
	lw_chart_svg(&charts.charts[0], LW_CHART_WIDE, &one);
	text = lw_strbuf_text(&page);
	check_alone(text);
	ck_assert_ptr_nonnull(strstr(text, lw_strbuf_text(&one)));
	ck_assert_ptr_nonnull(strstr(text, "width=device-width"));
	ck_assert_ptr_nonnull(strstr(text, "@media screen and (prefers-color-scheme: dark)"));
	ck_assert_ptr_nonnull(strstr(text, "@media print"));
	ck_assert_ptr_nonnull(strstr(text, "<div class=\"lw-scroll\">\n<table>"));
	ck_assert_uint_eq(count(text, "<svg "), 2);
	ck_assert_ptr_nonnull(strstr(text, "leeway " PACKAGE_VERSION));
	lw_strbuf_fini(&one);
	lw_strbuf_fini(&page);
	lw_charts_fini(&charts);
}

static void write_table(struct lw_table *table)
{
	const struct lw_look look = { .colour = 3 };

	lw_table_add(table, "easy", &look, 6);
	lw_table_add(table, "much too long", NULL, 5);
	lw_table_begin(table, "");
	lw_table_part(table, "Waits");
	lw_table_row(table, "mean");
	lw_table_cell(table, "12", "3");
	lw_table_cell(table, "<7", NULL);
	lw_table_row(table, "gr\u00f6\u00dfte");
	lw_table_cell(table, "-", NULL);
	lw_table_cell(table, "", NULL);
	lw_table_end(table);
}

/* Names of any letters take as many columns as they have letters. */
TEST(a_table_is_text)
{
	char text[400] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	struct lw_table table = { .out = out, .name_width = 9, .indent = 2 };

	write_table(&table);
	fclose(out);
	ck_assert_str_eq(text, "            easy much \n"
			       "\nWaits\n"
			       "  mean        12    <7\n"
			       "  gr\u00f6\u00dfte       -      \n");
}

TEST(a_table_is_on_a_page)
{
	struct lw_strbuf page = LW_STRBUF_INIT;
	struct lw_table table = { .page = &page };

	write_table(&table);
	ck_assert_str_eq(lw_strbuf_text(&page),
			 "<div class=\"lw-scroll\">\n<table>\n"
			 "<thead><tr><th></th><th class=\"lw-c3\">easy</th>"
			 "<th>much too long</th></tr></thead>\n"
			 "<tr class=\"part\"><th colspan=\"3\">Waits</th></tr>\n"
			 "<tr><td>mean</td><td>12<br><span class=\"sd\">\u00b1 3</span></td>"
			 "<td>&lt;7</td></tr>\n"
			 "<tr><td>gr\u00f6\u00dfte</td><td>-</td><td></td></tr>\n"
			 "</table>\n</div>\n");
	lw_strbuf_fini(&page);
}
