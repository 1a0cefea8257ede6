#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/arena.h"

static bool is_zero(const char *memory, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (memory[i])
			return false;
	}
	return true;
}

static void test_aligned_zeroed_and_apart(void **state)
{
	struct tn_arena arena;
	char *before = NULL;

	(void)state;
	tn_arena_init(&arena, 1 << 20);
	for (size_t size = 0; size < 300; size++) {
		char *memory = tn_arena_alloc(&arena, size);

		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % 16, 0);
		assert_true(is_zero(memory, size));
		memset(memory, 0xAA, size); /* a sanitizer sees an overlap with the blocks' heads */
		if (before && size > 1)
			assert_true(before[0] == (char)0xAA);
		before = size ? memory : before;
	}
	assert_true(arena.total >= 300 * 299 / 2);
	tn_arena_finish(&arena);
	assert_int_equal(arena.total, 0);
}

static void test_limit(void **state)
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, 10000);
	assert_non_null(tn_arena_alloc(&arena, 10000));
	assert_null(tn_arena_alloc(&arena, 1));
	tn_arena_finish(&arena);
	assert_non_null(tn_arena_alloc(&arena, 5000)); /* finish leaves it ready */
	assert_null(tn_arena_alloc(&arena, 6000));
	assert_non_null(tn_arena_alloc(&arena, 1000));
	assert_true(arena.total <= 10000);
	tn_arena_finish(&arena);

	tn_arena_init(&arena, 0);
	assert_null(tn_arena_alloc(&arena, 1));
	tn_arena_finish(&arena);
}

static void test_impossible_sizes(void **state)
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, SIZE_MAX);
	assert_null(tn_arena_alloc_raw(&arena, SIZE_MAX));
	assert_null(tn_arena_alloc_raw(&arena, SIZE_MAX - 15));
	assert_null(tn_arena_alloc_array(&arena, SIZE_MAX / 2, 3));
	assert_null(tn_arena_copy(&arena, tn_str("", SIZE_MAX)));
	assert_non_null(tn_arena_alloc_array(&arena, 3, 5));
	assert_non_null(tn_arena_alloc_array(&arena, 0, 5));
	tn_arena_finish(&arena);
}

static void test_reset_keeps_one_small_block(void **state)
{
	struct tn_arena arena;
	char *first;

	(void)state;
	tn_arena_init(&arena, 1 << 20);
	first = tn_arena_alloc(&arena, 100);
	memset(first, 1, 100);
	for (int i = 0; i < 100; i++)
		assert_non_null(tn_arena_alloc(&arena, 5000));
	tn_arena_reset(&arena);
	assert_int_equal(arena.total, 4096);
	assert_ptr_equal(tn_arena_alloc(&arena, 100), first);
	assert_true(is_zero(first, 100));
	tn_arena_finish(&arena);

	assert_non_null(tn_arena_alloc(&arena, 100000)); /* a large first block is not kept */
	tn_arena_reset(&arena);
	assert_int_equal(arena.total, 0);
	tn_arena_reset(&arena);
	tn_arena_finish(&arena);
}

static void test_texts(void **state)
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, 1 << 20);
	assert_string_equal(tn_arena_copy(&arena, TN_STR("abc")), "abc");
	assert_string_equal(tn_arena_copy(&arena, tn_str(NULL, 0)), "");
	assert_memory_equal(tn_arena_copy(&arena, tn_str("a\0b", 3)), "a\0b", 4);
	assert_string_equal(tn_arena_format(&arena, "%d-%s", 7, "x"), "7-x");
	assert_string_equal(tn_arena_format(&arena, "%s", ""), "");
	assert_int_equal(strlen(tn_arena_format(&arena, "%*d", 9000, 1)), 9000);
	tn_arena_finish(&arena);

	tn_arena_init(&arena, 8);
	assert_null(tn_arena_copy(&arena, TN_STR("longer than eight")));
	assert_null(tn_arena_format(&arena, "%s", "longer than eight"));
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned_zeroed_and_apart),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_impossible_sizes),
		cmocka_unit_test(test_reset_keeps_one_small_block),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
