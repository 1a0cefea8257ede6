#include "apps/studio/mcp/presence.h"

#include <stdio.h>
#include <string.h>

#include "apps/studio/document/change.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/feed.h"
#include "mcp/observe.h"
#include "mcp/server.h"

enum { COLOURS = 8 };

enum { LOOK_MS = 1000 };

struct shown {
	char project[TN_STUDIO_ID_SIZE];
	char *text; /* members of an object */
	uint64_t until_ms;
};

struct tn_studio_here {
	struct tn_studio_presence *first;
	size_t count;
	struct shown shown[TN_STUDIO_SHOWN_MAX]; /* newest last */
	size_t shown_count;
	struct tn_timer *timer;
	struct tn_observer observer;
	bool observing;
	char known[TN_STUDIO_PRESENCES_MAX][TN_OPLOG_WHO_MAX + 1]; /* by order of appearance */
	size_t known_count;
};

static uint64_t now_ms(const struct tn_studio_door *door)
{
	return tn_clock_now_ms(door->server->clock);
}

static void tell(struct tn_studio_door *door, const char *project_id)
{
	const struct tn_studio_project *current = tn_studio_project_current(door->projects);
	char uri[128];

	(void)snprintf(uri, sizeof(uri), TN_STUDIO_PROJECTS_URI "/%s/presence", project_id);
	tn_studio_updates_tell(door, uri);
	if (current && strcmp(current->id, project_id) == 0)
		tn_studio_updates_tell(door, "studio://presence/current");
}

/* ---- who goes ---- */

static void forget(struct tn_studio_door *door, struct tn_studio_presence **link)
{
	struct tn_studio_presence *one = *link;

	*link = one->next;
	door->here->count--;
	tell(door, one->project);
	tn_mem_free(one->text);
	tn_mem_free(one);
}

static void drop_shown(struct tn_studio_door *door)
{
	struct tn_studio_here *here = door->here;

	tell(door, here->shown[0].project);
	tn_mem_free(here->shown[0].text);
	here->shown_count--;
	memmove(here->shown, here->shown + 1, here->shown_count * sizeof(*here->shown));
}

static void peer_went(const struct tn_peer *peer, void *data)
{
	struct tn_studio_door *door = data;

	for (struct tn_studio_presence *at = door->here->first; at; at = at->next) {
		if (at->peer == peer->number) {
			at->until_ms = 0;
			tn_timer_start(door->here->timer, 1); /* not from here: observe.h */
		}
	}
}

static void observe(struct tn_studio_door *door, bool on)
{
	struct tn_studio_here *here = door->here;

	if (here->observing == on)
		return;
	here->observing = on;
	if (on)
		tn_observe(door->server, &here->observer);
	else
		tn_observe_stop(door->server, &here->observer);
}

static void look(struct tn_timer *timer, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_here *here = door->here;
	struct tn_studio_presence **link = &here->first;
	uint64_t now = now_ms(door);

	while (*link) {
		if ((*link)->until_ms <= now)
			forget(door, link);
		else
			link = &(*link)->next;
	}
	while (here->shown_count > 0 && here->shown[0].until_ms <= now)
		drop_shown(door);
	observe(door, here->first != NULL);
	if (here->first || here->shown_count > 0)
		tn_timer_start(timer, LOOK_MS);
}

/* ---- life ---- */

enum tenon_code tn_studio_here_open(struct tn_studio_door *door, struct tenon_error *err)
{
	door->here = tn_mem_alloc(sizeof(*door->here));
	if (!door->here)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	door->here->observer = (struct tn_observer){.peer_went = peer_went, .data = door};
	return tn_timer_open(door->server->loop, look, door, &door->here->timer, err);
}

void tn_studio_here_close(struct tn_studio_door *door)
{
	struct tn_studio_here *here = door->here;

	if (!here)
		return;
	observe(door, false);
	while (here->first) {
		struct tn_studio_presence *one = here->first;

		here->first = one->next;
		tn_mem_free(one->text);
		tn_mem_free(one);
	}
	for (size_t i = 0; i < here->shown_count; i++)
		tn_mem_free(here->shown[i].text);
	tn_timer_close(here->timer);
	tn_mem_free(here);
	door->here = NULL;
}

