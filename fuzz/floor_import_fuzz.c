/* Any bytes as the JSON of a plan: import ends within its limits, faults and warnings are JSON, and
 * what it makes is a plan whose JSON comes back byte for byte (floorplan.md 10.1, 11). */
#include <stdlib.h>

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/metrics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

struct import {
	struct tn_buf text, warnings, faults;
	enum tenon_code code;
};

static void check_json(const struct tn_buf *json)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *root;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	check(tn_json_parse_copy(&arena, tn_buf_str(json), &root, &err) == TENON_OK);
	check(root->type == TN_JSON_ARRAY);
	tn_arena_finish(&arena);
}

/* False: not JSON. */
static bool import(struct tn_str json, struct import *ret)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *root;
	bool parses;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&ret->text, TN_FLOOR_TEXT_BYTES_MAX * 2);
	tn_buf_init(&ret->warnings, TN_MIB);
	tn_buf_init(&ret->faults, TN_MIB);
	parses = tn_json_parse_copy(&arena, json, &root, &err) == TENON_OK;
	if (parses) {
		ret->code = tn_floor_import(root, tn_str("", 0), &ret->text, &ret->warnings,
					    &ret->faults, &err);
		check_json(&ret->warnings);
		check_json(&ret->faults);
		check((ret->code == TENON_INVALID) == (ret->faults.size > 2));
	}
	tn_arena_finish(&arena);
	return parses;
}

static void finish(struct import *import)
{
	tn_buf_finish(&import->text);
	tn_buf_finish(&import->warnings);
	tn_buf_finish(&import->faults);
}

static struct tn_floor_plan *plan_of(const struct tn_buf *text)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;

	check(tn_floor_plan_create(tn_buf_str(text), true, &plan, &err) == TENON_OK);
	check(plan->tree.parses);
	return plan;
}

static void put_json(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	struct tenon_error err;

	tn_buf_init(out, TN_FLOOR_OUTPUT_BYTES_MAX);
	check(tn_floor_put_json(out, plan, &err) == TENON_OK);
}

static void check_plan(const struct tn_buf *text)
{
	struct tn_floor_plan *plan = plan_of(text), *again;
	struct tn_buf json, other, canonical;
	struct tenon_error err;
	struct import back;

	tn_buf_init(&canonical, TN_FLOOR_TEXT_BYTES_MAX * 2);
	check(tn_floor_put_canonical(&canonical, plan, NULL, &err) == TENON_OK);
	check(tn_str_equal(tn_buf_str(text), tn_buf_str(&canonical)));
	put_json(&json, plan);
	check(import(tn_buf_str(&json), &back));
	/* An invalid plan's JSON may have no place for what is wrong with it. */
	if (plan->valid) {
		check(back.code == TENON_OK);
		again = plan_of(&back.text);
		put_json(&other, again);
		check(tn_str_equal(tn_buf_str(&json), tn_buf_str(&other)));
		tn_buf_finish(&other);
		tn_floor_plan_free(again);
		tn_buf_clear(&canonical);
		tn_floor_put_egress(&canonical, plan);
		tn_floor_put_access(&canonical, plan);
	}
	finish(&back);
	tn_buf_finish(&json);
	tn_buf_finish(&canonical);
	tn_floor_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import found;

	if (import(tn_str((const char *)data, size), &found) && found.code == TENON_OK)
		check_plan(&found.text);
	finish(&found);
	return 0;
}
