#include "apps/studio/mcp/follow.h"

#include <stdio.h>

#include "apps/studio/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

enum { FACETS = TN_STUDIO_FACETS, ROUTE = TN_STUDIO_FACETS, ALL_FACETS };
enum { CURSOR_PARTS = 4 };

struct entry { /* a node or an edge */
	uint64_t hashes[FACETS], stamps[FACETS];
	uint64_t created, number; /* number: of the last pass that was shown it */
	uint32_t order;
};

struct gone {
	char *id;
	uint64_t tick;
	bool edge;
};

/* When a revision was first read. Ticks: after the first reading with that facet; 0: none. */
struct moment {
	uint64_t revision, last, first[ALL_FACETS];
};

struct tn_studio_follow {
	struct tn_studio_follow *next;
	char project_id[TN_STUDIO_ID_SIZE];
	unsigned char key[TN_SHORT_KEY_SIZE];
	uint64_t epoch, tick, passes, outside, reorder_tick;
	uint64_t generation, noted_outside; /* of the newest reading */
	struct tn_map nodes, edges;         /* id to struct entry */
	uint64_t part_hashes[TN_STUDIO_FOLLOW_PARTS], part_stamps[TN_STUDIO_FOLLOW_PARTS];
	struct moment moments[TN_STUDIO_FOLLOW_MOMENTS_MAX]; /* by revision */
	size_t moment_count;
	struct gone *gone; /* oldest first */
	size_t gone_count, gone_room;
	uint64_t gone_floor; /* what was gone at this tick or before is not known any more */
};

/* ---- those of the door ---- */

static void finish_map(struct tn_map *map)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(map, &cursor, &key, &value))
		tn_mem_free(value);
	tn_map_finish(map);
}

static void free_follow(struct tn_studio_follow *follow)
{
	finish_map(&follow->nodes);
	finish_map(&follow->edges);
	for (size_t i = 0; i < follow->gone_count; i++)
		tn_mem_free(follow->gone[i].id);
	tn_mem_free(follow->gone);
	tn_mem_free(follow);
}

static struct tn_studio_follow *find(struct tn_studio_follow *list, const char *project_id)
{
	while (list && strcmp(list->project_id, project_id) != 0)
		list = list->next;
	return list;
}

struct tn_studio_follow *tn_studio_follow_of(struct tn_studio_follow **list,
					     const struct tn_studio_project *project)
{
	struct tn_studio_follow *follow = find(*list, project->id);

	if (follow)
		return follow;
	follow = tn_mem_alloc(sizeof(*follow));
	if (!follow)
		return NULL;
	(void)snprintf(follow->project_id, sizeof(follow->project_id), "%s", project->id);
	tn_rng_bytes(follow->key, sizeof(follow->key));
	follow->epoch = tn_rng_u64() >> 40; /* a model reads it with each diagram */
	follow->outside = 1;
	tn_map_init(&follow->nodes);
	tn_map_init(&follow->edges);
	follow->next = *list;
	*list = follow;
	return follow;
}

void tn_studio_follow_outside(struct tn_studio_follow *list, const char *project_id)
{
	for (; list; list = list->next) {
		if (!project_id || strcmp(list->project_id, project_id) == 0)
			list->outside++;
	}
}

static bool is_open(const struct tn_studio_projects *projects, const char *id)
{
	const struct tn_studio_project *at = projects ? tn_studio_projects_first(projects) : NULL;

	while (at && strcmp(at->id, id) != 0)
		at = at->next;
	return at != NULL;
}

void tn_studio_follow_sweep(struct tn_studio_follow **list,
			    const struct tn_studio_projects *projects)
{
	while (*list) {
		struct tn_studio_follow *follow = *list;

		if (is_open(projects, follow->project_id)) {
			list = &follow->next;
			continue;
		}
		*list = follow->next;
		free_follow(follow);
	}
}

/* ---- what a reader has seen ---- */

static uint64_t tick_of(const struct moment *at, const struct moment *before, size_t facet)
{
	if (at && at->first[facet])
		return at->first[facet];
	return before ? before->last : 0;
}

bool tn_studio_seen_revision(const struct tn_studio_follow *follow, uint64_t revision,
			     struct tn_studio_seen *ret)
{
	const struct moment *at = NULL, *before = NULL;

	for (size_t i = 0; i < follow->moment_count; i++) {
		if (follow->moments[i].revision < revision)
			before = &follow->moments[i];
		else if (follow->moments[i].revision == revision)
			at = &follow->moments[i];
	}
	*ret = (struct tn_studio_seen){.revision = revision};
	for (size_t i = 0; i < FACETS; i++)
		ret->ticks[i] = tick_of(at, before, i);
	ret->route_tick = tick_of(at, before, ROUTE);
	return (at && at->first[0]) || before;
}

