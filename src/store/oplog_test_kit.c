#include "store/oplog_test_kit.h"

#include <stdio.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"

static uint64_t no_time(void *data)
{
	(void)data;
	return 0;
}

static int64_t one_time(void *data)
{
	(void)data;
	return 1795255200000; /* 2026-11-21T10:00:00Z */
}

const struct tn_clock kit_clock = {.monotonic_ms = no_time, .wall_ms = one_time};

void kit_clear(struct kit_document *document)
{
	for (size_t i = 0; i < KIT_SLOTS; i++) {
		tn_mem_free(document->slots[i]);
		document->slots[i] = NULL;
	}
}

static bool find_slot(const struct kit_document *document, const struct tn_json *name, size_t *ret)
{
	struct tn_str text;
	uint64_t number;

	(void)document;
	if (!tn_json_to_str(name, &text) || text.size < 2 || text.data[0] != 'k' ||
	    !tn_str_to_uint(tn_str_from_offset(text, 1), &number) || number >= KIT_SLOTS)
		return false;
	*ret = (size_t)number;
	return true;
}

static void put_inverse(struct tn_buf *out, size_t slot, const char *value)
{
	char name[16];

	(void)snprintf(name, sizeof(name), "k%zu", slot);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, value ? "set" : "drop", name);
	if (value)
		tn_json_put_member_text(out, "value", value);
	tn_json_end_object(out);
}

static enum tenon_code apply(void *data, const struct tn_json *operation, struct tn_buf *inverse,
			     struct tenon_error *err)
{
	struct kit_document *document = data;
	char *fresh = NULL;
	struct tn_str value;
	enum tenon_code code;
	size_t slot;

	if (find_slot(document, tn_json_get(operation, "set"), &slot) &&
	    tn_json_to_str(tn_json_get(operation, "value"), &value)) {
		fresh = tn_mem_copy_text(value.data ? value.data : "", value.size);
		if (!fresh)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	} else if (!find_slot(document, tn_json_get(operation, "drop"), &slot)) {
		return tn_fail(err, TENON_INVALID, "neither set nor drop");
	}
	put_inverse(inverse, slot, document->slots[slot]);
	code = tn_buf_check(inverse, err);
	if (code != TENON_OK) {
		tn_mem_free(fresh);
		return code;
	}
	tn_mem_free(document->slots[slot]);
	document->slots[slot] = fresh;
	return TENON_OK;
}

void kit_save(const void *data, struct tn_buf *out)
{
	const struct kit_document *document = data;
	char name[16];

	tn_json_begin_object(out);
	for (size_t i = 0; i < KIT_SLOTS; i++) {
		(void)snprintf(name, sizeof(name), "k%zu", i);
		if (document->slots[i])
			tn_json_put_member_text(out, name, document->slots[i]);
	}
	tn_json_end_object(out);
}

static enum tenon_code load(void *data, const struct tn_json *saved, struct tenon_error *err)
{
	struct kit_document *document = data;

	if (!tn_json_is(saved, TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID, "the document is no object");
	for (const struct tn_json *at = saved->count ? saved->first : NULL; at; at = at->next) {
		struct tn_json name = {.type = TN_JSON_STRING, .text = at->key};
		struct tn_str value;
		size_t slot;

		if (!find_slot(document, &name, &slot) || !tn_json_to_str(at, &value))
			return tn_fail(err, TENON_INVALID, "the document has a strange member");
		tn_mem_free(document->slots[slot]);
		document->slots[slot] = tn_mem_copy_text(value.data ? value.data : "", value.size);
		if (!document->slots[slot])
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	return TENON_OK;
}

const struct tn_document_ops kit_ops = {.apply = apply, .save = kit_save, .load = load};

enum tenon_code kit_open(const char *path, struct kit_document *document, struct tn_oplog **ret,
			 struct tenon_error *err)
{
	const struct tn_oplog_options options = {
		.path = path, .ops = &kit_ops, .document = document, .clock = &kit_clock};

	return tn_oplog_open(&options, ret, err);
}

enum tenon_code kit_commit(struct tn_oplog *log, const char *operations, struct tn_change *ret,
			   struct tenon_error *err)
{
	struct tn_commit commit = {.actor = "tester", .label = "a change", .expected_revision = -1};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_json_parse_copy(&arena, tn_str_from(operations), &tree, err);
	commit.operations = tree;
	if (code == TENON_OK)
		code = tn_oplog_commit(log, &commit, ret, err);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code kit_step(struct tn_oplog *log, const char *operations, struct tn_change *ret,
			 struct tenon_error *err)
{
	const struct tn_commit commit = {.actor = "tester", .label = "steps", .note = "{\"n\":1}"};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_json_parse_copy(&arena, tn_str_from(operations), &tree, err);
	if (code == TENON_OK)
		code = tn_oplog_begin(log, -1, err);
	if (code == TENON_OK) {
		for (const struct tn_json *at = tree->first; at && code == TENON_OK; at = at->next)
			code = tn_oplog_step(log, at, err);
		if (code == TENON_OK)
			code = tn_oplog_end(log, &commit, ret, err);
		else
			tn_oplog_abandon(log);
	}
	tn_arena_finish(&arena);
	return code;
}

/* xorshift64*: the tests repeat with their seed. */
uint64_t kit_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}

void kit_random_operation(struct tn_buf *out, uint64_t *seed)
{
	uint64_t random = kit_random(seed);
	unsigned slot = (unsigned)(random >> 20) % KIT_SLOTS;

	if (random >> 60 < 4)
		tn_buf_format(out, "{\"drop\":\"k%u\"}", slot);
	else
		tn_buf_format(out, "{\"set\":\"k%u\",\"value\":\"%llx \\\" \\u00e9 \xc3\xa9\"}",
			      slot, (unsigned long long)random);
}
