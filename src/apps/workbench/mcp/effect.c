/* What a change of drafts would do, for whoever is asked about it: old and new of each prop (V6).
 */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/values/prop_path.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* What a person is shown of all changes (the core takes 4 KiB and 128 KiB), and for how many props
 * the page's own value is looked up. */
enum { DETAIL_BYTES = 3000, DATA_BYTES = 100 * 1024, LOOKED_UP_MAX = 50 };

struct reading {
	struct tn_wb_effect *effect;
	struct tn_wb_acting acting; /* and of which group what is read is */
	struct tn_arena arena;
	struct tn_str instance_id;   /* whose props these are */
	const struct tn_json *props; /* NULL: not known */
	size_t told, looked_up;
	bool full; /* there was no room for a line: the others are counted alone */
};

/* ---- the page's own values ---- */

static const struct tn_wb_instance *instance_of(const struct tn_wb_session *session,
						struct tn_str id)
{
	const struct tn_wb_instance *found = session->selection.instance;

	return found && tn_str_equal(found->id, id) ? found : tn_map_get(&session->instances, id);
}

const struct tn_wb_instance *tn_wb_acting_instance(const struct tn_wb_acting *acting,
						   struct tn_str id)
{
	const struct tn_wb_instance *found = NULL;

	for (const struct tn_wb_session *at = acting->workspace->sessions.first; at && !found;
	     at = at->next)
		if (at->group == acting->group)
			found = instance_of(at, id);
	return found;
}

static void look_up(struct reading *r, struct tn_str id)
{
	const struct tn_wb_instance *found;
	struct tn_json *tree = NULL;

	if (tn_str_equal(r->instance_id, id) && r->looked_up)
		return;
	r->instance_id = id;
	r->props = NULL;
	if (++r->looked_up > LOOKED_UP_MAX)
		return;
	found = tn_wb_acting_instance(&r->acting, id);
	if (found && tn_json_parse_copy(&r->arena, found->text, &tree, NULL) == TENON_OK)
		r->props = tn_json_get(tree, "props");
}

/* Of the whole prop, whatever lies below it is changed. NULL: not known. */
static const struct tn_json *code_value(struct reading *r, struct tn_str id, struct tn_str path)
{
	struct tn_wb_prop_path *read = tn_arena_alloc(&r->arena, sizeof(*read));

	look_up(r, id);
	if (!read || tn_wb_prop_path_read(read, path) != TN_WB_PATH_GOOD || read->count != 1)
		return NULL;
	return tn_json_get_str(r->props, read->tokens[0]);
}

/* ---- one prop ---- */

static void put_value(struct tn_buf *out, struct tn_str json)
{
	struct tn_str shown = tn_utf8_cut(json, TN_WB_SHOWN_BYTES);

	tn_buf_append_str(out, shown);
	if (shown.size < json.size)
		tn_buf_format(out, "... (%zu bytes)", json.size);
}

static void put_code(struct reading *r, struct tn_buf *out, struct tn_str id, struct tn_str path)
{
	const struct tn_json *value = code_value(r, id, path);
	struct tn_buf json;

	if (!value) {
		tn_buf_append_text(out, "what the code says");
		return;
	}
	tn_buf_init(&json, TN_MIB);
	tn_json_put_value(&json, value);
	put_value(out, tn_buf_str(&json));
	tn_buf_append_text(out, " (the code's)");
	tn_buf_finish(&json);
}

static void put_line(struct reading *r, struct tn_buf *out, const struct tn_wb_address *address,
		     const struct tn_wb_slot *slot, const struct tn_json *value)
{
	struct tn_buf json;

	tn_wb_put_quoted(out, address->instance_id);
	tn_buf_append_text(out, " ");
	tn_wb_put_quoted(out, address->path);
	tn_buf_append_text(out, ": ");
	if (slot)
		put_value(out, slot->draft->value);
	else
		put_code(r, out, address->instance_id, address->path);
	tn_buf_append_text(out, " -> ");
	if (!value) {
		put_code(r, out, address->instance_id, address->path);
		return;
	}
	tn_buf_init(&json, TN_MIB);
	tn_json_put_value(&json, value);
	put_value(out, tn_buf_str(&json));
	tn_buf_finish(&json);
}

static void put_data(struct tn_buf *out, const struct tn_wb_address *address,
		     const struct tn_wb_slot *slot, const struct tn_json *value, struct tn_str type)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", address->instance_id);
	if (type.size)
		tn_json_put_member_str(out, "componentTypeId", type);
	tn_json_put_member_str(out, "path", address->path);
	if (slot && slot->draft->value.size <= TN_KIB)
		tn_json_put_member_raw(out, "old", slot->draft->value);
	if (value && value->count <= TN_KIB) {
		tn_json_put_key(out, "new");
		tn_json_put_value(out, value);
	}
	tn_json_end_object(out);
}

static void note_first(struct tn_wb_effect *effect, struct tn_str line)
{
	struct tn_str shown = tn_utf8_cut(line, sizeof(effect->first) - 8);

	effect->whole = shown.size == line.size;
	(void)snprintf(effect->first, sizeof(effect->first), "%.*s", (int)shown.size, shown.data);
}

