/* One session, from its start to its end, and what others ask of it. */
#include "apps/terminal/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/sandbox.h"
#include "base/rng.h"
#include "base/size.h"
#include "base/utf8.h"
#include "store/file.h"

enum { BESIDE_BYTES = 4096 }; /* longer than any key */

/* ---- small things ---- */

bool tn_term_session_open(const struct tn_term_session *s)
{
	return s->state == TN_TERM_STARTING || s->state == TN_TERM_IDLE ||
	       s->state == TN_TERM_RUNNING || s->state == TN_TERM_WAITING_INPUT;
}

void tn_term_session_tell(struct tn_term_session *s)
{
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->changed)
			w->changed(w);
	}
	tn_term_changed(s->term, TN_TERM_SESSION_CHANGED, s->id);
}

void tn_term_session_tell_command(struct tn_term_session *s, const struct tn_term_command *c)
{
	struct tn_term_command_info info;

	tn_term_command_describe(c, &info);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->command)
			w->command(w, &info, c->ended);
	}
	if (c->ended)
		tn_term_changed(s->term, TN_TERM_COMMAND_ENDED, c->id);
	tn_term_changed(s->term, TN_TERM_SESSION_CHANGED, s->id);
}

void tn_term_session_set_state(struct tn_term_session *s, enum tn_term_state state)
{
	bool changed = s->state != state;

	s->state = state;
	if (state == TN_TERM_IDLE && !s->replaying)
		tn_term_session_pump(s);
	tn_term_session_schedule(s);
	if (changed)
		tn_term_session_tell(s);
	tn_term_session_moved(s);
}

void tn_term_session_moved(struct tn_term_session *s)
{
	if (s->later)
		tn_later_request(s->later);
}

static void look(struct tn_later *later, void *data)
{
	struct tn_term_session *s = data;
	struct tn_screen_look seen;

	(void)later;
	tn_term_ops_look(s);
	if (!s->screen)
		return;
	tn_screen_look(s->screen, &seen);
	if (seen.revision != s->screen_revision)
		tn_term_session_schedule(s);
}

/* ---- making one ---- */

static char *copy_text(const char *text)
{
	return text ? tn_mem_copy_text(text, strlen(text)) : NULL;
}

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		tn_mem_free(list[i]);
	tn_mem_free(list);
}

/* NULL: no memory. An absent list gives an absent copy, which is told by *ret_failed. */
static char **copy_list(const char *const *list, bool *ret_failed)
{
	size_t count = 0;
	char **copy;

	if (!list)
		return NULL;
	while (list[count])
		count++;
	copy = tn_mem_alloc_array(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = copy_text(list[i]);
		if (!copy[i]) {
			free_list(copy);
			copy = NULL;
		}
	}
	*ret_failed = *ret_failed || !copy;
	return copy;
}

static void free_session(struct tn_term_session *s)
{
	struct tn_term_command *next;

	tn_timer_close(s->timer);
	tn_later_close(s->later);
	tn_pty_close(s->pty);
	tn_record_close(s->record);
	tn_screen_destroy(s->screen);
	if (s->journal_fd >= 0)
		(void)close(s->journal_fd); /* written as it went */
	if (s->stdin_fd >= 0)
		(void)close(s->stdin_fd);
	for (size_t i = 0; i < s->edit_count; i++)
		tn_mem_free((char *)s->edits[i].text.data);
	tn_mem_free(s->edits);
	free_list(s->program);
	free_list(s->env);
	tn_mem_free(s->project_id);
	tn_mem_free(s->message);
	tn_mem_free(s->failure);
	tn_mem_free(s->typed_line);
	for (; s->queue; s->queue = next) {
		next = s->queue->queue_next;
		if (!s->queue->kept)
			tn_term_command_free(s->queue);
	}
	for (; s->commands; s->commands = next) {
		next = s->commands->next;
		tn_term_command_free(s->commands);
	}
	tn_mem_free(s);
}

/* The text as it goes to an isolated program's standard input: a file without a name. */
static bool take_stdin(struct tn_term_session *s, struct tn_str text)
{
	size_t done = 0;

	s->stdin_fd = memfd_create("stdin", MFD_CLOEXEC);
	while (s->stdin_fd >= 0 && done < text.size) {
		ssize_t wrote = write(s->stdin_fd, text.data + done, text.size - done);

		if (wrote < 0)
			return false;
		done += (size_t)wrote;
	}
	return s->stdin_fd >= 0 && lseek(s->stdin_fd, 0, SEEK_SET) == 0;
}

