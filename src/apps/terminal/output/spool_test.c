#include "apps/terminal/output/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { KIB = 1024 };

static char root[64], folder[80];

static int set_up(void **state)
{
	(void)state;
	(void)snprintf(root, sizeof(root), "/tmp/tenon-spool-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(folder, sizeof(folder), "%s/s", root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		(void)snprintf(command, sizeof(command), "rm -rf '%s'", root);
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	return waitpid(child, &status, 0) == child && status == 0 ? 0 : -1;
}

/* The byte at each stream offset. */
static char byte_at(uint64_t offset)
{
	return (char)((offset * 2654435761u) >> 13);
}

static enum tenon_code try_some(struct tn_spool *spool, uint64_t at, size_t size,
				struct tenon_error *err)
{
	char *bytes = test_malloc(size + 1);
	enum tenon_code code;

	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(at + i);
	code = tn_spool_write(spool, at, tn_str(bytes, size), err);
	test_free(bytes);
	return code;
}

static enum tenon_code write_some(struct tn_spool *spool, uint64_t at, size_t size)
{
	struct tenon_error err;

	return try_some(spool, at, size, &err);
}

static void check_content(struct tn_spool *spool, uint64_t begin, uint64_t end)
{
	struct tenon_error err;
	struct tn_buf out;

	assert_int_equal(tn_spool_begin(spool), begin);
	assert_int_equal(tn_spool_end(spool), end);
	tn_buf_init(&out, 64 * TN_MIB);
	while (begin < end) {
		tn_buf_clear(&out);
		assert_int_equal(tn_spool_read(spool, begin, 100 * KIB, &out, &err), TENON_OK);
		assert_true(out.size > 0);
		for (size_t i = 0; i < out.size; i++)
			if (out.data[i] != byte_at(begin + i))
				fail_msg("wrong byte at %llu", (unsigned long long)(begin + i));
		begin += out.size;
	}
	tn_buf_clear(&out);
	assert_int_equal(tn_spool_read(spool, end, KIB, &out, &err), TENON_OK);
	assert_int_equal(tn_spool_read(spool, end + 5, KIB, &out, &err), TENON_OK);
	assert_int_equal(out.size, 0);
	tn_buf_finish(&out);
}

static struct tn_spool *open_spool(const char *path, uint64_t bytes_max,
				   struct tn_spool_budget *budget)
{
	struct tn_spool *spool = NULL;
	struct tenon_error err;

	assert_int_equal(tn_spool_open(path, bytes_max, budget, &spool, &err), TENON_OK);
	return spool;
}

static unsigned count_files(const char *path)
{
	DIR *list = opendir(path);
	unsigned count = 0;

	assert_non_null(list);
	while (readdir(list))
		count++;
	(void)closedir(list);
	return count - 2;
}

static void test_writes_and_reads(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, 64 * TN_MIB, &budget);
	struct stat info;
	char path[160];

	(void)state;
	check_content(spool, 0, 0);
	assert_int_equal(write_some(spool, 0, 0), TENON_OK);
	assert_int_equal(write_some(spool, 0, 3), TENON_OK);
	assert_int_equal(write_some(spool, 3, 9 * TN_MIB), TENON_OK); /* over segments' borders */
	check_content(spool, 0, 9 * TN_MIB + 3);
	assert_int_equal(budget.bytes, 9 * TN_MIB + 3);
	assert_int_equal(count_files(folder), 3);

	assert_int_equal(stat(folder, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	(void)snprintf(path, sizeof(path), "%s/0000000000400000.out", folder);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_int_equal(info.st_size, 4 * TN_MIB);

	tn_spool_remove(spool);
	assert_int_equal(budget.bytes, 0);
	assert_null(budget.first);
	assert_int_not_equal(stat(folder, &info), 0);
}

/* The design: a killed daemon wrote, but did not consume. */
static void test_written_over(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, 64 * TN_MIB, &budget);

	(void)state;
	assert_int_equal(write_some(spool, 0, 9 * TN_MIB), TENON_OK);
	assert_int_equal(write_some(spool, 9 * TN_MIB - 10, 5), TENON_OK);
	check_content(spool, 0, 9 * TN_MIB - 5);
	assert_int_equal(write_some(spool, 4 * TN_MIB - 1, 3), TENON_OK);
	check_content(spool, 0, 4 * TN_MIB + 2);
	assert_int_equal(write_some(spool, 4 * TN_MIB, 1), TENON_OK);
	check_content(spool, 0, 4 * TN_MIB + 1);
	assert_int_equal(budget.bytes, 4 * TN_MIB + 1);
	assert_int_equal(write_some(spool, 0, 1), TENON_OK);
	check_content(spool, 0, 1);
	assert_int_equal(budget.bytes, 1);
	assert_int_equal(count_files(folder), 1);
	/* A hole: nothing before it is kept. */
	assert_int_equal(write_some(spool, 1000, 10), TENON_OK);
	check_content(spool, 1000, 1010);
	assert_int_equal(write_some(spool, 7, 10), TENON_OK);
	check_content(spool, 7, 17);
	assert_int_equal(budget.bytes, 10);
	tn_spool_remove(spool);
}

/* terminal.md 6.1: the oldest segments are dropped first; a reader is told */
static void test_session_budget(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, 8 * TN_MIB, &budget);
	struct tenon_error err;
	struct tn_buf out;

	(void)state;
	for (uint64_t at = 0; at < 50 * TN_MIB; at += 256 * KIB) {
		assert_int_equal(write_some(spool, at, 256 * KIB), TENON_OK);
		assert_true(tn_spool_end(spool) - tn_spool_begin(spool) <= 8 * TN_MIB);
		assert_int_equal(budget.bytes, tn_spool_end(spool) - tn_spool_begin(spool));
	}
	assert_true(budget.bytes > 6 * TN_MIB);
	check_content(spool, tn_spool_begin(spool), 50 * TN_MIB);
	tn_buf_init(&out, KIB);
	assert_int_equal(tn_spool_read(spool, tn_spool_begin(spool) - 1, 1, &out, &err),
			 TENON_EXPIRED);
	assert_int_equal(tn_spool_read(spool, tn_spool_begin(spool), 2 * KIB, &out, &err),
			 TENON_LIMIT);
	tn_buf_finish(&out);
	assert_true(count_files(folder) <= 9);
	tn_spool_close(spool);
}

