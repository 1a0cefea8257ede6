#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/map.h"

static int values[20000];

static struct tn_str key_of(unsigned i, char out[16])
{
	return tn_str(out, (size_t)snprintf(out, 16, "key-%u", i));
}

static void test_put_get_remove(void **state)
{
	struct tn_map map;
	char text[4] = "abc";

	(void)state;
	tn_map_init(&map);
	assert_null(tn_map_get(&map, TN_STR("x")));
	assert_null(tn_map_remove(&map, TN_STR("x")));
	assert_int_equal(tn_map_put(&map, tn_str(text, 3), &values[1], NULL), TENON_OK);
	text[0] = 'z'; /* the key was copied */
	assert_ptr_equal(tn_map_get(&map, TN_STR("abc")), &values[1]);
	assert_null(tn_map_get(&map, TN_STR("zbc")));
	assert_int_equal(tn_map_put(&map, TN_STR("abc"), &values[2], NULL), TENON_OK);
	assert_int_equal(map.used, 1);
	assert_true(tn_map_replace(&map, TN_STR("abc"), &values[3]));
	assert_false(tn_map_replace(&map, TN_STR("abcd"), &values[3]));
	assert_ptr_equal(tn_map_get(&map, TN_STR("abc")), &values[3]);
	assert_int_equal(tn_map_put(&map, TN_STR(""), &values[4], NULL), TENON_OK);
	assert_int_equal(tn_map_put(&map, tn_str("a\0b", 3), &values[5], NULL), TENON_OK);
	assert_ptr_equal(tn_map_get(&map, tn_str(NULL, 0)), &values[4]);
	assert_ptr_equal(tn_map_get(&map, tn_str("a\0b", 3)), &values[5]);
	assert_null(tn_map_get(&map, TN_STR("a")));
	assert_ptr_equal(tn_map_remove(&map, TN_STR("abc")), &values[3]);
	assert_null(tn_map_get(&map, TN_STR("abc")));
	assert_int_equal(map.used, 2);
	tn_map_finish(&map);
	assert_int_equal(map.used, 0);
}

static void test_many_keys(void **state)
{
	struct tn_map map;
	char text[16];

	(void)state;
	tn_map_init(&map);
	for (unsigned i = 0; i < 20000; i++)
		assert_int_equal(tn_map_put(&map, key_of(i, text), &values[i], NULL), TENON_OK);
	for (unsigned i = 0; i < 20000; i += 2)
		assert_ptr_equal(tn_map_remove(&map, key_of(i, text)), &values[i]);
	for (unsigned i = 0; i < 20000; i++)
		assert_ptr_equal(tn_map_get(&map, key_of(i, text)), i % 2 ? &values[i] : NULL);
	assert_int_equal(map.used, 10000);
	tn_map_finish(&map);
}

/* Coming and going for ever must not fill the table with graves. */
static void test_churn_does_not_grow(void **state)
{
	struct tn_map map;
	char text[16];

	(void)state;
	tn_map_init(&map);
	for (unsigned i = 0; i < 200000; i++) {
		assert_int_equal(tn_map_put(&map, key_of(i, text), &values[0], NULL), TENON_OK);
		if (i >= 10)
			assert_non_null(tn_map_remove(&map, key_of(i - 10, text)));
		assert_null(tn_map_get(&map, TN_STR("absent"))); /* would not end in a full table */
	}
	assert_int_equal(map.used, 10);
	assert_true(map.capacity <= 64);
	tn_map_finish(&map);
}

static void test_walking(void **state)
{
	struct tn_map map;
	struct tn_str key;
	char text[16];
	void *value;
	size_t cursor = 0;
	unsigned seen = 0;

	(void)state;
	tn_map_init(&map);
	assert_false(tn_map_next(&map, &cursor, &key, &value));
	memset(values, 0, sizeof(values));
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(tn_map_put(&map, key_of(i, text), &values[i], NULL), TENON_OK);
	for (cursor = 0; tn_map_next(&map, &cursor, &key, &value); seen++) {
		++*(int *)value;
		if (seen % 3 == 0)
			assert_ptr_equal(tn_map_remove(&map, key), value);
	}
	assert_int_equal(seen, 1000);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(values[i], 1);
	assert_int_equal(map.used, 1000 - 334);
	tn_map_finish(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put_get_remove),
		cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_churn_does_not_grow),
		cmocka_unit_test(test_walking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
