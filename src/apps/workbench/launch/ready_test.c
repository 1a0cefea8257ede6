/* How a server that a command starts is found (6.4). */
#include "apps/workbench/launch/ready.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* "-": it does not match. */
static void assert_found(const char *pattern, const char *line, const char *want)
{
	struct tn_wb_ready *ready = NULL;
	struct tenon_error err;
	struct tn_buf url;
	bool matches;

	assert_int_equal(tn_wb_ready_create(tn_str_from(pattern), &ready, &err), TENON_OK);
	tn_buf_init(&url, 4096);
	matches = tn_wb_ready_match(ready, tn_str_from(line), &url);
	tn_buf_append_byte(&url, '\0');
	assert_string_equal(matches ? url.data : "-", want);
	tn_buf_finish(&url);
	tn_wb_ready_free(ready);
}

static void the_first_group_of_a_line_is_the_address(void **state)
{
	(void)state;
	assert_found("Local:\\s+(\\S+)", "  > Local:   http://localhost:5173/",
		     "http://localhost:5173/");
	assert_found("Local:\\s+(\\S+)", "  > Network: use --host", "-");
	assert_found("(?:at|on) (https?://[^ ]+) (x)?", "listening on http://[::1]:3000/a ",
		     "http://[::1]:3000/a");
	assert_found("ready in \\d+ ms", "ready in 312 ms", "");
	assert_found("(a)|b", "b", "");
	assert_found("x", "", "-");
	/* One that would take for ever is given up. */
	assert_found("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "-");
}

static void what_is_no_pattern_is_told(void **state)
{
	struct tn_wb_ready *ready = NULL;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_wb_ready_create(TN_STR("(a"), &ready, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "readyPattern is wrong at offset 2"));
	tn_wb_ready_free(NULL);
}

static void an_address_is_one_of_this_machine(void **state)
{
	static const char *const cases[][2] = {
		{"http://localhost:5173", "http://localhost:5173/"},
		{" http://127.0.0.1:80/app/ ", "http://127.0.0.1:80/app/"},
		{"http://0.0.0.0:8000/", "http://127.0.0.1:8000/"},
		{"http://[::]:8000/x?y", "http://localhost:8000/x?y"},
		{"https://[::1]:1/", "https://[::1]:1/"},
		{"http://localhost/", "http://localhost:80/"},
		{"http://example.org/", NULL},
		{"http://192.168.1.7:3000/", NULL},
		{"ftp://localhost/", NULL},
		{"localhost:5173", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_buf url;
		bool found;

		tn_buf_init(&url, 4096);
		found = tn_wb_ready_address(tn_str_from(cases[i][0]), &url);
		tn_buf_append_byte(&url, '\0');
		assert_true(found == (cases[i][1] != NULL));
		if (found)
			assert_string_equal(url.data, cases[i][1]);
		tn_buf_finish(&url);
	}
}

static void somebody_answers_or_nobody_does(void **state)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	unsigned port = tn_wb_ready_port();
	int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
	char url[64], other[64];

	(void)state;
	assert_in_range(port, 1024, 65535);
	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/", port);
	(void)snprintf(other, sizeof(other), "http://localhost:%u/", port);
	assert_false(tn_wb_ready_answers(url, 500));
	here.sin_port = htons((uint16_t)port);
	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&here, sizeof(here)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_false(tn_wb_ready_answers(url, 100)); /* it listens, and says nothing */
	if (fork() == 0) {
		for (;;) {
			int client = accept(fd, NULL, NULL);

			(void)!write(client, "HTTP/1.1 500 No\r\n\r\n", 19);
			(void)close(client);
			if (client < 0)
				_exit(0);
		}
	}
	assert_true(tn_wb_ready_answers(url, 5000));
	assert_true(tn_wb_ready_answers(other, 5000));
	assert_false(tn_wb_ready_answers("http://example.org/", 100));
	assert_false(tn_wb_ready_answers("nonsense", 100));
	(void)shutdown(fd, SHUT_RDWR);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_group_of_a_line_is_the_address),
		cmocka_unit_test(what_is_no_pattern_is_told),
		cmocka_unit_test(an_address_is_one_of_this_machine),
		cmocka_unit_test(somebody_answers_or_nobody_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
