/* Operations one after the other, each on the text that the one before has made (floorplan.md 7.4,
 * 8.1). */
#include "apps/floorplan/edit/edit.h"

#include <math.h>
#include <stdio.h>

#include "apps/floorplan/edit/edit_reread.h"
#include "apps/floorplan/limits.h"
#include "base/mem.h"
#include "base/near.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const struct {
	const char *name;
	tn_edit_action *run;
	bool keeps_unit; /* takes lengths away, and leaves other rooms where they are */
} actions[] = {
	{"add_room", tn_edit_add_room, false},
	{"remove_room", tn_edit_remove_room, true},
	{"resize_room", tn_edit_resize_room, false},
	{"move_room", tn_edit_move_room, true},
	{"rename_room", tn_edit_rename_room, false},
	{"update_walls", tn_edit_update_walls, false},
	{"add_label", tn_edit_add_label, false},
	{"convert_to_relative", tn_edit_to_relative, true},
	{"convert_to_absolute", tn_edit_to_absolute, true},
	{"add_connection", tn_edit_add_connection, false},
	{"remove_connection", tn_edit_remove_connection, false},
	{"set_style", tn_edit_set_style, false},
};
/* clang-format on */
enum { ACTION_COUNT = sizeof(actions) / sizeof(actions[0]) };

const char *tn_floor_edit_action(size_t index)
{
	return index < ACTION_COUNT ? actions[index].name : NULL;
}

struct session {
	const struct tn_floor_edit_options *options;
	struct tn_floor_edited *ret;
	struct tn_buf text; /* of `plan`, when anything was changed */
	/* The last plan whose text was read as a whole: the trees of those behind it live there. */
	struct tn_floor_plan *base;
	struct tn_edit_tokens tokens[2]; /* of plans behind it, by turns */
	unsigned turn;
	size_t failed; /* operation of the first failure */
	struct tn_str failed_action;
	char failed_message[512];
};

/* ---- which action ---- */

static bool fail_action(struct tn_edit *e, struct tn_str name)
{
	const char *names[ACTION_COUNT + 1] = {NULL}, *near;

	for (size_t i = 0; i < ACTION_COUNT; i++)
		names[i] = actions[i].name;
	near = tn_near_find(name, names);
	return tn_edit_fail(e, 9001, "action", "there is no action '%.*s'%s%s%s",
			    TN_EDIT_SHOW(name), near ? "; did you mean '" : "", near ? near : "",
			    near ? "'?" : "");
}

static struct tn_str action_of(const struct tn_json *operation)
{
	struct tn_str name = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(operation, "action"), &name);
	return name;
}

static bool run_action(struct tn_edit *e)
{
	static const char *const fields[] = {"action", "target", "params", NULL};
	const struct tn_json *operation = e->operation;
	struct tn_str name = action_of(operation);

	if (!tn_json_is(operation, TN_JSON_OBJECT))
		return tn_edit_fail(e, 9001, NULL, "an operation must be an object, not %s",
				    tn_json_type_name(operation));
	e->params = tn_edit_param(operation, "params");
	(void)tn_json_to_str(tn_json_get(operation, "target"), &e->target);
	for (const struct tn_json *at = operation->first; at; at = at->next) {
		if (!tn_str_is(at->key, fields[0]) && !tn_str_is(at->key, fields[1]) &&
		    !tn_str_is(at->key, fields[2]))
			return tn_edit_fail(e, 9001, NULL, "there is no field '%.*s' here",
					    TN_EDIT_SHOW(at->key));
	}
	if (name.size == 0)
		return tn_edit_missing(e, "action");
	for (size_t i = 0; i < ACTION_COUNT; i++) {
		if (!tn_str_is(name, actions[i].name))
			continue;
		e->keeps_unit = actions[i].keeps_unit;
		return actions[i].run(e);
	}
	return fail_action(e, name);
}

/* ---- what came of it ---- */

static bool differs(double a, double b)
{
	return !(fabs(a - b) < 5e-7);
}

static bool has_moved(const struct tn_floor_rect *a, const struct tn_floor_rect *b)
{
	return differs(a->x, b->x) || differs(a->y, b->y);
}

static void tell_stairs_moved(struct tn_edit *e, const struct tn_floor_floor *before,
			      const struct tn_floor_floor *after)
{
	const struct tn_floor_circulation *b = after->circulation;

	for (const struct tn_floor_circulation *a = before->circulation; a && b;
	     a = a->next, b = b->next) {
		if (a->placed && b->placed && has_moved(&a->rect, &b->rect))
			tn_edit_affect_stair(e, a, "moved");
	}
}

