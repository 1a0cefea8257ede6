/* Changes made step by step, their notes, and the list of what was done and undone. */
#include "store/oplog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/mem.h"
#include "store/file.h"
#include "store/limits.h"
#include "store/oplog_test_kit.h"

struct fixture {
	char folder[64], path[80], journal[96], lock[96];
	struct kit_document document;
	struct tn_oplog *log;
	struct tn_change change;
	struct tenon_error err;
};

static int set_up(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));

	assert_non_null(f);
	(void)snprintf(f->folder, sizeof(f->folder), "%s/tenon-step-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->path, sizeof(f->path), "%s/doc.json", f->folder);
	(void)snprintf(f->journal, sizeof(f->journal), "%s.journal", f->path);
	(void)snprintf(f->lock, sizeof(f->lock), "%s.lock", f->path);
	assert_int_equal(kit_open(f->path, &f->document, &f->log, &f->err), TENON_OK);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tn_oplog_close(f->log);
	kit_clear(&f->document);
	(void)unlink(f->path);
	(void)unlink(f->journal);
	(void)unlink(f->lock);
	assert_int_equal(rmdir(f->folder), 0);
	tn_mem_free(f);
	return 0;
}

static void reopen(struct fixture *f)
{
	tn_oplog_close(f->log);
	kit_clear(&f->document);
	assert_int_equal(kit_open(f->path, &f->document, &f->log, &f->err), TENON_OK);
}

static void expect(struct fixture *f, const char *document, uint64_t revision)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	kit_save(&f->document, &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, document);
	tn_buf_finish(&out);
	assert_int_equal(tn_oplog_revision(f->log), revision);
}

static enum tenon_code step(struct fixture *f, const char *operation)
{
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	code = tn_json_parse_copy(&arena, tn_str_from(operation), &tree, &f->err);
	if (code == TENON_OK)
		code = tn_oplog_step(f->log, tree, &f->err);
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code end(struct fixture *f, const char *label, const char *note, bool dry_run)
{
	const struct tn_commit commit = {
		.actor = "tester", .label = label, .note = note, .dry_run = dry_run};

	return tn_oplog_end(f->log, &commit, &f->change, &f->err);
}

static void begin(struct fixture *f)
{
	assert_int_equal(tn_oplog_begin(f->log, -1, &f->err), TENON_OK);
}

static void steps_become_one_change(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
	expect(f, "{\"k1\":\"a\"}", 0); /* the next step sees it */
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"b\"}"), TENON_OK);
	assert_int_equal(tn_oplog_steps(f->log), 2);
	assert_int_equal(end(f, "two steps", NULL, false), TENON_OK);
	assert_int_equal(f->change.id, 1);
	assert_int_equal(f->change.operations, 2);
	assert_string_equal(f->change.label, "two steps");
	expect(f, "{\"k1\":\"b\"}", 1);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{}", 2);
	assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	reopen(f);
	expect(f, "{\"k1\":\"b\"}", 3);
}

static void a_step_that_fails_leaves_the_others(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
	assert_int_equal(step(f, "{\"wrong\":1}"), TENON_INVALID);
	assert_int_equal(tn_oplog_steps(f->log), 1);
	assert_int_equal(step(f, "{\"set\":\"k2\",\"value\":\"b\"}"), TENON_OK);
	assert_int_equal(end(f, "x", NULL, false), TENON_OK);
	reopen(f);
	expect(f, "{\"k1\":\"a\",\"k2\":\"b\"}", 1);
}

