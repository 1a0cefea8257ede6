/* What every edit holds, over random plans and operations (floorplan.md 8.1, 13). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/floorplan/edit/edit_test_kit.h"
#include "base/size.h"
#include "store/file.h"

enum { PLANS = 250, OPERATIONS = 12 };

static struct tn_floor_plan *plan_of(const struct tn_buf *text)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;

	assert_int_equal(tn_floor_plan_create(tn_buf_str(text), false, &plan, &err), TENON_OK);
	return plan;
}

static struct tn_json *json_of(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value;
	struct tenon_error err;

	if (tn_json_parse_copy(arena, text, &value, &err) != TENON_OK)
		fail_msg("%.*s: %s", (int)text.size, text.data, err.message);
	return value;
}

static void check_with(const struct tn_buf *text, struct tn_edit_random *random, uint64_t seed)
{
	struct tn_floor_plan *plan = plan_of(text);
	struct tn_arena arena;
	struct tn_buf operations;
	const char *fault;

	if (!plan->tree.parses)
		fail_msg("seed %llu: %s\n%.*s", (unsigned long long)seed,
			 plan->diagnostics.first->message, (int)text->size, text->data);
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&operations, TN_MIB);
	tn_edit_random_operations(random, plan, OPERATIONS, &operations);
	fault = tn_edit_check(tn_buf_str(text), json_of(&arena, tn_buf_str(&operations)),
			      tn_str("", 0));
	if (fault)
		fail_msg("seed %llu: %s\n%.*s\n%.*s", (unsigned long long)seed, fault,
			 (int)text->size, text->data, (int)operations.size, operations.data);
	tn_buf_finish(&operations);
	tn_arena_finish(&arena);
	tn_floor_plan_free(plan);
}

static void test_random_plans(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= PLANS; seed++) {
		struct tn_edit_random random = {seed};
		struct tn_buf text;

		tn_buf_init(&text, TN_MIB);
		tn_edit_random_plan(&random, &text);
		check_with(&text, &random, seed);
		tn_buf_finish(&text);
	}
}

/* ---- the examples ---- */

static const char *const examples[] = {"v1-bakery", "v2-compass",  "v3-units",
				       "v4-clinic", "v5-townhall", "v6-freeform"};

static void read_example(const char *name, struct tn_buf *out)
{
	char path[512];
	struct tenon_error err;

	(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.floorplan", TN_TEST_DATA,
		       name);
	tn_buf_init(out, TN_MIB);
	if (tn_file_read(path, 0, out, &err) != TENON_OK)
		fail_msg("%s: %s", path, err.message);
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(examples); i++) {
		struct tn_buf text;

		read_example(examples[i], &text);
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct tn_edit_random random = {seed};

			check_with(&text, &random, seed);
		}
		tn_buf_finish(&text);
	}
}

/* ---- there and back ---- */

static void run(struct tn_buf *text, const char *operation)
{
	struct tn_arena arena;
	struct tn_floor_edit_options options = {.atomic = true};
	struct tn_floor_edited edited;
	struct tenon_error err;

	tn_arena_init(&arena, TN_MIB);
	options.operations = json_of(&arena, tn_str_from(operation));
	assert_int_equal(tn_floor_edit(tn_buf_str(text), &options, &edited, &err), TENON_OK);
	if (!edited.success)
		fail_msg("%s: %.*s", operation, (int)edited.errors.size, edited.errors.data);
	tn_buf_clear(text);
	tn_buf_append_str(text, tn_buf_str(&edited.text));
	tn_floor_edited_finish(&edited);
	tn_arena_finish(&arena);
}

/* Both operations change the text, and the second one restores it. */
static void there_and_back(const struct tn_buf *text, const char *there, const char *back)
{
	struct tn_buf changed;

	tn_buf_init(&changed, TN_MIB);
	tn_buf_append_str(&changed, tn_buf_str(text));
	run(&changed, there);
	assert_false(tn_str_equal(tn_buf_str(&changed), tn_buf_str(text)));
	run(&changed, back);
	if (!tn_str_equal(tn_buf_str(&changed), tn_buf_str(text)))
		fail_msg("%s, %s:\n%.*s\n->\n%.*s", there, back, (int)text->size, text->data,
			 (int)changed.size, changed.data);
	tn_buf_finish(&changed);
}

static void rename_and_back(const struct tn_buf *text, const struct tn_floor_room *room)
{
	char there[512], back[512];
	const char *floor = room->floor->name.data, *name = room->name.data;
	int floor_size = (int)room->floor->name.size, size = (int)room->name.size;

	(void)snprintf(there, sizeof(there),
		       "[{\"action\":\"rename_room\",\"target\":\"%.*s.%.*s\",\"params\":{"
		       "\"newName\":\"Quite_new\"}}]",
		       floor_size, floor, size, name);
	(void)snprintf(back, sizeof(back),
		       "[{\"action\":\"rename_room\",\"target\":\"%.*s.Quite_new\",\"params\":{"
		       "\"newName\":\"%.*s\"}}]",
		       floor_size, floor, size, name);
	there_and_back(text, there, back);
}

static void label_and_back(const struct tn_buf *text, const struct tn_floor_room *room)
{
	char there[512], back[512];

	if (room->label.data)
		return;
	(void)snprintf(there, sizeof(there),
		       "[{\"action\":\"add_label\",\"target\":\"%.*s.%.*s\",\"params\":{"
		       "\"label\":\"new\"}}]",
		       (int)room->floor->name.size, room->floor->name.data, (int)room->name.size,
		       room->name.data);
	(void)snprintf(back, sizeof(back),
		       "[{\"action\":\"add_label\",\"target\":\"%.*s.%.*s\",\"params\":{"
		       "\"label\":\"\"}}]",
		       (int)room->floor->name.size, room->floor->name.data, (int)room->name.size,
		       room->name.data);
	there_and_back(text, there, back);
}

static void test_there_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(examples); i++) {
		struct tn_buf text;
		struct tn_floor_plan *plan;

		read_example(examples[i], &text);
		plan = plan_of(&text);
		for (uint32_t k = 0; k < plan->room_count; k++) {
			rename_and_back(&text, plan->rooms[k]);
			label_and_back(&text, plan->rooms[k]);
		}
		there_and_back(&text,
			       "[{\"action\":\"add_room\",\"params\":{\"name\":\"Quite_new\","
			       "\"position\":{\"x\":900,\"y\":0},\"size\":{\"width\":1,\"height\":"
			       "1}}}]",
			       "[{\"action\":\"remove_room\",\"target\":\"Quite_new\"}]");
		there_and_back(&text,
			       "[{\"action\":\"add_room\",\"params\":{\"name\":\"Quite_new\","
			       "\"position\":{\"x\":900,\"y\":0},\"size\":{\"width\":1,\"height\":"
			       "1}}},{\"action\":\"add_connection\",\"params\":{\"from\":"
			       "\"Quite_new.left\",\"to\":\"outside\"}}]",
			       "[{\"action\":\"remove_room\",\"target\":\"Quite_new\"}]");
		tn_floor_plan_free(plan);
		tn_buf_finish(&text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_plans),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_there_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
