/* map.h - text keys to pointers, open addressing, seeded against chosen collisions.
 *
 * Ownership: keys are copied; values belong to the caller. Threads: one at a time. */
#ifndef TN_BASE_MAP_H
#define TN_BASE_MAP_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct tn_map_slot;

struct tn_map {
	struct tn_map_slot *slots;
	size_t capacity; /* a power of two, or 0 */
	size_t used;     /* live entries */
	size_t filled;   /* live entries and tombstones */
	uint64_t seed;
};

void tn_map_init(struct tn_map *map); /* allocates nothing */
void tn_map_finish(struct tn_map *map);

void *tn_map_get(const struct tn_map *map, struct tn_str key); /* NULL: absent */

/* Inserts or replaces. `value` is not NULL. Fails: NO_MEMORY, and nothing has changed. */
TN_MUST_USE enum tenon_code tn_map_put(struct tn_map *map, struct tn_str key, void *value,
				       struct tenon_error *err);
bool tn_map_replace(struct tn_map *map, struct tn_str key, void *value); /* false: absent */
void *tn_map_remove(struct tn_map *map, struct tn_str key); /* the value it had, or NULL */

/* Walks in no order: start with *cursor = 0, stop at false. Removing the entry just returned is
 * allowed while walking, and so is replacing a value; inserting is not. */
bool tn_map_next(const struct tn_map *map, size_t *cursor, struct tn_str *ret_key,
		 void **ret_value);

#endif
