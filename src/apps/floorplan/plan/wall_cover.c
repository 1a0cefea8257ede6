/* What the sides over an interval are together, kept while sides come and go. */
#include "apps/floorplan/plan/wall_network.h"

static size_t places_for(size_t count)
{
	size_t places = 1;

	while (places < count)
		places *= 2;
	return places;
}

static enum tn_floor_wall_type stronger(enum tn_floor_wall_type a, enum tn_floor_wall_type b)
{
	static const int strength[] = {[TN_FLOOR_OPEN] = 0,
				       [TN_FLOOR_SOLID] = 1,
				       [TN_FLOOR_WINDOW] = 2,
				       [TN_FLOOR_DOOR] = 3};

	return strength[a] >= strength[b] ? a : b;
}

static struct tn_wall_cover together(const struct tn_wall_cover *a, const struct tn_wall_cover *b)
{
	struct tn_wall_cover both = *a;

	if (a->count == 0 || b->count == 0)
		return a->count == 0 ? *b : *a;
	both.count += b->count;
	both.sum += b->sum;
	both.low = b->low < a->low ? b->low : a->low;
	both.high = b->high > a->high ? b->high : a->high;
	both.bottom = b->bottom < a->bottom ? b->bottom : a->bottom;
	both.top = b->top > a->top ? b->top : a->top;
	both.type = stronger(a->type, b->type);
	if (b->style && (!a->style || b->first < a->first)) {
		both.style = b->style;
		both.first = b->first;
	}
	return both;
}

size_t tn_wall_covers_nodes(size_t count)
{
	return 2 * places_for(count);
}

void tn_wall_covers_init(struct tn_wall_covers *covers, struct tn_wall_cover *nodes, size_t count)
{
	covers->nodes = nodes;
	covers->places = places_for(count);
	memset(nodes, 0, 2 * covers->places * sizeof(*nodes));
}

void tn_wall_covers_set(struct tn_wall_covers *covers, size_t place,
			const struct tn_wall_cover *cover)
{
	struct tn_wall_cover *nodes = covers->nodes;
	size_t at = covers->places + place;

	nodes[at] = cover ? *cover : (struct tn_wall_cover){.count = 0};
	for (at /= 2; at > 0; at /= 2)
		nodes[at] = together(&nodes[2 * at], &nodes[2 * at + 1]);
}
