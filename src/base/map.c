#include "base/map.h"

#include "base/mem.h"
#include "base/rng.h"

enum { FIRST_CAPACITY = 16 };

struct tn_map_slot {
	char *key; /* NULL: never used; `tombstone`: removed */
	size_t key_size;
	uint64_t hash;
	void *value;
};

static char tombstone[1];

void tn_map_init(struct tn_map *map)
{
	*map = (struct tn_map){0};
}

static bool is_live(const struct tn_map_slot *slot)
{
	return slot->key && slot->key != tombstone;
}

void tn_map_finish(struct tn_map *map)
{
	for (size_t i = 0; i < map->capacity; i++) {
		if (is_live(&map->slots[i]))
			tn_mem_free(map->slots[i].key);
	}
	tn_mem_free(map->slots);
	tn_map_init(map);
}

static struct tn_map_slot *find(const struct tn_map *map, struct tn_str key, uint64_t hash)
{
	size_t mask = map->capacity - 1;

	for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
		struct tn_map_slot *slot = &map->slots[i];

		if (!slot->key)
			return NULL;
		if (slot->key != tombstone && slot->hash == hash &&
		    tn_str_equal(tn_str(slot->key, slot->key_size), key))
			return slot;
	}
}

void *tn_map_get(const struct tn_map *map, struct tn_str key)
{
	struct tn_map_slot *slot;

	if (map->used == 0)
		return NULL;
	slot = find(map, key, tn_str_hash(key, map->seed));
	return slot ? slot->value : NULL;
}

static void place(struct tn_map_slot *slots, size_t capacity, struct tn_map_slot entry)
{
	size_t mask = capacity - 1;
	size_t i = (size_t)entry.hash & mask;

	while (is_live(&slots[i]))
		i = (i + 1) & mask;
	slots[i] = entry;
}

static bool make_room(struct tn_map *map)
{
	size_t capacity = map->capacity ? map->capacity : FIRST_CAPACITY;
	struct tn_map_slot *slots;

	if (map->capacity && (map->filled + 1) * 4 <= map->capacity * 3)
		return true;
	while ((map->used + 1) * 2 > capacity)
		capacity *= 2;
	slots = tn_mem_alloc_array(capacity, sizeof(*slots));
	if (!slots)
		return false;
	if (!map->capacity)
		map->seed = tn_rng_u64();
	for (size_t i = 0; i < map->capacity; i++) {
		if (is_live(&map->slots[i]))
			place(slots, capacity, map->slots[i]);
	}
	tn_mem_free(map->slots);
	map->slots = slots;
	map->capacity = capacity;
	map->filled = map->used;
	return true;
}

bool tn_map_replace(struct tn_map *map, struct tn_str key, void *value)
{
	struct tn_map_slot *slot = map->used ? find(map, key, tn_str_hash(key, map->seed)) : NULL;

	tn_assert(value);
	if (slot)
		slot->value = value;
	return slot != NULL;
}

enum tenon_code tn_map_put(struct tn_map *map, struct tn_str key, void *value,
			   struct tenon_error *err)
{
	struct tn_map_slot entry = {.key_size = key.size, .value = value};

	tn_assert(value);
	if (tn_map_replace(map, key, value))
		return TENON_OK;
	if (!make_room(map))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	entry.hash = tn_str_hash(key, map->seed);
	entry.key = tn_mem_copy_text(key.data, key.size);
	if (!entry.key)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	place(map->slots, map->capacity, entry);
	map->used++;
	map->filled++; /* counts a reused tombstone twice: only rehashes a little sooner */
	return TENON_OK;
}

void *tn_map_remove(struct tn_map *map, struct tn_str key)
{
	struct tn_map_slot *slot;

	if (map->used == 0)
		return NULL;
	slot = find(map, key, tn_str_hash(key, map->seed));
	if (!slot)
		return NULL;
	tn_mem_free(slot->key);
	slot->key = tombstone;
	map->used--;
	return slot->value;
}

bool tn_map_next(const struct tn_map *map, size_t *cursor, struct tn_str *ret_key, void **ret_value)
{
	while (*cursor < map->capacity) {
		const struct tn_map_slot *slot = &map->slots[(*cursor)++];

		if (!is_live(slot))
			continue;
		*ret_key = tn_str(slot->key, slot->key_size);
		*ret_value = slot->value;
		return true;
	}
	return false;
}
