#include "host/person/consent_said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/limits.h"

/* What a child, or (`deep`) a descendant whose parents have ended, or `waits` for it, of a process
 * called `name` makes of `value`: 'n' for nothing. */
static char said_below(const char *name, const char *value, int deep, bool waits)
{
	int ends[2];
	char got = '?';
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)prctl(PR_SET_NAME, name);
		(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
		for (int i = 0; i <= deep; i++) {
			pid_t parent = getpid();

			if (fork() != 0) {
				if (i == 0 || waits) {
					while (wait(NULL) > 0)
						; /* a keeper lives as long as what is below it */
				}
				_exit(0);
			}
			(void)prctl(PR_SET_NAME, "innocent");
			while (!waits && deep && i == deep && getppid() == parent)
				(void)usleep(1000);
		}
		(void)setsid();
		if (value)
			(void)setenv("TENON_CONSENT", value, 1);
		else
			(void)unsetenv("TENON_CONSENT");
		value = tn_consent_said();
		(void)!write(ends[1], value ? value : "n", 1);
		_exit(0);
	}
	(void)close(ends[1]);
	assert_int_equal(read(ends[0], &got, 1), 1);
	(void)close(ends[0]);
	(void)waitpid(pid, NULL, 0);
	return got;
}

static void counts_for_whoever_starts_it(void **state)
{
	(void)state;
	assert_int_equal(said_below("bash", "allow", 0, false), 'a');
	assert_int_equal(said_below("bash", "deny", 0, false), 'd');
	assert_int_equal(said_below("bash", NULL, 0, false), 'n');
}

static void does_not_count_below_a_terminal_of_ours(void **state)
{
	(void)state;
	assert_int_equal(said_below("tenond", "allow", 0, false), 'n');
	assert_int_equal(said_below("tenond", "allow", 1, false), 'n');
	assert_int_equal(said_below("tenond", "deny", 0, false),
			 'd'); /* asks for less, not for more */
	assert_int_equal(said_below("tenond", NULL, 0, false), 'n');
	/* Nor where it hides behind more wrappers than are looked through. */
	assert_int_equal(said_below("tenond", "allow", TN_ANCESTORS_MAX + 2, true), 'n');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_for_whoever_starts_it),
		cmocka_unit_test(does_not_count_below_a_terminal_of_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
