/* What an edit expects of nodes and edges (studio-canvas.md SC-012): that each was changed last at
 * the revision its caller knows. */
#include <stdio.h>

#include "apps/studio/document/change.h"
#include "apps/studio/edit/internal.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

enum { BY_MAX = 20, TOLD_MAX = 100 };

/* One that is not as it was expected. */
struct stale {
	struct tn_str id;
	struct tn_str label; /* empty: it is gone, or an edge without one */
	uint64_t expected, rev;
	bool edge, gone;
	const struct tn_change *last; /* NULL: who it was is not known any more */
};

/* ---- as it is ---- */

/* A reference shown as an edge. */
static bool look_derived(struct tn_studio_edit *edit, struct stale *one)
{
	const struct tn_studio_node *source =
		tn_studio_edit_index(edit) ? tn_studio_derived_from(edit->document, one->id) : NULL;

	if (source)
		one->rev = source->linked;
	return source != NULL;
}

static void look(struct tn_studio_edit *edit, struct stale *one)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, one->id);
	const struct tn_studio_edge *edge =
		node ? NULL : tn_studio_edge_find(edit->document, one->id);

	if (node) {
		one->rev = node->rev;
		one->label = node->label;
		return;
	}
	one->edge = true;
	if (edge) {
		one->rev = edge->rev;
		one->label = edge->label;
		return;
	}
	if (look_derived(edit, one))
		return;
	one->gone = true;
	one->rev = tn_studio_gone_at(edit->document, TN_STUDIO_EDGES, one->id);
	if (one->rev == 0) {
		one->rev = tn_studio_gone_at(edit->document, TN_STUDIO_NODES, one->id);
		one->edge = false;
	}
}

/* ---- who ---- */

struct search {
	uint64_t revision;
	const struct tn_change *found;
};

/* A line has the revisions from its id, which was its first, to its last. */
static bool has_revision(const struct tn_change *change, void *data)
{
	struct search *search = data;

	if (change->id <= search->revision)
		search->found = change;
	return false;
}

static const struct tn_change *change_at(const struct tn_studio_edit *edit, uint64_t revision)
{
	struct search search = {.revision = revision};

	if (revision > 0)
		tn_oplog_list(edit->log, revision - 1, has_revision, &search);
	return search.found;
}

/* ---- saying it ---- */

static void put_who(struct tn_buf *out, const struct tn_studio_edit *edit,
		    const struct tn_change *change)
{
	tn_studio_put_change_id(out, "changeId", change->id);
	tn_json_put_member_text(out, "actor", change->actor);
	tn_json_put_member_text(out, "summary", change->label);
	if (edit->who && change->who && strcmp(edit->who, change->who) == 0)
		tn_json_put_member_bool(out, "mine", true);
}

static void put_one(struct tn_buf *out, const struct tn_studio_edit *edit, const struct stale *one)
{
	tn_json_put_member_str(out, "instanceId", one->id);
	tn_json_put_member_int(out, "rev", (int64_t)one->rev);
	tn_json_put_member_int(out, "expected", (int64_t)one->expected);
	if (one->edge)
		tn_json_put_member_bool(out, "edge", true);
	if (one->gone)
		tn_json_put_member_bool(out, "removed", true);
	if (one->last)
		put_who(out, edit, one->last);
}

struct listing {
	struct tn_buf *out;
	const struct tn_studio_edit *edit;
	struct tn_str id;
	uint64_t until;
	size_t count;
};

static bool names(const struct tn_change *change, struct tn_str id, struct tn_arena *arena)
{
	struct tn_json *note = NULL;
	const struct tn_json *ids;
	struct tn_str one;

	if (!change->note ||
	    tn_json_parse_copy(arena, tn_str_from(change->note), &note, NULL) != TENON_OK)
		return false;
	ids = tn_json_get(note, "instanceIds");
	for (const struct tn_json *at = tn_json_is(ids, TN_JSON_ARRAY) ? ids->first : NULL; at;
	     at = at->next) {
		if (tn_json_to_str(at, &one) && tn_str_equal(one, id))
			return true;
	}
	return false;
}

