/* Extensions that the client has declared. */
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/extension.h"
#include "mcp/limits.h"

void tn_extension_remember(struct tn_peer *peer, const struct tn_json *capabilities)
{
	const struct tn_json *extensions = tn_json_get(capabilities, "extensions");
	struct tn_buf text;

	tn_mem_free(peer->extensions);
	peer->extensions = NULL;
	if (!tn_json_is(extensions, TN_JSON_OBJECT) || !extensions->count)
		return;
	tn_buf_init(&text, TN_EXTENSIONS_BYTES_MAX);
	tn_json_put_value(&text, extensions);
	if (!text.failed)
		peer->extensions = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
}

const struct tn_json *tn_extension_of_client(struct tenon_call *call, const char *id)
{
	const struct tn_json *extensions;
	const struct tn_json *settings;
	struct tn_json *tree = NULL;

	if (call->revision == TN_R5) {
		extensions = tn_json_get(
			tn_json_get(call->meta, "io.modelcontextprotocol/clientCapabilities"),
			"extensions");
	} else {
		if (call->peer->extensions &&
		    tn_json_parse_copy(&call->arena, tn_str_from(call->peer->extensions), &tree,
				       NULL) != TENON_OK)
			tree = NULL;
		extensions = tree;
	}
	settings = tn_json_get(extensions, id);
	return tn_json_is(settings, TN_JSON_OBJECT) ? settings : NULL;
}

unsigned tn_extension_abilities(const struct tn_json *capabilities)
{
	const struct tn_json *ui =
		tn_json_get(tn_json_get(capabilities, "extensions"), TN_UI_EXTENSION);
	const struct tn_json *types = tn_json_get(ui, "mimeTypes");

	if (!tn_json_is(types, TN_JSON_ARRAY))
		return 0;
	for (const struct tn_json *type = types->first; type; type = type->next) {
		if (tn_json_is(type, TN_JSON_STRING) && tn_str_is(type->text, TN_UI_MIME_TYPE))
			return TENON_CAN_SHOW_UI;
	}
	return 0;
}
