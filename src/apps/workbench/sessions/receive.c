/* What a page says, checked against the contract (11.2 to 11.4): whatever breaks it closes the
 * connection, what is not known is passed over. */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* ---- the handshake (11.3) ---- */

static bool member_text(const struct tn_json *object, const char *name, size_t max,
			struct tn_str *ret)
{
	return tn_json_to_str(tn_json_get(object, name), ret) && ret->size <= max;
}

struct hello {
	struct tn_str key, adapter_id, version, page_id, url, title;
	const struct tn_json *capabilities;
	struct tn_str source;
	bool selection, overrides, instances, navigate;
};

static bool optional_bool(const struct tn_json *object, const char *name, bool *ret)
{
	return !tn_json_get(object, name) || tn_json_to_bool(tn_json_get(object, name), ret);
}

static bool read_capabilities(const struct tn_json *json, struct hello *ret)
{
	return tn_json_is(json, TN_JSON_OBJECT) &&
	       tn_json_to_bool(tn_json_get(json, "selection"), &ret->selection) &&
	       tn_json_to_bool(tn_json_get(json, "overrides"), &ret->overrides) &&
	       optional_bool(json, "instances", &ret->instances) &&
	       optional_bool(json, "navigate", &ret->navigate) &&
	       (!tn_json_get(json, "source") ||
		(tn_json_to_str(tn_json_get(json, "source"), &ret->source) &&
		 (tn_str_is(ret->source, "callsite") || tn_str_is(ret->source, "definition") ||
		  tn_str_is(ret->source, "none"))));
}

static bool read_hello(const struct tn_json *json, struct hello *ret)
{
	const struct tn_json *page = tn_json_get(json, "page");

	return member_text(json, "adapterId", TN_WB_ID_BYTES_MAX, &ret->adapter_id) &&
	       member_text(json, "adapterVersion", TN_WB_ID_BYTES_MAX, &ret->version) &&
	       read_capabilities(tn_json_get(json, "capabilities"), ret) &&
	       member_text(page, "pageId", TN_WB_ID_BYTES_MAX, &ret->page_id) &&
	       member_text(page, "url", 4 * TN_WB_ADDRESS_BYTES_MAX, &ret->url) &&
	       member_text(page, "title", TN_WB_TEXT_BYTES_MAX, &ret->title);
}

