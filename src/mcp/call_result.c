/* Building a result in place: the envelope, content blocks and what each revision wants at its end.
 */
#include "mcp/call.h"

#include <stdio.h>

#include "base/base64.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "base/utf8.h"
#include "jsonrpc/schema.h"
#include "mcp/long_text.h"
#include "mcp/method.h"
#include "mcp/server.h"
#include "mcp/task.h"

static struct tn_str sized(const char *text, size_t size)
{
	return size == TENON_TEXT ? tn_str_from(text) : tn_str(text, size);
}

/* ---- the envelope ---- */

void tn_result_begin_in(const struct tenon_call *call, struct tn_buf *out)
{
	tn_buf_clear(out);
	tn_buf_append_str(out, TN_STR("{\"jsonrpc\":\"2.0\",\"id\":"));
	tn_buf_append_str(out, call->id);
	tn_buf_append_str(out, TN_STR(",\"result\":{"));
}

void tn_result_begin(struct tenon_call *call)
{
	tn_result_begin_in(call, &call->out);
	call->payload_start = call->out.size - 1;
	call->payload_is_error = false;
}

void tn_result_put_cache(struct tenon_call *call, uint64_t ttl_ms, bool public_scope)
{
	if (call->revision != TN_R5)
		return;
	tn_json_put_member_int(&call->out, "ttlMs", (int64_t)ttl_ms);
	tn_json_put_member_text(&call->out, "cacheScope",
				public_scope && !call->server->has_scopes ? "public" : "private");
}

/* MCP-045: the short form with every result, all of it where a client looks for it. */
static void put_server_info(const struct tenon_call *call, struct tn_buf *out)
{
	const struct tenon_server_options *o = &call->server->options;

	tn_json_put_key(out, "io.modelcontextprotocol/serverInfo");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", o->name);
	tn_json_put_member_text(out, "version", o->version);
	if (call->method && tn_str_is(call->method_name, "server/discover")) {
		if (o->title)
			tn_json_put_member_text(out, "title", o->title);
		tn_server_put_about(call->server, out);
	}
	tn_json_end_object(out);
}

/* `_meta` and `resultType` of the modern era, then the closing braces. */
void tn_result_end_in(const struct tenon_call *call, struct tn_buf *out, const char *result_type,
		      const char *meta)
{
	const struct tenon_server_options *o = &call->server->options;

	if (call->revision == TN_R5) {
		tn_json_put_member_text(out, "resultType", result_type);
		if (o->no_server_info && !meta) {
			tn_buf_append_str(out, TN_STR("}}"));
			return;
		}
		tn_json_put_key(out, "_meta");
		tn_json_begin_object(out);
		if (!o->no_server_info)
			put_server_info(call, out);
		if (meta)
			tn_json_put_foreign(out, tn_str_from(meta));
		tn_json_end_object(out);
	} else if ((meta || call->task) && call->revision >= TN_R3) {
		tn_json_put_key(out, "_meta");
		tn_json_begin_object(out);
		tn_task_put_related(call, out);
		if (meta)
			tn_json_put_foreign(out, tn_str_from(meta));
		tn_json_end_object(out);
	}
	tn_buf_append_str(out, TN_STR("}}"));
}

static void end_envelope(struct tenon_call *call, const char *result_type)
{
	tn_result_end_in(call, &call->out, result_type, call->result_meta);
}

void tn_result_end_asking(struct tenon_call *call)
{
	call->asked = true;
	end_envelope(call, "input_required");
}

void tn_result_send_as(struct tenon_call *call, const char *result_type)
{
	end_envelope(call, result_type);
	tn_call_send(call, 200);
}

void tn_result_send_empty(struct tenon_call *call)
{
	tn_result_begin(call);
	end_envelope(call, "complete");
	tn_call_send(call, 200);
}

/* ---- content ---- */

static bool is_read(const struct tenon_call *call)
{
	return call->item &&
	       (call->item->kind == TN_ITEM_RESOURCE || call->item->kind == TN_ITEM_TEMPLATE);
}

static bool is_prompt(const struct tenon_call *call)
{
	return call->item && call->item->kind == TN_ITEM_PROMPT;
}

static const char *content_key(const struct tenon_call *call)
{
	if (call->complete_name.data)
		return "completion";
	if (is_read(call))
		return "contents";
	return is_prompt(call) ? "messages" : "content";
}

void tn_result_reset_content(struct tenon_call *call)
{
	tn_result_begin(call);
	tn_json_put_key(&call->out, content_key(call));
	if (call->complete_name.data)
		tn_buf_append_str(&call->out, TN_STR("{\"values\":"));
	tn_json_begin_array(&call->out);
	call->content_start = call->out.size;
	call->block_end = 0;
	call->completion_count = 0;
	call->completion_total = 0;
	call->is_error = false;
	call->text_bytes = 0;
	call->blocks = NULL;
	call->role = "user";
	call->description = NULL;
	call->result_meta = NULL;
	tn_buf_clear(&call->structured);
}