static void name_session(struct tn_term_session *s, const struct tn_term_start *start)
{
	const char *name = start->create->name;

	if (name)
		(void)snprintf(s->name, sizeof(s->name), "%s", name);
	else if (start->isolated)
		(void)snprintf(s->name, sizeof(s->name), "isolated");
	else
		(void)snprintf(s->name, sizeof(s->name), "session-%u", ++s->term->names);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* An isolated command is /bin/sh -c TEXT. */
static char **isolated_program(struct tn_str command, bool *ret_failed)
{
	char *text = tn_mem_copy_text(command.data, command.size);
	const char *const argv[] = {"/bin/sh", "-c", text, NULL};
	char **copy = text ? copy_list(argv, ret_failed) : NULL;

	*ret_failed = *ret_failed || !copy;
	tn_mem_free(text);
	return copy;
}

static bool fill(struct tn_term_session *s, const struct tn_term_start *start)
{
	const struct tn_term_create *create = start->create;
	bool failed = false;

	s->columns = create->columns;
	s->rows = create->rows;
	s->login = create->login;
	s->pagers = create->pagers;
	s->recorded = create->record;
	s->history_off = create->history_off;
	s->isolated = start->isolated;
	s->pipes = start->pipes;
	s->temporary = start->temporary;
	s->sandboxed = create->sandbox < 0 ? s->term->config->sandbox != TN_TERM_SANDBOX_NONE
					   : create->sandbox > 0;
	s->sandbox_if_available =
		create->sandbox < 0 && s->term->config->sandbox == TN_TERM_SANDBOX_IF_AVAILABLE;
	s->idle_timeout_s =
		create->idle_timeout_s ? create->idle_timeout_s : s->term->config->idle_timeout_s;
	s->env = copy_list(create->env, &failed);
	if (s->env)
		tn_redactor_learn_environment(s->term->redactor, (const char *const *)s->env);
	s->program = start->isolated ? isolated_program(start->command, &failed)
				     : copy_list(create->program, &failed);
	if (create->project_id)
		s->project_id = copy_text(create->project_id);
	failed = failed || (create->project_id && !s->project_id);
	if (!failed && start->has_stdin)
		failed = !take_stdin(s, start->stdin_text);
	if (s->program)
		(void)snprintf(s->program_name, sizeof(s->program_name), "%.127s",
			       start->isolated ? "sh" : base_name(s->program[0]));
	else
		(void)snprintf(s->program_name, sizeof(s->program_name), "%.127s",
			       base_name(s->shell));
	s->integration = start->isolated ? TN_TERM_INTEGRATION_PROCESS : TN_TERM_INTEGRATION_NONE;
	return !failed;
}

/* Standard error of what has pipes is a stream of its own. */
enum tenon_code tn_term_session_error_folder(struct tn_term_session *s, struct tenon_error *err)
{
	char path[PATH_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/errors", s->spool_folder);
	return tn_spool_open(path, s->term->config->spool_session_bytes, &s->term->budget,
			     &s->error_spool, err);
}

enum tenon_code tn_term_session_folders(struct tn_term_session *s, struct tenon_error *err)
{
	struct tn_term *term = s->term;
	const char *base = term->config->state_folder;
	enum tenon_code code;

	if ((size_t)snprintf(s->run_folder, sizeof(s->run_folder), "%s/run/%s", base, s->id) >=
		    sizeof(s->run_folder) ||
	    (size_t)snprintf(s->spool_folder, sizeof(s->spool_folder), "%s/spool/%s", base,
			     s->id) >= sizeof(s->spool_folder))
		return tn_fail(err, TENON_SYSTEM, "the state folder's path is too long");
	code = tn_dir_create(s->run_folder, 0700, err);
	if (code == TENON_OK)
		code = tn_dir_create(s->spool_folder, 0700, err);
	if (code == TENON_OK)
		code = tn_spool_open(s->spool_folder, term->config->spool_session_bytes,
				     &term->budget, &s->spool, err);
	return code == TENON_OK && s->pipes ? tn_term_session_error_folder(s, err) : code;
}

/* Some shells and line editors wait for these (10.4). Of what is drawn again nobody waits any more;
 * a program that asks and does not read loses its answers, as it would on any terminal. */
static void answer(struct tn_str bytes, void *session)
{
	struct tn_term_session *s = session;
	struct tenon_error err;

	if (!s->pty || s->replaying || !tn_term_session_open(s))
		return;
	if (tn_pty_write(s->pty, bytes, &err) != TENON_OK)
		return; /* it has ended, or so much waits already that nobody reads */
}

enum tenon_code tn_term_session_make_parts(struct tn_term_session *s, struct tenon_error *err)
{
	struct tn_screen_options screen = {.columns = s->columns,
					   .rows = s->rows,
					   .reply = answer,
					   .data = s,
					   .scrollback_max = s->term->config->scrollback_lines};
	enum tenon_code code =
		tn_timer_open(s->term->options.loop, tn_term_session_time, s, &s->timer, err);

	if (code == TENON_OK)
		code = tn_later_open(s->term->options.loop, look, s, &s->later, err);
	if (code == TENON_OK && !s->pipes)
		code = tn_screen_create(&screen, &s->screen, err);
	return code;
}

static void random_hex(char *out, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	tn_rng_bytes(out, size - 1);
	for (size_t i = 0; i + 1 < size; i++)
		out[i] = digits[(unsigned char)out[i] & 15];
	out[size - 1] = '\0';
}

/* terminal.md 7.4: `record`. A session whose recording cannot be written goes on without. */
static void start_recording(struct tn_term_session *s)
{
	const struct tn_term_options *options = &s->term->options;
	char path[PATH_MAX + 64];
	struct tenon_error err;
	enum tenon_code code;

	(void)snprintf(path, sizeof(path), "%s/recordings", s->term->config->state_folder);
	code = tn_dir_create(path, 0700, &err);
	(void)snprintf(path, sizeof(path), "%s/recordings/%s.cast", s->term->config->state_folder,
		       s->id);
	if (code == TENON_OK)
		code = tn_record_open(s, path, options->clock, &s->record, &err);
	if (code != TENON_OK && options->problem)
		options->problem(err.message, options->data);
}

void tn_term_session_link(struct tn_term_session *s)
{
	struct tn_term *term = s->term;

	s->next = term->sessions;
	if (s->next)
		s->next->previous = s;
	term->sessions = s;
	term->session_count++;
	term->open_count++;
	if (s->recorded && s->screen)
		start_recording(s);
	if (term->options.came && !s->isolated) {
		struct tn_term_session_info info;

		tn_term_session_describe(s, NULL, &info);
		term->options.came(&info, term->options.data);
	}
}

static enum tenon_code give_handle(struct tn_term_session *s, const struct tn_term_caller *caller,
				   struct tenon_error *err)
{
	struct tn_handle_new made = {.principal = caller->principal,
				     .title = s->name,
				     .by = caller->client,
				     .value = s,
				     .bytes = sizeof(*s)};
	enum tenon_code code = tn_handles_add(&s->term->session_handles, &made, &s->handle, err);

	if (code != TENON_OK)
		return code;
	(void)snprintf(s->id, sizeof(s->id), "%s", s->handle->id);
	(void)snprintf(s->owner, sizeof(s->owner), "%s", s->handle->principal);
	return TENON_OK;
}

/* Where the conversation itself runs, as far as it may be used; otherwise where the settings say.
 */
static enum tenon_code start_directory(struct tn_term_session *s,
				       const struct tn_term_create *create, struct tenon_error *err)
{
	char link[64], path[PATH_MAX];
	ssize_t size = -1;

	if (!create->cwd && create->caller->process > 0) {
		(void)snprintf(link, sizeof(link), "/proc/%lld/cwd",
			       (long long)create->caller->process);
		size = readlink(link, path, sizeof(path) - 1);
	}
	if (size > 0) {
		path[size] = '\0';
		if (tn_term_config_directory(s->term->config, NULL, path, s->cwd, NULL) == TENON_OK)
			return TENON_OK;
	}
	return tn_term_config_directory(s->term->config, NULL, create->cwd, s->cwd, err);
}

/* Checks that fail with a domain error. */
static bool place(struct tn_term_session *s, const struct tn_term_start *start,
		  struct tn_term_fault *fault)
{
	const struct tn_term_create *create = start->create;
	struct tenon_error err = {0};
	enum tenon_code code = start_directory(s, create, &err);

	if (code != TENON_OK) {
		tn_term_fault_from_directory(fault, code, &err);
		return false;
	}
	if (create->program || start->isolated)
		return true;
	code = tn_term_config_shell(s->term->config, create->shell, s->shell, &err);
	if (code != TENON_OK) {
		tn_term_fault_from(fault, code, &err,
				   code == TENON_DENIED ? "shell_not_allowed" : "spawn_failed");
		return false;
	}
	s->kind = tn_shell_kind_of(s->shell);
	return true;
}

struct tn_term_session *tn_term_session_blank(struct tn_term *term)
{
	struct tn_term_session *s = tn_mem_alloc(sizeof(*s));

	if (!s)
		return NULL;
	s->term = term;
	s->journal_fd = s->stdin_fd = -1;
	s->exit_code = TN_TERM_NO_EXIT_CODE;
	s->alternate_from = UINT64_MAX;
	s->state = TN_TERM_STARTING;
	s->last_byte = '\n';
	s->created_wall_ms = s->activity_wall_ms = tn_term_wall(term);
	s->started_ms = s->activity_ms = s->output_ms = tn_term_now(term);
	return s;
}

/* Takes it apart again before anybody knew it. */
void tn_term_session_unmake(struct tn_term_session *s)
{
	if (s->handle) {
		tn_handles_close(&s->term->session_handles, s->handle);
		tn_handle_unref(s->handle);
	}
	tn_spool_remove(s->error_spool);
	tn_spool_remove(s->spool);
	if (s->run_folder[0])
		tn_shell_remove(s->run_folder);
	free_session(s);
}

struct tn_term_session *tn_term_session_new(struct tn_term *term, const struct tn_term_start *start,
					    struct tn_term_fault *fault)
{
	struct tn_term_session *s = tn_term_session_blank(term);
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	if (!s) {
		tn_term_fault(fault, NULL, NULL, "out of memory");
		return NULL;
	}
	(void)snprintf(s->caller_key, sizeof(s->caller_key), "%s", start->key_of_caller);
	random_hex(s->nonce, sizeof(s->nonce));
	random_hex(s->epoch, 9);
	tn_marks_init(&s->marks, s->nonce, 0);
	name_session(s, start);
	if (!place(s, start, fault)) {
		tn_term_session_unmake(s);
		return NULL;
	}
	if (!fill(s, start))
		code = tn_fail(&err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK)
		code = tn_term_session_make_parts(s, &err);
	if (code == TENON_OK)
		code = give_handle(s, start->create->caller, &err);
	if (code == TENON_OK)
		code = tn_term_session_folders(s, &err);
	if (code != TENON_OK) {
		tn_term_fault_from(fault, code, &err, NULL);
		tn_term_session_unmake(s);
		return NULL;
	}
	tn_term_session_link(s);
	s->wants_spawn = true;
	return s;
}

/* ---- starting its program ---- */

void tn_term_session_fail(struct tn_term_session *s, const char *sentence)
{
	s->failure = s->failure ? s->failure : copy_text(sentence);
	s->wants_spawn = false;
	s->term->open_count--;
	s->ended_ms = tn_term_now(s->term);
	s->ended_wall_ms = tn_term_wall(s->term);
	tn_term_session_set_state(s, TN_TERM_FAILED);
	tn_term_commands_give_up(s);
	tn_term_drop_active(s->term, s->id);
	tn_term_changed(s->term, TN_TERM_LIST_CHANGED, NULL);
}

static enum tenon_code make_environment(struct tn_term_session *s,
					const struct tn_shell_start *shell, struct tn_arena *arena,
					const char *const **ret, struct tenon_error *err)
{
	struct tn_environment_wish wish = {.session_id = s->id,
					   .pagers = s->pagers,
					   .more = (const char *const *)s->env,
					   .even_more = s->program ? NULL : shell->env};

	return tn_environment_make(s->term->environment, &wish, arena, ret, err);
}

static enum tenon_code spawn(struct tn_term_session *s, const struct tn_shell_start *shell,
			     struct tn_arena *arena, struct tenon_error *err)
{
	const struct tn_term_config *config = s->term->config;
	struct tn_pty_spawn spawn = {.key = s->id,
				     .argv = s->program ? (const char *const *)s->program
							: shell->argv,
				     .cwd = s->cwd,
				     .columns = s->columns,
				     .rows = s->rows,
				     .pipes = s->pipes,
				     .stdin_fd = s->stdin_fd,
				     .limits = {.processes = config->limit_processes,
						.files = config->limit_files,
						.file_bytes = config->limit_file_bytes,
						.memory_bytes = config->limit_memory_bytes,
						.cpu_s = config->limit_cpu_s},
				     .data = s};
	struct tn_sandbox_wish sandbox = {
		.argv = spawn.argv, .cwd = s->cwd, .run_folder = s->run_folder};
	struct tn_buf report;
	enum tenon_code code = make_environment(s, shell, arena, &spawn.env, err);

	tn_buf_init(&report, 64 * TN_KIB);
	if (code == TENON_OK && s->sandboxed)
		code = tn_sandbox_wrap(config, &sandbox, arena, &spawn.argv, &report, err);
	tn_buf_finish(&report);
	if (code == TENON_OK)
		code = tn_term_host(s->term, err);
	if (code == TENON_OK)
		code = tn_pty_spawn(s->term->host, &spawn, &s->pty, err);
	return code;
}

void tn_term_session_spawn(struct tn_term_session *s)
{
	struct tn_shell_wish wish = {
		.path = s->shell, .login = s->login, .folder = s->run_folder, .nonce = s->nonce};
	struct tn_shell_start shell = {.marks = false};
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;

	s->wants_spawn = false;
	tn_arena_init(&arena, 4 * TN_MIB);
	if (!s->program)
		code = tn_shell_prepare(&wish, &shell, &err);
	if (code == TENON_OK)
		code = spawn(s, &shell, &arena, &err);
	if (!s->program)
		tn_shell_start_finish(&shell);
	tn_arena_finish(&arena);
	if (code != TENON_OK) {
		tn_term_session_fail(s, err.message);
		return;
	}
	s->started_ms = tn_term_now(s->term);
	tn_journal_session(s);
	/* What is no shell of ours never says that it is ready. */
	if (s->program || s->kind == TN_SHELL_OTHER)
		tn_term_session_set_state(s, s->isolated ? TN_TERM_RUNNING : TN_TERM_IDLE);
	tn_term_session_schedule(s);
	tn_term_session_moved(s);
}

/* ---- its end ---- */

static void name_signal(int number, char *out, size_t size)
{
	const char *abbreviation = sigabbrev_np(number);

	if (abbreviation)
		(void)snprintf(out, size, "SIG%s", abbreviation);
	else
		(void)snprintf(out, size, "SIG%d", number);
}

static void note_end(struct tn_term_session *s, int status)
{
	if (WIFEXITED(status)) {
		s->exit_code = WEXITSTATUS(status);
	} else if (WIFSIGNALED(status)) {
		name_signal(WTERMSIG(status), s->signal_text, sizeof(s->signal_text));
		s->signal = s->signal_text;
	}
}

/* What it printed last stands in the ring: all of it is output of what ran. */
static void drain(struct tn_term_session *s)
{
	for (unsigned i = 0; i < 64 && s->pty && tn_pty_peek(s->pty, TN_PTY_OUT, 1).size; i++)
		tn_term_session_readable(s, TN_PTY_OUT, TN_PTY_RING_BYTES);
	for (unsigned i = 0; i < 64 && s->pipes && tn_pty_peek(s->pty, TN_PTY_ERR, 1).size; i++)
		tn_term_session_readable(s, TN_PTY_ERR, TN_PTY_RING_BYTES);
}

static void end_session(struct tn_term_session *s, enum tn_term_state state)
{
	s->ended_ms = tn_term_now(s->term);
	s->ended_wall_ms = tn_term_wall(s->term);
	s->term->open_count--;
	s->at_prompt = s->swallowing = false;
	tn_term_session_end_alternate(s, s->offset);
	tn_term_session_set_state(s, state);
	tn_term_commands_give_up(s);
	tn_term_drop_active(s->term, s->id);
	tn_journal_state(s);
	if (s->term->history && !s->isolated) {
		struct tn_history_session record = {.id = s->id,
						    .name = s->name,
						    .project_id = s->project_id,
						    .shell = s->shell,
						    .owner = s->owner,
						    .created_ms = s->created_wall_ms,
						    .closed_ms = s->ended_wall_ms,
						    .exit_code = s->exit_code,
						    .signal = s->signal};

		if (!s->history_off)
			tn_history_record_session(s->term->history, &record);
	}
	tn_term_changed(s->term, TN_TERM_LIST_CHANGED, NULL);
}

/* Whoever waits for its end, once. */
static void tell_closed(struct tn_term_session *s, const pid_t *killed, unsigned count,
			struct tn_str output)
{
	tn_term_closed_fn *done = s->on_closed;
	struct tn_term_session_info info;

	s->on_closed = NULL;
	if (!done)
		return;
	tn_term_session_describe(s, NULL, &info);
	done(&info, killed, count, output, s->on_closed_data);
}

/* With pipes a program's end is not the end of what it wrote: the rest comes through the ring as
 * that is read. What it has left behind may hold them open, and is not waited for. */
static bool has_more(const struct tn_term_session *s)
{
	if (!s->pipes || (tn_pty_ended(s->pty, TN_PTY_OUT) && tn_pty_ended(s->pty, TN_PTY_ERR)))
		return false;
	return tn_term_now(s->term) - s->output_ms < QUIET_HEURISTIC_MS;
}

/* Asked again, as long as it says nothing, by whatever is read and by time. */
void tn_term_session_exited(struct tn_term_session *s)
{
	const char *failure;
	bool directory = false;
	int status = 0;

	if (!tn_term_session_open(s) || !s->pty)
		return;
	failure = tn_pty_failure(s->pty, &directory);
	if (failure) {
		s->directory_failed = directory;
		tn_term_session_fail(s, failure);
		tn_pty_end(s->pty, true, 0); /* its keeper goes */
		return;
	}
	drain(s);
	if (has_more(s))
		return;
	if (tn_pty_has_exited(s->pty, &status))
		note_end(s, status);
	end_session(s, TN_TERM_EXITED);
	/* What it has left in the background ends with it. */
	if (!s->closing)
		tn_pty_end(s->pty, false, s->isolated ? 1000 : 3000);
}

void tn_term_session_lost(struct tn_term_session *s, const char *why)
{
	s->end_reason = why;
	if (tn_term_session_open(s)) {
		if (s->pty)
			drain(s);
		end_session(s, TN_TERM_LOST);
	}
	tn_pty_close(s->pty);
	s->pty = NULL;
	tell_closed(s, NULL, 0, tn_str("", 0));
}

/* Every process of it is gone. */
void tn_term_session_closed(struct tn_term_session *s, const pid_t *killed, unsigned count)
{
	struct tn_output output = {0};
	bool has_output = false;
	int status;

	if (s->pty) {
		drain(s);
		if (tn_term_session_open(s) && tn_pty_has_exited(s->pty, &status))
			note_end(s, status);
	}
	if (tn_term_session_open(s))
		end_session(s, TN_TERM_EXITED);
	if (s->state != TN_TERM_FAILED)
		tn_term_session_set_state(s, TN_TERM_CLOSED);
	tn_pty_close(s->pty);
	s->pty = NULL;
	tn_journal_state(s);
	if (s->on_closed) {
		struct tn_term_shaping shaping = {.bytes_max = TN_TERM_ANSWER_BYTES,
						  .lines_max = TN_TERM_ANSWER_LINES};
		unsigned redactions;

		has_output = tn_term_session_output(s, UINT64_MAX, UINT64_MAX, &shaping, false,
						    &output, &redactions, NULL) == TENON_OK;
		tell_closed(s, killed, count,
			    has_output ? tn_buf_str(&output.text) : tn_str("", 0));
		if (has_output)
			tn_output_finish(&output);
	}
	/* A screen that nobody can change any more is read from the spool. */
	tn_screen_destroy(s->screen);
	s->screen = NULL;
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	tn_term_session_schedule(s);
}

/* Its program, spool and journal stay for the server that comes. */
void tn_term_session_leave(struct tn_term_session *s)
{
	tn_term_ops_lose(s);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	tn_journal_snapshot(s);
	tn_handles_close(&s->term->session_handles, s->handle);
	tn_handle_unref(s->handle);
	tn_spool_close(s->error_spool);
	tn_spool_close(s->spool);
	free_session(s);
}

void tn_term_session_remove(struct tn_term_session *s)
{
	struct tn_term *term = s->term;

	tell_closed(s, NULL, 0, tn_str("", 0));
	tn_term_ops_lose(s);
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		if (w->closed)
			w->closed(w);
	}
	if (tn_term_session_open(s))
		term->open_count--;
	if (s->previous)
		s->previous->next = s->next;
	else
		term->sessions = s->next;
	if (s->next)
		s->next->previous = s->previous;
	term->session_count--;
	tn_term_drop_active(term, s->id);
	if (term->options.went && !s->isolated && !term->closing)
		term->options.went(s->id, term->options.data);
	tn_handles_close(&term->session_handles, s->handle);
	tn_handle_unref(s->handle);
	tn_spool_remove(s->error_spool);
	tn_spool_remove(s->spool);
	tn_shell_remove(s->run_folder);
	free_session(s);
	tn_term_changed(term, TN_TERM_LIST_CHANGED, NULL);
}

void tn_term_session_close(struct tn_term_session *s, bool force, uint32_t grace_ms,
			   tn_term_closed_fn *done, void *data)
{
	struct tn_term_session_info info;

	if (!s->pty && s->wants_spawn)
		tn_term_session_fail(s, "it was closed before it had started");
	if (!s->pty) {
		if (done) {
			tn_term_session_describe(s, NULL, &info);
			done(&info, NULL, 0, tn_str("", 0), data);
		}
		return;
	}
	tell_closed(s, NULL, 0, tn_str("", 0)); /* somebody else waits for the same */
	s->on_closed = done;
	s->on_closed_data = data;
	s->closing = true;
	tn_pty_end(s->pty, force, grace_ms);
}

void tn_term_session_close_forget(struct tn_term_session *s, void *data)
{
	if (s->on_closed_data == data)
		s->on_closed = NULL;
}

/* ---- what others ask ---- */

const char *tn_term_session_id(const struct tn_term_session *s)
{
	return s->id;
}

const char *tn_term_session_epoch(const struct tn_term_session *s)
{
	return s->epoch;
}

const char *tn_term_session_cwd(const struct tn_term_session *s)
{
	struct tn_term_session *changed = (struct tn_term_session *)s;
	char path[PATH_MAX];

	/* A shell that says nothing is asked through the kernel. */
	if (s->pty && s->integration != TN_TERM_INTEGRATION_MARKS && tn_term_session_open(s) &&
	    tn_pty_directory(s->pty, path, sizeof(path), NULL) == TENON_OK)
		memcpy(changed->cwd, path, sizeof(path));
	return s->cwd;
}

uint64_t tn_term_session_end(const struct tn_term_session *s)
{
	return s->offset;
}

bool tn_term_session_at_prompt(const struct tn_term_session *s)
{
	return s->at_prompt && !s->running;
}

bool tn_term_session_shell_in_front(const struct tn_term_session *s)
{
	return !s->program && s->pty && (s->at_prompt || tn_pty_root_in_front(s->pty));
}

struct tn_typed_line *tn_term_session_typed_line(struct tn_term_session *s)
{
	if (!s->typed_line)
		s->typed_line = tn_mem_alloc(sizeof(*s->typed_line));
	return s->typed_line;
}

const char *tn_term_session_shell(const struct tn_term_session *s)
{
	return s->shell;
}

void tn_term_session_front(const struct tn_term_session *s, char *out, size_t size)
{
	out[0] = '\0';
	if (s->pty && tn_term_session_open(s))
		tn_pty_foreground_name(s->pty, out, size);
}

void tn_term_session_waiting(const struct tn_term_session *s, struct tn_term_waiting *ret)
{
	enum tn_pty_waiting waiting =
		s->pty && tn_term_session_open(s) ? tn_pty_waiting(s->pty) : TN_PTY_NOT_WAITING;

	*ret = (struct tn_term_waiting){.for_input = waiting != TN_PTY_NOT_WAITING,
					.certain = waiting == TN_PTY_WAITS ||
						   waiting == TN_PTY_WAITS_HIDDEN,
					.hidden_input = waiting == TN_PTY_WAITS_HIDDEN};
	if (ret->for_input)
		tn_pty_foreground_name(s->pty, ret->program, sizeof(ret->program));
}

const char *tn_term_session_message(const struct tn_term_session *s)
{
	return s->message;
}

const struct tn_screen *tn_term_session_screen(const struct tn_term_session *s)
{
	return s->screen;
}

void tn_term_session_describe(const struct tn_term_session *s, const struct tn_term_caller *caller,
			      struct tn_term_session_info *ret)
{
	const struct tn_term_options *options = &s->term->options;
	const char *active = caller ? tn_term_active_id(s->term, caller->key) : NULL;
	const struct tn_term_config *config = s->term->config;

	*ret = (struct tn_term_session_info){
		.id = s->id,
		.name = s->name,
		.cwd = tn_term_session_cwd(s),
		.program = s->program_name,
		.title = s->title,
		.sandbox = s->sandboxed ? "bubblewrap" : "none",
		.owner = s->owner,
		.project_id = s->project_id,
		.shell = s->program ? NULL : s->shell,
		.running_command_id = s->running ? s->running->id : NULL,
		.signal = s->signal,
		.live_url = options->live_url && tn_term_session_open(s)
				    ? options->live_url(s->id, options->data)
				    : NULL,
		.is_active = active && strcmp(active, s->id) == 0,
		.alternate_screen = s->alternate_from != UINT64_MAX,
		.stuck = s->stuck,
		.hosted = config->persist,
		.recorded = s->recorded,
		.state = s->state,
		.integration = s->integration,
		.pid = s->pty ? (int)tn_pty_pid(s->pty) : 0,
		.columns = s->columns,
		.rows = s->rows,
		.exit_code = s->exit_code,
		.created_ms = s->created_wall_ms,
		.last_activity_ms = s->activity_wall_ms,
		.expires_ms =
			tn_term_session_open(s)
				? s->activity_wall_ms + (int64_t)s->idle_timeout_s * 1000
				: s->ended_wall_ms + (int64_t)config->closed_retention_s * 1000,
		.total_bytes = s->offset,
		.controlled_by = s->controller[0] ? s->controller : NULL,
		.message = tn_term_session_open(s) ? s->message : NULL,
	};
	if (s->state == TN_TERM_WAITING_INPUT)
		ret->waiting = s->waiting;
}

void tn_term_watch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	watcher->next = s->watchers;
	s->watchers = watcher;
}

