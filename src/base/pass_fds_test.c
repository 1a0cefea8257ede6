/* Descriptors over a socket (pass_fds.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/pass_fds.h"

static void open_line(int line[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line), 0);
}

static void close_line(const int line[2])
{
	assert_int_equal(close(line[0]), 0);
	assert_int_equal(close(line[1]), 0);
}

/* The lowest number that is free: what is not closed is seen by it. */
static int next_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	return fd;
}

static void test_passed(void **state)
{
	int line[2], ends[2], got[4], before = next_fd();
	char byte = 0;

	(void)state;
	open_line(line);
	assert_int_equal(pipe(ends), 0);
	assert_true(tn_pass_fds_send(line[0], ends, 2));
	assert_int_equal(tn_pass_fds_receive(line[1], got, 4), 2);
	assert_int_equal(fcntl(got[0], F_GETFD), FD_CLOEXEC);
	assert_int_equal(write(got[1], "x", 1), 1);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	for (int i = 0; i < 2; i++) {
		assert_int_equal(close(ends[i]), 0);
		assert_int_equal(close(got[i]), 0);
	}
	close_line(line);
	assert_int_equal(next_fd(), before);
}

static void test_refused(void **state)
{
	int line[2], fds[TN_PASS_FDS_MAX + 1] = {0}, got[2], before = next_fd();

	(void)state;
	open_line(line);
	assert_false(tn_pass_fds_send(line[0], fds, 0));
	assert_false(tn_pass_fds_send(line[0], fds, TN_PASS_FDS_MAX + 1));
	/* More than there is room for: none is left open. */
	assert_true(tn_pass_fds_send(line[0], fds, 3));
	assert_int_equal(tn_pass_fds_receive(line[1], got, 2), 0);
	/* A message without any, one that is empty, and the end. */
	assert_int_equal(send(line[0], "", 1, 0), 1);
	assert_int_equal(tn_pass_fds_receive(line[1], got, 2), 0);
	assert_int_equal(close(line[0]), 0);
	assert_int_equal(tn_pass_fds_receive(line[1], got, 2), 0);
	assert_int_equal(close(line[1]), 0);
	assert_int_equal(next_fd(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passed),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
