#include "cli/person.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096, PATIENCE_MS = 5000, ARENA_BYTES = 64 * 1024 };

/* The whole line; its size, or 0. */
static size_t read_line(int fd, char line[LINE_MAX_BYTES])
{
	struct pollfd look = {.fd = fd, .events = POLLIN};
	size_t size = 0;

	while (size < LINE_MAX_BYTES && poll(&look, 1, PATIENCE_MS) == 1) {
		ssize_t got = read(fd, line + size, LINE_MAX_BYTES - size);

		if (got <= 0)
			return size;
		size += (size_t)got;
	}
	return 0;
}

static size_t ask_door(const char *path, char line[LINE_MAX_BYTES])
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t size = strlen(path);
	int fd;

	if (size >= sizeof(at.sun_path))
		return 0;
	memcpy(at.sun_path, path, size);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	size = connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0 ? read_line(fd, line) : 0;
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

int tn_person_ask(const struct tn_cli *cli, struct tn_person *ret)
{
	struct tn_runtime_paths paths;
	struct tn_discovery found;
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_json *tree;
	char line[LINE_MAX_BYTES];
	size_t size;
	int exit;

	if (tn_launch(false, &found, &err) != TENON_OK)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true, "%s",
				   err.message);
	if (tn_runtime_find(&paths, false, &err) != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, NULL, &err);
	size = ask_door(paths.person, line);
	if (size == 0)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true,
				   "the daemon does not answer at person.sock");
	tn_arena_init(&arena, ARENA_BYTES);
	if (tn_json_parse(&arena, line, size, &tree, &err) == TENON_OK)
		exit = understand(cli, tree, ret);
	else
		exit = tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, "person.sock", &err);
	tn_arena_finish(&arena);
	explicit_bzero(line, sizeof(line));
	return exit;
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

int tn_person_call(const struct tn_cli *cli, struct tenon_client *client, const char *tool,
		   const char *arguments, struct tn_arena *arena, const struct tn_json **ret)
{
	struct tenon_outcome outcome;
	struct tenon_error err = {0};
	struct tenon_request *request = tenon_client_call(client, tool, arguments, NULL, &err);
	const struct tn_json *content;
	struct tn_str text = TN_STR("the tool failed");
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
	content = tn_json_get(tree, "content");
	(void)tn_json_to_str(
		tn_json_get(tn_json_is(content, TN_JSON_ARRAY) ? content->first : NULL, "text"),
		&text);
	return tn_cli_fail_text(cli, TN_EXIT_TOOL, "TOOL_ERROR", false, text, tn_str("", 0));
}
