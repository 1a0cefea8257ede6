#include "apps/workbench/drafts/drafts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts_test_kit.h"

static struct tn_wb_drafts_kit kit;

static int setup(void **state)
{
	(void)state;
	tn_wb_drafts_kit_init(&kit);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tn_wb_drafts_kit_finish(&kit);
	return 0;
}

#define SET(instance, path, value) \
	"{\"op\":\"set\",\"instanceId\":\"" instance "\",\"path\":\"" path "\",\"value\":" value "}"
#define CLEAR(instance, path) \
	"{\"op\":\"clear\",\"instanceId\":\"" instance "\",\"path\":\"" path "\"}"

static void apply(const char *ops)
{
	if (tn_wb_drafts_kit_apply(&kit, ops) != TENON_OK)
		fail_msg("%s: %s (%s)", ops, kit.err.message, tn_wb_drafts_kit_faults(&kit));
}

static void check_counts(size_t applied, size_t unchanged, uint64_t revision)
{
	assert_int_equal(kit.outcome.applied, applied);
	assert_int_equal(kit.outcome.unchanged, unchanged);
	assert_int_equal(kit.outcome.revision, revision);
	assert_int_equal(tn_wb_drafts_revision(kit.drafts), revision);
}

/* O6: nothing changes when one op fails, and every failing op is told; each is checked against what
 * the valid ones before it made. */
static void a_batch_is_all_or_nothing(void **state)
{
	(void)state;
	assert_int_equal(tn_wb_drafts_kit_apply(
				 &kit,
				 "[" SET("b1", "/label", "\"a\"") "," SET(
					 "b1", "/tone",
					 "\"loud\"") ","
						     "7," SET("zz", "/label", "\"x\"") "," SET(
							     "b2", "/size", "5") "]"),
			 TENON_INVALID);
	assert_string_equal(kit.outcome.failure, "validation_failed");
	assert_string_equal(tn_wb_drafts_kit_faults(&kit),
			    "1 not_in_options, 2 malformed_op, 3 unknown_instance");
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_null(tn_wb_drafts_kit_file(&kit));
	assert_int_equal(tn_wb_drafts_revision(kit.drafts), 0);
	kit.facts.lists_instances = false;
	assert_int_equal(
		tn_wb_drafts_kit_apply(
			&kit,
			"[{\"op\":\"set\",\"instanceId\":\"zz\",\"path\":\"/label\",\"value\":"
			"\"x\",\"componentTypeId\":\"ui.button\"}," SET(
				"zz", "/tone", "\"quiet\"") "," CLEAR("zz", "/label") "]"),
		TENON_OK);
	check_counts(3, 0, 1);
	/* Its type went with the override that was cleared: no other knows it. */
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app zz /tone \"quiet\" pending\n");
}

static void a_batch_has_1_to_200_ops(void **state)
{
	struct tn_buf ops;

	(void)state;
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[]"), TENON_INVALID);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "{}"), TENON_INVALID);
	for (int count = 200; count <= 201; count++) {
		tn_buf_init(&ops, TN_MIB);
		for (int i = 0; i < count; i++)
			tn_buf_format(&ops, "%c" SET("c1", "/style/p%d", "1"), i ? ',' : '[', i);
		tn_buf_append(&ops, "]", 2);
		assert_int_equal(tn_wb_drafts_kit_apply(&kit, ops.data),
				 count == 200 ? TENON_OK : TENON_INVALID);
		tn_buf_finish(&ops);
	}
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, 200);
}

/* O7, O8, O9 */
static void what_changes_nothing_changes_no_revision(void **state)
{
	const char *file;

	(void)state;
	apply("[" CLEAR("zz", "/x") ",{\"op\":\"clearAll\"},{\"op\":\"clearInstance\","
				    "\"instanceId\":\"zz\"}]");
	check_counts(0, 3, 0);
	assert_false(kit.outcome.changed);
	assert_null(tn_wb_drafts_kit_file(&kit));
	apply("[" SET("c1", "/style", "{\"a\":1,\"b\":[false,0,\"\",null]}") "]");
	check_counts(1, 0, 1);
	file = tn_wb_drafts_kit_file(&kit);
	apply("[" SET("c1", "/style", "{\"b\":[false,0,\"\",null],\"a\":1.0}") "]");
	check_counts(0, 1, 1);
	assert_string_equal(tn_wb_drafts_kit_file(&kit), file);
	apply("[" SET("c1", "/style", "{\"b\":[false,false,\"\",null],\"a\":1}") "]");
	check_counts(1, 0, 2);
	/* Set and cleared again in one batch: two ops with an effect, and none in the end. */
	apply("[" SET("b1", "/label", "\"x\"") "," CLEAR("b1", "/label") "]");
	check_counts(2, 0, 2);
	assert_false(kit.outcome.changed);
}

