/* A server that we have started is reached, says something, or has ended. */
#include "apps/workbench/launch/ready.h"
#include "apps/workbench/launch/vite.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "base/mem.h"
#include "base/url.h"
#include "mcp/preview_ports.h"

void tn_wb_launch_keep(char **to, struct tn_str text)
{
	tn_mem_free(*to);
	*to = tn_mem_copy_text(text.data ? text.data : "", text.size);
}

void tn_wb_launch_log(const struct tn_wb_launch *launch, enum tn_wb_log_level level,
		      struct tn_str text)
{
	struct tn_wb_session *session = NULL;

	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		tn_wb_session_log(session, level, TN_WB_LOG_SERVER, text);
}

/* "crossorigin" makes the browser say which page asks, so that no other one gets the key. */
static enum tenon_code tell_tag(struct tn_wb_session *session, const char *origin,
				struct tenon_error *err)
{
	struct tn_buf tag;
	enum tenon_code code;

	tn_buf_init(&tag, TN_KIB);
	tn_buf_format(&tag, "<script src=\"%s/__skaffa/adapter.js\" crossorigin></script>", origin);
	code = tn_buf_check(&tag, err);
	if (code == TENON_OK)
		code = tn_wb_session_needs(session, tn_buf_str(&tag), err);
	tn_buf_finish(&tag);
	return code;
}

/* Its pages are served at the server itself, and have the channel at the session's own port. */
static enum tenon_code reach_directly(const struct tn_wb_launch *launch,
				      struct tn_wb_session *session, struct tenon_error *err)
{
	const struct tn_preview_ports *ports = launch->door->ports;
	enum tenon_code code;
	struct tn_url parsed;
	struct tn_buf url;

	(void)tn_url_parse(tn_str_from(launch->url), &parsed);
	tn_buf_init(&url, TN_WB_ADDRESS_BYTES_MAX);
	tn_buf_append_str(&url, parsed.origin);
	if (session->component)
		tn_wb_vite_put_path(&url, tn_str_from(session->component));
	else
		tn_buf_append_str(&url, parsed.target.size ? parsed.target : TN_STR("/"));
	tn_buf_append_byte(&url, '\0');
	code = tn_buf_check(&url, err);
	if (code == TENON_OK)
		code = ports->allow(session->user, parsed.origin, err);
	if (code == TENON_OK && launch->is_tagged)
		code = tell_tag(session, ports->origin(session->user), err);
	if (code == TENON_OK)
		code = tn_wb_session_reachable(session, url.data, err);
	tn_buf_finish(&url);
	return code;
}

void tn_wb_launch_reach(struct tn_wb_launch *launch, struct tn_wb_session *session)
{
	struct tenon_error err;
	enum tenon_code code;

	if (session->state != TN_WB_SESSION_CREATING)
		return;
	code = launch->is_command && !launch->is_tagged
		       ? tn_wb_preview_attach(launch->door, session, tn_str_from(launch->url), &err)
		       : reach_directly(launch, session, &err);
	if (code != TENON_OK)
		tn_wb_session_failed(session, TN_WB_LAUNCH_FAILED, "launch_failed", err.message);
	tn_wb_preview_run_soon(launch->door);
}

void tn_wb_launch_reach_all(struct tn_wb_launch *launch, struct tn_str said)
{
	struct tn_wb_session *session = NULL;
	struct tn_url parsed;
	struct tn_buf url;

	if (launch->phase != TN_WB_LAUNCH_STARTING)
		return;
	tn_buf_init(&url, TN_WB_ADDRESS_BYTES_MAX);
	if (tn_wb_ready_address(said, &url))
		tn_wb_launch_keep(&launch->url, tn_buf_str(&url));
	tn_buf_finish(&url);
	if (!launch->url || !tn_url_parse(tn_str_from(launch->url), &parsed) ||
	    tn_wb_preview_is_ours(launch->door, &parsed)) {
		tn_wb_launch_fail(launch, TN_WB_LAUNCH_FAILED, "launch_failed",
				  "the server says that it serves at an address that is none of "
				  "its own on this machine");
		return;
	}
	launch->phase = TN_WB_LAUNCH_SERVING;
	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		tn_wb_launch_reach(launch, session);
}

void tn_wb_launch_ended(void *data, struct tn_child_end end)
{
	struct tn_wb_launch *launch = data;
	bool served = launch->phase == TN_WB_LAUNCH_SERVING;
	struct tn_buf words;

	tn_wb_process_free(launch->process);
	launch->process = NULL;
	tn_buf_init(&words, TN_WB_TEXT_BYTES_MAX);
	if (launch->error_message) {
		tn_buf_append_text(&words, launch->error_message);
	} else {
		tn_buf_append_text(&words, "the server has ended with ");
		tn_wb_process_put_end(&words, end);
		if (!served)
			tn_buf_append_text(&words, " before it could be reached");
	}
	tn_buf_append_byte(&words, '\0');
	tn_wb_launch_fail(launch, served ? TN_WB_SERVER_EXITED : TN_WB_LAUNCH_FAILED,
			  launch->error_code ? launch->error_code
			  : served           ? "server_exited"
					     : "launch_failed",
			  words.failed ? "the server has ended" : words.data);
	tn_buf_finish(&words);
}
