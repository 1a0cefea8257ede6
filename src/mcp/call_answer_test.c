/* Answers of the client by key: the newest counts, none outlives the message it came in by pointing
 * into it, and memory that ends is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "mcp/call.h"

static int64_t value_of(const struct tenon_call *call, const char *key)
{
	const struct tenon_answer *answer = tn_call_find_answer(call, key);
	int64_t value = -1;

	if (answer)
		assert_true(tn_json_to_int(tn_json_get(answer->result, "v"), &value));
	return value;
}

/* As a message brings it: its own arena is gone afterwards. */
static bool keep(struct tenon_call *call, const char *key, const char *text)
{
	char copy[64];
	struct tn_arena arena;
	struct tn_json *value;
	bool kept;

	tn_arena_init(&arena, TN_MIB);
	memcpy(copy, text, strlen(text) + 1);
	assert_int_equal(tn_json_parse(&arena, copy, strlen(copy), &value, NULL), TENON_OK);
	kept = tn_call_keep_answer(call, key, value);
	memset(copy, 'x', sizeof(copy));
	tn_arena_finish(&arena);
	return kept;
}

static void of_one_key_the_newest_counts(void **state)
{
	struct tenon_call call = {.arena = {.limit = 0}};

	(void)state;
	tn_arena_init(&call.arena, TN_MIB);
	assert_null(tn_call_find_answer(&call, "a"));
	assert_true(keep(&call, "a", "{\"v\":1}"));
	assert_true(keep(&call, "b", "{\"v\":2}"));
	assert_true(keep(&call, "a", "{\"v\":3}"));
	assert_int_equal(value_of(&call, "a"), 3);
	assert_int_equal(value_of(&call, "b"), 2);
	assert_int_equal(value_of(&call, "A"), -1);
	assert_int_equal(value_of(&call, ""), -1);
	tn_arena_finish(&call.arena);
}

/* Else an older answer would count where the newest was taken back. */
static void what_is_forgotten_is_forgotten_wholly(void **state)
{
	struct tenon_call call = {.arena = {.limit = 0}};

	(void)state;
	tn_arena_init(&call.arena, TN_MIB);
	assert_true(keep(&call, "a", "{\"v\":1}"));
	assert_true(keep(&call, "b", "{\"v\":2}"));
	assert_true(keep(&call, "a", "{\"v\":3}"));
	tn_call_forget_answer(&call, "c");
	tn_call_forget_answer(&call, "a");
	assert_int_equal(value_of(&call, "a"), -1);
	assert_int_equal(value_of(&call, "b"), 2);
	tn_call_forget_answer(&call, "b");
	assert_null(call.answers);
	tn_arena_finish(&call.arena);
}

static void an_answer_without_room_is_refused(void **state)
{
	struct tenon_call call = {.arena = {.limit = 0}};

	(void)state;
	tn_arena_init(&call.arena, 16); /* less than a block */
	assert_false(keep(&call, "a", "{\"v\":1}"));
	assert_null(tn_call_find_answer(&call, "a"));
	tn_arena_finish(&call.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_one_key_the_newest_counts),
		cmocka_unit_test(what_is_forgotten_is_forgotten_wholly),
		cmocka_unit_test(an_answer_without_room_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