static void metadata_is_kept_and_added(void **state)
{
	static const char typed[] =
		"[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\",\"value\":\"x\","
		"\"componentTypeId\":\"ui.button\",\"instanceLocator\":0}]";

	(void)state;
	apply("[" SET("b1", "/label", "\"x\"") "]");
	apply(typed);
	check_counts(1, 0, 2);
	/* O10: the inverse takes the metadata away again, which a set cannot. */
	assert_string_equal(tn_wb_drafts_kit_text(&kit, &kit.outcome.inverse),
			    "[" CLEAR("b1", "/label") "," SET("b1", "/label", "\"x\"") "]");
	apply(typed);
	check_counts(0, 1, 2);
	apply("[" SET("b1", "/label", "\"y\"") "]");
	check_counts(1, 0, 3);
	assert_string_equal(
		tn_wb_drafts_kit_text(&kit, &kit.outcome.states),
		"[{\"group\":\"app\",\"instanceId\":\"b1\",\"path\":\"/label\",\"value\":\"y\","
		"\"componentTypeId\":\"ui.button\",\"instanceLocator\":0,\"status\":\"pending\"}]");
}

static void clears_take_what_they_name(void **state)
{
	(void)state;
	apply("[" SET("b1", "/label", "\"a\"") "," SET("b1", "/tone", "\"quiet\"") "," SET(
		"b2", "/label", "\"b\"") "," SET("c1", "/style/a~1b", "1") "]");
	check_counts(4, 0, 1);
	apply("[" CLEAR("b1", "/tone") ",{\"op\":\"clearInstance\",\"instanceId\":\"b2\"}]");
	check_counts(2, 0, 2);
	assert_string_equal(tn_wb_drafts_kit_text(&kit, &kit.outcome.forth[TN_WB_GROUP_APP]),
			    "[" CLEAR("b1", "/tone") "," CLEAR("b2", "/label") "]");
	assert_int_equal(kit.outcome.forth[TN_WB_GROUP_COMPONENT].size, 0);
	apply("[{\"op\":\"clearAll\"}]");
	check_counts(1, 0, 3);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_string_equal(tn_wb_drafts_kit_file(&kit),
			    "{\n  \"schemaVersion\": \"v0\",\n  \"updatedAt\": "
			    "\"2026-01-31T08:44:40.000Z\"\n}\n");
}

static void groups_are_apart(void **state)
{
	const struct tn_wb_batch batch = {
		.group = TN_WB_GROUP_COMPONENT,
		.ops = tn_wb_drafts_kit_parse(&kit, "[" SET("b1", "/label", "\"c\"") "]"),
		.expected_revision = 1,
		.facts = &kit.facts};

	(void)state;
	apply("[" SET("b1", "/label", "\"a\"") "]");
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_OK);
	assert_int_equal(kit.outcome.forth[TN_WB_GROUP_APP].size, 0);
	apply("[{\"op\":\"clearAll\"}]");
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "component b1 /label \"c\" pending\n");
	/* V3: another revision than expected. */
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_EXPIRED);
	assert_string_equal(kit.outcome.failure, "conflict");
	assert_int_equal(kit.outcome.revision, 3);
}

static void a_dry_run_shows_and_changes_nothing(void **state)
{
	const struct tn_wb_batch batch = {
		.ops = tn_wb_drafts_kit_parse(&kit, "[" SET("b1", "/label", "\"c\"") "]"),
		.expected_revision = -1,
		.dry_run = true,
		.facts = &kit.facts};

	(void)state;
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_OK);
	check_counts(1, 0, 0);
	assert_string_equal(tn_wb_drafts_kit_text(&kit, &kit.outcome.inverse),
			    "[" CLEAR("b1", "/label") "]");
	assert_true(strstr(tn_wb_drafts_kit_text(&kit, &kit.outcome.states), "\"c\"") != NULL);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_null(tn_wb_drafts_kit_file(&kit));
}