/* 8.3: what followed a room that was moved or resized, each in its own frame. The trees have the
 * same rooms in the same order. */
static void tell_moves(struct tn_edit *e, const struct tn_floor_plan *after)
{
	const struct tn_floor_floor *before = e->plan->floors;

	for (uint32_t i = 0; i < e->plan->room_count && i < after->room_count; i++) {
		const struct tn_floor_room *a = e->plan->rooms[i], *b = after->rooms[i];

		if (a != e->moves && a->placed && b->placed &&
		    (differs(a->at.x, b->at.x) || differs(a->at.y, b->at.y)))
			tn_edit_affect_room(e, a, "moved");
	}
	for (const struct tn_floor_floor *at = after->floors; at && before; at = at->next) {
		tell_stairs_moved(e, before, at);
		before = before->next;
	}
}

/* FP9009: the text that came out cannot be read. */
static bool fail_result(struct tn_edit *e, const struct tn_floor_plan *after)
{
	const struct tn_floor_diagnostic *at = after->diagnostics.first;

	while (at && at->severity != TN_FLOOR_ERROR)
		at = at->next;
	return tn_edit_fail(e, 9009, NULL, "the result would not parse: %.300s",
			    at ? at->message : "it is too large");
}

static void note_unit(struct tn_edit *e, const struct tn_floor_plan *after)
{
	if (e->unit_written)
		(void)snprintf(e->note, sizeof(e->note),
			       "default_unit: %s was written into config, for the units that are "
			       "left would have made another unit of the plan",
			       tn_floor_unit_name(after->unit));
	else if (after->unit != e->plan->unit)
		(void)snprintf(e->note, sizeof(e->note),
			       "the units that are written decide the unit of the plan, and it is "
			       "%s now, no longer %s; set default_unit in config to fix it",
			       tn_floor_unit_name(after->unit), tn_floor_unit_name(e->plan->unit));
}

/* `plan` takes the place of the one before. */
static void take_plan(struct session *s, struct tn_floor_plan *plan, bool is_base)
{
	if (s->ret->plan != s->base)
		tn_floor_plan_free(s->ret->plan);
	if (is_base) {
		tn_floor_plan_free(s->base);
		s->base = plan;
	}
	s->ret->plan = plan;
}

/* By the short way; NULL: it is none, and nothing has changed. */
static struct tn_floor_plan *read_again(struct session *s, const struct tn_edit *e,
					struct tn_str text)
{
	struct tn_floor_plan *after = NULL;
	struct tenon_error ignored;
	const char *copy;

	if (tn_floor_plan_begin(&after, &ignored) != TENON_OK)
		return NULL;
	copy = tn_arena_copy(&after->arena, text);
	after->text = tn_str(copy, text.size);
	if (copy &&
	    tn_edit_reread(e->plan, e->cuts, e->cut_count, &s->tokens[s->turn], &s->base->arena,
			   after) &&
	    tn_floor_resolve_places(after, e->plan->unit)) {
		s->turn = 1 - s->turn;
		return after;
	}
	tn_floor_plan_free(after);
	return NULL;
}

/* The same once more with the unit written, which was decided by what has been taken away. */
static enum tenon_code write_unit(struct tn_edit *e, struct tn_buf *text,
				  struct tn_floor_plan **after, struct tenon_error *err)
{
	enum tenon_code code;

	e->unit_written = true;
	tn_buf_clear(text);
	if (!tn_edit_put_unit(e) || !tn_edit_apply(e, text))
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the new text");
	tn_floor_plan_free(*after);
	*after = NULL;
	code = tn_floor_plan_create_placed(tn_buf_str(text), after, err);
	return code;
}

/* The plan of a new text, which counts from now on. */
static enum tenon_code take_text(struct session *s, struct tn_edit *e, struct tn_buf *text,
				 bool *ret_good, struct tenon_error *err)
{
	struct tn_floor_plan *after = read_again(s, e, tn_buf_str(text));
	enum tenon_code code = TENON_OK;
	bool is_base = !after;

	if (!after)
		code = tn_floor_plan_create_placed(tn_buf_str(text), &after, err);
	if (code == TENON_OK && e->keeps_unit && after->tree.parses &&
	    after->unit != e->plan->unit && after->has_bare_lengths)
		code = write_unit(e, text, &after, err);
	*ret_good = code == TENON_OK && (after->tree.parses || fail_result(e, after));
	if (!*ret_good) {
		tn_floor_plan_free(after);
		return code;
	}
	note_unit(e, after);
	if (e->moves)
		tell_moves(e, after);
	take_plan(s, after, is_base);
	tn_buf_finish(&s->text);
	s->text = *text;
	tn_buf_init(text, 0);
	return code;
}

