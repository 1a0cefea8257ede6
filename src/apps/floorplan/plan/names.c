/* Names and what they stand for, each within its scope; and "did you mean" (floorplan.md 4.2). */
#include "apps/floorplan/plan/resolve.h"
#include "base/near.h"

/* Letters times letters that may be compared for one plan: 5,000 wrong names among 5,000 rooms must
 * not take a minute. About 20 ms. */
enum { NEAR_WORK = 4 * 1000 * 1000, NEAR_MAX = 2 };

bool tn_names_init(struct tn_resolver *r, size_t count)
{
	size_t capacity = 16;

	while (capacity < count * 2)
		capacity *= 2;
	r->names.slots = tn_resolve_new(r, capacity, sizeof(*r->names.slots));
	r->names.mask = capacity - 1;
	r->near_left = NEAR_WORK;
	return r->names.slots != NULL;
}

/* The slot of the name, or the empty one where it belongs. The seed may be known: chosen collisions
 * cost at most the square of the 5,000 names a plan may have. */
static struct tn_floor_name_slot *slot_of(const struct tn_resolver *r, const void *scope,
					  struct tn_str text)
{
	size_t at = (size_t)tn_str_hash(text, (uint64_t)(uintptr_t)scope) & r->names.mask;

	for (;; at = (at + 1) & r->names.mask) {
		struct tn_floor_name_slot *slot = &r->names.slots[at];

		if (!slot->value || (slot->scope == scope && tn_str_equal(slot->text, text)))
			return slot;
	}
}

void *tn_names_add(struct tn_resolver *r, const void *scope, struct tn_str text, void *value)
{
	struct tn_floor_name_slot *slot = slot_of(r, scope, text);

	if (slot->value)
		return slot->value;
	*slot = (struct tn_floor_name_slot){scope, text, value};
	return NULL;
}

void *tn_names_get(const struct tn_resolver *r, const void *scope, struct tn_str text)
{
	return slot_of(r, scope, text)->value;
}

/* ---- did you mean ---- */

void tn_near_init(struct tn_near *near, struct tn_str word)
{
	*near = (struct tn_near){.word = word, .distance = NEAR_MAX + 1};
}

void tn_near_try(struct tn_resolver *r, struct tn_near *near, struct tn_str known)
{
	size_t longer = known.size > near->word.size ? known.size : near->word.size;
	size_t shorter = known.size < near->word.size ? known.size : near->word.size;
	unsigned distance;

	if (longer - shorter > NEAR_MAX || r->near_left < longer * shorter)
		return;
	r->near_left -= longer * shorter;
	distance = tn_near_distance(near->word, known);
	if (distance < near->distance && distance < near->word.size) {
		near->distance = distance;
		near->best = known;
	}
}

const char *tn_near_text(struct tn_resolver *r, const struct tn_near *near)
{
	const char *text;

	if (!near->best.data)
		return "";
	text = tn_arena_format(r->arena, "; did you mean '%.*s'?", TN_SHOW(near->best));
	return text ? text : "";
}

void tn_near_try_rooms(struct tn_resolver *r, struct tn_near *near,
		       const struct tn_floor_room *first, bool and_inside)
{
	for (; first; first = first->next) {
		tn_near_try(r, near, first->name);
		if (and_inside && first->rooms)
			tn_near_try_rooms(r, near, first->rooms, true); /* at most 8 deep */
	}
}