/* One line, where it has room. */
static void tell(struct reading *r, const struct tn_wb_address *address,
		 const struct tn_wb_slot *slot, const struct tn_json *value, struct tn_str type)
{
	struct tn_buf line;

	tn_buf_init(&line, TN_MIB);
	if (type.size) {
		tn_wb_put_quoted(&line, type);
		tn_buf_append_text(&line, " ");
	}
	put_line(r, &line, address, slot, value);
	if (!r->effect->count)
		note_first(r->effect, tn_buf_str(&line));
	tn_buf_append_byte(&line, '\n');
	if (r->effect->detail.size + line.size <= DETAIL_BYTES) {
		tn_buf_append_str(&r->effect->detail, tn_buf_str(&line));
		r->told++;
	} else {
		r->full = true;
	}
	tn_buf_finish(&line);
}

/* An op of `forth`: a set, or a clear. */
static void read_op(struct reading *r, const struct tn_json *op)
{
	struct tn_wb_address address = {.group = r->acting.group};
	const struct tn_json *value = tn_json_get(op, "value");
	struct tn_str type = {0};
	const struct tn_wb_slot *slot;
	struct tn_buf data;

	(void)tn_json_to_str(tn_json_get(op, "instanceId"), &address.instance_id);
	(void)tn_json_to_str(tn_json_get(op, "path"), &address.path);
	(void)tn_json_to_str(tn_json_get(op, "componentTypeId"), &type);
	slot = tn_wb_document_find(tn_wb_drafts_document(r->acting.workspace->drafts), &address);
	if (!value && slot && !slot->by_assistant)
		r->effect->clears_persons = true;
	tn_buf_init(&data, TN_MIB);
	if (!r->full)
		tell(r, &address, slot, value, type);
	put_data(&data, &address, slot, value, type);
	if (r->effect->data.size + data.size < DATA_BYTES)
		tn_json_put_raw(&r->effect->data, tn_buf_str(&data));
	tn_buf_finish(&data);
	r->effect->count++;
}

/* ---- all of it ---- */

static void sum_up(struct reading *r)
{
	struct tn_wb_effect *effect = r->effect;
	struct tn_buf all;

	tn_buf_init(&all, TN_MIB);
	/* First: what is too long is cut at its end. */
	if (effect->clears_persons)
		tn_buf_append_text(&all, "Drafts that a person has made are cleared.\n");
	if (effect->count > 1 || !effect->whole)
		tn_buf_append_str(&all, tn_buf_str(&effect->detail));
	if (r->told < effect->count)
		tn_buf_format(&all, "... and %zu more\n", effect->count - r->told);
	tn_buf_inherit_failure(&all, &effect->detail);
	tn_buf_finish(&effect->detail);
	effect->detail = all;
}

/* Of one group. False: no memory. */
static bool read_forth(struct reading *r, enum tn_wb_group group, struct tn_str forth)
{
	struct tn_json *ops = NULL;

	if (!forth.size)
		return true;
	r->acting.group = group;
	r->looked_up = 0;
	tn_buf_append_str(&r->effect->exactly, forth);
	if (tn_json_parse_copy(&r->arena, forth, &ops, NULL) != TENON_OK)
		return false;
	for (const struct tn_json *at = ops->first; at; at = at->next)
		read_op(r, at);
	return true;
}

bool tn_wb_effect_read(struct tn_wb_effect *effect, const struct tn_wb_acting *acting,
		       const struct tn_wb_outcome *would)
{
	struct reading r = {.effect = effect, .acting = *acting};
	bool done = true;

	*effect = (struct tn_wb_effect){.clears_persons = false};
	tn_buf_init(&effect->detail, TN_MIB);
	tn_buf_init(&effect->data, TN_MIB);
	tn_buf_init(&effect->exactly, TN_RESULT_BYTES_MAX);
	tn_arena_init(&r.arena, TN_WB_OVERRIDES_ARENA_MAX);
	tn_json_begin_object(&effect->data);
	tn_json_put_member_text(&effect->data, "sessionId",
				acting->session ? acting->session->id : NULL);
	tn_json_put_key(&effect->data, "changes");
	tn_json_begin_array(&effect->data);
	for (size_t i = 0; i < TN_WB_GROUPS && done; i++)
		done = read_forth(&r, (enum tn_wb_group)i, tn_buf_str(&would->forth[i]));
	tn_json_end_array(&effect->data);
	tn_json_put_member_int(&effect->data, "count", (int64_t)effect->count);
	tn_json_end_object(&effect->data);
	tn_buf_append_byte(&effect->data, '\0');
	tn_buf_append_str(&effect->exactly, tn_buf_str(&would->inverse));
	sum_up(&r);
	tn_arena_finish(&r.arena);
	return done && !effect->detail.failed && !effect->data.failed && !effect->exactly.failed;
}

void tn_wb_effect_finish(struct tn_wb_effect *effect)
{
	tn_buf_finish(&effect->detail);
	tn_buf_finish(&effect->data);
	tn_buf_finish(&effect->exactly);
}
