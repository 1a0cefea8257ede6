#include "apps/terminal/session/fake_backend.h"

#include <stdio.h>
#include <string.h>

static void copy(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text ? text : "");
}

static void note(struct fake_backend *fake, const char *what)
{
	copy(fake->asked, sizeof(fake->asked), what);
	fake->calls++;
}

static void put_output(const struct fake_backend *fake, struct tn_output *output)
{
	*output = (struct tn_output){.from = 10, .next = 10};
	tn_buf_init(&output->text, TN_MIB);
	if (fake->output) {
		tn_buf_append_text(&output->text, fake->output);
		output->next += strlen(fake->output);
	}
}

static const struct tn_term_fault *fault_of(const struct fake_backend *fake,
					    struct tn_term_fault *fault)
{
	if (!fake->fault)
		return NULL;
	*fault = (struct tn_term_fault){.code = strcmp(fake->fault, "-") ? fake->fault : NULL};
	copy(fault->message, sizeof(fault->message), "It was refused.");
	copy(fault->hint, sizeof(fault->hint), "Do something else.");
	copy(fault->data, sizeof(fault->data), "{\"left\":1}");
	return fault;
}

static struct tn_term_session_info session_of(const struct fake_backend *fake)
{
	return (struct tn_term_session_info){.id = "ses_fake",
					     .name = fake->name[0] ? fake->name : "fake",
					     .cwd = "/fake",
					     .program = "bash",
					     .title = "",
					     .sandbox = "none",
					     .owner = "user",
					     .shell = "/bin/bash",
					     .is_active = true,
					     .state = TN_TERM_IDLE,
					     .integration = TN_TERM_INTEGRATION_MARKS,
					     .pid = 42,
					     .columns = fake->columns,
					     .rows = fake->rows,
					     .exit_code = TN_TERM_NO_EXIT_CODE,
					     .created_ms = 1000,
					     .last_activity_ms = 2000,
					     .expires_ms = 2000 + 3600000,
					     .total_bytes = 15};
}

void fake_backend_answer(struct fake_backend *fake)
{
	struct tn_term_fault room;
	const struct tn_term_fault *fault = fault_of(fake, &room);
	struct tn_term_executed executed = {.cwd = "/fake", .epoch = "e"};
	struct tn_term_read_result read = {.session = session_of(fake), .epoch = "e"};
	enum fake_pending pending = fake->pending;

	fake->pending = FAKE_NONE;
	put_output(fake, &executed.output);
	put_output(fake, &read.output);
	executed.command = (struct tn_term_command_info){.id = "cmd_fake",
							 .session_id = "ses_fake",
							 .text = fake->command,
							 .cwd = "/fake",
							 .caller = "test",
							 .status = fake->status,
							 .completion = "marks",
							 .exit_code = fake->exit_code,
							 .started_ms = 1000,
							 .duration_ms = 212,
							 .total_bytes = 5,
							 .total_lines = 1,
							 .timeout_ms = fake->timeout_ms};
	executed.command.waiting.for_input = fake->status == TN_TERM_STATUS_WAITING_INPUT;
	executed.command.waiting.hidden_input = executed.command.waiting.for_input;
	if (pending == FAKE_EXECUTE)
		fake->done.executed(fault ? NULL : &executed, fault, fake->data);
	else if (pending == FAKE_READ)
		fake->done.read(fault ? NULL : &read, fault, fake->data);
	else if (pending == FAKE_CREATE)
		fake->done.created(fault ? NULL : &read.session, tn_str_from("$ "), fault,
				   fake->data);
	tn_output_finish(&executed.output);
	tn_output_finish(&read.output);
}

static struct tn_term_op *answer_or_wait(struct fake_backend *fake, enum fake_pending pending,
					 void *data)
{
	fake->pending = pending;
	fake->data = data;
	if (fake->later)
		return (struct tn_term_op *)(void *)fake;
	fake_backend_answer(fake);
	return NULL;
}