/* Which facets a reading with these looks at. */
static bool looks_at(unsigned with, size_t facet)
{
	static const unsigned needs[ALL_FACETS] = {
		[TN_STUDIO_FACET_DEFAULTS] = TN_STUDIO_WITH_DEFAULTS,
		[TN_STUDIO_FACET_LAYOUT] = TN_STUDIO_WITH_LAYOUT,
		[TN_STUDIO_FACET_DIAGNOSTICS] = TN_STUDIO_WITH_DIAGNOSTICS,
		[TN_STUDIO_FACET_ADDRESSES] = TN_STUDIO_WITH_ADDRESSES,
		[TN_STUDIO_FACET_COST] = TN_STUDIO_WITH_COSTS,
		[ROUTE] = TN_STUDIO_WITH_ROUTES};

	return (needs[facet] & ~with) == 0;
}

/* What it was read with is part of it: of anything else its reader has seen nothing, whatever
 * others have read at that tick. */
static void put_cursor(char out[TN_STUDIO_CURSOR_SIZE], unsigned long long revision,
		       unsigned long long epoch, unsigned long long tick, unsigned with)
{
	(void)snprintf(out, TN_STUDIO_CURSOR_SIZE, "%llu.%llx.%llu.%x", revision, epoch, tick,
		       with);
}

bool tn_studio_seen_cursor(const struct tn_studio_follow *follow, struct tn_str cursor,
			   struct tn_studio_seen *ret, bool *ret_known)
{
	unsigned long long revision, epoch, tick;
	unsigned with = 0;
	int parts;
	char text[TN_STUDIO_CURSOR_SIZE], canonical[TN_STUDIO_CURSOR_SIZE];

	*ret = (struct tn_studio_seen){.revision = 0};
	*ret_known = false;
	if (cursor.size >= sizeof(text))
		return false;
	memcpy(text, cursor.data, cursor.size);
	text[cursor.size] = '\0';
	parts = sscanf(text, "%19llu.%16llx.%19llu.%8x", &revision, &epoch, &tick, &with);
	if (parts < CURSOR_PARTS - 1)
		return false;
	put_cursor(canonical, revision, epoch, tick, with);
	if (parts < CURSOR_PARTS) /* of a daemon before, whose cursors did not say it */
		*strrchr(canonical, '.') = '\0';
	if (strcmp(text, canonical) != 0)
		return false;
	*ret_known = true;
	ret->revision = revision;
	for (size_t i = 0; i < FACETS; i++)
		ret->ticks[i] = looks_at(with, i) ? tick : 0;
	ret->route_tick = looks_at(with, ROUTE) ? tick : 0;
	return parts == CURSOR_PARTS && epoch == follow->epoch && tick <= follow->tick;
}

void tn_studio_follow_cursor(const struct tn_studio_follow *follow, uint64_t revision,
			     unsigned with, char out[TN_STUDIO_CURSOR_SIZE])
{
	put_cursor(out, revision, follow->epoch, follow->tick, with);
}

/* ---- one reading ---- */

/* Of one reading. */
struct pass {
	struct tn_studio_follow *follow;
	struct tn_studio_reading *reading;
	const struct tn_studio_seen *seen;
	uint64_t tick; /* of what is found different now */
	bool found;    /* something was */
	bool failed;   /* no memory */
	uint32_t order, index;
};

/* Makes it when it is not there. */
static struct entry *entry_of(struct pass *pass, struct tn_map *map, struct tn_str id)
{
	struct entry *entry = tn_map_get(map, id);

	if (entry)
		return entry;
	entry = tn_mem_alloc(sizeof(*entry));
	if (entry && tn_map_put(map, id, entry, NULL) != TENON_OK) {
		tn_mem_free(entry);
		entry = NULL;
	}
	if (!entry) {
		pass->failed = true;
		return NULL;
	}
	entry->created = pass->tick;
	return entry;
}

static void note(struct pass *pass, uint64_t *hash, uint64_t *stamp, uint64_t now)
{
	if (*stamp && *hash == now)
		return;
	*hash = now;
	*stamp = pass->tick;
	pass->found = true;
}

static bool is_newer(const struct pass *pass, const struct entry *entry, size_t facet)
{
	return looks_at(pass->reading->view.with, facet) &&
	       (pass->seen->nothing || entry->stamps[facet] > pass->seen->ticks[facet]);
}

/* Those that were there before must come in the order they had. */
static void note_order(struct pass *pass, struct entry *entry)
{
	if (entry->created < pass->tick) {
		if (entry->order < pass->order) {
			pass->follow->reorder_tick = pass->tick;
			pass->found = true;
		}
		pass->order = entry->order;
	}
	entry->order = pass->index++;
}

