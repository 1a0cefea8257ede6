/* run.c - plays a recorded dialogue against a server on standard input and output.
 *
 *     dialogue FILE TENON [FAKE_LLM]        DATA=folder of the plan examples, in the environment
 *
 *   # a comment                             = a story's name; each story starts a fresh server
 *   @ NAME=VALUE       environment of the servers to come
 *   @ hello {...}      starts a server and shakes hands in the way of 2025-11-25, with these
 * capabilities
 *   @ restart          ends the server, which must end well; the next message starts another
 *   @ file NAME TEXT   writes a file below {{tmp}}; TEXT is the inside of a JSON string
 *   > MESSAGE          sent as one line
 *   < MESSAGE          the next message must fit it (match.h); notifications that a dialogue does
 * not wait for are passed over In all of them: {{name}} is what was remembered; {{tmp}} a fresh
 * folder; {{llm}} the port of the model's endpoint; {{plan:FILE}} an example and {{creates:N}} a
 * made plan, as JSON string inside; a line that ends in a backslash goes on in the next.
 *
 * Prints one line a story, as cmocka does. Exit 1 when one failed. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "match.h"

enum { ANSWER_MS = 20000, NAME_MAX_SIZE = 64, VARIABLES_MAX = 16 };

struct program {
	pid_t pid;
	int in, out; /* ours: to its input, from its output */
};

struct player {
	const char *tenon, *llm, *data;
	struct program server, model;
	struct tn_map memory;
	struct tn_buf received; /* not yet taken as messages */
	char folder[64];        /* of this story */
	char story[NAME_MAX_SIZE];
	char variables[VARIABLES_MAX][NAME_MAX_SIZE]; /* set by this story, unset by its end */
	unsigned variable_count;
	unsigned line, stories, failures;
	bool failed;
};

/* ---- programs ---- */

static bool start(struct program *program, const char *const *words)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		return false;
	program->pid = fork();
	if (program->pid == 0) {
		(void)dup2(to[0], STDIN_FILENO);
		(void)dup2(from[1], STDOUT_FILENO);
		(void)execv(words[0], (char *const *)(uintptr_t)words);
		_exit(127);
	}
	(void)close(to[0]);
	(void)close(from[1]);
	program->in = to[1];
	program->out = from[0];
	return program->pid > 0;
}

