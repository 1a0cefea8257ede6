/* A server's process: how it is started, what it says, and its end. */
#include <stdio.h>

#include "apps/workbench/launch/env.h"
#include "apps/workbench/launch/vite.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "base/mem.h"
#include "base/url.h"
#include "mcp/preview_ports.h"
#include "mcp/server.h"

static void keep_text(char **to, struct tn_str text)
{
	tn_mem_free(*to);
	*to = tn_mem_copy_text(text.data ? text.data : "", text.size);
}

static void log_line(const struct tn_wb_launch *launch, enum tn_wb_log_level level,
		     struct tn_str text)
{
	struct tn_wb_session *session = NULL;

	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		tn_wb_session_log(session, level, TN_WB_LOG_SERVER, text);
}

/* ---- pages ---- */

/* "ws://127.0.0.1:40001/__skaffa/rt" */
static void channel_of(const struct tn_wb_launch *launch, const struct tn_wb_session *session,
		       char out[128])
{
	const char *origin = launch->door->ports->origin(session->user);

	(void)snprintf(out, 128, "ws%s/__skaffa/rt", origin + strlen("http"));
}

/* Its pages are served at the server itself, and have the channel at the session's own port. */
static void reach(struct tn_wb_launch *launch, struct tn_wb_session *session)
{
	const struct tn_preview_ports *ports = launch->door->ports;
	struct tenon_error err;
	struct tn_url parsed;
	struct tn_buf url;

	if (session->state != TN_WB_SESSION_CREATING ||
	    !tn_url_parse(tn_str_from(launch->url), &parsed))
		return;
	tn_buf_init(&url, TN_WB_ADDRESS_BYTES_MAX);
	if (session->component) {
		tn_buf_append_str(&url, parsed.origin);
		tn_wb_vite_put_path(&url, tn_str_from(session->component));
	} else {
		tn_buf_append_text(&url, launch->url);
	}
	tn_buf_append_byte(&url, '\0');
	if (url.failed || ports->allow(session->user, parsed.origin, &err) != TENON_OK ||
	    tn_wb_session_reachable(session, url.data, &err) != TENON_OK)
		tn_wb_session_failed(session, TN_WB_LAUNCH_FAILED, "launch_failed",
				     "out of memory");
	tn_buf_finish(&url);
	tn_wb_preview_run_soon(launch->door);
}

static void reach_all(struct tn_wb_launch *launch, struct tn_str url)
{
	struct tn_wb_session *session = NULL;
	struct tn_url parsed;

	keep_text(&launch->url, url);
	if (!launch->url || !tn_url_parse(url, &parsed) || !tn_url_is_loopback(&parsed)) {
		tn_wb_launch_fail(launch, TN_WB_LAUNCH_FAILED, "launch_failed",
				  "the server says that it serves at an address that is none of "
				  "this machine");
		return;
	}
	launch->phase = TN_WB_LAUNCH_SERVING;
	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		reach(launch, session);
}

static void send_page(struct tn_wb_launch *launch, const struct tn_wb_session *session)
{
	char channel[128];
	const struct tn_wb_vite_page page = {.component = tn_str_from(session->component),
					     .session_id = session->id,
					     .key = session->key,
					     .channel = channel};
	struct tn_buf line;

	channel_of(launch, session, channel);
	tn_buf_init(&line, TN_WB_LINE_BYTES_MAX);
	tn_wb_vite_put_page(&line, &page);
	if (!line.failed)
		(void)tn_wb_process_send(launch->process, tn_buf_str(&line));
	tn_buf_finish(&line);
}

void tn_wb_launch_join(struct tn_wb_launch *launch, struct tn_wb_session *session)
{
	if (launch->process)
		send_page(launch, session);
	if (launch->phase == TN_WB_LAUNCH_SERVING)
		reach(launch, session);
}

void tn_wb_launch_part(struct tn_wb_launch *launch, const struct tn_wb_session *session)
{
	struct tn_buf line;

	if (!launch->process)
		return;
	tn_buf_init(&line, TN_WB_LINE_BYTES_MAX);
	tn_wb_vite_put_leave(&line, tn_str_from(session->component));
	if (!line.failed)
		(void)tn_wb_process_send(launch->process, tn_buf_str(&line));
	tn_buf_finish(&line);
}

/* ---- what it says ---- */

static void take_hint(const struct tn_wb_launch *launch, const struct tn_wb_vite_word *word)
{
	const struct tn_wb_instrumented row = {.type_id = word->type_id,
					       .target = word->target,
					       .export_name = word->export_name,
					       .reason = word->reason};
	struct tn_wb_session *session = NULL;

	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		tn_wb_session_instrumented(session, &row);
}

