#include "apps/floorplan/mcp/brief.h"

#include <stdio.h>
#include <string.h>

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/metrics.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { MESSAGE_SIZE = TN_FLOOR_BRIEF_MESSAGE_BYTES + 32, LINE_EXTRA = 40 };

enum tn_floor_detail tn_floor_detail_of(const struct tn_floor_act *act)
{
	struct tn_str detail = tn_floor_argument_text(act, "detail");

	if (tn_str_is(detail, "none"))
		return TN_FLOOR_NONE;
	return tn_str_is(detail, "brief") ? TN_FLOOR_BRIEF : TN_FLOOR_FULL;
}

/* ---- what there is ---- */

struct contents {
	unsigned rooms, sub_rooms, doors, windows, openings, stairs, lifts;
	double net, gross; /* U^2 */
};

static void count_openings(const struct tn_floor_floor *floor, struct contents *counts)
{
	for (const struct tn_floor_opening *at = floor->openings; at; at = at->next) {
		if (!at->drawn)
			continue;
		if (at->kind == TN_FLOOR_OPENING_WINDOW)
			counts->windows++;
		else if (at->kind == TN_FLOOR_OPENING_GAP)
			counts->openings++;
		else
			counts->doors++;
	}
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (at->stair)
			counts->stairs++;
		else
			counts->lifts++;
	}
}

static bool on_floor(const struct tn_floor_answer *answer, const struct tn_floor_floor *floor)
{
	for (size_t i = 0; i < answer->floor_count; i++) {
		if (answer->floors[i] == floor)
			return true;
	}
	return false;
}

/* False: no memory. */
static bool count(const struct tn_floor_answer *answer, struct contents *ret)
{
	const struct tn_floor_plan *plan = answer->plan;
	const struct tn_floor_room_metrics *metrics;
	struct tn_arena arena;

	*ret = (struct contents){0};
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	metrics = tn_floor_rooms_measure(plan, &arena);
	for (uint32_t i = 0; metrics && i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		if (!on_floor(answer, room->floor))
			continue;
		if (room->parent) {
			ret->sub_rooms++;
			continue;
		}
		ret->rooms++;
		ret->net += metrics[i].net_area;
		ret->gross += metrics[i].area;
	}
	for (size_t i = 0; i < answer->floor_count; i++)
		count_openings(answer->floors[i], ret);
	tn_arena_finish(&arena);
	return metrics != NULL;
}

static void put_count(struct tn_buf *out, const char *key, unsigned number)
{
	if (number > 0)
		tn_json_put_member_int(out, key, number);
}

void tn_floor_put_brief(struct tn_floor_act *act, const struct tn_floor_answer *answer)
{
	const struct tn_floor_plan *plan = answer->plan;
	struct tn_buf *out = &act->json;
	struct contents counts;

	if (!count(answer, &counts)) {
		out->failed = out->starved = true;
		return;
	}
	tn_json_put_member_text(out, "unit", tn_floor_unit_name(plan->unit));
	tn_json_put_member_text(out, "areaUnit", answer->sqm ? "sqm" : "sqft");
	tn_json_put_member_int(out, "floorCount", plan->floor_count);
	tn_json_put_key(out, "contents");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "rooms", counts.rooms);
	put_count(out, "subRooms", counts.sub_rooms);
	put_count(out, "doors", counts.doors);
	put_count(out, "windows", counts.windows);
	put_count(out, "openings", counts.openings);
	put_count(out, "stairs", counts.stairs);
	put_count(out, "lifts", counts.lifts);
	tn_json_end_object(out);
	tn_floor_put_member_number(out, "netArea", tn_floor_area(plan, counts.net, answer->sqm));
	tn_floor_put_member_number(out, "grossArea",
				   tn_floor_area(plan, counts.gross, answer->sqm));
}

/* ---- what is wrong ---- */

/* False: what JSON makes of its words would be too much, and it is left out. */
static bool put_one(struct tn_buf *out, const struct tn_floor_diagnostic *one)
{
	size_t before = out->size;
	struct tn_str message =
		tn_utf8_cut(tn_str_from(one->message), TN_FLOOR_BRIEF_MESSAGE_BYTES);
	char line[MESSAGE_SIZE];

	(void)snprintf(line, sizeof(line), "FP%04d %u %.*s", one->code % 10000, one->range.line,
		       (int)message.size, message.data);
	tn_json_put_text(out, line);
	if (out->failed || out->size - before <= TN_FLOOR_BRIEF_MESSAGE_BYTES + LINE_EXTRA)
		return true;
	out->size = before;
	return false;
}

void tn_floor_put_worst(struct tn_floor_act *act)
{
	const struct tn_floor_diagnostics *list = &act->plan->diagnostics;
	struct tn_buf *out = &act->json;
	unsigned shown = 0;
	size_t total = 0;

	for (int severity = TN_FLOOR_ERROR; severity <= TN_FLOOR_INFO; severity++)
		total += list->counts[severity];
	if (total == 0)
		return;
	tn_json_put_key(out, "diagnostics");
	tn_json_begin_array(out);
	for (int severity = TN_FLOOR_ERROR; severity <= TN_FLOOR_INFO; severity++) {
		for (const struct tn_floor_diagnostic *at = list->first;
		     at && shown < TN_FLOOR_BRIEF_DIAGNOSTICS; at = at->next) {
			if ((int)at->severity != severity)
				continue;
			shown += put_one(out, at);
		}
	}
	tn_json_end_array(out);
	if (total > shown)
		tn_json_put_member_int(out, "moreDiagnostics", (int64_t)(total - shown));
}
