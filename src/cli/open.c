/* tenon open: the page, in the browser of whoever sits here.
 *
 * The person token must not stand in the words of a process: every local user reads those. So the
 * browser is given the address of a door of this process, which sends one caller on to the page:
 * one of our own user (the kernel says whose end of the connection it is), once, soon. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/size.h"
#include "cli/person.h"
#include "host/ancestry.h"
#include "jsonrpc/json_write.h"

enum { PATIENCE_MS = 30000, REQUEST_MS = 2000, REQUEST_BYTES = 8192 };

extern char **environ;

struct door {
	int fd;
	uint16_t port;
	char path[TN_RNG_TOKEN_SIZE(32) + 1]; /* "/..." */
	const char *target;                   /* the page's address, with the token */
};

/* ---- the door ---- */

static bool open_door(struct door *d)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(at);

	d->path[0] = '/';
	tn_rng_token(d->path + 1, 32);
	d->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (d->fd < 0 || bind(d->fd, (const struct sockaddr *)&at, sizeof(at)) != 0 ||
	    listen(d->fd, 8) != 0 || getsockname(d->fd, (struct sockaddr *)&at, &size) != 0)
		return false;
	d->port = ntohs(at.sin_port);
	return true;
}

/* The head of a request; false: none came, or no sensible one. */
static bool read_head(int fd, char head[REQUEST_BYTES])
{
	struct pollfd look = {.fd = fd, .events = POLLIN};
	size_t size = 0;

	while (size + 1 < REQUEST_BYTES && poll(&look, 1, REQUEST_MS) == 1) {
		ssize_t got = read(fd, head + size, REQUEST_BYTES - 1 - size);

		if (got <= 0)
			return false;
		size += (size_t)got;
		head[size] = '\0';
		if (strstr(head, "\r\n\r\n"))
			return true;
	}
	return false;
}

static bool is_ours(const struct sockaddr_in *from, const struct door *d)
{
	uid_t uid;

	return tn_socket_owner(ntohs(from->sin_port), d->port, &uid) && uid == geteuid();
}

static bool asks_for(const char *head, const struct door *d)
{
	char line[sizeof(d->path) + 32];
	int size = snprintf(line, sizeof(line), "GET %s HTTP/1.", d->path);

	return strncmp(head, line, (size_t)size) == 0;
}

/* True: somebody of ours has been sent on to the page. */
static bool answer(const struct door *d, int fd, const struct sockaddr_in *from)
{
	char head[REQUEST_BYTES], reply[1024];
	bool granted = is_ours(from, d) && read_head(fd, head) && asks_for(head, d);
	int size;

	if (granted)
		size = snprintf(reply, sizeof(reply),
				"HTTP/1.1 302 Found\r\nLocation: %s\r\nCache-Control: no-store\r\n"
				"Referrer-Policy: no-referrer\r\nContent-Length: 0\r\n"
				"Connection: close\r\n\r\n",
				d->target);
	else
		size = snprintf(reply, sizeof(reply),
				"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
				"Connection: close\r\n\r\n");
	(void)send(fd, reply, (size_t)size, MSG_NOSIGNAL);
	explicit_bzero(reply, sizeof(reply));
	return granted;
}

static int64_t now_ms(void)
{
	return (int64_t)tn_clock_now_ms(&tn_clock_system);
}

static bool serve_once(const struct door *d)
{
	int64_t until = now_ms() + PATIENCE_MS;
	bool granted = false;

	while (!granted && now_ms() < until) {
		struct pollfd look = {.fd = d->fd, .events = POLLIN};
		struct sockaddr_in from;
		socklen_t size = sizeof(from);
		int fd;

		if (poll(&look, 1, (int)(until - now_ms())) != 1)
			continue;
		fd = accept4(d->fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		granted = answer(d, fd, &from);
		(void)close(fd); /* all is said */
	}
	return granted;
}

/* ---- the browser ---- */

static bool has_display(void)
{
	static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return true;
	}
	return false;
}

/* False: there is no xdg-open. */
static bool start_browser(const struct door *d, pid_t *ret)
{
	char program[] = "xdg-open";
	char address[128];
	char *const argv[] = {program, address, NULL};
	posix_spawn_file_actions_t actions;
	int code;

	(void)snprintf(address, sizeof(address), "http://127.0.0.1:%u%s", (unsigned)d->port,
		       d->path);
	(void)posix_spawn_file_actions_init(&actions);
	/* A browser writes what it likes; our standard output is for results. */
	(void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	code = posix_spawnp(ret, program, &actions, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return code == 0;
}

/* ---- the verb ---- */

static int print(const struct tn_cli *cli, const char *address)
{
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, 4096);
	if (cli->json) {
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "url", address);
		tn_json_end_object(&out);
	} else {
		tn_buf_append_text(&out, address);
	}
	tn_buf_append_byte(&out, '\n');
	exit = tn_cli_write(cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

static int open_page(const struct tn_cli *cli, const char *address)
{
	struct door d = {.fd = -1, .target = address};
	bool opened = false;
	pid_t browser = 0;
	int exit = TN_EXIT_OK;

	if (open_door(&d) && start_browser(&d, &browser))
		opened = serve_once(&d);
	if (d.fd >= 0)
		(void)close(d.fd); /* only listened */
	if (browser)
		(void)waitpid(browser, NULL, WNOHANG); /* it may live on */
	if (opened) {
		tn_cli_note(cli, "the page is open in the browser");
	} else {
		tn_cli_note(cli, "no browser came; open this address yourself, and give it to "
				 "nobody:");
		exit = print(cli, address);
	}
	return exit;
}

int tn_cli_open(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "open"};
	bool prints = false;
	const struct tn_option list[] = {
		{.name = "print",
		 .kind = TN_OPTION_FLAG,
		 .value = &prints,
		 .help = "print the address instead; whoever has it is you"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &cli.json,
		 .help = "one line of JSON; mistakes likewise"},
	};
	const struct tn_options options = {
		.usage = "tenon open [--print] [--json]",
		.summary =
			"Opens the page in the browser, as a person who may approve; starts the "
			"daemon unless it\nruns. Without a display the address is printed. In a "
			"terminal of your own: what an AI host\nhas started does not speak for a "
			"person.",
		.options = list,
		.option_count = TN_COUNT(list),
	};
	struct tn_person person;
	char address[sizeof(person.url) + sizeof(person.token) + 16];
	size_t words;
	int exit;

	if (!tn_cli_begin(&cli, &options, argc, argv, &words, &exit))
		return exit;
	exit = tn_person_ask(&cli, &person);
	if (exit != TN_EXIT_OK)
		return exit;
	(void)snprintf(address, sizeof(address), "%s/#token=%s", person.url, person.token);
	exit = prints || !has_display() ? print(&cli, address) : open_page(&cli, address);
	explicit_bzero(address, sizeof(address));
	explicit_bzero(&person, sizeof(person));
	return exit;
}