/* Applies the cuts; false: it failed, and the text is as before. */
static bool commit(struct session *s, struct tn_edit *e, struct tenon_error *err,
		   enum tenon_code *ret_code)
{
	struct tn_buf text;
	bool good = true;

	*ret_code = TENON_OK;
	tn_buf_init(&text, TN_FLOOR_TEXT_BYTES_MAX);
	if (!tn_edit_apply(e, &text)) {
		if (text.starved)
			*ret_code = tn_fail(err, TENON_NO_MEMORY, "no memory for the new text");
		good = tn_edit_fail(e, 9009, NULL, "the text would be larger than %zu bytes",
				    (size_t)TN_FLOOR_TEXT_BYTES_MAX);
	} else {
		*ret_code = take_text(s, e, &text, &good, err);
	}
	tn_buf_finish(&text);
	return good;
}

/* ---- the answer ---- */

static void begin_change(struct tn_buf *out, const struct tn_json *operation, struct tn_str target,
			 const char *result)
{
	if (out->size == 0)
		tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "action", action_of(operation));
	if (target.data)
		tn_json_put_member_str(out, "target", target);
	else
		tn_json_put_member_null(out, "target");
	tn_json_put_member_text(out, "result", result);
}

static void put_error(struct tn_buf *out, const struct tn_edit *e)
{
	char code[8];

	(void)snprintf(code, sizeof(code), "FP%04d", e->code % 10000);
	if (out->size == 0)
		tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "message", e->message);
	tn_json_put_member_int(out, "operation", (int64_t)e->index);
	tn_json_put_member_text(out, "path", e->path);
	tn_json_end_object(out);
}

static void put_change(struct session *s, struct tn_edit *e)
{
	struct tn_buf *out = &s->ret->changes;
	bool changed = e->cut_count > 0;

	if (e->code != 0) {
		begin_change(out, e->operation, e->target, "error");
		tn_json_put_member_text(out, "message", e->message);
		put_error(&s->ret->errors, e);
	} else {
		begin_change(out, e->operation, e->target, changed ? "applied" : "skipped");
		if (e->note[0] || !changed)
			tn_json_put_member_text(out, "message",
						changed ? e->note : "the text says so already");
		if (e->affected.size > 0) {
			tn_json_end_array(&e->affected);
			tn_json_put_member_raw(out, "affected", tn_buf_str(&e->affected));
		}
	}
	tn_json_end_object(out);
}

/* ---- one operation ---- */

static enum tenon_code run_one(struct session *s, const struct tn_json *operation, size_t index,
			       struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_edit e = {.plan = s->ret->plan,
			    .lexed = &s->ret->plan->tree.lexed,
			    .operation = operation,
			    .floor_name = s->options->floor,
			    .index = index,
			    .arena = arena,
			    .target = {NULL, 0}};
	enum tenon_code code = TENON_OK;
	bool good;

	tn_buf_init(&e.affected, TN_FLOOR_OUTPUT_BYTES_MAX);
	good = run_action(&e);
	if (!good && e.code == 0)
		e.starved = true;
	if (good && !e.starved && e.cut_count > 0)
		good = commit(s, &e, err, &code);
	if (e.starved)
		code = tn_fail(err, TENON_NO_MEMORY, "no memory for this operation");
	if (code == TENON_OK) {
		put_change(s, &e);
		tn_buf_inherit_failure(&s->ret->changes, &e.affected);
	}
	if (e.code != 0 && s->ret->success) {
		s->ret->success = false;
		s->failed = index;
		s->failed_action = action_of(operation);
		(void)snprintf(s->failed_message, sizeof(s->failed_message), "%s", e.message);
	}
	tn_buf_finish(&e.affected);
	return code;
}

/* ---- all of them ---- */

/* Atomic: nothing was changed, and every other operation says why. */
static enum tenon_code undo_all(struct session *s, struct tn_str text, struct tenon_error *err)
{
	struct tn_buf *out = &s->ret->changes;
	struct tn_floor_plan *plan;
	enum tenon_code code = tn_floor_plan_create(text, false, &plan, err);
	size_t index = 0;
	char why[160];

