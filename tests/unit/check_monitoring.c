/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: contrib/monitoring: the dashboard and the alert rules ask for what there is. */
#include "unit/monitoring.h"
#include "unit/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include <jansson.h>

static char complaint[512];

/* Does EXPR ask for metrics that there are, with labels and values that they have? */
static void check_expression(const char *where, const char *expr)
{
	ck_assert_msg(!monitoring_judge(expr, complaint, sizeof(complaint)), "%s: %s: %s", where,
		      expr, complaint);
}

/* What is right, and what is not: the judge itself. */
static const struct {
	const char *expr, *complaint; /* NULL: none */
} judged[] = {
	{ "leeway_sched_planning == 0", NULL },
	{ "sum by (node) (leeway_gpu_power_watts{node=~\"$node\"})", NULL },
	{ "rate(leeway_sched_starts_total{by=\"slurm\",instance=~\"$instance\"}[5m])", NULL },
	{ "leeway_sched_gpus > 1 and ignoring(state) leeway_sched_planning", NULL },
	{ "time() - node_textfile_mtime_seconds{file=~\"x\"}", NULL },
	{ "leeway_sched_planing", "leeway_sched_planing: no such metric" },
	{ "up == 0", "up: no such metric" },
	{ "1 > 0", "asks for no metric" },
	{ "leeway_sched_starts_total{by=\"slrum\"}", "by=\"slrum\": no such value" },
	{ "leeway_sched_starts_total{who=\"slurm\"}", "who: no such label" },
	{ "leeway_gpu_processes{host=\"a\"}", "host: no such label" },
	{ "rate(leeway_sched_planning[5m])", "leeway_sched_planning: no counter" },
	{ "leeway_sched_planning{", "no end" },
	{ "leeway_sched_planning)", "no end" },
};

TEST_EACH(an_expression_is_judged, LW_COUNT_OF(judged))
{
	int rc = monitoring_judge(judged[_i].expr, complaint, sizeof(complaint));

	ck_assert_msg(!rc == !judged[_i].complaint, "%s: %s", judged[_i].expr,
		      rc ? complaint : "");
	if (rc)
		ck_assert_msg(strstr(complaint, judged[_i].complaint), "%s: %s", judged[_i].expr,
			      complaint);
}

static const char *text_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	ck_assert_msg(json_is_string(value) && json_string_length(value), "%s", key);
	return json_string_value(value);
}

static json_int_t number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	ck_assert_msg(json_is_integer(value), "%s", key);
	return json_integer_value(value);
}

static const json_t *list_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	ck_assert_msg(json_is_array(value), "%s", key);
	return value;
}

static json_t *load_dashboard(void)
{
	json_error_t err;
	char path[1024];
	json_t *root = json_load_file(
		monitoring_path("contrib/monitoring/grafana.json", path, sizeof(path)),
		JSON_REJECT_DUPLICATES, &err);

	ck_assert_msg(root, "%s:%d: %s", path, err.line, err.text);
	return root;
}

static void check_datasource(const json_t *object)
{
	const json_t *source = json_object_get(object, "datasource");

	ck_assert_str_eq(text_of(source, "type"), "prometheus");
	ck_assert_str_eq(text_of(source, "uid"), "${datasource}");
}

static void check_target(const char *title, const json_t *target, bool seen[26])
{
	const char *id = text_of(target, "refId");

	ck_assert_msg(strlen(id) == 1 && id[0] >= 'A' && id[0] <= 'Z', "%s: %s", title, id);
	ck_assert_msg(!seen[id[0] - 'A'], "%s: %s twice", title, id);
	seen[id[0] - 'A'] = true;
	check_datasource(target);
	text_of(target, "legendFormat");
	check_expression(title, text_of(target, "expr"));
}

/* In a grid of 24 columns; a row is a heading. */
static void check_place(const char *title, const json_t *panel)
{
	const json_t *at = json_object_get(panel, "gridPos");

	ck_assert_msg(number_of(at, "w") > 0 && number_of(at, "h") > 0, "%s", title);
	ck_assert_msg(number_of(at, "x") >= 0 && number_of(at, "y") >= 0, "%s", title);
	ck_assert_msg(number_of(at, "x") + number_of(at, "w") <= 24, "%s", title);
}

