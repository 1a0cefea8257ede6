/* client_story.c - our client against a server that others wrote (or ours), from connecting to a
 * server that is killed in the middle of a call and comes back.
 *
 *     client-story [--plain] SUITE MODE ERA stdio COMMAND...
 *     client-story [--plain] SUITE MODE ERA http|sse|ws|unix COMMAND...   (struct story_server)
 *
 * --plain: the server has nothing but test_simple_text (rude_server.mjs).
 * MODE is auto, modern or legacy; ERA is what must come of it. The server offers the fixtures of
 * conformance-server or of tests/servers/fixtures.mjs: what only one of them has is looked up in
 * its list of tools. Proves MCP-033, 059, 060, 063, 088 and 196. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

#define SMALL_LIMIT_S 30
#define CALLS_AT_ONCE 20

struct world {
	struct story story;
	struct story_server server;
	const char *const *command; /* on stdio */
	struct story_env env;
	const char *era;
	bool plain;
	enum tenon_client_mode mode;
	struct tenon_client *client;
	char tools[16384]; /* the list, as JSON */
	char question[256], prompt[4096];
	bool declines;
	int tools_changed, watched_changed, all_changed;
	int lost;
	int answered; /* of the calls at once */
};

static const char watched_uri[] = "test://watched-resource";

/* ---- handlers ---- */

static void elicit(struct tenon_question *question, void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	tenon_client_clean_text(tenon_question_message(question), world->question,
				sizeof(world->question));
	if (world->declines)
		tenon_question_decline(question);
	else if (tenon_question_accept(question,
				       "{\"username\":\"ann\",\"email\":\"ann@example.org\"}",
				       &err) != TENON_OK)
		story_fail(&world->story, "accept: %s", err.message);
}

static void sample(struct tenon_question *question, void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	(void)snprintf(world->prompt, sizeof(world->prompt), "%s", tenon_question_params(question));
	if (tenon_question_answer(question,
				  "{\"role\":\"assistant\",\"model\":\"test-model\","
				  "\"content\":{\"type\":\"text\",\"text\":\"an answer\"}}",
				  &err) != TENON_OK)
		story_fail(&world->story, "answer: %s", err.message);
}

static void changed(enum tenon_change change, const char *uri, void *data)
{
	struct world *world = data;
	world->tools_changed += change == TENON_CHANGED_TOOLS;
	world->all_changed += change == TENON_CHANGED_ALL;
	world->watched_changed +=
		change == TENON_CHANGED_RESOURCE && uri && strcmp(uri, watched_uri) == 0;
}

static void lost(const struct tenon_error *why, bool again, void *data)
{
	struct world *world = data;
	(void)why;
	(void)again;
	world->lost++;
}

static void server_text(const char *text, size_t size, void *data)
{
	(void)data;
	if (getenv("STORY_VERBOSE"))
		(void)fwrite(text, 1, size, stderr);
}

/* ---- asking ---- */

/* The outcome of a request; its texts live until the next one. */
static struct tenon_outcome wait_for(struct world *world, struct tenon_request *request,
				     const struct tenon_error *err)
{
	struct tenon_outcome outcome = {.code = TENON_INTERNAL};
	if (!request) {
		story_fail(&world->story, "not sent: %s", err->message);
		outcome.err = *err;
		return outcome;
	}
	(void)tenon_request_wait(request, &outcome); /* the outcome says it, too */
	return outcome;
}

static struct tenon_outcome call(struct world *world, const char *tool, const char *arguments)
{
	struct tenon_error err = {0};
	return wait_for(world, tenon_client_call(world->client, tool, arguments, NULL, &err), &err);
}

/* Calls the tool, and expects these words in its result. */
static void call_says(struct world *world, const char *tool, const char *arguments,
		      const char *words)
{
	const struct tenon_outcome outcome = call(world, tool, arguments);
	if (story_check(&world->story, outcome.code == TENON_OK, "%s: %s: %s", tool,
			tenon_code_name(outcome.code), outcome.err.message))
		story_check(&world->story, strstr(outcome.result, words) != NULL, "%s: %.300s",
			    tool, outcome.result);
}

