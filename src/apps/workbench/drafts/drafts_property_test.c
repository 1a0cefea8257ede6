/* What holds of any overrides: a batch and its inverse restore the file byte for byte, undo and
 * redo do the same, and nothing is lost between memory and disk (O10, O14, O17). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts_test_kit.h"
#include "base/rng.h"

static struct tn_wb_drafts_kit kit;
static uint64_t random_state;

static int setup(void **state)
{
	const char *seed = getenv("TENON_SEED");

	(void)state;
	random_state = seed ? strtoull(seed, NULL, 10) : tn_rng_u64();
	print_message("TENON_SEED=%llu\n", (unsigned long long)random_state);
	tn_wb_drafts_kit_init(&kit);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tn_wb_drafts_kit_finish(&kit);
	return 0;
}

static unsigned pick(unsigned count)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % count;
}

/* ---- random operations, all of them valid ---- */

static void put_value(struct tn_buf *out, unsigned depth)
{
	static const char *const scalars[] = {
		"null", "true",  "false",       "0",      "-1.50", "1e-7", "1e21",
		"\"\"", "\"a\"", "\"\\u2028\"", "\"~/\"", "[]",    "{}",   "12345678901234567"};
	unsigned kind = pick(depth > 3 ? 1 : 4);

	if (kind < 2) {
		tn_buf_append_text(out, scalars[pick(TN_COUNT(scalars))]);
		return;
	}
	tn_buf_append_byte(out, kind == 2 ? '[' : '{');
	for (unsigned i = 0, count = pick(4); i < count; i++) {
		if (i)
			tn_buf_append_byte(out, ',');
		if (kind == 3)
			tn_buf_format(out, "\"k%u\":", 9 - i);
		put_value(out, depth + 1);
	}
	tn_buf_append_byte(out, kind == 2 ? ']' : '}');
}

static void put_set(struct tn_buf *out)
{
	static const char *const paths[] = {"/style", "/style/a", "/style/b/0", "/style/~0~1"};

	tn_buf_format(out,
		      "{\"op\":\"set\",\"instanceId\":\"c%u\",\"path\":\"%s\",\"value\":", pick(4),
		      paths[pick(TN_COUNT(paths))]);
	put_value(out, 0);
	tn_buf_append_text(out, ",\"componentTypeId\":\"ui.card\"");
	if (pick(2)) {
		tn_buf_append_text(out, ",\"instanceLocator\":");
		put_value(out, 0);
	}
	tn_buf_append_byte(out, '}');
}

static const char *random_ops(void)
{
	const char *text;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	for (unsigned i = 0, count = 1 + pick(8); i < count; i++) {
		unsigned kind = pick(10);

		tn_buf_append_byte(&out, i ? ',' : '[');
		if (kind < 6)
			put_set(&out);
		else if (kind < 8)
			tn_buf_format(&out,
				      "{\"op\":\"clear\",\"instanceId\":\"c%u\",\"path\":"
				      "\"/style\"}",
				      pick(4));
		else if (kind < 9)
			tn_buf_format(&out, "{\"op\":\"clearInstance\",\"instanceId\":\"c%u\"}",
				      pick(4));
		else
			tn_buf_append_text(&out, "{\"op\":\"clearAll\"}");
	}
	tn_buf_append_byte(&out, ']');
	text = tn_wb_drafts_kit_text(&kit, &out);
	tn_buf_finish(&out);
	return text;
}

static void apply(const char *ops)
{
	if (tn_wb_drafts_kit_apply(&kit, ops) != TENON_OK)
		fail_msg("%s: %s (%s)", ops, kit.err.message, tn_wb_drafts_kit_faults(&kit));
}

static const char *file_now(void)
{
	const char *text = tn_wb_drafts_kit_file(&kit);

	return text ? text : "";
}

/* ---- properties ---- */

static void inverses_restore_the_file(void **state)
{
	(void)state;
	kit.facts.lists_instances = false;
	apply("[{\"op\":\"set\",\"instanceId\":\"c0\",\"path\":\"/style\",\"value\":1,"
	      "\"componentTypeId\":\"ui.card\"}]");
	for (int i = 0; i < 150; i++) {
		const char *before = file_now(), *ops = random_ops(), *inverse;

		apply(ops);
		inverse = tn_wb_drafts_kit_text(&kit, &kit.outcome.inverse);
		if (kit.outcome.changed != (strcmp(before, file_now()) != 0))
			fail_msg("%s: changed is %d", ops, kit.outcome.changed);
		if (!kit.outcome.changed) {
			assert_string_equal(inverse, "[]");
			continue;
		}
		if (pick(2))
			continue;
		apply(inverse);
		if (strcmp(before, file_now()) != 0)
			fail_msg("%s\nthen %s\ngives %s\nnot %s", ops, inverse, file_now(), before);
		tn_arena_reset(&kit.arena);
	}
}

