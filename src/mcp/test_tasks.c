/* The test server's tools with task support. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/test_fixtures.h"

static const char name_form[] = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":"
				"\"string\",\"minLength\":2}},\"required\":[\"name\"]}";
static const char question[] =
	"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Why?\"}}],"
	"\"maxTokens\":10,\"_meta\":{\"example.com/k\":1}}";

static void start(struct tenon_call *call)
{
	static const struct tenon_task_options options = {
		.ttl_ms = 60000, .poll_ms = 50, .message = "At work"};

	(void)tenon_call_start_task(call, &options);
}

static void task_cancelled(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	t->cancelled_count++;
	for (unsigned i = 0; i < t->held_count; i++) {
		if (t->held[i] == call)
			t->held[i] = NULL;
	}
	tenon_call_progress(call, 99, 100, "nobody hears this");
	tenon_call_reply_text(call, "nobody reads this");
}

static void count_freed(void *data)
{
	(*(unsigned *)data)++;
}

static void hold(struct tenon_call *call, struct test_peer *t)
{
	assert_true(t->held_count < TEST_HELD_MAX);
	t->held[t->held_count++] = call;
	tenon_call_set_data(call, &t->freed, count_freed);
}

static void task_hold(struct tenon_call *call, void *data)
{
	start(call);
	hold(call, data);
	tenon_call_on_cancel(call, task_cancelled, data);
}

/* Does not hear of its cancellation. */
static void task_deaf(struct tenon_call *call, void *data)
{
	start(call);
	hold(call, data);
}

/* Tells what it is: whatever was in the result before is still there. */
static void task_or_not(struct tenon_call *call, void *data)
{
	bool is_task;

	(void)data;
	tenon_call_add_text(call, "before", TENON_TEXT);
	tenon_call_set_meta(call, "\"example.com/k\":1");
	tenon_call_progress(call, 1, 2, "before");
	is_task = tenon_call_start_task(call, NULL);
	assert_true(!is_task || tenon_call_start_task(call, NULL)); /* it stays one */
	tenon_call_progress(call, 2, 2, "after");
	tenon_call_log(call, TENON_LOG_ERROR, NULL, "a line");
	tenon_call_reply_text(call, is_task ? "a task" : "no task");
	assert_false(tenon_call_start_task(call, NULL)); /* it is over */
	tenon_call_set_task_message(call, "too late");
}

/* Tells more than may be told, then starts. */
static void task_after_reports(struct tenon_call *call, void *data)
{
	for (int i = 1; i <= 20; i++)
		tenon_call_progress(call, i, 0, NULL);
	task_hold(call, data);
	tenon_call_progress(call, 21, 0, NULL);
}

static void task_later_due(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "later");
}

static void task_later(struct tenon_call *call, void *data)
{
	start(call);
	tenon_call_set_task_message(call, "Almost there");
	tenon_call_after(call, 5, task_later_due, data);
}

static void task_work(const struct tenon_call *call, void *data)
{
	(void)call;
	(void)data;
}

static void task_works(struct tenon_call *call, void *data)
{
	start(call);
	tenon_call_work(call, task_work, task_later_due, data);
}

static void task_fails(struct tenon_call *call, void *data)
{
	(void)data;
	start(call);
	tenon_call_fail(call, "failed with %d", 7);
}

static void task_refuses(struct tenon_call *call, void *data)
{
	(void)data;
	start(call);
	tenon_call_refuse(call, 4711, "refused", "{\"why\":1}");
}

static void task_too_large(struct tenon_call *call, void *data)
{
	char *text = tn_mem_alloc(TN_MIB + 1);

	(void)data;
	assert_non_null(text);
	start(call);
	memset(text, 'x', TN_MIB);
	for (int i = 0; i < 65; i++)
		tenon_call_add_text(call, text, TN_MIB);
	tn_mem_free(text);
	tenon_call_finish(call);
}

/* A result of 60 MiB: two of them fit, three do not. */
static void task_large(struct tenon_call *call, void *data)
{
	char *text = tn_mem_alloc(TN_MIB + 1);

	(void)data;
	assert_non_null(text);
	start(call);
	memset(text, 'x', TN_MIB);
	for (int i = 0; i < 60; i++)
		tenon_call_add_text(call, text, TN_MIB);
	tn_mem_free(text);
	tenon_call_finish(call);
}

static void reply_name(struct tenon_call *call, const struct tenon_answer *answer)
{
	const char *name = tenon_answer_text(answer, "name");

	tenon_call_reply_text(call, name ? name : "nobody");
}

