/* Taking one change back from what has changed further since (SC-019). */
#include "apps/studio/document/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "jsonrpc/json_write.h"

static struct tn_json *parse(struct tn_arena *arena, const char *text)
{
	struct tn_json *tree = NULL;

	assert_int_equal(tn_json_parse_copy(arena, tn_str_from(text), &tree, NULL), TENON_OK);
	return tree;
}

/* `expected` NULL: a conflict. */
static void check(const char *before, const char *after, const char *now, const char *expected)
{
	struct tn_studio_merge merge = {.conflict = false};
	const struct tn_json *made;
	struct tn_arena arena;
	struct tn_buf out;

	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	merge.arena = &arena;
	made = tn_studio_merge_back(&merge, parse(&arena, before), parse(&arena, after),
				    parse(&arena, now), TN_STUDIO_MERGE_DEPTH);
	assert_false(merge.failed);
	assert_int_equal(merge.conflict, expected == NULL);
	if (expected) {
		tn_json_put_value(&out, made);
		tn_buf_append_byte(&out, '\0');
		assert_string_equal(out.data, expected);
	}
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}

static void members_are_merged(void **state)
{
	(void)state;
	check("{\"a\":1}", "{\"a\":2}", "{\"a\":2}", "{\"a\":1}");
	check("{\"a\":1}", "{\"a\":2}", "{\"a\":2,\"b\":3}", "{\"a\":1,\"b\":3}");
	check("{\"a\":1,\"b\":1}", "{\"a\":1}", "{\"a\":5}", "{\"a\":5,\"b\":1}");
	check("{\"a\":1}", "{\"a\":2}", "{\"a\":3}", NULL);
	check("{\"a\":1}", "{\"a\":2}", "{\"b\":3}", NULL);
	check("{\"p\":{\"x\":1}}", "{\"p\":{\"x\":1,\"y\":2}}", "{\"p\":{\"x\":9,\"y\":2}}",
	      "{\"p\":{\"x\":9}}");
	/* What was empty before is gone again, unless somebody else has put something there. */
	check("{}", "{\"p\":{\"y\":2}}", "{\"p\":{\"y\":2},\"q\":1}", "{\"q\":1}");
	check("{}", "{\"p\":{\"y\":2}}", "{\"p\":{\"y\":2,\"z\":3}}", "{\"p\":{\"z\":3}}");
	check("{\"p\":{\"y\":2}}", "{}", "{\"q\":1}", "{\"q\":1,\"p\":{\"y\":2}}");
	check("{\"p\":{\"y\":2}}", "{}", "{\"p\":{\"z\":3}}", "{\"p\":{\"z\":3,\"y\":2}}");
}

static void places_and_lists_are_one_value(void **state)
{
	(void)state;
	check("{\"position\":{\"x\":1,\"y\":1}}", "{\"position\":{\"x\":2,\"y\":1}}",
	      "{\"position\":{\"x\":2,\"y\":7}}", NULL);
	check("{\"l\":[1]}", "{\"l\":[1,2]}", "{\"l\":[1,2,3]}", NULL);
	/* Containers grow: their size stands in nobody's way. */
	check("{\"size\":{\"width\":1,\"height\":1}}", "{\"size\":{\"width\":2,\"height\":1}}",
	      "{\"size\":{\"width\":9,\"height\":9}}", "{\"size\":{\"width\":1,\"height\":1}}");
}

/* ---- what a change touches ---- */

static bool have(const struct tn_buf *buf, uint64_t key)
{
	const uint64_t *keys = (const uint64_t *)(const void *)buf->data;

	for (size_t i = 0; i < buf->size / sizeof(*keys); i++) {
		if (keys[i] == key)
			return true;
	}
	return false;
}

/* As the log sees it. */
static bool meet(const struct tn_buf *a, const struct tn_buf *b)
{
	const uint64_t *keys = (const uint64_t *)(const void *)a->data;

	for (size_t i = 0; i < a->size / sizeof(*keys); i++) {
		if (have(b, keys[i] | 1) || ((keys[i] & 1) && have(b, keys[i] - 1)))
			return true;
	}
	return false;
}

