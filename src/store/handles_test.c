#include "store/handles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "store/limits.h"

enum { HOUR_MS = 60 * 60 * 1000, DAY_MS = 24 * HOUR_MS };

static uint64_t now_ms;
static unsigned freed, changes, own_changes;

static uint64_t read_clock(void *data)
{
	(void)data;
	return now_ms;
}

/* 2026-11-21T10:00:00Z when the test begins. */
static int64_t read_wall(void *data)
{
	(void)data;
	return 1795255200000 + (int64_t)now_ms;
}

static const struct tn_clock test_clock = {.monotonic_ms = read_clock, .wall_ms = read_wall};

static void count_free(void *value)
{
	(void)value;
	freed++;
}

static void count_change(void *data)
{
	++*(unsigned *)data;
}

static void make_in(struct tn_handle_registry *registry, struct tn_handles *handles,
		    size_t count_max, size_t bytes_max)
{
	const struct tn_handles_options options = {.app = "plan",
						   .kind = "plan_id",
						   .prefix = "pln_",
						   .clock = &test_clock,
						   .registry = registry,
						   .free_value = count_free,
						   .count_max = count_max,
						   .bytes_max = bytes_max,
						   .idle_ms = DAY_MS};

	now_ms = 0;
	freed = changes = own_changes = 0;
	tn_handles_init(handles, &options);
}

static void make(struct tn_handles *handles, size_t count_max, size_t bytes_max)
{
	make_in(NULL, handles, count_max, bytes_max);
}

static void add(struct tn_handles *handles, const char *principal, size_t bytes,
		char ret_id[TN_HANDLE_SIZE])
{
	const struct tn_handle_new made = {
		.principal = principal, .title = "a title", .value = &freed, .bytes = bytes};
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_handles_add(handles, &made, &handle, &err), TENON_OK);
	memcpy(ret_id, handle->id, TN_HANDLE_SIZE);
	tn_handle_unref(handle);
}

static enum tenon_code find(struct tn_handles *handles, const char *id, const char *principal)
{
	struct tn_handle *handle = NULL;

	return tn_handles_find(handles, id, principal, &handle, NULL);
}

static void expect_words(struct tn_handles *handles, const char *id, const char *words)
{
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_handles_find(handles, id, "a", &handle, &err), TENON_EXPIRED);
	assert_string_equal(err.message, words);
}

/* plan.md section 5: an opaque handle of at least 128 random bits; ARCHITECTURE section 3.5: it
 * names the node. */
static void a_handle_is_prefix_node_and_26_characters(void **state)
{
	struct tn_handle_registry registry = {.node = "0badcafe"};
	struct tn_handles handles;
	char first[TN_HANDLE_SIZE], second[TN_HANDLE_SIZE];

	(void)state;
	make_in(&registry, &handles, 10, 1000);
	add(&handles, "a", 1, first);
	add(&handles, "a", 1, second);
	assert_int_equal(strlen(first), 38);
	assert_memory_equal(first, "pln_0badcafe", 12);
	assert_int_equal(strspn(first + 12, "abcdefghijklmnopqrstuvwxyz234567"), 26);
	assert_string_not_equal(first, second);
	tn_handles_finish(&handles);
	assert_int_equal(freed, 2);
}

static void tables_of_one_registry_share_a_random_node(void **state)
{
	struct tn_handle_registry registry = {.first = NULL};
	struct tn_handles one, two, alone;

	(void)state;
	make_in(&registry, &one, 10, 1000);
	make_in(&registry, &two, 10, 1000);
	make(&alone, 10, 1000);
	assert_int_equal(strspn(registry.node, "0123456789abcdef"), 8);
	assert_string_equal(one.node, registry.node);
	assert_string_equal(two.node, registry.node);
	assert_string_not_equal(alone.node, registry.node);
	tn_handles_finish(&one);
	tn_handles_finish(&two);
	tn_handles_finish(&alone);
	assert_null(registry.first);
}

/* plan.md section 16: with authentication handles are bound to the principal. */
static void another_principal_finds_nothing(void **state)
{
	struct tn_handles handles;
	char id[TN_HANDLE_SIZE];

	(void)state;
	make(&handles, 10, 1000);
	add(&handles, "alice", 1, id);
	assert_int_equal(find(&handles, id, "alice"), TENON_OK);
	assert_int_equal(find(&handles, id, "mallory"), TENON_NOT_FOUND);
	assert_int_equal(find(&handles, id, ""), TENON_NOT_FOUND);
	assert_null(tn_handles_next(&handles, NULL, "mallory"));
	assert_string_equal(tn_handles_next(&handles, NULL, "alice")->id, id);
	assert_string_equal(tn_handles_next(&handles, NULL, NULL)->id, id);
	now_ms += DAY_MS;
	assert_int_equal(find(&handles, id, "mallory"), TENON_NOT_FOUND);
	assert_int_equal(find(&handles, id, "alice"), TENON_EXPIRED);
	tn_handles_finish(&handles);
}

