/* Secrets leave what /proc shows of the environment, and stay where getenv finds them
 * (terminal.md 10.3). It happens in a process of its own: it cannot be undone. */
#include "host/record/privacy.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"

#define CANARY "canary-5b2e-canary"

static char *const variables[] = {"PATH=/usr/bin:/bin",
				  "GITHUB_TOKEN=" CANARY,
				  "PLAIN=seen",
				  "ODD=" CANARY,
				  "DATABASE=postgres://user:" CANARY "@host/x",
				  "EMPTY_PASSWORD=",
				  "NOT A VARIABLE",
				  NULL};

/* What /proc says, or nothing when it says nothing even to us. */
static size_t read_block(char *out, size_t size)
{
	int fd = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, out, size);

	if (fd >= 0)
		(void)close(fd);
	return got > 0 ? (size_t)got : 0;
}

static bool is_value(const char *name, const char *wanted)
{
	const char *value = getenv(name);

	return value && strcmp(value, wanted) == 0;
}

static bool are_found(void)
{
	static const char *const rows[][2] = {
		{"GITHUB_TOKEN", CANARY}, {"ODD", CANARY},
		{"PLAIN", "seen"},        {"OWN_SECRET", CANARY},
		{"EMPTY_PASSWORD", ""},   {"DATABASE", "postgres://user:" CANARY "@host/x"},
	};
	size_t found = 0;

	for (size_t i = 0; i < TN_COUNT(rows); i++)
		found += is_value(rows[i][0], rows[i][1]);
	return found == TN_COUNT(rows);
}

/* In the process with those variables: 0, or which check has failed. */
static int check(void)
{
	static const char *const more[] = {"ODD", NULL};
	char block[65536];
	struct rlimit core;
	size_t size = read_block(block, sizeof(block));

	if (!memmem(block, size, CANARY, strlen(CANARY)))
		return 1; /* it would prove nothing */
	(void)setenv("OWN_SECRET", CANARY, 1);
	tn_privacy_begin(more);
	size = read_block(block, sizeof(block));
	if (memmem(block, size, CANARY, strlen(CANARY)))
		return 2;
	if (geteuid() == 0 && !memmem(block, size, "PLAIN=seen", 11))
		return 3;
	if (!are_found())
		return 4;
	if (prctl(PR_GET_DUMPABLE) != 0 || getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0)
		return 5;
	tn_privacy_begin(NULL); /* a second time changes nothing */
	tn_privacy_forget("GITHUB_TOKEN");
	tn_privacy_forget("GITHUB_TOKEN"); /* once is enough */
	tn_privacy_forget("GITHUB");
	(void)setenv("ODD", "new", 1);
	if (getenv("GITHUB_TOKEN") || !is_value("ODD", "new") || !is_value("PLAIN", "seen"))
		return 6;
	return 0;
}

static void secrets_move(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		char *const argv[] = {"privacy_test", "check", NULL};

		(void)execve("/proc/self/exe", argv, variables);
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(secrets_move)};

	if (argc > 1 && strcmp(argv[1], "check") == 0)
		_exit(check()); /* what setenv replaces is lost, as ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
