/* tenon approve: a person at a terminal decides what a client asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/shared/person.h"
#include "cli/shared/polkit_agent.h"
#include "cli/daemon/status_read.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"

#define APPROVALS_URI "tenon://approvals"

/* A server, and what waits there. */
struct source {
	struct tenon_client *client;
	const struct tn_json *requests;
	bool polkit; /* what is approved there, polkit asks about */
};

struct approve {
	struct tn_cli cli;
	bool lists, denies;
	const char *id; /* NULL: the only one */
	struct source sources[TN_PERSON_SERVERS_MAX];
	size_t count;
	int failed; /* the exit code of a server that did not let us in, which has been told; 0 */
	struct tn_arena arena;
};

static const char *text_of(const struct tn_json *request, const char *name)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(request, name), &text);
	return text.data;
}

static bool is_pending(const struct tn_json *request)
{
	return strcmp(text_of(request, "state"), "pending") == 0;
}

/* ---- reading ---- */

static int read_requests(struct approve *a, struct source *source)
{
	const struct tn_json *tree = NULL;
	struct tenon_error err = {0};

	if (tn_status_read(source->client, APPROVALS_URI, &a->arena, &tree, &err) != TENON_OK)
		return tn_cli_fail_error(&a->cli, TN_EXIT_TOOL, APPROVALS_URI, &err);
	source->requests = tn_json_get(tree, "approvals");
	source->polkit = strcmp(text_of(tree, "proof"), "polkit") == 0;
	return TN_EXIT_OK;
}

static void put_requests(struct tn_buf *out, const struct source *source, bool json, bool *first)
{
	for (const struct tn_json *r = source->requests ? source->requests->first : NULL; r;
	     r = r->next) {
		if (json) {
			if (!*first)
				tn_buf_append_byte(out, ',');
			tn_json_put_value(out, r);
		} else if (is_pending(r)) {
			tn_buf_format(out, "%s  %s: %s (until %s)\n", text_of(r, "id"),
				      text_of(r, "client"), text_of(r, "summary"),
				      text_of(r, "expiresAt"));
		}
		*first = false;
	}
}

static int list(struct approve *a, int exit)
{
	struct tn_buf out;
	bool first = true;

	tn_buf_init(&out, TN_CLIENT_RESULT_MAX);
	if (a->cli.json)
		tn_buf_append_byte(&out, '[');
	for (size_t i = 0; i < a->count; i++)
		put_requests(&out, &a->sources[i], a->cli.json, &first);
	if (a->cli.json)
		tn_buf_append_text(&out, "]\n");
	else if (out.size == 0)
		tn_buf_append_text(&out, "nothing waits for approval\n");
	exit = tn_cli_write(&a->cli, &out, exit);
	tn_buf_finish(&out);
	return exit;
}

/* What was found is not open any more, or nothing was found. The exit code. */
static int tell_none(struct approve *a, const struct tn_json *found)
{
	if (found)
		return tn_cli_fail(&a->cli, TN_EXIT_TOOL, "EXPIRED", false,
				   "this request is not open any more: %s",
				   text_of(found, "state"));
	if (a->id && !a->failed)
		return tn_cli_fail(&a->cli, TN_EXIT_TOOL, "NOT_FOUND", false,
				   "no request %.60s; it may have been withdrawn", a->id);
	if (a->failed)
		return a->failed;
	return tn_cli_fail(&a->cli, TN_EXIT_TOOL, "NOT_FOUND", false,
			   a->count ? "nothing waits for approval"
				    : "nothing waits for approval: no server of yours runs");
}

/* The request that is meant, and where. NULL: told, with *ret_exit. */
static const struct tn_json *choose(struct approve *a, struct source **ret_source, int *ret_exit)
{
	const struct tn_json *found = NULL;
	size_t pending = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct tn_json *list_of = a->sources[i].requests;

		for (const struct tn_json *r = list_of ? list_of->first : NULL; r; r = r->next) {
			if (a->id ? strcmp(text_of(r, "id"), a->id) != 0 : !is_pending(r))
				continue;
			found = r;
			*ret_source = &a->sources[i];
			pending++;
		}
	}
	if (pending > 1) {
		tn_cli_note(&a->cli, "several requests wait; name one: tenon approve ID");
		*ret_exit = list(a, TN_EXIT_USAGE);
		return NULL;
	}
	if (found && is_pending(found))
		return found;
	*ret_exit = tell_none(a, found);
	return NULL;
}

