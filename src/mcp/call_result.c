/* Building a result in place: the envelope, what is said beside the content (call_content.c), and
 * what each revision wants at its end. */
#include "mcp/call.h"

#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/fit.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/room.h"
#include "mcp/server.h"
#include "mcp/task.h"

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

static const char *content_key(const struct tenon_call *call)
{
	if (call->complete_name.data)
		return "completion";
	if (tn_call_is_read(call))
		return "contents";
	return tn_call_is_prompt(call) ? "messages" : "content";
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
	call->text_tokens = 0;
	call->blocks = NULL;
	call->role = "user";
	call->description = NULL;
	call->result_meta = NULL;
	tn_buf_clear(&call->structured);
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
	/* Who is sent none gets it as text, where there is no other. */
	if (call->block_end && tn_call_is_tool(call) && !tn_call_sends_structured(call))
		return;
	tn_buf_append_str(&call->structured, tn_call_sized(json, size));
}

void tn_call_put_structured(struct tenon_call *call, const struct tn_buf *built)
{
	if (tn_buf_is_bad(built))
		call->structured.failed = true;
	else if (built->size)
		tenon_call_set_structured(call, built->data, built->size);
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
	if (call->server->cuts_texts && tn_call_is_lean(call))
		tn_room_fit(call, &call->structured, TN_MODEL_TOKENS_MAX);
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
	} else if (tn_call_is_read(call)) {
		tn_json_end_array(&call->out);
		tn_result_put_cache(call, call->cache_ttl_ms, call->cache_public);
	} else if (tn_call_is_prompt(call)) {
		tn_json_end_array(&call->out);
		if (call->description)
			tn_json_put_member_text(&call->out, "description", call->description);
	} else if (call->item) {
		end_tool(call);
	}
	end_envelope(call, "complete");
}