static void result_says(struct world *world, struct tenon_request *request,
			const struct tenon_error *err, const char *words)
{
	const struct tenon_outcome outcome = wait_for(world, request, err);
	if (story_check(&world->story, outcome.code == TENON_OK, "%s: %s",
			tenon_code_name(outcome.code), outcome.err.message))
		story_check(&world->story, strstr(outcome.result, words) != NULL, "%.300s",
			    outcome.result);
}

static bool offers(const struct world *world, const char *tool)
{
	char quoted[128];
	(void)snprintf(quoted, sizeof(quoted), "\"%s\"", tool);
	return strstr(world->tools, quoted) != NULL;
}

/* Lets the loop run until the counter has grown, five seconds at most. */
static void wait_until_more(struct world *world, const int *counter, int before, const char *what)
{
	for (int tries = 0; *counter == before && tries < 100; tries++)
		tenon_client_run_for(world->client, 50);
	story_check(&world->story, *counter > before, "%s: nobody told", what);
}

/* ---- steps ---- */

static void step_connect(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	if (!world->command && !story_server_start(&world->server, &world->story))
		return;
	const struct tenon_client_options options = {.name = "tenon-client-story",
						     .version = "1.0.0",
						     .command = world->command,
						     .url = world->command ? NULL
									   : world->server.url,
						     .mode = world->mode,
						     .handlers = {.elicit = elicit,
								  .sample = sample,
								  .changed = changed,
								  .lost = lost,
								  .server_text = server_text,
								  .data = world}};
	if (tenon_client_create(&options, &world->client, &err) != TENON_OK ||
	    tenon_client_set_roots(world->client, "[{\"uri\":\"file:///work\",\"name\":\"work\"}]",
				   &err) != TENON_OK ||
	    tenon_client_connect(world->client, &err) != TENON_OK) {
		story_fail(&world->story, "%s: %s", tenon_code_name(err.code), err.message);
		return;
	}
	const char *revision = tenon_client_revision(world->client);
	const bool modern = revision && strcmp(revision, "2026-07-28") >= 0;
	story_check(&world->story, revision && modern == (strcmp(world->era, "modern") == 0),
		    "the revision is %s", revision ? revision : "unknown");
	const char *name = tenon_client_server_name(world->client);
	story_check(&world->story, name && strstr(name, "server"), "the server's name is %s",
		    name ? name : "unknown");
}

static void step_tools(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	const struct tenon_outcome outcome = wait_for(
		world, tenon_client_list(world->client, TENON_LIST_TOOLS, NULL, &err), &err);
	if (!story_check(&world->story, outcome.code == TENON_OK, "%s", outcome.err.message))
		return;
	(void)snprintf(world->tools, sizeof(world->tools), "%s", outcome.result);
	story_check(&world->story,
		    offers(world, "test_simple_text") &&
			    (world->plain || offers(world, "test_trigger_resource_update")),
		    "%.300s", outcome.result);
}

static void step_lists(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	result_says(world, tenon_client_list(world->client, TENON_LIST_RESOURCES, NULL, &err), &err,
		    watched_uri);
	result_says(world, tenon_client_list(world->client, TENON_LIST_TEMPLATES, NULL, &err), &err,
		    "resourceTemplates");
	result_says(world, tenon_client_list(world->client, TENON_LIST_PROMPTS, NULL, &err), &err,
		    "test_prompt_with_arguments");
}

static void step_calls(void *data)
{
	struct world *world = data;
	call_says(world, "test_simple_text", "{}", "simple text response");
	if (world->plain)
		return;
	const struct tenon_outcome outcome = call(world, "test_error_handling", NULL);
	story_check(&world->story, outcome.code == TENON_OK && outcome.is_tool_error,
		    "%s, tool error %d: %s", tenon_code_name(outcome.code), outcome.is_tool_error,
		    outcome.err.message);
}

