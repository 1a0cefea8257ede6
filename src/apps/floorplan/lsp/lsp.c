/* The language server's messages: its life, open documents, and who answers what. */
#include "apps/floorplan/lsp/lsp.h"

#include "apps/floorplan/limits.h"
#include "apps/floorplan/lsp/internal.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* JSON-RPC and the protocol's own. */
enum {
	PARSE_ERROR = -32700,
	INVALID_REQUEST = -32600,
	METHOD_NOT_FOUND = -32601,
	INTERNAL_ERROR = -32603,
	NOT_INITIALIZED = -32002,
	REQUEST_FAILED = -32803
};

struct tn_lsp {
	struct tn_lsp_options options;
	struct tn_lsp_document *documents;
	size_t document_count;
	bool initialized, shut;
	struct tn_buf out; /* the message being made */
};

enum tenon_code tn_lsp_create(const struct tn_lsp_options *options, struct tn_lsp **ret,
			      struct tenon_error *err)
{
	struct tn_lsp *lsp = tn_mem_alloc(sizeof(*lsp));

	if (!lsp)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	lsp->options = *options;
	tn_buf_init(&lsp->out, TN_FLOOR_OUTPUT_BYTES_MAX);
	*ret = lsp;
	return TENON_OK;
}

static void free_document(struct tn_lsp_document *document) /* accepts NULL */
{
	if (!document)
		return;
	tn_floor_plan_free(document->plan);
	tn_buf_finish(&document->text);
	tn_mem_free(document->marks);
	tn_mem_free(document->uri);
	tn_mem_free(document);
}

void tn_lsp_free(struct tn_lsp *lsp)
{
	if (!lsp)
		return;
	while (lsp->documents) {
		struct tn_lsp_document *next = lsp->documents->next;

		free_document(lsp->documents);
		lsp->documents = next;
	}
	tn_buf_finish(&lsp->out);
	tn_mem_free(lsp);
}

/* ---- messages ---- */

static void begin_message(struct tn_lsp *lsp)
{
	tn_buf_clear(&lsp->out);
	tn_json_begin_object(&lsp->out);
	tn_json_put_member_text(&lsp->out, "jsonrpc", "2.0");
}

static void send_message(struct tn_lsp *lsp)
{
	tn_json_end_object(&lsp->out);
	if (!lsp->out.failed)
		lsp->options.send(lsp->options.data, tn_buf_str(&lsp->out));
}

static void put_id(struct tn_lsp *lsp, const struct tn_json *id)
{
	tn_json_put_key(&lsp->out, "id");
	tn_json_put_value(&lsp->out, id);
}

static void answer_error(struct tn_lsp *lsp, const struct tn_json *id, int code,
			 const char *message)
{
	begin_message(lsp);
	put_id(lsp, id);
	tn_json_put_key(&lsp->out, "error");
	tn_json_begin_object(&lsp->out);
	tn_json_put_member_int(&lsp->out, "code", code);
	tn_json_put_member_text(&lsp->out, "message", message);
	tn_json_end_object(&lsp->out);
	send_message(lsp);
}

static void answer(struct tn_lsp *lsp, const struct tn_json *id, struct tn_str result)
{
	begin_message(lsp);
	put_id(lsp, id);
	tn_json_put_member_raw(&lsp->out, "result", result.size > 0 ? result : TN_STR("null"));
	/* An editor that gets no answer waits for ever. */
	if (lsp->out.failed)
		answer_error(lsp, id, INTERNAL_ERROR, "the answer is too large");
	else
		send_message(lsp);
}

/* To be seen in the editor: 1 is an error. */
static void show_error(struct tn_lsp *lsp, const char *message)
{
	begin_message(lsp);
	tn_json_put_member_text(&lsp->out, "method", "window/showMessage");
	tn_json_put_key(&lsp->out, "params");
	tn_json_begin_object(&lsp->out);
	tn_json_put_member_int(&lsp->out, "type", 1);
	tn_json_put_member_text(&lsp->out, "message", message);
	tn_json_end_object(&lsp->out);
	send_message(lsp);
}

/* ---- documents ---- */

static struct tn_str uri_of(const struct tn_json *params)
{
	struct tn_str uri = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(tn_json_get(params, "textDocument"), "uri"), &uri);
	return uri;
}

static struct tn_lsp_document **find_document(struct tn_lsp *lsp, struct tn_str uri)
{
	struct tn_lsp_document **at = &lsp->documents;

	while (*at && !tn_str_is(uri, (*at)->uri))
		at = &(*at)->next;
	return at;
}

const struct tn_lsp_document *tn_lsp_documents(const struct tn_lsp *lsp)
{
	return lsp->documents;
}

static void publish(struct tn_lsp *lsp, const struct tn_lsp_document *document)
{
	begin_message(lsp);
	tn_json_put_member_text(&lsp->out, "method", "textDocument/publishDiagnostics");
	tn_json_put_key(&lsp->out, "params");
	tn_lsp_put_diagnostics(&lsp->out, document);
	send_message(lsp);
}