/* terminal.md 6.1: 2 GiB in all */
static void test_total_budget(void **state)
{
	struct tn_spool_budget budget = {.bytes_max = 8 * TN_MIB};
	struct tn_spool *big, *small, *last;
	char path[160];

	(void)state;
	big = open_spool(folder, 128 * TN_MIB, &budget);
	(void)snprintf(path, sizeof(path), "%s/t", root);
	small = open_spool(path, 128 * TN_MIB, &budget);
	(void)snprintf(path, sizeof(path), "%s/u", root);
	last = open_spool(path, 128 * TN_MIB, &budget);
	assert_int_equal(write_some(big, 0, 5 * TN_MIB), TENON_OK);
	assert_int_equal(write_some(small, 0, 3 * TN_MIB), TENON_OK);
	check_content(big, 0, 5 * TN_MIB);
	assert_int_equal(write_some(last, 0, 1), TENON_OK);
	check_content(small, 0, 3 * TN_MIB); /* the largest gives */
	check_content(last, 0, 1);
	assert_true(tn_spool_begin(big) > 0 && tn_spool_begin(big) < TN_MIB);
	for (uint64_t at = 1; at < 20 * TN_MIB; at += 100 * KIB) {
		assert_int_equal(write_some(last, at, 100 * KIB), TENON_OK);
		assert_true(budget.bytes <= budget.bytes_max);
	}
	assert_true(tn_spool_end(small) - tn_spool_begin(small) >= 2 * TN_MIB);
	check_content(big, tn_spool_begin(big), 5 * TN_MIB);
	tn_spool_close(small);
	tn_spool_close(last);
	tn_spool_close(big);
	assert_int_equal(budget.bytes, 0);
}

