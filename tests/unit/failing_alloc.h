/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: makes the n-th allocation of a program fail; link with LW_FAILING_ALLOC_LDFLAGS. */
#ifndef LW_TESTS_FAILING_ALLOC_H
#define LW_TESTS_FAILING_ALLOC_H

/* From now on let allocation number N (from 1) fail, and no other; 0: none. */
void failing_alloc_arm(unsigned n);
/* Disarm. Was the N-th allocation ever asked for? */
int failing_alloc_disarm(void);

#endif