static bool put_between(const struct tn_change *change, void *data)
{
	struct listing *listing = data;

	if (change->id > listing->until || listing->count == BY_MAX)
		return false;
	if (!names(change, listing->id, listing->edit->arena))
		return true;
	tn_json_begin_object(listing->out);
	put_who(listing->out, listing->edit, change);
	tn_json_end_object(listing->out);
	listing->count++;
	return true;
}

/* All that came between, where it was more than the last. */
static void put_all_between(struct tn_buf *out, struct tn_studio_edit *edit,
			    const struct stale *one)
{
	struct listing listing = {.out = out, .edit = edit, .id = one->id, .until = one->rev};
	size_t before = out->size;

	tn_json_put_key(out, "by");
	tn_json_begin_array(out);
	if (!one->edge)
		tn_oplog_list(edit->log, one->expected, put_between, &listing);
	tn_json_end_array(out);
	if (listing.count < 2)
		out->size = before;
}

static void say(struct tn_studio_edit *edit, const struct stale *one, size_t more)
{
	struct tn_str name = one->label.size > 0 ? one->label : one->id;
	char who[700] = "", others[64] = "";

	if (one->last)
		(void)snprintf(who, sizeof(who), " '%.200s' by %.128s did that (revision %llu).",
			       one->last->label, one->last->actor, (unsigned long long)one->rev);
	else if (one->rev > 0)
		(void)snprintf(who, sizeof(who), " That was at revision %llu.",
			       (unsigned long long)one->rev);
	if (more > 0)
		(void)snprintf(others, sizeof(others), " So it is with %zu more of them.", more);
	(void)tn_studio_fail(edit->fault, "STALE_NODE",
			     "%s '%.*s' %s.%s%s Nothing of your call was done: read what there is "
			     "now (get_changes with since %llu) and, if you still want it, call "
			     "again with the rev it has then",
			     one->edge ? "edge" : "node", (int)(name.size < 128 ? name.size : 128),
			     name.data,
			     one->gone                  ? "is not there any more"
			     : one->rev > one->expected ? "has been changed since you read it"
							: "is not at the revision you expect",
			     who, others, (unsigned long long)one->expected);
}

static bool refuse(struct tn_studio_edit *edit, const struct stale *list, size_t count, size_t all)
{
	struct tn_buf details;
	char *copy;

	say(edit, &list[0], all - 1);
	tn_buf_init(&details, TN_MIB);
	tn_json_begin_object(&details);
	put_one(&details, edit, &list[0]);
	put_all_between(&details, edit, &list[0]);
	if (count > 1) {
		tn_json_put_key(&details, "others");
		tn_json_begin_array(&details);
		for (size_t i = 1; i < count; i++) {
			tn_json_begin_object(&details);
			put_one(&details, edit, &list[i]);
			tn_json_end_object(&details);
		}
		tn_json_end_array(&details);
	}
	tn_json_end_object(&details);
	copy = details.failed ? NULL : tn_arena_copy(edit->arena, tn_buf_str(&details));
	if (edit->fault && copy)
		edit->fault->details = tn_str(copy, details.size);
	tn_buf_finish(&details);
	return false;
}

bool tn_studio_edit_expects(struct tn_studio_edit *edit, const struct tn_json *expected)
{
	struct stale *list;
	size_t all = 0;

	if (!tn_json_is(expected, TN_JSON_OBJECT) || expected->count == 0)
		return true;
	list = tn_arena_alloc_array(edit->arena, TOLD_MAX, sizeof(*list));
	if (!list)
		return tn_studio_edit_no_memory(edit);
	for (const struct tn_json *at = expected->first; at; at = at->next) {
		struct stale one = {.id = at->key};
		int64_t rev = 0;

		if (!tn_json_to_int(at, &rev)) /* its schema refuses that */
			continue;
		one.expected = (uint64_t)rev;
		look(edit, &one);
		if (!one.gone && one.rev == one.expected)
			continue;
		if (all++ >= TOLD_MAX)
			continue;
		one.last = change_at(edit, one.rev);
		list[all - 1] = one;
	}
	return all == 0 || refuse(edit, list, all < TOLD_MAX ? all : TOLD_MAX, all);
}
