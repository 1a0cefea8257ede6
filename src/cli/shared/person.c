#include "cli/shared/person.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"

enum { LINE_MAX_BYTES = 4096, PATIENCE_MS = 5000, ARENA_BYTES = 64 * 1024 };

/* The whole line; its size, or 0. However slowly it comes, it has come in time or never. */
static size_t read_line(int fd, char line[LINE_MAX_BYTES])
{
	uint64_t now = tn_clock_now_ms(&tn_clock_system), until = now + PATIENCE_MS;
	struct pollfd look = {.fd = fd, .events = POLLIN};
	size_t size = 0;

	for (; size < LINE_MAX_BYTES && now < until; now = tn_clock_now_ms(&tn_clock_system)) {
		ssize_t got;

		if (poll(&look, 1, (int)(until - now)) != 1)
			return 0;
		got = read(fd, line + size, LINE_MAX_BYTES - size);
		if (got <= 0)
			return size;
		size += (size_t)got;
	}
	return 0;
}

/* Who has stopped accepting fills up and would hold us for ever: it is waited for as long as an
 * answer is. -1: nobody listens; *ret_full: somebody does, and takes nobody now. */
static int connect_to(const char *path, unsigned patience_ms, bool *ret_full)
{
	static const struct timespec pause = {.tv_nsec = 10 * 1000000};
	uint64_t until = tn_clock_now_ms(&tn_clock_system) + patience_ms;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t size = strlen(path);
	int fd;

	*ret_full = false;
	if (size >= sizeof(at.sun_path))
		return -1;
	memcpy(at.sun_path, path, size);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	while (fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0) {
		*ret_full = errno == EAGAIN;
		if ((*ret_full || errno == EINTR) && tn_clock_now_ms(&tn_clock_system) < until) {
			(void)nanosleep(&pause, NULL);
			continue;
		}
		(void)close(fd); /* not connected */
		return -1;
	}
	*ret_full = false;
	return fd;
}

static size_t ask_door(const char *path, char line[LINE_MAX_BYTES])
{
	bool full;
	int fd = connect_to(path, PATIENCE_MS, &full);
	size_t size;

	if (fd < 0)
		return 0;
	size = read_line(fd, line);
	(void)close(fd); /* only read */
	return size;
}

static bool copy_member(const struct tn_json *tree, const char *name, char *out, size_t size)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(tree, name), &text) || text.size >= size)
		return false;
	memcpy(out, text.data, text.size + 1);
	return true;
}

static int understand(const struct tn_cli *cli, const struct tn_json *tree, struct tn_person *ret)
{
	struct tn_str code, message;

	if (copy_member(tree, "token", ret->token, sizeof(ret->token)) &&
	    copy_member(tree, "url", ret->url, sizeof(ret->url)))
		return TN_EXIT_OK;
	if (!tn_json_to_str(tn_json_get(tree, "error"), &code) ||
	    !tn_json_to_str(tn_json_get(tree, "message"), &message))
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_FAILED", false,
				   "the daemon's answer is not understood");
	return tn_cli_fail_text(cli, TN_EXIT_AUTH, code.data, tn_str_is(code, "BUSY"), message,
				tn_str("", 0));
}

static int ask_at(const struct tn_cli *cli, const char *path, struct tn_person *ret)
{
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_json *tree;
	char line[LINE_MAX_BYTES];
	size_t size = ask_door(path, line);
	int exit;

	if (size == 0)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true,
				   "the server does not answer at %s", strrchr(path, '/') + 1);
	tn_arena_init(&arena, ARENA_BYTES);
	if (tn_json_parse(&arena, line, size, &tree, &err) == TENON_OK)
		exit = understand(cli, tree, ret);
	else
		exit = tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, "person.sock", &err);
	tn_arena_finish(&arena);
	explicit_bzero(line, sizeof(line));
	return exit;
}

int tn_person_ask(const struct tn_cli *cli, struct tn_person *ret)
{
	struct tn_runtime_paths paths;
	struct tn_discovery found;
	struct tenon_error err = {0};

	if (tn_launch(false, &found, &err) != TENON_OK)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true, "%s",
				   err.message);
	if (tn_runtime_find(&paths, false, &err) != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, NULL, &err);
	return ask_at(cli, paths.person, ret);
}

/* ---- all that run ---- */

/* A killed server leaves its socket behind: nobody answers there. */
static bool listens(const char *path)
{
	bool full;
	int fd = connect_to(path, 0, &full);

	if (fd >= 0)
		(void)close(fd); /* only looked */
	return fd >= 0 || full;
}