/* Only for clients that are sent no text beside structured content: whether there will be any is
 * not known before the end. */
static void note_block(struct tenon_call *call, bool text)
{
	struct tn_block *block;

	if (call->fit.fit != TN_FIT_STRUCTURED || !tn_call_sends_structured(call))
		return;
	block = tn_arena_alloc(&call->arena, sizeof(*block));
	if (!block) {
		tn_call_starve(call);
		return;
	}
	*block = (struct tn_block){.next = call->blocks, .start = call->out.size, .text = text};
	call->blocks = block;
}

/* A content block is `{"type":...}`; in a prompt it is the content of a message of its own. */
static void begin_block(struct tenon_call *call, const char *type)
{
	struct tn_buf *out = &call->out;

	note_block(call, strcmp(type, "text") == 0);
	tn_json_begin_object(out);
	if (is_prompt(call)) {
		tn_json_put_member_text(out, "role", call->role);
		tn_json_put_key(out, "content");
		tn_json_begin_object(out);
	}
	tn_json_put_member_text(out, "type", type);
}

static void end_block(struct tenon_call *call)
{
	call->block_end = call->out.size;
	tn_json_end_object(&call->out);
	if (is_prompt(call))
		tn_json_end_object(&call->out);
}

void tenon_call_annotate(struct tenon_call *call, const char *audience, double priority)
{
	struct tn_buf *out = &call->out;

	/* Contents of a resource have no annotations. */
	if (is_read(call) || !call->block_end || out->failed || (!audience && priority < 0))
		return;
	out->size = call->block_end;
	tn_json_put_key(out, "annotations");
	tn_json_begin_object(out);
	if (audience) {
		tn_json_put_key(out, "audience");
		tn_json_begin_array(out);
		tn_json_put_text(out, audience);
		tn_json_end_array(out);
	}
	if (priority >= 0) {
		tn_json_put_key(out, "priority");
		tn_json_put_double(out, priority);
	}
	tn_json_end_object(out);
	end_block(call);
}

static bool is_object(struct tenon_call *call, const char *json)
{
	struct tn_json *tree;

	return tn_json_parse_copy(&call->arena, tn_str_from(json), &tree, NULL) == TENON_OK &&
	       tree->type == TN_JSON_OBJECT;
}

void tenon_call_set_block_meta(struct tenon_call *call, const char *json)
{
	struct tn_buf *out = &call->out;

	if (call->revision < TN_R3 || !call->block_end || out->failed || !is_object(call, json))
		return;
	out->size = call->block_end;
	tn_json_put_member_foreign(out, "_meta", tn_str_from(json));
	end_block(call);
}

/* The type the resource was registered with. */
static const char *registered_type(const struct tenon_call *call)
{
	return call->item->kind == TN_ITEM_RESOURCE ? call->item->resource.mime_type
						    : call->item->resource_template.mime_type;
}

static void put_uri(struct tenon_call *call, const char *uri)
{
	tn_json_put_member_str(&call->out, "uri", uri ? tn_str_from(uri) : call->uri);
}

static void begin_resource(struct tenon_call *call, const char *uri, const char *mime_type)
{
	if (is_read(call)) {
		tn_json_begin_object(&call->out);
	} else {
		begin_block(call, "resource");
		tn_json_put_key(&call->out, "resource");
		tn_json_begin_object(&call->out);
	}
	put_uri(call, uri);
	if (!mime_type && !uri && is_read(call))
		mime_type = registered_type(call);
	if (mime_type)
		tn_json_put_member_text(&call->out, "mimeType", mime_type);
}

static void end_resource(struct tenon_call *call)
{
	if (!is_read(call))
		tn_json_end_object(&call->out);
	end_block(call);
}

void tenon_call_add_resource_text(struct tenon_call *call, const char *uri, const char *mime_type,
				  const char *text, size_t size)
{
	begin_resource(call, uri, mime_type);
	tn_json_put_member_str(&call->out, "text", sized(text, size));
	end_resource(call);
}

void tenon_call_add_resource_blob(struct tenon_call *call, const char *uri, const char *mime_type,
				  const void *data, size_t size)
{
	begin_resource(call, uri, mime_type);
	tn_json_put_key(&call->out, "blob");
	tn_json_put_base64(&call->out, data, size);
	end_resource(call);
}

static void put_text(struct tenon_call *call, struct tn_str text)
{
	begin_block(call, "text");
	tn_json_put_member_str(&call->out, "text", text);
	end_block(call);
}

