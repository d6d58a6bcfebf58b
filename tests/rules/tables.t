#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: which policy or order it is, only its own file and the tables ask.
. "$(dirname "$0")/lib.sh"

# the names of the policies and of the orders, as (FCFS|EASY|...)
ids_of()
{
	sed -n "s/^$1(\([A-Z0-9_]*\),.*/\1/p" "$root/src/planner/model/$2" | paste -sd '|'
}
names="LW_(POLICY|SCHED)_($(ids_of LW_POLICY policies.def))\b"
names+="|LW_ORDER_($(ids_of LW_ORDER orders.def))\b"

ops='[=!]=|[<>]=?'

# FILE:LINE: a comparison with a policy or an order, a case, a set of them. What is set to one, or
# is a row of a table that names one, asks nothing.
bad_tests()
{
	(
		cd "$1"
		files . "^($houses|tests/property)/.*\.[ch]\$" |
			grep -vxE 'src/planner/model/params\.[ch]' | tr '\n' '\0' |
			xargs -0 -r grep -nHE "($ops|<<|case)[ \t]*($names)|($names)[ \t]*($ops)" ||
			true
	)
}

keeps "nobody asks which policy or order it is" bad_tests

plant src/planner/cycle/x.c <<<'	if (walk->params->kind == LW_POLICY_FCFS)'
bites "a step that asks for a policy" bad_tests src/planner/cycle/x.c:1
plant lab/sim/x.c <<<'	return kind >= LW_POLICY_RELAXED;'
bites "a comparison of the numbers of policies" bad_tests lab/sim/x.c:1
plant src/slurm/x.c <<<'	if (LW_SCHED_LEEWAY != config->sched_policy)'
bites "a setting that is asked for" bad_tests src/slurm/x.c:1
plant src/planner/text/x.c <<<'	OURS = 1 << LW_POLICY_LEEWAY,'
bites "a set of policies" bad_tests src/planner/text/x.c:1
plant src/planner/order/x.c <<<'	case LW_ORDER_SJF:'
bites "a switch over orders" bad_tests src/planner/order/x.c:1
plant tests/property/x.c <<<'	return params->kind >= LW_POLICY_RELAXED;'
bites "a property of some policies by name" bad_tests tests/property/x.c:1
plant lab/sim/x.c <<<'	params.kind = LW_POLICY_FCFS;'
plant cli/cmd/x.c <<<'	{ "clairvoyant", LW_POLICY_EASY },'
spares "what chooses a policy" bad_tests

finish
