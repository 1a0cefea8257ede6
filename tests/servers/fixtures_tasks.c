/* fixtures_tasks.c - tools that go on as tasks (mcp-conformance.md section 4.5).
 *
 * Each handler is written once: it starts a task where the client can follow one and goes on as an
 * ordinary call where it cannot. */
#include <stdio.h>

#include "fixtures.h"

static const char confirm_form[] =
	"{\"type\":\"object\",\"properties\":{\"confirm\":{\"type\":\"boolean\","
	"\"description\":\"Really?\"}},\"required\":[\"confirm\"]}";
static const char name_form[] =
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
	"\"description\":\"A name\"}},\"required\":[\"name\"]}";

static void greet(struct tenon_call *call, void *data)
{
	const char *name = fixture_text(call, "name");

	(void)data;
	if (name)
		fixture_reply(call, "Hello, %s!", name);
}

/* ---- work that takes its time ---- */

static void stop(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "The computation was cancelled.");
}

static void computed(struct tenon_call *call, void *data)
{
	const char *label = tenon_call_text(call, "label");

	(void)data;
	fixture_reply(call, "Computed %.200s.", label ? label : "it");
}

static void compute(struct tenon_call *call, void *data)
{
	int64_t seconds = 0;

	(void)tenon_call_int(call, "seconds", &seconds);
	if (seconds == 0) {
		computed(call, data);
		return;
	}
	(void)tenon_call_start_task(
		call, &(struct tenon_task_options){.poll_ms = 200, .message = "Computing"});
	tenon_call_on_cancel(call, stop, data);
	tenon_call_after(call, (uint64_t)seconds * 1000, computed, data);
}

static void fail_late(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "The job failed, as it always does.");
}

static void fail_as_tool(struct tenon_call *call, void *data)
{
	(void)tenon_call_start_task(call, NULL);
	tenon_call_on_cancel(call, stop, data);
	tenon_call_after(call, 1000, fail_late, data);
}

static void refuse_late(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_refuse(call, -32603, "The job broke down.", NULL);
}

static void fail_as_protocol(struct tenon_call *call, void *data)
{
	(void)tenon_call_start_task(call, NULL);
	tenon_call_on_cancel(call, stop, data);
	tenon_call_after(call, 200, refuse_late, data);
}

/* ---- questions ---- */

static void confirm_delete(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer;
	const char *name = fixture_text(call, "filename");
	bool confirmed = false;
	char question[512];

	(void)data;
	if (!name)
		return;
	(void)tenon_call_start_task(call, NULL);
	(void)snprintf(question, sizeof(question), "Delete %.400s?", name);
	answer = tenon_call_elicit(call, "confirm", question, confirm_form);
	if (!answer)
		return;
	(void)tenon_answer_bool(answer, "confirm", &confirmed);
	if (tenon_answer_action(answer) == TENON_ACCEPTED && confirmed)
		fixture_reply(call, "Deleted %.400s.", name);
	else
		fixture_reply(call, "Kept %.400s.", name);
}

static const char *named(const struct tenon_answer *answer)
{
	const char *name = tenon_answer_text(answer, "name");

	return name ? name : "nobody";
}

static void ask_two(struct tenon_call *call, void *data)
{
	const struct tenon_answer *first, *second;

	(void)data;
	(void)tenon_call_start_task(call, NULL);
	first = tenon_call_elicit(call, "first", "Who comes first?", name_form);
	second = tenon_call_elicit(call, "second", "Who comes second?", name_form);
	if (first && second)
		fixture_reply(call, "%.200s, then %.200s.", named(first), named(second));
}

static void reply_named(struct tenon_call *call, void *data)
{
	/* Asked and answered before the task began, so it is there. */
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "user_name", "What is your name?", name_form);

	(void)data;
	if (answer)
		fixture_reply(call, "Done for %.200s.", named(answer));
}

/* Asks first, as any tool would, and becomes a task when it knows enough. */
static void ask_then_start(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "user_name", "What is your name?", name_form);

	if (!answer)
		return;
	(void)tenon_call_start_task(call, NULL);
	tenon_call_on_cancel(call, stop, data);
	tenon_call_after(call, 100, reply_named, data);
}

const struct tenon_tool fixture_task_tools[] = {
	{.name = "greet",
	 .description = "Greets somebody, at once",
	 .input_schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
			 "\"description\":\"Whom\"}},\"required\":[\"name\"]}",
	 .call = greet},
	{.name = "slow_compute",
	 .description = "Takes as many seconds as it is told",
	 .input_schema = "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"integer\","
			 "\"minimum\":0,\"maximum\":3600,\"description\":\"How long\"},"
			 "\"label\":{\"type\":\"string\",\"description\":\"What it is called\"}},"
			 "\"required\":[\"seconds\"]}",
	 .task_support = TENON_TASK_OPTIONAL,
	 .call = compute},
	{.name = "failing_job",
	 .description = "Runs as a task only, and fails after a second",
	 .task_support = TENON_TASK_REQUIRED,
	 .call = fail_as_tool},
	{.name = "protocol_error_job",
	 .description = "Ends with an error instead of a result",
	 .task_support = TENON_TASK_OPTIONAL,
	 .call = fail_as_protocol},
	{.name = "confirm_delete",
	 .description = "Asks before it (does not really) delete a file",
	 .input_schema = "{\"type\":\"object\",\"properties\":{\"filename\":{\"type\":\"string\","
			 "\"description\":\"Which file\"}},\"required\":[\"filename\"]}",
	 .task_support = TENON_TASK_OPTIONAL,
	 .call = confirm_delete},
	{.name = "multi_input",
	 .description = "Asks two things at once, which may be answered one by one",
	 .task_support = TENON_TASK_OPTIONAL,
	 .call = ask_two},
	{.name = "test_tool_with_task",
	 .description = "Asks for a name, then goes on as a task",
	 .task_support = TENON_TASK_REQUIRED,
	 .call = ask_then_start},
	{.name = NULL}};
