# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: build list of src/sim.
