/* MCP-081, MCP-082: what a handler or a library prints goes to standard error, whichever way it is
 * printed, and standard output has messages only. The server is a process of its own here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "tenon/result.h"
#include "tenon/server.h"

static const char asked[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
	"\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
	"call\",\"params\":{\"name\":\"print\"}}\n";
static const char answered[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":"
			       "\"text\",\"text\":\"said\"}]}}\n";

static void print(struct tenon_call *call, void *data)
{
	pid_t child;

	(void)data;
	(void)printf("stray by printf\n");
	(void)fflush(stdout);
	(void)!write(STDOUT_FILENO, "stray by write\n", 15);
	child = fork();
	if (child == 0) {
		(void)execl("/bin/echo", "echo", "stray by a child", (char *)NULL);
		_exit(1);
	}
	(void)waitpid(child, NULL, 0); /* its words are looked for */
	tenon_call_reply_text(call, "said");
}

static void serve(void)
{
	const struct tenon_server_options options = {.name = "t", .version = "1"};
	const struct tenon_tool tool = {.name = "print", .description = "d", .call = print};
	struct tenon_server *server = NULL;
	struct tenon_error err;

	if (tenon_server_create(&options, &server, &err) != TENON_OK ||
	    tenon_server_add_tool(server, &tool, &err) != TENON_OK ||
	    tenon_server_run_stdio(server, &err) != TENON_OK)
		exit(1);
	tenon_server_destroy(server);
	(void)printf("stray at the end\n");
	exit(0);
}

static void read_all(int fd, char *out, size_t size)
{
	size_t have = 0;
	ssize_t got;

	while ((got = read(fd, out + have, size - 1 - have)) > 0)
		have += (size_t)got;
	out[have] = '\0';
	(void)close(fd);
}

static void test_stray_prints(void **state) /* MCP-081, MCP-082 */
{
	static const char *const strays[] = {"stray by printf\n", "stray by write\n",
					     "stray by a child\n", "stray at the end\n"};
	char out[4096], said[4096];
	int in_pipe[2], out_pipe[2], err_pipe[2], status;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(in_pipe), 0);
	assert_int_equal(pipe(out_pipe), 0);
	assert_int_equal(pipe(err_pipe), 0);
	(void)fflush(stdout); /* or the child has a copy of what waits */
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (dup2(in_pipe[0], 0) < 0 || dup2(out_pipe[1], 1) < 0 || dup2(err_pipe[1], 2) < 0)
			_exit(1);
		for (int i = 0; i < 2; i++) {
			(void)close(in_pipe[i]); /* the three above stay */
			(void)close(out_pipe[i]);
			(void)close(err_pipe[i]);
		}
		serve();
	}
	(void)close(in_pipe[0]);
	(void)close(out_pipe[1]);
	(void)close(err_pipe[1]);
	assert_int_equal(write(in_pipe[1], asked, sizeof(asked) - 1), sizeof(asked) - 1);
	(void)close(in_pipe[1]);
	read_all(out_pipe[0], out, sizeof(out)); /* little enough for the pipes */
	read_all(err_pipe[0], said, sizeof(said));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);

	assert_null(strstr(out, "stray"));
	assert_true(tn_str_starts(tn_str_from(out),
				  TN_STR("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":")));
	assert_true(tn_str_ends(tn_str_from(out), tn_str_from(answered)));
	assert_int_equal(strlen(strchr(out, '\n') + 1), strlen(answered)); /* two lines */
	for (size_t i = 0; i < sizeof(strays) / sizeof(strays[0]); i++)
		assert_non_null(strstr(said, strays[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_stray_prints)};

	return cmocka_run_group_tests_name("stray_print", tests, NULL, NULL);
}