static void step_read(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	result_says(world, tenon_client_read(world->client, "test://static-text", NULL, &err), &err,
		    "static text resource");
	result_says(world,
		    tenon_client_prompt(world->client, "test_prompt_with_arguments",
					"{\"arg1\":\"hello\",\"arg2\":\"world\"}", NULL, &err),
		    &err, "arg1='hello'");
}

static void step_refusals(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	struct tenon_outcome outcome = call(world, "no_such_tool", "{}");
	story_check(&world->story, outcome.code != TENON_OK && outcome.error_code == -32602,
		    "an unknown tool: error %lld", (long long)outcome.error_code);
	outcome = wait_for(world, tenon_client_read(world->client, "test://nothing", NULL, &err),
			   &err);
	story_check(&world->story, outcome.error_code == -32602 || outcome.error_code == -32002,
		    "an unknown resource: error %lld", (long long)outcome.error_code);
}

/* ---- progress and cancellation ---- */

struct progress_seen {
	struct world *world;
	int count;
	double last;
	bool falls;
	bool cancels; /* at the first one */
	bool kills;
};

/* A connection says that its server is gone. Over HTTP there is none: a stream that broke is looked
 * for again until the server, or the next one at its address, has said something. */
static void kill_server(struct world *world)
{
	if (world->command) {
		story_check(&world->story, story_kill_children(SIGKILL) > 0, "there is no child");
		return;
	}
	story_server_kill(&world->server, SIGKILL);
	if (strcmp(world->server.kind, "http") == 0)
		(void)story_server_start(&world->server, &world->story);
}

static void on_progress(struct tenon_request *request, double progress, double total,
			const char *message, void *data)
{
	struct progress_seen *seen = data;
	(void)total;
	(void)message;
	seen->falls = seen->falls || (seen->count && progress <= seen->last);
	seen->last = progress;
	seen->count++;
	if (seen->count == 1 && seen->cancels)
		tenon_request_cancel(request);
	if (seen->count == 1 && seen->kills)
		kill_server(seen->world);
}

static struct tenon_outcome call_watched(struct world *world, const char *tool,
					 struct progress_seen *seen)
{
	const struct tenon_request_options options = {.progress = on_progress, .data = seen};
	struct tenon_error err = {0};
	return wait_for(world, tenon_client_call(world->client, tool, "{}", &options, &err), &err);
}

static void step_progress(void *data)
{
	struct world *world = data;
	struct progress_seen seen = {.world = world};
	const struct tenon_outcome outcome = call_watched(world, "test_tool_with_progress", &seen);
	story_check(&world->story, outcome.code == TENON_OK, "%s", outcome.err.message);
	story_check(&world->story, seen.count == 3 && !seen.falls && seen.last >= 100,
		    "told %d times, last %g", seen.count, seen.last);
}

static void step_cancel(void *data)
{
	struct world *world = data;
	const bool slow = offers(world, "test_slow");
	struct progress_seen seen = {.world = world, .cancels = true};
	const long long start = story_now_ms();
	const struct tenon_outcome outcome =
		call_watched(world, slow ? "test_slow" : "test_tool_with_progress", &seen);
	story_check(&world->story, outcome.code == TENON_CANCELLED, "%s: %s",
		    tenon_code_name(outcome.code), outcome.err.message);
	story_check(&world->story, story_now_ms() - start < 5000, "it took %lld ms",
		    story_now_ms() - start);
	tenon_client_run_for(world->client, 300);
	if (slow && offers(world, "test_cancelled"))
		call_says(world, "test_cancelled", "{}", "\"1\"");
	call_says(world, "test_simple_text", "{}", "simple text response");
}

/* ---- questions of the server ---- */

