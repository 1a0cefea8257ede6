/* Gestures: successive changes that are one in the list and one step of undo. */
#include "store/oplog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/mem.h"
#include "store/limits.h"
#include "store/oplog_test_kit.h"

struct fixture {
	char folder[64], path[80], journal[96], lock[96];
	struct kit_document document;
	struct tn_clock clock;
	uint64_t now_ms;
	struct tn_oplog *log;
	struct tn_change change;
	struct tenon_error err;
};

static uint64_t now(void *data)
{
	return ((const struct fixture *)data)->now_ms;
}

static int64_t wall(void *data)
{
	return 1795255200000 + (int64_t)now(data);
}

static void open_log(struct fixture *f)
{
	const struct tn_oplog_options options = {
		.path = f->path, .ops = &kit_ops, .document = &f->document, .clock = &f->clock};

	assert_int_equal(tn_oplog_open(&options, &f->log, &f->err), TENON_OK);
}

static int set_up(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));

	assert_non_null(f);
	(void)snprintf(f->folder, sizeof(f->folder), "%s/tenon-gesture-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->path, sizeof(f->path), "%s/doc.json", f->folder);
	(void)snprintf(f->journal, sizeof(f->journal), "%s.journal", f->path);
	(void)snprintf(f->lock, sizeof(f->lock), "%s.lock", f->path);
	f->clock = (struct tn_clock){.monotonic_ms = now, .wall_ms = wall, .data = f};
	open_log(f);
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

static void expect(struct fixture *f, const char *document)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	kit_save(&f->document, &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, document);
	tn_buf_finish(&out);
}

static void set(struct fixture *f, const char *actor, const char *gesture, const char *slot,
		const char *value)
{
	const struct tn_commit commit = {
		.actor = actor, .label = strlen(value) < 9 ? value : slot, .gesture = gesture};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	char text[4096 + 64];

	(void)snprintf(text, sizeof(text), "{\"set\":\"%s\",\"value\":\"%s\"}", slot, value);
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &tree, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_begin(f->log, -1, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_step(f->log, tree, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_end(f->log, &commit, &f->change, &f->err), TENON_OK);
	tn_arena_finish(&arena);
}

static bool count_one(const struct tn_change *change, void *data)
{
	(void)change;
	++*(size_t *)data;
	return true;
}

static size_t entries(const struct fixture *f)
{
	size_t count = 0;

	tn_oplog_list(f->log, 0, count_one, &count);
	return count;
}

static void undo(struct fixture *f)
{
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
}

static void drag(struct fixture *f)
{
	set(f, "ada", NULL, "k1", "before");
	set(f, "ada", "drag 1", "k1", "a");
	set(f, "ada", "drag 1", "k2", "b");
	set(f, "ada", "drag 1", "k1", "c");
}

static void a_gesture_is_one_entry_and_one_undo(void **state)
{
	struct fixture *f = *state;

	drag(f);
	assert_int_equal(tn_oplog_revision(f->log), 4); /* each is a revision */
	assert_int_equal(entries(f), 2);
	assert_int_equal(f->change.id, 2);
	assert_int_equal(f->change.revision, 4);
	assert_int_equal(f->change.operations, 3);
	assert_string_equal(f->change.label, "c");
	undo(f);
	expect(f, "{\"k1\":\"before\"}");
	assert_int_equal(f->change.of, 2);
	assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"c\",\"k2\":\"b\"}");
	undo(f);
	undo(f);
	expect(f, "{}");
}

/* The files as they are now, under another name: what a process finds that comes after a kill. */
static void open_a_copy(struct fixture *f, struct fixture *copy)
{
	char text[4096];
	size_t size;
	FILE *file = fopen(f->journal, "rb");

	assert_non_null(file);
	size = fread(text, 1, sizeof(text), file);
	(void)fclose(file);
	*copy = *f;
	copy->document = (struct kit_document){{NULL}};
	copy->clock.data = copy;
	(void)snprintf(copy->path, sizeof(copy->path), "%s/copy.json", f->folder);
	(void)snprintf(copy->journal, sizeof(copy->journal), "%s.journal", copy->path);
	(void)snprintf(copy->lock, sizeof(copy->lock), "%s.lock", copy->path);
	file = fopen(copy->journal, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	(void)fclose(file);
	open_log(copy);
}

static void expect_the_drag(struct fixture *f)
{
	assert_int_equal(entries(f), 2);
	assert_int_equal(tn_oplog_revision(f->log), 4);
	expect(f, "{\"k1\":\"c\",\"k2\":\"b\"}");
}

static void it_is_the_same_when_read_again(void **state)
{
	struct fixture *f = *state, copy;

	drag(f);
	open_a_copy(f, &copy);
	expect_the_drag(&copy);
	undo(&copy);
	expect(&copy, "{\"k1\":\"before\"}");
	tn_oplog_close(copy.log);
	kit_clear(&copy.document);
	(void)unlink(copy.path);
	(void)unlink(copy.journal);
	(void)unlink(copy.lock);
	tn_oplog_close(f->log); /* and from a snapshot */
	kit_clear(&f->document);
	open_log(f);
	expect_the_drag(f);
	set(f, "ada", "drag 1", "k3", "later"); /* a daemon that began anew does not know it */
	assert_int_equal(entries(f), 3);
	undo(f);
	undo(f);
	expect(f, "{\"k1\":\"before\"}");
}

static void what_is_no_part_of_it(void **state)
{
	struct fixture *f = *state;

	set(f, "ada", "g", "k1", "a");
	set(f, "bob", "g", "k1", "b"); /* somebody else's of the same name */
	assert_int_equal(entries(f), 2);
	set(f, "ada", "g", "k1", "c"); /* something between */
	assert_int_equal(entries(f), 3);
	set(f, "ada", "h", "k1", "d");
	assert_int_equal(entries(f), 4);
	set(f, "ada", NULL, "k1", "e");
	set(f, "ada", NULL, "k1", "f");
	assert_int_equal(entries(f), 6);
	set(f, "ada", "g", "k1", "g");
	f->now_ms += TN_OPLOG_GESTURE_MS;
	set(f, "ada", "g", "k1", "h"); /* just in time */
	assert_int_equal(entries(f), 7);
	f->now_ms += TN_OPLOG_GESTURE_MS + 1;
	set(f, "ada", "g", "k1", "i");
	assert_int_equal(entries(f), 8);
	undo(f);
	set(f, "ada", "g", "k1", "j"); /* what is undone is over */
	assert_int_equal(entries(f), 10);
	undo(f);
	expect(f, "{\"k1\":\"h\"}");
}

static void a_gesture_cannot_grow_for_ever(void **state)
{
	struct fixture *f = *state;
	char value[4096 + 1];
	const size_t size = sizeof(value) - 1;

	memset(value, 'x', size);
	value[size] = '\0';
	for (size_t i = 0; i < 3 * TN_OPLOG_GESTURE_BYTES / size; i++) {
		value[0] = (char)('a' + i % 26);
		set(f, "ada", "endless", "k1", value);
	}
	assert_true(entries(f) > 3 && entries(f) < 20);
	while (tn_oplog_undo_label(f->log))
		undo(f);
	expect(f, "{}");
}

#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LOG(a_gesture_is_one_entry_and_one_undo),
		WITH_LOG(it_is_the_same_when_read_again),
		WITH_LOG(what_is_no_part_of_it),
		WITH_LOG(a_gesture_cannot_grow_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
