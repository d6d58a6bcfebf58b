/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the Gres= of a node, read. */
#include "cli/common/gres.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

bool lw_gres_next(const char **gres, struct lw_gres_gpus *ret_gpus)
{
	while (**gres) {
		const char *at = *gres, *colon;
		size_t len = strcspn(at, ","), end = strcspn(at, ",(");

		*gres += len;
		*gres += **gres == ',';
		if (strncasecmp(at, "gpu", 3) || (len > 3 && !strchr(":=(", at[3])))
			continue;
		/* the count is what is behind the last colon, if that is a number */
		*ret_gpus = (struct lw_gres_gpus){ .type = at + 4, .count = 1 };
		colon = memrchr(at, ':', end);
		if (colon && isdigit((unsigned char)colon[1])) {
			ret_gpus->count =
				(uint32_t)lw_number_begins(colon + 1, LW_GRES_GPUS_MAX, 0);
			end = (size_t)(colon - at);
		}
		ret_gpus->type_len = end > 4 ? end - 4 : 0;
		return true;
	}
	return false;
}

uint32_t lw_gres_count_gpus(const char *gres)
{
	uint32_t gpus = 0;
	struct lw_gres_gpus item;

	while (lw_gres_next(&gres, &item))
		gpus += item.count;
	return gpus;
}

uint64_t lw_gres_count_parts(const char *gres, const char *name)
{
	size_t name_len = strlen(name);
	uint64_t parts = 0;

	while (gres && *gres) {
		size_t len = strcspn(gres, ","), end = strcspn(gres, ",(");
		const char *colon = memrchr(gres, ':', end);

		if (!strncasecmp(gres, name, name_len) && colon == gres + name_len)
			parts += lw_number_begins(colon + 1, LW_GRES_PARTS_MAX, 0);
		gres += len;
		gres += *gres == ',';
	}
	return parts;
}
