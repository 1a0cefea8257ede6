/* How the subcommands of tenon terminal reach the tools, and read what those answer. */
#include "cli/terminal/terminal.h"

#include <string.h>

#include "cli/shared/cli.h"

/* {"error":{"code","message"}} of the app, or {"error","message"} of shared machinery. */
int tn_terminal_tell_refusal(const struct tn_cli *cli, const struct tn_json *structured)
{
	const struct tn_json *error = tn_json_get(structured, "error");
	bool own = tn_json_is(error, TN_JSON_OBJECT);
	struct tn_str code = TN_STR("TOOL_ERROR"), message = TN_STR("the tool failed");

	(void)tn_json_to_str(own ? tn_json_get(error, "code") : error, &code);
	(void)tn_json_to_str(tn_json_get(own ? error : structured, "message"), &message);
	return tn_cli_fail_text(cli, TN_EXIT_TOOL, code.data,
				tn_terminal_flag(structured, "retryable"), message, tn_str("", 0));
}

int tn_terminal_call(const struct tn_terminal_call *call, const char *tool, struct tn_str arguments,
		     const struct tn_json **ret)
{
	char *text = tn_arena_copy(call->arena, arguments);
	struct tenon_error err = {0};
	struct tenon_outcome outcome;
	struct tenon_request *request;
	struct tn_json *tree;

	if (!text)
		return tn_cli_fail(call->cli, TN_EXIT_TOOL, "NO_MEMORY", true, "out of memory");
	request = tenon_client_call(call->client, tool, text, NULL, &err);
	if (!request)
		return tn_cli_fail_error(call->cli, TN_EXIT_UNREACHABLE, NULL, &err);
	if (tenon_request_wait(request, &outcome) != TENON_OK)
		return tn_cli_fail_outcome(call->cli, &outcome);
	if (tn_json_parse_copy(call->arena, tn_str(outcome.result, outcome.result_size), &tree,
			       &err) != TENON_OK)
		return tn_cli_fail_error(call->cli, TN_EXIT_TOOL, NULL, &err);
	*ret = tn_json_get(tree, "structuredContent");
	return outcome.is_tool_error ? tn_terminal_tell_refusal(call->cli, *ret) : TN_EXIT_OK;
}

const char *tn_terminal_text(const struct tn_json *object, const char *name)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, name), &text);
	return text.data;
}

int64_t tn_terminal_number(const struct tn_json *object, const char *name, int64_t otherwise)
{
	(void)tn_json_to_int(tn_json_get(object, name), &otherwise);
	return otherwise;
}

bool tn_terminal_flag(const struct tn_json *object, const char *name)
{
	bool flag = false;

	(void)tn_json_to_bool(tn_json_get(object, name), &flag);
	return flag;
}

int tn_terminal_find_session(const struct tn_terminal_call *call, const char *word,
			     const struct tn_json **ret)
{
	const struct tn_json *result = NULL, *sessions, *named = NULL;
	size_t count = 0;
	int exit = tn_terminal_call(call, "list_sessions", TN_STR("{\"include_closed\":true}"),
				    &result);

	if (exit != TN_EXIT_OK)
		return exit;
	sessions = tn_json_get(result, "sessions");
	for (const struct tn_json *s = tn_json_is(sessions, TN_JSON_ARRAY) ? sessions->first : NULL;
	     s; s = s->next) {
		const char *state = tn_terminal_text(s, "state");

		if (strcmp(tn_terminal_text(s, "id"), word) == 0) {
			*ret = s;
			return TN_EXIT_OK;
		}
		if (strcmp(tn_terminal_text(s, "name"), word) != 0 ||
		    strcmp(state, "closed") == 0 || strcmp(state, "lost") == 0)
			continue;
		named = s;
		count++;
	}
	*ret = named;
	if (count == 1)
		return TN_EXIT_OK;
	if (count > 1)
		return tn_cli_fail(call->cli, TN_EXIT_TOOL, "AMBIGUOUS", false,
				   "%zu sessions are called \"%.64s\"; name one by its id (tenon "
				   "terminal sessions)",
				   count, word);
	return tn_cli_fail(call->cli, TN_EXIT_TOOL, "unknown_session", false,
			   "there is no session \"%.64s\"; tenon terminal sessions lists them",
			   word);
}