static void read_again(struct tn_lsp *lsp, struct tn_lsp_document *document)
{
	struct tenon_error err = {0};

	tn_lsp_mark_text(document);
	tn_floor_plan_free(document->plan);
	document->plan = NULL;
	if (document->text.failed)
		show_error(lsp, "the plan is too large for this server; close and open it again");
	else if (tn_floor_plan_create(tn_buf_str(&document->text), false, &document->plan, &err) !=
		 TENON_OK)
		show_error(lsp, err.message);
	publish(lsp, document);
}

static void note_version(struct tn_lsp_document *document, const struct tn_json *params)
{
	const struct tn_json *version = tn_json_get(tn_json_get(params, "textDocument"), "version");

	(void)tn_json_to_int(version, &document->version); /* null: as it was */
}

/* NULL: it is not open. The caller frees it. */
static struct tn_lsp_document *take_out(struct tn_lsp *lsp, struct tn_str uri)
{
	struct tn_lsp_document **at = find_document(lsp, uri), *document = *at;

	if (document) {
		*at = document->next;
		lsp->document_count--;
	}
	return document;
}

static void did_open(struct tn_lsp *lsp, const struct tn_json *params)
{
	struct tn_str uri = uri_of(params), text = {NULL, 0};
	struct tn_lsp_document *document;

	/* Under such a name it could be neither found nor closed again. */
	if (uri.size == 0 || tn_str_find_byte(uri, '\0') != TN_STR_NONE)
		return;
	/* Twice is no mistake that anybody can correct: the later text counts. */
	free_document(take_out(lsp, uri));
	if (lsp->document_count == TN_FLOOR_DOCUMENTS_MAX) {
		show_error(lsp, "too many plans are open; close one");
		return;
	}
	document = tn_mem_alloc(sizeof(*document));
	if (document)
		document->uri = tn_mem_copy_text(uri.data, uri.size);
	if (!document || !document->uri) {
		tn_mem_free(document);
		show_error(lsp, "out of memory");
		return;
	}
	(void)tn_json_to_str(tn_json_get(tn_json_get(params, "textDocument"), "text"), &text);
	/* A little more than a plan may be, so that FP0001 tells it. */
	tn_buf_init(&document->text, (size_t)4 * TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_append_str(&document->text, text);
	document->next = lsp->documents;
	lsp->documents = document;
	lsp->document_count++;
	note_version(document, params);
	read_again(lsp, document);
}

/* In its place: an editor may send thousands of changes at once. */
static void replace(struct tn_buf *buf, size_t start, size_t end, struct tn_str text)
{
	size_t gone = end - start;

	if (text.size > gone && !tn_buf_reserve(buf, text.size - gone))
		return; /* it has failed, and that stays */
	if (end < buf->size)
		memmove(buf->data + start + text.size, buf->data + end, buf->size - end);
	if (text.size > 0)
		memcpy(buf->data + start, text.data, text.size);
	buf->size = buf->size - gone + text.size;
}

static void change(struct tn_lsp_document *document, const struct tn_json *what)
{
	const struct tn_json *range = tn_json_get(what, "range");
	struct tn_str old = tn_buf_str(&document->text), text = {NULL, 0};
	size_t start = 0, end = old.size;

	if (!tn_json_to_str(tn_json_get(what, "text"), &text))
		return;
	if (tn_json_is(range, TN_JSON_OBJECT)) { /* some editors write null for none */
		start = tn_lsp_offset(old, tn_json_get(range, "start"));
		end = tn_lsp_offset(old, tn_json_get(range, "end"));
	}
	replace(&document->text, start, end < start ? start : end, text);
}

static void did_change(struct tn_lsp *lsp, const struct tn_json *params)
{
	struct tn_lsp_document *document = *find_document(lsp, uri_of(params));
	const struct tn_json *changes = tn_json_get(params, "contentChanges"), *one;

	if (!document || !tn_json_is(changes, TN_JSON_ARRAY))
		return;
	for (one = changes->first; one; one = one->next)
		change(document, one);
	note_version(document, params);
	read_again(lsp, document);
}

static void did_close(struct tn_lsp *lsp, const struct tn_json *params)
{
	struct tn_lsp_document *document = take_out(lsp, uri_of(params));

	if (!document)
		return;
	tn_floor_plan_free(document->plan);
	document->plan = NULL;
	publish(lsp, document); /* takes the marks away */
	free_document(document);
}

/* ---- its life ---- */

static void initialize(struct tn_lsp *lsp, const struct tn_json *id)
{
	static const char abilities[] =
		"{\"positionEncoding\":\"utf-16\","
		"\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":false},"
		"\"completionProvider\":{\"triggerCharacters\":[\".\",\":\",\"[\"]},"
		"\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
		"\"renameProvider\":{\"prepareProvider\":true},\"documentSymbolProvider\":true,"
		"\"documentFormattingProvider\":true,"
		"\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]}}";
	struct tn_buf result;

	lsp->initialized = true;
	tn_buf_init(&result, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_member_raw(&result, "capabilities", TN_STR(abilities));
	tn_json_put_key(&result, "serverInfo");
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "name", "tenon floorplan");
	tn_json_put_member_text(&result, "version", lsp->options.version);
	tn_json_end_object(&result);
	tn_json_end_object(&result);
	answer(lsp, id, tn_buf_str(&result));
	tn_buf_finish(&result);
}

