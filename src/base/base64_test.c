#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base64.h"

static struct tn_arena arena;
static struct tn_buf buf;

static int set_up(void **state)
{
	(void)state;
	tn_arena_init(&arena, 1 << 20);
	tn_buf_init(&buf, 1 << 20);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_arena_finish(&arena);
	tn_buf_finish(&buf);
	return 0;
}

/* RFC 4648 section 10. */
static void test_vectors(void **state)
{
	static const char *const vectors[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct tn_str bytes;

		tn_buf_clear(&buf);
		tn_base64_append(&buf, vectors[i][0], strlen(vectors[i][0]));
		assert_true(tn_str_is(tn_buf_str(&buf), vectors[i][1]));
		assert_true(tn_base64_decode(&arena, tn_str_from(vectors[i][1]), &bytes));
		assert_true(tn_str_is(bytes, vectors[i][0]));
	}
}

static void test_all_bytes(void **state)
{
	unsigned char bytes[256];
	struct tn_str back;

	(void)state;
	for (unsigned i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(i * 167 + 13);
	for (size_t size = 0; size <= 256; size++) {
		tn_buf_clear(&buf);
		tn_base64_append(&buf, bytes, size);
		assert_int_equal(buf.size, (size + 2) / 3 * 4);
		assert_true(tn_base64_decode(&arena, tn_buf_str(&buf), &back));
		assert_true(tn_str_equal(back, tn_str((char *)bytes, size)));
	}
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"Z",     "Zg",   "Zg=",    "Zg===",    "Zm9vY",   "====",
		"=Zg=",  "Z===", "Zg=g",   "Zg==Zm9v", /* padding inside */
		"Zh==",  "Zm9=",                       /* bits that no encoder sets */
		"Zm9\n", "Zm 9", "Zm9v\n", "Zm-_",     "Zm9\x80", "Zm9v====",
	};
	struct tn_str bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (tn_base64_decode(&arena, tn_str_from(bad[i]), &bytes))
			fail_msg("%s", bad[i]);
	}
	assert_false(tn_base64_decode(&arena, tn_str("Zm9\0", 4), &bytes));
}

static void test_limits(void **state)
{
	struct tn_arena small;
	struct tn_buf tight;
	struct tn_str bytes;

	(void)state;
	tn_buf_init(&tight, 7);
	tn_base64_append(&tight, "foob", 4);
	assert_true(tight.failed);
	tn_buf_clear(&tight);
	tn_base64_append(&tight, "foo", SIZE_MAX);
	assert_true(tight.failed);
	tn_buf_finish(&tight);
	tn_arena_init(&small, 0);
	assert_false(tn_base64_decode(&small, TN_STR("Zm9v"), &bytes));
	tn_arena_finish(&small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_vectors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