/* ---- asking ---- */

/* What comes from the daemon has no control characters; what the client called itself may. */
static void show_line(FILE *tty, const char *label, const char *text)
{
	char clean[2 * TN_CONSENT_TEXT_MAX];

	tenon_client_clean_text(text, clean, sizeof(clean));
	if (clean[0])
		(void)fprintf(tty, "  %-8s %s\n", label, clean);
}

/* Each line below the label: none can look like one of ours. */
static void show_lines(FILE *tty, const char *label, const char *text)
{
	while (*text) {
		char line[2 * TN_CONSENT_TEXT_MAX]; /* of a text that is cut, with what says so */
		size_t size = strcspn(text, "\n");

		(void)snprintf(line, sizeof(line), "| %.*s", (int)size, text);
		show_line(tty, label, line);
		label = "";
		text += size + (text[size] != '\0');
	}
}

static void show(FILE *tty, const struct tn_json *request)
{
	char what[2 * TN_CONSENT_TEXT_MAX];

	/* What would happen comes first, and by itself. */
	tenon_client_clean_text(text_of(request, "summary"), what, sizeof(what));
	(void)fprintf(tty, "\n\x1b[1m%s\x1b[0m\n\n", what);
	show_lines(tty, "detail", text_of(request, "detail"));
	show_line(tty, "client", text_of(request, "client"));
	show_line(tty, "tool", text_of(request, "tool"));
	show_line(tty, "app", text_of(request, "app"));
	show_line(tty, "act", text_of(request, "act"));
	show_line(tty, "rule", text_of(request, "rule"));
	show_line(tty, "lasts", text_of(request, "lasting"));
	show_line(tty, "digest", text_of(request, "digest"));
	show_line(tty, "until", text_of(request, "expiresAt"));
}

enum answer { ANSWER_NONE, ANSWER_YES, ANSWER_LASTING, ANSWER_NO };

static enum answer ask(const struct tn_json *request)
{
	FILE *tty = fopen("/dev/tty", "r+e");
	bool may_last = text_of(request, "lasting")[0] != '\0';
	enum answer answer = ANSWER_NONE;
	char line[16] = "";

	if (!tty)
		return ANSWER_NONE;
	show(tty, request);
	/* What was typed before this was shown is no answer to it. */
	(void)tcflush(fileno(tty), TCIFLUSH);
	(void)fprintf(tty, "\nApprove this once? [y = yes, %sn = refuse, Enter = decide later] ",
		      may_last ? "a = always: see lasts, " : "");
	(void)fflush(tty);
	if (fgets(line, sizeof(line), tty)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (strcmp(line, "y") == 0 || strcmp(line, "yes") == 0)
			answer = ANSWER_YES;
		else if (may_last && (strcmp(line, "a") == 0 || strcmp(line, "always") == 0))
			answer = ANSWER_LASTING;
		else if (strcmp(line, "n") == 0 || strcmp(line, "no") == 0)
			answer = ANSWER_NO;
	}
	(void)fclose(tty);
	return answer;
}

static bool has_terminal(void)
{
	FILE *tty = fopen("/dev/tty", "r+e");

	if (tty)
		(void)fclose(tty);
	return tty != NULL;
}

/* ---- deciding ---- */

static int decide(struct approve *a, const struct source *source, const struct tn_json *request,
		  enum answer answer)
{
	static const char *const decisions[] = {
		[ANSWER_YES] = "approve",
		[ANSWER_LASTING] = "approve_session",
		[ANSWER_NO] = "deny",
	};
	const struct tn_json *result = NULL;
	struct tn_buf arguments;
	struct tn_polkit_agent agent = {.tty = -1};
	int exit;

	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "id", text_of(request, "id"));
	tn_json_put_member_text(&arguments, "decision", decisions[answer]);
	tn_json_put_member_text(&arguments, "by", "terminal");
	tn_json_end_object(&arguments);
	tn_buf_append_byte(&arguments, '\0');
	if (source->polkit && answer != ANSWER_NO)
		tn_polkit_agent_start(&agent);
	exit = arguments.failed
		       ? tn_cli_fail(&a->cli, TN_EXIT_TOOL, "NO_MEMORY", true, "out of memory")
		       : tn_person_call(&a->cli, source->client, "approve_request", arguments.data,
					&a->arena, &result);
	tn_polkit_agent_stop(&agent);
	tn_buf_clear(&arguments);
	if (exit == TN_EXIT_OK) {
		if (a->cli.json)
			tn_json_put_value(&arguments, result);
		else
			tn_buf_append_text(&arguments,
					   answer == ANSWER_NO ? "refused" : "approved");
		tn_buf_append_byte(&arguments, '\n');
		exit = tn_cli_write(&a->cli, &arguments, exit);
	}
	tn_buf_finish(&arguments);
	return exit;
}

