#include "apps/terminal/session/run.h"

#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/session/session.h"
#include "jsonrpc/json_write.h"

/* ---- resolving ---- */

static const char *shell_of(const struct tn_term_run *run, const struct tn_term_config *config)
{
	const struct tn_term_session *s = run->place.session;

	if (run->wish.shell)
		return run->wish.shell;
	if (run->wish.place.isolated)
		return "sh";
	if (!s)
		s = run->place.like;
	return s ? tn_term_session_shell(s) : config->shell;
}

bool tn_term_run_resolve(struct tn_term *term, const struct tn_term_config *config,
			 const struct tn_term_run_wish *wish, struct tn_term_run *ret,
			 struct tn_term_fault *fault)
{
	*ret = (struct tn_term_run){.wish = *wish, .inputs = tn_inputs_create()};
	tn_arena_init(&ret->arena, TN_ANALYSIS_ARENA_MAX);
	if (!ret->inputs) {
		tn_term_fault(fault, NULL, NULL, "out of memory");
		return false;
	}
	if (!tn_term_place_find(term, config, &wish->place, &ret->place, fault))
		return false;
	ret->inputs->folder = ret->place.folder;
	tn_held_init(&ret->place.folder); /* handed over */
	ret->inputs->is_person = wish->place.caller->person;
	if (ret->inputs->folder.path[0])
		ret->cwd = ret->inputs->folder.path;
	ret->session = wish->place.isolated ? "isolated"
		       : ret->place.session ? tn_term_session_id(ret->place.session)
					    : "a new one";
	ret->shell = shell_of(ret, config);
	return true;
}

void tn_term_run_finish(struct tn_term_run *run)
{
	if (!run->inputs)
		return;
	tn_held_finish(&run->place.folder);
	tn_inputs_unref(run->inputs);
	run->inputs = NULL;
	tn_names_finish(&run->names);
	tn_arena_finish(&run->arena);
}

/* ---- reading ---- */

/* What the shell that reads the text has learnt. NULL: nothing, it is a new one. */
static const struct tn_names *names_for(struct tn_term_run *run)
{
	if (run->wish.place.isolated)
		return NULL;
	if (run->place.session)
		return tn_term_session_names(run->place.session);
	tn_names_begin(&run->names, run->shell, run->place.like && run->place.like->login);
	return &run->names;
}

enum tenon_code tn_term_run_analyse(struct tn_term_run *run, struct tenon_error *err)
{
	struct tn_analysis_surroundings around = {.cwd = run->cwd,
						  .shell = run->shell,
						  .env = run->wish.env,
						  .no_comments = run->wish.no_comments,
						  .stdin_text = run->wish.stdin_text,
						  .names = names_for(run),
						  .inputs = run->inputs};

	if (run->wish.program)
		return tn_analyse_argv(&run->arena, run->wish.program, &around, &run->analysis,
				       err);
	return tn_analyse(&run->arena, run->wish.text, &around, &run->analysis, err);
}

/* ---- what an approval is bound to ---- */

static void bind(struct tn_buf *out, const char *what, struct tn_str text)
{
	tn_json_put_text(out, what);
	tn_json_put_str(out, text);
}

static void bind_list(struct tn_buf *out, const char *what, const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		bind(out, what, tn_str_from(list[i]));
}

void tn_term_run_bind(const struct tn_term_run *run, struct tn_buf *out)
{
	tn_json_begin_array(out);
	bind(out, run->wish.is_typed ? "line" : "command", run->wish.text);
	bind_list(out, "program", run->wish.program);
	bind(out, "cwd", tn_str_from(run->cwd));
	bind(out, "session", tn_str_from(run->session));
	bind(out, "shell", tn_str_from(run->shell));
	bind_list(out, "env", run->wish.env);
	bind(out, "stdin", run->wish.stdin_text);
	if (run->wish.outside)
		bind(out, "sandbox", TN_STR("off"));
	tn_inputs_bind(run->inputs, out);
	tn_json_end_array(out);
}
