/* Recordings: what stands in the file, whatever happens to who writes it (terminal.md sections 7.4,
 * 8). */
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/session/record.h"
#include "apps/terminal/session/record_trim.h"
#include "apps/terminal/session/session_kit.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/sanitized.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "store/file.h"

struct bench {
	char folder[64], path[96];
	uint64_t now_ms;
	int64_t wall_ms;
	struct tn_clock clock;
	struct tn_term_session *session;
	struct tn_record *record;
	struct tn_buf text;
};

static uint64_t now(void *data)
{
	const struct bench *b = data;

	return b->now_ms;
}

static int64_t wall(void *data)
{
	const struct bench *b = data;

	return b->wall_ms;
}

static void pass(struct bench *b, unsigned ms)
{
	b->now_ms += ms;
	b->wall_ms += ms;
}

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));

	assert_non_null(b);
	memcpy(b->folder, "/tmp/tenon-record-XXXXXX", 25);
	assert_non_null(mkdtemp(b->folder));
	(void)snprintf(b->path, sizeof(b->path), "%s/one.cast", b->folder);
	b->clock = (struct tn_clock){.monotonic_ms = now, .wall_ms = wall, .data = b};
	b->now_ms = 5000;
	b->wall_ms = 1700000000000;
	b->session = kit_open(80, 24);
	tn_buf_init(&b->text, 64 * TN_MIB);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_record_close(b->record);
	kit_free(b->session);
	(void)unlink(b->path);
	(void)rmdir(b->folder);
	tn_buf_finish(&b->text);
	tn_mem_free(b);
	return 0;
}

static void record(struct bench *b)
{
	assert_int_equal(tn_record_open(b->session, b->path, &b->clock, &b->record, NULL),
			 TENON_OK);
}

/* The whole file, which is lines of JSON and nothing else. */
static const char *read_file(struct bench *b)
{
	struct tn_str rest;

	tn_buf_clear(&b->text);
	assert_int_equal(tn_file_read(b->path, 0, &b->text, NULL), TENON_OK);
	rest = tn_buf_str(&b->text);
	while (rest.size) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_arena arena;
		struct tn_json *tree;

		assert_true(end != TN_STR_NONE);
		tn_arena_init(&arena, 16 * TN_MIB);
		assert_int_equal(tn_json_parse_copy(&arena, tn_str(rest.data, end), &tree, NULL),
				 TENON_OK);
		tn_arena_finish(&arena);
		rest = tn_str_from_offset(rest, end + 1);
	}
	tn_buf_append_byte(&b->text, '\0');
	return b->text.data;
}

static void expect(struct bench *b, const char *words)
{
	const char *text = read_file(b);

	if (!strstr(text, words))
		fail_msg("no %s in %s", words, text);
}

