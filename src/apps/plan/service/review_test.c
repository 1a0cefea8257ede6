#include "apps/plan/service/reviews.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "apps/plan/limits.h"
#include "base/mem.h"
#include "jsonrpc/json.h"

static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

struct fixture {
	char folder[64], reviews_folder[80];
	struct tn_plan_reviews *reviews;
};

static int set_up(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));

	assert_non_null(f);
	(void)snprintf(f->folder, sizeof(f->folder), "%s/tenon-review-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->reviews_folder, sizeof(f->reviews_folder), "%s/plan/reviews", f->folder);
	*state = f;
	return 0;
}

static void path_of(const struct fixture *f, const char *name, const char *ending, char out[256])
{
	(void)snprintf(out, 256, "%s/%s.json%s", f->reviews_folder, name, ending);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[256];

	tn_plan_reviews_destroy(f->reviews);
	path_of(f, digest, "", command);
	(void)unlink(command);
	path_of(f, digest, ".journal", command);
	(void)unlink(command);
	(void)rmdir(f->reviews_folder);
	(void)snprintf(command, sizeof(command), "%s/plan", f->folder);
	(void)rmdir(command);
	assert_int_equal(rmdir(f->folder), 0); /* nothing else is there */
	tn_mem_free(f);
	return 0;
}

static void begin(struct fixture *f, uint32_t keep_days)
{
	const struct tn_plan_reviews_options options = {
		.clock = &tn_clock_system, .keep_days = keep_days, .folder = f->reviews_folder};

	assert_int_equal(tn_plan_reviews_create(&options, &f->reviews, NULL), TENON_OK);
}

static void restart(struct fixture *f)
{
	tn_plan_reviews_destroy(f->reviews);
	begin(f, 30);
}

static struct tn_plan_open_review *open_for(struct fixture *f, const char *name, bool write)
{
	struct tn_plan_open_review *open = NULL;

	assert_int_equal(tn_plan_reviews_open(f->reviews, name, write, &open, NULL), TENON_OK);
	return open;
}

static enum tenon_code mark(struct tn_plan_open_review *open, const char *operations)
{
	struct tn_commit commit = {.actor = "a", .label = "Mark", .expected_revision = -1};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	struct tn_change change;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(operations), &tree, NULL),
			 TENON_OK);
	commit.operations = tree;
	code = tn_oplog_commit(open->log, &commit, &change, NULL);
	tn_arena_finish(&arena);
	return code;
}

static void expect(const struct tn_plan_open_review *open, const char *json)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_buf_append_byte(&out, '{');
	tn_plan_review_put(&out, &open->review, open->log, open->saved, 5);
	tn_buf_append(&out, "}", 2);
	assert_string_equal(out.data, json);
	tn_buf_finish(&out);
}

static void marks_are_set_changed_and_taken_off(void **state)
{
	struct fixture *f = *state;
	struct tn_plan_open_review *open;
	struct tn_change change;

	begin(f, 30);
	open = open_for(f, digest, true);
	assert_int_equal(mark(open,
			      "[{\"address\":\"b.x\",\"verdict\":\"ok\",\"by\":\"Claude\","
			      "\"at\":1795255200000},{\"address\":\"a.y\",\"verdict\":"
			      "\"stop\",\"note\":\"no \\\"backup\\\"\",\"by\":\"p\",\"at\":1}]"),
			 TENON_OK);
	assert_int_equal(
		mark(open, "[{\"address\":\"b.x\",\"verdict\":\"question\",\"by\":\"q\"}]"),
		TENON_OK);
	expect(open, "{\"revision\":2,\"saved\":true,\"marks\":[{\"address\":\"a.y\",\"verdict\":"
		     "\"stop\",\"note\":\"no \\\"backup\\\"\",\"by\":\"p\",\"at\":\"1970-01-01T00:"
		     "00:00.001Z\"},{\"address\":\"b.x\",\"verdict\":\"question\",\"note\":null,"
		     "\"by\":\"q\",\"at\":\"1970-01-01T00:00:00.000Z\"}],\"counts\":{\"ok\":0,"
		     "\"question\":1,\"stop\":1,\"open\":3},\"undo\":\"Mark\",\"redo\":null}");
	assert_int_equal(mark(open, "[{\"address\":\"a.y\",\"verdict\":\"none\"},{\"address\":"
				    "\"c.z\",\"verdict\":\"none\"}]"),
			 TENON_OK);
	assert_int_equal(open->review.count, 1);
	assert_int_equal(mark(open, "[{\"address\":\"a.y\",\"verdict\":\"fine\"}]"), TENON_INVALID);
	assert_int_equal(mark(open, "[{\"verdict\":\"ok\"}]"), TENON_INVALID);
	assert_int_equal(tn_oplog_undo(open->log, "x", -1, &change, NULL), TENON_OK);
	assert_int_equal(tn_oplog_undo(open->log, "x", -1, &change, NULL), TENON_OK);
	/* As it was: who had set it and when come back with it. */
	expect(open, "{\"revision\":5,\"saved\":true,\"marks\":[{\"address\":\"a.y\",\"verdict\":"
		     "\"stop\",\"note\":\"no \\\"backup\\\"\",\"by\":\"p\",\"at\":\"1970-01-01T00:"
		     "00:00.001Z\"},{\"address\":\"b.x\",\"verdict\":\"ok\",\"note\":null,\"by\":"
		     "\"Claude\",\"at\":\"2026-11-21T10:00:00.000Z\"}],\"counts\":{\"ok\":1,"
		     "\"question\":0,\"stop\":1,\"open\":3},\"undo\":\"Mark\",\"redo\":\"Mark\"}");
}

