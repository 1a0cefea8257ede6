/* On which preview a tool acts, and whether a person agrees (17.6). */
#include "apps/workbench/mcp/acting.h"

#include "apps/workbench/limits.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/fault.h"

#define LASTING "Allow props, selection and routes in this preview for 30 minutes"

const char *tn_wb_actor_of(struct tenon_call *call)
{
	return tenon_call_is_person(call) ? "user (page)" : tenon_call_client_name(call);
}

void tn_wb_begin_reply(struct tn_buf *out)
{
	tn_buf_init(out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "ok", true);
}

/* ---- on what ---- */

struct tn_wb_session *tn_wb_session_named(struct tenon_call *call, struct tn_wb_door *door)
{
	const struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, door);
	const char *id = tenon_call_text(call, "sessionId");
	struct tn_wb_session *session = workspace ? tn_wb_session_of(workspace, id) : NULL;

	if (!workspace)
		return NULL;
	for (workspace = tenon_call_text(call, "workspace") ? NULL : door->workspaces.first;
	     workspace && !session; workspace = workspace->next)
		session = tn_wb_session_of(workspace, id);
	if (!session)
		tn_wb_reply_no_session(call, id);
	return session;
}

static bool begin_group(struct tn_wb_acting *ret, const char *group)
{
	if (!group || !tenon_call_is_person(ret->call)) {
		tenon_call_refuse(ret->call, TN_WB_RPC_INVALID_PARAMS,
				  "arguments.sessionId: name a session; skaffa://preview/sessions "
				  "lists them",
				  NULL);
		return false;
	}
	(void)tn_wb_group_of(tn_str_from(group), &ret->group);
	ret->workspace = tn_wb_workspace_of(ret->call, ret->door);
	return ret->workspace != NULL;
}

bool tn_wb_acting_begin(struct tn_wb_acting *ret, struct tenon_call *call, struct tn_wb_door *door)
{
	*ret = (struct tn_wb_acting){.door = door, .call = call};
	if (!tenon_call_text(call, "sessionId")) {
		if (!begin_group(ret, tenon_call_text(call, "group")))
			return false;
	} else {
		ret->session = tn_wb_session_named(call, door);
		if (!ret->session)
			return false;
		ret->workspace = ret->session->set->data;
		ret->group = ret->session->group;
	}
	if (ret->workspace->config && ret->workspace->drafts)
		return true;
	tn_wb_reply_error(call, "workspace_loading",
			  "the workspace is being read: try again in a moment");
	return false;
}

bool tn_wb_acting_is_ready(const struct tn_wb_acting *acting)
{
	if (!acting->session || acting->session->state == TN_WB_SESSION_READY)
		return true;
	tn_wb_reply_error(acting->call, "session_not_ready",
			  "the preview is %s: a person opens its url in a browser",
			  tn_wb_session_state_name(acting->session->state));
	return false;
}

/* ---- whether ---- */

const char *tn_wb_actuation(const struct tn_wb_door *door, const struct tn_wb_workspace *workspace)
{
	const char *host = tn_settings_text(&door->settings, "workbench.actuation");
	struct tn_str folder = {0};

	if (workspace && workspace->config)
		(void)tn_json_to_str(
			tn_wb_config_get(workspace->config, "guardrails", "mcpActuation"), &folder);
	if (tn_str_is(folder, "off"))
		return "off";
	return tn_str_is(folder, "confirm") && strcmp(host, "allow") == 0 ? "confirm" : host;
}

/* What only the folder forbids is listed all the same: the list does not hang on it. */
static bool is_forbidden(const struct tn_wb_acting *acting)
{
	if (tenon_call_is_person(acting->call) ||
	    strcmp(tn_wb_actuation(acting->door, acting->workspace), "off") != 0)
		return false;
	tn_call_fail_code(acting->call, "DENIED_BY_POLICY", false,
			  "In this folder assistants look alone: its configuration says so "
			  "(guardrails.mcpActuation). Nothing was done.");
	return true;
}

void tn_wb_put_quoted(struct tn_buf *out, struct tn_str text)
{
	struct tn_buf quoted;

	tn_buf_init(&quoted, TN_MIB);
	tn_json_put_str(&quoted, tn_utf8_cut(text, TN_WB_SHOWN_BYTES));
	tn_buf_append_str(out, tn_buf_str(&quoted));
	tn_buf_finish(&quoted);
	if (text.size > TN_WB_SHOWN_BYTES)
		tn_buf_format(out, "... (%zu bytes)", text.size);
}

static void bind(const struct tn_wb_acting *acting, struct tn_buf *out, const char *third,
		 struct tn_str exactly)
{
	tn_buf_init(out, TN_RESULT_BYTES_MAX);
	tn_json_begin_array(out);
	tn_json_put_text(out, acting->workspace->root);
	tn_json_put_text(out, acting->workspace->epoch);
	tn_json_put_text(out, acting->session ? acting->session->id : "");
	tn_json_put_text(out, third);
	tn_json_put_str(out, exactly);
	tn_json_end_array(out);
}

/* At the end, so that it hides nothing of ours. */
static void put_reason(const struct tn_wb_acting *acting, struct tn_buf *out)
{
	const char *reason = tenon_call_text(acting->call, "reason");

	if (!reason)
		return;
	tn_buf_append_text(out, "The assistant's reason: ");
	tn_wb_put_quoted(out, tn_str_from(reason));
	tn_buf_append_byte(out, '\n');
}

static const char *lasting_words(const struct tn_wb_question *question)
{
	if (question->always)
		return question->always;
	return question->lasts ? LASTING : NULL;
}

bool tn_wb_acting_consent(const struct tn_wb_acting *acting, const struct tn_wb_question *question)
{
	struct tn_buf exactly, lasting, detail;
	bool agreed = false;

	if (is_forbidden(acting))
		return false;
	bind(acting, &exactly, "this", question->exactly);
	bind(acting, &lasting, "preview", tn_str_from(tenon_call_client_name(acting->call)));
	tn_buf_init(&detail, TN_MIB);
	tn_buf_append_str(&detail, question->detail);
	if (question->detail.size && !tn_str_ends(question->detail, TN_STR("\n")))
		tn_buf_append_byte(&detail, '\n');
	put_reason(acting, &detail);
	tn_buf_append_byte(&detail, '\0');
	if (exactly.failed || lasting.failed || detail.failed) {
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
	} else {
		const struct tenon_act act = {
			.kind = question->kind,
			.summary = question->summary,
			.detail = detail.data,
			.exactly = exactly.data,
			.exactly_size = exactly.size,
			.once = question->always,
			.lasting = lasting_words(question),
			.lasting_exactly = question->lasts ? lasting.data : NULL,
			.lasting_exactly_size = lasting.size,
			.lasting_ms = question->lasts ? TN_WB_LASTING_MS : 0,
			.data = question->data ? question->data->data : NULL,
			.is_allowed = strcmp(tn_wb_actuation(acting->door, acting->workspace),
					     "allow") == 0};

		agreed = tenon_call_consent(acting->call, &act);
	}
	tn_buf_finish(&exactly);
	tn_buf_finish(&lasting);
	tn_buf_finish(&detail);
	return agreed;
}
