/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a slurmctld of locks, counters and a table, for the agent to run in. */
#ifndef LW_TESTS_SLURM_STUB_H
#define LW_TESTS_SLURM_STUB_H

#include <stdbool.h>
#include <stdint.h>

/* What stands for Slurm's records: each reading looks at it, whoever serves an RPC changes it. */
struct stub_table {
	uint32_t waiting; /* jobs, which are numbered from FIRST_ID on */
	uint32_t first_id;
	uint32_t looked, wrote; /* by the agent: its readings, and its plans */
};

/* Under the lock of jobs. Below: a plan is done; and one begins, and is stuck if it is to be. */
extern struct stub_table stub_table;
void stub_note_plan(void);
void stub_be_stuck(void);

/* State and leeway.yaml are in FOLDER, which must stay. All counters begin anew. */
void stub_begin(const char *folder);
/* An RPC: takes the locks, and changes the table, so that a cycle becomes due. */
void stub_rpc(void);
/* Nodes, partitions or reservations change: who reads has to begin anew. */
void stub_change_tables(void);
/* An RPC that deletes a node and makes another in its place; *DONE is set under the locks. */
void stub_replace_node(bool *done);
/* Wait until the agent has made COUNT plans more, of which it made as many offers. */
void stub_await_plans(unsigned count);
/* The planner is stuck from now on, in the midst of a plan, until stub_unstick(). */
void stub_stick(void);
void stub_await_stuck(void);
void stub_unstick(void);
/* As slurmctld says that it shuts down. */
void stub_shut_down(bool down);
/*
 * CALL touches a file, or WRITES to a disk; while the thread holds a lock of Slurm, all of
 * slurmctld waits for that.
 */
void stub_touch(const char *call, bool writes);
/* The last of the calls that did so with a lock held, or NULL; and from now on. */
const char *stub_touched_locked(bool writes);
void stub_forget_touches(void);
/* Lines of the log on a mistake in leeway.yaml, since stub_begin(). */
unsigned stub_mistakes(void);
/* As slurmctld starts: with its locks held. */
int stub_start_locked(int (*start)(void));
/* The table as it is. */
struct stub_table stub_look(void);

#endif