static void take_word(struct tn_wb_launch *launch, const struct tn_wb_vite_word *word)
{
	enum tn_wb_log_level level = TN_WB_LOG_INFO;

	switch (word->kind) {
	case TN_WB_VITE_READY:
		reach_all(launch, word->url);
		break;
	case TN_WB_VITE_LOG:
		(void)tn_wb_log_level_of(word->level, &level);
		log_line(launch, level, word->message);
		break;
	case TN_WB_VITE_INSTRUMENTED:
	case TN_WB_VITE_SKIPPED:
		take_hint(launch, word);
		break;
	case TN_WB_VITE_ERROR:
		log_line(launch, TN_WB_LOG_ERROR, word->message);
		keep_text(&launch->error_code, word->code);
		keep_text(&launch->error_message, word->message);
		break;
	default:
		break;
	}
}

static void take_line(void *data, struct tn_str line, bool is_stderr)
{
	struct tn_wb_launch *launch = data;
	struct tn_wb_vite_word word;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_WB_LINE_ARENA_MAX);
	if (!is_stderr && tn_wb_vite_read(&arena, line, &word))
		take_word(launch, &word);
	else if (line.size)
		log_line(launch, is_stderr ? TN_WB_LOG_WARN : TN_WB_LOG_INFO, line);
	tn_arena_finish(&arena);
}

static void ended(void *data, struct tn_child_end end)
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

/* ---- the start ---- */

static bool put_start(struct tn_buf *out, const struct tn_wb_launch *launch,
		      const struct tn_wb_workspace *workspace, const struct tn_wb_prepare *prepared,
		      const struct tn_json *options)
{
	const struct tn_wb_session *first = tn_wb_launch_next(launch, NULL);
	char channel[128];
	const struct tn_wb_vite_page page = {.component = tn_str_from(first->component),
					     .session_id = first->id,
					     .key = first->key,
					     .channel = channel};
	const struct tn_wb_vite vite = {.root = workspace->root,
					.folder = prepared->directory,
					.config = workspace->config,
					.registry = workspace->registry,
					.options = options,
					.adapter = prepared->paths[1],
					.page = &page};

	channel_of(launch, first, channel);
	tn_wb_vite_put_start(out, &vite);
	return !out->failed;
}

static const struct tn_json *options_of(const struct tn_wb_launch *launch, struct tn_arena *arena)
{
	struct tn_json *options = NULL;
	struct tenon_error err;

	return tn_json_parse_copy(arena, tn_str_from(launch->options), &options, &err) ==
				       TENON_OK &&
			       tn_json_is(options, TN_JSON_OBJECT)
		       ? options
		       : NULL;
}

static enum tenon_code start_process(struct tn_wb_launch *launch,
				     const struct tn_wb_workspace *workspace,
				     const struct tn_wb_prepare *prepared, struct tn_arena *arena,
				     struct tenon_error *err)
{
	const struct tn_json *const more[TN_WB_ENV_PARTS] = {
		tn_wb_config_get(workspace->config, "preview", "environment")};
	const char *command[] = {prepared->node, prepared->paths[0], NULL};
	const struct tn_wb_process_options options = {.loop = launch->door->server->loop,
						      .command = command,
						      .env = tn_wb_env(arena, more, 0),
						      .directory = prepared->directory,
						      .line_max = TN_WB_LINE_BYTES_MAX,
						      .line = take_line,
						      .ended = ended,
						      .data = launch};

	if (!options.env)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_wb_process_start(&options, &launch->process, err);
}

void tn_wb_launch_start(struct tn_wb_launch *launch, const struct tn_wb_prepare *prepared)
{
	const struct tn_wb_workspace *workspace = tn_wb_launch_workspace(launch);
	struct tn_wb_session *session = tn_wb_launch_next(launch, NULL);
	struct tenon_error err = {.message = "out of memory"};
	struct tn_arena arena;
	struct tn_buf line;
	bool done;

	if (!workspace || !session)
		return; /* it ends in this turn */
	tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
	tn_buf_init(&line, TN_WB_INPUT_BYTES_MAX);
	done = put_start(&line, launch, workspace, prepared, options_of(launch, &arena)) &&
	       start_process(launch, workspace, prepared, &arena, &err) == TENON_OK &&
	       tn_wb_process_send(launch->process, tn_buf_str(&line));
	tn_buf_finish(&line);
	tn_arena_finish(&arena);
	if (!done) {
		tn_wb_launch_fail(launch, TN_WB_LAUNCH_FAILED, "launch_failed", err.message);
		return;
	}
	launch->phase = TN_WB_LAUNCH_STARTING;
	while ((session = tn_wb_launch_next(launch, session)) != NULL)
		send_page(launch, session);
}