static void check_panel(const json_t *panel)
{
	const char *title = text_of(panel, "title"), *type = text_of(panel, "type");
	bool seen[26] = { false };
	const json_t *target;
	size_t i;

	check_place(title, panel);
	if (!strcmp(type, "row"))
		return;
	ck_assert_msg(!strcmp(type, "timeseries") || !strcmp(type, "stat"), "%s", type);
	check_datasource(panel);
	text_of(json_object_get(json_object_get(panel, "fieldConfig"), "defaults"), "unit");
	ck_assert_uint_gt(json_array_size(list_of(panel, "targets")), 0);
	json_array_foreach(list_of(panel, "targets"), i, target)
		check_target(title, target, seen);
}

static bool overlap(const json_t *a, const json_t *b)
{
	const json_t *p = json_object_get(a, "gridPos"), *q = json_object_get(b, "gridPos");

	return number_of(p, "x") < number_of(q, "x") + number_of(q, "w") &&
	       number_of(q, "x") < number_of(p, "x") + number_of(p, "w") &&
	       number_of(p, "y") < number_of(q, "y") + number_of(q, "h") &&
	       number_of(q, "y") < number_of(p, "y") + number_of(p, "h");
}

static void check_apart(const json_t *panels)
{
	const json_t *a, *b;
	size_t i, j;

	json_array_foreach(panels, i, a)
	{
		for (j = 0; j < i; j++) {
			b = json_array_get(panels, j);
			ck_assert_msg(!overlap(a, b), "%s is over %s", text_of(a, "title"),
				      text_of(b, "title"));
			ck_assert_int_ne(number_of(a, "id"), number_of(b, "id"));
		}
	}
}

TEST(the_dashboard_is_one_of_grafana)
{
	json_t *root = load_dashboard();
	const json_t *panels = list_of(root, "panels"), *panel;
	size_t i;

	text_of(root, "title");
	text_of(root, "uid");
	ck_assert_int_ge(number_of(root, "schemaVersion"), 36);
	text_of(json_object_get(root, "time"), "from");
	text_of(json_object_get(root, "time"), "to");
	ck_assert_uint_gt(json_array_size(panels), 10);
	json_array_foreach(panels, i, panel) check_panel(panel);
	check_apart(panels);
	json_decref(root);
}

/* label_values(METRIC, LABEL) */
static void check_variable(const json_t *variable)
{
	const char *type = text_of(variable, "type"), *query = text_of(variable, "query");
	char metric[128], label[64];

	if (!strcmp(type, "datasource")) {
		ck_assert_str_eq(query, "prometheus");
		return;
	}
	ck_assert_str_eq(type, "query");
	check_datasource(variable);
	ck_assert_int_eq(sscanf(query, "label_values(%127[a-z_], %63[a-z])", metric, label), 2);
	check_expression(query, metric);
	ck_assert_str_eq(label, text_of(variable, "name"));
}

/* Each variable is one that some panel asks by, and no panel asks by another. */
TEST(the_variables_are_there)
{
	static const char *const names[] = { "datasource", "instance", "node" };
	json_t *root = load_dashboard();
	const json_t *list = list_of(json_object_get(root, "templating"), "list"), *variable;
	size_t i;

	ck_assert_uint_eq(json_array_size(list), LW_COUNT_OF(names));
	json_array_foreach(list, i, variable)
	{
		ck_assert_str_eq(text_of(variable, "name"), names[i]);
		check_variable(variable);
	}
	json_decref(root);
}

/* YAML, as a tree of nodes. */
static yaml_document_t document;

static void load_rules(void)
{
	yaml_parser_t parser;
	char path[1024];
	FILE *stream =
		fopen(monitoring_path("contrib/monitoring/alerts.yaml", path, sizeof(path)), "r");

	ck_assert_msg(stream, "%s", path);
	ck_assert(yaml_parser_initialize(&parser));
	yaml_parser_set_input_file(&parser, stream);
	ck_assert_msg(yaml_parser_load(&parser, &document), "%s:%zu: %s", path,
		      parser.problem_mark.line + 1, parser.problem ? parser.problem : "");
	yaml_parser_delete(&parser);
	fclose(stream);
	ck_assert_ptr_nonnull(yaml_document_get_root_node(&document));
}