static void steps_are_taken_back_to_a_mark(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
	assert_int_equal(step(f, "{\"set\":\"k2\",\"value\":\"b\"}"), TENON_OK);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"c\"}"), TENON_OK);
	tn_oplog_back_to(f->log, 1);
	expect(f, "{\"k1\":\"a\"}", 0);
	tn_oplog_back_to(f->log, 7); /* there are not so many: nothing happens */
	assert_int_equal(tn_oplog_steps(f->log), 1);
	assert_int_equal(step(f, "{\"set\":\"k3\",\"value\":\"d\"}"), TENON_OK);
	assert_int_equal(end(f, "x", NULL, false), TENON_OK);
	assert_int_equal(f->change.operations, 2);
	reopen(f);
	expect(f, "{\"k1\":\"a\",\"k3\":\"d\"}", 1);
}

static void what_is_abandoned_has_not_happened(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
	tn_oplog_abandon(f->log);
	expect(f, "{}", 0);
	tn_oplog_abandon(f->log); /* nothing to abandon */
	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"b\"}"), TENON_OK);
	assert_int_equal(end(f, "x", NULL, true), TENON_OK); /* a dry run */
	assert_int_equal(f->change.id, 0);
	assert_int_equal(f->change.operations, 1);
	expect(f, "{}", 0);
	assert_int_equal(access(f->journal, F_OK), -1);
	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"c\"}"), TENON_OK);
	reopen(f); /* closing abandons */
	expect(f, "{}", 0);
}

static void a_change_without_steps_is_none(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(end(f, "x", NULL, false), TENON_OK);
	assert_int_equal(f->change.id, 0);
	assert_int_equal(f->change.revision, 0);
	assert_null(tn_oplog_undo_label(f->log));
}

static void one_change_at_a_time(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_INTERNAL);
	assert_int_equal(end(f, "x", NULL, false), TENON_INTERNAL);
	assert_int_equal(tn_oplog_begin(f->log, 3, &f->err), TENON_EXPIRED);
	begin(f);
	assert_int_equal(tn_oplog_begin(f->log, -1, &f->err), TENON_BUSY);
	assert_int_equal(kit_commit(f->log, "[{\"drop\":\"k1\"}]", &f->change, &f->err),
			 TENON_BUSY);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_BUSY);
	assert_int_equal(end(f, "x", NULL, false), TENON_OK);
}

static bool last_of(const struct tn_change *change, void *data)
{
	struct tn_change *last = data;

	*last = *change;
	return true;
}

static struct tn_change last_change(const struct fixture *f)
{
	struct tn_change last = {.id = 0};

	tn_oplog_list(f->log, 0, last_of, &last);
	return last;
}

/* ST-065: tool and ids of a change are kept with it. */
static void a_note_is_kept(void **state)
{
	static const char text[] = "{\"tool\":\"add_resource\",\"ids\":[\"\xc3\xa9 \\\"\"]}";
	struct fixture *f = *state;

	for (int times = 0; times < 3; times++) { /* as made, of the journal, of the snapshot */
		if (times == 0) {
			begin(f);
			assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
			assert_int_equal(end(f, "x", text, false), TENON_OK);
			assert_string_equal(f->change.note, text);
		}
		assert_string_equal(last_change(f).note, text);
		reopen(f);
	}
	assert_int_equal(kit_commit(f->log, "[{\"drop\":\"k1\"}]", &f->change, &f->err), TENON_OK);
	assert_null(last_change(f).note);
}

static void a_note_has_a_limit(void **state)
{
	char text[TN_OPLOG_NOTE_MAX + 2] = "";
	struct fixture *f = *state;

	for (size_t i = 0; i < TN_OPLOG_NOTE_MAX; i++)
		text[i] = 'x';
	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"a\"}"), TENON_OK);
	assert_int_equal(end(f, "x", text, false), TENON_OK);
	text[TN_OPLOG_NOTE_MAX] = 'x';
	begin(f);
	assert_int_equal(step(f, "{\"set\":\"k1\",\"value\":\"b\"}"), TENON_OK);
	assert_int_equal(end(f, "x", text, false), TENON_LIMIT);
	expect(f, "{\"k1\":\"a\"}", 1);
}

