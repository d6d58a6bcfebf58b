#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the example in plain sh of doc/user/examples does as it says; see examples_python.t
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/train.sh"
. "$(dirname "$0")/examples.sh"

examples_begin --nodes 2 --clock 1
example "a script of plain sh" sh 60 'sbatch --parsable job.sh' plain-%j.out
ok "each of its steps was done once" example_whole 60
finish