static void task_asks(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer;

	start(call);
	((struct test_peer *)data)->entries++;
	answer = tenon_call_elicit(call, "who", "Who?", name_form);
	if (answer)
		reply_name(call, answer);
}

static void task_asks_all(struct tenon_call *call, void *data)
{
	const struct tenon_answer *who, *why, *where;
	char text[256];

	start(call);
	((struct test_peer *)data)->entries++;
	who = tenon_call_elicit(call, "who", "Who?", name_form);
	why = tenon_call_sample(call, "why", question);
	where = tenon_call_roots(call, "where");
	if (!who || !why || !where)
		return;
	(void)snprintf(text, sizeof(text), "%s %s %s", tenon_answer_text(who, "name"),
		       tenon_answer_text(why, NULL), tenon_answer_json(where));
	tenon_call_reply_text(call, text);
}

/* Goes on working between question and end. */
static void task_asks_then_holds(struct tenon_call *call, void *data)
{
	start(call);
	((struct test_peer *)data)->entries++;
	if (tenon_call_elicit(call, "who", "Who?", name_form))
		task_hold(call, data);
}

/* Asks first, as any other tool, and starts when it knows enough. */
static void task_after_asking(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(call, "who", "Who?", name_form);

	((struct test_peer *)data)->entries++;
	if (!answer)
		return;
	start(call);
	reply_name(call, answer);
}

/* Always has one question more. */
static void task_asks_endlessly(struct tenon_call *call, void *data)
{
	unsigned round = ++((struct test_peer *)data)->entries;
	char key[32];

	start(call);
	(void)snprintf(key, sizeof(key), "k%u", round);
	(void)tenon_call_elicit(call, key, "More?", name_form);
}

/* Tells how far it is whenever the test lets it. */
static void task_reports(struct tenon_call *call, void *data)
{
	task_hold(call, data);
	tenon_call_progress(call, 1, 3, "first");
	tenon_call_log(call, TENON_LOG_ERROR, "unit", "a line");
}

static const char strict_schema[] =
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}";

static const struct tenon_tool app_task = {.name = "app_task",
					   .input_schema = strict_schema,
					   .task_support = TENON_TASK_OPTIONAL,
					   .call = task_later};
static const struct tenon_tool *const app_tools[] = {&app_task, NULL};
static const struct tenon_app app = {
	.name = "tasks", .argument_faults = TENON_FAULTS_ARE_PROTOCOL_ERRORS, .tools = app_tools};

void test_add_tasks(struct test_peer *t)
{
	const enum tenon_task_support optional = TENON_TASK_OPTIONAL;
	const struct tenon_tool tools[] = {
		{.name = "task_hold", .task_support = optional, .call = task_hold},
		{.name = "task_required", .task_support = TENON_TASK_REQUIRED, .call = task_hold},
		{.name = "task_deaf", .task_support = optional, .call = task_deaf},
		{.name = "task_or_not", .task_support = optional, .call = task_or_not},
		{.name = "task_never", .call = task_or_not},
		{.name = "task_after_reports",
		 .task_support = optional,
		 .call = task_after_reports},
		{.name = "task_later", .task_support = optional, .call = task_later},
		{.name = "task_works", .task_support = optional, .call = task_works},
		{.name = "task_fails", .task_support = optional, .call = task_fails},
		{.name = "task_refuses", .task_support = optional, .call = task_refuses},
		{.name = "task_too_large", .task_support = optional, .call = task_too_large},
		{.name = "task_large", .task_support = optional, .call = task_large},
		{.name = "task_asks", .task_support = optional, .call = task_asks},
		{.name = "task_asks_all", .task_support = optional, .call = task_asks_all},
		{.name = "task_asks_then_holds",
		 .task_support = optional,
		 .call = task_asks_then_holds},
		{.name = "task_after_asking", .task_support = optional, .call = task_after_asking},
		{.name = "task_asks_endlessly",
		 .task_support = optional,
		 .call = task_asks_endlessly},
		{.name = "task_reports", .task_support = optional, .call = task_reports},
		{.name = "task_strict",
		 .input_schema = strict_schema,
		 .task_support = optional,
		 .call = task_later},
	};
	struct tenon_error err;

	test_add_tools(t, tools, TN_COUNT(tools));
	assert_int_equal(tenon_server_add_app(t->server, &app, &err), TENON_OK);
}