/* ---- who comes ---- */

static bool is_it(const struct tn_studio_presence *one, const struct tn_peer *peer, const char *id)
{
	if (peer->kind != TN_PEER_HTTP_REQUEST && one->peer == peer->number)
		return true;
	if (strcmp(one->id, id) != 0)
		return false;
	/* A page whose connection has come back, before anybody saw that the old one is gone. */
	return peer->kind == TN_PEER_HTTP_REQUEST
		       ? one->peer == 0
		       : one->peer != 0 && tn_str_starts(tn_str_from(id), TN_STR(TN_STUDIO_PERSON));
}

/* Taken out of the list; NULL: they are new. */
static struct tn_studio_presence *take(struct tn_studio_here *here, const struct tn_peer *peer,
				       const char *id)
{
	for (struct tn_studio_presence **link = &here->first; *link; link = &(*link)->next) {
		struct tn_studio_presence *one = *link;

		if (is_it(one, peer, id)) {
			*link = one->next;
			return one;
		}
	}
	return NULL;
}

static struct tn_studio_presence *make(struct tn_studio_door *door, struct tenon_call *call,
				       const char *id, struct tn_studio_fault *fault)
{
	struct tn_studio_presence *one;
	struct tn_str name;

	if (door->here->count == TN_STUDIO_PRESENCES_MAX) {
		(void)tn_studio_fail(fault, "LIMIT_EXCEEDED", "%d are here, which is the most",
				     TN_STUDIO_PRESENCES_MAX);
		return NULL;
	}
	one = tn_mem_alloc(sizeof(*one));
	if (!one) {
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	name = tn_utf8_cut(tn_str_from(tn_studio_actor_of(call)), sizeof(one->name) - 1);
	(void)snprintf(one->id, sizeof(one->id), "%s", id);
	(void)snprintf(one->name, sizeof(one->name), "%.*s", (int)name.size, name.data);
	one->person = tenon_call_is_person(call);
	one->way = call->peer->way;
	one->peer = call->peer->kind == TN_PEER_HTTP_REQUEST ? 0 : call->peer->number;
	one->since_wall_ms = tn_clock_wall_ms(door->server->clock);
	door->here->count++;
	return one;
}

unsigned tn_studio_here_colour(void *data, const char *actor_id)
{
	struct tn_studio_here *here = data;
	size_t at = 0;

	while (at < here->known_count && strcmp(here->known[at], actor_id) != 0)
		at++;
	if (at == here->known_count && at < TN_STUDIO_PRESENCES_MAX)
		(void)snprintf(here->known[here->known_count++], sizeof(here->known[0]), "%s",
			       actor_id);
	return (unsigned)(at % COLOURS);
}

bool tn_studio_here_set(struct tn_studio_door *door, struct tenon_call *call,
			const struct tn_studio_project *project, struct tn_str text,
			struct tn_studio_fault *fault)
{
	struct tn_studio_here *here = door->here;
	char *copy = tn_mem_copy_text(text.data, text.size);
	struct tn_studio_presence *one;
	char id[TN_OPLOG_WHO_MAX + 1];
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	(void)snprintf(id, sizeof(id), "%s", tn_studio_actor_id(call, &arena));
	tn_arena_finish(&arena);
	if (!copy)
		return tn_studio_fail_memory(fault);
	one = take(here, call->peer, id);
	if (!one)
		one = make(door, call, id, fault);
	if (!one) {
		tn_mem_free(copy);
		return false;
	}
	if (one->peer)
		one->peer = call->peer->number;
	if (one->text && strcmp(one->project, project->id) != 0)
		tell(door, one->project);
	tn_mem_free(one->text);
	one->text = copy;
	(void)snprintf(one->project, sizeof(one->project), "%s", project->id);
	one->seen_wall_ms = tn_clock_wall_ms(door->server->clock);
	one->until_ms = now_ms(door) + TN_STUDIO_PRESENCE_MS;
	one->next = here->first;
	here->first = one;
	(void)tn_studio_here_colour(here, id);
	observe(door, true);
	if (!tn_timer_active(here->timer))
		tn_timer_start(here->timer, LOOK_MS);
	tell(door, project->id);
	return true;
}

const struct tn_studio_presence *tn_studio_here_next(const struct tn_studio_door *door,
						     const struct tn_studio_project *project,
						     const struct tn_studio_presence *after)
{
	const struct tn_studio_presence *at = after ? after->next : door->here->first;

	while (at && (strcmp(at->project, project->id) != 0 || at->until_ms <= now_ms(door)))
		at = at->next;
	return at;
}

/* ---- pointing ---- */

static size_t count_pages(const struct tn_studio_door *door, const char *project_id)
{
	char uri[128];

	(void)snprintf(uri, sizeof(uri), TN_STUDIO_PROJECTS_URI "/%s/presence", project_id);
	return tn_feed_count_persons(door->server, tn_str_from(uri));
}

size_t tn_studio_here_show(struct tn_studio_door *door, const struct tn_studio_project *project,
			   struct tn_str said)
{
	struct tn_studio_here *here = door->here;
	struct shown *shown;

	if (here->shown_count == TN_STUDIO_SHOWN_MAX)
		drop_shown(door);
	shown = &here->shown[here->shown_count];
	*shown = (struct shown){.text = tn_mem_copy_text(said.data, said.size),
				.until_ms = now_ms(door) + TN_STUDIO_SHOWN_MS};
	(void)snprintf(shown->project, sizeof(shown->project), "%s", project->id);
	if (!shown->text)
		return 0;
	here->shown_count++;
	if (!tn_timer_active(here->timer))
		tn_timer_start(here->timer, LOOK_MS);
	tell(door, project->id);
	return count_pages(door, project->id);
}

/* ---- as data ---- */

void tn_studio_put_here(struct tn_buf *out, const struct tn_studio_door *door,
			const struct tn_studio_presence *one)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", one->id);
	tn_json_put_member_text(out, "name", one->name);
	tn_json_put_member_bool(out, "person", one->person);
	tn_json_put_member_int(out, "colour", tn_studio_here_colour(door->here, one->id));
	tn_json_end_object(out);
}

