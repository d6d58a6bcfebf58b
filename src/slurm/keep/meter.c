/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler's metrics, as a text for Prometheus. */
#include "slurm/keep/meter.h"

#include "base/io.h"
#include "base/prom.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PEAK_S 60
#define MICROS 1000000

enum unit { ONE, MICRO };
enum type { counter, gauge };

static const char *const types[] = { "counter", "gauge" };

/* A family, or a value of the last one. */
struct entry {
	const char *family, *help;
	enum type type;
	enum lw_meter_id id;
	enum unit unit;
	const char *label, *text;
};

static const struct entry entries[] = {
#define LW_FAMILY(name, type_, help_) { .family = name, .help = help_, .type = type_ },
#define LW_VALUE(symbol, unit_, label_, text_)                                                   \
	{ .id = LW_METER_##symbol, .unit = unit_, .label = label_, .text = text_ },
#include "slurm/keep/meter.def"
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

void lw_meter_init(struct lw_meter *meter)
{
	*meter = (struct lw_meter){ 0 };
	lw_meter_unset_gauges(meter);
}

void lw_meter_unset_gauges(struct lw_meter *meter)
{
	enum type type = gauge;

	for (size_t i = 0; i < ENTRIES; i++) {
		if (entries[i].family)
			type = entries[i].type;
		else
			meter->known[entries[i].id] = type == counter;
	}
}

void lw_meter_set(struct lw_meter *meter, enum lw_meter_id id, int64_t value)
{
	meter->value[id] = value;
	meter->known[id] = true;
}

void lw_meter_unset(struct lw_meter *meter, enum lw_meter_id id)
{
	meter->known[id] = false;
}

void lw_meter_add(struct lw_meter *meter, enum lw_meter_id id, int64_t value)
{
	if (value > 0 && meter->value[id] <= INT64_MAX - value)
		meter->value[id] += value;
}

void lw_meter_most(struct lw_meter *meter, enum lw_meter_id id, int64_t now_s, int64_t value)
{
	struct lw_meter_peak *peak = &meter->peak[id];
	int64_t age_s = now_s - peak->since_s;

	if (!meter->known[id] || age_s < 0 || age_s >= 2 * PEAK_S)
		*peak = (struct lw_meter_peak){ .since_s = now_s };
	else if (age_s >= PEAK_S)
		*peak = (struct lw_meter_peak){ .since_s = now_s, .before = peak->now };
	if (value > peak->now)
		peak->now = value;
	lw_meter_set(meter, id, peak->now > peak->before ? peak->now : peak->before);
}

uint64_t lw_meter_grown(uint32_t *seen, uint32_t now)
{
	uint32_t grown = now < *seen ? now : now - *seen;

	*seen = now;
	return grown;
}

static void meter_add_info(struct lw_strbuf *out, const struct lw_meter_info *info)
{
	lw_prom_label(out, "{version", info->version);
	lw_prom_label(out, ",slurm", info->slurm);
	lw_prom_label(out, ",policy", info->policy);
	lw_prom_label(out, ",order", info->order);
	lw_prom_label(out, ",planner", info->planner);
	lw_strbuf_add(out, "}");
}

static void meter_add_number(struct lw_strbuf *out, enum unit unit, int64_t value)
{
	if (unit == ONE)
		lw_strbuf_add(out, " %" PRId64 "\n", value);
	else
		lw_strbuf_add(out, " %s%" PRId64 ".%06" PRId64 "\n", value < 0 ? "-" : "",
			      value < 0 ? -(value / MICROS) : value / MICROS,
			      value < 0 ? -(value % MICROS) : value % MICROS);
}

static void meter_add_value(struct lw_strbuf *out, const char *family, const struct entry *entry,
			    const struct lw_meter_info *info, int64_t value)
{
	lw_strbuf_add(out, "%s", family);
	if (entry->id == LW_METER_INFO)
		meter_add_info(out, info);
	if (entry->label) {
		lw_strbuf_add(out, "{");
		lw_prom_label(out, entry->label, entry->text);
		lw_strbuf_add(out, "}");
	}
	meter_add_number(out, entry->unit, value);
}

int lw_meter_print(const struct lw_meter *meter, const struct lw_meter_info *info,
		   struct lw_strbuf *out)
{
	const char *family = NULL;

	for (size_t i = 0; i < ENTRIES; i++) {
		const struct entry *entry = &entries[i];

		if (entry->family) {
			family = entry->family;
			lw_prom_family(out, family, types[entry->type], entry->help);
		} else if (meter->known[entry->id]) {
			meter_add_value(out, family, entry, info, meter->value[entry->id]);
		}
	}
	return out->error;
}

/* What is no file is not replaced: /dev/null would be gone, and a FIFO's reader waits for ever.
 */
static int meter_check_file(const char *path, struct lw_error *err)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT
			       ? 0
			       : lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return lw_error_set(err, -EINVAL, "%s: something else than a file is there",
				    path);
	return 0;
}

int lw_meter_write(const char *path, const struct lw_strbuf *text, struct lw_error *err)
{
	char beside[PATH_MAX];
	int rc = text->error ? lw_error_set(err, text->error, "out of memory")
			     : meter_check_file(path, err);
	int fd;

	if (rc)
		return rc;
	fd = lw_create_beside(path, 0644, beside, sizeof(beside));
	rc = fd < 0 ? fd : lw_write_all(fd, lw_strbuf_text(text), text->len);
	if (!rc && fchmod(fd, 0644))
		rc = -errno;
	if (fd >= 0) {
		rc = lw_replace_by(path, beside, fd, false, rc);
		close(fd);
	}
	return rc ? lw_error_set(err, rc, "%s: %s", path, strerror(-rc)) : 0;
}
