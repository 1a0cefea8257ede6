#include "apps/plan/service/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/plan/limits.h"
#include "apps/plan/parse.h"

static const struct tn_plan_surroundings around = {.clock = &tn_clock_system};

static struct tn_plan_state *create(void)
{
	struct tn_plan_state *state = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_plan_state_create(&around, &state, &err), TENON_OK);
	return state;
}

static struct tn_plan *read_plan(const char *text)
{
	struct tn_plan *plan = NULL;
	struct tenon_error err = {0};
	const char *reason = NULL;

	assert_int_equal(tn_plan_parse(text, strlen(text), NULL, &plan, &reason, &err), TENON_OK);
	return plan;
}

static struct tn_handle *keep(struct tn_plan_state *state, const char *principal, const char *text)
{
	const struct tn_plan_opener opener = {.principal = principal, .client = "Claude Code"};
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_plan_state_keep(state, &opener, read_plan(text), &handle, &err),
			 TENON_OK);
	return handle;
}

static const char one[] = "No changes. Your infrastructure matches the configuration.\n";
static const char two[] = "No changes. Infrastructure is up-to-date.\n";

static void the_same_text_keeps_its_handle(void **state_unused)
{
	struct tn_plan_state *state = create();
	struct tn_handle *first = keep(state, "a", one);
	struct tn_handle *again = keep(state, "a", one);
	struct tn_handle *other = keep(state, "a", two);
	struct tn_handle *stranger = keep(state, "b", one);
	const struct tn_plan *plan = first->value;

	(void)state_unused;
	assert_ptr_equal(first, again);
	assert_string_equal(plan->id, first->id);
	assert_memory_equal(first->id, "pln_", 4);
	assert_string_equal(first->title, "no changes");
	assert_string_equal(first->by, "Claude Code");
	assert_string_not_equal(first->id, other->id);
	/* Section 16: another principal's handle is another one, even for equal text. */
	assert_string_not_equal(first->id, stranger->id);
	assert_int_equal(state->plans.count, 3);
	tn_handle_unref(first);
	tn_handle_unref(again);
	tn_handle_unref(other);
	tn_handle_unref(stranger);
	tn_plan_state_destroy(state);
}

/* Section 9: turns in the order they happened; the newest stay. */
static void a_conversation_keeps_its_last_turns(void **state_unused)
{
	struct tn_plan_state *state = create();
	struct tn_plan_conversation *conversation;
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};
	static const char long_text[2 * TN_PLAN_TURN_BYTES_MAX] = {'x'};

	(void)state_unused;
	assert_int_equal(tn_plan_state_converse(state, "a", &handle, &err), TENON_OK);
	assert_memory_equal(handle->id, "cnv_", 4);
	conversation = handle->value;
	for (int i = 0; i < TN_PLAN_TURNS_KEPT_MAX + 3; i++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%d", i);
		tn_plan_conversation_add(conversation, i % 2 ? "user" : "assistant",
					 tn_str_from(text));
	}
	assert_int_equal(conversation->turn_count, TN_PLAN_TURNS_KEPT_MAX);
	assert_true(tn_str_is(conversation->turns[0].content, "3"));
	assert_true(tn_str_is(conversation->turns[0].role, "user"));
	tn_plan_conversation_add(conversation, "user", tn_str(long_text, sizeof(long_text)));
	assert_int_equal(conversation->turns[TN_PLAN_TURNS_KEPT_MAX - 1].content.size,
			 TN_PLAN_TURN_BYTES_MAX);
	tn_handle_unref(handle);
	tn_plan_state_destroy(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_text_keeps_its_handle),
		cmocka_unit_test(a_conversation_keeps_its_last_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
