/* floor_edit_fuzz.c - any plan and any operations: the result parses, comments stay, renaming
 * changes names only, what is not named stays where it is, atomic leaves nothing behind
 * (floorplan.md 8).
 *
 * The input is {"plan":"...","operations":[...],"floor":"..."}; bytes that are no JSON are the seed
 * of a random plan and random operations, so that mutations are never wasted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/floorplan/edit/edit_test_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct tn_str text, const struct tn_json *operations, struct tn_str floor)
{
	const char *fault = tn_edit_check(text, operations, floor);

	if (fault) {
		(void)fprintf(stderr, "%s\n%.*s\n", fault, (int)text.size, text.data);
		abort();
	}
}

static void run_random(struct tn_arena *arena, uint64_t seed)
{
	struct tn_edit_random random = {seed};
	struct tn_buf text, operations;
	struct tn_floor_plan *plan;
	struct tn_json *value;
	struct tenon_error err;

	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&operations, TN_MIB);
	tn_edit_random_plan(&random, &text);
	if (tn_floor_plan_create(tn_buf_str(&text), false, &plan, &err) != TENON_OK)
		abort();
	tn_edit_random_operations(&random, plan, 8, &operations);
	if (tn_json_parse_copy(arena, tn_buf_str(&operations), &value, &err) != TENON_OK)
		abort();
	check(tn_buf_str(&text), value, tn_str("", 0));
	tn_floor_plan_free(plan);
	tn_buf_finish(&text);
	tn_buf_finish(&operations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str input = tn_str((const char *)data, size), text = tn_str("", 0);
	struct tn_str floor = tn_str("", 0);
	struct tn_arena arena;
	struct tn_json *root;
	struct tenon_error err;

	tn_arena_init(&arena, 64 * TN_MIB);
	if (tn_json_parse_copy(&arena, input, &root, &err) == TENON_OK) {
		const struct tn_json *operations = tn_json_get(root, "operations");

		(void)tn_json_to_str(tn_json_get(root, "plan"), &text);
		(void)tn_json_to_str(tn_json_get(root, "floor"), &floor);
		/* Each is run four times: more of them are only slow. */
		if (tn_json_is(operations, TN_JSON_ARRAY) && operations->count <= 16)
			check(text, operations, floor);
	} else {
		run_random(&arena, tn_str_hash(input, 1));
	}
	tn_arena_finish(&arena);
	return 0;
}
