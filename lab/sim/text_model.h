/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a trained net as text: lw-model(5). */
#ifndef LW_LAB_SIM_TEXT_MODEL_H
#define LW_LAB_SIM_TEXT_MODEL_H

#include "base/error.h"
#include "measure/sha256.h"
#include "base/strbuf.h"
#include "lab/sim/net.h"

/* Room for what a model says of how it was trained, with the NUL. */
#define LW_MODEL_WORDS 64

/* A net, and where it comes from. */
struct lw_model {
	struct lw_net net;
	char order[LW_MODEL_WORDS]; /* of the queue without the net */
	char rule[LW_MODEL_WORDS];  /* which jobs may pass the first */
	char trace[LW_SHA256_TEXT]; /* of the file it was trained on */
	uint32_t first_job, last_job; /* places in it, from 1 */
	uint32_t seed, length, rounds;
	/* bounded slowdown of held-out sequences, in hundredths: without the net, and with it */
	uint64_t without, with;
};

/*
 * Read TEXT, the payload of a save file of kind LW_MODEL_KIND (base/savefile.h). -EINVAL with ERR
 * as "NAME:LINE: field: ...", and *ret_model is untouched.
 */
int lw_model_parse(const char *name, const char *text, struct lw_model *ret_model,
		   struct lw_error *err);
/* That payload. 0 or -ENOMEM. The file around it: model_file.h. */
int lw_model_print_payload(const struct lw_model *model, struct lw_strbuf *out);

#define LW_MODEL_KIND	 "model"
#define LW_MODEL_VERSION 1

#endif