/* The value of KEY in a mapping, or NULL. */
static yaml_node_t *find(const yaml_node_t *map, const char *key)
{
	ck_assert_int_eq(map->type, YAML_MAPPING_NODE);
	for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
	     pair < map->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yaml_document_get_node(&document, pair->key);

		if (!strcmp((const char *)name->data.scalar.value, key))
			return yaml_document_get_node(&document, pair->value);
	}
	return NULL;
}

static const char *scalar(const yaml_node_t *map, const char *key)
{
	const yaml_node_t *node = find(map, key);

	ck_assert_msg(node && node->type == YAML_SCALAR_NODE && node->data.scalar.length, "%s",
		      key);
	return (const char *)node->data.scalar.value;
}

/* Each item of the list KEY goes to CHECK. How many. */
static int each(const yaml_node_t *map, const char *key, void (*check)(const yaml_node_t *))
{
	const yaml_node_t *list = find(map, key);
	int count = 0;

	ck_assert_msg(list && list->type == YAML_SEQUENCE_NODE, "%s", key);
	for (yaml_node_item_t *item = list->data.sequence.items.start;
	     item < list->data.sequence.items.top; item++, count++)
		check(yaml_document_get_node(&document, *item));
	return count;
}

static void check_rule(const yaml_node_t *rule)
{
	static const char *const severities[] = { "info", "warning", "critical" };
	const char *name = scalar(rule, "alert");
	const char *severity = scalar(find(rule, "labels"), "severity");
	bool known = false;
	char more;
	unsigned number;

	ck_assert_msg(!strncmp(name, "Leeway", 6), "%s", name);
	check_expression(name, scalar(rule, "expr"));
	if (find(rule, "for"))
		ck_assert_msg(sscanf(scalar(rule, "for"), "%u%c", &number, &more) == 2 &&
				      strchr("smhd", more),
			      "%s", name);
	for (size_t i = 0; i < LW_COUNT_OF(severities); i++)
		known |= !strcmp(severity, severities[i]);
	ck_assert_msg(known, "%s: %s", name, severity);
	scalar(find(rule, "annotations"), "summary");
	scalar(find(rule, "annotations"), "description");
}

static void check_group(const yaml_node_t *group)
{
	scalar(group, "name");
	ck_assert_int_gt(each(group, "rules", check_rule), 0);
}

TEST(the_rules_are_ones_of_prometheus)
{
	load_rules();
	ck_assert_int_eq(each(yaml_document_get_root_node(&document), "groups", check_group), 2);
	yaml_document_delete(&document);
}

static const char *manual;

static void check_alert_is_told(const yaml_node_t *rule)
{
	char cell[128];

	snprintf(cell, sizeof(cell), "| `%s` |", scalar(rule, "alert"));
	ck_assert_msg(strstr(manual, cell), "%s is not in the page", cell);
}

static void check_group_is_told(const yaml_node_t *group)
{
	each(group, "rules", check_alert_is_told);
}

TEST(the_page_has_all_alerts)
{
	char *text = monitoring_read("doc/admin/monitoring.md");

	manual = text;
	load_rules();
	each(yaml_document_get_root_node(&document), "groups", check_group_is_told);
	yaml_document_delete(&document);
	free(text);
}

/* All of them, and no others. */
TEST(the_page_has_all_metrics)
{
	char *text = monitoring_read("doc/admin/monitoring.md"), cell[128];

	for (size_t i = 0; i < monitoring_families(); i++) {
		snprintf(cell, sizeof(cell), "| `%s` |", monitoring_family(i));
		ck_assert_msg(strstr(text, cell), "%s is not in the page", cell);
	}
	for (char *at = text; (at = strstr(at, "| `leeway_")); at++) {
		char name[128];

		ck_assert_int_eq(sscanf(at + 3, "%127[a-z_]", name), 1);
		ck_assert_msg(!monitoring_judge(name, complaint, sizeof(complaint)), "%s",
			      complaint);
	}
	free(text);
}

/* What nobody looks at is not worth its lines. */
TEST(the_dashboard_shows_all_metrics)
{
	char *text = monitoring_read("contrib/monitoring/grafana.json");

	for (size_t i = 0; i < monitoring_families(); i++)
		ck_assert_msg(strstr(text, monitoring_family(i)), "%s is on no panel",
			      monitoring_family(i));
	free(text);
}