/* ARCHITECTURE 3.3 */
static void anybody_can_undo_and_redo(void **state)
{
	const char *file;

	(void)state;
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_NOT_FOUND);
	assert_string_equal(kit.outcome.failure, "nothing_to_undo");
	apply("[" SET("b1", "/label", "\"a\"") "," SET("b2", "/label", "\"b\"") "]");
	file = tn_wb_drafts_kit_file(&kit);
	apply("[{\"op\":\"clearAll\"}]");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_string_equal(kit.outcome.label, "test");
	assert_string_equal(tn_wb_drafts_kit_file(&kit), file);
	assert_int_equal(kit.outcome.revision, 3);
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, true), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_NOT_FOUND);
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, true), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_file(&kit), file);
}

static enum tenon_code apply_as(const char *who, const char *ops)
{
	const struct tn_wb_batch batch = {.ops = tn_wb_drafts_kit_parse(&kit, ops),
					  .expected_revision = -1,
					  .actor = who,
					  .who = who,
					  .label = who,
					  .facts = &kit.facts};

	return tn_wb_drafts_kit_do(&kit, &batch);
}

static void one_undoes_ones_own_unless_others_changed_the_same(void **state)
{
	const struct tn_oplog_which mine = {.who = "ann"};
	struct tn_wb_outcome outcome;
	struct tenon_error err;

	(void)state;
	assert_int_equal(apply_as("ann", "[" SET("b1", "/label", "\"a\"") "]"), TENON_OK);
	assert_int_equal(apply_as("bob", "[" SET("b2", "/label", "\"b\"") "]"), TENON_OK);
	tn_wb_outcome_init(&outcome);
	assert_int_equal(tn_wb_drafts_undo(kit.drafts, &mine, "ann", "ann", &outcome, &err),
			 TENON_OK);
	tn_wb_outcome_finish(&outcome);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b2 /label \"b\" pending\n");
	assert_int_equal(apply_as("ann", "[" SET("b1", "/label", "\"a\"") "]"), TENON_OK);
	assert_int_equal(apply_as("bob", "[" SET("b1", "/label", "\"c\"") "]"), TENON_OK);
	tn_wb_outcome_init(&outcome);
	assert_int_equal(tn_wb_drafts_undo(kit.drafts, &mine, "ann", "ann", &outcome, &err),
			 TENON_EXPIRED);
	assert_string_equal(outcome.failure, "conflict");
	assert_string_equal(err.message,
			    "\"ann\" stays: bob has changed the same props since; undo that first");
	tn_wb_outcome_finish(&outcome);
	assert_true(strstr(tn_wb_drafts_kit_list(&kit), "b1 /label \"c\"") != NULL);
}

/* O16, O18 */
static void what_sessions_report_is_the_status(void **state)
{
	const struct tn_wb_address address = {TN_WB_GROUP_APP, TN_STR("b1"), TN_STR("/label")};
	const struct tn_wb_address none = {TN_WB_GROUP_COMPONENT, TN_STR("b1"), TN_STR("/label")};

	(void)state;
	apply("[" SET("b1", "/label", "\"a\"") "]");
	assert_true(tn_wb_drafts_report(kit.drafts, 2, &address, TN_WB_INSTANCE_NOT_FOUND));
	assert_false(tn_wb_drafts_report(kit.drafts, 2, &none, TN_WB_APPLIED));
	assert_false(tn_wb_drafts_report(kit.drafts, 8, &address, TN_WB_APPLIED));
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b1 /label \"a\" orphaned instance_not_found\n");
	assert_true(tn_wb_drafts_report(kit.drafts, 5, &address, TN_WB_APPLIED));
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"a\" applied\n");
	assert_true(tn_wb_drafts_forget(kit.drafts, 5));
	assert_true(tn_wb_drafts_forget(kit.drafts, 2));
	assert_false(tn_wb_drafts_forget(kit.drafts, 2));
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"a\" pending\n");
	/* What was reported holds for the value that was there. */
	(void)tn_wb_drafts_report(kit.drafts, 0, &address, TN_WB_APPLIED);
	apply("[" SET("b1", "/label", "\"b\"") "]");
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"b\" pending\n");
	assert_int_equal(tn_wb_report_of(TN_STR("ambiguous_locator")), TN_WB_AMBIGUOUS_LOCATOR);
	assert_int_equal(tn_wb_report_of(TN_STR("path_invalid")), TN_WB_PATH_INVALID_THERE);
	assert_int_equal(tn_wb_report_of(TN_STR("bored")), TN_WB_UNREPORTED);
}