void tn_term_unwatch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	struct tn_term_watcher **at = &s->watchers;

	while (*at && *at != watcher)
		at = &(*at)->next;
	if (*at)
		*at = watcher->next;
	if (s->walking == watcher)
		s->walking = watcher->next;
}

static enum tenon_code type(struct tn_term_session *s, struct tn_str bytes, struct tenon_error *err)
{
	if (!s->pty || !tn_term_session_open(s))
		return tn_fail(err, TENON_EXPIRED, "the session has ended");
	s->activity_ms = tn_term_now(s->term);
	s->activity_wall_ms = tn_term_wall(s->term);
	s->typed_since_prompt = true;
	/* dash does not say that a line begins: it is assumed (5.1). */
	if (s->kind == TN_SHELL_POSIX && s->at_prompt && memchr(bytes.data, '\r', bytes.size)) {
		s->at_prompt = false;
		tn_term_session_set_state(s, TN_TERM_RUNNING);
	}
	/* Whatever waited for input has it now; it is looked at again from here on. */
	s->output_ms = s->activity_ms;
	if (s->state == TN_TERM_WAITING_INPUT)
		tn_term_session_set_state(s, TN_TERM_RUNNING);
	return tn_pty_write(s->pty, bytes, err);
}

enum tenon_code tn_term_session_type(struct tn_term_session *s, struct tn_str bytes,
				     struct tenon_error *err)
{
	return type(s, bytes, err);
}

