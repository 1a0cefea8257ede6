#include "mcp/room.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/tokens.h"

enum {
	KEY_TOKENS = 3,    /* two quotes and a colon */
	ENDS_TOKENS = 3,   /* of a value: quotes or brackets, and a comma */
	TOLD_TOKENS = 400, /* what says what is left out */
	TOLD_MAX = 8,      /* lists and texts that are named in it */
	SHARED_MAX = 64,   /* an object with more members is a list with keys */
	PATH_MAX = 200
};

struct room {
	struct tn_buf shown, rest, told;
	unsigned told_count;
	char path[PATH_MAX];
};

/* ---- what a value costs; no more is looked at than `max` tokens of it ---- */

static size_t cost_of_text(struct tn_str text, size_t max)
{
	struct tn_str head;
	size_t tokens;

	head = tn_tokens_cut(text, max + 1, &tokens);
	for (size_t i = 0; i < head.size; i++)
		tokens += head.data[i] == '"' || head.data[i] == '\\' ||
			  (unsigned char)head.data[i] < ' ';
	return tokens;
}

static size_t cost(const struct tn_json *value, size_t max)
{
	size_t sum = ENDS_TOKENS;

	if (value->key.data)
		sum += KEY_TOKENS + cost_of_text(value->key, max);
	if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		return sum + cost_of_text(value->text, max);
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return sum;
	for (const struct tn_json *at = value->count ? value->first : NULL; at && sum <= max;
	     at = at->next)
		sum += cost(at, max);
	return sum;
}

/* ---- what is left out ---- */

static void tell(struct room *room, const char *unit, size_t shown, size_t of)
{
	struct tn_buf line;

	if (room->told_count++ >= TOLD_MAX)
		return;
	tn_buf_init(&line, 2 * PATH_MAX);
	tn_buf_format(&line, "%s: %zu of %zu%s", room->path, shown, of, unit);
	tn_json_put_str(&room->told, tn_buf_str(&line));
	tn_buf_finish(&line);
}

/* Goes on with a part of what the path names; the length it has to be cut to afterwards. */
static size_t enter(struct room *room, struct tn_str key, size_t index)
{
	size_t size = strlen(room->path);

	if (key.data)
		(void)snprintf(room->path + size, PATH_MAX - size, "%s%.*s", size ? "." : "",
			       (int)tn_utf8_cut(key, PATH_MAX / 4).size, key.data);
	else
		(void)snprintf(room->path + size, PATH_MAX - size, "[%zu]", index);
	return size;
}

static void put_key(const struct tn_json *value, struct tn_buf *out)
{
	if (value->key.data)
		tn_json_put_key_str(out, value->key);
}

static void fit(struct room *room, const struct tn_json *value, size_t max);

static void fit_text(struct room *room, const struct tn_json *value, size_t max)
{
	struct tn_str head = value->text;
	size_t tokens, wanted = max;

	do {
		head = tn_tokens_cut(value->text, wanted, &tokens);
		wanted -= wanted / 8 + 1;
	} while (head.size > 0 && wanted > 8 && cost_of_text(head, max) > max);
	tn_json_put_str(&room->shown, head);
	tn_json_put_str(&room->rest, tn_str_from_offset(value->text, head.size));
	tell(room, " bytes", head.size, value->text.size);
}

/* As many as there is room for; of one that has no room alone, a part. */
static void fit_list(struct room *room, const struct tn_json *list, size_t max)
{
	const struct tn_json *at = list->count ? list->first : NULL;
	size_t shown = 0, used = 0, size;

	for (; at; at = at->next, shown++) {
		used += cost(at, max);
		if (used > max)
			break;
		put_key(at, &room->shown);
		tn_json_put_value(&room->shown, at);
	}
	if (at && shown == 0) {
		put_key(at, &room->shown);
		put_key(at, &room->rest);
		size = enter(room, at->key, 0);
		fit(room, at, max > ENDS_TOKENS ? max - ENDS_TOKENS : 0);
		room->path[size] = '\0';
		at = at->next;
		shown++;
	}
	for (const struct tn_json *left = at; left; left = left->next) {
		put_key(left, &room->rest);
		tn_json_put_value(&room->rest, left);
	}
	if (at)
		tell(room, "", shown, list->count);
}

/* What each of the members may have that want more than that: all others are there whole. */
static size_t share_of(const struct tn_json *object, size_t sizes[SHARED_MAX], size_t max)
{
	size_t share = 0, next = max / (object->count ? object->count : 1);

	while (next > share) {
		size_t left = max, large = 0;

		share = next;
		for (uint32_t i = 0; i < object->count; i++) {
			if (sizes[i] > share)
				large++;
			else
				left -= sizes[i] < left ? sizes[i] : left;
		}
		next = large ? left / large : share;
	}
	return share;
}

static void fit_object(struct room *room, const struct tn_json *object, size_t max)
{
	size_t sizes[SHARED_MAX], count = 0, share;

	for (const struct tn_json *at = object->first; at; at = at->next)
		sizes[count++] = cost(at, max);
	share = share_of(object, sizes, max);
	count = 0;
	for (const struct tn_json *at = object->first; at; at = at->next) {
		size_t size, key;

		put_key(at, &room->shown);
		if (sizes[count++] <= share) {
			tn_json_put_value(&room->shown, at);
			continue;
		}
		put_key(at, &room->rest);
		size = enter(room, at->key, 0);
		key = KEY_TOKENS + ENDS_TOKENS + cost_of_text(at->key, share);
		fit(room, at, share > key ? share - key : 0);
		room->path[size] = '\0';
	}
}