static void note_node(struct pass *pass, struct tn_studio_read_node *read)
{
	struct entry *entry = entry_of(pass, &pass->follow->nodes, read->node->id);
	struct tn_studio_news *news = &read->news;

	*news = (struct tn_studio_news){true, true, true, true, true, true};
	if (!entry)
		return;
	for (size_t i = 0; i < FACETS; i++) {
		if (looks_at(pass->reading->view.with, i))
			note(pass, &entry->hashes[i], &entry->stamps[i], read->hashes[i]);
	}
	note_order(pass, entry);
	entry->number = pass->follow->passes;
	news->any = false;
	for (size_t i = 0; i < FACETS; i++)
		news->any |= is_newer(pass, entry, i);
	news->is_new = pass->seen->nothing || entry->created > pass->seen->ticks[0];
	news->status = is_newer(pass, entry, TN_STUDIO_FACET_STATUS);
	news->diagnostics = is_newer(pass, entry, TN_STUDIO_FACET_DIAGNOSTICS);
	news->cost = is_newer(pass, entry, TN_STUDIO_FACET_COST);
}

enum { EDGE_RECORD, EDGE_ROUTE }; /* facets of an edge */

static void note_edge(struct pass *pass, struct tn_studio_read_edge *read)
{
	struct entry *entry = entry_of(pass, &pass->follow->edges, read->id);
	bool all = pass->seen->nothing;

	read->news = (struct tn_studio_news){.any = true, .route = true};
	if (!entry)
		return;
	note(pass, &entry->hashes[EDGE_RECORD], &entry->stamps[EDGE_RECORD], read->hash);
	if (read->route.data)
		note(pass, &entry->hashes[EDGE_ROUTE], &entry->stamps[EDGE_ROUTE],
		     read->route_hash);
	entry->number = pass->follow->passes;
	read->news.any = all || entry->stamps[EDGE_RECORD] > pass->seen->ticks[0];
	read->news.route =
		read->route.data && (all || entry->stamps[EDGE_ROUTE] > pass->seen->route_tick);
}

static void note_part(struct pass *pass, int part)
{
	static const size_t facets[TN_STUDIO_FOLLOW_PARTS] = {
		[TN_STUDIO_FOLLOW_PROBLEMS] = TN_STUDIO_FACET_DIAGNOSTICS,
		[TN_STUDIO_FOLLOW_COSTS] = TN_STUDIO_FACET_COST};
	struct tn_studio_read_part *read = &pass->reading->parts[part];
	struct tn_studio_follow *follow = pass->follow;

	if (!read->text.data)
		return;
	note(pass, &follow->part_hashes[part], &follow->part_stamps[part], read->hash);
	read->news =
		pass->seen->nothing || follow->part_stamps[part] > pass->seen->ticks[facets[part]];
}

/* ---- what is gone ---- */

static void forget_oldest(struct tn_studio_follow *follow)
{
	size_t half = follow->gone_count / 2;

	follow->gone_floor = follow->gone[half - 1].tick;
	for (size_t i = 0; i < half; i++)
		tn_mem_free(follow->gone[i].id);
	follow->gone_count -= half;
	memmove(follow->gone, follow->gone + half, follow->gone_count * sizeof(*follow->gone));
}

static void bury(struct pass *pass, struct tn_str id, bool edge)
{
	struct tn_studio_follow *follow = pass->follow;
	char *copy = tn_mem_copy_text(id.data, id.size);

	pass->found = true;
	if (follow->gone_count == TN_STUDIO_FOLLOW_GONE_MAX)
		forget_oldest(follow);
	if (copy && follow->gone_count == follow->gone_room) {
		size_t room = follow->gone_room ? 2 * follow->gone_room : 64;
		void *grown = tn_mem_resize(follow->gone, room * sizeof(*follow->gone));

		if (grown) {
			follow->gone = grown;
			follow->gone_room = room;
		}
	}
	if (!copy || follow->gone_count == follow->gone_room) {
		/* Whoever had it is sent everything. */
		tn_mem_free(copy);
		follow->gone_floor = pass->tick;
		return;
	}
	follow->gone[follow->gone_count++] = (struct gone){copy, pass->tick, edge};
}

static void sweep(struct pass *pass, struct tn_map *map, bool edge)
{
	struct tn_str id;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(map, &cursor, &id, &value)) {
		struct entry *entry = value;

		if (entry->number == pass->follow->passes)
			continue;
		bury(pass, id, edge);
		(void)tn_map_remove(map, id);
		tn_mem_free(entry);
	}
}

/* ---- the end ---- */

static struct moment *moment_of(struct tn_studio_follow *follow, uint64_t revision)
{
	struct moment *last =
		follow->moment_count ? &follow->moments[follow->moment_count - 1] : NULL;

