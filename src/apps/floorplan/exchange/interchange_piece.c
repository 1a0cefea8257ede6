/* The pieces that a plan as JSON is made of: numbers, lengths, sizes and places in its unit. */
#include <math.h>

#include "apps/floorplan/exchange/interchange_piece.h"
#include "jsonrpc/json_write.h"

void tn_floor_json_number(struct tn_floor_json *j, const char *key, double number)
{
	tn_json_put_key(j->out, key);
	tn_floor_put_number(j->out, number);
}

void tn_floor_json_length(struct tn_floor_json *j, const char *key,
			  const struct tn_floor_length *length)
{
	const double number = tn_floor_to_unit(j->plan, length);

	/* The nearest double to six decimals is what is read back. */
	j->rounded = j->rounded || number != round(number * 1e6) / 1e6;
	tn_floor_json_number(j, key, number);
}

void tn_floor_json_measure(struct tn_floor_json *j, const char *key,
			   const struct tn_floor_measure *measure)
{
	if (tn_floor_is_written(measure->tokens))
		tn_floor_json_length(j, key, &measure->length);
	else
		tn_json_put_member_null(j->out, key);
}

static const struct tn_floor_define_tree *find_define(const struct tn_floor_plan *plan,
						      struct tn_str name)
{
	const struct tn_floor_define_tree *at = plan->tree.defines;

	while (at && !tn_str_equal(tn_floor_written(plan, at->name), name))
		at = at->next;
	return at;
}

/* The lengths of a size, whether it is written out or named. */
static const struct tn_floor_size *size_of(const struct tn_floor_json *j,
					   const struct tn_floor_size *size)
{
	const struct tn_floor_define_tree *define;

	if (size->name == TN_FLOOR_NO_TOKEN)
		return size;
	define = find_define(j->plan, tn_floor_written(j->plan, size->name));
	return define ? &define->size : size;
}

void tn_floor_json_extent(struct tn_floor_json *j, const struct tn_floor_size *size)
{
	size = size_of(j, size);
	if (!size->there) {
		tn_json_put_member_null(j->out, "width");
		tn_json_put_member_null(j->out, "height");
		return;
	}
	tn_floor_json_length(j, "width", &size->width);
	if (size->full)
		tn_json_put_member_null(j->out, "height");
	else
		tn_floor_json_length(j, "height", &size->height);
}

void tn_floor_json_size(struct tn_floor_json *j, const char *key, const struct tn_floor_size *size)
{
	if (!size->there) {
		tn_json_put_member_null(j->out, key);
		return;
	}
	tn_json_put_key(j->out, key);
	tn_json_begin_object(j->out);
	tn_floor_json_extent(j, size);
	tn_json_end_object(j->out);
}

void tn_floor_json_text(struct tn_floor_json *j, const char *key, struct tn_str text)
{
	if (text.data)
		tn_json_put_member_str(j->out, key, text);
	else
		tn_json_put_member_null(j->out, key);
}

void tn_floor_json_relative(struct tn_floor_json *j, const struct tn_floor_at *at,
			    const struct tn_floor_relative *relative)
{
	static const struct tn_floor_length none = {0, TN_FLOOR_NO_UNIT, TN_FLOOR_NO_TOKEN,
						    TN_FLOOR_NO_TOKEN, TN_FLOOR_NO_TOKEN};
	enum tn_floor_align align;

	relative = tn_floor_relative_counts(at, relative);
	if (!relative) {
		tn_json_put_member_null(j->out, "relative");
		return;
	}
	j->relative = true;
	align = tn_floor_align_counts(relative);
	tn_json_put_key(j->out, "relative");
	tn_json_begin_object(j->out);
	tn_json_put_member_text(j->out, "direction", tn_floor_direction_name(relative->direction));
	tn_json_put_member_str(j->out, "reference", tn_floor_written(j->plan, relative->name));
	tn_floor_json_length(j, "gap", relative->has_gap ? &relative->gap : &none);
	tn_json_put_member_text(j->out, "align",
				align == TN_FLOOR_NO_ALIGN ? NULL : tn_floor_align_name(align));
	tn_json_end_object(j->out);
}

void tn_floor_json_place(struct tn_floor_json *j, const struct tn_floor_at *at,
			 struct tn_floor_point resolved)
{
	if (tn_floor_is_written(at->tokens)) {
		tn_floor_json_length(j, "x", &at->x);
		tn_floor_json_length(j, "y", &at->y);
	} else {
		tn_floor_json_number(j, "x", resolved.x);
		tn_floor_json_number(j, "y", resolved.y);
	}
}
