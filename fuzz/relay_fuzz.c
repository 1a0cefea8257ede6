/* relay_fuzz.c - any bytes as what a host or a daemon sends through the relay: what is known of a
 * message by its tokens is what the whole tree says, and a head tells what all of it would. */
#include <stdint.h>

#include "cli/relay/relay_scan.h"

#include "base/limits.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/limits.h"
#include "mcp/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_id(const struct tn_json *id)
{
	if (id->text.size > TN_ID_BYTES_MAX)
		return false;
	return tn_json_is(id, TN_JSON_STRING) ||
	       (tn_json_is(id, TN_JSON_NUMBER) && tn_json_number_is_id(id->text));
}

static enum tn_relay_kind kind_of(const struct tn_json *message)
{
	const struct tn_json *id, *method;

	if (message->type != TN_JSON_OBJECT)
		return TN_RELAY_OTHER;
	id = tn_json_get(message, "id");
	method = tn_json_get(message, "method");
	if (id && !is_id(id))
		return TN_RELAY_OTHER;
	if (tn_json_is(method, TN_JSON_STRING))
		return id ? TN_RELAY_REQUEST : TN_RELAY_NOTIFICATION;
	if (!id)
		return TN_RELAY_OTHER;
	if (tn_json_get(message, "error"))
		return TN_RELAY_ERROR;
	return tn_json_get(message, "result") ? TN_RELAY_RESULT : TN_RELAY_OTHER;
}

static void check(const struct tn_relay_message *message, const struct tn_json *json,
		  struct tn_str text)
{
	const struct tn_json *id;
	struct tn_str key = message->key;

	tn_assert(message->kind == kind_of(json));
	if (message->kind == TN_RELAY_OTHER)
		return;
	if (message->kind == TN_RELAY_REQUEST || message->kind == TN_RELAY_NOTIFICATION)
		tn_assert(tn_str_equal(message->method, tn_json_get(json, "method")->text));
	if (message->kind == TN_RELAY_NOTIFICATION)
		return;
	id = tn_json_get(json, "id");
	if (id->type == TN_JSON_STRING) {
		tn_assert(key.size && key.data[0] == '"');
		key = tn_str_from_offset(key, 1);
	}
	tn_assert(tn_str_equal(key, id->text));
	tn_assert(message->id.size && message->id.data >= text.data &&
		  message->id.data + message->id.size <= text.data + text.size);
}

/* One that names each of its members once: of two, the head of it may have only the first. The tree
 * has dropped the first, so the tokens are counted. */
static bool is_plain(struct tn_arena *arena, struct tn_str text)
{
	static const char *const names[] = {"id", "method", "result", "error"};
	struct tn_json_reader reader;
	size_t counts[4] = {0};
	char *copy = tn_arena_copy(arena, text);

	tn_assert(copy);
	tn_json_reader_init(&reader, copy, text.size, TN_JSON_DEPTH_MAX);
	(void)tn_json_next(&reader);
	while (tn_json_next(&reader) == TN_JSON_TOKEN_KEY) {
		for (size_t i = 0; i < 4; i++)
			counts[i] += tn_str_is(reader.text, names[i]);
		(void)tn_json_skip(&reader);
	}
	return counts[0] <= 1 && counts[1] + counts[2] + counts[3] <= 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = {(const char *)data, size};
	struct tn_relay_message message;
	enum tn_relay_step step;
	struct tn_relay_scan scan;
	struct tn_arena arena;
	struct tn_json *root = NULL;
	const struct tn_json *json;
	bool valid;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_relay_scan_init(&scan);
	valid = tn_json_parse_copy(&arena, text, &root, NULL) == TENON_OK;
	json = valid && root->type == TN_JSON_ARRAY ? root->first : root;
	tn_assert(tn_relay_scan_begin(&scan, text));
	while ((step = tn_relay_scan_next(&scan, &message)) == TN_RELAY_MESSAGE) {
		if (valid) {
			check(&message, json, text);
			json = json->next;
		}
	}
	/* The tree has limits of its own: members, memory. */
	tn_assert(!valid || (step == TN_RELAY_END && (!json || json == root)));
	if (valid && root->type == TN_JSON_OBJECT && is_plain(&arena, text)) {
		tn_assert(tn_relay_scan_head(&scan, text, &message) == TN_RELAY_MESSAGE);
		check(&message, root, text);
	} else {
		(void)tn_relay_scan_head(&scan, text, &message);
	}
	tn_relay_scan_finish(&scan);
	tn_arena_finish(&arena);
	return 0;
}