static struct tn_term_op *execute(void *self, const struct tn_term_execute *request,
				  tn_term_executed_fn *done, void *data)
{
	struct fake_backend *fake = self;

	note(fake, "execute_command");
	(void)snprintf(fake->command, sizeof(fake->command), "%.*s", (int)request->command.size,
		       request->command.data);
	copy(fake->cwd, sizeof(fake->cwd), request->cwd);
	copy(fake->session_id, sizeof(fake->session_id), request->session_id);
	copy(fake->env, sizeof(fake->env), request->env ? request->env[0] : NULL);
	fake->timeout_ms = request->timeout_ms;
	fake->timeout_given = request->timeout_given;
	fake->yield_ms = request->yield_ms;
	fake->on_timeout = (int)request->on_timeout;
	fake->if_busy = (int)request->if_busy;
	fake->isolated = request->isolated;
	fake->pty = request->pty;
	fake->has_stdin = request->has_stdin;
	fake->shaping = request->shaping;
	fake->done.executed = done;
	return answer_or_wait(fake, FAKE_EXECUTE, data);
}

static struct tn_term_op *get_output(void *self, const struct tn_term_read *request,
				     tn_term_read_fn *done, void *data)
{
	struct fake_backend *fake = self;

	note(fake, "get_output");
	copy(fake->session_id, sizeof(fake->session_id), request->session_id);
	copy(fake->cursor, sizeof(fake->cursor), request->cursor);
	fake->wait_ms = request->wait_ms;
	fake->shaping = request->shaping;
	fake->done.read = done;
	return answer_or_wait(fake, FAKE_READ, data);
}

static struct tn_term_op *create(void *self, const struct tn_term_create *request,
				 tn_term_created_fn *done, void *data)
{
	struct fake_backend *fake = self;

	note(fake, "create_session");
	copy(fake->name, sizeof(fake->name), request->name);
	copy(fake->cwd, sizeof(fake->cwd), request->cwd);
	copy(fake->shell, sizeof(fake->shell), request->shell);
	fake->columns = request->columns;
	fake->rows = request->rows;
	fake->activate = request->activate;
	fake->record = request->record;
	fake->sandbox = request->sandbox;
	fake->done.created = done;
	return answer_or_wait(fake, FAKE_CREATE, data);
}

static void list(void *self, const struct tn_term_list *request,
		 void (*each)(const struct tn_term_session_info *info, void *data), void *data,
		 const char **ret_active)
{
	struct fake_backend *fake = self;
	struct tn_term_session_info info = session_of(fake);

	note(fake, "list_sessions");
	fake->include_closed = request->include_closed;
	each(&info, data);
	*ret_active = "ses_fake";
}

static bool switch_session(void *self, const struct tn_term_caller *caller, const char *session_id,
			   struct tn_term_session_info *ret, char ret_previous[64],
			   struct tn_term_fault *fault)
{
	struct fake_backend *fake = self;

	(void)caller;
	note(fake, "switch_session");
	copy(fake->session_id, sizeof(fake->session_id), session_id);
	if (fault_of(fake, fault))
		return false;
	*ret = session_of(fake);
	copy(ret_previous, 64, "ses_before");
	return true;
}

static enum tenon_code search(void *self, const struct tn_history_search *wish,
			      void (*done)(struct tn_history_found *found, void *data), void *data,
			      struct tenon_error *err)
{
	struct fake_backend *fake = self;
	struct tn_history_entry entry = {.timestamp = 60,
					 .content = tn_str_from("make all"),
					 .command_id = tn_str_from("cmd_fake"),
					 .exit_code = 2,
					 .duration_ms = 5,
					 .snippet = tn_str_from("make all")};
	struct tn_history_found found = {.entries = &entry, .count = 1, .total = 1};

	note(fake, "search_history");
	(void)snprintf(fake->command, sizeof(fake->command), "%.*s", (int)wish->query.size,
		       wish->query.data);
	if (fake->fault)
		return tn_fail(err, TENON_SYSTEM, "the disk is full");
	done(&found, data);
	return TENON_OK;
}

static void cancel(void *self, struct tn_term_op *op)
{
	struct fake_backend *fake = self;

	(void)op;
	fake->cancels++;
	fake->pending = FAKE_NONE;
}

void fake_backend_init(struct fake_backend *fake)
{
	*fake = (struct fake_backend){.status = TN_TERM_COMPLETED};
	fake->backend = (struct tn_term_backend){.self = fake,
						 .execute_command = execute,
						 .get_output = get_output,
						 .create_session = create,
						 .list_sessions = list,
						 .switch_session = switch_session,
						 .search_history = search,
						 .cancel = cancel};
}