static void test_what_is_seen(void **state)
{
	const struct tn_term_command_info command = {.text = "make all",
						     .status = TN_TERM_STATUS_RUNNING};
	struct bench *b = *state;
	struct stat status;

	record(b);
	pass(b, 1234);
	kit_output(b->session, TN_STR("one\r\n\x1b[1mtwo\x1b[m"));
	pass(b, 1000);
	kit_command(b->session, &command, false);
	assert_int_equal(tn_term_session_resize(b->session, 100, 30, NULL), TENON_OK);
	kit_output(b->session, TN_STR("three"));
	assert_string_equal(
		read_file(b),
		"{\"version\":2,\"width\":80,\"height\":24,\"timestamp\":1700000000,"
		"\"title\":\"kit\",\"env\":{\"TERM\":\"xterm-256color\",\"SHELL\":\"/bin/bash\"}}\n"
		"[1.234,\"o\",\"one\\r\\n\\u001b[1mtwo\\u001b[m\"]\n"
		"[2.234,\"m\",\"make all\"]\n[2.234,\"r\",\"100x30\"]\n[2.234,\"o\",\"three\"]\n");
	assert_int_equal(stat(b->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_null(tn_record_problem(b->record));
}

/* terminal.md 10.4: neither viewers nor recordings get these. */
static void test_filtered(void **state)
{
	struct bench *b = *state;

	record(b);
	kit_output(b->session, TN_STR("a\x1b]52;c;c2VjcmV0\x07"
				      "b"));
	assert_null(strstr(read_file(b), "c2VjcmV0"));
	expect(b, "\"ab\"");
}

/* What is typed is not in it, hidden or not. */
static void test_nothing_typed(void **state)
{
	struct bench *b = *state;

	record(b);
	assert_int_equal(tn_term_session_type(b->session, TN_STR("hunter2\r"), NULL), TENON_OK);
	assert_null(strstr(read_file(b), "hunter2"));
}

/* Characters that come in two pieces are in one event; what is none becomes U+FFFD. */
static void test_characters(void **state)
{
	struct bench *b = *state;

	record(b);
	kit_output(b->session, TN_STR("x\xE2\x82"));
	kit_output(b->session, TN_STR("\xAC"));
	kit_output(b->session, TN_STR("y\xF0\x9F\x98"));
	kit_output(b->session, TN_STR("\x80"));
	expect(b, "\"\xE2\x82\xAC\"");
	expect(b, "\"\xF0\x9F\x98\x80\"");
	kit_output(b->session, TN_STR("\xFF\xC3z"));
	expect(b, "\xEF\xBF\xBDz");
}

/* A daemon that was killed: the next one goes on, without the line that was cut short. */
static void test_goes_on(void **state)
{
	struct bench *b = *state;
	FILE *file;

	record(b);
	pass(b, 1000);
	kit_output(b->session, TN_STR("before"));
	tn_record_close(b->record);
	file = fopen(b->path, "a");
	assert_non_null(file);
	assert_true(fputs("[1.5,\"o\",\"cut sh", file) >= 0);
	assert_int_equal(fclose(file), 0);
	b->now_ms = 77; /* another machine start, as it were */
	b->wall_ms += 9000;
	record(b);
	kit_output(b->session, TN_STR("after"));
	expect(b, "[1.000,\"o\",\"before\"]\n[10.000,\"r\",\"80x24\"]\n[10.000,\"o\",\"after\"]\n");
}

#define THEIRS "{\"version\":2,\"timestamp\":1}\n"

static void test_refused(void **state)
{
	struct bench *b = *state;
	struct tenon_error err;
	char theirs[160];

	assert_int_equal(symlink("/tmp/nowhere-at-all", b->path), 0);
	assert_int_equal(tn_record_open(b->session, b->path, &b->clock, &b->record, &err),
			 TENON_DENIED);
	assert_int_equal(unlink(b->path), 0);
	assert_int_equal(mkfifo(b->path, 0600), 0);
	assert_int_equal(tn_record_open(b->session, b->path, &b->clock, &b->record, &err),
			 TENON_DENIED);
	assert_int_equal(unlink(b->path), 0);
	(void)snprintf(theirs, sizeof(theirs), "%s/theirs.cast", b->folder);
	assert_int_equal(tn_file_write(theirs, 0600, TN_STR(THEIRS), NULL), TENON_OK);
	assert_int_equal(link(theirs, b->path), 0);
	assert_int_equal(tn_record_open(b->session, b->path, &b->clock, &b->record, &err),
			 TENON_DENIED);
	tn_buf_clear(&b->text);
	assert_int_equal(tn_file_read(theirs, 0, &b->text, NULL), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&b->text), THEIRS));
	assert_int_equal(unlink(b->path) | unlink(theirs), 0);
	assert_int_equal(tn_file_write(b->path, 0600, TN_STR("my diary\n"), NULL), TENON_OK);
	assert_int_equal(tn_record_open(b->session, b->path, &b->clock, &b->record, &err),
			 TENON_INVALID);
	tn_buf_clear(&b->text);
	assert_int_equal(tn_file_read(b->path, 0, &b->text, NULL), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&b->text), "my diary\n")); /* it is left alone */
	assert_null(b->session->watchers);
}