/* O16: what is only tried, or fails, costs no draft its status, and none its maker (V5). */
static void trying_forgets_no_report(void **state)
{
	const struct tn_wb_address address = {TN_WB_GROUP_APP, TN_STR("b1"), TN_STR("/label")};
	struct tn_wb_batch batch = {
		.expected_revision = -1, .by_assistant = true, .facts = &kit.facts};
	const struct tn_wb_document *document = tn_wb_drafts_document(kit.drafts);

	(void)state;
	batch.ops = tn_wb_drafts_kit_parse(&kit, "[" SET("b1", "/label", "\"a\"") "]");
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_OK);
	assert_true(document->slots[0].by_assistant);
	(void)tn_wb_drafts_report(kit.drafts, 0, &address, TN_WB_APPLIED);
	batch.ops = tn_wb_drafts_kit_parse(&kit, "[{\"op\":\"clearAll\"}]");
	batch.dry_run = true;
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"a\" applied\n");
	assert_true(document->slots[0].by_assistant);
	batch.dry_run = false;
	batch.ops = tn_wb_drafts_kit_parse(
		&kit, "[" SET("b1", "/label", "\"b\"") "," SET("b1", "/none", "1") "]");
	assert_int_equal(tn_wb_drafts_kit_do(&kit, &batch), TENON_INVALID);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"a\" applied\n");
	apply("[" SET("b1", "/label", "\"c\"") "]");
	assert_false(document->slots[0].by_assistant);
}

/* O16: what the registry says of an orphan's type. O17: cleared only when asked. */
static void orphans_are_never_lost(void **state)
{
	static const char file[] =
		"{\"schemaVersion\":\"v0\",\"app\":{\"overrides\":[{\"instanceId\":\"x\",\"path\":"
		"\"/p\",\"value\":1,\"componentTypeId\":\"ui.off\"},{\"instanceId\":\"y\",\"path\":"
		"\"/p\",\"value\":2,\"componentTypeId\":\"ui.gone\"}]}}";
	const struct tn_wb_address x = {TN_WB_GROUP_APP, TN_STR("x"), TN_STR("/p")};
	const struct tn_wb_address y = {TN_WB_GROUP_APP, TN_STR("y"), TN_STR("/p")};
	struct tn_wb_outcome outcome;

	(void)state;
	tn_wb_drafts_kit_write(&kit, tn_str_from(file));
	tn_wb_drafts_kit_reopen(&kit);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app x /p 1 pending\napp y /p 2 pending\n");
	(void)tn_wb_drafts_report(kit.drafts, 0, &x, TN_WB_INSTANCE_NOT_FOUND);
	(void)tn_wb_drafts_report(kit.drafts, 0, &y, TN_WB_INSTANCE_NOT_FOUND);
	apply("[" SET("b1", "/label", "\"a\"") "]");
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b1 /label \"a\" pending\napp x /p 1 orphaned component_disabled\n"
			    "app y /p 2 orphaned unknown_component\n");
	tn_wb_drafts_kit_reopen(&kit);
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, 3);
	(void)tn_wb_drafts_report(kit.drafts, 0, &x, TN_WB_PATH_INVALID_THERE);
	tn_wb_outcome_init(&outcome);
	assert_int_equal(tn_wb_drafts_clear_orphaned(kit.drafts, NULL, "user", &outcome, NULL),
			 TENON_OK);
	assert_int_equal(outcome.applied, 1);
	tn_wb_outcome_finish(&outcome);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b1 /label \"a\" pending\napp y /p 2 pending\n");
}