static void step_elicit(void *data)
{
	struct world *world = data;
	world->declines = false;
	call_says(world, "test_elicitation", "{\"message\":\"Who are you?\"}", "ann@example.org");
	story_check(&world->story, strcmp(world->question, "Who are you?") == 0, "asked: %s",
		    world->question);
	world->declines = true;
	call_says(world, "test_elicitation", "{\"message\":\"And now?\"}", "decline");
}

static void step_sample(void *data)
{
	struct world *world = data;
	call_says(world, "test_sampling", "{\"prompt\":\"Say something\"}",
		  "LLM response: an answer");
	story_check(&world->story, strstr(world->prompt, "Say something") != NULL, "asked: %.200s",
		    world->prompt);
}

static void step_roots(void *data)
{
	struct world *world = data;
	if (offers(world, "test_roots"))
		call_says(world, "test_roots", "{}", "file:///work");
	else
		call_says(world, "test_input_required_result_list_roots", "{}", "work");
}

/* ---- changes ---- */

static void step_list_change(void *data)
{
	struct world *world = data;
	const int before = world->tools_changed;
	tenon_client_run_for(world->client, 200); /* a stream of its own may have to open */
	call_says(world, "test_trigger_tool_change", "{}", "text");
	wait_until_more(world, &world->tools_changed, before, "the list");
	step_tools(world);
	story_check(&world->story, offers(world, "test_extra_tool"), "the new tool is not listed");
	call_says(world, "test_trigger_tool_change", "{}", "text");
}

static void trigger_update(struct world *world)
{
	const int before = world->watched_changed;
	call_says(world, "test_trigger_resource_update", "{}", "Told everybody");
	wait_until_more(world, &world->watched_changed, before, "the resource");
}

static void step_watch(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	if (!story_check(&world->story,
			 tenon_client_watch(world->client, watched_uri, &err) == TENON_OK, "%s",
			 err.message))
		return;
	tenon_client_run_for(world->client, 300);
	trigger_update(world);
}

static void one_answered(struct tenon_request *request, const struct tenon_outcome *outcome,
			 void *data)
{
	struct world *world = data;
	(void)request;
	world->answered++;
	story_check(&world->story,
		    outcome->code == TENON_OK && strstr(outcome->result, "simple text response"),
		    "%s: %s", tenon_code_name(outcome->code), outcome->err.message);
}

static void step_at_once(void *data)
{
	struct world *world = data;
	const struct tenon_request_options options = {.done = one_answered, .data = world};
	struct tenon_error err = {0};
	world->answered = 0;
	for (int i = 0; i < CALLS_AT_ONCE; i++)
		if (!tenon_client_call(world->client, "test_simple_text", "{}", &options, &err))
			story_fail(&world->story, "not sent: %s", err.message);
	for (int tries = 0; world->answered < CALLS_AT_ONCE && tries < 200; tries++)
		tenon_client_run_for(world->client, 50);
	story_check(&world->story, world->answered == CALLS_AT_ONCE, "%d answers", world->answered);
}

/* ---- restart in the middle ---- */

/* The call ends at once with an error that is ours, or was made again and answered. */
static void step_killed(void *data)
{
	struct world *world = data;
	struct progress_seen seen = {.world = world, .kills = true};
	const long long start = story_now_ms();
	const struct tenon_outcome outcome = call_watched(world, "test_tool_with_progress", &seen);
	story_check(&world->story, seen.count > 0, "the server was not killed: %s",
		    outcome.err.message);
	story_check(&world->story, outcome.error_code == 0,
		    "a code that could be the server's: %lld", (long long)outcome.error_code);
	story_check(&world->story, outcome.code != TENON_INTERNAL && outcome.code != TENON_INVALID,
		    "%s: %s", tenon_code_name(outcome.code), outcome.err.message);
	story_check(&world->story, story_now_ms() - start < 15000, "it took %lld ms",
		    story_now_ms() - start);
}

