/* The audit file: what is an entry, what stands in it, and that none is lost on the way. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/mem.h"
#include "host/limits.h"
#include "host/record/audit_chain.h"
#include "host/record/audit_file.h"
#include "mcp/test_fixtures.h"
#include "store/file.h"

struct world {
	struct test_peer *t;
	struct tn_audit_file *audit;
	char folder[64], path[128], old[128];
	struct tn_buf text;
	unsigned told;
};

static void told(void *data)
{
	((struct world *)data)->told++;
}

static void open_audit(struct world *w)
{
	assert_int_equal(tn_audit_file_open(w->t->server, w->path, &w->audit, NULL), TENON_OK);
	tn_audit_file_on_entry(w->audit, told, w);
}

static int set_up(void **state)
{
	struct world *w = tn_mem_alloc(sizeof(*w));
	void *peer = NULL;

	assert_non_null(w);
	assert_int_equal(test_peer_setup(&peer), 0);
	w->t = peer;
	(void)snprintf(w->folder, sizeof(w->folder), "/tmp/tenon-audit-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	(void)snprintf(w->path, sizeof(w->path), "%s/audit.jsonl", w->folder);
	(void)snprintf(w->old, sizeof(w->old), "%s/audit.jsonl.1", w->folder);
	tn_buf_init(&w->text, 64 * TN_MIB);
	open_audit(w);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	tn_audit_file_close(w->audit);
	test_peer_destroy(w->t);
	(void)unlink(w->path);
	(void)unlink(w->old);
	(void)rmdir(w->folder);
	tn_buf_finish(&w->text);
	tn_mem_free(w);
	return 0;
}

static const char *entries(struct world *w)
{
	tn_buf_clear(&w->text);
	tn_audit_file_write(w->audit, &w->text);
	tn_buf_append_byte(&w->text, '\0');
	return w->text.data;
}

static const char *file_text(struct world *w, const char *path)
{
	tn_buf_clear(&w->text);
	assert_int_equal(tn_file_read(path, 0, &w->text, NULL), TENON_OK);
	tn_buf_append_byte(&w->text, '\0');
	return w->text.data;
}

/* All that was written follows each other, from file to file and from run to run. */
static void check_chain(struct world *w, unsigned count)
{
	struct tn_audit_chain chain = {0};

	if (access(w->old, F_OK) == 0) {
		(void)file_text(w, w->old);
		tn_audit_chain_feed(&chain, tn_buf_str(&w->text));
	}
	(void)file_text(w, w->path);
	w->text.size--; /* the NUL at the end */
	tn_audit_chain_feed(&chain, tn_buf_str(&w->text));
	assert_int_equal(chain.breaks, 0);
	assert_int_equal(chain.entries, count);
}

/* ---- a worker writes, when it comes to it ---- */

struct wanted {
	struct world *w;
	const char *words;
};

static bool is_written(void *data)
{
	const struct wanted *wanted = data;

	return strstr(file_text(wanted->w, wanted->w->path), wanted->words) != NULL;
}

static void expect_written(struct world *w, const char *words)
{
	struct wanted wanted = {w, words};

	test_run_until(w->t, is_written, &wanted);
	assert_true(is_written(&wanted));
}

/* What was written is in the old file, and the new one is there. */
static bool has_rotated(void *data)
{
	const struct world *w = data;
	struct stat status;

	return stat(w->old, &status) == 0 && stat(w->path, &status) == 0 && status.st_size == 0;
}

static bool has_waiting(void *data)
{
	return strstr(entries(data), "\"waiting\":1,\"written\":") != NULL;
}

static void call(struct world *w, const char *tool, const char *arguments)
{
	char params[512];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\",\"arguments\":%s", tool, arguments);
	(void)test_modern(w->t, "1", "tools/call", params, NULL,
			  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"Ada\",\"version\":"
			  "\"1\"}");
	assert_non_null(test_next(w->t));
}

static void reads(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "read");
}

static void details(struct tenon_call *call, void *data)
{
	(void)data;
	tn_audit_detail(call, "%s to %d", "http.port", 7000);
	tenon_call_reply_text(call, "done");
}

static void add_tools(struct world *w)
{
	const struct tenon_tool tools[] = {
		{.name = "reads", .flags = TENON_READ_ONLY, .call = reads},
		{.name = "writes", .input_schema = "{\"type\":\"object\"}", .call = reads},
		{.name = "details", .call = details},
	};

	test_add_tools(w->t, tools, 3);
}