/* 7.7: in canonical mode the kernel would cut a line of more than 4095 bytes. */
static bool line_is_too_long(const struct tn_term_session *s, struct tn_str bytes)
{
	struct tn_pty_mode mode;
	size_t line = 0;

	if (!s->pty || !tn_pty_mode(s->pty, &mode) || !mode.canonical)
		return false;
	for (size_t i = 0; i < bytes.size; i++) {
		line = bytes.data[i] == '\r' || bytes.data[i] == '\n' ? 0 : line + 1;
		if (line > 4095)
			return true;
	}
	return false;
}

enum tenon_code tn_term_session_send(struct tn_term_session *s, struct tn_str bytes,
				     struct tenon_error *err)
{
	if (line_is_too_long(s, bytes))
		return tn_fail(err, TENON_LIMIT,
			       "a line of more than 4095 bytes, which the terminal would cut; "
			       "send shorter lines, or write a file");
	return type(s, bytes, err);
}

enum tenon_code tn_term_session_resize(struct tn_term_session *s, uint16_t columns, uint16_t rows,
				       struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (!s->pty || s->pipes)
		return tn_fail(err, TENON_EXPIRED, "the session has no terminal any more");
	if (s->screen)
		code = tn_screen_resize(s->screen, columns, rows, err);
	if (code == TENON_OK)
		code = tn_pty_resize(s->pty, columns, rows, err);
	if (code != TENON_OK)
		return code;
	s->columns = columns;
	s->rows = rows;
	tn_journal_state(s);
	tn_term_session_tell(s);
	return TENON_OK;
}