/* ---- requests and notifications ---- */

static const struct {
	const char *method;
	void (*run)(struct tn_lsp_request *request);
} requests[] = {
	{"textDocument/hover", tn_lsp_hover},
	{"textDocument/documentSymbol", tn_lsp_symbols},
	{"textDocument/completion", tn_lsp_complete},
	{"textDocument/definition", tn_lsp_definition},
	{"textDocument/references", tn_lsp_references},
	{"textDocument/prepareRename", tn_lsp_prepare_rename},
	{"textDocument/rename", tn_lsp_rename},
	{"textDocument/formatting", tn_lsp_format},
	{"textDocument/codeAction", tn_lsp_actions},
};

static const struct {
	const char *method;
	void (*run)(struct tn_lsp *lsp, const struct tn_json *params);
} notifications[] = {
	{"textDocument/didOpen", did_open},
	{"textDocument/didChange", did_change},
	{"textDocument/didClose", did_close},
};

static void run_request(struct tn_lsp *lsp, size_t which, const struct tn_json *id,
			const struct tn_json *params, struct tn_arena *arena)
{
	struct tn_buf result;
	struct tn_lsp_request request = {.params = params, .arena = arena, .result = &result};

	request.document = *find_document(lsp, uri_of(params));
	tn_buf_init(&result, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (request.document && request.document->plan) {
		request.offset = tn_lsp_offset(tn_buf_str(&request.document->text),
					       tn_json_get(params, "position"));
		requests[which].run(&request);
	}
	if (request.refusal)
		answer_error(lsp, id, REQUEST_FAILED, request.refusal);
	else if (result.failed)
		answer_error(lsp, id, INTERNAL_ERROR, "the answer is too large");
	else
		answer(lsp, id, tn_buf_str(&result));
	tn_buf_finish(&result);
}

static void take_request(struct tn_lsp *lsp, struct tn_str method, const struct tn_json *id,
			 const struct tn_json *params, struct tn_arena *arena)
{
	if (lsp->shut) {
		answer_error(lsp, id, INVALID_REQUEST, "the server is shut down");
	} else if (tn_str_is(method, "initialize")) {
		if (lsp->initialized)
			answer_error(lsp, id, INVALID_REQUEST, "initialize comes once");
		else
			initialize(lsp, id);
	} else if (!lsp->initialized) {
		answer_error(lsp, id, NOT_INITIALIZED, "initialize comes first");
	} else if (tn_str_is(method, "shutdown")) {
		lsp->shut = true;
		answer(lsp, id, TN_STR("null"));
	} else {
		for (size_t i = 0; i < TN_COUNT(requests); i++) {
			if (tn_str_is(method, requests[i].method)) {
				run_request(lsp, i, id, params, arena);
				return;
			}
		}
		answer_error(lsp, id, METHOD_NOT_FOUND, "the server has no such method");
	}
}

static void take_notification(struct tn_lsp *lsp, struct tn_str method,
			      const struct tn_json *params)
{
	for (size_t i = 0; i < TN_COUNT(notifications) && lsp->initialized && !lsp->shut; i++)
		if (tn_str_is(method, notifications[i].method))
			notifications[i].run(lsp, params);
}

bool tn_lsp_handle(struct tn_lsp *lsp, struct tn_str message, int *ret_exit)
{
	struct tenon_error err = {0};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	struct tn_str method = {NULL, 0};
	const struct tn_json *id;
	bool on = true;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (tn_json_parse_copy(&arena, message, &tree, &err) != TENON_OK) {
		answer_error(lsp, NULL, PARSE_ERROR, err.message);
		tn_arena_finish(&arena);
		return true;
	}
	id = tn_json_get(tree, "id");
	if (!tn_json_to_str(tn_json_get(tree, "method"), &method)) {
		/* The answer to a request of ours needs none; anything else is a mistake. */
		if (!tn_json_get(tree, "result") && !tn_json_get(tree, "error"))
			answer_error(lsp, id, INVALID_REQUEST, "a message without a method");
	} else if (id) {
		take_request(lsp, method, id, tn_json_get(tree, "params"), &arena);
	} else if (tn_str_is(method, "exit")) {
		*ret_exit = lsp->shut ? 0 : 1;
		on = false;
	} else {
		take_notification(lsp, method, tn_json_get(tree, "params"));
	}
	tn_arena_finish(&arena);
	return on;
}
