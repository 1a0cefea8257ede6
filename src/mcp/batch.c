#include "mcp/batch.h"

#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/receive.h"
#include "mcp/server.h"

struct tn_batch;

struct element {
	struct tn_exchange x; /* first: ops get this */
	struct tn_batch *batch;
	bool open; /* owes an answer */
};

struct tn_batch {
	struct tn_exchange *outer; /* NULL when the peer is gone */
	struct tn_buf replies;
	unsigned open, count;
	struct element elements[];
};

static void close_element(struct element *element)
{
	struct tn_batch *batch = element->batch;
	struct tn_exchange *outer = batch->outer;

	element->open = false;
	if (--batch->open)
		return;
	if (outer) {
		outer->user = NULL;
		outer->gone = NULL;
		tn_json_end_array(&batch->replies);
		if (batch->replies.size > strlen("[]") && !batch->replies.failed)
			outer->ops->answer(outer, 200, tn_buf_str(&batch->replies));
		else
			outer->ops->end(outer, batch->replies.failed);
	}
	tn_buf_finish(&batch->replies);
	tn_mem_free(batch);
}

static void element_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct element *element = (struct element *)x;

	(void)status; /* a batch is answered with 200 */
	tn_json_put_raw(&element->batch->replies, json);
	close_element(element);
}

static void element_notify(struct tn_exchange *x, struct tn_str json)
{
	struct tn_exchange *outer = ((struct element *)x)->batch->outer;

	if (outer)
		outer->ops->notify(outer, json);
}

static void element_end(struct tn_exchange *x, bool cancelled)
{
	(void)cancelled;
	close_element((struct element *)x);
}

static bool element_deaf(const struct tn_exchange *x)
{
	const struct tn_exchange *outer = ((const struct element *)x)->batch->outer;

	return !outer || tn_exchange_deaf(outer);
}

static const struct tn_exchange_ops element_ops = {
	.answer = element_answer,
	.notify = element_notify,
	.end = element_end,
	.deaf = element_deaf,
};

static void outer_gone(struct tn_exchange *outer)
{
	struct tn_batch *batch = outer->user;

	/* Legacy: the calls go on, their replies have nowhere to go (MCP-142). */
	outer->user = NULL;
	outer->gone = NULL;
	batch->outer = NULL;
}

/* MCP-020 to MCP-022: what makes the whole array a mistake. NULL: nothing. */
static const char *fault_of(const struct tn_json *array, enum tn_revision revision)
{
	struct tn_str method;

	if (array->count == 0)
		return "An empty array is no message";
	for (const struct tn_json *m = array->first; m; m = m->next) {
		const struct tn_json *meta = tn_json_get(tn_json_get(m, "params"), "_meta");

		if (m->type == TN_JSON_ARRAY)
			return "An array is no element of a batch";
		if (tn_json_get(meta, "io.modelcontextprotocol/protocolVersion"))
			return "Requests of 2026-07-28 are never batched";
		if (tn_json_to_str(tn_json_get(m, "method"), &method) &&
		    tn_str_is(method, "initialize"))
			return "initialize is never part of a batch";
	}
	if (revision != TN_R2)
		return "Arrays are not messages in this revision";
	return array->count > TN_BATCH_ELEMENTS_MAX ? "Too many elements in a batch" : NULL;
}

static enum tn_revision session_revision(const struct tenon_call *call)
{
	struct tn_peer *peer;

	if (!call->view)
		return call->peer->revision;
	if (call->view->ops->find_session(call->view, &peer) == TN_SESSION_FOUND)
		return peer->revision;
	return TN_REVISION_NONE;
}

static struct tn_batch *new_batch(struct tn_exchange *outer, unsigned count)
{
	struct tn_batch *batch =
		tn_mem_alloc(sizeof(*batch) + (count + 1) * sizeof(struct element));

	if (!batch)
		return NULL;
	tn_buf_init(&batch->replies, TN_RESULT_BYTES_MAX);
	tn_json_begin_array(&batch->replies);
	batch->outer = outer;
	batch->count = count;
	batch->open = count + 1; /* one for ourselves while elements are handed in */
	outer->user = batch;
	outer->gone = outer_gone;
	return batch;
}

static void receive_elements(struct tn_batch *batch, struct tn_peer *peer,
			     const struct tn_http_view *view, const struct tn_json *array)
{
	struct element *self = &batch->elements[batch->count];
	unsigned i = 0;

	for (const struct tn_json *m = array->first; m; m = m->next, i++) {
		struct element *element = &batch->elements[i];
		struct tn_buf text;

		*element =
			(struct element){.x = {.ops = &element_ops}, .batch = batch, .open = true};
		tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
		tn_json_put_value(&text, m);
		if (view)
			tn_receive_http(peer, &element->x, view, tn_buf_str(&text));
		else
			tn_receive_stream(peer, &element->x, tn_buf_str(&text));
		tn_buf_finish(&text);
	}
	*self = (struct element){.batch = batch, .open = true};
	close_element(self);
}

void tn_batch_receive(struct tenon_call *call, const struct tn_json *array)
{
	const char *fault = fault_of(array, session_revision(call));
	struct tn_exchange *outer = call->exchange;
	struct tn_batch *batch;

	if (fault) {
		tn_call_error(call, 400, TN_INVALID_REQUEST, tn_str_from(fault), tn_str(NULL, 0));
		return;
	}
	batch = new_batch(outer, array->count);
	if (!batch) {
		tn_call_error(call, 200, TN_INTERNAL_ERROR, TN_STR("out of memory"),
			      tn_str(NULL, 0));
		return;
	}
	outer->revision = TN_R2;
	call->exchange = NULL; /* the batch has it now */
	receive_elements(batch, call->peer, call->view, array);
	tn_call_end(call, false);
}
