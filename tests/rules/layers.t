#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: includes go only along the arrows of the layers.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# FILE:LINE: folder -> what it may not include.
bad_arrows()
{
	(
		cd "$1"
		files . "^($houses)/.*\.[ch]\$" | tr '\n' '\0' | xargs -0 -r awk '
		BEGIN {
			may["src/base"] = "base"
			may["src/share"] = "share base"
			may["src/predictor"] = "predictor tagger base"
			may["src/tagger"] = "tagger base"
			may["src/planner"] = "planner predictor base"
			may["src/config"] = "config base"
			may["src/record"] = "record base"
			may["src/slurm"] = "slurm planner predictor tagger config record share " \
				"base"
			may["plugins/sched"] = "slurm base"
			may["plugins/select"] = "slurm base"
			may["plugins/job_submit"] = "tagger config share base"
			may["plugins/spank"] = "record base"
			pure = "planner predictor tagger config record share base"
			may["measure"] = "measure " pure
			may["cli"] = "cli " may["measure"]
			may["lab"] = "lab cli " may["measure"]
			folders = " base planner predictor share tagger config record slurm " \
				"plugins measure cli lab unit property "
		}
		FNR == 1 {
			split(FILENAME, part, "/")
			from = part[1]
			if (from ~ /^(src|plugins)$/)
				from = from "/" part[2]
		}
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			split($0, quoted, "\"")
			path = quoted[2]
			to = path
			sub(/\/.*/, "", to)
			if (!(from in may))
				print FILENAME ":" FNR ": no such layer: " from
			else if (path !~ /\//)
				print FILENAME ":" FNR ": without its folder: " path
			else if (index(folders, " " to " ") &&
				 !(path == "slurm/compat/public.h" && from ~ /^plugins/) &&
				 !(path ~ /^planner\/model\/(policies|orders|params)\.def$/ &&
				   from == "src/config") &&
				 (!index(" " may[from] " ", " " to " ") ||
				  (from == "lab" && path ~ /^cli\// &&
				   path !~ /^cli\/(common|chart)\//)))
				print FILENAME ":" FNR ": " from " may not include " path
		}'
	)
}

# FILE:LINE: folders that include each other, directly or by others.
circles()
{
	(
		cd "$1"
		files . "^($houses)/.*\.[ch]\$" | tr '\n' '\0' | xargs -0 -r awk '
		function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
		FNR == 1 { from = folder(FILENAME) }
		/^[ \t]*#[ \t]*include[ \t]*".*\// {
			split($0, quoted, "\"")
			to = folder(quoted[2])
			if (to !~ /^(measure|cli|lab)(\/|$)/)
				to = "src/" to
			if (to != from && !((from, to) in place))
				place[from, to] = FILENAME ":" FNR
		}
		END {
			# what nothing goes on from, or leads to, is in no circle
			do {
				delete starts
				delete ends
				for (arrow in place) {
					split(arrow, side, SUBSEP)
					starts[side[1]] = ends[side[2]] = 1
				}
				taken = 0
				for (arrow in place) {
					split(arrow, side, SUBSEP)
					if (!(side[1] in ends) || !(side[2] in starts)) {
						delete place[arrow]
						taken++
					}
				}
			} while (taken)
			for (arrow in place) {
				split(arrow, side, SUBSEP)
				print place[arrow] ": in a circle: " side[1] " -> " side[2]
			}
		}' | sort
	)
}

# FILE:LINE: what a folder of src/slurm may not include of the others.
bad_steps()
{
	(
		cd "$1"
		files . '^src/slurm/.*\.[ch]$' | tr '\n' '\0' | xargs -0 -r awk '
		BEGIN {
			may["agent"] = "agent apply select read query keep lock compat"
			may["apply"] = "apply select query keep lock compat"
			may["select"] = "select query compat"
			may["read"] = "read query keep lock compat"
			may["query"] = "query compat"
			may["keep"] = "keep compat"
			may["lock"] = "lock compat"
			may["compat"] = "compat"
			may[""] = "compat"
		}
		FNR == 1 { from = split(FILENAME, part, "/") > 3 ? part[3] : "" }
		/^[ \t]*#[ \t]*include[ \t]*"slurm\/.*\// {
			split($0, quoted, "\"")
			split(quoted[2], to, "/")
			if (!index(" " may[from] " ", " " to[2] " "))
				print FILENAME ":" FNR ": may not include " quoted[2]
		}'
	)
}

# FILE:LINE: what a folder of src/planner may not include of the others.
bad_planner_steps()
{
	(
		cd "$1"
		files . '^src/planner/.*\.[ch]$' | tr '\n' '\0' | xargs -0 -r awk '
		BEGIN {
			may["model"] = "model"
			may["place"] = "place model"
			may["time"] = "time place model"
			may["order"] = "order model"
			may["cycle"] = "cycle order time place model"
			may["policies"] = "policies cycle order time place model"
			may["text"] = "text model"
		}
		FNR == 1 { from = split(FILENAME, part, "/") > 3 ? part[3] : "" }
		/^[ \t]*#[ \t]*include[ \t]*"planner\// {
			split($0, quoted, "\"")
			split(quoted[2], to, "/")
			if (!index(" " may[from] " ", " " to[2] " "))
				print FILENAME ":" FNR ": may not include " quoted[2]
		}'
	)
}

