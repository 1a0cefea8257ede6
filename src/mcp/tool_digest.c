#include "mcp/tool_digest.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

enum { FIRST_CAPACITY = 64, DEFINITION_BYTES_MAX = 1024 * 1024 };

void tn_tool_digests_finish(struct tn_tool_digests *digests)
{
	tn_mem_free(digests->items);
	*digests = (struct tn_tool_digests){0};
}

static bool make_room(struct tn_tool_digests *digests)
{
	size_t capacity = digests->capacity ? digests->capacity * 2 : FIRST_CAPACITY, bytes;
	void *items;

	if (digests->count < digests->capacity)
		return true;
	if (!tn_size_mul(capacity, sizeof(*digests->items), &bytes))
		return false;
	items = tn_mem_resize(digests->items, bytes);
	if (!items)
		return false;
	digests->items = items;
	digests->capacity = capacity;
	return true;
}

/* What a model reads; icons and what is only for clients are none of it. */
static void put_definition(struct tn_buf *out, const struct tn_json *tool)
{
	static const char *const members[] = {"name",        "title",        "description",
					      "inputSchema", "outputSchema", "annotations"};

	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_COUNT(members); i++) {
		const struct tn_json *value = tn_json_get(tool, members[i]);

		if (!value)
			continue;
		tn_json_put_key(out, members[i]);
		tn_json_put_value(out, value);
	}
	tn_json_end_object(out);
}

enum tenon_code tn_tool_digests_add(struct tn_tool_digests *digests, const char *app,
				    const struct tn_json *tool, struct tenon_error *err)
{
	struct tn_tool_digest *digest;
	struct tn_buf definition;
	struct tn_str name;
	enum tenon_code code = TENON_OK;

	if (!tn_json_to_str(tn_json_get(tool, "name"), &name))
		return tn_fail(err, TENON_INVALID, "a tool without a name");
	if (!make_room(digests))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_init(&definition, DEFINITION_BYTES_MAX);
	put_definition(&definition, tool);
	if (definition.failed) {
		code = tn_fail(err, TENON_NO_MEMORY, "a tool's definition is too large");
	} else {
		digest = &digests->items[digests->count++];
		tn_digest_hex(tn_buf_str(&definition), digest->hash);
		(void)snprintf(digest->name, sizeof(digest->name), "%s%s%.*s", app ? app : "",
			       app ? "." : "", (int)name.size, name.data);
	}
	tn_buf_finish(&definition);
	return code;
}

static int by_name(const void *one, const void *other)
{
	return strcmp(((const struct tn_tool_digest *)one)->name,
		      ((const struct tn_tool_digest *)other)->name);
}

void tn_tool_digests_sum(struct tn_tool_digests *digests, struct tn_buf *lines,
			 char hash[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	if (digests->count)
		qsort(digests->items, digests->count, sizeof(*digests->items), by_name);
	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	for (size_t i = 0; i < digests->count; i++)
		tn_buf_format(&text, "%s  %s\n", digests->items[i].hash, digests->items[i].name);
	tn_digest_hex(tn_buf_str(&text), hash);
	if (lines)
		tn_buf_append_str(lines, tn_buf_str(&text));
	tn_buf_finish(&text);
}
