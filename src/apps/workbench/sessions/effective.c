#include "apps/workbench/sessions/effective.h"

#include "jsonrpc/json_make.h"

/* Positions an array may grow by: a page would make holes of the others. */
enum { ARRAY_MAX = 10000 };

static bool is_position(struct tn_str token, size_t *ret)
{
	uint64_t value;

	if (!tn_str_to_uint(token, &value) || value >= ARRAY_MAX)
		return false;
	*ret = (size_t)value;
	return true;
}

static const struct tn_json *child(const struct tn_json *base, struct tn_str token)
{
	size_t position;
	const struct tn_json *at;

	if (!tn_json_is(base, TN_JSON_ARRAY))
		return tn_json_get_str(base, token);
	if (!is_position(token, &position))
		return NULL;
	at = base->first;
	while (at && position-- > 0)
		at = at->next;
	return at;
}

static const struct tn_json *with_element(struct tn_arena *arena, const struct tn_json *base,
					  size_t position, const struct tn_json *value)
{
	const struct tn_json *at = base ? base->first : NULL;
	const struct tn_json *null = tn_json_make(arena, TN_JSON_NULL);
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_ARRAY);
	for (size_t i = 0; at || i <= position; i++) {
		tn_json_maker_add(&maker, i == position ? value : at ? at : null);
		at = at ? at->next : NULL;
	}
	return tn_json_maker_end(&maker);
}

/* What is there, or is made there, for this token to lead on: an array or an object. */
static bool is_array_there(const struct tn_json *base, struct tn_str token)
{
	size_t position;

	return base ? base->type == TN_JSON_ARRAY : is_position(token, &position);
}

const struct tn_json *tn_wb_effective_set(struct tn_arena *arena, const struct tn_json *base,
					  const struct tn_wb_prop_path *path,
					  const struct tn_json *value, bool *ret_blocked)
{
	const struct tn_json *on_way[TN_WB_PATH_TOKENS_MAX];

	*ret_blocked = false;
	for (size_t i = 1; i < path->count; i++) {
		size_t position;

		if (tn_json_is(base, TN_JSON_NULL))
			base = NULL;
		*ret_blocked = (base && base->type < TN_JSON_ARRAY) ||
			       (is_array_there(base, path->tokens[i]) &&
				!is_position(path->tokens[i], &position));
		if (*ret_blocked)
			return NULL;
		on_way[i] = base;
		base = child(base, path->tokens[i]);
	}
	for (size_t i = path->count; i-- > 1 && value;) {
		struct tn_str name = path->tokens[i];
		size_t position = 0;

		/* Of the path nothing stays: its bytes are the caller's, perhaps for a moment. */
		name.data = tn_arena_copy(arena, name);
		if (!name.data)
			return NULL;

		if (is_array_there(on_way[i], path->tokens[i]) &&
		    is_position(path->tokens[i], &position))
			value = with_element(arena, on_way[i], position, value);
		else
			value = tn_json_with(arena, on_way[i], name, value);
	}
	return value;
}
