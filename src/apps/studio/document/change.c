#include "apps/studio/document/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "base/clock.h"
#include "jsonrpc/json_write.h"

void tn_studio_put_change_id(struct tn_buf *out, const char *key, uint64_t id)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "change-%llu", (unsigned long long)id);
	tn_json_put_member_text(out, key, text);
}

bool tn_studio_read_change_id(const char *text, uint64_t *ret)
{
	static const char head[] = "change-";
	char *end = NULL;

	if (strncmp(text, head, sizeof(head) - 1) != 0 || text[sizeof(head) - 1] < '1' ||
	    text[sizeof(head) - 1] > '9')
		return false;
	*ret = strtoull(text + sizeof(head) - 1, &end, 10);
	return *end == '\0';
}

void tn_studio_put_change(struct tn_buf *out, const struct tn_change *change)
{
	tn_json_put_member_int(out, "revision", (int64_t)change->revision);
	if (change->id > 0)
		tn_studio_put_change_id(out, "changeId", change->id);
}

/* The members of the note that a reader knows; what is none is left out. */
static void put_note(struct tn_buf *out, const char *note)
{
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	const struct tn_json *ids;
	struct tn_str tool = {NULL, 0};
	int64_t count = 0;

	tn_arena_init(&arena, TN_STUDIO_NODE_ARENA_MAX);
	if (note)
		(void)(tn_json_parse_copy(&arena, tn_str_from(note), &tree, NULL) == TENON_OK);
	if (tn_json_to_str(tn_json_get(tree, "tool"), &tool))
		tn_json_put_member_str(out, "tool", tool);
	ids = tn_json_get(tree, "instanceIds");
	tn_json_put_key(out, "instanceIds");
	if (tn_json_is(ids, TN_JSON_ARRAY))
		tn_json_put_value(out, ids);
	else
		tn_json_put_raw(out, TN_STR("[]"));
	/* As many as there were, where not all are named. */
	if (tn_json_to_int(tn_json_get(tree, "count"), &count) && ids &&
	    count > (int64_t)ids->count) {
		tn_json_put_member_bool(out, "truncated", true);
		tn_json_put_member_int(out, "count", count);
	}
	tn_arena_finish(&arena);
}

static const char *kind_of(const struct tn_change *change)
{
	static const char *const kinds[] = {"done", "undo", "redo"};

	return kinds[change->kind];
}

/* One of before changes had ids is known by the name. */
static void put_actor(struct tn_buf *out, const struct tn_change *change,
		      tn_studio_colour_fn *colour, void *known)
{
	const char *id = change->who ? change->who : change->actor;

	tn_json_put_key(out, "actor");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", id);
	tn_json_put_member_text(out, "name", change->actor);
	tn_json_put_member_bool(
		out, "person",
		change->who && tn_str_starts(tn_str_from(change->who), TN_STR(TN_STUDIO_PERSON)));
	tn_json_put_member_int(out, "colour", colour(known, id));
	tn_json_end_object(out);
	tn_json_put_member_text(out, "actorName", change->actor);
}

void tn_studio_put_listed_change(struct tn_buf *out, const struct tn_change *change,
				 tn_studio_colour_fn *colour, void *known)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso((int64_t)change->wall_ms, time);
	tn_json_begin_object(out);
	tn_studio_put_change_id(out, "changeId", change->id);
	tn_json_put_member_int(out, "revision", (int64_t)change->revision);
	tn_json_put_member_text(out, "time", time);
	put_actor(out, change, colour, known);
	tn_json_put_member_text(out, "kind", kind_of(change));
	tn_json_put_member_text(out, "summary", change->label);
	put_note(out, change->note);
	if (change->of > 0)
		tn_studio_put_change_id(out, "of", change->of);
	tn_json_put_member_bool(out, "undone", change->undone);
	tn_json_end_object(out);
}

void tn_studio_put_can_undo(struct tn_buf *out, const struct tn_oplog *log)
{
	tn_json_put_member_bool(out, "canUndo", tn_oplog_undo_label(log) != NULL);
	tn_json_put_member_bool(out, "canRedo", tn_oplog_redo_label(log) != NULL);
}