static struct tn_wb_rebound rebound(const char *from, const char *to, const struct tn_json *locator)
{
	return (struct tn_wb_rebound){
		{TN_WB_GROUP_APP, tn_str_from(from), TN_STR("/label")}, tn_str_from(to), locator};
}

/* A15 */
static void a_draft_follows_its_instance(void **state)
{
	const struct tn_json *locator =
		tn_wb_drafts_kit_parse(&kit, "{\"kind\":\"renderIndex\",\"index\":0}");
	const struct tn_wb_rebound list[] = {
		rebound("zz", "b8", locator), rebound("b1", "b2", locator),
		rebound("b1", "", locator), rebound("b1", "b9", locator),
		rebound("b1", "b8", locator)};
	struct tenon_error err;
	size_t moved;

	(void)state;
	apply("[" SET("b1", "/label", "\"a\"") "]");
	apply("[" SET("b1", "/label", "\"b\"") "," SET("b2", "/label", "\"z\"") "]");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, list, 3, &moved, &err), TENON_OK);
	assert_int_equal(moved, 0);
	assert_int_equal(tn_wb_drafts_revision(kit.drafts), 2);
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, list + 3, 2, &moved, &err), TENON_OK);
	assert_int_equal(moved, 1);
	assert_int_equal(tn_wb_drafts_revision(kit.drafts), 3);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b2 /label \"z\" pending\napp b9 /label \"b\" pending\n");
	assert_non_null(strstr(tn_wb_drafts_kit_file(&kit), "\"instanceId\": \"b9\""));
	assert_non_null(strstr(tn_wb_drafts_kit_file(&kit), "\"index\": 0"));
	assert_null(strstr(tn_wb_drafts_kit_file(&kit), "reboundFrom"));
	/* Undo finds it where it is now. */
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b9 /label \"a\" pending\n");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
}

/* A line that is inserted gives each instance the id that its neighbour had. */
static void drafts_change_places_in_one_report(void **state)
{
	const struct tn_wb_rebound list[] = {rebound("b1", "b2", NULL), rebound("b2", "b3", NULL)};
	const struct tn_wb_rebound back[] = {rebound("b2", "b3", NULL), rebound("b3", "b2", NULL)};
	const struct tn_wb_rebound blocked[] = {rebound("b2", "b3", NULL),
						rebound("b3", "c1", NULL)};
	const struct tn_wb_address saved[] = {{TN_WB_GROUP_APP, TN_STR("b3"), TN_STR("/label")},
					      {TN_WB_GROUP_APP, TN_STR("zz"), TN_STR("/label")}};
	struct tn_wb_outcome outcome;
	size_t moved;

	(void)state;
	apply("[" SET("b1", "/label", "\"1\"") "," SET("b2", "/label", "\"2\"") "]");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, list, 2, &moved, NULL), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b2 /label \"1\" pending\napp b3 /label \"2\" pending\n");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, back, 2, &moved, NULL), TENON_OK);
	assert_int_equal(moved, 2);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b2 /label \"2\" pending\napp b3 /label \"1\" pending\n");
	/* The one at c1 stays, so b3 stays, so b2 does. */
	kit.facts.lists_instances = false;
	apply("[{\"op\":\"set\",\"instanceId\":\"c2\",\"path\":\"/label\",\"value\":\"c\","
	      "\"componentTypeId\":\"ui.button\"}]");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts,
					     (struct tn_wb_rebound[]){rebound("c2", "c1", NULL)}, 1,
					     &moved, NULL),
			 TENON_OK);
	assert_int_equal(moved, 1);
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, blocked, 2, &moved, NULL), TENON_OK);
	assert_int_equal(moved, 0);
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, 3);
	/* D2: what was saved is cleared in one change. */
	tn_wb_outcome_init(&outcome);
	assert_int_equal(
		tn_wb_drafts_clear_these(kit.drafts, saved, 2, "user", "Save", &outcome, NULL),
		TENON_OK);
	assert_int_equal(outcome.applied, 1);
	tn_wb_outcome_finish(&outcome);
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, 2);
}

