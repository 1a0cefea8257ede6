#include "apps/terminal/session/term_kit.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/settings/settings_table.h"

/* ---- the clock ---- */

static uint64_t kit_monotonic(void *data)
{
	struct term_kit *kit = data;

	kit->turned_ms += kit->each_look_ms;
	return tn_clock_now_ms(&tn_clock_system) + kit->turned_ms;
}

static int64_t kit_wall(void *data)
{
	const struct term_kit *kit = data;

	return tn_clock_wall_ms(&tn_clock_system) + (int64_t)kit->turned_ms;
}

void term_kit_turn(struct term_kit *kit, uint64_t ms)
{
	kit->turned_ms += ms;
}

/* ---- life ---- */

static void changed(enum tn_term_change what, const char *id, void *data)
{
	struct term_kit *kit = data;

	(void)id;
	kit->changes[what]++;
}

static void came(const struct tn_term_session_info *info, void *data)
{
	struct term_kit *kit = data;

	(void)info;
	kit->came++;
}

static void went(const char *id, void *data)
{
	struct term_kit *kit = data;

	(void)id;
	kit->went++;
}

static void host_started(pid_t pid, void *data)
{
	struct term_kit *kit = data;

	kit->host_pid = pid;
}

static void problem(const char *sentence, void *data)
{
	struct term_kit *kit = data;
	size_t used = strlen(kit->problems);

	(void)snprintf(kit->problems + used, sizeof(kit->problems) - used, "%s|", sentence);
}

static void late(struct tn_timer *timer, void *data)
{
	struct term_kit *kit = data;

	(void)timer;
	kit->is_late = true;
	tn_loop_stop(kit->loop);
}

static const char *get_variable(const char *name)
{
	return getenv(name);
}

static void start_server(struct term_kit *kit)
{
	struct tenon_error err = {0};
	struct tn_term_options options = {.loop = NULL,
					  .clock = &kit->clock,
					  .config = &kit->config,
					  .records_bytes_max = kit->records_bytes_max,
					  .changed = changed,
					  .came = came,
					  .went = went,
					  .host_started = host_started,
					  .problem = problem,
					  .data = kit};

	assert_int_equal(tn_loop_create(&kit->loop, &err), TENON_OK);
	assert_int_equal(tn_timer_open(kit->loop, late, kit, &kit->timer, &err), TENON_OK);
	options.loop = kit->loop;
	if (tn_term_open(&options, &kit->term, &err) != TENON_OK)
		fail_msg("%s", err.message);
	kit->backend = tn_term_backend(kit->term);
}

