/* Units, sides and walls as words, and numbers as text. */
#include "apps/floorplan/plan/plan.h"

#include <math.h>

double tn_floor_metres(enum tn_floor_unit unit)
{
	static const double metres[] = {1, 1, 0.3048, 0.01, 0.0254, 0.001};

	return metres[unit];
}

const char *tn_floor_unit_name(enum tn_floor_unit unit)
{
	static const char *const names[] = {"", "m", "ft", "cm", "in", "mm"};

	return names[unit];
}

const char *tn_floor_side_name(enum tn_floor_side side)
{
	static const char *const names[] = {"top", "right", "bottom", "left", ""};

	return names[side];
}

const char *tn_floor_wall_name(enum tn_floor_wall_type type)
{
	static const char *const names[] = {"solid", "door", "window", "open"};

	return names[type];
}

double tn_floor_to_unit(const struct tn_floor_plan *plan, const struct tn_floor_length *length)
{
	if (length->unit == TN_FLOOR_NO_UNIT || length->unit == plan->unit)
		return length->number;
	return length->number * tn_floor_metres(length->unit) / tn_floor_metres(plan->unit);
}

void tn_floor_put_number(struct tn_buf *out, double number)
{
	static const double whole_max = 9e12; /* times a million it still is an int64 */
	long long millionths;
	unsigned digits = 6;

	if (!isfinite(number)) {
		tn_buf_append_byte(out, '0'); /* 11: neither NaN nor infinity leaves the process */
		return;
	}
	if (fabs(number) >= whole_max) {
		tn_buf_format(out, "%.0f", number);
		return;
	}
	millionths = llround(number * 1e6);
	if (millionths < 0) {
		tn_buf_append_byte(out, '-');
		millionths = -millionths;
	}
	tn_buf_format(out, "%lld", millionths / 1000000);
	millionths %= 1000000;
	if (millionths == 0)
		return;
	for (; millionths % 10 == 0; digits--)
		millionths /= 10;
	tn_buf_format(out, ".%0*lld", (int)digits, millionths);
}
