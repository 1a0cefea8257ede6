/* What a server says of itself, and the instructions of its apps. */
#include "jsonrpc/json_write.h"
#include "mcp/server.h"

void tn_server_put_about(const struct tenon_server *server, struct tn_buf *out)
{
	const struct tenon_server_options *o = &server->options;

	if (o->description)
		tn_json_put_member_text(out, "description", o->description);
	if (o->website_url)
		tn_json_put_member_text(out, "websiteUrl", o->website_url);
	if (o->icons)
		tn_json_put_member_foreign(out, "icons", tn_str_from(o->icons));
}

static void put_sentence(struct tn_buf *out, struct tn_str text)
{
	if (out->size && text.size)
		tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, text);
}

void tn_server_put_instructions(const struct tenon_server *server, uint32_t hidden,
				struct tn_buf *out)
{
	struct tn_str all = tn_buf_str(&server->instructions);

	if (!hidden) {
		tn_buf_append_str(out, all);
		return;
	}
	tn_buf_append_str(out, tn_str(all.data, server->own_instructions_size));
	for (const struct tn_app_slot *slot = server->apps; slot; slot = slot->next) {
		if (!(slot->bit & hidden))
			put_sentence(out, tn_str_from(slot->app->instructions));
	}
}

void tn_server_add_instructions(struct tenon_server *server, const char *sentence)
{
	put_sentence(&server->instructions, tn_str_from(sentence));
}