# FILE:LINE: what a folder of cli may not include of the others.
bad_cli_steps()
{
	(
		cd "$1"
		files . '^cli/.*\.[ch]$' | tr '\n' '\0' | xargs -0 -r awk '
		BEGIN {
			# beside itself, chart and common
			may["gpu"] = "history"
			may["cmd"] = "why"
			may["live"] = "gpu why"
		}
		FNR == 1 { from = split(FILENAME, part, "/") > 2 ? part[2] : "" }
		/^[ \t]*#[ \t]*include[ \t]*"cli\/.*\// {
			split($0, quoted, "\"")
			split(quoted[2], to, "/")
			all = from == "common" ? "" : " chart common "
			if (!index(" " from all " " may[from] " ", " " to[2] " "))
				print FILENAME ":" FNR ": may not include " quoted[2]
		}'
	)
}

# Slurm-internal headers outside src/slurm, plugins/sched and plugins/select; any
# header of Slurm outside those and the two plugins that use the public ones.
bad_slurm_includes()
{
	(
		cd "$1"
		files . "^($houses|tests|contrib)/.*\.[ch]\$" |
			grep -vE '^(src/slurm|plugins/(sched|select))/' | tr '\n' '\0' |
			xargs -0 -r grep -nHE '^[ \t]*#[ \t]*include[ \t]*["<]src/' || true
		files . "^($houses|tests|contrib)/.*\.[ch]\$" |
			grep -vE '^(src/slurm|plugins|contrib/minislurm/inside)/' | tr '\n' '\0' |
			xargs -0 -r grep -nHE '^[ \t]*#[ \t]*include[ \t]*<slurm/' || true
	)
}

keeps "includes follow the arrows of the houses and of what Slurm loads" bad_arrows
keeps "no folders include each other in a circle" circles
keeps "in src/slurm they go from agent down to keep" bad_steps
keeps "in src/planner they go from policies down to model" bad_planner_steps
keeps "in cli they go from a subcommand to common and chart" bad_cli_steps
keeps "Slurm's headers stay in src/slurm and the plugins" bad_slurm_includes

plant src/tagger/x.c <<<'#include "planner/model/plan.h"'
bites "the tagger including the planner" bad_arrows src/tagger/x.c:1
plant src/planner/x.c <<<'#include "config/config.h"'
bites "the planner including config" bad_arrows src/planner/x.c:1
plant src/base/x.h <<<'#include "planner/model/plan.h"'
bites "base including the planner" bad_arrows src/base/x.h:1
plant src/planner/x.c <<<'#include "measure/job.h"'
bites "what Slurm loads including what is measured" bad_arrows src/planner/x.c:1
plant measure/x.c <<<'#include "cli/common/tools.h"'
bites "what is measured including the command" bad_arrows measure/x.c:1
plant cli/report/x.c <<<'#include "lab/sim/engine.h"'
bites "the command including the laboratory" bad_arrows cli/report/x.c:1
plant lab/cmd/x.c <<<'#include "cli/report/report.h"'
bites "the laboratory including a subcommand" bad_arrows lab/cmd/x.c:1
plant lab/sim/x.c <<<'#include "slurm/read/read.h"'
bites "the laboratory including slurm" bad_arrows lab/sim/x.c:1
plant lab/cmd/x.c <<<'#include "cli/common/tools.h"'
plant lab/sim/x.c <<<'#include "measure/job.h"'
plant cli/report/x.c <<<'#include "measure/job.h"'
spares "the houses including what they may" bad_arrows
plant plugins/spank/x.c <<<'  #  include "planner/model/plan.h"'
bites "spank including the planner" bad_arrows plugins/spank/x.c:1
plant plugins/spank/x.c <<<'#include "slurm/compat/public.h"'
spares "what all plugins know of releases" bad_arrows
plant plugins/spank/x.c <<<'#include "slurm/compat/compat.h"'
bites "spank including Slurm's insides through compat" bad_arrows plugins/spank/x.c:1
plant cli/cmd/x.c <<<'#include "x.h"'
bites "an include without its folder" bad_arrows cli/cmd/x.c:1
plant plugins/spank/x.c <<<'#include "unit/scratch.h"'
bites "an include of a test's header" bad_arrows plugins/spank/x.c:1
plant src/extra/x.c <<<'#include "base/log.h"'
bites "a folder that is no layer" bad_arrows src/extra/x.c:1
plant src/slurm/x.c <<<'#include "planner/model/plan.h"'
plant src/base/y.c <<<'#include <string.h>'
spares "includes along the arrows" bad_arrows