static void touch(const char *forth, const char *back, struct tn_buf *out)
{
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	tn_studio_document_touch(parse(&arena, forth), parse(&arena, back), out);
	tn_arena_finish(&arena);
}

static const struct {
	const char *forth, *back;
} changes[] = {
	/* 0, 1: two members of one node; 2: the same as 0 */
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"properties\":{\"a\":2}}}]",
	 "[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"properties\":{\"a\":1}}}]"},
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"properties\":{\"a\":1,\"b\":1}}}]",
	 "[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"properties\":{\"a\":1}}}]"},
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"properties\":{\"a\":5}}}]",
	 "[{\"op\":\"putNode\",\"node\":{\"id\":\"n\"}}]"},
	/* 3: the node itself; 4: a child of it; 5: an edge to it; 6: another node */
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"n\",\"terraformName\":\"t\"}}]",
	 "[{\"op\":\"removeNode\",\"id\":\"n\"}]"},
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"c\",\"terraformName\":\"u\",\"parentId\":\"n\"}}"
	 "]",
	 "[{\"op\":\"removeNode\",\"id\":\"c\"}]"},
	{"[{\"op\":\"putEdge\",\"edge\":{\"id\":\"e\",\"source\":\"m\",\"target\":\"n\"}}]",
	 "[{\"op\":\"removeEdge\",\"id\":\"e\"}]"},
	{"[{\"op\":\"putNode\",\"node\":{\"id\":\"o\",\"terraformName\":\"t\"}}]",
	 "[{\"op\":\"removeNode\",\"id\":\"o\"}]"},
	/* 7: it is moved; 8: it grows; 9: everything */
	{"[{\"op\":\"place\",\"nodes\":[{\"id\":\"n\",\"x\":5,\"y\":5}]}]",
	 "[{\"op\":\"place\",\"nodes\":[{\"id\":\"n\",\"position\":{\"x\":1,\"y\":5},\"size\":null}"
	 "]}]"},
	{"[{\"op\":\"place\",\"nodes\":[{\"id\":\"n\",\"x\":1,\"y\":5,\"width\":9,\"height\":9}]}]",
	 "[{\"op\":\"place\",\"nodes\":[{\"id\":\"n\",\"position\":{\"x\":1,\"y\":5},\"size\":null}"
	 "]}]"},
	{"[{\"op\":\"replace\",\"document\":{}}]", "[{\"op\":\"replace\",\"document\":{}}]"},
};

enum { CHANGES = sizeof(changes) / sizeof(changes[0]) };

static void what_meets_what(void **state)
{
	/* By rows; above the diagonal is as below it. Each meets itself, but for growing. */
	static const char *const expected[CHANGES] = {
		"x",      ".x",      "x.x",      "xxxx",     "...xx",
		"...x.x", "...x..x", "...x...x", "...x....", "xxxxxxxxxx"};
	struct tn_buf keys[CHANGES];

	(void)state;
	for (size_t i = 0; i < CHANGES; i++) {
		tn_buf_init(&keys[i], TN_MIB);
		touch(changes[i].forth, changes[i].back, &keys[i]);
	}
	for (size_t i = 0; i < CHANGES; i++) {
		for (size_t j = 0; j <= i && expected[i][j]; j++) {
			if (meet(&keys[i], &keys[j]) != (expected[i][j] == 'x') ||
			    meet(&keys[j], &keys[i]) != (expected[i][j] == 'x'))
				fail_msg("%zu and %zu", i, j);
		}
	}
	for (size_t i = 0; i < CHANGES; i++)
		tn_buf_finish(&keys[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_merged),
		cmocka_unit_test(places_and_lists_are_one_value),
		cmocka_unit_test(what_meets_what),
	};

	return cmocka_run_group_tests_name("studio_merge", tests, NULL, NULL);
}