static void the_state_is_told(void **state)
{
	const struct tn_wb_rebound moves = rebound("b1", "b7", NULL);
	struct tn_buf out;
	size_t moved;

	(void)state;
	apply("[" SET("b1", "/label", "\"a\"") "]");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, &moves, 1, &moved, NULL), TENON_OK);
	tn_buf_init(&out, TN_MIB);
	assert_true(tn_wb_drafts_put_state(&out, kit.drafts, kit.types.registry,
					   &(struct tn_wb_drafts_page){.limit = 0}));
	assert_string_equal(
		tn_wb_drafts_kit_text(&kit, &out),
		"{\"revision\":2,\"storeState\":\"ok\",\"overrides\":[{\"group\":\"app\","
		"\"instanceId\":\"b7\",\"path\":\"/label\",\"value\":\"a\",\"status\":\"pending\","
		"\"reboundFrom\":\"b1\"}],\"orphaned\":0,\"file\":{\"path\":"
		"\".skaffa/overrides.v0.json\",\"exists\":true,\"content\":{\"schemaVersion\":"
		"\"v0\",\"updatedAt\":\"2026-01-31T08:44:40.000Z\",\"app\":{\"overrides\":[{"
		"\"instanceId\":\"b7\",\"path\":\"/label\",\"value\":\"a\"}]}}},\"diagnostics\":"
		"[]}");
	tn_buf_clear(&out);
	tn_wb_drafts_name_changer(kit.drafts, "claude-code", false);
	assert_true(tn_wb_drafts_put_state(&out, kit.drafts, kit.types.registry,
					   &(struct tn_wb_drafts_page){.limit = 0}));
	assert_non_null(strstr(tn_wb_drafts_kit_text(&kit, &out),
			       "\"orphaned\":0,\"lastChange\":{\"revision\":2,\"client\":"
			       "\"claude-code\",\"person\":false}"));
	tn_buf_clear(&out);
	tn_wb_drafts_put_initial(&out, kit.drafts, TN_WB_GROUP_APP);
	assert_string_equal(tn_wb_drafts_kit_text(&kit, &out),
			    "[" SET("b7", "/label", "\"a\"") "]");
	tn_buf_clear(&out);
	tn_wb_drafts_put_initial(&out, kit.drafts, TN_WB_GROUP_COMPONENT);
	assert_string_equal(tn_wb_drafts_kit_text(&kit, &out), "[]");
	tn_buf_finish(&out);
}

/* Section 21: 10,000 overrides, then a named error. */
static void the_number_of_overrides_is_bounded(void **state)
{
	struct tn_buf ops;

	(void)state;
	for (int i = 0; i < TN_WB_OVERRIDES_MAX; i += 200) {
		tn_buf_init(&ops, TN_MIB);
		for (int j = i; j < i + 200; j++)
			tn_buf_format(&ops, "%c" SET("c1", "/style/p%d", "1"), j > i ? ',' : '[',
				      j);
		tn_buf_append(&ops, "]", 2);
		apply(ops.data);
		tn_buf_finish(&ops);
		tn_arena_reset(&kit.arena);
	}
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[" SET("c1", "/style/q", "1") "]"),
			 TENON_LIMIT);
	assert_string_equal(kit.outcome.failure, "limit_exceeded");
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, TN_WB_OVERRIDES_MAX);
	apply("[{\"op\":\"clearAll\"}," SET("c1", "/style/q", "1") "]");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_int_equal(tn_wb_drafts_document(kit.drafts)->count, TN_WB_OVERRIDES_MAX);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_batch_is_all_or_nothing),
		TEST(a_batch_has_1_to_200_ops),
		TEST(what_changes_nothing_changes_no_revision),
		TEST(metadata_is_kept_and_added),
		TEST(clears_take_what_they_name),
		TEST(groups_are_apart),
		TEST(a_dry_run_shows_and_changes_nothing),
		TEST(anybody_can_undo_and_redo),
		TEST(one_undoes_ones_own_unless_others_changed_the_same),
		TEST(what_sessions_report_is_the_status),
		TEST(trying_forgets_no_report),
		TEST(orphans_are_never_lost),
		TEST(a_draft_follows_its_instance),
		TEST(drafts_change_places_in_one_report),
		TEST(the_state_is_told),
		TEST(the_number_of_overrides_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
