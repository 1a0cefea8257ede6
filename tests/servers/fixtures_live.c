/* fixtures_live.c - tools that take their time: log lines, progress, polling, list changes. */
#include <stddef.h>

#include "fixtures.h"

#define STEP_MS 50
#define POLL_RETRY_MS 300  /* what the client is told to wait before it comes back */
#define POLL_ANSWER_MS 150 /* when the answer is ready: before the client comes back */

/* One step of a tool that works in steps; the table's last step has the final text. */
struct step {
	const char *log;
	double progress; /* of 100; negative: none told */
	const char *result;
};

static const struct step logging_steps[] = {
	{.log = "Tool execution started", .progress = -1},
	{.log = "Tool processing data", .progress = -1},
	{.log = "Tool execution completed", .progress = -1, .result = "Three lines were logged."}};

static const struct step progress_steps[] = {
	{.progress = 0}, {.progress = 50}, {.progress = 100, .result = "All of it is done."}};

static const struct step diagnostic_steps[] = {
	{.log = "A line for whoever asked for it", .progress = -1, .result = "Logged."}};

static void run_step(struct tenon_call *call, void *data)
{
	const struct step *step = data;
	if (step->log)
		tenon_call_log(call, TENON_LOG_INFO, "conformance", step->log);
	if (step->progress >= 0)
		tenon_call_progress(call, step->progress, 100, NULL);
	if (step->result)
		tenon_call_reply_text(call, step->result);
	else
		tenon_call_after(call, STEP_MS, run_step, (void *)(step + 1));
}

static void with_logging(struct tenon_call *call, void *data)
{
	(void)data;
	run_step(call, (void *)logging_steps);
}

static void with_progress(struct tenon_call *call, void *data)
{
	(void)data;
	run_step(call, (void *)progress_steps);
}

static void logging_tool(struct tenon_call *call, void *data)
{
	(void)data;
	run_step(call, (void *)diagnostic_steps);
}

static void finish_reconnection(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "The answer waited for the client to come back.");
}

static void reconnection(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_release_stream(call, POLL_RETRY_MS);
	tenon_call_after(call, POLL_ANSWER_MS, finish_reconnection, NULL);
}

/* ---- lists that change ---- */

static void extra(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "I come and go.");
}

static const struct tenon_tool extra_tool = {
	.name = "test_extra_tool", .description = "Comes and goes", .call = extra};

static const struct tenon_prompt extra_prompt = {
	.name = "test_extra_prompt", .description = "Comes and goes", .get = extra};

/* May be called any number of times: it adds what is not there and removes what is. */
static void trigger_tool_change(struct tenon_call *call, void *data)
{
	struct fixture_world *world = data;
	struct tenon_error err = {0};
	if (world->extra_tool)
		(void)tenon_server_remove_tool(world->server, extra_tool.name); /* it is there */
	else if (tenon_server_add_tool(world->server, &extra_tool, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	world->extra_tool = !world->extra_tool;
	tenon_call_reply_text(call, world->extra_tool ? "Added a tool." : "Removed a tool.");
}

static void trigger_prompt_change(struct tenon_call *call, void *data)
{
	struct fixture_world *world = data;
	struct tenon_error err = {0};
	if (world->extra_prompt)
		(void)tenon_server_remove_prompt(world->server, extra_prompt.name);
	else if (tenon_server_add_prompt(world->server, &extra_prompt, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	world->extra_prompt = !world->extra_prompt;
	tenon_call_reply_text(call, world->extra_prompt ? "Added a prompt." : "Removed a prompt.");
}

static void trigger_resource_update(struct tenon_call *call, void *data)
{
	const struct fixture_world *world = data;
	tenon_server_resource_updated(world->server, "test://watched-resource");
	tenon_call_reply_text(call, "Told everybody who watches.");
}

const struct tenon_tool fixture_live_tools[] = {
	{.name = "test_tool_with_logging",
	 .description = "Logs three lines while it runs",
	 .call = with_logging},
	{.name = "test_tool_with_progress",
	 .description = "Tells three times how far it is",
	 .call = with_progress},
	{.name = "test_logging_tool",
	 .description = "Logs a line for a client that asked for log lines",
	 .call = logging_tool},
	{.name = "test_reconnection",
	 .description = "Lets the client go and answers when it comes back",
	 .call = reconnection},
	{.name = "test_trigger_tool_change",
	 .description = "Changes the list of tools",
	 .call = trigger_tool_change},
	{.name = "test_trigger_prompt_change",
	 .description = "Changes the list of prompts",
	 .call = trigger_prompt_change},
	{.name = "test_trigger_resource_update",
	 .description = "Says that test://watched-resource has changed",
	 .call = trigger_resource_update},
	{.name = NULL}};
