/* What the host says to pages (11.4). */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static void begin(struct tn_buf *out, const struct tn_wb_session *session, const char *type)
{
	tn_buf_init(out, TN_WB_SESSION_BYTES_MAX);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", type);
	tn_json_put_member_text(out, "sessionId", session->id);
}

/* Nothing is sent of what could not be written whole. */
static void send(struct tn_wb_page *page, const struct tn_buf *out)
{
	const struct tn_wb_sessions *set = page->session->set;

	if (!out->failed && page->ready && !page->closing)
		set->events->send(set->data, page, tn_buf_str(out));
}

static void end_to_all(struct tn_wb_session *session, struct tn_buf *out)
{
	tn_json_end_object(out);
	for (struct tn_wb_page *page = session->pages; page; page = page->next)
		send(page, out);
	tn_buf_finish(out);
}

/* ---- host.init ---- */

/* By which names React may know a component: its export's, its file's when that is the default
 * one, and the one people see. */
static void put_names(struct tn_buf *out, const struct tn_wb_entry *entry,
		      const struct tn_wb_hint *hint)
{
	tn_json_put_key(out, "displayNames");
	tn_json_begin_array(out);
	if (hint && !tn_str_is(hint->export_name, "default")) {
		tn_json_put_str(out, hint->export_name);
	} else if (hint) {
		struct tn_str stem = hint->target;

		for (size_t i = 0; i < hint->target.size; i++)
			if (hint->target.data[i] == '/')
				stem = tn_str_from_offset(hint->target, i + 1);
		for (size_t i = 0; i < stem.size; i++)
			if (stem.data[i] == '.')
				stem.size = i;
		tn_json_put_str(out, stem);
	}
	tn_json_put_str(out, entry->display_name);
	tn_json_end_array(out);
}

