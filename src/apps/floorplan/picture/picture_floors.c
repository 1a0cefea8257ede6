/* Which floors are drawn (floorplan.md 6.2), and what is said of one that is not there. */
#include "apps/floorplan/picture/internal.h"
#include "base/near.h"
#include "base/utf8.h"

enum { NAME_SHOWN = 60, LIST_MAX = 110 /* bytes: one sentence takes 256 */ };

/* "; did you mean 'G'?", or those that there are. */
static void put_known(struct tn_buf *out, const struct tn_floor_plan *plan, struct tn_str wanted)
{
	const struct tn_floor_floor *floor;
	uint32_t listed = 0;

	for (floor = plan->floors; floor && wanted.size > 0; floor = floor->next) {
		if (floor->name.size > NAME_SHOWN || !tn_near_is(wanted, floor->name) ||
		    tn_near_distance(wanted, floor->name) >= wanted.size)
			continue;
		tn_buf_format(out, "; did you mean '%.*s'?", (int)floor->name.size,
			      floor->name.data);
		return;
	}
	for (floor = plan->floors; floor; floor = floor->next) {
		if (out->size + floor->name.size + sizeof(", ''") > LIST_MAX)
			break;
		tn_buf_format(out, "%s '%.*s'", listed++ == 0 ? "; it has" : ",",
			      (int)floor->name.size, floor->name.data);
	}
	if (listed < plan->floor_count)
		tn_buf_format(out, "%s %u%s", listed == 0 ? "; it has" : " and",
			      plan->floor_count - listed, listed == 0 ? "" : " more");
	else if (listed == 0)
		tn_buf_append_text(out, "; it has no floors");
}

static enum tenon_code refuse(const struct tn_floor_plan *plan, const struct tn_str *name,
			      uint32_t index, struct tenon_error *err)
{
	char room[2 * LIST_MAX];
	struct tn_buf known = {.data = room, .capacity = sizeof(room), .limit = sizeof(room)};
	struct tn_str shown;

	put_known(&known, plan, name ? *name : TN_STR(""));
	if (!name)
		return tn_fail(err, TENON_NOT_FOUND,
			       "the plan has no floor of index %u, counted from 0%.*s", index,
			       (int)known.size, room);
	shown = tn_utf8_cut(*name, NAME_SHOWN);
	return tn_fail(err, TENON_NOT_FOUND, "the plan has no floor '%.*s%s'%.*s", (int)shown.size,
		       shown.data, shown.size < name->size ? "..." : "", (int)known.size, room);
}

enum tenon_code tn_floor_floors_check(const struct tn_floor_plan *plan,
				      const struct tn_floor_picture_options *options,
				      size_t *ret_at, struct tenon_error *err)
{
	/* A plan without floors is an empty page. */
	const uint32_t count = plan->floor_count ? plan->floor_count : 1;

	for (size_t i = 0; options->floors && i < options->floor_count; i++) {
		if (tn_floor_floor_find(plan, options->floors[i]))
			continue;
		*ret_at = i;
		return refuse(plan, &options->floors[i], 0, err);
	}
	if (options->floors || options->all_floors || options->floor_index < count)
		return TENON_OK;
	*ret_at = 0;
	return refuse(plan, NULL, options->floor_index, err);
}

void tn_paint_choose(struct tn_painter *painter)
{
	const struct tn_floor_picture_options *options = painter->options;
	const size_t count = options->floors ? options->floor_count : painter->plan->floor_count;
	const struct tn_floor_floor *floor = painter->plan->floors;
	uint32_t index = 0;

	painter->cells = tn_paint_new(painter, count, sizeof(*painter->cells));
	if (!painter->cells)
		return;
	for (size_t i = 0; options->floors && i < count; i++)
		painter->cells[painter->cell_count++].floor =
			tn_floor_floor_find(painter->plan, options->floors[i]);
	for (; !options->floors && floor; floor = floor->next, index++)
		if (options->all_floors || index == options->floor_index)
			painter->cells[painter->cell_count++].floor = floor;
	painter->transforms =
		tn_paint_new(painter, painter->cell_count, sizeof(*painter->transforms));
}
