/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway place: where a job of a snapshot, or any request, would go, and why. */
#include "cli/cmd/rank.h"
#include "cli/common/tools.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "cli/cmd/place_types.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "planner/text/text.h"
#include "planner/text/text_names.h"

struct options {
	const char *file, *type, *set;
	uint32_t job, most;
	bool has_job;
	const char *json;
	struct lw_request request;
};

/* What is asked for, and where it would go: a request, or a variant of a job. */
struct wish {
	struct lw_request request;
	uint32_t variant;
	const char *set; /* the snapshot's; NULL: all nodes */
	const struct lw_waiting *job; /* NULL: a request */
	struct lw_bitset candidates;
	struct lw_ranking ranking;
	struct place_types types; /* the first done first; places are in their order */
	bool never; /* no place, even if nothing ran */
};

/* A moment with everything that placement wants to know. */
struct scene {
	struct lw_snapshot snap;
	struct lw_res *free, *total;
	uint16_t *linked;
	struct lw_fragment fragment;
	struct lw_grades grades;
	struct lw_placer *placer;
	struct wish *wishes; /* in the order of the queue */
	uint32_t wish_count, wish_room;
};

static int read_options(int argc, char **argv, struct options *o, struct lw_error *err)
{
	struct lw_request *req = &o->request;
	uint32_t gpus_per_node = 0;
	bool asked = false;
	const struct lw_option options[] = {
#include "cli/cmd/place_options.def"
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	if (!rc)
		rc = lw_options_word("snapshot", argc, argv, &o->file, err);
	if (rc)
		return rc;
	if (o->has_job == (asked || req->exclusive))
		return lw_error_set(err, -EINVAL, "give either --job or a request");
	req->gpus_per_node = (uint16_t)gpus_per_node;
	req->nodes_max = req->gpus_total ? UINT32_MAX : req->nodes_min;
	return 0;
}

/* Of JOB, or of no job; for all nodes that are up, or for those of one SET. */
static int add_wish(struct scene *scene, const struct lw_request *request,
		    const struct lw_waiting *job, const struct lw_node_set *set,
		    struct lw_error *err)
{
	struct wish wish = { .request = *request,
			     .job = job,
			     .variant = job ? job->variant : 0,
			     .set = set ? set->name : NULL };

	if (lw_grow((void **)&scene->wishes, &scene->wish_room, scene->wish_count + 1,
		    sizeof(wish)) ||
	    lw_bitset_init(&wish.candidates, scene->snap.node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < scene->snap.node_count; i++) {
		if (scene->snap.nodes[i].usable && (!set || lw_bitset_test(&set->nodes, i)))
			lw_bitset_set(&wish.candidates, i);
	}
	scene->wishes[scene->wish_count++] = wish;
	return 0;
}

static int take_job(struct scene *scene, const struct options *options, struct lw_error *err)
{
	const struct lw_queue *queue = &scene->snap.queue;
	int rc = 0;

	for (uint32_t i = 0; i < queue->count && !rc; i++) {
		const struct lw_waiting *job = &scene->snap.waiting[queue->order[i]];

		if (job->job_id == options->job)
			rc = add_wish(scene, &job->request, job,
				      &scene->snap.sets[job->set], err);
	}
	if (!rc && !scene->wish_count)
		rc = lw_error_set(err, -ENOENT, "%s: no job %" PRIu32 " waits", options->file,
				  options->job);
	return rc;
}

/* "FILE: there are no WHAT NAME; there are KNOWN", of which a message holds some. */
static int no_such(const struct options *options, const char *what, const char *name,
		   const struct lw_strbuf *known, struct lw_error *err)
{
	char list[LW_TOOLS_LIST];

	if (!known->len)
		return lw_error_set(err, -ENOENT, "%s: no %s %s, nor any other", options->file,
				    what, name);
	return lw_error_set(err, -ENOENT, "%s: no %s %s; there are %s", options->file, what, name,
			    lw_tools_list(lw_strbuf_text(known), "and", list));
}

/* Names, parted by blanks, the first that fit into a message. */
static void add_name(struct lw_strbuf *names, const char *name)
{
	if (names->len + strlen(name) < LW_TOOLS_LIST / 2)
		lw_strbuf_add(names, "%s%s", names->len ? " " : "", name);
}

static int find_type(const struct lw_snapshot *snap, const struct options *options,
		     int8_t *ret_type, struct lw_error *err)
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	int rc = options->type ? -ENOENT : 0;

	for (uint32_t i = 0; options->type && i < snap->gpu_type_count; i++) {
		add_name(&names, snap->gpu_types[i]);
		if (strcasecmp(snap->gpu_types[i], options->type))
			continue;
		*ret_type = (int8_t)i;
		rc = 0;
	}
	if (rc)
		rc = no_such(options, "GPUs of type", options->type, &names, err);
	lw_strbuf_fini(&names);
	return rc;
}

static int find_set(const struct lw_snapshot *snap, const struct options *options,
		    const struct lw_node_set **ret_set, struct lw_error *err)
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	int rc = 0;

	for (uint32_t i = 0; options->set && i < snap->set_count && !*ret_set; i++) {
		add_name(&names, snap->sets[i].name);
		if (!strcmp(snap->sets[i].name, options->set))
			*ret_set = &snap->sets[i];
	}
	if (options->set && !*ret_set)
		rc = no_such(options, "set", options->set, &names, err);
	lw_strbuf_fini(&names);
	return rc;
}

