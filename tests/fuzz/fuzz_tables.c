/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: tables that leeway sim reads: lw-tenants(5), prices and CO2 by the hour. */
#include "fuzz/fuzz.h"

#include "measure/energy.h"
#include "measure/sharing.h"

static void read_tenants(const char *path)
{
	struct lw_sharing_table table = { 0 };
	struct lw_error err = { "" };

	if (lw_sharing_read(path, &table, &err))
		fuzz_check_told(err.text);
	lw_sharing_fini(&table);
}

static void read_factors(const char *path)
{
	struct lw_energy_model model = { 0 };
	struct lw_error err = { "" };

	if (lw_energy_read_factors(path, &model, &err))
		fuzz_check_told(err.text);
	lw_energy_model_fini(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const char *path = fuzz_write("table", data, size);

	if (how & 1)
		read_factors(path);
	else
		read_tenants(path);
	return 0;
}
