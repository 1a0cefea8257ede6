#include "cli/relay/relay_scan.h"

#include "client/limits.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/limits.h"
#include "mcp/limits.h"

/* Enough for the envelope of any message of ours; the rest of a large result is never looked at. */
enum { HEAD_BYTES = 512, KEPT_BYTES = 64 * 1024 };

void tn_relay_scan_init(struct tn_relay_scan *scan)
{
	*scan = (struct tn_relay_scan){0};
	tn_buf_init(&scan->copy, TN_CLIENT_MESSAGE_MAX);
}

void tn_relay_scan_finish(struct tn_relay_scan *scan)
{
	tn_buf_finish(&scan->copy);
}

/* Reads the first `size` bytes of the text. */
static bool read_copy(struct tn_relay_scan *scan, struct tn_str text, size_t size)
{
	tn_buf_clear(&scan->copy);
	if (scan->copy.capacity > KEPT_BYTES)
		tn_buf_shrink(&scan->copy, 0);
	if (!tn_buf_reserve(&scan->copy, size + 1)) /* the reader wants a place, even of nothing */
		return false;
	tn_buf_append(&scan->copy, text.data, size);
	scan->text = text;
	scan->batch = scan->done = false;
	tn_json_reader_init(&scan->reader, scan->copy.data, size, TN_JSON_DEPTH_MAX);
	return true;
}

/* ---- one message ---- */

/* What has been seen of a message's members. */
struct seen {
	struct tn_relay_message *message;
	bool id, bad_id, method, result, error;
};

static struct tn_str written(const struct tn_relay_scan *scan, const char *from)
{
	const char *start = scan->text.data + (from - scan->copy.data);
	struct tn_str raw = tn_str(start, (size_t)(scan->reader.at - from));

	/* Space and the colon before a value belong to nobody. */
	while (raw.size && (raw.data[0] == ':' || raw.data[0] == ' ' || raw.data[0] == '\t' ||
			    raw.data[0] == '\n' || raw.data[0] == '\r'))
		raw = tn_str(raw.data + 1, raw.size - 1);
	return raw;
}

/* The rest of the value that began with this token. False: not JSON. */
static bool finish_value(struct tn_json_reader *reader, enum tn_json_token token)
{
	uint32_t depth = reader->depth - 1;

	if (token == TN_JSON_TOKEN_OBJECT || token == TN_JSON_TOKEN_ARRAY) {
		while (token != TN_JSON_TOKEN_ERROR && reader->depth > depth)
			token = tn_json_next(reader);
	}
	return token != TN_JSON_TOKEN_ERROR;
}

/* A string is told from a number by its opening quote, which stands before it in the copy. */
static bool read_id(struct tn_relay_scan *scan, struct seen *seen)
{
	const char *from = scan->reader.at;
	enum tn_json_token token = tn_json_next(&scan->reader);
	struct tn_str text = scan->reader.text;

	seen->id = true;
	seen->bad_id = true;
	if (token == TN_JSON_TOKEN_STRING)
		seen->message->key = tn_str(text.data - 1, text.size + 1);
	else if (token == TN_JSON_TOKEN_NUMBER && tn_json_number_is_id(text))
		seen->message->key = text;
	else
		return finish_value(&scan->reader, token);
	seen->bad_id = text.size > TN_ID_BYTES_MAX;
	seen->message->id = written(scan, from);
	return true;
}

static bool read_method(struct tn_relay_scan *scan, struct seen *seen)
{
	enum tn_json_token token = tn_json_next(&scan->reader);

	seen->method = token == TN_JSON_TOKEN_STRING;
	if (seen->method)
		seen->message->method = scan->reader.text;
	return finish_value(&scan->reader, token);
}

/* The reader stands behind a key. False: not JSON. */
static bool read_member(struct tn_relay_scan *scan, struct seen *seen)
{
	struct tn_str key = scan->reader.text;
	const char *from = scan->reader.at;

	if (tn_str_is(key, "id"))
		return read_id(scan, seen);
	if (tn_str_is(key, "method"))
		return read_method(scan, seen);
	if (tn_str_is(key, "result"))
		seen->result = true;
	else if (tn_str_is(key, "error"))
		seen->error = true;
	if (!tn_json_skip(&scan->reader))
		return false;
	if (tn_str_is(key, "params"))
		seen->message->params = written(scan, from);
	return true;
}

