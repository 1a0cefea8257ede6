/* client_hostile.c - our client against tests/servers/hostile_server.mjs: whatever such a server
 * does, the caller is told in time and in clean words, and memory stays bounded.
 *
 *     client-hostile NODE HOSTILE_SERVER [KIND]
 *
 * Each kind runs in a process of its own, so that its memory is its own.
 * Proves MCP-017, 071, 087, 148, 181, 206, 258, 287 and 288 from the side of the attacked. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "story.h"

enum expectation {
	CONNECT_FAILS,
	CALL_OK,    /* the menace is ignored, and the answer found */
	CALL_FAILS, /* the caller is told */
	LIST_FAILS,
	ANYTHING /* but a crash, a hang or a lot of memory */
};

/* What a menace may cost. The largest message a client takes is 64 MiB, and growing a buffer holds
 * the old half beside the new one. */
#define LITTLE_MIB 24
#define LARGE_MIB 160

/* What a caller grants who is to see his patience end, and one who is to get an answer: on a busy
 * machine the same flood takes many times as long. What hangs, hangs longer than any of them. */
#define CALL_TIMEOUT_MS 2000
#define CALL_TOTAL_MS 5000
#define PATIENT_MS 60000
#define SLACK_MS 20000
#define KIND_LIMIT_S 150

struct menace {
	const char *kind, *carrier;
	enum expectation expect;
	long memory_mib;
	int calls;              /* 0: one */
	const char *never_says; /* words that would prove that the server won */
	bool keeps_questions;   /* the application answers none */
};

static const struct menace menaces[] = {
	{.kind = "junk",
	 .carrier = "stdio",
	 .expect = CALL_OK,
	 .memory_mib = LITTLE_MIB,
	 .calls = 20},
	{.kind = "silence", .carrier = "stdio", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "noise", .carrier = "stdio", .expect = CONNECT_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "dies", .carrier = "stdio", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "stays", .carrier = "stdio", .expect = CALL_OK, .memory_mib = LITTLE_MIB},
	{.kind = "half", .carrier = "stdio", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "notifications", .carrier = "stdio", .expect = CALL_OK, .memory_mib = LITTLE_MIB},
	{.kind = "notifications-forever",
	 .carrier = "stdio",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB},
	{.kind = "progress-forever",
	 .carrier = "stdio",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB},
	{.kind = "questions",
	 .carrier = "stdio",
	 .expect = CALL_OK,
	 .memory_mib = LITTLE_MIB,
	 .keeps_questions = true},
	{.kind = "long-line", .carrier = "stdio", .expect = ANYTHING, .memory_mib = LARGE_MIB},
	{.kind = "endless-line", .carrier = "stdio", .expect = CALL_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "deep", .carrier = "stdio", .expect = ANYTHING, .memory_mib = LITTLE_MIB},
	{.kind = "deep", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "pages", .carrier = "stdio", .expect = LIST_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "same-cursor", .carrier = "stdio", .expect = LIST_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "pages", .carrier = "http", .expect = LIST_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "wrong-id", .carrier = "stdio", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "wrong-id", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "twice",
	 .carrier = "stdio",
	 .expect = CALL_OK,
	 .memory_mib = LITTLE_MIB,
	 .calls = 5,
	 .never_says = "a second answer"},
	{.kind = "strange",
	 .carrier = "stdio",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB,
	 .calls = 8},
	{.kind = "strange",
	 .carrier = "http",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB,
	 .calls = 8},
	{.kind = "wrong-types", .carrier = "stdio", .expect = ANYTHING, .memory_mib = LITTLE_MIB},
	{.kind = "wrong-types", .carrier = "http", .expect = ANYTHING, .memory_mib = LITTLE_MIB},
	{.kind = "escapes",
	 .carrier = "stdio",
	 .expect = ANYTHING,
	 .memory_mib = LITTLE_MIB,
	 .calls = 2},
	{.kind = "rounds", .carrier = "stdio", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "rounds", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "states", .carrier = "stdio", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "task",
	 .carrier = "stdio",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB,
	 .never_says = "polled too often"},
	{.kind = "silence", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "close", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "comments", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "endless-event", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "endless-events",
	 .carrier = "http",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB},
	{.kind = "endless-body", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LARGE_MIB},
	{.kind = "redirect",
	 .carrier = "http",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB,
	 .never_says = "followed: "},
	{.kind = "html", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "accepted", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "error-500", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "session-404", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "session-id", .carrier = "http", .expect = ANYTHING, .memory_mib = LITTLE_MIB},
	{.kind = "retry-storm",
	 .carrier = "http",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB,
	 .never_says = "a storm"},
	{.kind = "half-header", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "not-http", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "long-length", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "short-length", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "two-lengths", .carrier = "http", .expect = ANYTHING, .memory_mib = LITTLE_MIB},
	{.kind = "bad-chunk", .carrier = "http", .expect = CALL_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "endless-header",
	 .carrier = "http",
	 .expect = CALL_FAILS,
	 .memory_mib = LITTLE_MIB},
	{.kind = "ws-huge", .carrier = "ws", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "ws-masked", .carrier = "ws", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "ws-binary", .carrier = "ws", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "ws-garbage", .carrier = "ws", .expect = CONNECT_FAILS, .memory_mib = LITTLE_MIB},
	{.kind = "ws-fragments", .carrier = "ws", .expect = CONNECT_FAILS, .memory_mib = LARGE_MIB},
};

