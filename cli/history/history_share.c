/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history show --share: what jobs of one GPU use of it, as job_submit sees it. */
#include "cli/history/history_share.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/savefile.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "cli/history/history.h"
#include "tagger/tag.h"

static const char *tag_of(const struct lw_share_key *key)
{
	return key->tag < LW_TAG_CLASS_COUNT ? lw_tag_class_name((enum lw_tag_class)key->tag) : "-";
}

static const char *word_of(const char *text)
{
	return *text ? text : "-";
}

/* Thousandths as percent. */
static void print_share(bool has, uint32_t value)
{
	if (has)
		printf(" %6.1f", value / 10.0);
	else
		printf(" %6s", "-");
}

static void print_entry(const struct lw_share_key *key, const struct lw_share_record *record)
{
	char clock[LW_HISTORY_CLOCK_MAX];

	printf("%10" PRIu32 " %-16s %-10s", key->user, lw_history_user_name(key->user),
	       tag_of(key));
	printf(" %-24s %-12s %5" PRIu32, word_of(key->name), word_of(key->type), record->runs);
	print_share(record->use.has_util, record->use.util);
	print_share(record->use.has_sm, record->use.sm);
	print_share(record->has_membw, record->membw);
	if (record->use.has_mem)
		printf(" %8" PRIu32, record->use.mem_mib);
	else
		printf(" %8s", "-");
	printf(" %16s\n", lw_history_clock(record->last_s, clock));
}

static void set_share(json_t *o, const char *key, bool has, uint32_t value)
{
	json_object_set_new(o, key, has ? json_real(value / 10.0) : json_null());
}

static json_t *make_entry(const struct lw_share_key *key, const struct lw_share_record *record)
{
	json_t *o = json_object();

	json_object_set_new(o, "user", json_integer(key->user));
	json_object_set_new(o, "tag",
			    key->tag == LW_SHARE_UNTAGGED ? json_null()
							  : json_string(tag_of(key)));
	json_object_set_new(o, "name", json_string(key->name));
	json_object_set_new(o, "gpu_type", json_string(key->type));
	json_object_set_new(o, "runs", json_integer(record->runs));
	json_object_set_new(o, "last_end_s", json_integer(record->last_s));
	set_share(o, "util_percent", record->use.has_util, record->use.util);
	set_share(o, "sm_percent", record->use.has_sm, record->use.sm);
	set_share(o, "membw_percent", record->has_membw, record->membw);
	json_object_set_new(o, "mem_mib",
			    record->use.has_mem ? json_integer(record->use.mem_mib) : json_null());
	return o;
}

/* Of another user than asked for, or without known runs. */
static bool is_left_out(const struct lw_share_entry *entry, uint32_t who,
			struct lw_share_record *ret_record)
{
	return (who != LW_HISTORY_NOBODY && entry->key.user != who) ||
	       !lw_share_entry_record(entry, INT64_MIN, ret_record);
}

void lw_share_print(const struct lw_share_known *known, uint32_t who)
{
	struct lw_share_record record;

	printf("%10s %-16s %-10s %-24s %-12s %5s %6s %6s %6s %8s %16s\n", "user", "name", "tag",
	       "job", "gpu", "runs", "util %", "sm %", "bw %", "mem MiB", "last_end");
	for (uint32_t i = 0; i < known->count; i++)
		if (!is_left_out(known->entries[i], who, &record))
			print_entry(&known->entries[i]->key, &record);
}

json_t *lw_share_json(const struct lw_share_known *known, uint32_t who)
{
	struct lw_share_record record;
	json_t *list = json_array();

	for (uint32_t i = 0; i < known->count; i++)
		if (!is_left_out(known->entries[i], who, &record))
			json_array_append_new(list, make_entry(&known->entries[i]->key, &record));
	return list;
}

int lw_share_load(const char *path, struct lw_share_known *ret_known, struct lw_error *err)
{
	static const struct lw_savefile kind = { NULL, LW_SHARE_FILE_KIND,
						 LW_SHARE_FILE_VERSION };
	char *text = NULL;
	size_t size;
	int rc = lw_history_read(path, &kind, &text, &size, err);

	if (rc)
		return rc;
	rc = lw_share_known_parse(text, size, ret_known, err);
	free(text);
	return rc ? lw_error_prefix(err, rc, "%s: ", path) : 0;
}

int lw_history_show_share(const struct lw_history_request *request, struct lw_error *err)
{
	struct lw_share_known known = { 0 };
	uint32_t who = LW_HISTORY_NOBODY;
	int rc = request->user ? lw_tools_find_user(request->user, &who, err) : 0;

	if (!rc)
		rc = lw_share_load(request->file, &known, err);
	if (rc)
		return rc;
	if (request->json)
		rc = lw_output_json(
			request->json,
			lw_json_named("leeway.history.share",
				      json_pack("{s:o}", "jobs", lw_share_json(&known, who))),
			err);
	else
		lw_share_print(&known, who);
	lw_share_known_fini(&known);
	return rc;
}