static void a_review_survives_a_restart(void **state)
{
	struct fixture *f = *state;
	struct tn_plan_open_review *open;
	struct tn_change change;
	char path[256];
	struct stat status;

	begin(f, 30);
	assert_null(open_for(f, digest, false)); /* reading makes nothing */
	assert_int_not_equal(access(f->reviews_folder, F_OK), 0);
	open = open_for(f, digest, true);
	assert_int_equal(mark(open, "[{\"address\":\"a\",\"verdict\":\"ok\"}]"), TENON_OK);
	assert_ptr_equal(open_for(f, digest, false), open);
	restart(f);
	assert_int_equal(stat(f->reviews_folder, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	path_of(f, digest, "", path);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	open = open_for(f, digest, false);
	assert_non_null(open);
	assert_int_equal(open->review.count, 1);
	assert_int_equal(tn_oplog_undo(open->log, "x", -1, &change, NULL), TENON_OK);
	assert_int_equal(open->review.count, 0);
}

/* TENON_PLAN_KEEP_DAYS=0: no file is made, and the answer says so. */
static void nothing_is_written_when_nothing_shall_be_kept(void **state)
{
	struct fixture *f = *state;
	struct tn_plan_open_review *open;

	begin(f, 0);
	assert_false(tn_plan_reviews_saves(f->reviews));
	open = open_for(f, digest, true);
	assert_false(open->saved);
	assert_int_equal(mark(open, "[{\"address\":\"a\",\"verdict\":\"ok\"}]"), TENON_OK);
	assert_ptr_equal(open_for(f, digest, true), open);
	assert_int_not_equal(access(f->reviews_folder, F_OK), 0);
}

static void without_a_folder_a_review_lives_in_memory(void **state)
{
	struct fixture *f = *state;
	char file[128];
	int fd;

	/* A file stands where the folder should be: nobody, not even root, can make it. */
	(void)snprintf(file, sizeof(file), "%s/plan", f->folder);
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	begin(f, 30);
	assert_false(open_for(f, digest, true)->saved);
	assert_int_equal(
		mark(open_for(f, digest, true), "[{\"address\":\"a\",\"verdict\":\"ok\"}]"),
		TENON_OK);
	assert_int_equal(unlink(file), 0);
}

/* ST-026: what cannot be read is not begun anew. */
static void a_damaged_file_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct tn_plan_open_review *found = NULL;
	struct tenon_error err = {0};
	char path[256];
	int fd;

	begin(f, 30);
	assert_int_equal(
		mark(open_for(f, digest, true), "[{\"address\":\"a\",\"verdict\":\"ok\"}]"),
		TENON_OK);
	restart(f);
	path_of(f, digest, "", path);
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, "X", 1, 40), 1);
	(void)close(fd);
	assert_int_equal(tn_plan_reviews_open(f->reviews, digest, true, &found, &err),
			 TENON_INVALID);
	assert_null(found);
	assert_string_equal(err.message,
			    "line 1 of the snapshot is damaged: its checksum is wrong");
}

static void name_of(unsigned number, char out[65])
{
	(void)snprintf(out, 65, "%064x", number);
}