/* What is given back needs nothing of what has gone meanwhile: an instance that no page knows, a
 * type that is not registered, a draft that the file had without type and locator. */
static void inverses_restore_what_could_not_be_set(void **state)
{
	static const char text[] =
		"{\n  \"schemaVersion\": \"v0\",\n  \"updatedAt\": \"2026-01-31T08:44:40.000Z\",\n"
		"  \"app\": {\n    \"overrides\": [\n      {\n        \"instanceId\": \"c0\",\n"
		"        \"path\": \"/style\",\n        \"value\": 1\n      },\n      {\n"
		"        \"instanceId\": \"lost\",\n        \"path\": \"/label\",\n"
		"        \"value\": \"x\",\n        \"componentTypeId\": \"gone.type\"\n      }\n"
		"    ]\n  }\n}\n";

	(void)state;
	tn_wb_drafts_kit_write(&kit, tn_str(text, sizeof(text) - 1));
	assert_int_equal(tn_wb_drafts_kit_reload(&kit), TENON_OK);
	for (int i = 0; i < 100; i++) {
		const char *before = file_now(), *ops, *inverse;

		kit.facts.lists_instances = false;
		ops = random_ops();
		apply(ops);
		inverse = tn_wb_drafts_kit_text(&kit, &kit.outcome.inverse);
		kit.facts.lists_instances = true;
		if (kit.outcome.changed)
			apply(inverse);
		if (strcmp(before, file_now()) != 0)
			fail_msg("%s\nthen %s\ngives %s\nnot %s", ops, inverse, file_now(), before);
		tn_arena_reset(&kit.arena);
	}
}

static void undo_and_redo_restore_the_file(void **state)
{
	enum { STEPS = 60 };
	const char *files[STEPS + 1];
	int at = 0;

	(void)state;
	kit.facts.lists_instances = false;
	apply("[{\"op\":\"set\",\"instanceId\":\"c0\",\"path\":\"/style\",\"value\":1,"
	      "\"componentTypeId\":\"ui.card\"}]");
	files[0] = file_now();
	while (at < STEPS) {
		apply(random_ops());
		if (kit.outcome.changed)
			files[++at] = file_now();
	}
	for (int i = 0; i < 100; i++) {
		bool redo = at == 0 || (at < STEPS && pick(2));

		assert_int_equal(tn_wb_drafts_kit_undo(&kit, redo), TENON_OK);
		at += redo ? 1 : -1;
		assert_string_equal(file_now(), files[at]);
	}
}

static void nothing_is_lost_between_memory_and_disk(void **state)
{
	(void)state;
	kit.facts.lists_instances = false;
	for (int i = 0; i < 100; i++) {
		const char *list, *file;

		apply(random_ops());
		list = tn_wb_drafts_kit_list(&kit);
		file = file_now();
		tn_wb_drafts_kit_reopen(&kit);
		assert_false(tn_wb_drafts_file_is_invalid(kit.drafts));
		assert_string_equal(tn_wb_drafts_kit_list(&kit), list);
		assert_string_equal(file_now(), file);
		assert_int_equal(tn_wb_drafts_revision(kit.drafts), 0);
		tn_arena_reset(&kit.arena);
	}
}

/* O15: what `forth` says leads another store, which has only that, to the same. */
static void what_is_sent_leads_to_the_same(void **state)
{
	struct tn_wb_drafts_kit other;

	(void)state;
	tn_wb_drafts_kit_init(&other);
	kit.facts.lists_instances = other.facts.lists_instances = false;
	for (int i = 0; i < 100; i++) {
		const char *ops = random_ops();

		apply(ops);
		if (!kit.outcome.changed)
			continue;
		if (tn_wb_drafts_kit_apply(
			    &other, tn_wb_drafts_kit_text(
					    &kit, &kit.outcome.forth[TN_WB_GROUP_APP])) != TENON_OK)
			fail_msg("%s", other.err.message);
		assert_string_equal(tn_wb_drafts_kit_list(&other), tn_wb_drafts_kit_list(&kit));
	}
	tn_wb_drafts_kit_finish(&other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(inverses_restore_the_file),      TEST(inverses_restore_what_could_not_be_set),
		TEST(undo_and_redo_restore_the_file), TEST(nothing_is_lost_between_memory_and_disk),
		TEST(what_is_sent_leads_to_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