/* plan.md section 5: 24 hours without use. */
static void an_idle_handle_expires_and_use_keeps_it(void **state)
{
	struct tn_handles handles;
	char used[TN_HANDLE_SIZE], idle[TN_HANDLE_SIZE];

	(void)state;
	make(&handles, 10, 1000);
	add(&handles, "a", 1, used);
	add(&handles, "a", 1, idle);
	now_ms += DAY_MS - 1;
	assert_int_equal(find(&handles, used, "a"), TENON_OK);
	now_ms += 1;
	assert_int_equal(find(&handles, idle, "a"), TENON_EXPIRED);
	assert_int_equal(find(&handles, used, "a"), TENON_OK);
	assert_int_equal(find(&handles, "pln_neverexisted", "a"), TENON_NOT_FOUND);
	assert_int_equal(freed, 1);
	tn_handles_finish(&handles);
}

/* ARCHITECTURE section 3.5: expires in words. */
static void the_words_say_when_and_why(void **state)
{
	struct tn_handles handles;
	char idle[TN_HANDLE_SIZE], pushed[TN_HANDLE_SIZE], closed[TN_HANDLE_SIZE];

	(void)state;
	make(&handles, 2, 1000);
	add(&handles, "a", 1, pushed);
	add(&handles, "a", 1, idle);
	now_ms = HOUR_MS;
	assert_int_equal(find(&handles, idle, "a"), TENON_OK);
	add(&handles, "a", 1, closed);
	tn_handles_close(&handles, handles.newest);
	now_ms += DAY_MS;
	expect_words(&handles, pushed,
		     "this plan_id expired at 2026-11-21T11:00:00.000Z: newer ones needed its "
		     "place");
	expect_words(&handles, closed,
		     "this plan_id expired at 2026-11-21T11:00:00.000Z: it was closed");
	expect_words(&handles, idle,
		     "this plan_id expired at 2026-11-22T11:00:00.000Z: it had not been used for "
		     "24 hours");
	tn_handles_finish(&handles);
}

static void the_least_recently_used_goes_first(void **state)
{
	struct tn_handles handles;
	char ids[6][TN_HANDLE_SIZE];

	(void)state;
	make(&handles, 3, 1000);
	for (int i = 0; i < 3; i++)
		add(&handles, "a", 1, ids[i]);
	assert_int_equal(find(&handles, ids[0], "a"), TENON_OK);
	add(&handles, "a", 1, ids[3]);
	assert_int_equal(find(&handles, ids[1], "a"), TENON_EXPIRED);
	assert_int_equal(find(&handles, ids[0], "a"), TENON_OK);
	assert_int_equal(find(&handles, ids[2], "a"), TENON_OK);
	/* One that is larger than everything together stays alone. */
	add(&handles, "a", 5000, ids[4]);
	assert_int_equal(handles.count, 1);
	assert_int_equal(find(&handles, ids[4], "a"), TENON_OK);
	add(&handles, "a", 1, ids[5]);
	assert_int_equal(find(&handles, ids[4], "a"), TENON_EXPIRED);
	assert_int_equal(handles.bytes, 1);
	/* One that grows pushes others out. */
	add(&handles, "a", 1, ids[0]);
	tn_handles_set_bytes(&handles, handles.newest, 5000);
	assert_int_equal(find(&handles, ids[5], "a"), TENON_EXPIRED);
	assert_int_equal(handles.bytes, 5000);
	tn_handles_finish(&handles);
	assert_int_equal(freed, 7);
}

static void a_referenced_value_outlives_its_listing(void **state)
{
	struct tn_handles handles;
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};
	char id[TN_HANDLE_SIZE];
	int value = 7;
	const struct tn_handle_new made = {
		.id = "pln_kept", .principal = "a", .value = &value, .bytes = 1};

	(void)state;
	make(&handles, 1, 1000);
	assert_int_equal(tn_handles_add(&handles, &made, &handle, &err), TENON_OK);
	assert_string_equal(handle->id, "pln_kept");
	add(&handles, "a", 1, id);
	assert_int_equal(freed, 0);
	assert_int_equal(*(int *)handle->value, 7);
	tn_handle_unref(handle);
	assert_int_equal(freed, 1);
	tn_handles_finish(&handles);
}

