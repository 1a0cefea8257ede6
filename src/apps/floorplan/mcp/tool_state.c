#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"

#include <stdio.h>
#include <string.h>

#include "apps/floorplan/limits.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/call.h"
#include "mcp/fit.h"

enum { JSON_INTERNAL = -32603, TRIES_MAX = 100, FAULTS_MAX = 20 };

/* ---- endings ---- */

void tn_floor_reply(struct tenon_call *call, struct tn_buf *json)
{
	if (json->failed) {
		tenon_call_refuse(call, JSON_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		tenon_call_add_text(call, json->data, json->size);
		tn_call_put_structured(call, json);
		tenon_call_finish(call);
	}
	tn_buf_finish(json);
}

void tn_floor_reply_fault(struct tenon_call *call, const char *code, const char *message,
			  const char *path)
{
	struct tn_buf json;

	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&json);
	tn_json_put_member_bool(&json, "success", false);
	tn_json_put_key(&json, "errors");
	tn_json_begin_array(&json);
	tn_floor_put_fault(&json, code, message, path);
	tn_json_end_array(&json);
	tn_json_end_object(&json);
	tenon_call_set_error(call);
	tn_floor_reply(call, &json);
}

static const char *code_of(enum tenon_code code)
{
	switch (code) {
	case TENON_EXPIRED:
		return "STALE_REVISION";
	case TENON_DENIED:
		return "PATH_NOT_ALLOWED";
	case TENON_NOT_FOUND:
		return "NOT_FOUND";
	case TENON_LIMIT:
		return "TOO_LARGE";
	case TENON_SYSTEM:
		return "FILE_ERROR";
	default:
		return "FP9001";
	}
}

void tn_floor_reply_error(struct tenon_call *call, const char *code, const struct tenon_error *err)
{
	if (err->code == TENON_NO_MEMORY || err->code == TENON_INTERNAL)
		tenon_call_refuse(call, JSON_INTERNAL, err->message, NULL);
	else
		tn_floor_reply_fault(call, code ? code : code_of(err->code), err->message, NULL);
}

/* ---- arguments that do not fit ---- */

void tn_floor_refuse_arguments(struct tenon_call *call, void *state,
			       const struct tenon_argument_fault *faults, size_t count, size_t more)
{
	struct tn_buf json, path;

	(void)state;
	(void)more; /* 7.1: at most 20 are told, which is what `faults` has */
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	tn_buf_init(&path, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&json);
	tn_json_put_member_bool(&json, "success", false);
	tn_json_put_key(&json, "errors");
	tn_json_begin_array(&json);
	for (size_t i = 0; i < count && i < FAULTS_MAX; i++) {
		tn_buf_clear(&path);
		(void)tn_schema_put_pointer(&path, faults[i].path, "arguments");
		tn_buf_append_byte(&path, '\0');
		tn_floor_put_fault(&json, "FP9001", faults[i].message,
				   path.failed ? "" : path.data);
	}
	tn_json_end_array(&json);
	tn_json_end_object(&json);
	tn_buf_finish(&path);
	tenon_call_set_error(call);
	tn_floor_reply(call, &json);
}

/* ---- documents ---- */

struct tn_handle *tn_floor_handle_of(struct tenon_call *call, struct tn_floor_door *door)
{
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};

	if (tn_floor_document_find(&door->documents, tenon_call_text(call, "document"),
				   tenon_call_principal(call), &handle, &err) == TENON_OK)
		return handle;
	tn_floor_reply_fault(call,
			     err.code == TENON_EXPIRED ? "EXPIRED_DOCUMENT" : "UNKNOWN_DOCUMENT",
			     err.message, "/document");
	return NULL;
}

const char *tn_floor_actor_of(struct tenon_call *call)
{
	return tenon_call_is_person(call) ? "user (page)" : tenon_call_client_name(call);
}

void tn_floor_publish(struct tn_floor_door *door, const struct tn_handle *handle)
{
	char uri[TN_HANDLE_SIZE + 32];

	(void)snprintf(uri, sizeof(uri), "floorplan://document/%s", handle->id);
	tenon_server_resource_updated(door->server, uri);
}

void tn_floor_put_document(struct tn_buf *out, const struct tn_handle *handle)
{
	const struct tn_floor_document *document = handle->value;
	uint64_t revision = tn_oplog_revision(document->log);

	tn_json_put_member_text(out, "document", handle->id);
	tn_json_put_member_int(out, "revision", (int64_t)revision);
	tn_json_put_member_text(out, "path", document->path);
	tn_json_put_member_bool(out, "changed", revision != document->saved_revision);
	tn_json_put_member_bool(out, "canUndo", tn_oplog_undo_label(document->log) != NULL);
	tn_json_put_member_bool(out, "canRedo", tn_oplog_redo_label(document->log) != NULL);
}

/* ---- an action ---- */

struct task {
	struct tenon_call *call;
	struct tn_floor_door *door;
	const struct tn_floor_action *action;
	struct tn_handle *handle; /* referenced; NULL: the text is an argument */
	uint64_t revision;        /* of the copy */
	struct tn_buf copy;       /* of the document's text: others go on changing it */
	struct tn_floor_act act;
	unsigned tries;
};

static void free_task(void *data)
{
	struct task *task = data;

	tn_handle_unref(task->handle);
	tn_buf_finish(&task->copy);
	tn_floor_act_finish(&task->act);
	tn_mem_free(task);
}

static void work(const struct tenon_call *call, void *data)
{
	struct task *task = data;

	(void)call;
	task->action->run(&task->act);
}

