/* scripted_server.c - a server on stdio that behaves badly in one chosen way; for src/client.
 *
 *     scripted-server KIND [FILE]
 *
 * Without a kind's own behaviour it is a small legacy server (2025-11-25) with the tool `t`. FILE
 * counts how often it was started, one byte each. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *kind;
static int is_modern;
static char line[1 << 20];

static int is(const char *name)
{
	return strcmp(kind, name) == 0;
}

/* The id as written; messages of our client have a number there. */
static long id_of(const char *text)
{
	const char *at = strstr(text, "\"id\":");

	return at ? strtol(at + 5, NULL, 10) : 0;
}

static void answer(long id, const char *result)
{
	(void)printf("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}\n", id, result);
	(void)fflush(stdout);
}

static void answer_large(long id, size_t size)
{
	(void)printf("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"content\":[{\"type\":\"text\","
		     "\"text\":\"",
		     id);
	for (size_t i = 0; i < size; i += 64)
		(void)fputs("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
			    stdout);
	(void)fputs("\"}]}}\n", stdout);
	(void)fflush(stdout);
}

static void initialize(long id)
{
	answer(id, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
		   "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}");
}

static void discover(long id)
{
	if (is("dies"))
		exit(3);
	if (is("silent"))
		return;
	if (is_modern)
		answer(id,
		       "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
		       "\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"private\"}");
	else
		(void)printf("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32601,"
			     "\"message\":\"Method not found\"}}\n",
			     id);
	(void)fflush(stdout);
}

static void flood(void)
{
	for (int i = 0; i < 200000; i++)
		(void)puts("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
}

static void call(long id)
{
	if (is("hangs"))
		return;
	if (is("crashes"))
		abort();
	if (is("killed"))
		(void)kill(getpid(), SIGKILL);
	if (is("last-words")) {
		answer(id, "{\"content\":[]}");
		exit(0);
	}
	if (is("large"))
		answer_large(id, (size_t)60 << 20);
	if (is("too-large"))
		answer_large(id, (size_t)65 << 20);
	if (is("floods"))
		flood();
	if (is("chatty")) {
		for (int i = 0; i < 40000; i++)
			(void)fprintf(stderr, "line %d of a server that says a lot\n", i);
	}
	answer(id, "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
}

static void garbage(void)
{
	(void)puts("Welcome to the server!\n\n{\"jsonrpc\":\n\xff\xfe\x01\n[]\n[{}]\n{}\nnull\n"
		   "{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":1}\n"
		   "{\"jsonrpc\":\"2.0\",\"id\":1e400,\"error\":null}\n"
		   "Content-Length: 12\n");
}

static void count_start(const char *path)
{
	FILE *file = path ? fopen(path, "a") : NULL;

	if (file) {
		(void)fputc('.', file);
		(void)fclose(file);
	}
}

int main(int count, char **words)
{
	kind = count > 1 ? words[1] : "";
	is_modern = count > 3;
	count_start(count > 2 ? words[2] : NULL);
	if (is("stubborn"))
		(void)signal(SIGTERM, SIG_IGN);
	while (fgets(line, sizeof(line), stdin)) {
		if (is("garbage"))
			garbage();
		if (strstr(line, "\"server/discover\""))
			discover(id_of(line));
		else if (strstr(line, "\"initialize\""))
			initialize(id_of(line));
		else if (strstr(line, "\"tools/call\""))
			call(id_of(line));
		else if (strstr(line, "\"ping\""))
			answer(id_of(line), "{}");
	}
	while (is("stubborn") || is("lingers"))
		(void)pause();
	return 0;
}