/* To look needs no person where a client may look: at the daemon. */
static struct tenon_client *connect_to(struct approve *a, const struct tn_person_server *server,
				       int *ret_exit)
{
	const struct tn_connect connect = {.no_reconnect = true, .no_start = true};
	struct tenon_client *client = NULL;

	if (!a->lists || !server->daemon)
		return tn_person_connect_to(&a->cli, server, ret_exit);
	*ret_exit = tn_cli_connect(&a->cli, &connect, &client, NULL);
	return client;
}

/* All servers that run; none is started, for a new one has nothing to decide. */
static int open_sources(struct approve *a)
{
	struct tn_person_server servers[TN_PERSON_SERVERS_MAX];
	size_t count = tn_person_servers(servers);

	for (size_t i = 0; i < count; i++) {
		struct source *source = &a->sources[a->count];
		int code = TN_EXIT_OK;

		source->client = connect_to(a, &servers[i], &code);
		if (source->client) {
			a->count++;
			code = read_requests(a, source);
		}
		a->failed = code == TN_EXIT_OK ? a->failed : code;
	}
	return a->count ? TN_EXIT_OK : a->failed;
}

static int run(struct approve *a)
{
	struct source *source = NULL;
	const struct tn_json *request;
	enum answer answer = ANSWER_NO;
	int exit;

	if (!a->lists && !a->denies && !has_terminal())
		return tn_cli_fail(&a->cli, TN_EXIT_AUTH, "TERMINAL_REQUIRED", false,
				   "approving needs a terminal, where a person reads what it is; "
				   "the page does it, too (tenon open)");
	exit = open_sources(a);
	if (exit != TN_EXIT_OK || a->lists)
		return exit == TN_EXIT_OK ? list(a, exit) : exit;
	request = choose(a, &source, &exit);
	if (!request)
		return exit;
	if (!a->denies)
		answer = ask(request);
	if (answer == ANSWER_NONE) {
		tn_cli_note(&a->cli, "nothing was decided; the request stays open until %s",
			    text_of(request, "expiresAt"));
		return TN_EXIT_OK;
	}
	return decide(a, source, request, answer);
}

int tn_cli_approve(int argc, char **argv)
{
	struct approve a = {.cli = {.verb = "approve"}};
	const char *words[1] = {NULL};
	const struct tn_option table[] = {
		{.name = "deny",
		 .kind = TN_OPTION_FLAG,
		 .value = &a.denies,
		 .help = "refuse it, without a question"},
		{.name = "list",
		 .kind = TN_OPTION_FLAG,
		 .value = &a.lists,
		 .help = "show what waits; needs neither person nor terminal"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &a.cli.json,
		 .help = "results and mistakes as JSON; the question stays on the terminal"},
	};
	const struct tn_options options = {
		.usage = "tenon approve [ID] [--deny] [--list] [--json]",
		.summary = "Shows what a client asks for, and asks whether it may: once, and for "
			   "exactly this. Without\nID the only request that waits is meant. In a "
			   "terminal of your own: what an AI host has\nstarted does not speak for "
			   "a person.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1,
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&a.cli, &options, argc, argv, &count, &exit))
		return exit;
	a.id = count ? words[0] : NULL;
	tn_arena_init(&a.arena, TN_CLIENT_ARENA_MAX);
	exit = run(&a);
	for (size_t i = 0; i < a.count; i++)
		tenon_client_destroy(a.sources[i].client);
	tn_arena_finish(&a.arena);
	return exit;
}