/* What is written without a note has the form it had before there were any. */
static void files_without_notes_are_read(void **state)
{
	struct fixture *f = *state;
	struct tn_buf text;

	assert_int_equal(
		kit_commit(f->log, "[{\"set\":\"k1\",\"value\":\"a\"}]", &f->change, &f->err),
		TENON_OK);
	reopen(f); /* a snapshot now */
	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_file_read(f->path, 0, &text, NULL), TENON_OK);
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("note")), TN_STR_NONE);
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("undone")), TN_STR_NONE);
	tn_buf_finish(&text);
	assert_null(last_change(f).note);
}

struct undone {
	unsigned long long ids[16];
	size_t count;
};

static bool collect(const struct tn_change *change, void *data)
{
	struct undone *all = data;

	if (change->undone)
		all->ids[all->count++] = change->id;
	return true;
}

static void expect_undone(const struct fixture *f, const char *expected)
{
	struct undone all = {.count = 0};
	char text[128] = "";
	size_t size = 0;

	tn_oplog_list(f->log, 0, collect, &all);
	for (size_t i = 0; i < all.count; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%llu ", all.ids[i]);
	assert_string_equal(text, expected);
}

static void the_list_says_what_is_undone(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		assert_int_equal(kit_commit(f->log, "[{\"set\":\"k1\",\"value\":\"a\"}]",
					    &f->change, &f->err),
				 TENON_OK);
	expect_undone(f, "");
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect_undone(f, "2 3 ");
	assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect_undone(f, "3 ");
	reopen(f);
	expect_undone(f, "3 ");
	reopen(f); /* of the snapshot */
	expect_undone(f, "3 ");
	/* A new change: what was undone stays so, and can no more be redone. */
	assert_int_equal(kit_commit(f->log, "[{\"drop\":\"k1\"}]", &f->change, &f->err), TENON_OK);
	expect_undone(f, "3 ");
	assert_null(tn_oplog_redo_label(f->log));
}

static void a_log_can_begin_with_a_document_that_has_a_past(void **state)
{
	struct fixture *f = *state;
	struct tn_json *operation = NULL;
	struct tn_arena arena;
	struct tn_buf inverse;

	tn_arena_init(&arena, 4096);
	tn_buf_init(&inverse, 4096);
	assert_int_equal(tn_json_parse_copy(&arena, TN_STR("{\"set\":\"k1\",\"value\":\"a\"}"),
					    &operation, &f->err),
			 TENON_OK);
	assert_int_equal(kit_ops.apply(&f->document, operation, &inverse, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_start(f->log, 42, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_start(f->log, 43, &f->err), TENON_INVALID);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_NOT_FOUND);
	reopen(f);
	expect(f, "{\"k1\":\"a\"}", 42);
	assert_int_equal(kit_commit(f->log, "[{\"drop\":\"k1\"}]", &f->change, &f->err), TENON_OK);
	expect(f, "{}", 43);
	tn_buf_finish(&inverse);
	tn_arena_finish(&arena);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* ---- made on a copy ---- */

static unsigned applied;
static struct tn_document_ops counting_ops;

static enum tenon_code count_apply(void *document, const struct tn_json *operation,
				   struct tn_buf *inverse, struct tenon_error *err)
{
	applied++;
	return kit_ops.apply(document, operation, inverse, err);
}

static void step_on(struct tn_oplog *log, const char *operation)
{
	struct tn_json *tree = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(operation), &tree, NULL), TENON_OK);
	assert_int_equal(tn_oplog_step(log, tree, NULL), TENON_OK);
	tn_arena_finish(&arena);
}

/* A change of three steps, on a copy with a log of its own, in the place of the document. */
static struct tn_oplog *exchange_for_copy(struct fixture *f, struct kit_document *copy)
{
	const struct tn_oplog_options options = {
		.ops = &counting_ops, .document = copy, .clock = &kit_clock};
	struct tn_oplog *log = NULL;
	struct kit_document before;

	counting_ops = kit_ops;
	counting_ops.apply = count_apply;
	assert_int_equal(tn_oplog_open(&options, &log, NULL), TENON_OK);
	assert_int_equal(kit_commit(log, "[{\"set\":\"k1\",\"value\":\"a\"}]", &f->change, NULL),
			 TENON_OK);
	assert_int_equal(tn_oplog_begin(log, -1, NULL), TENON_OK);
	step_on(log, "{\"set\":\"k1\",\"value\":\"b\"}");
	step_on(log, "{\"set\":\"k2\",\"value\":\"c\"}");
	step_on(log, "{\"set\":\"k2\",\"value\":\"d\"}");
	before = f->document;
	f->document = *copy;
	*copy = before;
	applied = 0;
	return log;
}

/* What a worker has made becomes a change at the cost of its text: nothing is applied again. */
static void what_a_copy_has_made_is_not_applied_again(void **state)
{
	const struct tn_commit commit = {.actor = "tester", .label = "Made on a copy"};
	struct fixture *f = *state;
	struct kit_document copy = {{NULL}};
	struct tn_oplog *log;

	assert_int_equal(kit_commit(f->log, "[{\"set\":\"k1\",\"value\":\"a\"}]", &f->change, NULL),
			 TENON_OK);
	log = exchange_for_copy(f, &copy);
	assert_int_equal(tn_oplog_begin(f->log, 1, NULL), TENON_OK);
	tn_oplog_pass(log, f->log);
	tn_oplog_abandon(log);
	assert_int_equal(tn_oplog_end(f->log, &commit, &f->change, NULL), TENON_OK);
	assert_int_equal(applied, 0);
	assert_int_equal(f->change.operations, 3);
	assert_string_equal(copy.slots[1], "a");
	tn_oplog_close(log);
	kit_clear(&copy);
	reopen(f); /* as the journal has it */
	assert_int_equal(tn_oplog_revision(f->log), 2);
	assert_string_equal(f->document.slots[1], "b");
	assert_string_equal(f->document.slots[2], "d");
	assert_int_equal(tn_oplog_undo(f->log, "tester", -1, &f->change, NULL), TENON_OK);
	assert_string_equal(f->document.slots[1], "a");
	assert_null(f->document.slots[2]);
}

static void what_a_copy_has_made_is_taken_back(void **state)
{
	struct fixture *f = *state;
	struct kit_document copy = {{NULL}};
	struct tn_oplog *log;

	assert_int_equal(kit_commit(f->log, "[{\"set\":\"k1\",\"value\":\"a\"}]", &f->change, NULL),
			 TENON_OK);
	log = exchange_for_copy(f, &copy);
	assert_int_equal(tn_oplog_begin(f->log, 1, NULL), TENON_OK);
	tn_oplog_pass(log, f->log);
	tn_oplog_abandon(f->log);
	assert_string_equal(f->document.slots[1], "a");
	assert_null(f->document.slots[2]);
	assert_int_equal(tn_oplog_revision(f->log), 1);
	tn_oplog_close(log);
	kit_clear(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(steps_become_one_change),
		IN_FOLDER(a_step_that_fails_leaves_the_others),
		IN_FOLDER(steps_are_taken_back_to_a_mark),
		IN_FOLDER(what_is_abandoned_has_not_happened),
		IN_FOLDER(a_change_without_steps_is_none),
		IN_FOLDER(one_change_at_a_time),
		IN_FOLDER(a_note_is_kept),
		IN_FOLDER(a_note_has_a_limit),
		IN_FOLDER(files_without_notes_are_read),
		IN_FOLDER(the_list_says_what_is_undone),
		IN_FOLDER(a_log_can_begin_with_a_document_that_has_a_past),
		IN_FOLDER(what_a_copy_has_made_is_not_applied_again),
		IN_FOLDER(what_a_copy_has_made_is_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
