/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/topotext: what Slurm prints of its topology. */
#include "slurm/read/topotext.h"

#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *what, *text;
	bool blocks;
	const char *records; /* "name:level:nodes ...", in order */
} texts[] = {
	{ "nothing", "", false, "" },
	{ "a tree, leaves first as Slurm has them",
	  "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[0-7]\n"
	  "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[8-15]\n"
	  "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-15] Switches=s[1-2]\n",
	  false, "top:1:n[0-15] s1:0:n[0-7] s2:0:n[8-15] " },
	{ "blocks, single and together",
	  "BlockName=b1 BlockIndex=0 Nodes=n[0-7] BlockSize=8\n"
	  "BlockName=b2 BlockIndex=1 Nodes=n[8-15] BlockSize=8\n"
	  "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[0-15] BlockSize=16\n",
	  true, "b[1-2]:16:n[0-15] b1:8:n[0-7] b2:8:n[8-15] " },
	{ "a switch without nodes, a line of something else, no newline at the end",
	  "SwitchName=s1 Level=0 LinkSpeed=1\nwhat Nodes=n1\nSwitchName=s2 Level=3 Nodes=n2",
	  false, "s2:3:n2 " },
	{ "a name that looks like a key, and blanks",
	  "SwitchName=Level=7  Level=2   Nodes=n1\n", false, "Level=7:2:n1 " },
};

TEST_EACH(records_are_found, LW_COUNT_OF(texts))
{
	struct lw_topo_records records;
	char said[400] = "";

	ck_assert_int_eq(lw_topo_records_read(&records, texts[_i].text), 0);
	for (uint32_t i = 0; i < records.count; i++) {
		size_t len = strlen(said);

		snprintf(said + len, sizeof(said) - len, "%s:%u:%s ", records.items[i].name,
			 records.items[i].level, records.items[i].nodes);
	}
	ck_assert_msg(!strcmp(said, texts[_i].records), "%s: %s", texts[_i].what, said);
	ck_assert_int_eq(records.blocks, texts[_i].blocks);
	lw_topo_records_fini(&records);
	lw_topo_records_fini(&records);
}