static void only_so_many_are_open_at_a_time(void **state)
{
	struct fixture *f = *state;
	char name[65], path[256];

	begin(f, 30);
	for (unsigned i = 0; i <= TN_PLAN_REVIEWS_OPEN_MAX; i++) {
		name_of(i, name);
		assert_int_equal(
			mark(open_for(f, name, true), "[{\"address\":\"a\",\"verdict\":\"ok\"}]"),
			TENON_OK);
	}
	name_of(0, name); /* closed, which made its snapshot; still there */
	path_of(f, name, ".lock", path);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(open_for(f, name, false)->review.count, 1);
	tn_plan_reviews_destroy(f->reviews);
	f->reviews = NULL;
	for (unsigned i = 0; i <= TN_PLAN_REVIEWS_OPEN_MAX; i++) {
		name_of(i, name);
		path_of(f, name, "", path);
		assert_int_equal(unlink(path), 0);
	}
}

static void make_old(const char *path, int days)
{
	struct timeval now, times[2];

	assert_int_equal(gettimeofday(&now, NULL), 0);
	times[0] = times[1] =
		(struct timeval){.tv_sec = now.tv_sec - (time_t)days * 24 * 3600 - 60};
	assert_int_equal(utimes(path, times), 0);
}

/* plan.md section 16: retention. */
static void old_reviews_go(void **state)
{
	struct fixture *f = *state;
	char name[65], path[256], other[256], stranger[256];
	int fd;

	begin(f, 30);
	for (unsigned i = 0; i < 3; i++) {
		name_of(i, name);
		assert_int_equal(
			mark(open_for(f, name, true), "[{\"address\":\"a\",\"verdict\":\"ok\"}]"),
			TENON_OK);
	}
	tn_plan_reviews_destroy(f->reviews);
	name_of(0, name);
	path_of(f, name, "", path);
	make_old(path, 30);
	name_of(1, name);
	path_of(f, name, "", path);
	make_old(path, 29);
	(void)snprintf(stranger, sizeof(stranger), "%s/notes.json", f->reviews_folder);
	fd = open(stranger, O_WRONLY | O_CREAT, 0600);
	(void)close(fd);
	make_old(stranger, 300);
	/* One that is old by its snapshot and young by its journal is young. */
	name_of(2, name);
	path_of(f, name, "", path);
	make_old(path, 40);
	path_of(f, name, ".journal", other);
	fd = open(other, O_WRONLY | O_CREAT, 0600);
	(void)close(fd);

	begin(f, 30);
	assert_non_null(open_for(f, digest, true));
	name_of(0, name);
	assert_null(open_for(f, name, false));
	name_of(1, name);
	assert_non_null(open_for(f, name, false));
	name_of(2, name);
	assert_non_null(open_for(f, name, false));
	tn_plan_reviews_destroy(f->reviews);
	f->reviews = NULL;
	assert_int_equal(unlink(stranger), 0);
	assert_int_equal(unlink(path), 0);
	(void)unlink(other);
	name_of(1, name);
	path_of(f, name, "", path);
	assert_int_equal(unlink(path), 0);
}

static void the_texts_of_a_review_have_a_limit(void **state)
{
	struct fixture *f = *state;
	struct tn_plan_open_review *open;
	struct tn_buf text;
	enum tenon_code code = TENON_OK;
	size_t before;

	begin(f, 0);
	open = open_for(f, digest, true);
	for (int batch = 0; batch < 100 && code == TENON_OK; batch++) {
		tn_buf_init(&text, 16 * TN_MIB);
		for (int i = 0; i < 100; i++)
			tn_buf_format(
				&text,
				"%s{\"address\":\"a%d\",\"verdict\":\"ok\",\"note\":\"%02000d\"}",
				i ? "," : "[", 100 * batch + i, i);
		tn_buf_append(&text, "]", 2);
		before = open->review.bytes;
		code = mark(open, text.data);
		tn_buf_finish(&text);
	}
	assert_int_equal(code, TENON_LIMIT);
	assert_int_equal(open->review.bytes, before); /* the batch was taken back */
	assert_int_equal(open->review.count % 100, 0);
	assert_true(open->review.count > 3000);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(marks_are_set_changed_and_taken_off),
		IN_FOLDER(a_review_survives_a_restart),
		IN_FOLDER(nothing_is_written_when_nothing_shall_be_kept),
		IN_FOLDER(without_a_folder_a_review_lives_in_memory),
		IN_FOLDER(a_damaged_file_is_an_error),
		IN_FOLDER(only_so_many_are_open_at_a_time),
		IN_FOLDER(old_reviews_go),
		IN_FOLDER(the_texts_of_a_review_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
