/* The file that others have changed while drafts were on their way into it (O15). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/drafts_test_kit.h"
#include "apps/workbench/drafts/override_file.h"

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

#define DRAFT(id, value) "{\"instanceId\":\"" id "\",\"path\":\"/label\",\"value\":\"" value "\"}"
#define FILE_OF(entries) "{\"schemaVersion\":\"v0\",\"app\":{\"overrides\":[" entries "]}}"

static void read_text(struct tn_wb_document *document, const char *text)
{
	char updated_at[TN_CLOCK_ISO_SIZE];
	struct tn_wb_diagnostics none;

	tn_wb_diagnostics_init(&none);
	tn_wb_document_init(document);
	assert_int_equal(
		tn_wb_override_file_read(document, tn_str_from(text), updated_at, &none, NULL),
		TENON_OK);
	tn_wb_diagnostics_finish(&none);
}

static void look_at(struct tn_wb_disk_look *look, const char *text)
{
	tn_wb_drafts_kit_write(&kit, tn_str_from(text));
	tn_wb_disk_look_init(look);
	assert_int_equal(tn_wb_disk_look(look, kit.root_fd, NULL), TENON_OK);
}

/* What only one side has changed is as that side has it; of what both have, ours is the later. */
static void both_changes_count(void **state)
{
	struct tn_wb_disk_look look;
	struct tn_wb_document base, ours;
	struct tn_wb_outcome outcome;

	(void)state;
	read_text(&base,
		  FILE_OF(DRAFT("both", "0") "," DRAFT("gone", "0") "," DRAFT(
			  "ours_gone", "0") "," DRAFT("same", "0") "," DRAFT("theirs", "0")));
	read_text(&ours, FILE_OF(DRAFT("both", "ours") "," DRAFT("gone", "0") "," DRAFT(
				 "new", "ours") "," DRAFT("same", "0") "," DRAFT("theirs", "0")));
	tn_wb_outcome_init(&outcome);
	assert_int_equal(tn_wb_drafts_be(kit.drafts, &ours, "ours", &outcome, NULL), TENON_OK);
	tn_wb_outcome_finish(&outcome);
	look_at(&look,
		FILE_OF(DRAFT("both", "theirs") "," DRAFT("new", "theirs") "," DRAFT(
			"new2", "theirs") "," DRAFT("ours_gone",
						    "0") "," DRAFT("same",
								   "0") "," DRAFT("theirs",
										  "theirs")));
	assert_int_equal(tn_wb_drafts_merge(kit.drafts, &base, &look, NULL), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app both /label \"ours\" pending\n"
							 "app new /label \"ours\" pending\n"
							 "app new2 /label \"theirs\" pending\n"
							 "app same /label \"0\" pending\n"
							 "app theirs /label \"theirs\" pending\n");
	assert_int_equal(base.count, 6); /* what stands in the file */
	tn_wb_disk_look_finish(&look);
	tn_wb_document_finish(&base);
	tn_wb_document_finish(&ours);
}

static void a_damaged_file_changes_nothing_in_memory(void **state)
{
	struct tn_wb_disk_look look;
	struct tn_wb_document base;

	(void)state;
	tn_wb_document_init(&base);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\","
						      "\"path\":\"/label\",\"value\":\"x\"}]"),
			 TENON_OK);
	look_at(&look, "<<<<<<< ours");
	assert_int_equal(tn_wb_drafts_merge(kit.drafts, &base, &look, NULL), TENON_INVALID);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_int_equal(tn_wb_drafts_diagnostics(kit.drafts)->count, 1);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"x\" pending\n");
	tn_wb_disk_look_finish(&look);
	tn_wb_document_finish(&base);
}

/* What was seen before we wrote is older than what we know. */
static void a_look_from_before_is_passed_over(void **state)
{
	struct tn_wb_disk_look look;
	struct tn_wb_outcome outcome;

	(void)state;
	tn_wb_drafts_kit_write(&kit, TN_STR(FILE_OF(DRAFT("old", "0"))));
	tn_wb_disk_look_init(&look);
	tn_wb_drafts_look_begin(kit.drafts, &look);
	assert_int_equal(tn_wb_disk_look(&look, kit.root_fd, NULL), TENON_OK);
	assert_int_equal(look.document.count, 1);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\","
						      "\"path\":\"/label\",\"value\":\"x\"}]"),
			 TENON_OK);
	tn_wb_outcome_init(&outcome);
	assert_int_equal(tn_wb_drafts_reload(kit.drafts, &look, &outcome, NULL), TENON_OK);
	assert_false(outcome.changed);
	tn_wb_outcome_finish(&outcome);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"x\" pending\n");
	tn_wb_disk_look_finish(&look);
}

/* Nothing but a regular file of a size that is fine is read: not to its end, not at all. */
static void what_is_no_file_of_ours_is_invalid(void **state)
{
	struct tn_wb_disk_look look;

	(void)state;
	look_at(&look, FILE_OF(""));
	assert_false(look.is_invalid);
	tn_wb_disk_look_finish(&look);
	assert_int_equal(
		truncate(tn_arena_format(&kit.arena, "%s/.skaffa/overrides.v0.json", kit.path),
			 (off_t)1 << 40),
		0);
	tn_wb_disk_look_init(&look);
	assert_int_equal(tn_wb_disk_look(&look, kit.root_fd, NULL), TENON_OK);
	assert_true(look.is_invalid && look.exists && look.diagnostics.count == 1);
	assert_string_equal(look.digest, "");
	tn_wb_disk_look_finish(&look);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_changes_count, setup, teardown),
		cmocka_unit_test_setup_teardown(a_damaged_file_changes_nothing_in_memory, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_look_from_before_is_passed_over, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_file_of_ours_is_invalid, setup,
						teardown),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
