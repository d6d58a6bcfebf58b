/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: charts: their data, and how they become SVG, CSV and a page. */
#ifndef LW_CLI_CHART_CHART_H
#define LW_CLI_CHART_CHART_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/chart/look.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_CHART_SERIES 7
#define LW_CHART_GROUPS 8
#define LW_CHART_NAME   96

/* A line, the dots on it, or a bar in each group. */
struct lw_chart_series {
	char name[LW_CHART_NAME];
	struct lw_look look;
	uint32_t count;
	double *x;           /* rising; bars have none */
	double *y;           /* NaN: a line ends here, and begins anew */
	double *x_sd, *y_sd; /* how far off, either way, another run would be; 0: not known */
	bool steps;          /* hold y until the next x */
	bool marks;          /* a dot at each point */
	bool no_line;        /* and nothing between them */
	bool strong;         /* a thicker line */
	bool named;          /* its name beside its dots, where it has room */
	const char **labels; /* a word beside each dot; "": none */
};

enum lw_chart_axis {
	LW_CHART_LINEAR,
	LW_CHART_LOG,  /* from x_min: values below stand there */
	LW_CHART_BARS, /* groups of bars, a bar a series */
	/*
	 * stretches of time in rows, the first at the top: two points each, from and to, in order
	 * of rows; y is the row, from 0, a group names it, and y_max is how many there are
	 */
	LW_CHART_SPANS,
};

struct lw_chart {
	const char *key; /* what its files are called, as "waits" */
	char title[160];
	char x_label[120], y_label[80]; /* with the unit */
	char x_key[40], y_key[40];      /* what their columns are called */
	enum lw_chart_axis x_axis;
	double x_min; /* of a logarithmic axis; above 0 */
	double x_max; /* 0: the largest value */
	double y_max; /* 0: the largest value, rounded up */
	char groups[LW_CHART_GROUPS][48];
	struct lw_chart_series series[LW_CHART_SERIES];
	uint32_t count;
	int error; /* 0 or -ENOMEM */
};

/*
 * Add a series of N points, all 0; its memory belongs to the chart. NULL, with the chart's error
 * set: out of memory. A NAME that is too long is cut.
 */
struct lw_chart_series *lw_chart_add(struct lw_chart *chart, const char *name,
				     struct lw_look look, uint32_t n);
void lw_chart_fini(struct lw_chart *chart);
/* Is it known of any of its points how far off it may be? */
bool lw_chart_has_spread(const struct lw_chart *chart);
/* The largest y of its points. */
double lw_chart_largest_y(const struct lw_chart *chart);
/* Divide the y of all points by DIVISOR, and how far off they may be. */
void lw_chart_scale_y(struct lw_chart *chart, double divisor);

/* Add VALUE x seconds of [FROM, TO) to those of COUNT stretches of time that it lies over. */
void lw_chart_spread(double *stretches, uint32_t count, double stretch_s, double from_s,
		     double to_s, double value);

/* Several charts of one page, or one image. */
#define LW_CHARTS_MAX 7

struct lw_charts {
	char title[120];
	char about[200]; /* of what, or "" */
	struct lw_chart charts[LW_CHARTS_MAX];
	uint32_t count;
};

void lw_charts_fini(struct lw_charts *charts);

/* For a screen and print, or for a phone. */
enum lw_chart_form { LW_CHART_WIDE, LW_CHART_PHONE };

/* An image that stands alone. */
void lw_chart_svg(const struct lw_chart *chart, enum lw_chart_form form, struct lw_strbuf *sb);
/* All of them below each other in one image. */
void lw_charts_svg(const struct lw_charts *charts, struct lw_strbuf *sb);
/* The numbers that are drawn: a line a point, behind a header line. */
void lw_chart_csv(const struct lw_chart *chart, struct lw_strbuf *sb);
/* For each chart KEY.svg and KEY.csv, in the folder DIR, which is made. -errno with ERR. */
int lw_charts_write(const struct lw_charts *charts, const char *dir, struct lw_error *err);

/* A page that needs no other file, in light and dark, for screens, phones and print. */
void lw_page_begin(struct lw_strbuf *sb, const char *title);
/* The same with MORE_HEAD, as it is, at the end of its head. */
void lw_page_begin_with(struct lw_strbuf *sb, const char *title, const char *more_head);
void lw_page_charts(struct lw_strbuf *sb, const struct lw_charts *charts);
/* What it was made with stands at its foot. */
void lw_page_end(struct lw_strbuf *sb);
/* A table with a first column that stays when the others scroll, and its end. */
void lw_page_table(struct lw_strbuf *sb);
void lw_page_table_end(struct lw_strbuf *sb);
/* Begins a <tag> in the colour of LOOK. */
void lw_page_coloured(struct lw_strbuf *sb, const char *tag, const struct lw_look *look);

/* Add TEXT with the five special characters of XML and HTML replaced. */
void lw_chart_add_text(struct lw_strbuf *sb, const char *text);
/* Add TEXT as a field of CSV. */
void lw_chart_add_field(struct lw_strbuf *sb, const char *text);

/* The one unit that a page tells times of a kind in. */
struct lw_unit {
	double seconds;
	const char *name; /* "minutes" */
};

/* What suits times up to LARGEST_S. */
struct lw_unit lw_unit_for(double largest_s);

/* VALUE, in any unit, with three digits and no exponent; "-" for NAN. */
#define LW_UNIT_TEXT 32
void lw_unit_print(double value, char buf[LW_UNIT_TEXT]);

#endif