static int take_request(struct scene *scene, const struct options *options, struct lw_error *err)
{
	struct lw_request request = options->request;
	const struct lw_node_set *set = NULL;
	int rc = find_type(&scene->snap, options, &request.gpu_type, err);

	if (!rc)
		rc = find_set(&scene->snap, options, &set, err);
	return rc ? rc : add_wish(scene, &request, NULL, set, err);
}

static int make_scene(struct scene *scene, const struct options *options, struct lw_error *err)
{
	struct lw_snapshot *snap = &scene->snap;
	int rc = options->has_job ? take_job(scene, options, err)
				  : take_request(scene, options, err);

	if (rc)
		return rc;
	scene->free = calloc((size_t)snap->node_count + 1, sizeof(*scene->free));
	scene->total = calloc((size_t)snap->node_count + 1, sizeof(*scene->total));
	scene->linked = calloc((size_t)snap->node_count + 1, sizeof(*scene->linked));
	if (!scene->free || !scene->total || !scene->linked ||
	    lw_placer_create(snap->node_count, &scene->placer) ||
	    lw_placer_reserve(scene->placer, snap->domains.count) ||
	    lw_snapshot_grades(snap, &scene->grades))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < snap->node_count; i++) {
		scene->total[i] = scene->free[i] = snap->nodes[i].total;
		lw_res_sub(&scene->free[i], &snap->used[i]);
		scene->linked[i] = snap->nodes[i].linked;
	}
	lw_fragment_init(&scene->fragment, &snap->mix, snap->gpu_type_count);
	return 0;
}

/* Would there be a place if nothing ran? */
static int rank_empty(struct scene *scene, struct lw_room *room, struct wish *wish)
{
	struct lw_ranking empty;
	int rc;

	room->free = scene->total;
	rc = lw_rank(scene->placer, room, &wish->request, 1, &empty);
	if (rc)
		return rc;
	wish->never = !empty.count;
	lw_ranking_fini(&empty);
	return 0;
}

