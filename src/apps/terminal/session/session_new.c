/* A session is made: its parts, its folders, its program. */
#include "apps/terminal/session/operation.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hold/hold.h"
#include "apps/terminal/session/run.h"
#include "apps/terminal/sandbox/sandbox.h"
#include "base/rng.h"
#include "store/file.h"

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

void tn_term_session_free(struct tn_term_session *s)
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
	tn_held_finish(&s->folder);
	tn_inputs_unref(s->inputs);
	free_list(s->program);
	free_list(s->env);
	tn_mem_free(s->project_id);
	tn_mem_free(s->message);
	tn_mem_free(s->failure);
	tn_mem_free(s->typed_line);
	tn_names_finish(&s->names);
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

bool tn_term_sandboxes(const struct tn_term_config *config, const struct tn_term_caller *caller)
{
	return config->sandbox != TN_TERM_SANDBOX_NONE ||
	       (config->sandbox_elsewhere && caller && caller->elsewhere);
}

bool tn_term_is_sandboxed(const struct tn_term_session *s)
{
	return s->sandboxed;
}

static void choose_sandbox(struct tn_term_session *s, const struct tn_term_create *create)
{
	const struct tn_term_config *config = s->term->config;
	bool always = config->sandbox == TN_TERM_SANDBOX_ALWAYS ||
		      config->sandbox == TN_TERM_SANDBOX_LANDLOCK;

	s->sandboxed = create->sandbox < 0 ? tn_term_sandboxes(config, create->caller)
					   : create->sandbox > 0;
	s->sandbox_if_available = create->sandbox < 0 && !always;
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
	choose_sandbox(s, create);
	s->idle_timeout_s = create->idle_timeout_s ? create->idle_timeout_s
						   : tn_settings_u32(&s->term->config->settings,
								     "terminal.idle_timeout_s");
	s->start_timeout_ms =
		create->start_timeout_ms
			? create->start_timeout_ms
			: tn_settings_u32(&s->term->config->settings, "terminal.start_timeout_ms");
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
	return tn_spool_open(
		path, tn_settings_u64(&s->term->config->settings, "terminal.spool_session_bytes"),
		&s->term->budget, &s->error_spool, err);
}

static enum tenon_code make_folders(struct tn_term_session *s, struct tenon_error *err)
{
	struct tn_term *term = s->term;
	enum tenon_code code = tn_dir_create(s->run_folder, 0700, err);

	if (code == TENON_OK)
		code = tn_dir_create(s->spool_folder, 0700, err);
	if (code == TENON_OK && !s->spool)
		code = tn_spool_open(
			s->spool_folder,
			tn_settings_u64(&term->config->settings, "terminal.spool_session_bytes"),
			&term->budget, &s->spool, err);
	return code == TENON_OK && s->pipes ? tn_term_session_error_folder(s, err) : code;
}

enum tenon_code tn_term_session_folders(struct tn_term_session *s, struct tenon_error *err)
{
	const char *base = s->term->config->state_folder;
	enum tenon_code code;

	if ((size_t)snprintf(s->run_folder, sizeof(s->run_folder), "%s/run/%s", base, s->id) >=
		    sizeof(s->run_folder) ||
	    (size_t)snprintf(s->spool_folder, sizeof(s->spool_folder), "%s/spool/%s", base,
			     s->id) >= sizeof(s->spool_folder))
		return tn_fail(err, TENON_SYSTEM, "the state folder's path is too long");
	do
		code = make_folders(s, err);
	while (code != TENON_OK && tn_term_session_made_room(s, err));
	return code;
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
	struct tn_screen_options screen = {
		.columns = s->columns,
		.rows = s->rows,
		.reply = answer,
		.data = s,
		.scrollback_max =
			tn_settings_u32(&s->term->config->settings, "terminal.scrollback_lines")};
	enum tenon_code code =
		tn_timer_open(s->term->options.loop, tn_term_session_time, s, &s->timer, err);

