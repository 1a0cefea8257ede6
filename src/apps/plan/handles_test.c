#include "apps/plan/handles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/limits.h"

static uint64_t now_ms;
static unsigned freed;

static uint64_t read_clock(void *data)
{
	(void)data;
	return now_ms;
}

static const struct tn_clock test_clock = {.monotonic_ms = read_clock};

static void count_free(void *value)
{
	(void)value;
	freed++;
}

static struct tn_plan_handles make(size_t count_max, size_t bytes_max)
{
	struct tn_plan_handles handles = {.prefix = "pln_",
					  .clock = &test_clock,
					  .free_value = count_free,
					  .count_max = count_max,
					  .bytes_max = bytes_max,
					  .idle_ms = TN_PLAN_HANDLE_IDLE_MS};

	now_ms = 1000;
	freed = 0;
	tn_plan_handles_init(&handles);
	return handles;
}

static void add(struct tn_plan_handles *handles, const char *principal, size_t bytes,
		char ret_id[TN_PLAN_HANDLE_SIZE])
{
	struct tn_plan_handle *handle = NULL;
	struct tenon_error err = {0};

	assert_int_equal(
		tn_plan_handles_add(handles, NULL, principal, &freed, bytes, &handle, &err),
		TENON_OK);
	memcpy(ret_id, handle->id, TN_PLAN_HANDLE_SIZE);
	tn_plan_handle_unref(handle);
}

static enum tn_plan_lookup find(struct tn_plan_handles *handles, const char *id,
				const char *principal)
{
	struct tn_plan_handle *handle = NULL;

	return tn_plan_handles_find(handles, id, principal, &handle);
}

/* plan.md section 5: an opaque handle of at least 128 random bits. */
static void a_handle_is_prefix_and_26_characters(void **state)
{
	struct tn_plan_handles handles = make(10, 1000);
	char first[TN_PLAN_HANDLE_SIZE], second[TN_PLAN_HANDLE_SIZE];

	(void)state;
	add(&handles, "a", 1, first);
	add(&handles, "a", 1, second);
	assert_int_equal(strlen(first), 30);
	assert_memory_equal(first, "pln_", 4);
	assert_int_equal(strspn(first + 4, "abcdefghijklmnopqrstuvwxyz234567"), 26);
	assert_string_not_equal(first, second);
	tn_plan_handles_finish(&handles);
	assert_int_equal(freed, 2);
}

/* plan.md section 16: with authentication handles are bound to the principal. */
static void another_principal_finds_nothing(void **state)
{
	struct tn_plan_handles handles = make(10, 1000);
	char id[TN_PLAN_HANDLE_SIZE];

	(void)state;
	add(&handles, "alice", 1, id);
	assert_int_equal(find(&handles, id, "alice"), TN_PLAN_FOUND);
	assert_int_equal(find(&handles, id, "mallory"), TN_PLAN_UNKNOWN);
	assert_int_equal(find(&handles, id, ""), TN_PLAN_UNKNOWN);
	assert_null(tn_plan_handles_next(&handles, NULL, "mallory"));
	assert_string_equal(tn_plan_handles_next(&handles, NULL, "alice")->id, id);
	now_ms += TN_PLAN_HANDLE_IDLE_MS;
	assert_int_equal(find(&handles, id, "mallory"), TN_PLAN_UNKNOWN);
	assert_int_equal(find(&handles, id, "alice"), TN_PLAN_EXPIRED);
	tn_plan_handles_finish(&handles);
}

/* plan.md section 5: 24 hours without use. */
static void an_idle_handle_expires_and_use_keeps_it(void **state)
{
	struct tn_plan_handles handles = make(10, 1000);
	char used[TN_PLAN_HANDLE_SIZE], idle[TN_PLAN_HANDLE_SIZE];

	(void)state;
	add(&handles, "a", 1, used);
	add(&handles, "a", 1, idle);
	now_ms += TN_PLAN_HANDLE_IDLE_MS - 1;
	assert_int_equal(find(&handles, used, "a"), TN_PLAN_FOUND);
	now_ms += 1;
	assert_int_equal(find(&handles, idle, "a"), TN_PLAN_EXPIRED);
	assert_int_equal(find(&handles, used, "a"), TN_PLAN_FOUND);
	assert_int_equal(find(&handles, "pln_neverexisted", "a"), TN_PLAN_UNKNOWN);
	assert_int_equal(freed, 1);
	tn_plan_handles_finish(&handles);
}

static void the_least_recently_used_goes_first(void **state)
{
	struct tn_plan_handles handles = make(3, 1000);
	char ids[5][TN_PLAN_HANDLE_SIZE];

	(void)state;
	for (int i = 0; i < 3; i++)
		add(&handles, "a", 1, ids[i]);
	assert_int_equal(find(&handles, ids[0], "a"), TN_PLAN_FOUND);
	add(&handles, "a", 1, ids[3]);
	assert_int_equal(find(&handles, ids[1], "a"), TN_PLAN_EXPIRED);
	assert_int_equal(find(&handles, ids[0], "a"), TN_PLAN_FOUND);
	assert_int_equal(find(&handles, ids[2], "a"), TN_PLAN_FOUND);
	/* One that is larger than everything together stays alone. */
	add(&handles, "a", 5000, ids[4]);
	assert_int_equal(handles.count, 1);
	assert_int_equal(find(&handles, ids[4], "a"), TN_PLAN_FOUND);
	add(&handles, "a", 1, ids[0]);
	assert_int_equal(find(&handles, ids[4], "a"), TN_PLAN_EXPIRED);
	assert_int_equal(handles.bytes, 1);
	tn_plan_handles_finish(&handles);
	assert_int_equal(freed, 6);
}

static void a_referenced_value_outlives_its_listing(void **state)
{
	struct tn_plan_handles handles = make(1, 1000);
	struct tn_plan_handle *handle = NULL;
	struct tenon_error err = {0};
	char id[TN_PLAN_HANDLE_SIZE];
	int value = 7;

	(void)state;
	assert_int_equal(tn_plan_handles_add(&handles, "pln_kept", "a", &value, 1, &handle, &err),
			 TENON_OK);
	assert_string_equal(handle->id, "pln_kept");
	add(&handles, "a", 1, id);
	assert_int_equal(freed, 0);
	assert_int_equal(*(int *)handle->value, 7);
	tn_plan_handle_unref(handle);
	assert_int_equal(freed, 1);
	tn_plan_handles_finish(&handles);
}

static void what_is_remembered_of_the_gone_is_bounded(void **state)
{
	struct tn_plan_handles handles = make(1, 1000);
	char first[TN_PLAN_HANDLE_SIZE], id[TN_PLAN_HANDLE_SIZE];

	(void)state;
	add(&handles, "a", 1, first);
	for (int i = 0; i < TN_PLAN_GONE_MAX; i++)
		add(&handles, "a", 1, id);
	assert_int_equal(find(&handles, first, "a"), TN_PLAN_EXPIRED);
	add(&handles, "a", 1, id);
	assert_int_equal(find(&handles, first, "a"), TN_PLAN_UNKNOWN);
	tn_plan_handles_finish(&handles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handle_is_prefix_and_26_characters),
		cmocka_unit_test(another_principal_finds_nothing),
		cmocka_unit_test(an_idle_handle_expires_and_use_keeps_it),
		cmocka_unit_test(the_least_recently_used_goes_first),
		cmocka_unit_test(a_referenced_value_outlives_its_listing),
		cmocka_unit_test(what_is_remembered_of_the_gone_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