/* Where the type tells when the job is done: by types, the first done first. */
static int rank_by_type(struct scene *scene, struct lw_room *room, struct wish *wish,
			uint32_t most)
{
	struct place_types *types = &wish->types;
	struct lw_ranking any;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < types->count; i++) {
		room->type_mask = UINT32_C(1) << types->rows[i].type;
		rc = lw_rank(scene->placer, room, &wish->request, 1, &any);
		if (rc)
			return rc;
		types->rows[i].room = any.count;
		lw_ranking_fini(&any);
	}
	lw_place_types_rank(types, scene->snap.now_s);
	for (uint32_t i = 0; !rc && i < types->count && !wish->ranking.count; i++) {
		room->type_mask = UINT32_C(1) << types->rows[i].type;
		rc = lw_rank(scene->placer, room, &wish->request, most, &wish->ranking);
	}
	room->type_mask = 0;
	return rc;
}

static int place_rank(struct scene *scene, struct wish *wish, uint32_t most)
{
	struct lw_room room = {
		.free = scene->free,
		.total = scene->total,
		.candidates = &wish->candidates,
		.gpu_types = scene->snap.gpu_type_count,
		.linked = scene->linked,
		.domains = &scene->snap.domains,
		.grades = scene->grades.count ? &scene->grades : NULL,
		.fragment = scene->snap.mix.count ? &scene->fragment : NULL,
	};
	int rc = 0;

	if (wish->job)
		rc = lw_place_types_find(&scene->snap, &wish->candidates, wish->job,
					 &wish->types);
	if (!rc)
		rc = wish->types.count
			     ? rank_by_type(scene, &room, wish, most)
			     : lw_rank(scene->placer, &room, &wish->request, most,
				       &wish->ranking);
	if (!rc && !wish->ranking.count)
		rc = rank_empty(scene, &room, wish);
	return rc;
}

static int rank_all(struct scene *scene, uint32_t most, struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < scene->wish_count && !rc; i++)
		rc = place_rank(scene, &scene->wishes[i], most);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}

static const char *domain_name(const struct scene *scene, const struct lw_ranked *place)
{
	return place->domain == LW_NO_DOMAIN ? NULL
					     : scene->snap.domains.items[place->domain].name;
}

static double useless_gpus(const struct lw_ranked *place)
{
	return (double)place->fragment / LW_MIX_ONE;
}

static void print_place(const struct scene *scene, const struct wish *wish, uint32_t number,
			struct lw_strbuf *out)
{
	const struct lw_ranked *place = &wish->ranking.places[number];
	const char *name = domain_name(scene, place);

	lw_strbuf_add(out, "%" PRIu32 ". ", number + 1);
	lw_text_add_alloc_names(out, &scene->snap, place->allocs, place->count);
	if (name)
		lw_strbuf_add(out, " in %s", name);
	if (place->domain_room)
		lw_strbuf_add(out, ", where %" PRIu32 " nodes have room", place->domain_room);
	lw_strbuf_add(out, ": %" PRIu32 " node%s", place->count, place->count == 1 ? "" : "s");
	if (scene->snap.domains.count)
		lw_strbuf_add(out, " of %" PRIu32 " domain%s", place->domains,
			      place->domains == 1 ? "" : "s");
	if (place->broken)
		lw_strbuf_add(out, "; breaks %" PRIu32 " whole node%s", place->broken,
			      place->broken == 1 ? "" : "s");
	else
		lw_strbuf_add(out, "; breaks no whole node");
	if (place->split)
		lw_strbuf_add(out, "; GPUs of several islands on %" PRIu32 " node%s",
			      place->split, place->split == 1 ? "" : "s");
	lw_strbuf_add(out, "; %" PRIu32 " GPUs stay free there", place->gpus_left);
	if (scene->snap.mix.count)
		lw_strbuf_add(out, "; %+.2f GPUs useless to the jobs that come",
			      useless_gpus(place));
	lw_strbuf_add(out, "\n");
}

static void print_wish(const struct scene *scene, const struct wish *wish, struct lw_strbuf *out)
{
	if (scene->wish_count > 1)
		lw_strbuf_add(out, "variant %" PRIu32 ", nodes of %s:\n", wish->variant, wish->set);
	lw_place_types_print(&scene->snap, &wish->types, out);
	if (!wish->ranking.count)
		lw_strbuf_add(out, wish->never ? "no room ever: the nodes that are up are too "
						 "few or too small\n"
					       : "no room now\n");
	for (uint32_t i = 0; i < wish->ranking.count; i++)
		print_place(scene, wish, i, out);
}

