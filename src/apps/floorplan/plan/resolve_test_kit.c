#include "apps/floorplan/plan/resolve_test_kit.h"

#include <math.h>

struct tn_floor_plan *kit_plan(const char *text)
{
	struct tn_floor_plan *plan = NULL;
	struct tenon_error err;

	assert_int_equal(tn_floor_plan_create(tn_str_from(text), false, &plan, &err), TENON_OK);
	return plan;
}

static void list_all(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next)
		tn_buf_format(out, "%sFP%04d %u:%u-%u:%u", out->size ? "; " : "", at->code,
			      at->range.line, at->range.column, at->range.end_line,
			      at->range.end_column);
	tn_buf_append_byte(out, '\0');
}

void kit_expect(const char *text, const char *diagnostics)
{
	struct tn_floor_plan *plan = kit_plan(text);
	struct tn_buf found;

	tn_buf_init(&found, TN_MIB);
	list_all(plan, &found);
	if (strcmp(found.data, diagnostics) != 0)
		fail_msg("%s\n  gives %s\n  not   %s", text, found.data, diagnostics);
	tn_buf_finish(&found);
	tn_floor_plan_free(plan);
}

void kit_expect_text(const char *text, int code, const char *part, const char *fix)
{
	struct tn_floor_plan *plan = kit_plan(text);
	const struct tn_floor_diagnostic *at = plan->diagnostics.first;

	while (at && at->code != code)
		at = at->next;
	if (!at)
		fail_msg("%s\n  gives no FP%04d", text, code);
	if (!strstr(at->message, part))
		fail_msg("'%s' does not say '%s'", at->message, part);
	if (!fix != !at->fix || (fix && strcmp(fix, at->fix) != 0))
		fail_msg("%s\n  is cured by %s\n  not      %s", text, at->fix ? at->fix : "nothing",
			 fix ? fix : "nothing");
	tn_floor_plan_free(plan);
}

const struct tn_floor_room *kit_room(const struct tn_floor_plan *plan, const char *name)
{
	const struct tn_floor_room *room = tn_floor_room_find(plan, NULL, tn_str_from(name), NULL);

	assert_non_null(room);
	return room;
}

const struct tn_floor_circulation *kit_circulation(const struct tn_floor_plan *plan,
						   const char *name)
{
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_circulation *at = floor->circulation; at;
		     at = at->next) {
			if (tn_str_is(at->name, name))
				return at;
		}
	}
	fail_msg("no stair or lift %s", name);
	return NULL;
}

void kit_near(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-6))
		fail_msg("%.9g, not %.9g", found, expected);
}

void kit_expect_rect(const struct tn_floor_rect *found, double x, double y, double width,
		     double height)
{
	kit_near(found->x, x);
	kit_near(found->y, y);
	kit_near(found->width, width);
	kit_near(found->height, height);
}
