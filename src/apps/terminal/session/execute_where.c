/* Which session a command is given to: the one it names, or one that is made for it alone; and what
 * keeps a session from taking it (terminal.md 5.2). */
#include "apps/terminal/session/operation.h"

bool tn_term_check_front(struct tn_term_session *s, struct tn_term_fault *fault)
{
	struct tn_term_waiting waiting;
	char program[64] = "";

	/* What asks at a shell's start is answered, and the shell goes on. */
	if ((s->state != TN_TERM_RUNNING && s->state != TN_TERM_WAITING_INPUT) ||
	    tn_term_session_starting(s))
		return true;
	/* What ran has ended and the prompt is on its way; or what runs next is. */
	if ((!s->running || !s->running->started) && tn_term_session_shell_in_front(s))
		return true;
	tn_term_session_waiting(s, &waiting);
	if (!waiting.certain && s->state != TN_TERM_WAITING_INPUT)
		return true;
	tn_pty_foreground_name(s->pty, program, sizeof(program));
	tn_term_fault(fault, "not_at_prompt",
		      "Use send_keys to type to it, wait_for to wait for its end, or another "
		      "session.",
		      "%s is in front in session \"%s\" and waits for input.",
		      program[0] ? program : "A program", s->name);
	return false;
}

static struct tn_term_session *temporary_session(struct tn_term *term,
						 const struct tn_term_execute *request,
						 const struct tn_term_run *run,
						 struct tn_term_fault *fault)
{
	const struct tn_term_session *like = run->place.like;
	struct tn_term_create create = {.caller = request->caller,
					.name = "temporary",
					.columns = 120,
					.rows = 40,
					.sandbox = -1};
	struct tn_term_start start = {.create = &create,
				      .run = run,
				      .key_of_caller = request->caller->key,
				      .temporary = true};

	if (like) {
		create.project_id = like->project_id;
		create.shell = like->program ? NULL : like->shell;
		create.columns = like->columns;
		create.rows = like->rows;
		create.sandbox = like->sandboxed;
	}
	return tn_term_session_add(term, &start, fault);
}

static struct tn_term_session *isolated_session(struct tn_term *term,
						const struct tn_term_execute *request,
						const struct tn_term_run *run,
						struct tn_term_fault *fault)
{
	struct tn_term_create create = {.caller = request->caller,
					.env = request->env,
					.columns = 120,
					.rows = 40,
					.sandbox = request->outside  ? 0
						   : run->place.like ? run->place.like->sandboxed
								     : -1};
	struct tn_term_start start = {.create = &create,
				      .run = run,
				      .key_of_caller = request->caller->key,
				      .isolated = true,
				      .pipes = !request->pty,
				      .has_stdin = request->has_stdin,
				      .command = request->command,
				      .stdin_text = request->stdin_text};

	return tn_term_session_add(term, &start, fault);
}

static struct tn_term_session *default_session(struct tn_term *term,
					       const struct tn_term_caller *caller,
					       const struct tn_term_run *run,
					       struct tn_term_fault *fault)
{
	struct tn_term_create create = {
		.caller = caller, .name = "default", .columns = 120, .rows = 40, .sandbox = -1};
	struct tn_term_start start = {.create = &create, .run = run, .key_of_caller = caller->key};
	struct tn_term_session *s = tn_term_session_add(term, &start, fault);

	if (s && tn_term_session_open(s))
		tn_term_set_active(term, caller->key, s);
	return s;
}

static size_t queue_length(const struct tn_term_session *s)
{
	size_t count = 0;

	for (const struct tn_term_command *c = s->queue; c; c = c->queue_next)
		count++;
	return count;
}

/* Busy: somebody's command runs, or waits to. */
static struct tn_term_session *choose_if_busy(struct tn_term_session *s,
					      const struct tn_term_execute *request,
					      struct tn_term_fault *fault)
{
	bool asks = !s->running && !s->queue && tn_term_session_starting(s);

	if (asks || !tn_term_session_busy(s))
		return s;
	if (!tn_term_check_front(s, fault))
		return NULL;
	if (request->if_busy == TN_TERM_FAIL) {
		tn_term_fault(fault, "busy",
			      "Wait for it (wait_for), or send if_busy: \"new_session\".",
			      "Session \"%s\" is running another command%s%s.", s->name,
			      s->running ? ": " : "", s->running ? s->running->id : "");
		return NULL;
	}
	if (queue_length(s) >= TN_TERM_QUEUE_MAX) {
		tn_term_fault(fault, "busy", "Use another session.",
			      "%zu commands wait in session \"%s\" already.", queue_length(s),
			      s->name);
		return NULL;
	}
	return s;
}

static bool takes_commands(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	if (s->isolated)
		tn_term_fault(fault, "not_supported", "Name another session, or none.",
			      "Session %s is one isolated command and takes no others.", s->id);
	else if (s->stuck)
		tn_term_fault(fault, "stuck",
			      "send_keys may free it; otherwise close_session with force: true, "
			      "then create_session.",
			      "Session \"%s\" shows no prompt after its command was ended.",
			      s->name);
	return !s->isolated && !s->stuck;
}

struct tn_term_session *tn_term_execute_where(struct tn_term *term,
					      const struct tn_term_execute *request,
					      const struct tn_term_run *run,
					      struct tn_term_fault *fault)
{
	struct tn_term_session *s = run->place.session;

	if (request->isolated)
		return isolated_session(term, request, run, fault);
	if (run->place.temporary)
		return temporary_session(term, request, run, fault);
	if (!s)
		return default_session(term, request->caller, run, fault);
	return takes_commands(s, fault) ? choose_if_busy(s, request, fault) : NULL;
}
