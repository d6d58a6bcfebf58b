/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings in leeway.yaml, read, checked and swapped as a whole. */
#ifndef LW_CONFIG_CONFIG_H
#define LW_CONFIG_CONFIG_H

#include "base/nodelist.h"
#include "base/error.h"
#include "base/log.h"
#include "base/rule.h"
#include "base/strbuf.h"
#include "config/mistakes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest leeway.yaml that is read. */
#define LW_CONFIG_BYTES_MAX 65536
/* No file of that size is longer when printed without comments. */
#define LW_CONFIG_KEPT_MAX  (4 * LW_CONFIG_BYTES_MAX)

/* Values of sched_policy: the planner's, in the order of the choices. */
enum lw_sched_policy {
#define LW_POLICY(id, name, traits, help) LW_SCHED_##id,
#include "planner/model/policies.def"
};

/* What Leeway does with its plans: sched.mode. */
enum lw_sched_mode {
	LW_MODE_SCHEDULE,
	LW_MODE_WATCH,
};

/* What happens to a job with a deadline that cannot be met. */
enum lw_submit_deadline {
	LW_SUBMIT_DEADLINE_OFF,
	LW_SUBMIT_DEADLINE_WARN,
	LW_SUBMIT_DEADLINE_REFUSE,
};

/*
 * One field for each key of keys.def, named after it: sched.relax_cap is sched_relax_cap_s.
 * Durations are seconds. An enum is the index of its choice (sched_policy: enum lw_sched_policy,
 * log_level: enum lw_log_level). A path, and words, are NULL when they are empty, and the
 * struct's own. A list of rules holds the rules of the file with a valid form, and nothing else
 * of them is checked; lists of domains and of islands are checked, and domains are sorted. Treat
 * it as const once loaded.
 */
struct lw_config {
#define LW_KEY_BOOL(field, path, def, sentence)               bool field;
#define LW_KEY_COUNT(field, path, def, min, max, sentence)    uint32_t field;
#define LW_KEY_DOUBLE(field, path, def, min, max, sentence)   double field;
#define LW_KEY_DURATION(field, path, def, min, max, sentence) int64_t field;
#define LW_KEY_ENUM(field, path, def, choices, sentence)      int field;
#define LW_KEY_PATH(field, path, sentence)                    char *field;
#define LW_KEY_WORDS(field, path, sentence)                   char *field;
#define LW_KEY_RULES(field, path, sentence)                   struct lw_rule_list field;
#define LW_KEY_DOMAINS(field, path, sentence)                 struct lw_node_list field;
#define LW_KEY_ISLANDS(field, path, sentence)                 struct lw_node_list field;
#include "config/keys.def"
};

/* Set every key to its default. Cannot fail. */
void lw_config_default(struct lw_config *cfg);

/* Free all it holds; safe on a zeroed or already finished one. */
void lw_config_fini(struct lw_config *cfg);

/*
 * Read the file at PATH into *ret_cfg; keys that it leaves out get their default. *ret_cfg must
 * be uninitialised or finished, and is untouched on failure. Returns 0; -ENOENT: no such file;
 * -EINVAL: its contents; -EFBIG: it is above LW_CONFIG_BYTES_MAX; -ENOMEM; or the -errno of
 * opening and reading it. ERR says what and where: "leeway.yaml:12: sched.relax: 3.0 is above
 * 2.0". If the contents have several mistakes, ERR has the first. MISTAKES, which the caller
 * zeroes before and finishes in any case, gets all of them, and each rule that is left out of a
 * file that is accepted.
 */
int lw_config_load(const char *path, struct lw_config *ret_cfg, struct lw_mistakes *mistakes,
		   struct lw_error *err);

/* The same for SIZE bytes at TEXT; NAME stands for the file in messages. */
int lw_config_parse_all(const char *name, const char *text, size_t size,
			struct lw_config *ret_cfg, struct lw_mistakes *mistakes,
			struct lw_error *err);
/* The same for callers that want only the first mistake. */
int lw_config_parse(const char *name, const char *text, size_t size, struct lw_config *ret_cfg,
		    struct lw_error *err);

/*
 * The same for the output of lw_config_print() for any readable file: with quotes and blanks it
 * may be longer, up to LW_CONFIG_KEPT_MAX.
 */
int lw_config_parse_printed(const char *name, const char *text, size_t size,
			    struct lw_config *ret_cfg, struct lw_error *err);

/*
 * Append what differs to OUT, as "sched.relax: 0.1 -> 0.3, log.level: info -> debug".
 * Returns the number of keys that differ. Failure is in out->error.
 */
unsigned lw_config_diff(const struct lw_config *before, const struct lw_config *after,
			struct lw_strbuf *out);

/*
 * Append CFG to OUT as a leeway.yaml that reads back to the same settings. With
 * WITH_COMMENTS every key is explained. Failure is in out->error.
 */
void lw_config_print(const struct lw_config *cfg, bool with_comments, struct lw_strbuf *out);

#endif