static void put_types(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	size_t count = 0, at = 0;
	const struct tn_wb_hint *hints = tn_wb_registry_hints(registry, &count);

	tn_json_put_key(out, "types");
	tn_json_begin_array(out);
	for (size_t i = 0; i < tn_wb_registry_count(registry); i++) {
		const struct tn_wb_entry *entry = tn_wb_registry_at(registry, i);
		const struct tn_wb_hint *hint;

		while (at < count && tn_str_compare(hints[at].type_id, entry->type_id) < 0)
			at++;
		hint = at < count && tn_str_equal(hints[at].type_id, entry->type_id) ? &hints[at]
										     : NULL;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "typeId", entry->type_id);
		put_names(out, entry, hint);
		if (hint && hint->kind == TN_WB_HINT_FILE)
			tn_json_put_member_str(out, "filePath", hint->target);
		if (hint)
			tn_json_put_member_str(out, "exportName", hint->export_name);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_prompt(struct tn_buf *out, const struct tn_wb_session *session)
{
	begin(out, session, "host.prompt");
	tn_json_put_member_text(out, "text", session->prompt);
}

void tn_wb_page_say_init(struct tn_wb_page *page)
{
	const struct tn_wb_session *session = page->session;
	const struct tn_wb_site *site = &session->set->site;
	struct tn_buf out;

	begin(&out, session, "host.init");
	tn_json_put_member_text(&out, "protocol", "v0");
	tn_json_put_member_text(&out, "mode", session->interacts ? "interact" : "editor");
	tn_json_put_key(&out, "initialOverrides");
	if (site->drafts) {
		tn_wb_drafts_put_initial(&out, site->drafts, session->group);
	} else {
		tn_json_begin_array(&out);
		tn_json_end_array(&out);
	}
	tn_json_put_key(&out, "propDefaults");
	if (site->prop_defaults) {
		tn_json_put_value(&out, site->prop_defaults);
	} else {
		tn_json_begin_object(&out);
		tn_json_end_object(&out);
	}
	if (!session->instrumented && site->registry)
		put_types(&out, site->registry);
	tn_json_end_object(&out);
	send(page, &out);
	tn_buf_finish(&out);
	if (!session->prompt)
		return;
	put_prompt(&out, session);
	tn_json_end_object(&out);
	send(page, &out);
	tn_buf_finish(&out);
}

void tn_wb_sessions_init_again(struct tn_wb_sessions *set, const enum tn_wb_group *group,
			       const struct tn_wb_page *but)
{
	for (struct tn_wb_session *session = set->first; session; session = session->next) {
		if (group && session->group != *group)
			continue;
		for (struct tn_wb_page *page = session->pages; page; page = page->next)
			if (page != but && page->ready)
				tn_wb_page_say_init(page);
	}
}

/* ---- the others ---- */

void tn_wb_sessions_apply(struct tn_wb_sessions *set, enum tn_wb_group group, struct tn_str ops)
{
	for (struct tn_wb_session *session = set->first; session && ops.size;
	     session = session->next) {
		struct tn_buf out;

		if (session->group != group || !tn_wb_session_primary(session))
			continue;
		begin(&out, session, "host.applyOverrides");
		tn_json_put_member_raw(&out, "ops", ops);
		end_to_all(session, &out);
	}
}

void tn_wb_session_set_mode(struct tn_wb_session *session, bool interacts)
{
	struct tn_buf out;

	if (session->interacts == interacts)
		return;
	session->interacts = interacts;
	begin(&out, session, "host.setMode");
	tn_json_put_member_text(&out, "mode", interacts ? "interact" : "editor");
	end_to_all(session, &out);
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
}

uint64_t tn_wb_session_prompt(struct tn_wb_session *session, const char *text)
{
	struct tn_buf out;

	if (!tn_wb_set_text(&session->prompt, tn_str_from(text)))
		return 0;
	put_prompt(&out, session);
	end_to_all(session, &out);
	return ++session->prompts;
}

void tn_wb_session_unprompt(struct tn_wb_session *session, uint64_t number)
{
	struct tn_buf out;

	if (!session->prompt || session->prompts != number)
		return;
	tn_mem_free(session->prompt);
	session->prompt = NULL;
	put_prompt(&out, session);
	end_to_all(session, &out);
}

static uint64_t request_of(struct tn_wb_page *page, const char *type, const char *member,
			   struct tn_str json)
{
	struct tn_wb_sessions *set = page->session->set;
	struct tn_buf out, number;

	tn_buf_init(&number, 32);
	tn_buf_append_uint(&number, ++set->requests);
	begin(&out, page->session, type);
	tn_json_put_member_str(&out, "requestId", tn_buf_str(&number));
	tn_json_put_member_raw(&out, member, json);
	tn_json_end_object(&out);
	send(page, &out);
	tn_buf_finish(&out);
	tn_buf_finish(&number);
	return set->requests;
}

/* To the page that somebody looks at. */
static uint64_t request(struct tn_wb_session *session, const char *type, const char *member,
			struct tn_str json)
{
	struct tn_wb_page *page =
		session->touched ? session->touched : tn_wb_session_primary(session);

	return page && json.size ? request_of(page, type, member, json) : 0;
}

uint64_t tn_wb_page_locate(struct tn_wb_page *page, struct tn_str instance_id)
{
	struct tn_buf json;
	uint64_t number = 0;

	tn_buf_init(&json, TN_WB_MESSAGE_BYTES_MAX);
	tn_json_put_str(&json, instance_id);
	if (page->ready && !json.failed)
		number = request_of(page, "host.locate", "instanceId", tn_buf_str(&json));
	tn_buf_finish(&json);
	return number;
}

uint64_t tn_wb_session_select(struct tn_wb_session *session, struct tn_str instance_id)
{
	struct tn_buf json;
	uint64_t number;

	tn_buf_init(&json, TN_WB_MESSAGE_BYTES_MAX);
	if (instance_id.size)
		tn_json_put_str(&json, instance_id);
	else
		tn_json_put_null(&json);
	number = request(session, "host.select", "instanceId", tn_buf_str(&json));
	tn_buf_finish(&json);
	return number;
}

uint64_t tn_wb_session_navigate(struct tn_wb_session *session, struct tn_str path)
{
	struct tn_buf json;
	uint64_t number;

	tn_buf_init(&json, TN_WB_MESSAGE_BYTES_MAX);
	tn_json_begin_object(&json);
	tn_json_put_member_str(&json, "path", path);
	tn_json_end_object(&json);
	number = request(session, "host.navigate", "to", tn_buf_str(&json));
	tn_buf_finish(&json);
	return number;
}