static void test_entries(void **state) /* ST-147, MCP-289 */
{
	struct world *w = *state;
	char digest[TN_DIGEST_HEX_SIZE], pattern[512];

	add_tools(w);
	call(w, "reads", "{}");
	call(w, "no_such", "{}");
	(void)test_modern(w->t, "1", "tools/list", "", NULL, NULL);
	(void)test_next(w->t);
	assert_string_equal(entries(w), "{\"entries\":[],\"head\":null}");
	call(w, "writes", "{\"secret\": \"hunter2\"}");
	tn_digest_hex(TN_STR("{\"secret\":\"hunter2\"}"), digest);
	(void)snprintf(pattern, sizeof(pattern),
		       "{\"entries\":[{\"time\":\"<has 20>\",\"client\":\"Ada\",\"person\":false,"
		       "\"tool\":\"writes\",\"digest\":\"%s\",\"outcome\":\"ok\",\"ms\":0,"
		       "\"consent\":null,\"detail\":null,\"prev\":null}],\"head\":"
		       "\"<string>\"}",
		       digest);
	if (!test_fits(entries(w), pattern))
		fail_msg("%s\nexpected %s", w->text.data, pattern);
	assert_null(strstr(w->text.data, "hunter2"));
	call(w, "details", "{}");
	assert_true(test_fits(
		entries(w),
		"{\"entries\":[{\"tool\":\"details\",\"detail\":\"http.port to "
		"7000\",\"...\":0},\"<object>\"],\"head\":\"<string>\"}")); /* newest first */
	assert_int_equal(w->told, 2);
}

