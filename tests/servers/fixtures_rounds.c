/* fixtures_rounds.c - the multi-round-trip fixtures (mcp-conformance.md section 4.3).
 *
 * What a handler must remember between two rounds it puts into its state: no session helps it. */
#include <stdio.h>
#include <string.h>

#include "fixtures.h"

#define NAME_BYTES_MAX 256

static const char name_form[] =
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
	"\"description\":\"Your name\"}},\"required\":[\"name\"]}";
static const char color_form[] =
	"{\"type\":\"object\",\"properties\":{\"color\":{\"type\":\"string\","
	"\"description\":\"A color\"}},\"required\":[\"color\"]}";
static const char confirm_form[] =
	"{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\","
	"\"description\":\"Go on\"}},\"required\":[\"ok\"]}";
static const char context_form[] =
	"{\"type\":\"object\",\"properties\":{\"context\":{\"type\":\"string\","
	"\"description\":\"What it is about\"}},\"required\":[\"context\"]}";

/* A field the user filled in. NULL after having finished the call: the user would not answer. */
static const char *filled_in(struct tenon_call *call, const struct tenon_answer *answer,
			     const char *field)
{
	const char *text = tenon_answer_text(answer, field);
	if (text && tenon_answer_action(answer) == TENON_ACCEPTED && strlen(text) <= NAME_BYTES_MAX)
		return text;
	tenon_call_reply_text(call, "The question was not answered.");
	return NULL;
}

static void ask_name(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "user_name", "What is your name?", name_form);
	const char *name = answer ? filled_in(call, answer, "name") : NULL;
	if (name)
		fixture_reply(call, "Hello, %s!", name);
}

static void ask_model(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer = tenon_call_sample(
		call, "capital_question",
		"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
		"\"text\":\"What is the capital of France?\"}}],\"maxTokens\":100}");
	const char *text = answer ? tenon_answer_text(answer, NULL) : NULL;
	if (answer)
		fixture_reply(call, "The model says: %s", text ? text : "");
}

static void ask_roots(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer = tenon_call_roots(call, "client_roots");
	if (answer)
		fixture_reply(call, "Your roots: %s", tenon_answer_json(answer));
}

static void ask_with_state(struct tenon_call *call, void *data)
{
	(void)data;
	const char *state = tenon_call_state(call);
	const bool remembered = state && strcmp(state, "asked to confirm") == 0;
	tenon_call_set_state(call, "asked to confirm");
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "confirm", "Please confirm to go on.", confirm_form);
	if (answer)
		tenon_call_reply_text(call, remembered ? "Confirmed, state-ok." : "State lost.");
}

static void ask_several(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_state(call, "asked three things");
	const struct tenon_answer *user =
		tenon_call_elicit(call, "user_name", "What is your name?", name_form);
	const struct tenon_answer *greeting = tenon_call_sample(
		call, "greeting",
		"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
		"\"text\":\"Generate a greeting\"}}],\"maxTokens\":50}");
	const struct tenon_answer *roots = tenon_call_roots(call, "client_roots");
	if (!user || !greeting || !roots)
		return;
	const char *name = filled_in(call, user, "name");
	const char *text = tenon_answer_text(greeting, NULL);
	if (name)
		fixture_reply(call, "%s, %s! Your roots: %s", text ? text : "Hello", name,
			      tenon_answer_json(roots));
}

/* Round 1 asks for a name; round 2 has it, keeps it in the state and asks for a color; round 3 has
 * both. */
static void ask_step_by_step(struct tenon_call *call, void *data)
{
	static const char second[] = "name:";
	(void)data;
	const char *state = tenon_call_state(call);
	if (state && strncmp(state, second, strlen(second)) == 0) {
		char name[NAME_BYTES_MAX + 1];
		(void)snprintf(name, sizeof(name), "%s", state + strlen(second));
		tenon_call_set_state(call, state); /* should it have to be asked again */
		const struct tenon_answer *color = tenon_call_elicit(
			call, "step2", "What is your favorite color?", color_form);
		const char *text = color ? filled_in(call, color, "color") : NULL;
		if (text)
			fixture_reply(call, "%s likes %s.", name, text);
		return;
	}
	const struct tenon_answer *answer =
		tenon_call_elicit(call, "step1", "What is your name?", name_form);
	if (!answer) {
		tenon_call_set_state(call, "first");
		return;
	}
	char note[NAME_BYTES_MAX + sizeof(second)];
	const char *name = filled_in(call, answer, "name");
	if (!name)
		return;
	(void)snprintf(note, sizeof(note), "%s%s", second, name);
	tenon_call_set_state(call, note);
	(void)tenon_call_elicit(call, "step2", "What is your favorite color?", color_form);
}

static void ask_what_client_can(struct tenon_call *call, void *data)
{
	if (tenon_call_can(call, TENON_CAN_ELICIT))
		ask_name(call, data);
	else if (tenon_call_can(call, TENON_CAN_SAMPLE))
		ask_model(call, data);
	else if (tenon_call_can(call, TENON_CAN_ROOTS))
		ask_roots(call, data);
	else
		tenon_call_reply_text(call, "This client cannot be asked anything.");
}

const struct tenon_tool fixture_round_tools[] = {
	{.name = "test_input_required_result_elicitation",
	 .description = "Asks the user for a name",
	 .call = ask_name},
	{.name = "test_input_required_result_sampling",
	 .description = "Asks the client's model for a capital",
	 .call = ask_model},
	{.name = "test_input_required_result_list_roots",
	 .description = "Asks the client for its roots",
	 .call = ask_roots},
	{.name = "test_input_required_result_request_state",
	 .description = "Asks for confirmation and remembers that it did",
	 .call = ask_with_state},
	{.name = "test_input_required_result_multiple_inputs",
	 .description = "Asks three things at once",
	 .call = ask_several},
	{.name = "test_input_required_result_multi_round",
	 .description = "Asks two things, one after the other",
	 .call = ask_step_by_step},
	{.name = "test_input_required_result_tampered_state",
	 .description = "Has a state that nobody else can write",
	 .call = ask_with_state},
	{.name = "test_input_required_result_capabilities",
	 .description = "Asks only in ways the client knows",
	 .call = ask_what_client_can},
	{.name = NULL}};

static void get_prompt(struct tenon_call *call, void *data)
{
	(void)data;
	const struct tenon_answer *answer = tenon_call_elicit(
		call, "user_context", "What context should the prompt use?", context_form);
	const char *context = answer ? filled_in(call, answer, "context") : NULL;
	if (context)
		fixture_reply(call, "Use this context: %s", context);
}

const struct tenon_prompt fixture_round_prompts[] = {
	{.name = "test_input_required_result_prompt",
	 .description = "Asks the user before it answers",
	 .get = get_prompt},
	{.name = NULL}};
