/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the energy that a simulation counts. */
#include "cli/common/tools.h"
#include "measure/energy.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 8

/* A job: node, GPUs and CPUs there, from when to when. */
struct stay {
	uint32_t node, gpus, cpus;
	int64_t from_s, to_s;
};

/* Two nodes of 4 GPUs; GPUs idle 10 W, busy 110; 1 W a CPU; nodes 100 W, suspended 5. */
static const struct {
	const char *what;
	int64_t suspend_after_s;
	struct stay stays[JOBS];
	double all_j, empty_j, suspended_share;
	uint64_t wakes;
} vectors[] = {
	{ "one GPU for 100 s, the other node stands by",
	  -1,
	  { { 0, 1, 8, 0, 100 } },
	  100 * 140 * 2 + 100 * (100 + 8),
	  100 * 140,
	  0,
	  0 },
	{ "the other node is powered down after 10 s",
	  10,
	  { { 0, 1, 8, 0, 100 } },
	  100 * 140 + 10 * 140 + 90 * 5 + 100 * 108,
	  10 * 140,
	  0.45,
	  0 },
	{ "two jobs at once on a node keep it on once",
	  0,
	  { { 0, 1, 0, 0, 100 }, { 0, 2, 0, 50, 150 } },
	  150 * 140 + 100 * 100 + 100 * 200 + 150 * 5,
	  0,
	  0.5,
	  0 },
	{ "one inside another",
	  0,
	  { { 0, 1, 0, 0, 100 }, { 0, 1, 0, 20, 30 } },
	  100 * 140 + 100 * 100 + 10 * 100 + 100 * 5,
	  0,
	  0.5,
	  0 },
	{ "a node that sleeps in between is woken",
	  10,
	  { { 0, 4, 0, 0, 100 }, { 0, 4, 0, 200, 300 }, { 1, 0, 1, 0, 300 } },
	  200 * 140 + 2 * 100 * 400 + 10 * 140 + 90 * 5 + 300 * 141,
	  10 * 140,
	  0.15,
	  1 },
	{ "one that need not sleep is not",
	  100,
	  { { 0, 4, 0, 0, 100 }, { 0, 4, 0, 200, 300 }, { 1, 0, 1, 0, 300 } },
	  300 * 140 + 2 * 100 * 400 + 300 * 141,
	  100 * 140,
	  0,
	  0 },
};

static const struct lw_energy_model model = {
	.gpu_idle_w = 10, .gpu_busy_w = 110, .cpu_w = 1, .node_w = 100, .suspended_w = 5
};