	if (code != TENON_OK)
		return code;
	take_plan(s, plan, true);
	tn_buf_finish(&s->text);
	tn_buf_clear(out);
	(void)snprintf(why, sizeof(why), "nothing was changed, because operation %zu (%.*s) failed",
		       s->failed, (int)tn_utf8_cut(s->failed_action, 60).size,
		       s->failed_action.data);
	for (const struct tn_json *at = s->options->operations->first; at; at = at->next, index++) {
		struct tn_str target = tn_str(NULL, 0);

		(void)tn_json_to_str(tn_json_get(at, "target"), &target);
		begin_change(out, at, target, index == s->failed ? "error" : "skipped");
		tn_json_put_member_text(out, "message",
					index == s->failed ? s->failed_message : why);
		tn_json_end_object(out);
	}
	return TENON_OK;
}

static enum tenon_code run_all(struct session *s, struct tn_str text, struct tenon_error *err)
{
	const struct tn_json *operations = s->options->operations;
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;
	size_t index = 0;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	for (const struct tn_json *at = operations->first; at && code == TENON_OK;
	     at = at->next, index++) {
		tn_arena_reset(&arena);
		code = run_one(s, at, index, &arena, err);
		if (s->options->atomic && !s->ret->success)
			break;
	}
	tn_arena_finish(&arena);
	if (code == TENON_OK && s->options->atomic && !s->ret->success)
		code = undo_all(s, text, err);
	return code;
}

static enum tenon_code finish(struct session *s, struct tn_str text, struct tenon_error *err)
{
	struct tn_floor_edited *ret = s->ret;
	enum tenon_code code;

	if (ret->changes.size == 0)
		tn_json_begin_array(&ret->changes);
	tn_json_end_array(&ret->changes);
	if (ret->errors.size > 0)
		tn_json_end_array(&ret->errors);
	if (!ret->readable)
		return tn_buf_check(&ret->changes, err);
	tn_buf_append_str(&ret->text, s->text.data ? tn_buf_str(&s->text) : text);
	code = tn_buf_check(&ret->text, err);
	if (code == TENON_OK && s->text.data) {
		struct tn_floor_plan *plan = NULL;

		/* The steps looked at places only. */
		code = tn_floor_plan_create(tn_buf_str(&ret->text), false, &plan, err);
		if (code == TENON_OK)
			take_plan(s, plan, true);
	}
	if (code == TENON_OK)
		code = tn_buf_check(&ret->changes, err);
	return code == TENON_OK ? tn_buf_check(&ret->errors, err) : code;
}

enum tenon_code tn_floor_edit(struct tn_str text, const struct tn_floor_edit_options *options,
			      struct tn_floor_edited *ret, struct tenon_error *err)
{
	struct session s = {.options = options, .ret = ret};
	enum tenon_code code;

	*ret = (struct tn_floor_edited){.success = true};
	tn_buf_init(&ret->text, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_init(&ret->changes, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_init(&ret->errors, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_init(&s.text, 0);
	if (!tn_json_is(options->operations, TN_JSON_ARRAY) ||
	    options->operations->count > TN_FLOOR_OPERATIONS_MAX)
		return tn_fail(err, TENON_INVALID, "operations must be an array of at most %d",
			       TN_FLOOR_OPERATIONS_MAX);
	code = tn_floor_plan_create(text, false, &ret->plan, err);
	s.base = ret->plan;
	if (code == TENON_OK) {
		ret->readable = ret->plan->tree.parses;
		ret->success = ret->readable;
	}
	if (code == TENON_OK && ret->readable)
		code = run_all(&s, text, err);
	if (code == TENON_OK)
		code = finish(&s, text, err);
	tn_buf_finish(&s.text);
	if (s.base != ret->plan)
		tn_floor_plan_free(s.base);
	tn_mem_free(s.tokens[0].tokens);
	tn_mem_free(s.tokens[1].tokens);
	if (code != TENON_OK)
		tn_floor_edited_finish(ret);
	return code;
}

void tn_floor_edited_finish(struct tn_floor_edited *edited)
{
	tn_buf_finish(&edited->text);
	tn_buf_finish(&edited->changes);
	tn_buf_finish(&edited->errors);
	tn_floor_plan_free(edited->plan);
	edited->plan = NULL;
}
