/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the switches and blocks of topology.yaml, as lines of topology.conf. */
#include "cli/check/check_topoyaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* What a mapping of topology.yaml says, and where topology.conf has it. */
static const struct {
	const char *yaml, *conf;
} keys[] = {
	{ "switch", "SwitchName" },
	{ "block", "BlockName" },
	{ "nodes", "Nodes" },
	{ "children", "Switches" },
};

static struct lw_slurmconf_line *add_line(struct lw_topoyaml *topo, struct lw_slurmconf *conf,
					  uint32_t number)
{
	struct lw_slurmconf_line *line;

	if (lw_grow((void **)&conf->lines, &conf->line_room, conf->line_count + 1,
		    sizeof(*conf->lines))) {
		topo->error = -ENOMEM;
		return NULL;
	}
	line = &conf->lines[conf->line_count++];
	*line = (struct lw_slurmconf_line){ .file = topo->path, .number = number };
	return line;
}

static void add_pair(struct lw_topoyaml *topo, struct lw_slurmconf_line *line, const char *key,
		     const char *value)
{
	struct lw_slurmconf_pair pair = { strdup(key), strdup(value) };

	if (!pair.key || !pair.value ||
	    lw_grow((void **)&line->pairs, &line->pair_room, line->pair_count + 1,
		    sizeof(*line->pairs))) {
		free(pair.key);
		free(pair.value);
		topo->error = -ENOMEM;
		return;
	}
	line->pairs[line->pair_count++] = pair;
}

/* ---- mappings ---- */

static struct lw_topoyaml_frame *frame_of(struct lw_topoyaml *topo)
{
	return topo->depth && topo->depth <= LW_TOPOYAML_DEPTH ? &topo->frames[topo->depth - 1]
							       : NULL;
}

static void topoyaml_push(struct lw_topoyaml *topo, bool is_mapping, uint32_t number)
{
	struct lw_topoyaml_frame *frame = frame_of(topo);

	/* it is the value of the key before */
	topo->sizes = frame && !is_mapping && !strcmp(frame->key, "block_sizes") ? number : 0;
	if (frame)
		frame->key[0] = '\0';
	topo->depth++;
	frame = frame_of(topo);
	if (frame)
		*frame = (struct lw_topoyaml_frame){ .is_mapping = is_mapping, .number = number };
}

/* A line of the switch or block that ends with its mapping. */
static void topoyaml_pop(struct lw_topoyaml *topo)
{
	struct lw_topoyaml_frame *frame = frame_of(topo);
	struct lw_slurmconf *conf;
	struct lw_slurmconf_line *line;

	topo->depth -= topo->depth > 0;
	if (!frame || (!frame->values[0] && !frame->values[1])) {
		for (int i = 0; frame && i < LW_TOPOYAML_KEYS; i++)
			free(frame->values[i]);
		return;
	}
	conf = frame->values[0] ? &topo->tree : &topo->blocks;
	line = add_line(topo, conf, frame->number);
	for (int i = 0; i < LW_TOPOYAML_KEYS; i++) {
		if (line && frame->values[i])
			add_pair(topo, line, keys[i].conf, frame->values[i]);
		free(frame->values[i]);
	}
}

static void take_value(struct lw_topoyaml *topo, struct lw_topoyaml_frame *frame,
		       const char *value)
{
	for (int i = 0; i < LW_TOPOYAML_KEYS; i++) {
		if (strcmp(frame->key, keys[i].yaml))
			continue;
		free(frame->values[i]);
		frame->values[i] = strdup(value);
		if (!frame->values[i])
			topo->error = -ENOMEM;
	}
	frame->key[0] = '\0';
}

static void take_scalar(struct lw_topoyaml *topo, const char *text, uint32_t number)
{
	struct lw_topoyaml_frame *frame = frame_of(topo);
	struct lw_slurmconf_line *line;

	if (topo->sizes) {
		line = add_line(topo, &topo->blocks, number);
		if (line)
			add_pair(topo, line, "BlockSizes", text);
	} else if (frame && frame->is_mapping && *frame->key) {
		take_value(topo, frame, text);
	} else if (frame && frame->is_mapping) {
		snprintf(frame->key, sizeof(frame->key), "%s", text);
	}
}

bool lw_topoyaml_take(struct lw_topoyaml *topo, const yaml_event_t *event)
{
	uint32_t number = (uint32_t)event->start_mark.line + 1;
	bool ends = false;

	switch (event->type) {
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		topoyaml_push(topo, event->type == YAML_MAPPING_START_EVENT, number);
		break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		/* an item of the list of topologies */
		ends = topo->depth == 2 && event->type == YAML_MAPPING_END_EVENT;
		topo->sizes = 0;
		topoyaml_pop(topo);
		break;
	case YAML_SCALAR_EVENT:
		take_scalar(topo, (const char *)event->data.scalar.value, number);
		break;
	default:
		break;
	}
	return ends;
}

void lw_topoyaml_clear(struct lw_topoyaml *topo)
{
	lw_slurmconf_fini(&topo->tree);
	lw_slurmconf_fini(&topo->blocks);
	memset(&topo->tree, 0, sizeof(topo->tree));
	memset(&topo->blocks, 0, sizeof(topo->blocks));
}

void lw_topoyaml_fini(struct lw_topoyaml *topo)
{
	while (topo->depth)
		topoyaml_pop(topo);
	lw_topoyaml_clear(topo);
}
