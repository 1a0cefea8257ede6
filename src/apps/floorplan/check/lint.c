/* Design rules: kinds of rooms, and all rules in their order (floorplan.md 9.4). */
#include "apps/floorplan/check/lint.h"

#include <stdio.h>

#include "base/size.h"

/* ---- kinds ---- */

struct words {
	enum tn_floor_room_kind kind;
	const char *words; /* with blanks around each */
};

static const struct words kinds[] = {
	{TN_ROOM_CORE, " stair stairs staircase stairwell lift elevator "},
	{TN_ROOM_BATH, " bath bathroom shower wc toilet powder ensuite restroom "},
	{TN_ROOM_BED, " bed bedroom suite "},
	{TN_ROOM_KITCHEN, " kitchen "},
	{TN_ROOM_PANTRY, " pantry "},
	{TN_ROOM_DINING, " dining "},
	{TN_ROOM_LIVING, " living lounge family "},
	{TN_ROOM_OFFICE, " office study "},
	{TN_ROOM_HALL, " hall hallway corridor lobby foyer entry passage "},
	{TN_ROOM_STORE, " closet store storage utility laundry garage "},
};

enum { WORD_SIZE = 32 };

/* Words are split at case changes and at everything that is no letter; the plural counts, too. */
static size_t next_word(struct tn_str text, size_t *at, char out[WORD_SIZE])
{
	size_t size = 0;

	while (*at < text.size && !tn_is_alpha(text.data[*at]))
		(*at)++;
	while (*at < text.size && tn_is_alpha(text.data[*at])) {
		const char c = text.data[*at];

		if (size > 0 && c != tn_to_lower(c) &&
		    text.data[*at - 1] == tn_to_lower(text.data[*at - 1]))
			break; /* livingRoom */
		if (size < WORD_SIZE - 1)
			out[size++] = tn_to_lower(c);
		(*at)++;
	}
	out[size] = '\0';
	return size;
}

static bool has_word(struct tn_str text, const char *words)
{
	char word[WORD_SIZE], padded[WORD_SIZE + 2];
	size_t at = 0;

	while (next_word(text, &at, word) > 0) {
		(void)snprintf(padded, sizeof(padded), " %s ", word);
		if (strstr(words, padded))
			return true;
	}
	return false;
}

enum tn_floor_room_kind tn_floor_room_kind(const struct tn_floor_room *room)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		if (has_word(room->name, kinds[i].words) || has_word(room->label, kinds[i].words))
			return kinds[i].kind;
	}
	return TN_ROOM_OTHER;
}

/* ---- all rules ---- */

bool tn_floor_lint(struct tn_floor_plan *plan)
{
	struct tn_lint lint = {.plan = plan, .arena = &plan->arena};
	uint32_t nodes;

	if (!plan->tree.parses || plan->diagnostics.counts[TN_FLOOR_ERROR] > 0)
		return true; /* advice on what is wrong anyway helps nobody */
	if (!tn_floor_ways_build(plan, lint.arena, &lint.ways))
		return false;
	nodes = lint.ways.node_count;
	lint.metrics = tn_floor_rooms_measure(plan, lint.arena);
	lint.kinds = tn_arena_alloc_array(lint.arena, nodes, sizeof(*lint.kinds));
	lint.reached = tn_arena_alloc_array(lint.arena, nodes, sizeof(bool));
	lint.reached_without = tn_arena_alloc_array(lint.arena, nodes, sizeof(bool));
	lint.queue = tn_arena_alloc_array(lint.arena, nodes, sizeof(*lint.queue));
	if (!lint.metrics || !lint.kinds || !lint.reached || !lint.reached_without || !lint.queue)
		return false;
	tn_lint_reach(&lint, TN_LINT_NO_NODE, lint.reached);
	for (uint32_t i = 0; i < plan->room_count; i++)
		lint.kinds[i] = tn_floor_room_kind(plan->rooms[i]);
	tn_lint_access(&lint);
	tn_lint_rooms(&lint);
	tn_lint_floors(&lint);
	tn_lint_doors(&lint);
	return !lint.starved && !plan->diagnostics.starved;
}