static void step_back(void *data)
{
	struct world *world = data;
	struct tenon_error err = {0};
	bool answered = false;
	if (!world->command && world->server.pid == 0 &&
	    !story_server_start(&world->server, &world->story))
		return;
	for (int tries = 0; !answered && tries < 20; tries++) {
		struct tenon_outcome outcome = {.code = TENON_SYSTEM};
		struct tenon_request *request =
			tenon_client_call(world->client, "test_simple_text", "{}", NULL, &err);
		if (request && tenon_request_wait(request, &outcome) != TENON_OK)
			err = outcome.err;
		answered = outcome.code == TENON_OK;
		if (!answered)
			tenon_client_run_for(world->client, 500);
	}
	story_check(&world->story, answered, "no answer any more: %s", err.message);
}

static void step_back_told(void *data)
{
	struct world *world = data;
	tenon_client_run_for(world->client, 1500); /* streams come back with a pause */
	trigger_update(world);
	story_check(&world->story, world->lost > 0 || world->all_changed > 0,
		    "the application does not know that the server was away");
}

static void step_close(void *data)
{
	struct world *world = data;
	const long long start = story_now_ms();
	tenon_client_destroy(world->client);
	world->client = NULL;
	story_check(&world->story, story_now_ms() - start < 5000, "it took %lld ms",
		    story_now_ms() - start);
	if (world->command)
		story_check(&world->story, story_count_children() == 0, "a child is left");
}

static const struct {
	const char *name;
	void (*run)(void *data);
	bool plain; /* told of a plain server, too */
} steps[] = {
	{"tools, all pages", step_tools, true},
	{"resources, templates and prompts", step_lists, false},
	{"a call, and a tool's error", step_calls, true},
	{"a resource and a prompt", step_read, false},
	{"what is not there is refused", step_refusals, false},
	{"progress", step_progress, false},
	{"cancel, and the next call is answered", step_cancel, false},
	{"elicitation, accepted and declined", step_elicit, false},
	{"sampling", step_sample, false},
	{"roots", step_roots, false},
	{"a list that changes is told", step_list_change, false},
	{"a watched resource that changes is told", step_watch, false},
	{"twenty calls at once", step_at_once, true},
	{"killed in the middle of a call", step_killed, false},
	{"the server comes back", step_back, false},
	{"and is watched again", step_back_told, false},
	{"close", step_close, true},
};

static bool parse_mode(const char *text, enum tenon_client_mode *ret)
{
	static const char *const names[] = {[TENON_MODE_AUTO] = "auto",
					    [TENON_MODE_MODERN] = "modern",
					    [TENON_MODE_LEGACY] = "legacy"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0) {
			*ret = (enum tenon_client_mode)i;
			return true;
		}
	return false;
}

static void tell(struct world *world)
{
	const size_t count = sizeof(steps) / sizeof(steps[0]);
	if (!story_step(&world->story, "connect", SMALL_LIMIT_S, step_connect, world))
		return;
	for (size_t i = 0; i < count; i++)
		if (steps[i].plain || !world->plain)
			(void)story_step(&world->story, steps[i].name, SMALL_LIMIT_S, steps[i].run,
					 world);
}

int main(int argc, char **argv)
{
	struct world world = {.client = NULL};
	world.plain = argc > 1 && strcmp(argv[1], "--plain") == 0;
	argv += world.plain;
	argc -= world.plain;
	if (argc < 6 || !parse_mode(argv[2], &world.mode)) {
		(void)fprintf(stderr, "usage: client-story [--plain] SUITE auto|modern|legacy "
				      "modern|legacy stdio|http|sse|ws|unix COMMAND...\n");
		return 2;
	}
	world.story.suite = argv[1];
	world.era = argv[3];
	world.server.kind = argv[4];
	world.server.command = (const char *const *)argv + 5;
	if (strcmp(argv[4], "stdio") == 0)
		world.command = world.server.command;
	story_env_fill(&world.env);
	(void)signal(SIGPIPE, SIG_IGN);
	tell(&world);
	tenon_client_destroy(world.client);
	story_server_kill(&world.server, SIGTERM);
	return story_finish(&world.story);
}