/* The end of its input ends a program; true when it ended well. */
static bool stop(struct program *program)
{
	int status = -1;

	if (program->pid <= 0)
		return true;
	(void)close(program->in);
	(void)waitpid(program->pid, &status, 0);
	(void)close(program->out);
	*program = (struct program){0};
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fail(struct player *p, const char *what, struct tn_str detail)
{
	if (p->failed)
		return;
	p->failed = true;
	(void)fprintf(stderr, "%s, line %u: %s%.*s\n", p->story, p->line, what,
		      detail.size > 4000 ? 4000 : (int)detail.size, detail.data ? detail.data : "");
}

static void start_server(struct player *p)
{
	const char *const words[] = {p->tenon, "serve", "plan", NULL};

	p->received.size = 0;
	if (!start(&p->server, words))
		fail(p, "the server does not start", TN_STR(""));
}

static void stop_server(struct player *p)
{
	if (!stop(&p->server))
		fail(p, "the server did not end well", TN_STR(""));
}

/* ---- placeholders in what is sent and expected ---- */

static void put_example(struct player *p, struct tn_buf *out, struct tn_str name)
{
	struct tn_buf text;
	char path[512];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%.*s", p->data, (int)name.size, name.data);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	tn_buf_init(&text, 64 * TN_MIB);
	if (fd < 0 || tn_buf_read_all(&text, fd, NULL) != TENON_OK)
		fail(p, "there is no example ", name);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	tn_json_put_escaped(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_creates(struct tn_buf *out, struct tn_str number)
{
	struct tn_buf text;
	uint64_t count = 0;

	(void)tn_str_to_uint(number, &count); /* anything else: an empty plan */
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n\n");
	for (uint64_t i = 0; i < count; i++)
		tn_buf_format(&text,
			      "  # null_resource.n%llu will be created\n"
			      "  + resource \"null_resource\" \"n%llu\" {\n"
			      "      + id = (known after apply)\n    }\n\n",
			      (unsigned long long)i, (unsigned long long)i);
	tn_buf_format(&text, "Plan: %llu to add, 0 to change, 0 to destroy.\n",
		      (unsigned long long)count);
	tn_json_put_escaped(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void start_model(struct player *p)
{
	const char *const words[] = {p->llm, NULL};
	char port[16] = {0};
	size_t size = 0;

	if (!p->llm || !start(&p->model, words)) {
		fail(p, "the model's endpoint does not start", TN_STR(""));
		return;
	}
	while (size < sizeof(port) - 1 && read(p->model.out, port + size, 1) == 1 &&
	       port[size] != '\n')
		size++;
	tn_mem_free(tn_map_get(&p->memory, TN_STR("llm")));
	if (tn_map_put(&p->memory, TN_STR("llm"), tn_mem_copy_text(port, size), NULL) != TENON_OK)
		fail(p, "out of memory", TN_STR(""));
}

/* False: the name is for match.c, and stays. */
static bool put_placeholder(struct player *p, struct tn_buf *out, struct tn_str name)
{
	const char *value;

	if (tn_str_starts(name, TN_STR("plan:"))) {
		put_example(p, out, tn_str_from_offset(name, 5));
		return true;
	}
	if (tn_str_starts(name, TN_STR("creates:"))) {
		put_creates(out, tn_str_from_offset(name, 8));
		return true;
	}
	if (tn_str_is(name, "tmp")) {
		tn_buf_append_text(out, p->folder);
		return true;
	}
	if (tn_str_is(name, "llm") && p->model.pid <= 0)
		start_model(p);
	value = tn_map_get(&p->memory, name);
	if (value)
		tn_buf_append_text(out, value);
	return value != NULL;
}

static void expand(struct player *p, struct tn_str text, struct tn_buf *out)
{
	while (text.size > 0) {
		size_t open = tn_str_find(text, TN_STR("{{"));
		struct tn_str rest =
			tn_str_from_offset(text, open == TN_STR_NONE ? text.size : open + 2);
		size_t close = tn_str_find(rest, TN_STR("}}"));

		if (open == TN_STR_NONE || close == TN_STR_NONE) {
			tn_buf_append_str(out, text);
			return;
		}
		tn_buf_append(out, text.data, open);
		if (!put_placeholder(p, out, tn_str(rest.data, close)))
			tn_buf_append(out, text.data + open, close + 4);
		text = tn_str_from_offset(rest, close + 2);
	}
}

/* ---- messages ---- */

static void send_line(struct player *p, struct tn_str text)
{
	struct tn_buf line;
	size_t sent = 0;

	tn_buf_init(&line, 128 * TN_MIB);
	expand(p, text, &line);
	tn_buf_append_byte(&line, '\n');
	while (!p->failed && sent < line.size) {
		ssize_t wrote = write(p->server.in, line.data + sent, line.size - sent);

		if (wrote < 0 && errno != EINTR)
			fail(p, "the server does not read: ", tn_str_from(strerror(errno)));
		sent += wrote > 0 ? (size_t)wrote : 0;
	}
	tn_buf_finish(&line);
}

/* The next line of the server; false after ANSWER_MS of silence or its end. */
static bool next_line(struct player *p, struct tn_buf *ret_line)
{
	for (;;) {
		size_t end = tn_str_find_byte(tn_buf_str(&p->received), '\n');
		struct pollfd watched = {.fd = p->server.out, .events = POLLIN};
		ssize_t got;

		if (end != TN_STR_NONE) {
			tn_buf_append(ret_line, p->received.data, end);
			tn_buf_drop_front(&p->received, end + 1);
			return true;
		}
		if (poll(&watched, 1, ANSWER_MS) <= 0 || !tn_buf_reserve(&p->received, 65536))
			return false;
		got = read(p->server.out, p->received.data + p->received.size, 65536);
		if (got <= 0)
			return false;
		p->received.size += (size_t)got;
	}
}

static bool is_notification(const struct tn_json *message)
{
	return tn_json_get(message, "method") && !tn_json_get(message, "id");
}

static bool same_method(const struct tn_json *a, const struct tn_json *b)
{
	const struct tn_json *one = tn_json_get(a, "method"), *other = tn_json_get(b, "method");

	return one && other && tn_json_equal(one, other);
}

/* Takes messages until one is no notification, or the notification waited for. */
static void expect(struct player *p, struct tn_str text)
{
	struct tn_json *expected = NULL, *message = NULL;
	struct tn_buf wanted, line, why;
	struct tn_arena arena;

	tn_arena_init(&arena, 512 * TN_MIB);
	tn_buf_init(&wanted, 128 * TN_MIB);
	tn_buf_init(&line, 128 * TN_MIB);
	tn_buf_init(&why, TN_MIB);
	expand(p, text, &wanted);
	if (tn_json_parse(&arena, wanted.data, wanted.size, &expected, NULL) != TENON_OK)
		fail(p, "what is expected is not JSON: ", text);
	while (!p->failed && !message) {
		tn_buf_clear(&line);
		if (!next_line(p, &line))
			fail(p, "the server says nothing; expected ", text);
		else if (tn_json_parse_copy(&arena, tn_buf_str(&line), &message, NULL) != TENON_OK)
			fail(p, "the server sent no JSON: ", tn_buf_str(&line));
		if (message && is_notification(message) && !same_method(message, expected))
			message = NULL;
	}
	if (!p->failed && !dialogue_match(expected, message, &p->memory, &why))
		fail(p, "", tn_buf_str(&why));
	tn_buf_finish(&wanted);
	tn_buf_finish(&line);
	tn_buf_finish(&why);
	tn_arena_finish(&arena);
}

/* ---- the file ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static void set_variable(struct player *p, const char *name, const char *value)
{
	if (p->variable_count == VARIABLES_MAX) {
		fail(p, "too many variables", TN_STR(""));
		return;
	}
	(void)snprintf(p->variables[p->variable_count++], NAME_MAX_SIZE, "%s", name);
	(void)setenv(name, value, 1); /* only memory could fail it */
}

static void end_story(struct player *p)
{
	if (!p->story[0])
		return;
	stop_server(p);
	if (!stop(&p->model))
		fail(p, "the model's endpoint did not end well", TN_STR(""));
	(void)printf("[%s] %s\n", p->failed ? "  FAILED  " : "       OK ", p->story);
	(void)fflush(stdout);
	p->stories++;
	p->failures += p->failed ? 1 : 0;
	p->story[0] = '\0';
	while (p->variable_count > 0)
		(void)unsetenv(p->variables[--p->variable_count]); /* it was set */
	(void)nftw(p->folder, remove_one, 8,
		   FTW_DEPTH | FTW_PHYS); /* below /tmp, at worst it stays */
}

static void begin_story(struct player *p, struct tn_str name)
{
	end_story(p);
	(void)snprintf(p->story, sizeof(p->story), "%.*s", (int)name.size, name.data);
	p->failed = false;
	(void)snprintf(p->folder, sizeof(p->folder), "/tmp/tenon-dialogue-XXXXXX");
	if (!mkdtemp(p->folder))
		fail(p, "no temporary folder", TN_STR(""));
	set_variable(p, "XDG_STATE_HOME", p->folder); /* no test writes into a person's state */
}

/* Writes the text whose JSON string, without its quotes, is given. */
static bool write_text(struct player *p, const char *path, struct tn_str inside)
{
	struct tn_json *string = NULL;
	struct tn_str text = TN_STR("");
	FILE *file = fopen(path, "w");
	struct tn_arena arena;
	struct tn_buf quoted;
	bool written;

	tn_arena_init(&arena, 128 * TN_MIB);
	tn_buf_init(&quoted, 64 * TN_MIB);
	tn_buf_append_byte(&quoted, '"');
	expand(p, inside, &quoted);
	tn_buf_append_byte(&quoted, '"');
	written = file &&
		  tn_json_parse(&arena, quoted.data, quoted.size, &string, NULL) == TENON_OK &&
		  tn_json_to_str(string, &text) &&
		  fwrite(text.data, 1, text.size, file) == text.size;
	if (file)
		(void)fclose(file); /* a short file shows in the dialogue */
	tn_buf_finish(&quoted);
	tn_arena_finish(&arena);
	return written;
}

static void write_file(struct player *p, struct tn_str words)
{
	size_t blank = tn_str_find_byte(words, ' ');
	char path[512];

	if (blank == TN_STR_NONE) {
		fail(p, "a file needs a name and a text: ", words);
		return;
	}
	(void)snprintf(path, sizeof(path), "%s/%.*s", p->folder, (int)blank, words.data);
	if (!write_text(p, path, tn_str_from_offset(words, blank + 1)))
		fail(p, "the file cannot be written: ", words);
}

static void command(struct player *p, struct tn_str words)
{
	struct tn_buf text;
	char *equals;

	if (tn_str_is(words, "restart")) {
		stop_server(p);
		return;
	}
	if (tn_str_starts(words, TN_STR("file "))) {
		write_file(p, tn_str_from_offset(words, 5));
		return;
	}
	tn_buf_init(&text, 65536);
	expand(p, words, &text);
	tn_buf_append_byte(&text, '\0');
	equals = text.failed ? NULL : strchr(text.data, '=');
	if (!equals) {
		fail(p, "not a command: ", words);
	} else {
		*equals = '\0';
		set_variable(p, text.data, equals + 1);
	}
	tn_buf_finish(&text);
}

/* The legacy handshake with these capabilities of the client. */
static void say_hello(struct player *p, struct tn_str capabilities)
{
	struct tn_buf text;

	tn_buf_init(&text, 65536);
	tn_buf_append_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\","
				  "\"params\":{\"protocolVersion\":\"2025-11-25\",\"clientInfo\":"
				  "{\"name\":\"dialogue\",\"version\":\"1\"},\"capabilities\":");
	tn_buf_append_str(&text, capabilities);
	tn_buf_append_text(&text, "}}");
	start_server(p);
	send_line(p, tn_buf_str(&text));
	expect(p, TN_STR("{\"id\":\"hello\",\"result\":{\"protocolVersion\":\"2025-11-25\"}}"));
	send_line(p, TN_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
	tn_buf_finish(&text);
}

static void play_line(struct player *p, struct tn_str line)
{
	struct tn_str rest = tn_str_trim(tn_str_from_offset(line, 1));

	if (line.size == 0 || line.data[0] == '#')
		return;
	if (line.data[0] == '=') {
		begin_story(p, rest);
		return;
	}
	if (p->failed)
		return;
	if ((line.data[0] == '>' || line.data[0] == '<') && p->server.pid <= 0)
		start_server(p);
	if (line.data[0] == '@' && tn_str_starts(rest, TN_STR("hello ")))
		say_hello(p, tn_str_from_offset(rest, 6));
	else if (line.data[0] == '>')
		send_line(p, rest);
	else if (line.data[0] == '<')
		expect(p, rest);
	else if (line.data[0] == '@')
		command(p, rest);
	else
		fail(p, "not a line of a dialogue: ", line);
}

static void play(struct player *p, struct tn_str text)
{
	struct tn_buf joined;
	unsigned number = 0;

	tn_buf_init(&joined, 64 * TN_MIB);
	while (text.size > 0) {
		size_t end = tn_str_find_byte(text, '\n');
		struct tn_str line = tn_str(text.data, end == TN_STR_NONE ? text.size : end);

		text = tn_str_from_offset(text, line.size + 1);
		number++;
		if (joined.size == 0)
			p->line = number;
		if (tn_str_ends(line, TN_STR("\\"))) {
			tn_buf_append(&joined, line.data, line.size - 1);
			continue;
		}
		tn_buf_append_str(&joined, joined.size ? tn_str_trim(line) : line);
		play_line(p, tn_str_trim(tn_buf_str(&joined)));
		tn_buf_clear(&joined);
	}
	end_story(p);
	tn_buf_finish(&joined);
}

static void forget(struct player *p)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&p->memory, &cursor, &key, &value))
		tn_mem_free(value);
	tn_map_finish(&p->memory);
	tn_buf_finish(&p->received);
}

int main(int argc, char **argv)
{
	struct player p = {0};
	struct tn_buf text;
	int fd = argc > 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	p.data = getenv("DATA");
	if (fd < 0 || !p.data) {
		(void)fprintf(stderr, "usage: DATA=FOLDER dialogue FILE TENON [FAKE_LLM]\n");
		return 64;
	}
	p.tenon = argv[2];
	p.llm = argc > 3 ? argv[3] : NULL;
	(void)signal(SIGPIPE, SIG_IGN);
	tn_map_init(&p.memory);
	tn_buf_init(&p.received, 128 * TN_MIB);
	tn_buf_init(&text, 16 * TN_MIB);
	if (tn_buf_read_all(&text, fd, NULL) == TENON_OK)
		play(&p, tn_buf_str(&text));
	(void)close(fd); /* only read from */
	tn_buf_finish(&text);
	forget(&p);
	(void)printf("%u of %u stories failed\n", p.failures, p.stories);
	return p.failures || !p.stories ? 1 : 0;
}
