/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the file of a trained net, for programs that have files: lw-model(5). */
#ifndef LW_LAB_SIM_MODEL_FILE_H
#define LW_LAB_SIM_MODEL_FILE_H

#include "base/savefile.h"
#include "lab/sim/text_model.h"

#include <errno.h>
#include <stdlib.h>

/* Inline, since the planner's library knows no files. */

/* The whole file, with the line of the save file. 0 or -ENOMEM. */
static inline int lw_model_print(const struct lw_model *model, struct lw_strbuf *out)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_model_print_payload(model, &text);

	if (!rc)
		rc = lw_savefile_print(LW_MODEL_KIND, LW_MODEL_VERSION, lw_strbuf_text(&text),
				       text.len, out);
	lw_strbuf_fini(&text);
	return rc;
}

/* Read the file at PATH. -errno with ERR; -EBADMSG: damaged or none; -EINVAL: of its text. */
static inline int lw_model_load(const char *path, struct lw_model *ret_model,
				struct lw_error *err)
{
	struct lw_error found = { "" };
	char *text;
	size_t size;
	int rc = lw_savefile_read(path, LW_MODEL_KIND, LW_MODEL_VERSION, &text, &size, &found);
	/* its text is not mended by hand */
	const char *remedy = "; make it again with leeway train";

	if (!rc) {
		rc = lw_model_parse(path, text, ret_model, &found);
		free(text);
	}
	if (!rc)
		return 0;
	return lw_error_set(err, rc, "%s%s", found.text,
			    rc == -EBADMSG || rc == -EINVAL ? remedy : "");
}

#endif
