/* The test server's tools that ask the client something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/test_fixtures.h"

static const char name_form[] = "{\"type\":\"object\",\n\"properties\":{\"name\":{\"type\":"
				"\"string\",\"minLength\":2}},\"required\":[\"name\"]}";
static const char mail_form[] = "{\"type\":\"object\",\"properties\":{\"mail\":{\"type\":"
				"\"string\",\"format\":\"email\"}},\"required\":[\"mail\"]}";
static const char question[] =
	"{\"messages\":[{\"role\":\"user\",\n\"content\":{\"type\":\"text\",\"text\":\"Why?\"}}],"
	"\"maxTokens\":10}";
static const char tool_question[] =
	"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Why?\"}}],"
	"\"maxTokens\":10,\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}";

static void count_entry(void *data)
{
	((struct test_peer *)data)->entries++;
}

static void reply_form(struct tenon_call *call, const struct tenon_answer *answer,
		       const char *field)
{
	static const char *const names[] = {"accepted", "declined", "dismissed"};
	const char *text = tenon_answer_text(answer, field);
	char reply[256];

	(void)snprintf(reply, sizeof(reply), "%s %s", names[tenon_answer_action(answer)],
		       text ? text : "-");
	tenon_call_reply_text(call, reply);
}

static void ask_form(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(call, "who", "Who?", name_form);

	count_entry(data);
	if (answer)
		reply_form(call, answer, "name");
}

static void ask_mail(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(call, "mail", "Where?", mail_form);

	count_entry(data);
	if (answer)
		reply_form(call, answer, "mail");
}

static void ask_url(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer =
		tenon_call_elicit_url(call, "visit", "Go there", "https://example.com/x");

	count_entry(data);
	if (answer)
		reply_form(call, answer, "name");
}

static void ask_model(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_sample(call, "why", question);
	const char *text = answer ? tenon_answer_text(answer, NULL) : NULL;

	count_entry(data);
	if (answer)
		tenon_call_reply_text(call, text ? text : "no text");
}

static void ask_model_tools(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_sample(call, "why", tool_question);

	count_entry(data);
	if (answer)
		tenon_call_reply_text(call, tenon_answer_json(answer));
}

static void ask_roots(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_roots(call, "roots");

	count_entry(data);
	if (answer)
		tenon_call_reply_text(call, tenon_answer_json(answer));
}

static void ask_several(struct tenon_call *call, void *data)
{
	const struct tenon_answer *who = tenon_call_elicit(call, "who", "Who?", name_form);
	const struct tenon_answer *why = tenon_call_sample(call, "why", question);
	const struct tenon_answer *roots = tenon_call_roots(call, "roots");
	char reply[512];

	count_entry(data);
	if (!who || !why || !roots)
		return;
	(void)snprintf(reply, sizeof(reply), "%s, %s, %s", tenon_answer_text(who, "name"),
		       tenon_answer_text(why, NULL), tenon_answer_json(roots));
	tenon_call_reply_text(call, reply);
}

/* Asks one thing after the other and keeps count in its state. */
static void ask_rounds(struct tenon_call *call, void *data)
{
	static const char *const keys[] = {"one", "two", "three"};
	const char *state = tenon_call_state(call);
	char note[64], reply[256] = "";

	count_entry(data);
	(void)snprintf(note, sizeof(note), "%.40s+", state ? state : "");
	tenon_call_set_state(call, note);
	for (size_t i = 0; i < TN_COUNT(keys); i++) {
		const struct tenon_answer *answer =
			tenon_call_elicit(call, keys[i], keys[i], name_form);
		size_t used = strlen(reply);

		if (!answer)
			return;
		(void)snprintf(reply + used, sizeof(reply) - used, "%s ",
			       tenon_answer_text(answer, "name"));
	}
	(void)snprintf(reply + strlen(reply), sizeof(reply) - strlen(reply), "%s",
		       state ? state : "none");
	tenon_call_reply_text(call, reply);
}

/* Always has one question more. */
static void ask_endless(struct tenon_call *call, void *data)
{
	unsigned round = ++((struct test_peer *)data)->entries;

	for (unsigned i = 0; i < round; i++) {
		char key[32];

		(void)snprintf(key, sizeof(key), "k%u", i);
		(void)tenon_call_elicit(call, key, "More?", name_form);
	}
}