/* The members named in the contract, and no others. */
static bool set_capabilities(struct tn_wb_session *session, const struct hello *hello)
{
	struct tn_buf out;
	bool done;

	tn_buf_init(&out, TN_WB_TEXT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_bool(&out, "selection", hello->selection);
	tn_json_put_member_bool(&out, "overrides", hello->overrides);
	tn_json_put_member_bool(&out, "instances", hello->instances);
	tn_json_put_member_bool(&out, "navigate", hello->navigate);
	if (hello->source.data)
		tn_json_put_member_str(&out, "source", hello->source);
	tn_json_end_object(&out);
	done = !out.failed && tn_wb_set_text(&session->capabilities, tn_buf_str(&out));
	tn_buf_finish(&out);
	return done;
}

static void shake_hands(struct tn_wb_page *page, const struct tn_json *message)
{
	struct tn_wb_session *session = page->session;
	struct hello hello = {.key = {0}};
	struct tn_str type;

	if (!tn_json_to_str(tn_json_get(message, "type"), &type) ||
	    !tn_str_is(type, "runtime.ready")) {
		tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
		return;
	}
	if (!tn_json_to_str(tn_json_get(message, "key"), &hello.key) ||
	    !tn_str_equal_constant_time(hello.key, tn_str_from(session->key))) {
		tn_wb_page_close(page, TN_WB_CLOSE_BAD_KEY);
		return;
	}
	if (!read_hello(message, &hello) ||
	    !tn_wb_set_text(&session->adapter_id, hello.adapter_id) ||
	    !tn_wb_set_text(&session->adapter_version, hello.version) ||
	    !set_capabilities(session, &hello)) {
		tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
		return;
	}
	if (!tn_wb_session_primary(session)) {
		session->reports_instances = hello.instances;
		session->navigates = hello.navigate;
		tn_wb_session_locate(session, hello.url);
	}
	tn_wb_page_is_ready(page);
	tn_wb_page_say_init(page);
}

/* ---- selection (E2) ---- */

static void say_limit(struct tn_wb_session *session, const char *code, const char *message)
{
	tn_wb_session_warn(session, code, message);
}

static const char *took_selection(struct tn_wb_page *page, const struct tn_json *message)
{
	const struct tn_json *selected = tn_json_get(message, "selected");
	struct tn_wb_instance *instance = NULL;
	struct tn_str caused_by;
	struct tenon_error err;
	enum tenon_code code;

	if (!selected || !tn_json_to_str(tn_json_get(message, "causedBy"), &caused_by) ||
	    (!tn_str_is(caused_by, "click") && !tn_str_is(caused_by, "programmatic")))
		return "selected and causedBy are needed";
	if (selected->type != TN_JSON_NULL) {
		code = tn_wb_instance_read(selected, page->session->id, &instance, &err);
		if (code == TENON_INVALID)
			return "selected is null or an instance of this session";
		if (code != TENON_OK) {
			say_limit(page->session, "descriptor_too_large",
				  "A page describes what was selected at a greater length than "
				  "is read: it was not selected.");
			return NULL;
		}
	}
	tn_mem_free(page->held);
	page->held = instance;
	page->holds = true;
	page->held_by_click = tn_str_is(caused_by, "click");
	return NULL;
}

/* ---- the rest of 11.4 ---- */

static const char *took_log(struct tn_wb_page *page, const struct tn_json *message)
{
	const struct tn_json *stack = tn_json_get(message, "stack");
	struct tn_str level_name, text, more = {0};
	enum tn_wb_log_level level;
	struct tn_buf all;

	if (!tn_json_to_str(tn_json_get(message, "level"), &level_name) ||
	    !tn_wb_log_level_of(level_name, &level) ||
	    !tn_json_to_str(tn_json_get(message, "message"), &text) ||
	    (stack && !tn_json_to_str(stack, &more)))
		return "level, message and stack are texts";
	tn_buf_init(&all, 2 * TN_WB_MESSAGE_BYTES_MAX);
	tn_buf_append_str(&all, text);
	if (more.size) {
		tn_buf_append_byte(&all, '\n');
		tn_buf_append_str(&all, more);
	}
	if (!all.failed)
		tn_wb_session_log(page->session, level, TN_WB_LOG_PAGE, tn_buf_str(&all));
	tn_buf_finish(&all);
	return NULL;
}

static const char *took_unload(struct tn_wb_page *page, const struct tn_json *message)
{
	(void)message;
	tn_wb_page_is_leaving(page);
	return NULL;
}

/* Requests have numbers, written as text. */
static const char *took_result(struct tn_wb_page *page, const struct tn_json *message)
{
	const struct tn_wb_sessions *set = page->session->set;
	const struct tn_json *error = tn_json_get(message, "error");
	struct tn_str request, code = {0};
	uint64_t number;
	bool ok;

	if (!tn_json_to_str(tn_json_get(message, "requestId"), &request) ||
	    !tn_json_to_bool(tn_json_get(message, "ok"), &ok))
		return "requestId and ok are needed";
	(void)tn_json_to_str(tn_json_get(error, "code"), &code);
	if (tn_str_to_uint(request, &number) && number && number <= set->requests &&
	    set->events->result)
		set->events->result(set->data, page->session, number, ok, code, message);
	return NULL;
}

static const char *took_route(struct tn_wb_page *page, const struct tn_json *message)
{
	return tn_wb_session_routed(page->session, message);
}

static const struct kind {
	const char *type;
	const char *(*take)(struct tn_wb_page *page, const struct tn_json *message);
	bool first_to_go; /* above the rate (section 21) */
} kinds[] = {
	{"runtime.selectionChanged", took_selection, false},
	{"runtime.overrideStatus", tn_wb_page_reported_drafts, false},
	{"runtime.routerStateChanged", took_route, false},
	{"runtime.instances", tn_wb_session_reported_instances, true},
	{"runtime.log", took_log, true},
	{"runtime.unload", took_unload, false},
	{"runtime.result", took_result, false},
};

static const struct kind *kind_of(struct tn_str type)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++)
		if (tn_str_is(type, kinds[i].type))
			return &kinds[i];
	return NULL;
}

/* How far above the rate the other messages may go: another second's worth. */
static bool is_dropped(struct tn_wb_page *page, const struct kind *kind)
{
	if (tn_wb_page_may_speak(page))
		return false;
	say_limit(page->session, "messages_dropped",
		  "A page sends more than 200 messages a second: some are not read.");
	if (kind->first_to_go || page->tokens < -(int64_t)TN_WB_MESSAGES_RATE * 1000)
		return kind->take != took_selection;
	page->tokens -= 1000;
	return false;
}

static const char *take(struct tn_wb_page *page, const struct tn_json *message)
{
	struct tn_str type, session = {0};
	const struct tn_json *named = tn_json_get(message, "sessionId");
	const struct kind *kind;
	const char *fault;

	if (!tn_json_to_str(tn_json_get(message, "type"), &type))
		return "a message is an object with a type";
	if (named && (!tn_json_to_str(named, &session) || !tn_str_is(session, page->session->id)))
		return "a message of another session";
	kind = kind_of(type);
	if (!kind)
		return tn_str_is(type, "runtime.ready") ? "it has shaken hands already" : NULL;
	if (is_dropped(page, kind))
		return NULL;
	fault = kind->take(page, message);
	if (!fault && page->holds && page->tokens >= 0)
		tn_wb_page_take_held(page);
	return fault;
}

void tn_wb_page_receive(struct tn_wb_page *page, struct tn_str text)
{
	struct tn_json *message = NULL;
	struct tn_arena arena;
	struct tenon_error err;

	if (page->closing)
		return;
	if (text.size > TN_WB_MESSAGE_BYTES_MAX) {
		tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
		return;
	}
	tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &message, &err) != TENON_OK) {
		tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
	} else if (!page->ready) {
		/* After runtime.unload nothing counts; before runtime.ready nothing else may come.
		 */
		if (!page->spoke)
			shake_hands(page, message);
		page->spoke = true;
	} else {
		const char *fault = take(page, message);

		if (fault) {
			tn_wb_session_warn(page->session, "adapter_message_invalid", fault);
			tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
		}
	}
	tn_arena_finish(&arena);
}