static void make_nodes(struct lw_snapshot *snap)
{
	struct lw_res total = { .cpus = 16 };
	int a = 0, b = 0;

	lw_snapshot_init(snap, 0);
	a = lw_snapshot_gpu_type(snap, "a100");
	b = lw_snapshot_gpu_type(snap, "t4");
	ck_assert(a == 0 && b == 1);
	total.gpus[a] = 4;
	ck_assert_int_eq(lw_snapshot_add_node(snap, "n0", &total, true, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_node(snap, "n1", &total, true, NULL), 0);
}

static struct lw_energy play(const struct lw_energy_model *by, const struct stay *stays)
{
	struct lw_sim_job jobs[JOBS] = { 0 };
	struct lw_energymeter *meter = NULL;
	struct lw_snapshot snap;
	struct lw_energy energy;

	make_nodes(&snap);
	ck_assert_int_eq(lw_energymeter_create(by, &snap, jobs, JOBS, &meter), 0);
	for (uint32_t i = 0; i < JOBS && stays[i].to_s; i++) {
		struct lw_alloc alloc = { .node = stays[i].node,
					  .res = { .cpus = stays[i].cpus } };

		alloc.res.gpus[0] = (uint16_t)stays[i].gpus;
		lw_energymeter_take(meter, i, stays[i].from_s, &alloc, 1);
	}
	for (uint32_t i = 0; i < JOBS && stays[i].to_s; i++)
		lw_energymeter_give(meter, i, stays[i].to_s);
	ck_assert_int_eq(lw_energymeter_read(meter, 0, &energy), 0);
	lw_energymeter_destroy(meter);
	lw_snapshot_fini(&snap);
	return energy;
}

static void is_near(double value, double want, const char *what)
{
	ck_assert_msg(fabs(value - want) < 1e-6 * (1 + fabs(want)), "%s: %g, not %g", what, value,
		      want);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(energy_is_that_of_what_is_on, LW_COUNT_OF(vectors))
{
	struct lw_energy_model by = model;
	struct lw_energy energy;

	by.suspend_after_s = vectors[_i].suspend_after_s;
	energy = play(&by, vectors[_i].stays);
	is_near(energy.all_j, vectors[_i].all_j, vectors[_i].what);
	is_near(energy.empty_j, vectors[_i].empty_j, vectors[_i].what);
	is_near(energy.suspended_share, vectors[_i].suspended_share, vectors[_i].what);
	ck_assert_uint_eq(energy.wakes, vectors[_i].wakes);
}

/* Hour by hour, and from the first again: 2 nodes that are on, 1 kWh in 12,857 s. */
TEST(each_hour_has_its_price)
{
	struct lw_energy_factor factors[] = { { 0.10, 100 }, { 0.40, 500 } };
	const struct stay stays[JOBS] = { { 0, 0, 0, 1800, 9000 } };
	struct lw_energy_model by = model;
	struct lw_energy energy;

	by.suspend_after_s = -1;
	by.factors = factors;
	by.factor_count = 2;
	energy = play(&by, stays);
	is_near(energy.all_j, 9000 * 280.0, "energy");
	is_near(energy.price, 0.280 * (0.10 + 0.40 + 0.5 * 0.10), "price");
	is_near(energy.co2_g, 0.280 * (100 + 500 + 0.5 * 100), "CO2");
}

/* The watts of a type go before those of any GPU. */
TEST(types_have_watts_of_their_own)
{
	const struct stay stays[JOBS] = { { 0, 1, 0, 0, 100 } };
	struct lw_energy_model by = model;

	by.suspend_after_s = -1;
	by.types[0] = (struct lw_energy_type){ "t4", 10, 70 };
	by.types[1] = (struct lw_energy_type){ "A100", 50, 400 }; /* as the file spells it */
	by.type_count = 2;
	is_near(play(&by, stays).all_j, 100 * (2 * (100 + 4 * 50) + 350), "energy");
}

/* What a recipe says of a job's watts goes before those of its type. */
static const struct {
	const char *what;
	double recipe_w, utilisation;
	double busy_w;
} drawers[] = {
	{ "as the recipe says", 250, 50, 250 },
	{ "by its utilisation", 0, 50, 50 + 0.5 * 350 },
	{ "nothing is said", 0, 0, 400 },
};

TEST_EACH(energy_is_that_of_the_recipe_on_its_type, LW_COUNT_OF(drawers))
{
	struct lw_recipe recipe = { .power_w = { drawers[_i].recipe_w },
				    .utilisation = drawers[_i].utilisation };
	const struct lw_recipes recipes = {
		.types = { { .name = "a100", .idle_w = 50, .busy_w = 400 } }, .type_count = 1
	};
	struct lw_sim_job job = { .recipe = &recipe, .recipes = &recipes };
	struct lw_alloc alloc = { .res.gpus = { 1 } };
	struct lw_energymeter *meter = NULL;
	struct lw_energy_model by = model;
	struct lw_snapshot snap;
	struct lw_energy energy;

	by.suspend_after_s = -1;
	lw_energy_add_recipes(&by, &recipes);
	ck_assert_uint_eq(by.type_count, 1);
	lw_energy_add_recipes(&by, &recipes);
	ck_assert_uint_eq(by.type_count, 1);
	make_nodes(&snap);
	ck_assert_int_eq(lw_energymeter_create(&by, &snap, &job, 1, &meter), 0);
	lw_energymeter_take(meter, 0, 0, &alloc, 1);
	lw_energymeter_give(meter, 0, 100);
	ck_assert_int_eq(lw_energymeter_read(meter, 0, &energy), 0);
	is_near(energy.all_j, 100 * (2 * (100 + 4 * 50) + drawers[_i].busy_w - 50),
		drawers[_i].what);
	lw_energymeter_destroy(meter);
	lw_snapshot_fini(&snap);
}

static const struct {
	const char *text;
	int want;
	uint32_t hours;
	const char *told;
} files[] = {
	{ "price,co2\n0.10,100\n0.4 , 500\n", 0, 2, "" },
	{ "# from somewhere\n\n0.1\t3\n", 0, 1, "" },
	{ "0.1;3\n", 0, 1, "" },
	{ "price co2\n", -EINVAL, 0, "no hour in it" },
	{ "0.1\n", -EINVAL, 0, ":1: not \"price co2\"" },
	{ "0.1 2\n0.1 2 3\n", -EINVAL, 0, ":2: not \"price co2\"" },
	{ "-0.1 2\n", -EINVAL, 0, ":1: not \"price co2\"" },
	{ "nan 2\n", -EINVAL, 0, ":1: not \"price co2\"" },
	/* a gap would move all hours behind it */
	{ "price co2\n0.1 2\nNA NA\n0.1 2\n", -EINVAL, 0, ":3: not \"price co2\"" },
	{ "price co2\n0.1 2\nnan 2\n", -EINVAL, 0, ":3: not \"price co2\"" },
	{ "0.1 inf\n", -EINVAL, 0, ":1: not \"price co2\"" },
};

TEST_EACH(factors_are_read_or_refused, LW_COUNT_OF(files))
{
	struct lw_energy_model by = { .factors = NULL };
	struct lw_error err = { "" };

	ck_assert_int_eq(
		lw_energy_read_factors(scratch_write("factors", files[_i].text), &by, &err),
		files[_i].want);
	ck_assert_uint_eq(by.factor_count, files[_i].hours);
	ck_assert_msg(strstr(err.text, files[_i].told) != NULL, "%s", err.text);
	lw_energy_model_fini(&by);
}

/* ---- the command ---- */

static const char trace[] = "; MaxProcs: 8\n"
			    "1 0 0 3600 4 -1 -1 4 7200 -1 1 1 1 -1 -1 -1 -1 -1\n"
			    "2 7200 0 3600 4 -1 -1 4 7200 -1 1 1 1 -1 -1 -1 -1 -1\n";
#define MACHINE "--nodes 2 --gpus-per-node 4 --cpus-per-node 16"

static json_t *simulate(const char *options)
{
	char line[512];
	json_t *root;

	snprintf(line, sizeof(line), "sim %s " MACHINE " --json %s", scratch_path("trace"),
		 options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	return root;
}

static double number(const json_t *root, const char *key)
{
	const json_t *value = json_object_get(root, key);

	ck_assert_msg(json_is_number(value), "no number %s", key);
	return json_number_value(value);
}

TEST(a_simulation_counts_it_when_asked)
{
	char options[256];
	json_t *root;

	scratch_write("trace", trace);
	scratch_write("yaml", "energy: {cpu_w: 0, node_w: 100, gpu_idle_w: 25, gpu_busy_w: 225, "
			      "suspended_w: 0}\n");
	scratch_write("factors", "0.5 200\n");
	snprintf(options, sizeof(options),
		 "--set figures.energy=yes --config %s --set cluster.suspend_after=0s --set "
		 "figures.factors=%s",
		 scratch_path("yaml"), scratch_path("factors"));
	root = simulate(options);
	/* a node with 4 busy GPUs for two hours */
	is_near(number(root, "energy_kwh"), 2.0, "kWh");
	is_near(number(root, "energy_price"), 1.0, "price");
	is_near(number(root, "co2_kg"), 0.4, "CO2");
	is_near(number(root, "suspended_share"), 4 / 6.0, "suspended");
	is_near(number(root, "node_wakes"), 1, "wakes");
	json_decref(root);
	/* both nodes sleep when the second job comes, and one wakes for five minutes */
	snprintf(options, sizeof(options),
		 "--set figures.energy=yes --config %s --set cluster.suspend_after=10m --set "
		 "cluster.resume_delay=5m",
		 scratch_path("yaml"));
	root = simulate(options);
	is_near(number(root, "wait_mean_s"), 150, "wait");
	is_near(number(root, "energy_kwh"), (2 * 3600 * 1000 + (600 + 300 + 600) * 200) / 3.6e6,
		"kWh");
	json_decref(root);
	/* neither has been empty for long enough */
	snprintf(options, sizeof(options),
		 "--set figures.energy=yes --config %s --set cluster.suspend_after=3h --set "
		 "cluster.resume_delay=5m",
		 scratch_path("yaml"));
	root = simulate(options);
	is_near(1 + number(root, "wait_mean_s"), 1, "wait");
	json_decref(root);
	root = simulate("-q");
	ck_assert(json_is_null(json_object_get(root, "energy_kwh")));
	json_decref(root);
}

/* Settings that come to nothing beside the others. */
static const char *const idle[] = {
	"--set select.energy=on",
	"--compare --run easy --run sched.policy=leeway,select.energy=on",
	"--set figures.energy=yes --set select.energy=off --set select.energy_slack=0.2",
	"--set select.energy_slack=0.2",
	"--set sched.policy=conservative --set select.type=finish",
	"--set sched.policy=published-rl --set select.type=fair",
	"--set sched.policy=conservative --set figures.energy=yes --set select.energy=on",
	"--compare --run sched.policy=easy,select.energy_slack=0.1 --run leeway",
	"--set sched.order_age=1d",
	"--set sched.keep_promises=no",
	"--set sched.order=sjf --set sched.las_threshold=1h",
	"--set sim.inspect_cap=1h",
	"--set sched.chain=no --set sched.chain_share=0.5",
	"--set sched.chain=start-rule --set sched.chain_total=0.5",
	"--set sched.chain=no --set sched.chain_min=1h",
	"--set sim.share_part=0.5",
};

TEST_EACH(what_would_do_nothing_is_refused, LW_COUNT_OF(idle))
{
	char line[512], *text;

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("trace", trace), idle[_i]);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text ? text : "", "");
	free(text);
}