static void put_time(struct tn_buf *out, const char *key, int64_t wall_ms)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(wall_ms, time);
	tn_json_put_member_text(out, key, time);
}

/* What was said are members already; the reader's own are told from the others. */
static void put_presence(struct tn_buf *out, const struct tn_studio_door *door,
			 const struct tn_studio_presence *one, const struct tn_peer *reader)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "actor");
	tn_studio_put_here(out, door, one);
	if (one->text[0]) {
		tn_buf_append_byte(out, ',');
		tn_buf_append_text(out, one->text);
	}
	tn_json_put_member_text(out, "via",
				one->peer && one->peer == reader->number ? "self" : one->way);
	put_time(out, "since", one->since_wall_ms);
	put_time(out, "seenAt", one->seen_wall_ms);
	tn_json_end_object(out);
}

void tn_studio_read_presence(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project)
{
	const struct tn_studio_presence *one = NULL;
	struct tn_buf out;

	if (!project) {
		tenon_call_not_found(call);
		return;
	}
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "actors");
	tn_json_begin_array(&out);
	while ((one = tn_studio_here_next(door, project, one)))
		put_presence(&out, door, one, call->peer);
	tn_json_end_array(&out);
	tn_json_put_key(&out, "shown");
	tn_json_begin_array(&out);
	for (size_t i = 0; i < door->here->shown_count; i++) {
		const struct shown *shown = &door->here->shown[i];

		if (strcmp(shown->project, project->id) != 0 || shown->until_ms <= now_ms(door))
			continue;
		tn_json_begin_object(&out);
		tn_buf_append_text(&out, shown->text);
		tn_json_end_object(&out);
	}
	tn_json_end_array(&out);
	tn_studio_reply_contents(call, &out);
	tn_buf_finish(&out);
}
