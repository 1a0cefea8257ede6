#include "jsonrpc/json_canonical.h"

#include <stdlib.h>

static int compare_members(const void *a, const void *b)
{
	const struct tn_json *const *x = a, *const *y = b;

	return tn_str_compare((*x)->key, (*y)->key);
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX. */
void tn_json_put_canonical(struct tn_arena *arena, struct tn_buf *out, const struct tn_json *value)
{
	const struct tn_json **members;
	uint32_t count = 0;

	if (!value || (value->type != TN_JSON_OBJECT && value->type != TN_JSON_ARRAY)) {
		tn_json_put_value(out, value);
		return;
	}
	members = tn_arena_alloc_array(arena, value->count + 1, sizeof(struct tn_json *));
	if (!members) {
		out->failed = true;
		return;
	}
	for (const struct tn_json *m = value->first; m; m = m->next)
		members[count++] = m;
	if (value->type == TN_JSON_OBJECT) {
		qsort(members, count, sizeof(struct tn_json *), compare_members);
		tn_json_begin_object(out);
	} else {
		tn_json_begin_array(out);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (value->type == TN_JSON_OBJECT)
			tn_json_put_key_str(out, members[i]->key);
		tn_json_put_canonical(arena, out, members[i]);
	}
	if (value->type == TN_JSON_OBJECT)
		tn_json_end_object(out);
	else
		tn_json_end_array(out);
}