/* MCP-231: hosts cut long results anywhere; here the end is at a character's, and the rest can be
 * had. The limit is that of all texts of the result. */
static void put_limited(struct tenon_call *call, struct tn_str text)
{
	size_t max = call->item->tool.text_max_bytes;
	size_t room = max > call->text_bytes ? max - call->text_bytes : 0;
	char uri[TN_LONG_TEXT_URI_SIZE];
	struct tenon_error err;
	struct tn_str head;

	call->text_bytes += text.size < room ? text.size : room;
	if (text.size <= room) {
		put_text(call, text);
		return;
	}
	head = tn_utf8_cut(text, room);
	if (tn_long_text_keep(call, text, uri, &err) == TENON_OK) {
		put_text(call, head);
		tenon_call_add_link(call, uri, "full text", "The full text",
				    "The text above is cut; this is all of it, for ten minutes",
				    "text/plain");
	} else {
		put_text(call, head);
		put_text(call, TN_STR("(The text is cut here; it was too long to be kept.)"));
	}
}

void tenon_call_add_text(struct tenon_call *call, const char *text, size_t size)
{
	if (is_read(call)) {
		const char *type = registered_type(call);

		tenon_call_add_resource_text(call, NULL, type ? type : "text/plain", text, size);
		return;
	}
	if (call->item && call->item->kind == TN_ITEM_TOOL && call->item->tool.text_max_bytes)
		put_limited(call, sized(text, size));
	else
		put_text(call, sized(text, size));
}

static void add_media(struct tenon_call *call, const char *type, const char *mime_type,
		      const void *data, size_t size)
{
	begin_block(call, type);
	tn_json_put_key(&call->out, "data");
	tn_json_put_base64(&call->out, data, size);
	tn_json_put_member_text(&call->out, "mimeType", mime_type);
	end_block(call);
}

void tenon_call_add_image(struct tenon_call *call, const char *mime_type, const void *data,
			  size_t size)
{
	if (is_read(call))
		tenon_call_add_resource_blob(call, NULL, mime_type, data, size);
	else
		add_media(call, "image", mime_type, data, size);
}

void tenon_call_add_audio(struct tenon_call *call, const char *mime_type, const void *data,
			  size_t size)
{
	/* MCP-025: the first revision has no audio blocks. */
	if (is_read(call) || call->revision < TN_R2)
		tenon_call_add_resource_blob(call, is_read(call) ? NULL : "data:audio", mime_type,
					     data, size);
	else
		add_media(call, "audio", mime_type, data, size);
}

void tenon_call_add_link(struct tenon_call *call, const char *uri, const char *name,
			 const char *title, const char *description, const char *mime_type)
{
	struct tn_buf *out = &call->out;

	if (call->revision < TN_R3) { /* MCP-025: older clients get the link as text */
		char *text =
			tn_arena_format(&call->arena, "%s: %s%s%s", title ? title : name, uri,
					description ? " - " : "", description ? description : "");

		if (is_read(call))
			tenon_call_add_text(call, text ? text : uri, TENON_TEXT);
		else
			put_text(call, tn_str_from(text ? text : uri));
		return;
	}
	begin_block(call, "resource_link");
	tn_json_put_member_text(out, "uri", uri);
	tn_json_put_member_text(out, "name", name);
	if (title)
		tn_json_put_member_text(out, "title", title);
	if (description)
		tn_json_put_member_text(out, "description", description);
	if (mime_type)
		tn_json_put_member_text(out, "mimeType", mime_type);
	end_block(call);
}

/* ---- settings ---- */

static const char *keep(struct tenon_call *call, const char *text)
{
	const char *copy = text ? tn_arena_copy(&call->arena, tn_str_from(text)) : NULL;

	if (text && !copy)
		tn_call_starve(call);
	return copy;
}

void tenon_call_set_role(struct tenon_call *call, const char *role)
{
	call->role = strcmp(role, "assistant") == 0 ? "assistant" : "user";
}

void tenon_call_set_description(struct tenon_call *call, const char *description)
{
	call->description = keep(call, description);
}

void tenon_call_set_structured(struct tenon_call *call, const char *json, size_t size)
{
	tn_buf_clear(&call->structured);
	tn_buf_append_str(&call->structured, sized(json, size));
}

void tenon_call_set_meta(struct tenon_call *call, const char *json_members)
{
	call->result_meta = keep(call, json_members);
}

void tenon_call_set_error(struct tenon_call *call)
{
	call->is_error = true;
}

void tenon_call_set_cache(struct tenon_call *call, uint64_t ttl_ms, bool public_scope)
{
	call->cache_ttl_ms = ttl_ms;
	call->cache_public = public_scope;
}

