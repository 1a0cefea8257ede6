/* Programs on PTYs as the daemon has them: ends, bytes, pipes, limits. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty_kit.h"
#include "base/limits.h"
#include "base/size.h"

/* terminal.md 5.3, 13: how a program ends, or why it never began */
static void test_ends(void **state)
{
	static const struct {
		const char *script;
		int status;
	} cases[] = {{"exit 0", 0},
		     {"exit 3", 3 << 8},
		     {"kill -9 $$", SIGKILL},
		     {"kill -15 $$", SIGTERM}};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct kit_session *s = kit_script(&kit, cases[i].script);

		kit_until_ended(s);
		assert_int_equal(s->status, cases[i].status);
	}
	kit_close(&kit, false);
}

static void test_hello(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "echo hello; tty; stty size; echo \"$PATH\"; pwd; umask; ulimit -c");
	kit_until_ended(s);
	tn_buf_append_byte(&s->out[0], 0);
	assert_non_null(strstr(s->out[0].data, "hello\r\n/dev/pts/"));
	assert_non_null(strstr(s->out[0].data, "24 80\r\n/usr/local/bin:/usr/bin:/bin\r\n/\r\n"
					       "0022\r\n0\r\n"));
	kit_close(&kit, false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_hello),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