	if (last && last->revision == revision)
		return last;
	/* A revision that comes again after later ones is another one: changes were discarded. */
	if (last && last->revision > revision)
		follow->moment_count = 0;
	if (follow->moment_count == TN_STUDIO_FOLLOW_MOMENTS_MAX) {
		follow->moment_count--;
		memmove(follow->moments, follow->moments + 1,
			follow->moment_count * sizeof(*follow->moments));
	}
	last = &follow->moments[follow->moment_count++];
	*last = (struct moment){.revision = revision};
	return last;
}

static void end_pass(struct pass *pass)
{
	struct tn_studio_follow *follow = pass->follow;
	const struct tn_studio_reading *reading = pass->reading;
	struct moment *moment;

	sweep(pass, &follow->nodes, false);
	sweep(pass, &follow->edges, true);
	if (pass->found)
		follow->tick = pass->tick;
	if (pass->failed) /* whoever asks later is sent everything */
		follow->gone_floor = follow->tick;
	moment = moment_of(follow, reading->revision);
	moment->last = follow->tick;
	for (size_t i = 0; i < ALL_FACETS; i++) {
		if (looks_at(reading->view.with, i) && !moment->first[i])
			moment->first[i] = follow->tick;
	}
	follow->generation = reading->generation;
	follow->noted_outside = reading->outside;
}

bool tn_studio_reading_begin(struct tn_studio_reading *reading, struct tn_studio_follow **list,
			     const struct tn_studio_project *project)
{
	const struct tn_studio_follow *follow = tn_studio_follow_of(list, project);

	*reading = (struct tn_studio_reading){.noted = follow != NULL};
	if (!follow)
		return false;
	memcpy(reading->key, follow->key, sizeof(reading->key));
	reading->generation = project->document.generation;
	reading->outside = follow->outside;
	return true;
}

/* Who has read what is older than what others have read already cannot ask by its revision any
 * more: other things were seen at the same one. */
static bool note_old(struct tn_studio_follow *follow, const struct tn_studio_reading *reading)
{
	for (size_t i = 0; i < follow->moment_count; i++) {
		if (follow->moments[i].revision == reading->revision)
			memset(follow->moments[i].first, 0, sizeof(follow->moments[i].first));
	}
	return false;
}

bool tn_studio_follow_note(struct tn_studio_follow **list, struct tn_studio_reading *reading,
			   const struct tn_studio_seen *seen, char cursor[TN_STUDIO_CURSOR_SIZE])
{
	static const struct tn_studio_seen nothing = {.nothing = true};
	struct tn_studio_follow *follow = find(*list, reading->project_id);
	struct pass pass = {.follow = follow, .reading = reading, .seen = seen ? seen : &nothing};

	/* Another key: it was closed and opened while this was read. */
	if (!follow || memcmp(follow->key, reading->key, sizeof(follow->key)) != 0)
		return false;
	if (reading->generation < follow->generation || reading->outside < follow->noted_outside)
		return note_old(follow, reading);
	pass.tick = follow->tick + 1;
	follow->passes++;
	for (size_t i = 0; i < reading->node_count; i++)
		note_node(&pass, &reading->nodes[i]);
	for (size_t i = 0; i < reading->edge_count; i++)
		note_edge(&pass, &reading->edges[i]);
	for (int i = 0; i < TN_STUDIO_FOLLOW_PARTS; i++)
		note_part(&pass, i);
	end_pass(&pass);
	tn_studio_follow_cursor(follow, reading->revision, reading->view.with, cursor);
	return true;
}

/* ---- what is told of it ---- */

void tn_studio_follow_put_gone(const struct tn_studio_follow *follow,
			       const struct tn_studio_seen *seen, bool edges, struct tn_buf *out)
{
	const struct tn_map *map = edges ? &follow->edges : &follow->nodes;
	struct tn_map told;
	size_t i = follow->gone_count;

	while (i > 0 && follow->gone[i - 1].tick > seen->ticks[0])
		i--;
	tn_map_init(&told);
	for (; i < follow->gone_count; i++) {
		struct tn_str id = tn_str_from(follow->gone[i].id);

		if (follow->gone[i].edge != edges || tn_map_get(map, id) || tn_map_get(&told, id))
			continue;
		(void)(tn_map_put(&told, id, follow->gone[i].id, NULL) == TENON_OK);
		tn_json_put_str(out, id);
	}
	tn_map_finish(&told);
}

bool tn_studio_follow_needs_reset(const struct tn_studio_follow *follow,
				  const struct tn_studio_seen *seen)
{
	return follow->gone_floor > seen->ticks[0] || follow->reorder_tick > seen->ticks[0];
}
