/* Parameters of an operation, and telling what is wrong with them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "apps/floorplan/edit/internal.h"
#include "apps/floorplan/limits.h"
#include "base/near.h"
#include "jsonrpc/json_write.h"

const char *const tn_edit_sides[] = {"top", "right", "bottom", "left", NULL};
const char *const tn_edit_wall_types[] = {"solid", "door", "window", "open", NULL};
const char *const tn_edit_directions[] = {"right-of",       "left-of",        "above",
					  "below",          "above-right-of", "above-left-of",
					  "below-right-of", "below-left-of",  NULL};
const char *const tn_edit_alignments[] = {"top", "bottom", "left", "right", "center", NULL};
const char *const tn_edit_doors[] = {"door", "double-door", "opening", NULL};
const char *const tn_edit_hands[] = {"left", "right", NULL};

/* ---- telling ---- */

bool tn_edit_fail(struct tn_edit *e, int code, const char *field, const char *format, ...)
{
	va_list arguments;

	if (e->code != 0)
		return false; /* the first one is the cause */
	e->code = code;
	va_start(arguments, format);
	(void)vsnprintf(e->message, sizeof(e->message), format, arguments);
	va_end(arguments);
	(void)snprintf(e->path, sizeof(e->path), "/operations/%zu%s%s", e->index, field ? "/" : "",
		       field ? field : "");
	return false;
}

bool tn_edit_starve(struct tn_edit *e)
{
	e->starved = true;
	return false;
}

void tn_edit_affect(struct tn_edit *e, const char *kind, struct tn_str name, uint32_t token,
		    const char *what)
{
	struct tn_buf *out = &e->affected;

	if (out->size == 0)
		tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", kind);
	tn_json_put_member_str(out, "name", name);
	tn_json_put_member_int(out, "line", e->lexed->tokens[token].range.line);
	tn_json_put_member_text(out, "what", what);
	tn_json_end_object(out);
}

void tn_edit_affect_room(struct tn_edit *e, const struct tn_floor_room *room, const char *what)
{
	tn_edit_affect(e, room->parent ? "sub-room" : "room", room->name, room->tree->name, what);
}

void tn_edit_affect_stair(struct tn_edit *e, const struct tn_floor_circulation *one,
			  const char *what)
{
	tn_edit_affect(e, one->lift ? "lift" : "stair", one->name,
		       one->lift ? one->lift_tree->name : one->stair->name, what);
}

/* From its first byte to its last, as it is written. */
static struct tn_str end_text(const struct tn_edit *e, const struct tn_floor_end *end)
{
	struct tn_floor_range range = tn_floor_span(e->lexed, end->tokens.first, end->tokens.last);

	return tn_str(e->plan->text.data + range.start, range.end - range.start);
}

void tn_edit_affect_connection(struct tn_edit *e, const struct tn_floor_connect_tree *connect,
			       const char *what)
{
	struct tn_str from = end_text(e, &connect->from), to = end_text(e, &connect->to);
	const char *name =
		tn_arena_format(e->arena, "%.*s to %.*s", TN_EDIT_SHOW(from), TN_EDIT_SHOW(to));

	if (!name)
		(void)tn_edit_starve(e);
	tn_edit_affect(e, "connection", tn_str_from(name), connect->tokens.first, what);
}

/* ---- fields ---- */

const struct tn_json *tn_edit_param(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_NULL) ? NULL : value;
}

bool tn_edit_missing(struct tn_edit *e, const char *field)
{
	const char *name = strrchr(field, '/');

	return tn_edit_fail(e, 9001, field, "'%s' is missing", name ? name + 1 : field);
}

static bool is_known(struct tn_str key, const char *const *known)
{
	for (; *known; known++) {
		if (tn_str_is(key, *known))
			return true;
	}
	return false;
}

bool tn_edit_only(struct tn_edit *e, const struct tn_json *object, const char *field,
		  const char *const *known)
{
	char path[120];
	const char *near;

	if (!object)
		return true;
	if (object->type != TN_JSON_OBJECT)
		return tn_edit_fail(e, 9001, field, "this must be an object, not %s",
				    tn_json_type_name(object));
	for (const struct tn_json *at = object->first; at; at = at->next) {
		if (is_known(at->key, known))
			continue;
		near = tn_near_find(at->key, known);
		(void)snprintf(path, sizeof(path), "%s/%.*s", field,
			       (int)tn_utf8_cut(at->key, 60).size, at->key.data);
		return tn_edit_fail(e, 9001, path, "there is no field '%.*s' here%s%s%s",
				    TN_EDIT_SHOW(at->key), near ? "; did you mean '" : "",
				    near ? near : "", near ? "'?" : "");
	}
	return true;
}