static int print_text(const struct scene *scene, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc = 0;

	for (uint32_t i = 0; i < scene->wish_count; i++)
		print_wish(scene, &scene->wishes[i], &out);
	if (out.error)
		rc = lw_error_set(err, out.error, "out of memory");
	else
		fputs(lw_strbuf_text(&out), stdout);
	lw_strbuf_fini(&out);
	return rc;
}

static json_t *make_json(const struct scene *scene, const struct wish *wish,
			 const struct lw_ranked *place)
{
	const char *domain = domain_name(scene, place);
	json_t *nodes = json_array();

	for (uint32_t i = 0; i < place->count; i++)
		json_array_append_new(nodes, lw_output_string(
				scene->snap.nodes[place->allocs[i].node].name));
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:f}", "variant",
			 (json_int_t)wish->variant, "set",
			 wish->set ? lw_output_string(wish->set) : json_null(), "nodes", nodes,
			 "domain", domain ? lw_output_string(domain) : json_null(), "domain_room",
			 place->domain_room ? json_integer((json_int_t)place->domain_room)
					    : json_null(),
			 "domains", (json_int_t)place->domains, "broken_nodes",
			 (json_int_t)place->broken,
			 "split_nodes", (json_int_t)place->split, "gpus_left",
			 (json_int_t)place->gpus_left, "useless_gpus", useless_gpus(place));
}

static int print_json(const struct scene *scene, const char *path, struct lw_error *err)
{
	json_t *places = json_array(), *types = json_array();
	bool never = true;

	for (uint32_t i = 0; i < scene->wish_count; i++) {
		const struct wish *wish = &scene->wishes[i];

		for (uint32_t k = 0; k < wish->ranking.count; k++)
			json_array_append_new(places,
					      make_json(scene, wish, &wish->ranking.places[k]));
		never = never && wish->never;
		lw_place_types_json(&scene->snap, &wish->types, wish->variant, types);
	}
	return lw_output_json(
		path,
		lw_json_named("leeway.place",
			      json_pack("{s:o, s:o, s:b}", "types", types, "places", places,
					"never", never)),
		err);
}

static void free_scene(struct scene *scene)
{
	for (uint32_t i = 0; i < scene->wish_count; i++) {
		lw_ranking_fini(&scene->wishes[i].ranking);
		lw_bitset_fini(&scene->wishes[i].candidates);
	}
	free(scene->wishes);
	lw_grades_fini(&scene->grades);
	lw_placer_destroy(scene->placer);
	lw_snapshot_fini(&scene->snap);
	free(scene->free);
	free(scene->total);
	free(scene->linked);
}

static int place_waiting(const struct options *options, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct scene scene = { .wish_count = 0 };
	int rc = lw_tools_read_text(options->file, &text, err);

	if (!rc)
		rc = lw_snapshot_parse(&scene.snap, options->file, lw_strbuf_text(&text), err);
	if (!rc)
		rc = make_scene(&scene, options, err);
	if (!rc)
		rc = rank_all(&scene, options->most, err);
	if (!rc)
		rc = options->json ? print_json(&scene, options->json, err)
				   : print_text(&scene, err);
	if (!rc)
		rc = lw_output_flush(0, err);
	free_scene(&scene);
	lw_strbuf_fini(&text);
	return rc;
}

int lw_tools_place(int argc, char **argv)
{
	struct options options = { .most = 5, .request = { .nodes_min = 1,
							   .cpus_per_node = 1,
							   .gpu_type = LW_GPU_ANY } };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(argc, argv, &options, &err);
	if (rc)
		return lw_options_refused("place", rc, &err);
	return place_waiting(&options, &err) ? lw_tools_failed("place", &err) : LW_TOOLS_OK;
}