struct victim {
	struct story story;
	const struct menace *menace;
	struct story_server server;
	const char *command[8];
	struct tenon_client *client;
	bool connected;
	int questions;
};

/* ---- the application ---- */

static void elicit(struct tenon_question *question, void *data)
{
	struct victim *victim = data;
	struct tenon_error err = {0};
	victim->questions++;
	if (!victim->menace->keeps_questions &&
	    tenon_question_accept(question, NULL, &err) != TENON_OK)
		tenon_question_decline(question);
}

static void sample(struct tenon_question *question, void *data)
{
	struct victim *victim = data;
	victim->questions++;
	if (!victim->menace->keeps_questions)
		tenon_question_refuse(question, -1, "no");
}

static void ignore_log(const char *level, const char *logger, const char *json, void *data)
{
	(void)level;
	(void)logger;
	(void)json;
	(void)data;
}

static void ignore_change(enum tenon_change change, const char *uri, void *data)
{
	(void)change;
	(void)uri;
	(void)data;
}

static void ignore_text(const char *text, size_t size, void *data)
{
	(void)text;
	(void)size;
	(void)data;
}

/* Nothing a server sends reaches a terminal as more than text. */
static bool is_clean(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
			return false;
	return true;
}

static void check_outcome(struct victim *victim, const struct tenon_outcome *outcome, bool may_pass,
			  bool may_fail)
{
	const char *never = victim->menace->never_says;
	char shown[512];
	story_check(&victim->story, is_clean(outcome->err.message), "the error is not clean");
	story_check(&victim->story, outcome->code == TENON_OK || outcome->err.message[0],
		    "the error says nothing");
	story_check(&victim->story, outcome->code != TENON_INTERNAL, "internal: %s",
		    outcome->err.message);
	story_check(&victim->story, may_pass || outcome->code != TENON_OK, "it passed: %.200s",
		    outcome->code == TENON_OK ? outcome->result : "");
	story_check(&victim->story, may_fail || outcome->code == TENON_OK, "%s: %s",
		    tenon_code_name(outcome->code), outcome->err.message);
	if (never)
		story_check(&victim->story,
			    !strstr(outcome->err.message, never) &&
				    (outcome->code != TENON_OK || !strstr(outcome->result, never)),
			    "it says: %s", never);
	if (outcome->code != TENON_OK)
		return;
	tenon_client_clean_text(outcome->result, shown, sizeof(shown));
	for (char *at = shown; *at; at++)
		if (*at == '\n' || *at == '\t') /* these two are text */
			*at = ' ';
	story_check(&victim->story, is_clean(shown), "the cleaned text is not clean");
}

static bool is_patient(const struct victim *victim)
{
	return victim->menace->expect == CALL_OK || victim->menace->expect == LIST_FAILS;
}

static bool connect_to(struct victim *victim)
{
	struct tenon_error err = {0};
	const bool child = strcmp(victim->menace->carrier, "stdio") == 0;
	const bool patient = is_patient(victim);
	const enum expectation expect = victim->menace->expect;
	if (!child && !story_server_start(&victim->server, &victim->story))
		return false;
	const struct tenon_client_options options = {
		.name = "tenon-client-hostile",
		.version = "1.0.0",
		.command = child ? victim->command : NULL,
		.url = child ? NULL : victim->server.url,
		.token = child ? NULL : "secret-0123456789abcdef",
		.probe_timeout_ms = 1500,
		.request_timeout_ms = patient ? PATIENT_MS : CALL_TIMEOUT_MS,
		.request_total_ms = patient ? PATIENT_MS : CALL_TOTAL_MS,
		.connect_timeout_ms = expect == CONNECT_FAILS ? 3000 : PATIENT_MS,
		.handlers = {.elicit = elicit,
			     .sample = sample,
			     .changed = ignore_change,
			     .log = ignore_log,
			     .server_text = ignore_text,
			     .data = victim}};
	if (!story_check(&victim->story,
			 tenon_client_create(&options, &victim->client, &err) == TENON_OK, "%s",
			 err.message))
		return false;
	victim->connected = tenon_client_connect(victim->client, &err) == TENON_OK;
	story_check(&victim->story, is_clean(err.message), "the error is not clean");
	story_check(&victim->story, victim->connected || err.message[0], "the error says nothing");
	if (expect == CONNECT_FAILS)
		story_check(&victim->story, !victim->connected, "it connected");
	else if (expect != ANYTHING)
		story_check(&victim->story, victim->connected, "connect: %s: %s",
			    tenon_code_name(err.code), err.message);
	return victim->connected;
}