/* A value that has no room: a part of it here, and what is left there. */
static void fit(struct room *room, const struct tn_json *value, size_t max)
{
	if (value->type == TN_JSON_ARRAY) {
		tn_json_begin_array(&room->shown);
		tn_json_begin_array(&room->rest);
		fit_list(room, value, max);
		tn_json_end_array(&room->shown);
		tn_json_end_array(&room->rest);
	} else if (value->type == TN_JSON_OBJECT) {
		tn_json_begin_object(&room->shown);
		tn_json_begin_object(&room->rest);
		if (value->count > SHARED_MAX)
			fit_list(room, value, max);
		else if (value->count)
			fit_object(room, value, max);
		tn_json_end_object(&room->shown);
		tn_json_end_object(&room->rest);
	} else if (value->type == TN_JSON_STRING) {
		fit_text(room, value, max);
	} else {
		tn_json_put_value(&room->shown, value);
		tn_json_put_null(&room->rest);
	}
}

/* ---- the whole ---- */

static void put_left_out(const struct room *room, const char *uri, struct tn_buf *out)
{
	tn_json_put_key(out, "left_out");
	tn_json_begin_object(out);
	tn_json_put_key(out, "what");
	tn_json_begin_array(out);
	tn_buf_append_str(out, tn_buf_str(&room->told));
	tn_json_end_array(out);
	if (uri)
		tn_json_put_member_text(out, "rest", uri);
	tn_json_put_member_text(out, "how",
				uri ? "Reading the resource rest gives the rest, for ten minutes; "
				      "or ask for less"
				    : "Ask for less; the rest was too long to be kept");
	tn_json_end_object(out);
}

static void answer(struct tenon_call *call, const struct room *room, struct tn_buf *json)
{
	struct tn_str shown = tn_buf_str(&room->shown);
	char uri[TN_LONG_TEXT_URI_SIZE];
	struct tenon_error err;
	bool kept;

	if (room->shown.failed || room->rest.failed || room->told.failed || shown.size < 2)
		return;
	kept = tn_long_text_keep(call, tn_buf_str(&room->rest), true, uri, &err) == TENON_OK;
	tn_buf_clear(json);
	tn_json_begin_object(json);
	put_left_out(room, kept ? uri : NULL, json);
	if (shown.size > 2)
		tn_buf_append_byte(json, ',');
	tn_buf_append_str(json, tn_str_from_offset(shown, 1));
}

void tn_room_fit(struct tenon_call *call, struct tn_buf *json, size_t max)
{
	struct room room = {.path = ""};
	struct tn_arena arena;
	struct tn_json *tree;
	size_t tokens;

	if (json->failed || json->size <= max || max < 2 * TOLD_TOKENS ||
	    tn_tokens_cut(tn_buf_str(json), max, &tokens).size == json->size)
		return;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&room.shown, TN_RESULT_BYTES_MAX);
	tn_buf_init(&room.rest, TN_RESULT_BYTES_MAX);
	tn_buf_init(&room.told, TN_RESULT_BYTES_MAX);
	if (tn_json_parse_copy(&arena, tn_buf_str(json), &tree, NULL) == TENON_OK &&
	    tree->type == TN_JSON_OBJECT) {
		fit(&room, tree, max - TOLD_TOKENS);
		answer(call, &room, json);
	}
	tn_buf_finish(&room.told);
	tn_buf_finish(&room.rest);
	tn_buf_finish(&room.shown);
	tn_arena_finish(&arena);
}

void tn_room_put_page(struct tn_buf *out, struct tn_str text, size_t from, struct tn_str uri)
{
	struct tn_str left = tn_str_from_offset(text, from);
	size_t tokens;
	struct tn_str page = tn_tokens_cut(left, TN_MODEL_TOKENS_MAX - TOLD_TOKENS, &tokens);

	tn_buf_append_str(out, page);
	if (page.size < left.size)
		tn_buf_format(out, "\n(%zu of %zu bytes are left: they are at %.*s/%zu)",
			      left.size - page.size, text.size, (int)uri.size, uri.data,
			      from + page.size);
}

static size_t tokens_of(const struct tn_buf *buf)
{
	size_t tokens;

	(void)tn_tokens_cut(tn_buf_str(buf), SIZE_MAX, &tokens);
	return tokens;
}

bool tn_room_lacks(const struct tenon_call *call, const struct tn_buf *text,
		   const struct tn_buf *structured, uint32_t *entries)
{
	const size_t max = TN_MODEL_TOKENS_MAX - TN_MODEL_TOKENS_KEPT;
	size_t tokens;

	if (*entries <= 1 || !tn_call_is_for_model(call) || tn_buf_is_bad(text) ||
	    tn_buf_is_bad(structured))
		return false;
	tokens = tokens_of(text) > tokens_of(structured) ? tokens_of(text) : tokens_of(structured);
	if (tokens <= max)
		return false;
	/* Entries are of about the same length; a little less, for those that are not. */
	*entries = (uint32_t)((uint64_t)*entries * max / tokens);
	*entries -= *entries / 16 + (*entries > 1);
	if (*entries == 0)
		*entries = 1;
	return true;
}