/* Two calls may bring the same kept handle back at once: the later one counts, none is lost. */
static void a_kept_handle_may_come_twice(void **state)
{
	struct tn_handles handles;
	struct tn_handle *first = NULL, *second = NULL, *found = NULL;
	const struct tn_handle_new made = {
		.id = "pln_kept", .principal = "a", .value = &freed, .bytes = 1};

	(void)state;
	make(&handles, 10, 1000);
	assert_int_equal(tn_handles_add(&handles, &made, &first, NULL), TENON_OK);
	assert_int_equal(tn_handles_add(&handles, &made, &second, NULL), TENON_OK);
	assert_int_equal(handles.count, 1);
	assert_int_equal(handles.bytes, 1);
	assert_int_equal(tn_handles_find(&handles, "pln_kept", "a", &found, NULL), TENON_OK);
	assert_ptr_equal(found, second);
	tn_handle_unref(first);
	tn_handle_unref(second);
	assert_int_equal(freed, 1);
	tn_handles_finish(&handles);
	assert_int_equal(freed, 2);
}

static void what_is_remembered_of_the_gone_is_bounded(void **state)
{
	struct tn_handles handles;
	char first[TN_HANDLE_SIZE], id[TN_HANDLE_SIZE];

	(void)state;
	make(&handles, 1, 1000);
	add(&handles, "a", 1, first);
	for (int i = 0; i < TN_HANDLES_GONE_MAX; i++)
		add(&handles, "a", 1, id);
	assert_int_equal(find(&handles, first, "a"), TENON_EXPIRED);
	add(&handles, "a", 1, id);
	assert_int_equal(find(&handles, first, "a"), TENON_NOT_FOUND);
	tn_handles_finish(&handles);
}

struct walk {
	struct tn_handle_info seen[8];
	size_t count, stop_after;
};

static bool note(const struct tn_handle_info *info, void *data)
{
	struct walk *walk = data;

	assert_true(walk->count < TN_COUNT(walk->seen));
	walk->seen[walk->count++] = *info;
	return walk->count != walk->stop_after;
}

static void the_registry_lists_all_tables(void **state)
{
	struct tn_handle_registry registry = {.changed = count_change, .changed_data = &changes};
	struct tn_handles one, two;
	char first[TN_HANDLE_SIZE], second[TN_HANDLE_SIZE], third[TN_HANDLE_SIZE];
	struct walk walk = {.count = 0};

	(void)state;
	make_in(&registry, &one, 10, 1000);
	make_in(&registry, &two, 10, 1000);
	two.options.kind = "other";
	two.options.idle_ms = 0;
	one.changed = count_change;
	one.changed_data = &own_changes;
	add(&one, "a", 5, first);
	now_ms = HOUR_MS;
	add(&one, "b", 6, second);
	add(&two, "a", 7, third);
	assert_int_equal(tn_handles_count(&registry), 3);
	assert_int_equal(changes, 3);
	assert_int_equal(own_changes, 2);
	tn_handles_set_title(&one, one.oldest, "another");
	assert_int_equal(changes, 4);
	assert_int_equal(find(&one, first, "a"), TENON_OK);
	assert_int_equal(changes, 4); /* use is no change */

	tn_handles_each(&registry, note, &walk);
	assert_int_equal(walk.count, 3);
	assert_string_equal(walk.seen[0].id, third);
	assert_string_equal(walk.seen[0].kind, "other");
	assert_int_equal(walk.seen[0].expires_ms, -1);
	assert_string_equal(walk.seen[1].id, first);
	assert_string_equal(walk.seen[1].app, "plan");
	assert_string_equal(walk.seen[1].title, "another");
	assert_null(walk.seen[1].by);
	assert_int_equal(walk.seen[1].created_ms, read_wall(NULL) - HOUR_MS);
	assert_int_equal(walk.seen[1].used_ms, read_wall(NULL));
	assert_int_equal(walk.seen[1].expires_ms, read_wall(NULL) + DAY_MS);
	assert_int_equal(walk.seen[1].bytes, 5);
	assert_string_equal(walk.seen[2].principal, "b");

	walk = (struct walk){.stop_after = 1};
	tn_handles_each(&registry, note, &walk);
	assert_int_equal(walk.count, 1);

	now_ms += DAY_MS; /* the walk lists nothing that find would refuse */
	walk = (struct walk){.count = 0};
	tn_handles_each(&registry, note, &walk);
	assert_int_equal(walk.count, 1);
	assert_int_equal(tn_handles_count(&registry), 1);
	assert_int_equal(changes, 6);
	tn_handles_finish(&one);
	tn_handles_finish(&two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handle_is_prefix_node_and_26_characters),
		cmocka_unit_test(tables_of_one_registry_share_a_random_node),
		cmocka_unit_test(another_principal_finds_nothing),
		cmocka_unit_test(an_idle_handle_expires_and_use_keeps_it),
		cmocka_unit_test(the_words_say_when_and_why),
		cmocka_unit_test(the_least_recently_used_goes_first),
		cmocka_unit_test(a_referenced_value_outlives_its_listing),
		cmocka_unit_test(a_kept_handle_may_come_twice),
		cmocka_unit_test(what_is_remembered_of_the_gone_is_bounded),
		cmocka_unit_test(the_registry_lists_all_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
