/* tenon open: the page, in the browser of whoever sits here.
 *
 * The person token must not stand in the words of a process: every local user reads those. So the
 * browser is given the address of a door of this process, which sends one caller on to the page,
 * once, soon: one that the daemon says is no client's (it knows them), with a token of that page
 * alone. */
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
#include "cli/shared/person.h"
#include "host/person/ancestry.h"
#include "jsonrpc/json_write.h"

enum { PATIENCE_MS = 30000, REQUEST_MS = 2000, REQUEST_BYTES = 8192, LINGER_MS = 3000 };

extern char **environ;

/* Who came for the page. */
struct visitor {
	int64_t process; /* 0: not known */
	char name[64];
	char token[TN_TOKEN_TEXT_MAX]; /* of this page alone; "": it gets none */
};

struct door {
	int fd;
	uint16_t port;
	char path[TN_RNG_TOKEN_SIZE(32) + 1]; /* "/..." */
	const struct tn_cli *cli;
	const char *url;             /* of the page */
	struct tenon_client *client; /* a person at the daemon */
	struct visitor first;        /* whom the page was given to */
	bool taken;                  /* somebody else came, too: it was withdrawn */
};

static int64_t now_ms(void)
{
	return (int64_t)tn_clock_now_ms(&tn_clock_system);
}

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

/* The head of a request, in REQUEST_MS however it drips: the browser waits behind it. False: none
 * came, or no sensible one. */
static bool read_head(int fd, char head[REQUEST_BYTES])
{
	int64_t now = now_ms(), until = now + REQUEST_MS;
	struct pollfd look = {.fd = fd, .events = POLLIN};
	size_t size = 0;

	for (; size + 1 < REQUEST_BYTES && now < until; now = now_ms()) {
		ssize_t got;

		if (poll(&look, 1, (int)(until - now)) != 1)
			return false;
		got = read(fd, head + size, REQUEST_BYTES - 1 - size);
		if (got <= 0)
			return false;
		size += (size_t)got;
		head[size] = '\0';
		if (strstr(head, "\r\n\r\n"))
			return true;
	}
	return false;
}

static bool asks_for(const char *head, const struct door *d)
{
	char line[sizeof(d->path) + 32];
	int size = snprintf(line, sizeof(line), "GET %s HTTP/1.", d->path);

	return strncmp(head, line, (size_t)size) == 0;
}

/* Whose the connection is, as the daemon finds it, which knows its clients. */
static bool judge(struct door *d, const struct sockaddr_in *from, struct visitor *ret)
{
	const struct tn_json *result = NULL;
	struct tn_arena arena;
	struct tn_str name = {"unknown", 7}, token;
	char arguments[64];
	bool asked;

	*ret = (struct visitor){.process = 0};
	(void)snprintf(arguments, sizeof(arguments), "{\"port\":%u,\"door\":%u}",
		       (unsigned)ntohs(from->sin_port), (unsigned)d->port);
	tn_arena_init(&arena, 64 * TN_KIB);
	asked = tn_person_call(d->cli, d->client, "open_page", arguments, &arena, &result) ==
		TN_EXIT_OK;
	if (asked) {
		(void)tn_json_to_int(tn_json_get(result, "process"), &ret->process);
		(void)tn_json_to_str(tn_json_get(result, "name"), &name);
		if (tn_json_to_str(tn_json_get(result, "token"), &token) &&
		    token.size < sizeof(ret->token))
			memcpy(ret->token, token.data, token.size + 1);
	}
	tenon_client_clean_text(name.data, ret->name, sizeof(ret->name));
	tn_arena_finish(&arena);
	return ret->token[0] != '\0';
}

static void withdraw(const struct door *d, const char *token)
{
	const struct tn_json *result = NULL;
	struct tn_arena arena;
	char arguments[TN_TOKEN_TEXT_MAX + 16];

	(void)snprintf(arguments, sizeof(arguments), "{\"token\":\"%s\"}", token);
	tn_arena_init(&arena, 64 * TN_KIB);
	(void)tn_person_call(d->cli, d->client, "withdraw_page", arguments, &arena,
			     &result); /* what is wrong has been told */
	tn_arena_finish(&arena);
	explicit_bzero(arguments, sizeof(arguments));
}

/* ---- answers ---- */

static void send_page(int fd, const char *status, const char *words)
{
	char reply[2048];
	int size = snprintf(reply, sizeof(reply),
			    "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n"
			    "Cache-Control: no-store\r\nContent-Security-Policy: default-src "
			    "'none'\r\nConnection: close\r\n\r\n"
			    "<!doctype html><title>Tenon</title><h1>This page was not opened</h1>"
			    "<p>%s</p>",
			    status, words);

	(void)send(fd, reply, (size_t)size, MSG_NOSIGNAL);
}

