#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "jsonrpc/schema_node.h"

enum { PAIRWISE_MAX = 16 }; /* elements compared each with each */

struct entry {
	uint64_t hash;
	const struct tn_json *value;
	uint32_t index;
};

/* Values that are equal hash equally. The seed is drawn for each check, so that nobody can choose
 * elements that collide. Recursion is bounded by TN_JSON_DEPTH_MAX. */
static uint64_t hash_value(const struct tn_json *value, uint64_t seed)
{
	uint64_t hash = seed + (uint64_t)value->type * UINT64_C(0x9e3779b97f4a7c15);

	switch (value->type) {
	case TN_JSON_NUMBER:
		return tn_json_number_hash(value->text, hash);
	case TN_JSON_STRING:
		return tn_str_hash(value->text, hash);
	case TN_JSON_ARRAY:
		for (const struct tn_json *v = value->first; v; v = v->next)
			hash = (hash ^ hash_value(v, seed)) * UINT64_C(0xff51afd7ed558ccd);
		return hash;
	case TN_JSON_OBJECT: /* a sum: the order of members does not matter */
		for (const struct tn_json *v = value->first; v; v = v->next)
			hash += tn_str_hash(v->key, hash_value(v, seed));
		return hash;
	default:
		return hash;
	}
}

static bool find_pairwise(const struct tn_json *array, uint32_t *ret_first, uint32_t *ret_second)
{
	uint32_t i = 0;

	for (const struct tn_json *a = array->first; a; a = a->next, i++) {
		uint32_t j = i + 1;

		for (const struct tn_json *b = a->next; b; b = b->next, j++) {
			if (tn_json_equal(a, b)) {
				*ret_first = i;
				*ret_second = j;
				return true;
			}
		}
	}
	return false;
}

static int by_hash(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

bool tn_schema_find_equal(struct tn_schema_run *run, const struct tn_schema_spot *array,
			  uint32_t *ret_first, uint32_t *ret_second)
{
	uint32_t count = array->value->count, at = 0;
	struct entry *entries;
	uint64_t seed;
	bool found = false;

	if (count <= PAIRWISE_MAX)
		return find_pairwise(array->value, ret_first, ret_second);
	entries = tn_mem_alloc_array(count, sizeof(*entries));
	if (!entries)
		return tn_schema_stop(run, array, TENON_NO_MEMORY, "uniqueItems",
				      "not enough memory to look for equal elements");
	seed = tn_rng_u64();
	for (const struct tn_json *v = array->value->first; v; v = v->next, at++)
		entries[at] = (struct entry){hash_value(v, seed), v, at};
	qsort(entries, count, sizeof(*entries), by_hash);
	for (uint32_t i = 0; i + 1 < count && !found; i++) {
		found = entries[i].hash == entries[i + 1].hash &&
			tn_json_equal(entries[i].value, entries[i + 1].value);
		if (found) {
			*ret_first = entries[i].index;
			*ret_second = entries[i + 1].index;
		}
	}
	tn_mem_free(entries);
	return found;
}
