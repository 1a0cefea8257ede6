/* What a client has declared, by its revision (mcp.md section 16): less than it said is a call that
 * fails without need, more is a question that nobody can answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/size.h"
#include "mcp/ability.h"
#include "mcp/task.h"

static unsigned abilities(const char *text, enum tn_revision revision)
{
	struct tn_arena arena;
	struct tn_json *value;
	unsigned found;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &value, NULL), TENON_OK);
	found = tn_abilities_parse(value, revision);
	tn_arena_finish(&arena);
	return found;
}

static const enum tn_revision revisions[] = {TN_R1, TN_R2, TN_R3, TN_R4, TN_R5};

static void who_declares_nothing_can_nothing(void **state)
{
	static const char *const texts[] = {"{}",
					    "null",
					    "[]",
					    "\"elicitation\"",
					    "{\"elicitation\":true,\"sampling\":null}",
					    "{\"roots\":[],\"elicitation\":\"form\"}",
					    "{\"extensions\":{}}"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		assert_int_equal(tn_abilities_parse(NULL, revisions[i]), 0);
		for (size_t j = 0; j < TN_COUNT(texts); j++)
			assert_int_equal(abilities(texts[j], revisions[i]), 0);
	}
}

/* MCP-040: an empty object means forms; who names a mode has that one. */
static void elicitation_is_forms_unless_it_says_otherwise(void **state)
{
	(void)state;
	assert_int_equal(abilities("{\"elicitation\":{}}", TN_R5), TENON_CAN_ELICIT);
	assert_int_equal(abilities("{\"elicitation\":{\"form\":{}}}", TN_R5), TENON_CAN_ELICIT);
	assert_int_equal(abilities("{\"elicitation\":{\"url\":{}}}", TN_R5), TENON_CAN_ELICIT_URL);
	assert_int_equal(abilities("{\"elicitation\":{\"url\":{},\"form\":{}}}", TN_R5),
			 TENON_CAN_ELICIT | TENON_CAN_ELICIT_URL);
	assert_int_equal(abilities("{\"elicitation\":{\"later\":{}}}", TN_R5), TENON_CAN_ELICIT);
}

static void elicitation_came_with_the_third_revision(void **state)
{
	(void)state;
	assert_int_equal(abilities("{\"elicitation\":{}}", TN_R1), 0);
	assert_int_equal(abilities("{\"elicitation\":{}}", TN_R2), 0);
	assert_int_equal(abilities("{\"elicitation\":{}}", TN_R3), TENON_CAN_ELICIT);
}

/* MCP-216: context was every client's before it could be declared; tools are only by declaration.
 */
static void sampling_is_more_than_one_ability(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		unsigned found = abilities("{\"sampling\":{}}", revisions[i]);

		assert_true(found & TENON_CAN_SAMPLE);
		assert_false(found & TENON_CAN_SAMPLE_TOOLS);
		assert_int_equal(!!(found & TENON_CAN_SAMPLE_CONTEXT), revisions[i] < TN_R4);
	}
	assert_int_equal(abilities("{\"sampling\":{\"tools\":{},\"context\":{}}}", TN_R4),
			 TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_TOOLS | TENON_CAN_SAMPLE_CONTEXT);
	assert_int_equal(abilities("{\"sampling\":{\"tools\":{}}}", TN_R3),
			 TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_CONTEXT);
}

/* MCP-249; in 2025-11-25 each request says so itself (MCP-244). */
static void tasks_are_declared_in_the_modern_era_alone(void **state)
{
	static const char text[] = "{\"roots\":{},\"extensions\":{\"" TN_TASK_EXTENSION "\":{}}}",
			  wrong[] = "{\"extensions\":{\"" TN_TASK_EXTENSION "\":true}}";

	(void)state;
	assert_int_equal(abilities(text, TN_R5), TENON_CAN_ROOTS | TENON_CAN_TASKS);
	assert_int_equal(abilities(text, TN_R4), TENON_CAN_ROOTS);
	assert_int_equal(abilities(wrong, TN_R5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_declares_nothing_can_nothing),
		cmocka_unit_test(elicitation_is_forms_unless_it_says_otherwise),
		cmocka_unit_test(elicitation_came_with_the_third_revision),
		cmocka_unit_test(sampling_is_more_than_one_ability),
		cmocka_unit_test(tasks_are_declared_in_the_modern_era_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