static void send_on(const struct door *d, int fd, const char *token)
{
	char reply[1024];
	int size =
		snprintf(reply, sizeof(reply),
			 "HTTP/1.1 302 Found\r\nLocation: %s/#token=%s\r\nCache-Control: no-store"
			 "\r\nReferrer-Policy: no-referrer\r\nContent-Length: 0\r\n"
			 "Connection: close\r\n\r\n",
			 d->url, token);

	(void)send(fd, reply, (size_t)size, MSG_NOSIGNAL);
	explicit_bzero(reply, sizeof(reply));
}

static void refuse(struct door *d, int fd, const struct visitor *who)
{
	send_page(
		fd, "403 Forbidden",
		"What asked for it comes from a program that uses Tenon as a client, or belongs to "
		"another user, so it is not given what only persons have. Run <code>tenon "
		"open</code> in a terminal of your own.");
	tn_cli_note(d->cli,
		    "process %lld (%s) wanted this page and was refused: it comes from a "
		    "client, or is another user's",
		    (long long)who->process, who->name);
}

/* Two that are not one wanted the same page: which of them was sent for, nobody knows. */
static void end_doubtful(struct door *d, int fd)
{
	withdraw(d, d->first.token);
	d->taken = true;
	send_page(fd, "409 Conflict",
		  "Another process took this page's address before this browser came. What it was "
		  "given counts no more. Run <code>tenon open</code> again.");
	tn_cli_note(d->cli,
		    "another process took this page's address: %lld (%s); its token was "
		    "withdrawn. Run tenon open again",
		    (long long)d->first.process, d->first.name);
}

static void answer(struct door *d, int fd, const struct sockaddr_in *from)
{
	struct visitor who;
	char head[REQUEST_BYTES];

	if (!read_head(fd, head) || !asks_for(head, d)) {
		send_page(fd, "404 Not Found", "There is nothing here.");
		return;
	}
	if (!judge(d, from, &who)) {
		refuse(d, fd, &who);
	} else if (!d->first.process) {
		d->first = who;
		send_on(d, fd, who.token);
	} else {
		withdraw(d, who.token);
		if (who.process == d->first.process)
			send_page(fd, "410 Gone", "This address has been used.");
		else
			end_doubtful(d, fd);
	}
	explicit_bzero(&who, sizeof(who));
}

/* What we have started ourselves is no stranger. */
static bool is_our_own(const struct visitor *who)
{
	struct tn_ancestry ancestry;
	struct tn_process self;

	return tn_process_read(getpid(), &self, NULL) == TENON_OK &&
	       tn_ancestry_read((pid_t)who->process, &ancestry, NULL) == TENON_OK &&
	       tn_ancestry_has(&ancestry, &self);
}

/* Until somebody has been sent on to the page, and then a little longer: whether another one comes
 * who was meant. */
static void serve(struct door *d)
{
	int64_t until = now_ms() + PATIENCE_MS;

	while (!d->taken && now_ms() < until) {
		struct pollfd look = {.fd = d->fd, .events = POLLIN};
		struct sockaddr_in from;
		socklen_t size = sizeof(from);
		bool first = !d->first.process;
		int fd;

		if (poll(&look, 1, (int)(until - now_ms())) != 1)
			continue;
		fd = accept4(d->fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		answer(d, fd, &from);
		(void)close(fd); /* all is said */
		if (first && d->first.process)
			until = is_our_own(&d->first) ? 0 : now_ms() + LINGER_MS;
	}
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

static int open_page(const struct tn_cli *cli, const struct tn_person *person, const char *address)
{
	const struct tn_connect connect = {.no_reconnect = true, .token = person->token};
	struct door d = {.fd = -1, .cli = cli, .url = person->url};
	pid_t browser = 0;
	int exit = tn_cli_connect(cli, &connect, &d.client, NULL);

	if (exit != TN_EXIT_OK)
		return exit;
	if (open_door(&d) && start_browser(&d, &browser))
		serve(&d);
	if (d.fd >= 0)
		(void)close(d.fd); /* only listened */
	if (browser)
		(void)waitpid(browser, NULL, WNOHANG); /* it may live on */
	tenon_client_destroy(d.client);
	if (d.taken) {
		exit = TN_EXIT_AUTH;
	} else if (d.first.process) {
		tn_cli_note(cli, "the page is open in %s (process %lld)", d.first.name,
			    (long long)d.first.process);
	} else {
		tn_cli_note(cli, "no browser came; open this address yourself, and give it to "
				 "nobody:");
		exit = print(cli, address);
	}
	explicit_bzero(&d, sizeof(d));
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
	exit = prints || !has_display() ? print(&cli, address) : open_page(&cli, &person, address);
	explicit_bzero(address, sizeof(address));
	explicit_bzero(&person, sizeof(person));
	return exit;
}