bool tn_term_session_take(struct tn_term_session *s, const char *who)
{
	if (s->controller[0] && strcmp(s->controller, who) != 0)
		return false;
	(void)snprintf(s->controller, sizeof(s->controller), "%s", who);
	tn_term_session_tell(s);
	tn_term_session_moved(s);
	return true;
}

void tn_term_session_give(struct tn_term_session *s)
{
	s->controller[0] = '\0';
	tn_mem_free(s->message);
	s->message = NULL;
	tn_term_session_tell(s);
	tn_term_session_moved(s);
	tn_term_session_pump(s);
}

void tn_term_session_hand_over(struct tn_term_session *s, const char *message)
{
	tn_mem_free(s->message);
	s->message = copy_text(message ? message : "");
	tn_term_session_tell(s);
}

unsigned tn_term_session_signal(struct tn_term_session *s, int number, const char *target,
				bool escalate, pid_t *ret_pids, unsigned max)
{
	enum tn_pty_target whom = TN_PTY_FOREGROUND;
	unsigned count;

	if (!s->pty || !tn_term_session_open(s))
		return 0;
	if (strcmp(target, "session") == 0)
		whom = TN_PTY_SESSION;
	/* A loop of the shell's own is interrupted like any program: shells outlive SIGINT. */
	else if (number == SIGINT && tn_pty_root_in_front(s->pty))
		whom = TN_PTY_ROOT;
	/* Before the shell has read its line a signal would only empty the line, which is then
	 * sent again. */
	if (s->running && whom != TN_PTY_SESSION && s->running->delivered && !s->running->started) {
		s->running->ends_early = number;
		return 0;
	}
	if (s->running && whom != TN_PTY_SESSION) {
		s->running->ended_by = number;
		if (escalate && s->running->stage < 2) {
			s->running->stage = 2;
			s->running->stage_ms = tn_term_now(s->term) + INTERRUPT_KILL_MS;
		}
	}
	count = tn_pty_signal(s->pty, number, whom, ret_pids, max);
	tn_term_session_schedule(s);
	return count;
}