static void test_recovery(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, 64 * TN_MIB, &budget);
	char path[160], name[160];

	(void)state;
	assert_int_equal(write_some(spool, 100, 13 * TN_MIB), TENON_OK);
	tn_spool_close(spool);
	spool = open_spool(folder, 64 * TN_MIB, &budget);
	check_content(spool, 100, 13 * TN_MIB + 100);
	assert_int_equal(write_some(spool, 13 * TN_MIB + 100, 10), TENON_OK);
	tn_spool_close(spool);

	/* Names that are not ours stay what they are; a link is no segment. */
	(void)snprintf(path, sizeof(path), "%s/journal", folder);
	assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
	(void)snprintf(path, sizeof(path), "%s/00000000ff000000.out", folder);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	(void)snprintf(path, sizeof(path), "%s/00000000FE000000.out", folder);
	assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
	spool = open_spool(folder, 64 * TN_MIB, &budget);
	check_content(spool, 100, 13 * TN_MIB + 110);
	tn_spool_close(spool);

	/* A hole: what is before it goes. */
	(void)snprintf(path, sizeof(path), "%s/%016lx.out", folder,
		       (unsigned long)(4 * TN_MIB + 100));
	assert_int_equal(truncate(path, 1000), 0);
	spool = open_spool(folder, 64 * TN_MIB, &budget);
	check_content(spool, 8 * TN_MIB + 100, 13 * TN_MIB + 110);
	assert_int_equal(budget.bytes, 5 * TN_MIB + 10);
	/* A smaller budget than before. */
	tn_spool_close(spool);
	spool = open_spool(folder, 2 * TN_MIB, &budget);
	check_content(spool, 12 * TN_MIB + 100, 13 * TN_MIB + 110);
	(void)snprintf(name, sizeof(name), "%s/journal", folder);
	assert_int_equal(access(name, F_OK), 0);
	tn_spool_remove(spool);
	assert_int_not_equal(access(folder, F_OK), 0);
}

static void test_folder_is_no_link(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = NULL;
	struct tenon_error err;

	(void)state;
	assert_int_equal(symlink("/tmp", folder), 0);
	assert_int_not_equal(tn_spool_open(folder, TN_MIB, &budget, &spool, &err), TENON_OK);
	assert_null(spool);
	assert_null(strstr(err.message, folder));
	assert_null(budget.first);
}

/* It is full, for this reason, and nothing of it is written. */
static void expect_full(struct tn_spool *spool, uint64_t at, size_t size, int error_number)
{
	struct tenon_error err = {0};

	assert_int_equal(try_some(spool, at, size, &err), TENON_LIMIT);
	assert_int_equal(err.sys_errno, error_number);
}

/* Fills the limit; whatever did not fit was not written, and then writing goes on. */
static void check_full(uint64_t bytes_max)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, bytes_max, &budget);
	enum tenon_code code = TENON_OK;
	uint64_t at = 0;

	while (code == TENON_OK && at < 8 * TN_MIB) {
		code = write_some(spool, at, 100 * KIB + 1);
		if (code == TENON_OK)
			at += 100 * KIB + 1;
	}
	assert_int_equal(code, TENON_LIMIT);
	check_content(spool, 0, at);
	assert_int_equal(budget.bytes, at);
	expect_full(spool, at, 100 * KIB + 1, EFBIG);
	check_content(spool, 0, at);
	assert_int_equal(write_some(spool, at - 200 * KIB, 10), TENON_OK);
	assert_int_equal(write_some(spool, at - 200 * KIB + 10, 100 * KIB), TENON_OK);
	check_content(spool, 0, at - 100 * KIB + 10);
	tn_spool_remove(spool);
}

