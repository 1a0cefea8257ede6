/* fixtures_asking.c - tools that ask the user or the client's model something, once.
 *
 * Every handler here is written once for all revisions: it looks for the answer, and where there is
 * none yet it returns and is called again (result.h). */
#include <stdio.h>
#include <string.h>

#include "fixtures.h"

#define SAMPLING_BYTES_MAX 8192

static const char *action_name(const struct tenon_answer *answer)
{
	static const char *const names[] = {[TENON_ACCEPTED] = "accept",
					    [TENON_DECLINED] = "decline",
					    [TENON_DISMISSED] = "cancel"};
	return names[tenon_answer_action(answer)];
}

/* The size of the JSON object or array at `text`. */
static int json_size(const char *text)
{
	int size = 0, depth = 0;
	for (bool quoted = false; text[size]; size++) {
		const char c = text[size];
		if (quoted && c == '\\' && text[size + 1])
			size++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']') && --depth == 0)
			return size + 1;
	}
	return size;
}

/* What a form was filled in with, as JSON text inside the answer; "{}" when it was not. */
static const char *content_of(const struct tenon_answer *answer, int *ret_size)
{
	static const char member[] = "\"content\":";
	const char *content = strstr(tenon_answer_json(answer), member);
	content = content ? content + strlen(member) : "{}";
	content += strspn(content, " \t\r\n");
	*ret_size = json_size(content);
	return content;
}

static void reply_with_form(struct tenon_call *call, const char *lead,
			    const struct tenon_answer *answer)
{
	int size;
	const char *content = content_of(answer, &size);
	fixture_reply(call, "%s action=%s, content=%.*s", lead, action_name(answer), size, content);
}

static void sampling(struct tenon_call *call, void *data)
{
	(void)data;
	char params[SAMPLING_BYTES_MAX];
	const char *prompt = tenon_call_json(call, "prompt"); /* quoted and escaped already */
	const int size =
		snprintf(params, sizeof(params),
			 "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
			 "\"text\":%s}}],\"maxTokens\":100}",
			 prompt ? prompt : "\"\"");
	if (size < 0 || (size_t)size >= sizeof(params)) {
		tenon_call_fail(call, "The prompt is over %d bytes.", SAMPLING_BYTES_MAX - 128);
		return;
	}
	const struct tenon_answer *answer = tenon_call_sample(call, "sampled", params);
	if (!answer)
		return;
	const char *text = tenon_answer_text(answer, NULL);
	fixture_reply(call, "LLM response: %s", text ? text : "");
}

static const char prompt_schema[] =
	"{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\","
	"\"description\":\"What the model is asked\"}},\"required\":[\"prompt\"]}";

/* ---- forms ---- */

static const char user_form[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"username\":{\"type\":\"string\",\"description\":\"User's response\"},"
	"\"email\":{\"type\":\"string\",\"description\":\"User's email address\"}},"
	"\"required\":[\"username\",\"email\"]}";

static const char message_schema[] =
	"{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\","
	"\"description\":\"What the user is asked\"}},\"required\":[\"message\"]}";

static void elicitation(struct tenon_call *call, void *data)
{
	(void)data;
	const char *message = tenon_call_text(call, "message");
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "user", message ? message : "", user_form);
	if (answer)
		reply_with_form(call, "User response:", answer);
}

static const char defaults_form[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"name\":{\"type\":\"string\",\"description\":\"User name\",\"default\":\"John Doe\"},"
	"\"age\":{\"type\":\"integer\",\"description\":\"User age\",\"default\":30},"
	"\"score\":{\"type\":\"number\",\"description\":\"User score\",\"default\":95.5},"
	"\"status\":{\"type\":\"string\",\"description\":\"User status\","
	"\"enum\":[\"active\",\"inactive\",\"pending\"],\"default\":\"active\"},"
	"\"verified\":{\"type\":\"boolean\",\"description\":\"Verified\",\"default\":true}},"
	"\"required\":[]}";

static void elicitation_defaults(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "form", "Please look over these values.", defaults_form);
	if (answer)
		reply_with_form(call, "Elicitation completed:", answer);
}

static const char enums_form[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"untitledSingle\":{\"type\":\"string\",\"description\":\"Choose one\","
	"\"enum\":[\"option1\",\"option2\",\"option3\"]},"
	"\"titledSingle\":{\"type\":\"string\",\"description\":\"Choose one\",\"oneOf\":["
	"{\"const\":\"value1\",\"title\":\"First Option\"},"
	"{\"const\":\"value2\",\"title\":\"Second Option\"},"
	"{\"const\":\"value3\",\"title\":\"Third Option\"}]},"
	"\"legacyEnum\":{\"type\":\"string\",\"description\":\"Choose one\","
	"\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
	"\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
	"\"untitledMulti\":{\"type\":\"array\",\"description\":\"Choose some\","
	"\"items\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
	"\"titledMulti\":{\"type\":\"array\",\"description\":\"Choose some\",\"items\":{\"anyOf\":["
	"{\"const\":\"value1\",\"title\":\"First Choice\"},"
	"{\"const\":\"value2\",\"title\":\"Second Choice\"},"
	"{\"const\":\"value3\",\"title\":\"Third Choice\"}]}}},"
	"\"required\":[]}";

static void elicitation_enums(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "form", "Please choose.", enums_form);
	if (answer)
		reply_with_form(call, "Elicitation completed:", answer);
}

static void streaming_elicitation(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "user", "Who are you?", user_form);
	if (answer)
		reply_with_form(call, "User response:", answer);
}

static void missing_capability(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_call_require(call, TENON_CAN_SAMPLE))
		tenon_call_reply_text(call, "The client can sample.");
}

const struct tenon_tool fixture_asking_tools[] = {
	{.name = "test_sampling",
	 .description = "Asks the client's model",
	 .input_schema = prompt_schema,
	 .call = sampling},
	{.name = "test_elicitation",
	 .description = "Asks the user for a name and an address",
	 .input_schema = message_schema,
	 .call = elicitation},
	{.name = "test_elicitation_sep1034_defaults",
	 .description = "Shows the user a form with defaults of every type",
	 .call = elicitation_defaults},
	{.name = "test_elicitation_sep1330_enums",
	 .description = "Shows the user a form with every way to choose",
	 .call = elicitation_enums},
	{.name = "test_streaming_elicitation",
	 .description = "Asks the user something",
	 .call = streaming_elicitation},
	{.name = "test_missing_capability",
	 .description = "Needs a client that can sample",
	 .call = missing_capability},
	{.name = NULL}};
