/* The policy for what does a tool's work without being a call of it: there nobody can be asked. */
#include "mcp/consent.h"
#include "mcp/consent_policy.h"
#include "mcp/consent_table.h"
#include "mcp/scope.h"
#include "mcp/server.h"

bool tn_consent_permits(const struct tenon_server *server, const char *tool, const char *app)
{
	const struct tn_str name = tn_str_from(tool);
	const struct tn_item *item = tn_registry_find(&server->registry, TN_ITEM_TOOL, name);
	const struct tn_policy_question question = {
		.tool = name,
		.app = tn_str_from(app),
		.flags = item ? tn_tool_flags(&item->tool, NULL) : 0,
	};
	struct tn_policy_answer answer;

	if (!item || !server->consent)
		return false;
	answer = tn_policy_ask(server->consent->policy, &question);
	return answer.verdict == TN_ALLOW || (answer.verdict == TN_CONFIRM && answer.built_in);
}