static void take_settings(struct term_kit *kit, const char *const *settings)
{
	static const char *const usual[] = {"terminal.persist",
					    "none",
					    "terminal.shell",
					    "/bin/bash",
					    "terminal.sandbox",
					    "none",
					    NULL};
	const char *folder = NULL;
	struct tn_term_surroundings around = {.views = kit->settings.views, .get = get_variable};
	struct tenon_error err = {0};

	assert_int_equal(setenv("HOME", kit->folder, 1), 0);
	assert_int_equal(setenv("SHELL", "/bin/bash", 1), 0);
	assert_int_equal(setenv("TENON_STATE_DIR", kit->folder, 1), 0);
	settings_kit_open(&kit->settings, &tn_term_setting_table);
	for (size_t i = 0; usual[i]; i += 2)
		settings_kit_set(&kit->settings, usual[i], usual[i + 1]);
	for (size_t i = 0; settings && settings[i]; i += 2)
		settings_kit_set(&kit->settings, settings[i], settings[i + 1]);
	folder = tn_arena_format(&kit->settings.arena, "%s/run", kit->folder);
	assert_non_null(folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	around.runtime_folder = folder;
	if (tn_term_config_read(&kit->config, &around, &err) != TENON_OK)
		fail_msg("%s", err.message);
}

void term_kit_open(struct term_kit *kit, const char *const *settings)
{
	*kit = (struct term_kit){.turned_ms = 0};
	kit->clock =
		(struct tn_clock){.monotonic_ms = kit_monotonic, .wall_ms = kit_wall, .data = kit};
	(void)snprintf(kit->folder, sizeof(kit->folder), "/tmp/tenon-sessions-XXXXXX");
	assert_non_null(mkdtemp(kit->folder));
	take_settings(kit, settings);
	kit->caller = (struct tn_term_caller){
		.key = "user/test/1", .principal = "user", .client = "test"};
	start_server(kit);
}

void term_kit_end_server(struct term_kit *kit, bool keep)
{
	tn_term_close(kit->term, keep);
	kit->term = NULL;
	tn_timer_close(kit->timer);
	tn_loop_destroy(kit->loop);
	kit->loop = NULL;
}

void term_kit_open_again(struct term_kit *kit)
{
	kit->came = kit->went = 0;
	start_server(kit);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

void term_kit_close(struct term_kit *kit)
{
	if (kit->term)
		term_kit_end_server(kit, false);
	tn_term_config_finish(&kit->config);
	settings_kit_close(&kit->settings);
	assert_int_equal(nftw(kit->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* ---- waiting ---- */

struct until {
	struct term_kit *kit;
	struct tn_timer *timer;
	bool (*done)(void *data);
	void *data;
};

static void look(struct tn_timer *timer, void *data)
{
	struct until *until = data;

	if (until->done && until->done(until->data))
		tn_loop_stop(until->kit->loop);
	else
		tn_timer_start(timer, 2);
}

static bool run_until(struct term_kit *kit, bool (*done)(void *data), void *data, unsigned ms)
{
	struct until until = {.kit = kit, .done = done, .data = data};

	kit->is_late = false;
	assert_int_equal(tn_timer_open(kit->loop, look, &until, &until.timer, NULL), TENON_OK);
	tn_timer_start(until.timer, 0);
	tn_timer_start(kit->timer, ms);
	tn_loop_run(kit->loop);
	tn_timer_stop(kit->timer);
	tn_timer_close(until.timer);
	return !kit->is_late;
}

void term_kit_until(struct term_kit *kit, bool (*done)(void *data), void *data)
{
	assert_true(run_until(kit, done, data, TERM_KIT_WAIT_MS));
}

void term_kit_wait_ms(struct term_kit *kit, unsigned ms)
{
	(void)run_until(kit, NULL, NULL, ms);
}

static bool is_answered(void *data)
{
	const struct term_answer *a = data;

	return a->count > 0;
}

void term_kit_until_answered(struct term_kit *kit, struct term_answer *a)
{
	term_kit_until(kit, is_answered, a);
	assert_int_equal(a->count, 1);
}

bool term_kit_has_begun(void *session)
{
	const struct tn_term_session *s = session;

	return s->running && s->running->started;
}

struct state_of {
	struct tn_term_session *s;
	enum tn_term_state state;
};

static bool has_state(void *data)
{
	const struct state_of *of = data;

	return of->s->state == of->state;
}

void term_kit_until_state(struct term_kit *kit, struct tn_term_session *s, enum tn_term_state state)
{
	struct state_of of = {s, state};

	term_kit_until(kit, has_state, &of);
}

/* ---- answers ---- */

void term_kit_answer_init(struct term_answer *a)
{
	*a = (struct term_answer){.exit_code = TN_TERM_NO_EXIT_CODE};
	tn_buf_init(&a->text, 64 * TN_MIB);
	tn_buf_init(&a->error_text, 64 * TN_MIB);
}

void term_kit_answer_finish(struct term_answer *a)
{
	tn_buf_finish(&a->text);
	tn_buf_finish(&a->error_text);
}

static bool take_fault(struct term_answer *a, const struct tn_term_fault *fault)
{
	a->count++;
	if (!fault)
		return false;
	(void)snprintf(a->fault, sizeof(a->fault), "%s", fault->code ? fault->code : "-");
	(void)snprintf(a->message, sizeof(a->message), "%s", fault->message);
	(void)snprintf(a->hint, sizeof(a->hint), "%s", fault->hint);
	return true;
}

static void take_command(struct term_answer *a, const struct tn_term_command_info *info)
{
	size_t used = 0;

	a->status = info->status;
	a->exit_code = info->exit_code;
	(void)snprintf(a->id, sizeof(a->id), "%s", info->id);
	(void)snprintf(a->session_id, sizeof(a->session_id), "%s", info->session_id);
	(void)snprintf(a->completion, sizeof(a->completion), "%s", info->completion);
	(void)snprintf(a->signal, sizeof(a->signal), "%s", info->signal ? info->signal : "");
	a->total_bytes = info->total_bytes;
	a->total_lines = info->total_lines;
	a->alternate = info->alternate_screen;
	a->waiting = info->waiting;
	a->from = info->from;
	for (size_t i = 0; info->warnings && info->warnings[i]; i++)
		used += (size_t)snprintf(a->warnings + used, sizeof(a->warnings) - used, "%s|",
					 info->warnings[i]);
}

static void executed(const struct tn_term_executed *result, const struct tn_term_fault *fault,
		     void *data)
{
	struct term_answer *a = data;

	if (take_fault(a, fault))
		return;
	take_command(a, &result->command);
	(void)snprintf(a->cwd, sizeof(a->cwd), "%s", result->cwd);
	(void)snprintf(a->epoch, sizeof(a->epoch), "%s", result->epoch);
	tn_buf_append_str(&a->text, tn_buf_str(&result->output.text));
	a->truncated = result->output.truncated;
	a->next = result->output.next;
	a->has_screen = result->has_screen;
	a->redactions = result->redactions;
	a->has_errors = result->has_error_output;
	if (a->has_errors)
		tn_buf_append_str(&a->error_text, tn_buf_str(&result->error_output));
}

static void created(const struct tn_term_session_info *info, struct tn_str first_output,
		    const struct tn_term_fault *fault, void *data)
{
	struct term_answer *a = data;

	if (take_fault(a, fault))
		return;
	a->state = info->state;
	(void)snprintf(a->session_id, sizeof(a->session_id), "%s", info->id);
	tn_buf_append_str(&a->text, first_output);
}

static void was_read(const struct tn_term_read_result *result, const struct tn_term_fault *fault,
		     void *data)
{
	struct term_answer *a = data;

	if (take_fault(a, fault))
		return;
	tn_buf_append_str(&a->text, tn_buf_str(&result->output.text));
	(void)snprintf(a->epoch, sizeof(a->epoch), "%s", result->epoch);
	a->state = result->session.state;
	a->from = result->output.from;
	a->next = result->output.next;
	a->more = result->output.more;
	a->gap_bytes = result->output.gap_bytes;
}

static void waited(const struct tn_term_waited *result, const struct tn_term_fault *fault,
		   void *data)
{
	struct term_answer *a = data;

	if (take_fault(a, fault))
		return;
	a->matched = result->matched;
	(void)snprintf(a->reason, sizeof(a->reason), "%s", result->reason);
	(void)snprintf(a->match, sizeof(a->match), "%.*s", (int)result->match.size,
		       result->match.data ? result->match.data : "");
	a->group_count = result->group_count;
	a->from = result->from;
	a->next = result->next;
}

bool term_kit_has(const struct term_answer *a, const char *text)
{
	return tn_str_find(tn_buf_str(&a->text), tn_str_from(text)) != TN_STR_NONE;
}

/* ---- what is asked ---- */

struct tn_term_session *term_kit_session(struct term_kit *kit, const char *id)
{
	struct tn_term_fault fault = {0};
	struct tn_term_session *s = tn_term_find(kit->term, &kit->caller, id, &fault);

	if (!s)
		fail_msg("%s: %s", fault.code ? fault.code : "-", fault.message);
	return s;
}

static struct tn_term_session *create(struct term_kit *kit, const struct tn_term_create *request)
{
	struct tn_term_session *s;
	struct term_answer a;

	term_kit_answer_init(&a);
	(void)kit->backend->create_session(kit->backend->self, request, created, &a);
	term_kit_until_answered(kit, &a);
	assert_string_equal(a.fault, "");
	s = term_kit_session(kit, a.session_id);
	term_kit_answer_finish(&a);
	return s;
}

struct tn_term_session *term_kit_shell(struct term_kit *kit, const char *shell)
{
	return create(kit, &(struct tn_term_create){.caller = &kit->caller,
						    .shell = shell,
						    .cwd = kit->folder,
						    .columns = 120,
						    .rows = 40,
						    .record = kit->records,
						    .sandbox = -1});
}

struct tn_term_session *term_kit_program(struct term_kit *kit, const char *const *argv)
{
	return create(kit, &(struct tn_term_create){.caller = &kit->caller,
						    .program = argv,
						    .cwd = kit->folder,
						    .columns = 120,
						    .rows = 40,
						    .record = kit->records,
						    .sandbox = -1});
}

struct tn_term_execute term_kit_request(struct term_kit *kit, const char *session_id,
					const char *command)
{
	return (struct tn_term_execute){.caller = &kit->caller,
					.command = tn_str_from(command),
					.session_id = session_id,
					.timeout_ms = 30000,
					.yield_ms = 20000,
					.pty = true,
					.shaping = {.bytes_max = TN_TERM_ANSWER_BYTES}};
}

struct tn_term_op *term_kit_begin(struct term_kit *kit, const struct tn_term_execute *request,
				  struct term_answer *a)
{
	term_kit_answer_init(a);
	return kit->backend->execute_command(kit->backend->self, request, executed, a);
}

void term_kit_execute(struct term_kit *kit, const struct tn_term_execute *request,
		      struct term_answer *a)
{
	(void)term_kit_begin(kit, request, a);
	term_kit_until_answered(kit, a);
}

void term_kit_run(struct term_kit *kit, struct tn_term_session *s, const char *command,
		  struct term_answer *a)
{
	struct tn_term_execute request = term_kit_request(kit, s ? s->id : NULL, command);

	term_kit_execute(kit, &request, a);
}

void term_kit_expect(struct term_kit *kit, struct tn_term_session *s, const char *command,
		     int exit_code, const char *output)
{
	struct term_answer a;

	term_kit_run(kit, s, command, &a);
	assert_string_equal(a.fault, "");
	assert_int_equal(a.status, TN_TERM_COMPLETED);
	assert_int_equal(a.exit_code, exit_code);
	assert_int_equal(a.text.size, strlen(output));
	assert_memory_equal(a.text.data ? a.text.data : "", output, a.text.size);
	term_kit_answer_finish(&a);
}

struct tn_term_op *term_kit_begin_wait(struct term_kit *kit, struct tn_term_session *s,
				       enum tn_term_until until, const char *value,
				       struct term_answer *a)
{
	struct tn_term_wait wait = {.caller = &kit->caller,
				    .session = s,
				    .until = until,
				    .value = tn_str_from(value),
				    .from = UINT64_MAX,
				    .idle_ms = 1000,
				    .timeout_ms = 20000,
				    .hold_ms = 20000};

	term_kit_answer_init(a);
	return tn_term_wait_for(kit->term, &wait, waited, a);
}

void term_kit_wait_from(struct term_kit *kit, const struct tn_term_wait *wait,
			struct term_answer *a)
{
	term_kit_answer_init(a);
	(void)tn_term_wait_for(kit->term, wait, waited, a);
	term_kit_until_answered(kit, a);
}

void term_kit_read(struct term_kit *kit, const struct tn_term_read *request, struct term_answer *a)
{
	term_kit_answer_init(a);
	(void)kit->backend->get_output(kit->backend->self, request, was_read, a);
	term_kit_until_answered(kit, a);
}

void term_kit_type(struct tn_term_session *s, const char *text)
{
	struct tenon_error err = {0};

	assert_int_equal(tn_term_session_send(s, tn_str_from(text), &err), TENON_OK);
}
