#include "jsonrpc/json_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "jsonrpc/json_write.h"

struct fixture {
	struct tn_arena arena;
	struct tn_buf text;
};

static struct fixture fixture;

static int set_up(void **state)
{
	tn_arena_init(&fixture.arena, TN_MIB);
	tn_buf_init(&fixture.text, TN_MIB);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tn_arena_finish(&f->arena);
	tn_buf_finish(&f->text);
	return 0;
}

static struct tn_json *parse(struct fixture *f, const char *text)
{
	struct tn_json *value = NULL;

	assert_int_equal(tn_json_parse_copy(&f->arena, tn_str_from(text), &value, NULL), TENON_OK);
	return value;
}

static void expect(struct fixture *f, const struct tn_json *value, const char *text)
{
	assert_non_null(value);
	tn_buf_clear(&f->text);
	tn_json_put_value(&f->text, value);
	tn_buf_append_byte(&f->text, '\0');
	assert_string_equal(f->text.data, text);
}

static void a_copy_says_the_same(void **state)
{
	static const char text[] =
		"{\"a\":[1.50,true,null,\"\",\"\xc3\xa9\\\"\"],\"\":{},\"b\":[[],"
		"{\"c\":-0}],\"a2\":false}";
	struct fixture *f = *state;
	struct tn_json *value = parse(f, text), *copy;
	struct tn_arena exact;
	size_t size = tn_json_copy_size(value);

	tn_arena_init(&exact, (size + 15) & ~(size_t)15); /* one allocation, no more than that */
	copy = tn_json_copy(&exact, value);
	memset((void *)(uintptr_t)tn_json_get(value, "a")->first->text.data, 'x', 4);
	expect(f, copy, text);
	assert_int_equal(tn_json_get(copy, "a")->count, 5);
	tn_arena_finish(&exact);
	tn_arena_init(&exact, size / 2);
	assert_null(tn_json_copy(&exact, value));
	tn_arena_finish(&exact);
}

static void containers_are_filled_in_order(void **state)
{
	struct fixture *f = *state;
	struct tn_json_maker object, array;

	tn_json_maker_begin(&array, &f->arena, TN_JSON_ARRAY);
	tn_json_maker_add(&array, tn_json_make_int(&f->arena, -7));
	tn_json_maker_add(&array, tn_json_make_bool(&f->arena, true));
	tn_json_maker_begin(&object, &f->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&object, TN_STR("list"), tn_json_maker_end(&array));
	tn_json_maker_put(&object, TN_STR("text"), tn_json_make_str(&f->arena, TN_STR("x")));
	expect(f, tn_json_maker_end(&object), "{\"list\":[-7,true],\"text\":\"x\"}");
	tn_json_maker_begin(&object, &f->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&object, TN_STR("a"), NULL); /* there was no memory for it */
	assert_null(tn_json_maker_end(&object));
}

static void a_member_is_set_in_its_place(void **state)
{
	struct fixture *f = *state;
	struct tn_json *value = parse(f, "{\"a\":1,\"b\":2,\"c\":3}");
	struct tn_json *four = tn_json_make_int(&f->arena, 4);

	expect(f, tn_json_with(&f->arena, value, TN_STR("b"), four), "{\"a\":1,\"b\":4,\"c\":3}");
	expect(f, tn_json_with(&f->arena, value, TN_STR("d"), four),
	       "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}");
	expect(f, tn_json_with(&f->arena, value, TN_STR("a"), NULL), "{\"b\":2,\"c\":3}");
	expect(f, tn_json_with(&f->arena, value, TN_STR("x"), NULL), "{\"a\":1,\"b\":2,\"c\":3}");
	expect(f, tn_json_with(&f->arena, NULL, TN_STR("x"), four), "{\"x\":4}");
	expect(f, value, "{\"a\":1,\"b\":2,\"c\":3}"); /* as it was */
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ARENA(a_copy_says_the_same),
		WITH_ARENA(containers_are_filled_in_order),
		WITH_ARENA(a_member_is_set_in_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