/* terminal.md 16: full disk */
static void test_file_limit(void **state)
{
	struct rlimit before, limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	limit = (struct rlimit){.rlim_cur = 1500 * KIB, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	check_full(64 * TN_MIB);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* Old output goes before a program has to wait: first where there is most, then what is left. */
static void check_gives(uint64_t bytes_max)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool, *other;
	uint64_t at = 0;
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/other", root);
	spool = open_spool(folder, bytes_max, &budget);
	other = open_spool(path, bytes_max, &budget);
	assert_int_equal(write_some(other, 0, TN_MIB), TENON_OK);
	assert_false(tn_spool_clear_gave(spool));
	for (int i = 0; i < 100; i++, at += 100 * KIB + 1)
		assert_int_equal(write_some(spool, at, 100 * KIB + 1), TENON_OK);
	assert_true(tn_spool_clear_gave(spool));
	assert_false(tn_spool_clear_gave(spool));
	check_content(spool, tn_spool_begin(spool), at);
	assert_in_range(at - tn_spool_begin(spool), 200 * KIB, 3 * TN_MIB);
	assert_int_equal(budget.bytes,
			 at - tn_spool_begin(spool) + tn_spool_end(other) - tn_spool_begin(other));
	/* One write that is larger than what is left of the disk takes everything. */
	assert_int_equal(write_some(spool, at, 2800 * KIB), TENON_OK);
	assert_int_equal(tn_spool_begin(other), tn_spool_end(other));
	expect_full(spool, at + 2800 * KIB, 4 * TN_MIB, ENOSPC);
	check_content(spool, tn_spool_begin(spool), at + 2800 * KIB);
	tn_spool_remove(other);
	tn_spool_remove(spool);
}

/* All that the disk has left is somebody else's then. */
static void fill_disk(const char *path)
{
	static const char bytes[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	while (write(fd, bytes, sizeof(bytes)) > 0)
		continue;
	assert_int_equal(errno, ENOSPC);
	(void)close(fd);
}

/* Others have filled the disk: whatever did not fit was not written, and with room writing goes
 * on. */
static void check_full_of_others(uint64_t bytes_max)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, bytes_max, &budget);
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/theirs", root);
	fill_disk(path);
	for (int i = 0; i < 3; i++) {
		expect_full(spool, 0, 100 * KIB + 1, ENOSPC);
		check_content(spool, 0, 0);
		assert_int_equal(budget.bytes, 0);
		assert_false(tn_spool_clear_gave(spool));
		assert_false(tn_spool_make_room(&budget));
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(write_some(spool, 0, 100 * KIB + 1), TENON_OK);
	fill_disk(path);
	/* What there is goes, and is too little; nothing of the new is there. */
	expect_full(spool, 100 * KIB + 1, TN_MIB, ENOSPC);
	check_content(spool, 100 * KIB + 1, 100 * KIB + 1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(write_some(spool, 100 * KIB + 1, TN_MIB), TENON_OK);
	check_content(spool, 100 * KIB + 1, 100 * KIB + 1 + TN_MIB);
	tn_spool_remove(spool);
}

/* For a file that is in no spool: the one that has most gives, closed or not, and none gives
 * what is hardly worth it. */
static void check_makes_room(uint64_t bytes_max)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, bytes_max, &budget), *other;
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/other", root);
	other = open_spool(path, bytes_max, &budget);
	assert_int_equal(write_some(spool, 0, TN_MIB), TENON_OK);
	assert_int_equal(write_some(other, 0, 1000), TENON_OK);
	(void)snprintf(path, sizeof(path), "%s/theirs", root);
	fill_disk(path);
	assert_true(tn_spool_make_room(&budget));
	assert_true(tn_spool_begin(spool) > 0);
	assert_int_equal(budget.bytes, 1000 + tn_spool_end(spool) - tn_spool_begin(spool));
	check_content(spool, tn_spool_begin(spool), TN_MIB);
	while (tn_spool_make_room(&budget))
		check_content(other, 0, 1000);
	check_content(other, 0, 1000);
	assert_true(tn_spool_end(spool) - tn_spool_begin(spool) < 16 * KIB);
	assert_int_equal(write_some(spool, TN_MIB, 100), TENON_OK);
	check_content(spool, tn_spool_begin(spool), TN_MIB + 100);
	assert_int_equal(unlink(path), 0);
	tn_spool_remove(other);
	tn_spool_remove(spool);
}

static void test_full_disk(void **state)
{
	(void)state;
	if (mount("tenon", root, "tmpfs", 0, "size=3m,mode=700") != 0)
		skip();           /* only root may; test_file_limit is the other half */
	check_gives(4 * TN_MIB);  /* several segments */
	check_gives(64 * TN_MIB); /* one segment is more than the disk */
	check_full_of_others(4 * TN_MIB);
	check_full_of_others(64 * TN_MIB);
	check_makes_room(4 * TN_MIB);
	check_makes_room(64 * TN_MIB);
	assert_int_equal(umount(root), 0);
}

static void test_few_descriptors(void **state)
{
	struct tn_spool_budget budget = {0};
	struct tn_spool *spool = open_spool(folder, 4 * TN_MIB, &budget);
	unsigned before = count_files("/proc/self/fd");

	(void)state;
	assert_int_equal(write_some(spool, 0, 4 * TN_MIB), TENON_OK);
	check_content(spool, 0, 4 * TN_MIB);
	assert_true(count_files("/proc/self/fd") <= before + 1);
	tn_spool_remove(spool);
	assert_int_equal(count_files("/proc/self/fd"), before - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_writes_and_reads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_session_budget, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_total_budget, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_recovery, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_folder_is_no_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_file_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_few_descriptors, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
