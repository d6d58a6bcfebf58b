/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the list of locality domains in leeway.yaml. */
#include "config/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 64

enum field { NAME, NODES, FIELDS };

static const char *const fields[FIELDS] = { "name", "nodes" };

/* The domain that is being read. */
struct domain {
	unsigned line;
	char *text[FIELDS]; /* owned; NULL: not said */
};

static int fail(struct reader *r, unsigned line, const char *what)
{
	return lw_reader_fail(r, line, "topology.domains", what);
}

/* Printable and in one piece: it will be in logs. */
static bool is_word(const char *text)
{
	while (*text > ' ' && *text < 0x7f)
		text++;
	return !*text;
}

/* The word that EVENT has for FIELD. */
static int take_value(struct reader *r, struct domain *domain, enum field field,
		      const yaml_event_t *event)
{
	const char *text = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;
	unsigned line = lw_reader_line(event);

	if (!text || !*text || !is_word(text))
		return fail(r, line,
			    field == NAME ? "name wants one word"
					  : "nodes wants a list such as gpu[1-8]; in "
					    "braces put it in quotes");
	if (domain->text[field])
		return fail(r, line,
			    field == NAME ? "name is given twice; keep one"
					  : "nodes is given twice; keep one");
	if (field == NAME && strlen(text) > NAME_BYTES_MAX)
		return fail(r, line, "the name is longer than 64 letters; shorten it");
	domain->text[field] = strdup(text);
	return domain->text[field] ? 0 : lw_reader_no_memory(r);
}

/* One "name: x", the key being in EVENT and the value still to come. */
static int read_pair(struct reader *r, const yaml_event_t *event, void *arg)
{
	const char *word = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;
	yaml_event_t value;
	int field = 0, rc;

	while (field < FIELDS && (!word || strcmp(word, fields[field])))
		field++;
	if (field == FIELDS)
		return fail(r, lw_reader_line(event),
			    "a domain has name and nodes, and nothing else");
	rc = lw_reader_next(r, &value);
	if (rc)
		return rc;
	rc = take_value(r, arg, (enum field)field, &value);
	yaml_event_delete(&value);
	return rc;
}

static int read_item(struct reader *r, const yaml_event_t *event, void *arg)
{
	struct domain domain = { .line = lw_reader_line(event) };
	int rc;

	if (event->type != YAML_MAPPING_START_EVENT)
		return fail(r, domain.line,
			    "wants a mapping such as {name: rack1, nodes: 'gpu[1-8]'}");
	rc = lw_reader_each(r, YAML_MAPPING_END_EVENT, read_pair, &domain);
	if (!rc && (!domain.text[NAME] || !domain.text[NODES]))
		rc = fail(r, domain.line,
			  domain.text[NAME] ? "a domain without nodes; add them"
					    : "a domain without name; add one");
	if (!rc && lw_domain_list_add(arg, domain.line, domain.text[NAME], domain.text[NODES]))
		rc = lw_reader_no_memory(r);
	for (int i = 0; i < FIELDS; i++)
		free(domain.text[i]);
	return rc;
}

static int check(struct reader *r, struct lw_domain_list *list)
{
	struct lw_error err = { "" };
	unsigned line = 0;
	int rc = lw_domain_list_check(list, &line, &err);

	if (rc == -ENOMEM)
		return lw_reader_no_memory(r);
	return rc ? fail(r, line, err.text) : 0;
}

int lw_reader_domains(struct reader *r, const struct lw_key *key)
{
	struct lw_domain_list *list = (void *)((char *)r->cfg + key->offset);
	int rc = lw_reader_each(r, YAML_SEQUENCE_END_EVENT, read_item, list);

	return rc ? rc : check(r, list);
}