/* What stands beside a page, as far as a secret could reach over its border. */
static void put_beside(const struct tn_output_source *source, const struct tn_output_wish *page,
		       uint64_t from, uint64_t to, struct tn_buf *out)
{
	struct tn_output_wish wish = *page;
	struct tn_output beside = {0};

	wish.from = from;
	wish.to = to;
	wish.bytes_max = 2 * BESIDE_BYTES;
	wish.lines_max = 0;
	if (from >= to || tn_output_make(source, &wish, &beside, NULL) != TENON_OK)
		return;
	tn_buf_append_str(out, tn_buf_str(&beside.text));
	tn_output_finish(&beside);
}

/* Two pages must not have a half each of what neither may show (9). */
static void clean_page(struct tn_term *term, const struct tn_output_source *source,
		       const struct tn_output_wish *page, struct tn_output *ret, unsigned *count)
{
	enum tn_redact_level level = term->config->redact_results;
	struct tn_buf text, clean;
	size_t begin, end;

	if (!page) {
		tn_term_clean(term, &ret->text, count);
		return;
	}
	if (level == TN_REDACT_OFF || !ret->text.size)
		return;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	put_beside(source, page, ret->from > BESIDE_BYTES ? ret->from - BESIDE_BYTES : 0, ret->from,
		   &text);
	begin = text.size;
	tn_buf_append_str(&text, tn_buf_str(&ret->text));
	end = text.size;
	put_beside(source, page, ret->next, ret->next + BESIDE_BYTES, &text);
	tn_buf_init(&clean, ret->text.limit);
	tn_redact_part(term->redactor, level, tn_buf_str(&text), begin, end, &clean, count);
	tn_buf_inherit_failure(&clean, &text);
	tn_buf_finish(&text);
	tn_buf_finish(&ret->text);
	ret->text = clean;
}

enum tenon_code tn_term_session_output(struct tn_term_session *s, uint64_t from, uint64_t to,
				       const struct tn_term_shaping *shaping, bool contiguous,
				       struct tn_output *ret, unsigned *ret_redactions,
				       struct tenon_error *err)
{
	bool last = from == UINT64_MAX;
	struct tn_output_wish wish = {.from = last ? 0 : from,
				      .to = to,
				      .format = shaping->format,
				      .omit = last && !shaping->lines_max ? TN_OUTPUT_OMIT_HEAD
									  : shaping->omit,
				      .bytes_max = shaping->bytes_max,
				      .lines_max = last ? 0 : shaping->lines_max,
				      .last_lines = last ? shaping->lines_max : 0,
				      .contiguous = contiguous};
	struct tn_output_source source;
	struct tn_arena arena;
	enum tenon_code code;

	*ret_redactions = 0;
	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_term_session_edits(s, true, &arena, &source, err);
	if (code == TENON_OK)
		code = tn_output_make(&source, &wish, ret, err);
	if (code == TENON_OK && wish.format != TN_OUTPUT_RAW)
		clean_page(s->term, &source, contiguous ? &wish : NULL, ret, ret_redactions);
	tn_arena_finish(&arena);
	return code;
}
