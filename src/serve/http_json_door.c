#include "serve/http_json_door.h"

#include <stddef.h>

#include "base/limits.h"
#include "base/mem.h"
#include "transport/http.h"

/* A request, until it is answered. */
struct waiting {
	struct tn_json_door_waiting door; /* first */
	struct tn_http_owner owner;
	struct tn_http_exchange *x;
};

static void respond(struct tn_http_exchange *x, unsigned status, const struct tn_buf *out)
{
	struct tn_http_reply reply = {
		.status = status, .type = TN_STR("application/json"), .part_count = 1};
	struct tn_str text = tn_buf_str(out);
	struct tn_buf failed;

	tn_buf_init(&failed, TN_KIB);
	if (out->failed) {
		tn_json_door_put_error(&failed, "INTERNAL_ERROR", "the answer is too large");
		text = tn_buf_str(&failed);
		reply.status = 500;
	}
	reply.parts = &text;
	tn_http_set_user(x, NULL); /* it has no owner any more */
	tn_http_respond(x, &reply);
	tn_buf_finish(&failed);
}

static void answer(struct tn_json_door_waiting *door, unsigned status, const struct tn_buf *out)
{
	struct waiting *waiting = (struct waiting *)door;

	respond(waiting->x, status, out);
	tn_mem_free(waiting);
}

static void closed(struct tn_http_owner *owner)
{
	struct waiting *waiting =
		(struct waiting *)((char *)owner - offsetof(struct waiting, owner));

	waiting->door.gone(waiting->door.user);
	tn_mem_free(waiting);
}

static unsigned serve(struct waiting *waiting, const struct tn_json_door *door, struct tn_buf *out)
{
	struct tn_http_exchange *x = waiting->x;
	struct tn_json_door_request request = {
		.method = tn_http_method(x),
		.path = tn_str_from_offset(tn_http_path(x), strlen(door->prefix)),
		.query = tn_http_query(x),
		.waiting = &waiting->door};

	request.body.data = tn_http_body(x, &request.body.size);
	return door->serve(door->app, &request, out);
}

void tn_http_json_door_serve(struct tn_http_exchange *x, const struct tn_http_caller *caller,
			     const struct tn_json_door *door)
{
	struct waiting *waiting = tn_mem_alloc(sizeof(*waiting));
	unsigned status = 503;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (!waiting) {
		tn_json_door_put_error(&out, "INTERNAL_ERROR", "out of memory");
	} else if (caller->scope) {
		tn_json_door_put_error(&out, "DENIED_BY_POLICY",
				       "this token is for some tools only");
		status = 403;
	} else {
		*waiting = (struct waiting){
			.door = {.answer = answer}, .owner = {closed, caller}, .x = x};
		status = serve(waiting, door, &out);
	}
	if (status == 0) {
		tn_http_set_user(x, &waiting->owner);
	} else {
		respond(x, status, &out);
		tn_mem_free(waiting);
	}
	tn_buf_finish(&out);
}
