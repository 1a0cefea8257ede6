/* Every allocation of composing a registry and of changing overrides fails once, and from then on
 * always: no crash, no leak, and either the same result or an error with everything as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts.h"
#include "short_memory.h"

static const char module_text[] =
	"{\"schemaVersion\":\"v0\",\"components\":{\"a\":{\"displayName\":\"A\",\"extra\":1,"
	"\"props\":{\"s\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},"
	"\"constraints\":{\"pattern\":\"^[a-z]+$\"},\"uiDefaultValue\":\"abc\"}},\"e\":{"
	"\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{"
	"\"value\":\"a\",\"label\":\"A\"},{\"value\":\"b\",\"label\":\"B\"}]}}},\"j\":{"
	"\"exposure\":"
	"{\"kind\":\"editable\",\"control\":{\"kind\":\"json\"}}},\"bad\":7},\"implementation\":{"
	"\"kind\":\"file\",\"filePath\":\"a.tsx\"}},\"b\":{\"displayName\":\"B\",\"props\":{}}}}";
static const char overrides_text[] =
	"{\"a\":{\"props\":{\"e\":{\"label\":\"L\",\"exposure\":{\"control\":{\"options\":[{"
	"\"value\":\"a\",\"label\":\"X\"}]}}}}},\"b\":{\"disabled\":true}}";
static const char locked_text[] = "{\"a\":[\"e\"]}";
static const char ops_text[] =
	"[{\"op\":\"set\",\"instanceId\":\"i\",\"path\":\"/s\",\"value\":\"abc\","
	"\"componentTypeId\":\"a\",\"instanceLocator\":{\"n\":[1.5,2]}},{\"op\":\"set\","
	"\"instanceId\":\"i\",\"path\":\"/j/x\",\"value\":{\"k\":[null]}},{\"op\":\"clear\","
	"\"instanceId\":\"old\",\"path\":\"/j\"}]";
static const char first_text[] =
	"[{\"op\":\"set\",\"instanceId\":\"old\",\"path\":\"/j\",\"value\":1,"
	"\"componentTypeId\":\"a\"}]";

static struct tn_arena arena;

static struct tn_json *parse(const char *text)
{
	struct tn_json *tree = NULL;

	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &tree, NULL), TENON_OK);
	return tree;
}

static void arm(unsigned long nth, bool goes_on)
{
	fault.goes_on = goes_on;
	fault.nth = nth;
	fault.count = 0;
	fault.hit = false;
	fault.armed = true;
}

/* ---- registry ---- */

static enum tenon_code compose(struct tn_wb_registry **ret, struct tn_wb_diagnostics *diagnostics)
{
	struct tn_wb_contribution contribution = {.module = TN_STR("m"),
						  .tree = parse(module_text)};
	const struct tn_wb_registry_inputs inputs = {.contributions = &contribution,
						     .count = 1,
						     .overrides = parse(overrides_text),
						     .locked = parse(locked_text)};

	return tn_wb_registry_compose(&inputs, diagnostics, ret, NULL);
}

static void registries(bool goes_on)
{
	struct tn_wb_registry *whole = NULL;
	unsigned long nth = 0, refused = 0;
	struct tn_wb_contribution contribution = {.module = TN_STR("m")};
	struct tn_wb_registry_inputs inputs = {.contributions = &contribution, .count = 1};

	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(compose(&whole, NULL), TENON_OK);
	contribution.tree = parse(module_text);
	inputs.overrides = parse(overrides_text);
	inputs.locked = parse(locked_text);
	do {
		struct tn_wb_registry *registry = NULL;
		struct tn_wb_diagnostics diagnostics;
		long live = fault.live;
		enum tenon_code code;

		tn_wb_diagnostics_init(&diagnostics);
		arm(++nth, goes_on);
		code = tn_wb_registry_compose(&inputs, &diagnostics, &registry, NULL);
		fault.armed = false;
		if (code == TENON_OK && !tn_wb_registry_equal(registry, whole))
			fail_msg("allocation %lu: %.*s", nth,
				 (int)tn_wb_registry_text(registry).size,
				 tn_wb_registry_text(registry).data);
		if (code != TENON_OK)
			assert_int_equal(code, TENON_NO_MEMORY);
		refused += code != TENON_OK;
		tn_wb_registry_free(registry);
		tn_wb_diagnostics_finish(&diagnostics);
		assert_int_equal(fault.live, live);
	} while (fault.hit);
	assert_true(refused > 5);
	tn_wb_registry_free(whole);
	tn_arena_finish(&arena);
	assert_int_equal(fault.live, 0);
}

/* ---- overrides ---- */

static void check_drafts(const struct tn_wb_drafts *drafts, bool done)
{
	const struct tn_wb_document *document = tn_wb_drafts_document(drafts);

	assert_int_equal(document->count, done ? 2 : 1);
	assert_true(tn_str_is(document->slots[0].draft->address.instance_id, done ? "i" : "old"));
	assert_int_equal(tn_wb_drafts_revision(drafts), done ? 2 : 1);
}

static enum tenon_code apply(struct tn_wb_drafts *drafts, const struct tn_wb_registry *registry,
			     const struct tn_json *ops, unsigned long nth, bool goes_on)
{
	const struct tn_wb_facts facts = {.registry = registry};
	const struct tn_wb_batch batch = {.ops = ops, .expected_revision = -1, .facts = &facts};
	struct tn_wb_outcome outcome;
	enum tenon_code code;

	tn_wb_outcome_init(&outcome);
	if (nth)
		arm(nth, goes_on);
	code = tn_wb_drafts_apply(drafts, &batch, &outcome, NULL);
	fault.armed = false;
	assert_true((code == TENON_OK) == !outcome.failure);
	tn_wb_outcome_finish(&outcome);
	return code;
}

static void overrides(bool goes_on)
{
	const struct tn_wb_drafts_options options = {.root_fd = -1, .clock = &tn_clock_system};
	struct tn_wb_registry *registry = NULL;
	const struct tn_json *ops, *first;
	unsigned long nth = 0, refused = 0;

	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(compose(&registry, NULL), TENON_OK);
	ops = parse(ops_text);
	first = parse(first_text);
	do {
		struct tn_wb_drafts *drafts = NULL;
		long live = fault.live;
		enum tenon_code code;
		bool broken;

		assert_int_equal(tn_wb_drafts_open(&options, &drafts, NULL), TENON_OK);
		assert_int_equal(apply(drafts, registry, first, 0, false), TENON_OK);
		code = apply(drafts, registry, ops, ++nth, goes_on);
		broken = tn_oplog_is_broken(tn_wb_drafts_log(drafts));
		if (!broken)
			check_drafts(drafts, code == TENON_OK);
		refused += code != TENON_OK;
		tn_wb_drafts_close(drafts);
		assert_int_equal(fault.live, live);
	} while (fault.hit);
	assert_true(refused > 5);
	tn_wb_registry_free(registry);
	tn_arena_finish(&arena);
	assert_int_equal(fault.live, 0);
}

static void each_once(void **state)
{
	(void)state;
	fault = (struct short_memory){.armed = false};
	registries(false);
	overrides(false);
}

static void each_for_good(void **state)
{
	(void)state;
	fault = (struct short_memory){.armed = false};
	registries(true);
	overrides(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
