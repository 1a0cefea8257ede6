#include "apps/floorplan/exchange/dxf_test_kit.h"

#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/limits.h"

struct group {
	int code;
	struct tn_str value;
};

static struct tn_str take_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = tn_str(rest->data, end);

	if (end == TN_STR_NONE)
		fail_msg("the last line does not end");
	*rest = tn_str_from_offset(*rest, end + 1);
	return line;
}

static int whole_number(struct tn_str text)
{
	char digits[16] = "", *end;

	text = tn_str_trim(text);
	assert_in_range(text.size, 1, sizeof(digits) - 1);
	memcpy(digits, text.data, text.size);
	(void)strtol(digits, &end, 10);
	assert_int_equal(*end, 0);
	return (int)strtol(digits, NULL, 10);
}

static double number(struct tn_str text)
{
	char digits[64] = "", *end;
	double value;

	assert_in_range(text.size, 1, sizeof(digits) - 1);
	memcpy(digits, text.data, text.size);
	value = strtod(digits, &end);
	assert_int_equal(*end, 0);
	assert_true(isfinite(value));
	assert_non_null(strchr(digits, '.')); /* how some readers tell a real number */
	return value;
}

/* False: the end. */
static bool take_group(struct tn_str *rest, struct group *ret)
{
	if (rest->size == 0)
		return false;
	ret->code = whole_number(take_line(rest));
	ret->value = take_line(rest);
	return true;
}

static bool ends_section(const struct group *group)
{
	return group->code == 0 && tn_str_is(group->value, "ENDSEC");
}

static struct tn_str from(const struct dxf *dxf, const char *section)
{
	struct tn_str text = tn_buf_str(&dxf->text);
	char head[64];
	size_t at;

	(void)snprintf(head, sizeof(head), "  0\nSECTION\n  2\n%s\n", section);
	at = tn_str_find(text, tn_str_from(head));
	assert_int_not_equal(at, TN_STR_NONE);
	return tn_str_from_offset(text, at + strlen(head));
}

/* ---- entities ---- */

static void take_value(struct dxf_entity *entity, const struct group *group)
{
	switch (group->code) {
	case 1:
		entity->words = group->value;
		break;
	case 8:
		entity->layer = group->value;
		break;
	case 10:
		entity->x = number(group->value);
		break;
	case 20:
		entity->y = number(group->value);
		break;
	case 11:
		entity->x2 = number(group->value);
		break;
	case 21:
		entity->y2 = number(group->value);
		break;
	case 40:
		entity->radius = entity->height = number(group->value);
		break;
	case 50:
		entity->start = number(group->value);
		break;
	case 51:
		entity->end = number(group->value);
		break;
	case 70:
		entity->closed = whole_number(group->value) == 1;
		break;
	default: /* of no matter here */
		break;
	}
}

/* A vertex is part of the polyline before it. */
static void gather(struct dxf *dxf)
{
	struct dxf_entity *line = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < dxf->count; i++) {
		struct dxf_entity *one = &dxf->entities[i];

		if (tn_str_is(one->kind, "VERTEX")) {
			assert_non_null(line);
			assert_true(tn_str_equal(one->layer, line->layer));
			assert_in_range(line->count, 0, DXF_POINTS_MAX - 1);
			line->points[line->count++] = (struct tn_floor_point){one->x, one->y};
			continue;
		}
		if (tn_str_is(one->kind, "SEQEND"))
			continue;
		dxf->entities[kept] = *one;
		line = &dxf->entities[kept++];
	}
	dxf->count = kept;
}

static void read_entities(struct dxf *dxf)
{
	struct tn_str rest = from(dxf, "ENTITIES"), count = rest;
	struct group group;
	size_t most = 1;

	while (take_group(&count, &group))
		most += group.code == 0;
	dxf->entities = tn_arena_alloc_array(&dxf->arena, most, sizeof(*dxf->entities));
	assert_non_null(dxf->entities);
	while (take_group(&rest, &group) && !ends_section(&group)) {
		if (group.code == 0)
			dxf->entities[dxf->count++].kind = group.value;
		else
			take_value(&dxf->entities[dxf->count - 1], &group);
	}
	assert_true(take_group(&rest, &group));
	assert_true(tn_str_is(group.value, "EOF") && rest.size == 0);
	gather(dxf);
}

/* ---- the drawing ---- */

void dxf_draw(struct dxf *dxf, struct tn_str plan)
{
	struct tenon_error err;

	*dxf = (struct dxf){.count = 0};
	tn_arena_init(&dxf->arena, (size_t)512 * TN_MIB);
	tn_buf_init(&dxf->text, TN_FLOOR_OUTPUT_BYTES_MAX);
	assert_int_equal(tn_floor_plan_create(plan, false, &dxf->plan, &err), TENON_OK);
	if (!dxf->plan->tree.parses)
		fail_msg("%.*s\n  %s", (int)plan.size, plan.data,
			 dxf->plan->diagnostics.first->message);
	if (tn_floor_put_dxf(&dxf->text, dxf->plan, &err) != TENON_OK)
		fail_msg("%s", err.message);
	read_entities(dxf);
}

void dxf_finish(struct dxf *dxf)
{
	tn_floor_plan_free(dxf->plan);
	tn_buf_finish(&dxf->text);
	tn_arena_finish(&dxf->arena);
}

struct tn_str dxf_variable(const struct dxf *dxf, const char *name, int code)
{
	struct tn_str rest = from(dxf, "HEADER");
	struct group group;
	bool here = false;

	while (take_group(&rest, &group) && !ends_section(&group)) {
		if (group.code == 9)
			here = tn_str_is(group.value, name);
		else if (here && group.code == code)
			return group.value;
	}
	fail_msg("no %s", name);
	return tn_str("", 0);
}

double dxf_variable_number(const struct dxf *dxf, const char *name, int code)
{
	return number(dxf_variable(dxf, name, code));
}

int dxf_colour(const struct dxf *dxf, const char *layer)
{
	struct tn_str rest = from(dxf, "TABLES");
	struct group group;
	bool layers = false, here = false;

	while (take_group(&rest, &group) && !ends_section(&group)) {
		if (group.code == 0)
			layers = tn_str_is(group.value, "LAYER");
		else if (group.code == 2 && layers)
			here = tn_str_is(group.value, layer);
		else if (group.code == 62 && here)
			return whole_number(group.value);
	}
	return 0;
}

const struct dxf_entity *dxf_find(const struct dxf *dxf, const char *kind, const char *layer,
				  size_t n)
{
	for (size_t i = 0; i < dxf->count; i++) {
		const struct dxf_entity *one = &dxf->entities[i];

		if (tn_str_is(one->kind, kind) && tn_str_is(one->layer, layer) && n-- == 0)
			return one;
	}
	return NULL;
}

void dxf_near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 2e-6))
		fail_msg("%.9g, not %.9g", found, wanted);
}
