/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: backfilling in queue order: fcfs, easy, relaxed, adaptive. */
#ifndef LW_PLANNER_BACKFILL_H
#define LW_PLANNER_BACKFILL_H

#include "planner/cycle/walk.h"

/*
 * Walk the whole queue once in its order, EASY's two steps in one pass: start while
 * there is room; reserve for the first job that has none; let later jobs start where
 * they do not touch the reservation or end before it. A terse plan, and any order but
 * the snapshot's, goes by classes. 0 or -ENOMEM.
 */
int lw_backfill_walk(struct lw_walk *walk);

#endif
