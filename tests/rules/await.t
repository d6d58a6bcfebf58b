#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: a cluster test gives up waiting by looks and seconds, whichever are over last
. "$(dirname "$0")/../cluster/lib.sh"

looked=0
# comes_at_look N: slow, as on a busy machine, and true when it is looked at for the Nth time
comes_at_look() {
	pause 1.2
	looked=$((looked + 1))
	[ "$looked" -ge "$1" ]
}

said=$(await 2 "it comes" comes_at_look 4)
like "what comes at the fourth look is seen, though two seconds are over" "$said" \
	"^ok [0-9]+ - it comes"
said=$(await 1 "it comes" false)
like "what does not come is given up, also where a look takes no time" "$said" \
	"^not ok [0-9]+ - it comes"
said=$(await 1 "it comes" true)
like "what is there is not waited for" "$said" \
	"^ok [0-9]+ - it comes"
finish