static void finished(struct tenon_call *call, void *data);

static bool copy_document(struct task *task)
{
	const struct tn_floor_document *document = tn_floor_document_of(task->handle);

	tn_buf_clear(&task->copy);
	tn_buf_append_str(&task->copy, tn_buf_str(&document->text));
	task->revision = tn_oplog_revision(document->log);
	return !task->copy.failed;
}

static void run(struct task *task)
{
	tenon_call_work(task->call, work, finished, task);
}

static void reply(struct task *task)
{
	struct tenon_call *call = task->call;
	struct tn_floor_act *act = &task->act;

	if (task->handle) {
		tn_json_put_member_text(&act->json, "document", task->handle->id);
		tn_json_put_member_int(
			&act->json, "revision",
			(int64_t)tn_oplog_revision(tn_floor_document_of(task->handle)->log));
	}
	if (tn_floor_act_end(act) && act->file.size > 0 && !act->in_json) {
		if (strcmp(act->mime, "image/png") == 0)
			tenon_call_add_image(call, act->mime, act->file.data, act->file.size);
		else if (strcmp(act->mime, "application/pdf") == 0)
			tenon_call_add_resource_blob(call, "floorplan://export/plan.pdf", act->mime,
						     act->file.data, act->file.size);
		else
			tenon_call_add_text(call, act->file.data, act->file.size);
	}
	if (!act->success)
		tenon_call_set_error(call);
	tn_floor_reply(call, &act->json);
}

/* The new text, unless somebody was faster: then the operations run once more on what is there now.
 * False: the call has ended, or goes on. */
static bool commit(struct task *task)
{
	struct tn_floor_document *document = tn_floor_document_of(task->handle);
	struct tenon_error err = {0};
	enum tenon_code code;
	int64_t expected = -1;

	if (tn_oplog_revision(document->log) != task->revision &&
	    !tenon_call_int(task->call, "expectedRevision", &expected) &&
	    task->tries++ < TRIES_MAX && copy_document(task)) {
		tn_floor_act_again(&task->act, tn_buf_str(&task->copy));
		run(task);
		return false;
	}
	code = tn_floor_document_change(document, tn_buf_str(&task->act.text_after),
					(int64_t)task->revision, tn_floor_actor_of(task->call),
					task->call->item->tool.name, &err);
	if (code != TENON_OK)
		tn_floor_reply_error(task->call, NULL, &err);
	else if (tn_oplog_revision(document->log) != task->revision)
		tn_floor_publish(task->door, task->handle);
	return code == TENON_OK;
}

static void finished(struct tenon_call *call, void *data)
{
	struct task *task = data;

	(void)call;
	if (task->handle && task->action->writes && task->act.text_after.data &&
	    !task->act.text_after.failed && !commit(task))
		return;
	reply(task);
}

static bool has_expected_revision(struct task *task)
{
	int64_t expected = -1;
	char message[128];

	if (!tenon_call_int(task->call, "expectedRevision", &expected))
		return true;
	if (!task->handle) {
		tn_floor_reply_fault(task->call, "FP9001",
				     "expectedRevision is for documents; leave it out, or send "
				     "document instead of dsl",
				     "/expectedRevision");
		return false;
	}
	if ((uint64_t)expected == task->revision)
		return true;
	(void)snprintf(message, sizeof(message),
		       "the document has revision %llu, not %lld: read it again",
		       (unsigned long long)task->revision, (long long)expected);
	tn_floor_reply_fault(task->call, "STALE_REVISION", message, "/expectedRevision");
	return false;
}

/* Exactly one of dsl and document; the schema cannot say so, because hosts refuse alternatives at
 * its top. False: the call has ended. */
static bool find_source(struct task *task, struct tn_str *ret)
{
	const struct tn_json *arguments = tn_call_arguments(task->call);
	bool named = tn_json_get(arguments, "document") != NULL;

	if (tn_json_to_str(tn_json_get(arguments, "dsl"), ret) != named) {
		if (!named)
			return has_expected_revision(task);
		task->handle = tn_floor_handle_of(task->call, task->door);
		if (!task->handle)
			return false;
		tn_handle_ref(task->handle);
		if (!copy_document(task)) {
			tenon_call_refuse(task->call, JSON_INTERNAL, "Out of memory.", NULL);
			return false;
		}
		*ret = tn_buf_str(&task->copy);
		return has_expected_revision(task);
	}
	tn_floor_reply_fault(task->call, "FP9001",
			     named ? "send dsl or document, not both"
				   : "dsl is missing: send the plan as text, or a document",
			     "/dsl");
	return false;
}

/* The whole of a tool that is one action: the text or the document, a worker, the change of the
 * document, the answer. */
void tn_floor_call_action(struct tenon_call *call, void *data)
{
	const struct tn_floor_action *action = data;
	struct task *task = tn_mem_alloc(sizeof(*task));
	struct tn_str text = {NULL, 0};

	if (!task) {
		tenon_call_refuse(call, JSON_INTERNAL, "Out of memory.", NULL);
		return;
	}
	task->call = call;
	task->door = tenon_call_app_state(call);
	task->action = action;
	tn_buf_init(&task->copy, 2 * TN_FLOOR_TEXT_BYTES_MAX);
	tn_floor_act_init(&task->act, text, tn_call_arguments(call));
	task->act.fonts = task->door->fonts;
	tenon_call_set_data(call, task, free_task);
	if (!action->without_text && !find_source(task, &text))
		return;
	task->act.text = text;
	run(task);
}
