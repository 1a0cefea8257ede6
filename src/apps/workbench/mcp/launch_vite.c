/* The project's own Vite: how it is started, and what it says (10.5). */
#include <stdio.h>

#include "apps/workbench/launch/env.h"
#include "apps/workbench/launch/vite.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "mcp/preview_ports.h"
#include "mcp/server.h"

/* ---- pages ---- */

/* "ws://127.0.0.1:40001/__skaffa/rt" */
static void channel_of(const struct tn_wb_launch *launch, const struct tn_wb_session *session,
		       char out[128])
{
	const char *origin = launch->door->ports->origin(session->user);

	(void)snprintf(out, 128, "ws%s/__skaffa/rt", origin + strlen("http"));
}

void tn_wb_launch_vite_join(struct tn_wb_launch *launch, const struct tn_wb_session *session)
{
	char channel[128];
	const struct tn_wb_vite_page page = {.component = tn_str_from(session->component),
					     .session_id = session->id,
					     .key = session->key,
					     .channel = channel};
	struct tn_buf line;

	if (!launch->process)
		return;
	channel_of(launch, session, channel);
	tn_buf_init(&line, TN_WB_LINE_BYTES_MAX);
	tn_wb_vite_put_page(&line, &page);
	if (!line.failed)
		(void)tn_wb_process_send(launch->process, tn_buf_str(&line));
	tn_buf_finish(&line);
}

void tn_wb_launch_vite_part(struct tn_wb_launch *launch, const struct tn_wb_session *session)
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

void tn_wb_launch_vite_written(struct tn_wb_launch *launch, const char *root,
			       const struct tn_json *files)
{
	struct tn_buf line;

	if (!launch->process)
		return;
	tn_buf_init(&line, TN_WB_LINE_BYTES_MAX);
	tn_wb_vite_put_written(&line, root, files);
	if (!line.failed)
		(void)tn_wb_process_send(launch->process, tn_buf_str(&line));
	tn_buf_finish(&line);
}

void tn_wb_launch_vite_hint(struct tn_wb_launch *launch, const struct tn_wb_registry *registry)
{
	uint64_t hints = tn_wb_vite_hints(registry);
	struct tn_buf line;

	if (!launch->process || launch->hints == hints)
		return; /* what starts is told all there is then */
	tn_buf_init(&line, TN_WB_INPUT_BYTES_MAX);
	tn_wb_vite_put_hints(&line, registry);
	if (!line.failed && tn_wb_process_send(launch->process, tn_buf_str(&line)))
		launch->hints = hints;
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

	while ((session = tn_wb_launch_next(launch, session)) != NULL) {
		if (word->kind == TN_WB_VITE_GONE)
			tn_wb_session_unhinted(session, &row);
		else
			tn_wb_session_instrumented(session, &row);
	}
}

static void take_word(struct tn_wb_launch *launch, const struct tn_wb_vite_word *word)
{
	enum tn_wb_log_level level = TN_WB_LOG_INFO;

	switch (word->kind) {
	case TN_WB_VITE_READY:
		tn_wb_launch_reach_all(launch, word->url);
		break;
	case TN_WB_VITE_LOG:
		(void)tn_wb_log_level_of(word->level, &level);
		tn_wb_launch_log(launch, level, word->message);
		break;
	case TN_WB_VITE_INSTRUMENTED:
	case TN_WB_VITE_SKIPPED:
	case TN_WB_VITE_GONE:
		take_hint(launch, word);
		break;
	case TN_WB_VITE_ERROR:
		tn_wb_launch_log(launch, TN_WB_LOG_ERROR, word->message);
		tn_wb_launch_keep(&launch->error_code, word->code);
		tn_wb_launch_keep(&launch->error_message, word->message);
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
		tn_wb_launch_log(launch, is_stderr ? TN_WB_LOG_WARN : TN_WB_LOG_INFO, line);
	tn_arena_finish(&arena);
}

/* ---- the start ---- */

static bool put_start(struct tn_buf *out, struct tn_wb_launch *launch,
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
	launch->hints = tn_wb_vite_hints(workspace->registry);
	return !out->failed;
}

static enum tenon_code start_process(struct tn_wb_launch *launch,
				     const struct tn_wb_prepare *prepared, struct tn_arena *arena,
				     struct tenon_error *err)
{
	const struct tn_json *const more[TN_WB_ENV_PARTS] = {
		tn_wb_launch_kept(launch->environment, arena)};
	const char *command[] = {prepared->node, prepared->paths[0], NULL};
	const struct tn_wb_process_options options = {.loop = launch->door->server->loop,
						      .command = command,
						      .env = tn_wb_env(arena, more, 0),
						      .directory = prepared->directory,
						      .line_max = TN_WB_LINE_BYTES_MAX,
						      .line = take_line,
						      .ended = tn_wb_launch_ended,
						      .data = launch};

	if (!options.env)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_wb_process_start(&options, &launch->process, err);
}

enum tenon_code tn_wb_launch_vite_start(struct tn_wb_launch *launch,
					const struct tn_wb_workspace *workspace,
					const struct tn_wb_prepare *prepared,
					struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_wb_session *session = tn_wb_launch_next(launch, NULL);
	enum tenon_code code = TENON_NO_MEMORY;
	struct tn_buf line;

	tn_buf_init(&line, TN_WB_INPUT_BYTES_MAX);
	(void)tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (put_start(&line, launch, workspace, prepared,
		      tn_wb_launch_kept(launch->options, arena)))
		code = start_process(launch, prepared, arena, err);
	if (code == TENON_OK && !tn_wb_process_send(launch->process, tn_buf_str(&line)))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_finish(&line);
	while (code == TENON_OK && (session = tn_wb_launch_next(launch, session)) != NULL)
		tn_wb_launch_vite_join(launch, session);
	return code;
}