/* A full disk ends the recording at a line's end; the session goes on. */
static void test_full(void **state)
{
	struct bench *b = *state;
	struct rlimit before, small;

	record(b);
	kit_output(b->session, TN_STR("first"));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 300;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (unsigned i = 0; i < 20; i++)
		kit_output(b->session, TN_STR("more and more and more and more"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(tn_record_problem(b->record));
	assert_false(b->session->info.recorded);
	expect(b, "first"); /* and whole lines only */
	kit_output(b->session, TN_STR("not recorded"));
	assert_null(strstr(read_file(b), "not recorded"));
}

static void test_session_ends(void **state)
{
	struct bench *b = *state;

	record(b);
	kit_output(b->session, TN_STR("bye"));
	kit_closed(b->session);
	assert_non_null(tn_record_problem(b->record));
	assert_null(b->session->watchers);
	expect(b, "bye");
}

/* Large output, many escapes: nothing is lost, no line is longer than what a reader takes. */
static void test_large(void **state)
{
	enum { SIZE = 300000 };
	struct bench *b = *state;
	char *piece = tn_mem_alloc(SIZE);
	size_t total = 0;

	assert_non_null(piece);
	for (size_t i = 0; i < SIZE; i++)
		piece[i] = i % 3 == 0 ? '\x01' : 'x';
	record(b);
	for (unsigned i = 0; i < 5; i++)
		kit_output(b->session, tn_str(piece, SIZE));
	for (const char *at = read_file(b); *at; at++)
		total += *at == 'x';
	tn_mem_free(piece);
	assert_true(total >= 5 * (size_t)SIZE / 3 * 2);
	assert_null(tn_record_problem(b->record));
}

static void trim(const struct bench *b, uint64_t bytes_max, size_t count_max)
{
	const struct tn_records_limit limit = {bytes_max, count_max};

	tn_records_trim(b->folder, &limit, NULL);
}

/* A budget for all: the oldest go, and none that is being written. */
static void test_trim(void **state)
{
	static const char *const names[] = {"a.cast", "b.cast", "c.cast"};
	struct bench *b = *state;
	char path[3][160], kept[160];

	for (unsigned i = 0; i < 3; i++) {
		struct timespec times[2] = {{.tv_sec = 1000 + (i + 1) % 3},
					    {.tv_sec = 1000 + (i + 1) % 3}};

		(void)snprintf(path[i], sizeof(path[i]), "%s/%s", b->folder, names[i]);
		assert_int_equal(tn_file_write(path[i], 0600, TN_STR("0123456789"), NULL),
				 TENON_OK);
		assert_int_equal(utimensat(AT_FDCWD, path[i], times, 0), 0); /* c, a, b */
	}
	(void)snprintf(kept, sizeof(kept), "%s/other", b->folder);
	assert_int_equal(tn_file_write(kept, 0600, TN_STR("0123456789"), NULL), TENON_OK);
	record(b);
	trim(b, 1000, 10);
	assert_int_equal(access(path[2], F_OK), 0);
	trim(b, strlen(read_file(b)) + 25, 10);
	assert_int_equal(access(path[2], F_OK), -1);
	assert_int_equal(access(path[0], F_OK) | access(path[1], F_OK), 0);
	trim(b, 0, 10);
	assert_int_equal(access(path[0], F_OK) & access(path[1], F_OK), -1);
	assert_int_equal(access(b->path, F_OK) | access(kept, F_OK), 0);
	(void)unlink(kept);
}

/* So many, however small; and more than a list of them grows by at once. */
static void test_trim_many(void **state)
{
	enum { COUNT = 300, KEPT = 7 };
	struct bench *b = *state;
	char path[160];

	for (unsigned i = 0; i < COUNT; i++) {
		unsigned age = (i * 7919) % COUNT; /* in no order */
		struct timespec times[2] = {{.tv_sec = 1000, .tv_nsec = age},
					    {.tv_sec = 1000, .tv_nsec = age}};

		(void)snprintf(path, sizeof(path), "%s/%03u.cast", b->folder, age);
		assert_int_equal(tn_file_write(path, 0600, TN_STR("x"), NULL), TENON_OK);
		assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	}
	record(b);
	trim(b, UINT64_MAX, KEPT + 1);
	for (unsigned i = 0; i < COUNT; i++) {
		(void)snprintf(path, sizeof(path), "%s/%03u.cast", b->folder, i);
		assert_int_equal(access(path, F_OK), i >= COUNT - KEPT ? 0 : -1);
	}
	assert_int_equal(access(b->path, F_OK), 0);
	trim(b, UINT64_MAX, 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(b->path, F_OK), 0);
}

/* A sparse file whose last byte ends a line. */
static int fill_end(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int code = fd >= 0 && write(fd, "\n", 1) == 1 ? 0 : -1;

	(void)close(fd);
	return code;
}

static const char *tail_of(struct bench *b)
{
	enum { SIZE = 1024 };
	int fd = open(b->path, O_RDONLY | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);

	assert_true((uint64_t)size <= TN_RECORD_BYTES_MAX);
	tn_buf_clear(&b->text);
	assert_true(tn_buf_reserve(&b->text, SIZE + 1));
	assert_int_equal(pread(fd, b->text.data, SIZE, size - SIZE), SIZE);
	(void)close(fd);
	for (size_t i = 0; i < SIZE; i++) /* of a file with a hole */
		b->text.data[i] = b->text.data[i] ? b->text.data[i] : ' ';
	b->text.data[SIZE] = '\0';
	return b->text.data;
}

/* terminal.md 8: its end says that it is not the session's. */
static void test_as_large_as_may_be(void **state)
{
	struct bench *b = *state;
	struct stat status;

	record(b);
	tn_record_close(b->record);
	b->record = NULL;
	assert_int_equal(stat(b->path, &status), 0);
	assert_int_equal(truncate(b->path, TN_RECORD_BYTES_MAX - 400), 0);
	assert_int_equal(fill_end(b->path), 0);
	record(b);
	for (unsigned i = 0; i < 10; i++)
		kit_output(b->session, TN_STR("more and more and more and more"));
	assert_non_null(tn_record_problem(b->record));
	assert_non_null(strstr(
		tail_of(b),
		"[0.000,\"m\",\"the recording is as large as one may be; it has ended\"]\n"));
}

/* Of what ended it the first word counts, and opened again it stays as it is: at the end of the
 * largest one, and where one event was too large. */
static void test_full_and_opened_again(void **state)
{
	static const off_t left[] = {400, 50000};
	struct bench *b = *state;
	struct stat before, after;
	char *piece = tn_mem_alloc(60000);

	assert_non_null(piece);
	memset(piece, 'x', 60000);
	for (size_t i = 0; i < TN_COUNT(left); i++) {
		(void)unlink(b->path);
		record(b);
		tn_record_close(b->record);
		assert_int_equal(truncate(b->path, (off_t)TN_RECORD_BYTES_MAX - left[i]), 0);
		assert_int_equal(fill_end(b->path), 0);
		record(b);
		kit_output(b->session, tn_str(piece, 60000));
		assert_non_null(strstr(tn_record_problem(b->record), "as large as one may be"));
		assert_int_equal(stat(b->path, &before), 0);
		for (unsigned again = 0; again < 10; again++) {
			tn_record_close(b->record);
			pass(b, 1000);
			record(b);
			assert_non_null(
				strstr(tn_record_problem(b->record), "as large as one may be"));
			kit_output(b->session, TN_STR("x"));
		}
		assert_int_equal(stat(b->path, &after), 0);
		assert_int_equal(after.st_size, before.st_size);
		tn_record_close(b->record);
		b->record = NULL;
	}
	tn_mem_free(piece);
}

/* The last line does not fit on the disk either: that is what is told. */
/* What the last line of a full one says is nothing that a program can end it by. */
static void test_sentence_of_the_end(void **state)
{
	struct bench *b = *state;

	record(b);
	kit_output(b->session, TN_STR("x\",\"m\",\"the recording is as large as one may be; it has "
				      "ended"));
	tn_record_close(b->record);
	record(b);
	assert_null(tn_record_problem(b->record));
	kit_output(b->session, TN_STR("and on"));
	expect(b, "and on");
}

static void test_full_disk_at_the_end(void **state)
{
	struct bench *b = *state;
	struct rlimit before, small;

	record(b);
	tn_record_close(b->record);
	b->record = NULL;
	assert_int_equal(truncate(b->path, TN_RECORD_BYTES_MAX - 400), 0);
	assert_int_equal(fill_end(b->path), 0);
	record(b);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = TN_RECORD_BYTES_MAX - 390;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	kit_output(b->session,
		   TN_STR("0123456789012345678901234567890123456789012345678901234567"
			  "0123456789012345678901234567890123456789012345678901234567"
			  "0123456789012345678901234567890123456789012345678901234567"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_string_equal(tn_record_problem(b->record),
			    "the recording could not be written on; is the disk full?");
}

/* Without memory it ends, and says why. */
static void test_no_memory(void **state)
{
	enum { SIZE = 64 * 1024 };
	struct bench *b = *state;
	struct rlimit before, none;
	char *piece = tn_mem_alloc(SIZE);

	if (TN_SANITIZED) {
		tn_mem_free(piece);
		skip(); /* it cannot be taken from them */
	}
	assert_non_null(piece);
	memset(piece, 'x', SIZE);
	record(b);
	kit_output(b->session, tn_str(piece, SIZE));
	for (size_t i = 0; i + 3 <= SIZE; i += 3) /* the text fits, its line is longer */
		memcpy(piece + i, "\x1b[m", 3);
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	none = before;
	none.rlim_cur = 0;
	tn_mem_trim(); /* and what was freed is no room either */
	assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
	kit_output(b->session, tn_str(piece, SIZE));
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	tn_mem_free(piece);
	assert_string_equal(tn_record_problem(b->record),
			    "memory ran out for the recording; it has ended");
	assert_null(strstr(read_file(b), "as large as one may be"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_is_seen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_filtered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_typed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_characters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_session_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trim, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trim_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_as_large_as_may_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_and_opened_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sentence_of_the_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_disk_at_the_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_memory, set_up, tear_down),
	};

#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD,
		      32 * 1024); /* large memory is the system's: it can say no */
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