static enum tn_relay_kind kind_of(const struct seen *seen)
{
	if (seen->bad_id)
		return TN_RELAY_OTHER;
	if (seen->method)
		return seen->id ? TN_RELAY_REQUEST : TN_RELAY_NOTIFICATION;
	if (!seen->id)
		return TN_RELAY_OTHER;
	if (seen->error)
		return TN_RELAY_ERROR;
	return seen->result ? TN_RELAY_RESULT : TN_RELAY_OTHER;
}

/* The reader stands behind the brace. False: not JSON. */
static bool read_members(struct tn_relay_scan *scan, struct tn_relay_message *ret)
{
	struct seen seen = {.message = ret};
	enum tn_json_token token;

	while ((token = tn_json_next(&scan->reader)) == TN_JSON_TOKEN_KEY) {
		if (!read_member(scan, &seen))
			return false;
	}
	ret->kind = kind_of(&seen);
	return token == TN_JSON_TOKEN_OBJECT_END;
}

/* Where a message is due. False: not JSON. */
static bool read_message(struct tn_relay_scan *scan, enum tn_json_token token,
			 struct tn_relay_message *ret)
{
	*ret = (struct tn_relay_message){.kind = TN_RELAY_OTHER};
	if (token == TN_JSON_TOKEN_OBJECT)
		return read_members(scan, ret);
	return finish_value(&scan->reader, token);
}

/* ---- a text ---- */

bool tn_relay_scan_begin(struct tn_relay_scan *scan, struct tn_str text)
{
	return read_copy(scan, text, text.size);
}

static enum tn_relay_step at_end(struct tn_relay_scan *scan)
{
	scan->done = true;
	return tn_json_next(&scan->reader) == TN_JSON_TOKEN_END ? TN_RELAY_END : TN_RELAY_MALFORMED;
}

enum tn_relay_step tn_relay_scan_next(struct tn_relay_scan *scan, struct tn_relay_message *ret)
{
	enum tn_json_token token;

	if (scan->done)
		return scan->reader.fault ? TN_RELAY_MALFORMED : TN_RELAY_END;
	token = tn_json_next(&scan->reader);
	if (token == TN_JSON_TOKEN_ARRAY && !scan->batch) {
		scan->batch = true;
		token = tn_json_next(&scan->reader);
	}
	if (scan->batch && token == TN_JSON_TOKEN_ARRAY_END)
		return at_end(scan);
	if (!read_message(scan, token, ret))
		return TN_RELAY_MALFORMED;
	if (!scan->batch && at_end(scan) != TN_RELAY_END)
		return TN_RELAY_MALFORMED;
	return TN_RELAY_MESSAGE;
}

/* ---- the head of a message ---- */

/* One member, or what must be known of it. False: not JSON. */
static bool read_head_member(struct tn_relay_scan *scan, struct seen *seen)
{
	struct tn_str key = scan->reader.text;

	seen->result = seen->result || tn_str_is(key, "result");
	seen->error = seen->error || tn_str_is(key, "error");
	if (seen->id && (seen->result || seen->error))
		return true; /* and the rest of it may be long */
	return read_member(scan, seen);
}

/* Reads members until the kind is known. False: the copy ends before that, or is no JSON. */
static bool read_head(struct tn_relay_scan *scan, struct tn_relay_message *ret)
{
	struct seen seen = {.message = ret};
	enum tn_json_token token;
	bool whole = scan->copy.size == scan->text.size;

	while ((token = tn_json_next(&scan->reader)) == TN_JSON_TOKEN_KEY) {
		if (!read_head_member(scan, &seen))
			return false;
		/* A number may go on behind the end of the copy. */
		if (seen.id && (seen.result || seen.error || seen.method) &&
		    (whole || scan->reader.at < scan->reader.end))
			break;
	}
	ret->kind = kind_of(&seen);
	return token == TN_JSON_TOKEN_KEY || (token == TN_JSON_TOKEN_OBJECT_END && whole);
}

enum tn_relay_step tn_relay_scan_head(struct tn_relay_scan *scan, struct tn_str text,
				      struct tn_relay_message *ret)
{
	size_t size = text.size < HEAD_BYTES ? text.size : HEAD_BYTES;

	for (;;) {
		*ret = (struct tn_relay_message){.kind = TN_RELAY_OTHER};
		if (!read_copy(scan, text, size))
			return TN_RELAY_STARVED;
		if (tn_json_next(&scan->reader) != TN_JSON_TOKEN_OBJECT)
			return TN_RELAY_MESSAGE; /* a batch, or nothing we know */
		if (read_head(scan, ret))
			return TN_RELAY_MESSAGE;
		if (size == text.size)
			return TN_RELAY_MALFORMED;
		size = text.size;
	}
}