bool tn_edit_text(struct tn_edit *e, const char *key, struct tn_str *ret)
{
	const struct tn_json *value = tn_edit_param(e->params, key);
	char path[80];

	if (!value || tn_json_to_str(value, ret))
		return true;
	(void)snprintf(path, sizeof(path), "params/%s", key);
	return tn_edit_fail(e, 9001, path, "'%s' must be a text, not %s", key,
			    tn_json_type_name(value));
}

bool tn_edit_flag(struct tn_edit *e, const char *key, bool *ret)
{
	const struct tn_json *value = tn_edit_param(e->params, key);
	char path[80];

	if (!value || tn_json_to_bool(value, ret))
		return true;
	(void)snprintf(path, sizeof(path), "params/%s", key);
	return tn_edit_fail(e, 9001, path, "'%s' must be true or false", key);
}

bool tn_edit_word(struct tn_edit *e, const struct tn_json *object, const char *key,
		  const char *field, const char *const *words, unsigned *ret)
{
	const struct tn_json *value = tn_edit_param(object, key);
	struct tn_str text = tn_str("", 0);
	char list[160] = "";
	size_t used = 0;

	if (!value)
		return true;
	(void)tn_json_to_str(value, &text);
	for (unsigned i = 0; words[i]; i++) {
		if (tn_str_is(text, words[i])) {
			*ret = i;
			return true;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 words[i]);
	}
	return tn_edit_fail(e, 9001, field, "'%s' must be one of %s", key, list);
}

/* ---- lengths ---- */

static size_t skip_digits(struct tn_str text, size_t at)
{
	while (at < text.size && tn_is_digit(text.data[at]))
		at++;
	return at;
}

/* Bytes of "-3.5" at the start; 0: there is no number. */
static size_t number_size(struct tn_str text)
{
	size_t start = text.size > 0 && text.data[0] == '-' ? 1 : 0;
	size_t size = skip_digits(text, start), more;

	if (size == start)
		return 0;
	if (size >= text.size || text.data[size] != '.')
		return size;
	more = skip_digits(text, size + 1);
	return more > size + 1 ? more : 0;
}

static bool read_unit(struct tn_str text, enum tn_floor_unit *ret)
{
	*ret = TN_FLOOR_NO_UNIT;
	for (int unit = TN_FLOOR_M; unit <= TN_FLOOR_MM; unit++) {
		if (tn_str_is(text, tn_floor_unit_name((enum tn_floor_unit)unit)))
			*ret = (enum tn_floor_unit)unit;
	}
	return *ret != TN_FLOOR_NO_UNIT || text.size == 0;
}

/* "-3.5m", "3.5 m", "12". */
static bool read_length(struct tn_str text, struct tn_edit_length *ret)
{
	struct tn_json number = {.type = TN_JSON_NUMBER};
	size_t size;

	text = tn_str_trim(text);
	size = number_size(text);
	number.text = tn_str(text.data, size);
	return size > 0 && size <= 64 && tn_json_to_double(&number, &ret->number) &&
	       read_unit(tn_str_trim(tn_str_from_offset(text, size)), &ret->unit);
}

bool tn_edit_length(struct tn_edit *e, const struct tn_json *value, const char *field,
		    bool above_zero, struct tn_edit_length *ret)
{
	const char *name = strrchr(field, '/');
	struct tn_str text;

	name = name ? name + 1 : field;
	*ret = (struct tn_edit_length){.is_text = tn_json_is(value, TN_JSON_STRING)};
	if (tn_json_is(value, TN_JSON_NUMBER)) {
		if (!tn_json_to_double(value, &ret->number))
			ret->number = INFINITY;
	} else if (!tn_json_to_str(value, &text) || !read_length(text, ret)) {
		return tn_edit_fail(e, 9001, field,
				    "'%s' must be a number, or a text such as \"3.5m\"", name);
	}
	ret->in_plan = ret->number;
	if (ret->unit != TN_FLOOR_NO_UNIT && ret->unit != e->plan->unit)
		ret->in_plan =
			ret->number * tn_floor_metres(ret->unit) / tn_floor_metres(e->plan->unit);
	if (!(fabs(ret->in_plan) <= TN_FLOOR_LENGTH_MAX))
		return tn_edit_fail(e, 9004, field, "'%s' is out of range; send at most %d %s",
				    name, TN_FLOOR_LENGTH_MAX, tn_floor_unit_name(e->plan->unit));
	/* What is below half a millionth is written as 0. */
	if (above_zero && !(ret->number >= 5e-7 && ret->in_plan >= 5e-7))
		return tn_edit_fail(e, 9004, field, "'%s' must be above 0", name);
	return true;
}

void tn_edit_put_length(struct tn_buf *out, const struct tn_edit_length *length)
{
	tn_floor_put_number(out, length->number);
	tn_buf_append_text(out, tn_floor_unit_name(length->unit));
}