static void no_progress(struct tenon_request *request, double progress, double total,
			const char *message, void *data)
{
	(void)request;
	(void)progress;
	(void)total;
	(void)message;
	(void)data;
}

static void ask(struct victim *victim)
{
	const enum expectation expect = victim->menace->expect;
	const struct tenon_request_options options = {.progress = no_progress};
	const int calls = victim->menace->calls ? victim->menace->calls : 1;
	for (int i = 0; i < calls; i++) {
		struct tenon_error err = {0};
		struct tenon_outcome outcome = {.code = TENON_SYSTEM};
		struct tenon_request *request =
			expect == LIST_FAILS ? tenon_client_list(victim->client, TENON_LIST_TOOLS,
								 &options, &err)
					     : tenon_client_call(victim->client, "test_simple_text",
								 "{}", &options, &err);
		if (request)
			(void)tenon_request_wait(request, &outcome); /* the outcome says it */
		else
			outcome.err = err;
		check_outcome(victim, &outcome, expect == CALL_OK || expect == ANYTHING,
			      expect != CALL_OK);
	}
}

static void step_kind(void *data)
{
	struct victim *victim = data;
	long long start = story_now_ms();
	if (connect_to(victim))
		ask(victim);
	const long long asked = story_now_ms() - start;
	const long calls = victim->menace->calls ? victim->menace->calls : 1;
	const long call_ms = is_patient(victim) ? PATIENT_MS : CALL_TOTAL_MS + 1000;
	story_check(&victim->story, asked < SLACK_MS + calls * call_ms, "it took %lld ms", asked);
	start = story_now_ms();
	tenon_client_destroy(victim->client);
	const long long ended = story_now_ms() - start;
	story_check(&victim->story, ended < SLACK_MS, "ending took %lld ms", ended);
	story_check(&victim->story, story_count_children() == (victim->server.pid > 0 ? 1 : 0),
		    "a child is left");
	story_server_kill(&victim->server, SIGKILL);
	if (victim->menace->keeps_questions)
		story_check(&victim->story, victim->questions > 0 && victim->questions <= 1000,
			    "%d questions at once", victim->questions);
	const long peak = story_peak_kib() / 1024;
	if (!story_is_sanitized())
		story_check(&victim->story, peak <= victim->menace->memory_mib, "%ld MiB of memory",
			    peak);
	if (getenv("STORY_VERBOSE"))
		(void)fprintf(stderr,
			      "%s %s: asked %lld ms, ended %lld ms, %ld MiB, %d questions\n",
			      victim->menace->kind, victim->menace->carrier, asked, ended, peak,
			      victim->questions);
}

static int run_menace(const struct menace *menace, const char *node, const char *script)
{
	struct victim victim = {.menace = menace};
	char name[128], suite[64];
	const char *slow = story_is_sanitized() ? "--sanitized" : NULL;
	const char *const command[] = {node,
				       script,
				       menace->kind,
				       menace->carrier,
				       strcmp(menace->carrier, "stdio") == 0 ? slow : "ADDRESS",
				       NULL};
	(void)snprintf(suite, sizeof(suite), "hostile-%s", menace->carrier);
	(void)snprintf(name, sizeof(name), "%s: told in time, in clean words, in little memory",
		       menace->kind);
	memcpy(victim.command, command, sizeof(command));

	victim.story.suite = suite;
	victim.server.command = victim.command;
	victim.server.kind = strcmp(menace->carrier, "ws") == 0 ? "ws" : "http";
	(void)story_step(&victim.story, name, KIND_LIMIT_S, step_kind, &victim);
	return story_finish(&victim.story);
}

int main(int argc, char **argv)
{
	int failures = 0;
	if (argc < 3) {
		(void)fprintf(stderr, "usage: client-hostile NODE HOSTILE_SERVER [KIND]\n");
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(menaces) / sizeof(menaces[0]); i++) {
		int status = 1;
		if (argc > 3 && strcmp(argv[3], menaces[i].kind) != 0)
			continue;
		const pid_t pid = fork();
		if (pid == 0)
			exit(run_menace(&menaces[i], argv[1], argv[2]));
		if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) {
			struct story story = {.suite = "hostile", .step = menaces[i].kind};
			story_fail(&story, "the client died by signal %d",
				   WIFSIGNALED(status) ? WTERMSIG(status) : 0);
		}
		failures += status != 0;
	}
	return failures ? 1 : 0;
}
