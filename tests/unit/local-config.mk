# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: unit tests of src/base and src/config.
if HAVE_CHECK
LW_CONFIG_CHECKS = \
	tests/unit/check_base_bitset \
	tests/unit/check_base_duedate \
	tests/unit/check_base_duration \
	tests/unit/check_base_when \
	tests/unit/check_base_heap \
	tests/unit/check_base_lookup \
	tests/unit/check_base_number \
	tests/unit/check_base_plain \
	tests/unit/check_base_savefile \
	tests/unit/check_base_search \
	tests/unit/check_base_spell \
	tests/unit/check_base_text \
	tests/unit/check_config \
	tests/unit/check_config_keys \
	tests/unit/check_config_bytes \
	tests/unit/check_mistakes \
	tests/unit/check_recipes \
	tests/unit/check_starters
check_PROGRAMS += $(LW_CONFIG_CHECKS)
UNIT_TESTS += $(LW_CONFIG_CHECKS)
endif