	if (code == TENON_OK)
		code = tn_later_open(s->term->options.loop, look, s, &s->later, err);
	if (code == TENON_OK && !s->pipes)
		code = tn_screen_create(&screen, &s->screen, err);
	return code;
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
	if (code == TENON_OK)
		return;
	s->recorded = false;
	if (options->problem)
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

/* Checks that fail with a domain error. */
static bool place(struct tn_term_session *s, const struct tn_term_start *start,
		  struct tn_term_fault *fault)
{
	const struct tn_term_create *create = start->create;
	struct tn_inputs *inputs = start->run->inputs;
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	s->inputs = tn_inputs_ref(inputs);
	s->holds = (create->program || start->isolated) && tn_term_run_holds(start->run);
	(void)snprintf(s->cwd, sizeof(s->cwd), "%s", inputs->folder.path);
	if (inputs->folder.fd >= 0)
		code = tn_held_folder_fd(&s->folder, inputs->folder.fd, &err);
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
	tn_held_init(&s->folder);
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
	tn_term_session_free(s);
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
	tn_rng_hex(s->nonce, sizeof(s->nonce) - 1);
	tn_rng_hex(s->epoch, 8);
	tn_marks_init(&s->marks, s->nonce, 0);
	name_session(s, start);
	if (!place(s, start, fault)) {
		tn_term_session_unmake(s);
		return NULL;
	}
	if (!fill(s, start))
		code = tn_fail(&err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK && !s->isolated) {
		(void)tn_term_session_names(s); /* its start files come first */
		tn_names_take(&s->names, &start->run->analysis);
	}
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
	/* Only here: in a recovery the others have not locked theirs yet. */
	if (s->recorded && s->screen)
		tn_record_trimmer_wake(term->trimmer);
	return s;
}

/* ---- starting its program ---- */

void tn_term_session_fail(struct tn_term_session *s, const char *sentence)
{
	s->failure = s->failure ? s->failure : copy_text(sentence);
	tn_held_finish(&s->folder);
	tn_inputs_unref(s->inputs);
	s->inputs = NULL;
	s->start_state = TN_START_OVER;
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
	struct tn_pty_spawn spawn = {
		.key = s->id,
		.argv = s->program ? (const char *const *)s->program : shell->argv,
		.cwd = s->cwd,
		.directory_fd = s->folder.fd,
		.columns = s->columns,
		.rows = s->rows,
		.pipes = s->pipes,
		.stdin_fd = s->stdin_fd,
		.limits = {.processes =
				   tn_settings_u64(&config->settings, "terminal.limits.processes"),
			   .files = tn_settings_u64(&config->settings, "terminal.limits.files"),
			   .file_bytes =
				   tn_settings_u64(&config->settings, "terminal.limits.file_bytes"),
			   .memory_bytes = tn_settings_u64(&config->settings,
							   "terminal.limits.memory_bytes"),
			   .cpu_s = tn_settings_u64(&config->settings, "terminal.limits.cpu_s")},
		.data = s};
	struct tn_sandbox_wish sandbox = {.kind = s->sandboxed ? s->sandbox : TN_SANDBOX_NONE,
					  .argv = spawn.argv,
					  .cwd = s->cwd,
					  .run_folder = s->run_folder,
					  .holds = s->holds};
	struct tn_buf report;
	enum tenon_code code = make_environment(s, shell, arena, &spawn.env, err);

	tn_buf_init(&report, 64 * TN_KIB);
	if (code == TENON_OK && (s->sandboxed || s->holds))
		code = tn_sandbox_wrap(config, &sandbox, arena, &spawn.argv, &report, err);
	tn_buf_finish(&report);
	if (code == TENON_OK && s->holds)
		code = tn_hold_pack(s->inputs, &spawn.held_fd, err);
	if (code == TENON_OK)
		code = tn_term_host(s->term, err);
	if (code == TENON_OK)
		code = tn_pty_spawn(s->term->host, &spawn, &s->pty, err);
	if (spawn.held_fd > 0)
		(void)close(spawn.held_fd); /* it has gone with it */
	return code;
}

/* What was judged, and is started now, is still the same (10.2). In a sandbox directories go by
 * their names. */
static bool is_as_judged(struct tn_term_session *s)
{
	const char *changed = s->inputs ? tn_inputs_changed(s->inputs) : NULL;

	if (!changed && s->sandboxed && s->folder.fd >= 0 &&
	    !tn_held_is_still(&s->folder, AT_FDCWD, s->folder.path))
		changed = s->folder.path;
	if (!changed)
		return true;
	s->inputs_changed = true;
	tn_term_session_fail(s, "what it reads was changed after it had been looked at");
	return false;
}

void tn_term_session_spawn(struct tn_term_session *s)
{
	struct tn_shell_wish wish = {
		.path = s->shell, .login = s->login, .folder = s->run_folder, .nonce = s->nonce};
	struct tn_shell_start shell = {.marks = false};
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;

	if (!is_as_judged(s))
		return;
	tn_arena_init(&arena, 4 * TN_MIB);
	if (!s->program)
		do
			code = tn_shell_prepare(&wish, &shell, &err);
		while (code != TENON_OK && tn_term_session_made_room(s, &err));
	if (code == TENON_OK)
		code = spawn(s, &shell, &arena, &err);
	if (!s->program)
		tn_shell_start_finish(&shell);
	tn_arena_finish(&arena);
	if (code != TENON_OK) {
		tn_term_session_fail(s, err.message);
		return;
	}
	tn_held_finish(&s->folder); /* it went with the program */
	tn_inputs_unref(s->inputs);
	s->inputs = NULL;
	tn_term_start_begun(s);
	tn_journal_session(s);
	tn_term_session_schedule(s);
	tn_term_session_moved(s);
}