plant cli/gpu/a.c <<<'#include "cli/live/live.h"'
plant cli/live/b.c <<<'#include "cli/why/why.h"'
plant cli/why/c.c <<<'#include "cli/gpu/gpu.h"'
bites "three folders in a circle" circles "cli/why/c.c:1: in a circle: cli/why -> cli/gpu"
plant src/planner/model/a.c <<<'#include "planner/place/place.h"'
plant src/planner/place/b.c <<<'#include "planner/model/job.h"'
bites "two folders that include each other" circles src/planner/model/a.c:1
plant cli/gpu/a.c <<<'#include "cli/live/live.h"'
plant cli/live/b.c <<<'#include "measure/job.h"'
plant lab/sim/c.c <<<'#include "measure/job.h"'
spares "folders that do not" circles

plant src/slurm/keep/x.c <<<'#include "slurm/read/read.h"'
bites "what is kept including the reading" bad_steps src/slurm/keep/x.c:1
plant src/slurm/query/x.c <<<'#include "slurm/lock/session.h"'
bites "a question to Slurm including its locks" bad_steps src/slurm/query/x.c:1
plant src/slurm/apply/x.c <<<'#include "slurm/read/reader.h"'
bites "a plan being applied including the reading" bad_steps src/slurm/apply/x.c:1
plant src/slurm/x.c <<<'#include "slurm/agent/agent.h"'
bites "what all use including the agent" bad_steps src/slurm/x.c:1
plant src/slurm/compat/x.h <<<'#include "slurm/select/narrow.h"'
bites "what all know of releases including the select plugin" bad_steps src/slurm/compat/x.h:1
plant src/slurm/read/x.c <<<'#include "slurm/keep/promise.h"'
plant src/slurm/x.c <<<'#include "slurm/compat/compat.h"'
spares "includes down the folders of src/slurm" bad_steps

plant src/planner/time/x.c <<<'#include "planner/policies/policy.h"'
bites "the profile including a policy" bad_planner_steps src/planner/time/x.c:1
plant src/planner/text/x.c <<<'#include "planner/cycle/relax.h"'
bites "the text including the cycle" bad_planner_steps src/planner/text/x.c:1
plant src/planner/order/x.c <<<'#include "planner/cycle/cycle.h"'
bites "an order including the cycle" bad_planner_steps src/planner/order/x.c:1
plant src/planner/policies/x.c <<<'#include "planner/cycle/cycle.h"'
plant src/planner/cycle/x.c <<<'#include "planner/order/order.h"'
spares "includes down the folders of src/planner" bad_planner_steps

plant cli/report/x.c <<<'#include "cli/live/live.h"'
bites "the report including the live page" bad_cli_steps cli/report/x.c:1
plant cli/common/x.h <<<'#include "cli/chart/chart.h"'
bites "what all commands share including the charts" bad_cli_steps cli/common/x.h:1
plant cli/extra/x.c <<<'#include "cli/why/why.h"'
bites "a new command including another one" bad_cli_steps cli/extra/x.c:1
plant cli/extra/x.c <<<'#include "cli/chart/chart.h"'
plant cli/live/x.c <<<'#include "cli/why/why.h"'
plant cli/main.c <<<'#include "cli/common/tools.h"'
spares "includes along the arrows of cli" bad_cli_steps

plant src/config/x.c <<<'#include "planner/model/params.h"'
bites "config including the planner" bad_arrows src/config/x.c:1
plant src/config/x.c <<<'#include "planner/model/orders.def"'
spares "config including a table of names" bad_arrows

plant cli/cmd/x.c <<<'#include "src/common/list.h"'
bites "the command including Slurm's insides" bad_slurm_includes cli/cmd/x.c:1
plant plugins/spank/x.c <<<'#include <src/common/list.h>'
bites "spank including Slurm's insides" bad_slurm_includes plugins/spank/x.c:1
plant src/record/x.c <<<'#include <slurm/spank.h>'
bites "record including Slurm's public headers" bad_slurm_includes src/record/x.c:1
plant plugins/spank/x.c <<<'#include <slurm/spank.h>'
plant src/slurm/x.c <<<'#include "src/common/list.h"'
spares "Slurm's headers where they belong" bad_slurm_includes

finish