size_t tn_person_servers(struct tn_person_server list[TN_PERSON_SERVERS_MAX])
{
	struct tn_runtime_paths paths;
	const struct dirent *entry;
	size_t count = 0;
	DIR *folder;

	if (tn_runtime_find(&paths, false, NULL) != TENON_OK)
		return 0;
	if (tn_runtime_is_held(&paths)) {
		list[0].daemon = true;
		(void)snprintf(list[count++].path, sizeof(list[0].path), "%s", paths.person);
	}
	folder = opendir(paths.folder);
	while (folder && count < TN_PERSON_SERVERS_MAX && (entry = readdir(folder)) != NULL) {
		struct tn_str name = tn_str_from(entry->d_name);

		if (!tn_str_starts(name, TN_STR("serve-")) || !strstr(entry->d_name, ".sock"))
			continue;
		list[count].daemon = false;
		(void)snprintf(list[count].path, sizeof(list[0].path), "%s/%.64s", paths.folder,
			       entry->d_name);
		count += listens(list[count].path);
	}
	if (folder)
		(void)closedir(folder); /* only read */
	return count;
}

/* "http://127.0.0.1:8080" as "ws://127.0.0.1:8080/ws". */
static void write_ws(const char *url, char out[320])
{
	(void)snprintf(out, 320, "ws%s/ws", strncmp(url, "http", 4) == 0 ? url + 4 : url);
}

struct tenon_client *tn_person_connect_to(const struct tn_cli *cli,
					  const struct tn_person_server *server, int *ret_exit)
{
	struct tenon_client *client = NULL;
	struct tn_person person;
	char url[320];
	struct tn_connect connect = {.no_reconnect = true, .no_start = true, .token = person.token};

	*ret_exit = ask_at(cli, server->path, &person);
	if (*ret_exit != TN_EXIT_OK)
		return NULL;
	write_ws(person.url, url);
	connect.url = server->daemon ? NULL : url;
	*ret_exit = tn_cli_connect(cli, &connect, &client, NULL);
	explicit_bzero(&person, sizeof(person));
	return *ret_exit == TN_EXIT_OK ? client : NULL;
}

int tn_person_connect(const struct tn_cli *cli, struct tenon_client **ret)
{
	struct tn_person person;
	const struct tn_connect connect = {.no_reconnect = true, .token = person.token};
	int exit = tn_person_ask(cli, &person);

	if (exit == TN_EXIT_OK)
		exit = tn_cli_connect(cli, &connect, ret, NULL);
	explicit_bzero(&person, sizeof(person));
	return exit;
}

/* The sentence; where the text is JSON for a model, its `error` has it, with a code. */
static int fail_tool(const struct tn_cli *cli, const struct tn_json *result,
		     const struct tn_json *structured)
{
	const struct tn_json *content = tn_json_get(result, "content");
	const struct tn_json *error = tn_json_get(structured, "error");
	struct tn_str text = TN_STR("the tool failed"), code = TN_STR("TOOL_ERROR");
	bool retryable = false;

	if (tn_json_is(error, TN_JSON_OBJECT)) {
		(void)tn_json_to_str(tn_json_get(error, "message"), &text);
		(void)tn_json_to_str(tn_json_get(error, "code"), &code);
		(void)tn_json_to_bool(tn_json_get(error, "retryable"), &retryable);
	} else {
		content = tn_json_is(content, TN_JSON_ARRAY) ? content->first : NULL;
		(void)tn_json_to_str(tn_json_get(content, "text"), &text);
	}
	return tn_cli_fail_text(cli, TN_EXIT_TOOL, code.data, retryable, text, tn_str("", 0));
}

int tn_person_call(const struct tn_cli *cli, struct tenon_client *client, const char *tool,
		   const char *arguments, struct tn_arena *arena, const struct tn_json **ret)
{
	struct tenon_outcome outcome;
	struct tenon_error err = {0};
	/* A human may have to read and prove it first (consent.proof). */
	const struct tenon_request_options options = {.timeout_ms = TN_PROOF_MS + PATIENCE_MS};
	struct tenon_request *request = tenon_client_call(client, tool, arguments, &options, &err);
	struct tn_json *tree;

	if (!request)
		return tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, NULL, &err);
	if (tenon_request_wait(request, &outcome) != TENON_OK)
		return tn_cli_fail_outcome(cli, &outcome);
	if (tn_json_parse_copy(arena, tn_str(outcome.result, outcome.result_size), &tree, &err) !=
	    TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_TOOL, NULL, &err);
	*ret = tn_json_get(tree, "structuredContent");
	if (!outcome.is_tool_error)
		return TN_EXIT_OK;
	return fail_tool(cli, tree, *ret);
}