static void test_file(void **state)
{
	struct world *w = *state;
	const struct tn_audit_entry started = {
		.client = TN_STR("tenond"), .tool = TN_STR("start"), .outcome = "ok"};
	struct stat status;

	add_tools(w);
	tn_audit_file_add(w->audit, &started);
	call(w, "writes", "{}");
	expect_written(w, "\"tool\":\"writes\"");
	assert_int_equal(stat(w->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	call(w, "writes", "{}");
	tn_audit_file_close(w->audit); /* writes the rest itself */
	(void)file_text(w, w->path);
	w->audit = NULL;
	open_audit(w); /* a daemon that starts remembers what was */
	assert_true(test_fits(
		entries(w), "{\"entries\":[{\"tool\":\"writes\",\"...\":0},{\"tool\":\"writes\","
			    "\"...\":0},{\"tool\":\"start\",\"client\":\"tenond\",\"digest\":null,"
			    "\"...\":0}],\"head\":\"<string>\"}"));
	assert_int_equal(tn_audit_file_lost(w->audit), 0);
	call(w, "writes", "{}");
	tn_audit_file_close(w->audit);
	w->audit = NULL;
	check_chain(w, 4);
	open_audit(w);
}

/* The end comes before, while and after a worker writes; nothing is lost or written twice. */
static void test_end_at_any_time(void **state)
{
	struct world *w = *state;
	unsigned lines = 0;

	add_tools(w);
	for (unsigned i = 0; i < 200; i++) {
		call(w, "writes", "{}");
		if (i % 3 == 0)
			test_run(w->t, 0);
		call(w, "writes", "{}");
		tn_audit_file_close(w->audit);
		open_audit(w);
	}
	test_run(w->t, 20);
	(void)file_text(w, w->path);
	for (const char *at = w->text.data; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	assert_int_equal(lines, 400);
	check_chain(w, 400);
}

static void test_rotation(void **state)
{
	struct world *w = *state;
	struct stat status;
	int fd;

	add_tools(w);
	tn_audit_file_close(w->audit);
	fd = open(w->path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, TN_AUDIT_FILE_BYTES_MAX - 2), 0);
	(void)close(fd);
	open_audit(w);
	call(w, "writes", "{}");
	test_run_until(w->t, has_rotated, w);
	assert_int_equal(stat(w->old, &status), 0);
	assert_true(status.st_size > (off_t)TN_AUDIT_FILE_BYTES_MAX);
	assert_int_equal(stat(w->path, &status), 0);
	assert_int_equal(status.st_size, 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	call(w, "writes", "{}");
	expect_written(w, "writes");
	/* The first line of the new file follows the last one of the old. */
	check_chain(w, 2);
}

/* What a killed daemon or an editor left in the file. */
static void test_damaged(void **state)
{
	struct world *w = *state;

	tn_audit_file_close(w->audit);
	assert_int_equal(
		tn_file_write(w->path, 0600,
			      TN_STR("nonsense\n{\"time\":\"t\",\"tool\":\"whole\"}\n\n[1]\n"
				     "{\"time\":\"t\",\"tool\":\"torn"),
			      NULL),
		TENON_OK);
	open_audit(w);
	assert_true(test_fits(entries(w), "{\"entries\":[{\"time\":\"t\",\"tool\":\"whole\"}],"
					  "\"head\":\"<string>\"}"));
	add_tools(w);
	call(w, "writes", "{}");
	expect_written(w, "torn\n{\"time\""); /* on its own line */
}

static void test_ring(void **state)
{
	struct world *w = *state;
	struct tn_audit_entry entry = {.client = TN_STR("x"), .outcome = "ok"};
	char name[16];
	const char *at;
	unsigned count = 0;

	for (unsigned i = 0; i < TN_AUDIT_ENTRIES_KEPT + 7; i++) {
		(void)snprintf(name, sizeof(name), "t%u", i);
		entry.tool = tn_str_from(name);
		tn_audit_file_add(w->audit, &entry);
	}
	for (at = entries(w); (at = strstr(at, "\"tool\"")) != NULL; at++)
		count++;
	assert_int_equal(count, TN_AUDIT_ENTRIES_KEPT);
	assert_null(strstr(w->text.data, "\"t6\""));
	assert_non_null(strstr(w->text.data, "\"t7\""));
	assert_int_equal(tn_audit_file_lost(w->audit), 0);
}

/* A disk that takes nothing: entries wait, and calls go on. */
static void test_no_disk(void **state)
{
	struct world *w = *state;

	tn_audit_file_close(w->audit);
	assert_int_equal(tn_audit_file_open(w->t->server, "/dev/full", &w->audit, NULL), TENON_OK);
	add_tools(w);
	call(w, "writes", "{}");
	test_run_until(w->t, has_waiting, w);
	assert_true(has_waiting(w));
	assert_non_null(strstr(entries(w), "writes"));
	/* More than can wait is given up, and counted. */
	for (size_t i = 0; i < 2 * TN_AUDIT_QUEUE_MAX / 256; i++)
		tn_audit_file_add(w->audit, &(struct tn_audit_entry){.client = TN_STR("Ada"),
								     .tool = TN_STR("writes"),
								     .outcome = "ok"});
	assert_int_not_equal(tn_audit_file_lost(w->audit), 0);
}

static void limit_file(struct world *w, rlim_t more)
{
	struct rlimit limit;
	struct stat status;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(stat(w->path, &status), 0);
	limit.rlim_cur = more == RLIM_INFINITY ? limit.rlim_max : (rlim_t)status.st_size + more;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A disk that is full in the middle of a line, and later has room: the daemon itself leaves no
 * break in the chain, and nothing is lost. */
static void test_full_disk(void **state)
{
	struct world *w = *state;

	add_tools(w);
	call(w, "writes", "{}");
	expect_written(w, "writes");
	limit_file(w, 100);
	call(w, "writes", "{\"a\":1}");
	test_run_until(w->t, has_waiting, w);
	check_chain(w, 1);
	call(w, "writes", "{\"a\":2}");
	limit_file(w, RLIM_INFINITY);
	call(w, "details", "{}");
	expect_written(w, "\"details\"");
	check_chain(w, 4);
	assert_int_equal(tn_audit_file_lost(w->audit), 0);
	assert_null(strstr(entries(w), "waiting"));
}

/* Nobody calls anything any more. */
static void test_room_later(void **state)
{
	struct world *w = *state;

	add_tools(w);
	limit_file(w, 100);
	call(w, "writes", "{}");
	test_run_until(w->t, has_waiting, w);
	limit_file(w, RLIM_INFINITY);
	expect_written(w, "writes");
	check_chain(w, 1);
}

static void test_refused(void **state)
{
	struct world *w = *state;
	struct tn_audit_file *audit = NULL;
	struct tenon_error err;

	assert_int_equal(tn_audit_file_open(w->t->server, w->folder, &audit, &err), TENON_SYSTEM);
	assert_null(audit);
	assert_int_equal(symlink(w->path, w->old), 0);
	assert_int_not_equal(tn_audit_file_open(w->t->server, w->old, &audit, &err), TENON_OK);
	assert_int_equal(tn_audit_file_open(w->t->server, NULL, &audit, &err), TENON_OK);
	tn_audit_file_close(audit);
	tn_audit_file_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_entries),   TEST(test_file),       TEST(test_end_at_any_time),
		TEST(test_rotation),  TEST(test_damaged),    TEST(test_ring),
		TEST(test_full_disk), TEST(test_room_later), TEST(test_no_disk),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