void tenon_call_add_completion(struct tenon_call *call, const char *value)
{
	if (call->completion_count++ < TN_COMPLETIONS_MAX)
		tn_json_put_text(&call->out, value);
}

void tenon_call_set_completion_total(struct tenon_call *call, uint64_t total)
{
	call->completion_total = total;
}

/* ---- the end ---- */

static bool starts_object(struct tn_str json)
{
	return json.size && tn_str_trim(json).data[0] == '{';
}

/* An error keeps its text: that is what hosts tell it by. */
static void drop_texts(struct tenon_call *call)
{
	struct tn_buf *out = &call->out;
	size_t end = out->size;

	for (const struct tn_block *block = call->blocks; block && !out->failed;
	     block = block->next) {
		if (block->text) {
			memmove(out->data + block->start, out->data + end, out->size - end);
			out->size -= end - block->start;
		}
		end = block->start;
	}
	/* The first block that stays has the comma behind one that went. */
	if (!out->failed && out->size > call->content_start &&
	    out->data[call->content_start] == ',') {
		out->size--;
		memmove(out->data + call->content_start, out->data + call->content_start + 1,
			out->size - call->content_start);
	}
}

/* MCP-026, MCP-225: what older clients cannot take as a structured value they get as text. */
static void put_structured(struct tenon_call *call)
{
	struct tn_str json = tn_buf_str(&call->structured);
	bool sent;

	if (json.size == 0)
		return;
	sent = tn_call_sends_structured(call) &&
	       (call->revision == TN_R5 || (call->revision >= TN_R3 && starts_object(json)));
	if (sent && call->fit.fit == TN_FIT_STRUCTURED && !call->is_error)
		drop_texts(call);
	else if (!call->block_end)
		tenon_call_add_text(call, json.data, json.size);
	tn_json_end_array(&call->out);
	if (sent)
		tn_json_put_member_foreign(&call->out, "structuredContent", json);
}

static bool wants_check(const struct tenon_call *call)
{
	return call->item->output && !call->is_error && call->server->options.check_output &&
	       (tn_call_sends_structured(call) || call->structured.size);
}

/* True when the structured result fits the tool's output schema (MCP-225). */
static bool output_fits(struct tenon_call *call, struct tn_buf *ret_faults)
{
	struct tn_schema_faults faults; /* 11 KiB: not cleared */
	struct tn_json *tree;

	faults.root = "structuredContent";
	tn_buf_append_text(ret_faults, "The tool broke its own output schema: ");
	if (tn_json_parse_copy(&call->arena, tn_buf_str(&call->structured), &tree, NULL) !=
	    TENON_OK) {
		tn_buf_append_text(ret_faults, "structuredContent is missing or no JSON");
		return false;
	}
	if (tn_schema_check(call->item->output, tree, &faults) == TENON_OK)
		return true;
	tn_schema_faults_write(&faults, ret_faults);
	return false;
}

static void end_tool(struct tenon_call *call)
{
	struct tn_buf faults;

	tn_buf_init(&faults, 16 * TN_KIB);
	if (call->structured.failed) {
		call->out.failed = true;
	} else if (wants_check(call) && !output_fits(call, &faults)) {
		tn_result_reset_content(call);
		call->is_error = true;
		tn_json_begin_object(&call->out);
		tn_json_put_member_text(&call->out, "type", "text");
		tn_json_put_key(&call->out, "text");
		tn_json_put_str(&call->out, tn_buf_str(&faults));
		tn_json_end_object(&call->out);
		tn_json_end_array(&call->out);
	} else if (call->structured.size) {
		put_structured(call);
	} else {
		tn_json_end_array(&call->out);
	}
	tn_buf_finish(&faults);
	if (call->is_error)
		tn_json_put_member_bool(&call->out, "isError", true);
}

static void end_completion(struct tenon_call *call)
{
	uint64_t total = call->completion_total;

	if (total < call->completion_count)
		total = call->completion_count;
	tn_json_end_array(&call->out);
	tn_json_put_member_int(&call->out, "total", (int64_t)total);
	tn_json_put_member_bool(&call->out, "hasMore", total > TN_COMPLETIONS_MAX);
	tn_json_end_object(&call->out);
}

void tn_result_end(struct tenon_call *call)
{
	if (call->complete_name.data) {
		end_completion(call);
	} else if (is_read(call)) {
		tn_json_end_array(&call->out);
		tn_result_put_cache(call, call->cache_ttl_ms, call->cache_public);
	} else if (is_prompt(call)) {
		tn_json_end_array(&call->out);
		if (call->description)
			tn_json_put_member_text(&call->out, "description", call->description);
	} else if (call->item) {
		end_tool(call);
	}
	end_envelope(call, "complete");
}
