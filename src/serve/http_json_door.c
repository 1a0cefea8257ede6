#include "serve/http_json_door.h"

#include "base/limits.h"
#include "transport/http.h"

static unsigned read_and_serve(struct tn_http_exchange *x, const struct tn_json_door *door,
			       struct tn_arena *arena, struct tn_buf *out)
{
	struct tn_json_door_request request = {
		.method = tn_http_method(x),
		.path = tn_str_from_offset(tn_http_path(x), strlen(door->prefix)),
		.query = tn_http_query(x),
		.arena = arena};
	struct tn_json *body = NULL;
	struct tenon_error err;
	size_t size;
	char *text = tn_http_body(x, &size);

	if (!tn_str_is(request.method, "DELETE") &&
	    tn_json_parse(arena, text, size, &body, &err) != TENON_OK) {
		tn_json_door_put_error(out, "INVALID_JSON", err.message);
		return 400;
	}
	request.body = body;
	return door->serve(door->app, &request, out);
}

void tn_http_json_door_serve(struct tn_http_exchange *x, const struct tn_http_caller *caller,
			     const struct tn_json_door *door)
{
	struct tn_http_reply reply = {.type = TN_STR("application/json"), .part_count = 1};
	struct tn_arena arena;
	struct tn_str text;
	struct tn_buf out;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (caller->scope) {
		tn_json_door_put_error(&out, "DENIED_BY_POLICY",
				       "this token is for some tools only");
		reply.status = 403;
	} else {
		reply.status = read_and_serve(x, door, &arena, &out);
	}
	if (out.failed) {
		tn_buf_clear(&out);
		tn_json_door_put_error(&out, "INTERNAL_ERROR", "the answer is too large");
		reply.status = 500;
	}
	text = tn_buf_str(&out);
	reply.parts = &text;
	tn_http_set_user(x, NULL); /* it has no owner: it is answered at once */
	tn_http_respond(x, &reply);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}