static void ask_after_due(struct tenon_call *call, void *data)
{
	ask_form(call, data);
}

/* Asks from a timer, not from its handler. */
static void ask_after(struct tenon_call *call, void *data)
{
	if (((struct test_peer *)data)->entries)
		ask_form(call, data);
	else
		tenon_call_after(call, 1, ask_after_due, data);
}

static void no_work(const struct tenon_call *call, void *data)
{
	(void)call;
	(void)data;
}

static void ask_after_work(struct tenon_call *call, void *data)
{
	if (((struct test_peer *)data)->entries)
		ask_form(call, data);
	else
		tenon_call_work(call, no_work, ask_after_due, data);
}

/* A question larger than any message. */
static void ask_too_much(struct tenon_call *call, void *data)
{
	size_t size = 2 * TN_MIB;
	char *text = tn_mem_alloc(size + 1);

	(void)data;
	assert_non_null(text);
	memset(text, 'x', size);
	(void)tenon_call_elicit(call, "much", text, name_form);
	tn_mem_free(text);
}

static void ask_nonsense(struct tenon_call *call, void *data)
{
	(void)data;
	(void)tenon_call_sample(call, "bad", "{\"messages\":");
}

static void needs_model(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_call_require(call, TENON_CAN_SAMPLE))
		tenon_call_reply_text(call, tenon_call_can(call, TENON_CAN_SAMPLE_TOOLS)
						    ? "with tools"
						    : "without tools");
}

static void ask_both_ways(struct tenon_call *call, void *data)
{
	const struct tenon_answer *form = tenon_call_elicit(call, "who", "Who?", name_form);
	const struct tenon_answer *url =
		tenon_call_elicit_url(call, "visit", "Go there", "https://example.com/x");

	(void)data;
	if (form && url)
		tenon_call_reply_text(call, "both");
}

static void prompt_asks(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(call, "who", "Who?", name_form);

	count_entry(data);
	if (answer)
		tenon_call_reply_text(call, tenon_answer_text(answer, "name"));
}

/* A completion must not ask: there is no way to. */
static void complete_asks(struct tenon_call *call, void *data)
{
	(void)data;
	(void)tenon_call_elicit(call, "who", "Who?", name_form);
}

static void add_others(struct test_peer *t)
{
	const struct tenon_resource resource = {.uri = "test://asks",
						.name = "asks",
						.size_bytes = -1,
						.read = prompt_asks,
						.data = t};
	static const struct tenon_prompt_argument argument = {.name = "a"};
	const struct tenon_prompt prompt = {.name = "asks",
					    .arguments = &argument,
					    .argument_count = 1,
					    .get = prompt_asks,
					    .complete = complete_asks,
					    .data = t};
	struct tenon_error err;

	assert_int_equal(tenon_server_add_resource(t->server, &resource, &err), TENON_OK);
	assert_int_equal(tenon_server_add_prompt(t->server, &prompt, &err), TENON_OK);
}

void test_add_asking(struct test_peer *t)
{
	const struct tenon_tool tools[] = {
		{.name = "ask_form", .call = ask_form},
		{.name = "ask_mail", .call = ask_mail},
		{.name = "ask_url", .call = ask_url},
		{.name = "ask_model", .call = ask_model},
		{.name = "ask_model_tools", .call = ask_model_tools},
		{.name = "ask_roots", .call = ask_roots},
		{.name = "ask_several", .call = ask_several},
		{.name = "ask_rounds",
		 .input_schema = "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}",
		 .call = ask_rounds},
		{.name = "ask_endless", .call = ask_endless},
		{.name = "ask_after", .call = ask_after},
		{.name = "ask_after_work", .call = ask_after_work},
		{.name = "ask_too_much", .call = ask_too_much},
		{.name = "ask_nonsense", .call = ask_nonsense},
		{.name = "ask_both_ways", .call = ask_both_ways},
		{.name = "needs_model", .call = needs_model},
	};

	test_add_tools(t, tools, TN_COUNT(tools));
	add_others(t);
}
