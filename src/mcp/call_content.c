/* Building a result in place: its content, a block at a time, within what a tool and a model's
 * reader may have of text. */
#include "mcp/call.h"

#include <string.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/method.h"
#include "mcp/room.h"
#include "mcp/server.h"
#include "mcp/tokens.h"

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
	if (tn_call_is_prompt(call)) {
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
	if (tn_call_is_prompt(call))
		tn_json_end_object(&call->out);
}

void tenon_call_annotate(struct tenon_call *call, const char *audience, double priority)
{
	struct tn_buf *out = &call->out;

	/* Contents of a resource have no annotations. */
	if (tn_call_is_read(call) || !call->block_end || out->failed || (!audience && priority < 0))
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
	if (tn_call_is_read(call)) {
		tn_json_begin_object(&call->out);
	} else {
		begin_block(call, "resource");
		tn_json_put_key(&call->out, "resource");
		tn_json_begin_object(&call->out);
	}
	put_uri(call, uri);
	if (!mime_type && !uri && tn_call_is_read(call))
		mime_type = registered_type(call);
	if (mime_type)
		tn_json_put_member_text(&call->out, "mimeType", mime_type);
}

static void end_resource(struct tenon_call *call)
{
	if (!tn_call_is_read(call))
		tn_json_end_object(&call->out);
	end_block(call);
}

void tenon_call_add_resource_text(struct tenon_call *call, const char *uri, const char *mime_type,
				  const char *text, size_t size)
{
	begin_resource(call, uri, mime_type);
	tn_json_put_member_str(&call->out, "text", tn_call_sized(text, size));
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

/* Whether a model reads the text, and has resources in which it finds what it is not sent. */
static bool is_for_model(const struct tenon_call *call)
{
	return call->server->cuts_texts && tn_call_is_for_model(call);
}

/* How many tokens a text may have. A long one leaves room for what follows: handles, and how to go
 * on. */
static size_t room_for(const struct tenon_call *call, struct tn_str text)
{
	size_t room = TN_MODEL_TOKENS_MAX - call->text_tokens, tokens;

	if (tn_tokens_cut(text, room, &tokens).size == text.size)
		return room;
	return room > TN_MODEL_TOKENS_KEPT ? room - TN_MODEL_TOKENS_KEPT : 0;
}

/* Up to the end of a line, or of a word: half an id is none. */
static struct tn_str whole_lines(struct tn_str head)
{
	size_t end = head.size;

	while (end > head.size / 2 && head.data[end - 1] != '\n')
		end--;
	if (end > head.size / 2)
		return tn_str(head.data, end - 1);
	for (end = head.size; end > head.size / 2 && head.data[end - 1] != ' ';)
		end--;
	return end > head.size / 2 ? tn_str(head.data, end - 1) : head;
}

/* What there is room for: the tool's limit is that of all texts of the result, and so is a
 * model's (HO-003). */
static struct tn_str head_of(struct tenon_call *call, struct tn_str text)
{
	size_t max = call->item->tool.text_max_bytes;
	struct tn_str head = text;
	size_t tokens;

	if (max > 0) {
		head = tn_utf8_cut(head, max > call->text_bytes ? max - call->text_bytes : 0);
		call->text_bytes += head.size;
	}
	if (is_for_model(call)) {
		head = tn_tokens_cut(head, room_for(call, head), &tokens);
		call->text_tokens += tokens;
		if (head.size < text.size)
			head = whole_lines(head);
	}
	return head;
}

/* A model has the beginning, and reads in the text itself that it is one: not every host hands on a
 * link. */
static void put_beginning(struct tenon_call *call, struct tn_str head, struct tn_str rest)
{
	char uri[TN_LONG_TEXT_URI_SIZE];
	struct tenon_error err;
	struct tn_buf text;
	bool kept = tn_long_text_keep(call, rest, false, uri, &err) == TENON_OK;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_append_str(&text, head);
	if (kept)
		tn_buf_format(&text, "\n(%zu bytes are left: they are at %s)", rest.size, uri);
	else
		tn_buf_format(&text, "\n(%zu bytes are left out: too many to be kept)", rest.size);
	put_text(call, text.failed ? head : tn_buf_str(&text));
	tn_buf_finish(&text);
	if (kept)
		tenon_call_add_link(call, uri, "rest", "The rest of the text",
				    "The text above is cut; here it goes on, for ten minutes",
				    "text/plain");
}

/* MCP-231: hosts cut long results anywhere; here the end is at a character's, and the rest can be
 * had. */
static void put_limited(struct tenon_call *call, struct tn_str text)
{
	struct tn_str head = head_of(call, text);
	char uri[TN_LONG_TEXT_URI_SIZE];
	struct tenon_error err;

	if (head.size < text.size && is_for_model(call)) {
		put_beginning(call, head, tn_str_from_offset(text, head.size));
		return;
	}
	put_text(call, head);
	if (head.size == text.size)
		return;
	if (tn_long_text_keep(call, text, false, uri, &err) != TENON_OK)
		put_text(call, TN_STR("(The text is cut here; it was too long to be kept.)"));
	else
		tenon_call_add_link(call, uri, "full text", "The full text",
				    "The text above is cut; this is all of it, for ten minutes",
				    "text/plain");
}

/* A text that is a JSON object stays one. */
static void put_for_model(struct tenon_call *call, struct tn_str text)
{
	struct tn_buf json;

	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	if (tn_str_starts(text, TN_STR("{"))) {
		tn_buf_append_str(&json, text);
		tn_room_fit(call, &json, room_for(call, text));
	}
	put_limited(call, json.size && !json.failed ? tn_buf_str(&json) : text);
	tn_buf_finish(&json);
}

void tenon_call_add_text(struct tenon_call *call, const char *text, size_t size)
{
	if (tn_call_is_read(call)) {
		const char *type = registered_type(call);

		tenon_call_add_resource_text(call, NULL, type ? type : "text/plain", text, size);
		return;
	}
	if (tn_call_is_tool(call) && is_for_model(call))
		put_for_model(call, tn_call_sized(text, size));
	else if (tn_call_is_tool(call))
		put_limited(call, tn_call_sized(text, size));
	else
		put_text(call, tn_call_sized(text, size));
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
	if (tn_call_is_read(call))
		tenon_call_add_resource_blob(call, NULL, mime_type, data, size);
	else
		add_media(call, "image", mime_type, data, size);
}

void tenon_call_add_audio(struct tenon_call *call, const char *mime_type, const void *data,
			  size_t size)
{
	/* MCP-025: the first revision has no audio blocks. */
	if (tn_call_is_read(call) || call->revision < TN_R2)
		tenon_call_add_resource_blob(call, tn_call_is_read(call) ? NULL : "data:audio",
					     mime_type, data, size);
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

		if (tn_call_is_read(call))
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
