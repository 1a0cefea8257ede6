#include "apps/studio/run/run_tell.h"

#include <stdio.h>

#include "apps/studio/limits.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum {
	REST_BYTES = 200,
	PATHS_SHOWN = 6,
	ADDRESS_BYTES_MAX = 600,
	REASON_BYTES_MAX = 160,
	MANY = 8, /* changes: long addresses are cut in their middle, so that there is room for
		     others */
	HEAD_BYTES = 80,
	TAIL_BYTES = 40
};

/* In this order they are told. */
enum kind { DESTROY, REPLACE, UNKNOWN, FORGET, CHANGE, IMPORT, MOVE, CREATE, KINDS };

static const struct {
	const char *action, *word, *rest;
} kinds[KINDS] = {
	[DESTROY] = {"delete", "DESTROY", "to destroy"},
	[REPLACE] = {"replace", "REPLACE", "to replace"},
	[FORGET] = {"forget", "forget", "to forget"},
	[CHANGE] = {"update", "change", "to change"},
	[IMPORT] = {"import", "import", "to import"},
	[MOVE] = {"move", "move", "to move"},
	[CREATE] = {"create", "create", "to create"},
	[UNKNOWN] = {"unknown", "UNKNOWN", "that are not known"},
};

struct telling {
	struct tn_buf *out;
	size_t counts[KINDS], left[KINDS]; /* left: there was no room for them */
	bool many;
};

static struct tn_str member(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static const struct tn_json *elements(const struct tn_json *object, const char *key)
{
	const struct tn_json *list = tn_json_get(object, key);

	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

static bool is_true(const struct tn_json *object, const char *key)
{
	return tn_json_is(tn_json_get(object, key), TN_JSON_TRUE);
}

/* Data is only read. */
static bool is_told(const struct tn_json *change)
{
	return !tn_str_is(member(change, "action"), "read") &&
	       !tn_str_is(member(change, "action"), "no-op");
}

static enum kind kind_of(const struct tn_json *change)
{
	struct tn_str action = member(change, "action");

	for (int i = 0; i < KINDS; i++) {
		if (tn_str_is(action, kinds[i].action))
			return (enum kind)i;
	}
	return UNKNOWN;
}

/* ---- why ---- */

/* The attributes that change; with `forcing` only those that make it be replaced. */
static void put_paths(struct tn_buf *out, const struct tn_json *change, bool forcing)
{
	size_t count = 0;

	for (const struct tn_json *at = elements(change, "attributes"); at; at = at->next) {
		struct tn_str path = tn_utf8_cut(member(at, "path"), REASON_BYTES_MAX);

		if ((forcing && !is_true(at, "forces_replacement")) || path.size == 0)
			continue;
		if (count++ < PATHS_SHOWN)
			tn_buf_format(out, "%s%.*s", count > 1 ? ", " : "", (int)path.size,
				      path.data);
	}
	if (count > PATHS_SHOWN)
		tn_buf_format(out, " and %zu more", count - PATHS_SHOWN);
}

/* What the engine gives as the reason: a sentence, or a code of words with _ between. */
static void put_reasons(struct tn_buf *out, const struct tn_json *change)
{
	for (const struct tn_json *at = elements(change, "reasons"); at; at = at->next) {
		struct tn_str text = member(at, "text");
		bool code = text.size == 0;

		if (code)
			text = member(at, "code");
		text = tn_utf8_cut(text, REASON_BYTES_MAX);
		if (out->size > 0)
			tn_buf_append_text(out, "; ");
		for (size_t i = 0; i < text.size; i++)
			tn_buf_append_byte(out, code && text.data[i] == '_' ? ' ' : text.data[i]);
	}
}

static void put_why(struct tn_buf *out, const struct tn_json *change, enum kind kind)
{
	struct tn_buf paths;

	tn_buf_init(&paths, TN_STUDIO_TOLD_BYTES_MAX);
	put_reasons(out, change);
	if (kind == REPLACE || kind == CHANGE)
		put_paths(&paths, change, kind == REPLACE);
	if (paths.size > 0)
		tn_buf_format(out, "%s%s%.*s", out->size > 0 ? "; " : "",
			      kind == REPLACE ? "forced by " : "", (int)paths.size, paths.data);
	tn_buf_finish(&paths);
}

/* ---- one line ---- */

static void put_address(struct tn_buf *line, struct tn_str address, bool many)
{
	struct tn_str shown = tn_utf8_cut(address, many ? HEAD_BYTES : ADDRESS_BYTES_MAX), tail;
	size_t from = address.size;

	if (address.size <= shown.size + (many ? TAIL_BYTES : 0)) {
		tn_buf_append_str(line, address);
		return;
	}
	tn_buf_append_str(line, shown);
	tn_buf_append_text(line, "...");
	if (!many)
		return;
	from -= TAIL_BYTES;
	while (from < address.size && ((unsigned char)address.data[from] & 0xC0) == 0x80)
		from++; /* not in the middle of a character */
	tail = tn_str_from_offset(address, from);
	tn_buf_append_str(line, tail);
}

static void put_line(struct telling *telling, const struct tn_json *change, enum kind kind)
{
	struct tn_str address = member(change, "address"), deposed = member(change, "deposed");
	struct tn_str before = member(change, "previous_address");
	struct tn_buf line, why;

	tn_buf_init(&line, TN_STUDIO_TOLD_BYTES_MAX);
	tn_buf_init(&why, TN_STUDIO_TOLD_BYTES_MAX);
	tn_buf_format(&line, "%s ", kinds[kind].word);
	put_address(&line, address, telling->many);
	if (deposed.size > 0)
		tn_buf_format(&line, " (deposed %.*s)", (int)tn_utf8_cut(deposed, 40).size,
			      deposed.data);
	if (before.size > 0 && !tn_str_equal(before, address))
		tn_buf_format(&line, " (was %.*s)", (int)tn_utf8_cut(before, 200).size,
			      before.data);
	put_why(&why, change, kind);
	if (why.size > 0)
		tn_buf_format(&line, ": %.*s", (int)why.size, why.data);
	/* Nothing is left out without a word: what does not fit is counted. */
	if (line.failed || why.failed || telling->left[kind] > 0 ||
	    telling->out->size + line.size + 1 + REST_BYTES > TN_STUDIO_TOLD_BYTES_MAX)
		telling->left[kind]++;
	else {
		tn_utf8_put_line(telling->out,
				 tn_buf_str(&line)); /* keys of maps are anybody's words */
		tn_buf_append_byte(telling->out, '\n');
	}
	tn_buf_finish(&line);
	tn_buf_finish(&why);
}

static void put_rest(const struct telling *telling)
{
	size_t all = 0, shown = 0;

	for (int i = 0; i < KINDS; i++)
		all += telling->left[i];
	if (all == 0)
		return;
	tn_buf_format(telling->out, "and %zu more:", all);
	for (int i = 0; i < KINDS; i++) {
		if (telling->left[i] > 0)
			tn_buf_format(telling->out, "%s %zu %s", shown++ ? "," : "",
				      telling->left[i], kinds[i].rest);
	}
	tn_buf_append_text(telling->out, " (get_plan has them all)\n");
}

/* ---- all of it ---- */

static size_t changed_outputs(const struct tn_json *plan)
{
	size_t count = 0;

	for (const struct tn_json *at = elements(plan, "outputs"); at; at = at->next)
		count += !tn_str_is(member(at, "action"), "no-op");
	return count;
}

static void put_counts(const struct telling *telling, struct tn_studio_told *told)
{
	const size_t *n = telling->counts;
	int size = snprintf(told->counts, sizeof(told->counts),
			    "%zu to add, %zu to change, %zu to destroy", n[CREATE] + n[REPLACE],
			    n[CHANGE], n[DESTROY] + n[REPLACE]);
	const enum kind more[] = {IMPORT, FORGET, MOVE, UNKNOWN};

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (n[more[i]] > 0 && size > 0 && size < (int)sizeof(told->counts))
			size += snprintf(told->counts + size, sizeof(told->counts) - (size_t)size,
					 ", %zu %s", n[more[i]], kinds[more[i]].rest);
	}
}

static void put_change(struct tn_studio_told *told, const struct tn_json *change)
{
	if (told->numbers.all++ >= TN_STUDIO_TOLD_MAX)
		return;
	tn_json_begin_object(&told->changes);
	tn_json_put_member_str(&told->changes, "address",
			       tn_utf8_cut(member(change, "address"), ADDRESS_BYTES_MAX));
	tn_json_put_member_str(&told->changes, "action", member(change, "action"));
	tn_json_end_object(&told->changes);
}

static void put_numbers(const size_t n[KINDS], struct tn_studio_told_counts *ret)
{
	ret->add = n[CREATE] + n[REPLACE];
	ret->change = n[CHANGE];
	ret->remove = n[DESTROY] + n[REPLACE];
	ret->replace = n[REPLACE];
	ret->import = n[IMPORT];
	ret->move = n[MOVE];
	ret->forget = n[FORGET];
	ret->unknown = n[UNKNOWN];
}

static void put_all(const struct tn_json *plan, struct tn_studio_told *told)
{
	struct telling telling = {.out = &told->lines};
	size_t outputs = changed_outputs(plan), all = 0;

	for (const struct tn_json *at = elements(plan, "resource_changes"); at; at = at->next)
		all += is_told(at);
	telling.many = all > MANY;
	tn_json_begin_array(&told->changes);
	for (int kind = 0; kind < KINDS; kind++) {
		for (const struct tn_json *at = elements(plan, "resource_changes"); at;
		     at = at->next) {
			if (!is_told(at) || kind_of(at) != (enum kind)kind)
				continue;
			telling.counts[kind]++;
			put_line(&telling, at, (enum kind)kind);
			put_change(told, at);
		}
	}
	tn_json_end_array(&told->changes);
	put_numbers(telling.counts, &told->numbers);
	put_rest(&telling);
	put_counts(&telling, told);
	if (outputs > 0)
		tn_buf_format(&told->lines, "%zu output%s change%s\n", outputs,
			      outputs == 1 ? "" : "s", outputs == 1 ? "s" : "");
	if (told->lines.size == 0)
		tn_buf_append_text(&told->lines,
				   "No resource changes; what is remembered of them may.\n");
}

void tn_studio_told_init(struct tn_studio_told *told)
{
	told->counts[0] = '\0';
	told->numbers = (struct tn_studio_told_counts){0};
	tn_buf_init(&told->lines, 2 * TN_STUDIO_TOLD_BYTES_MAX);
	tn_buf_init(&told->changes, 8 * TN_STUDIO_TOLD_MAX * ADDRESS_BYTES_MAX);
}

void tn_studio_told_finish(struct tn_studio_told *told)
{
	tn_buf_finish(&told->lines);
	tn_buf_finish(&told->changes);
}

enum tenon_code tn_studio_tell(struct tn_str plan, struct tn_studio_told *told,
			       struct tenon_error *err)
{
	struct tn_json *json = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	code = tn_json_parse_copy(&arena, plan, &json, err);
	if (code == TENON_OK && !tn_json_is(tn_json_get(json, "resource_changes"), TN_JSON_ARRAY))
		code = tn_fail(err, TENON_INVALID, "it has no list of changes");
	if (code == TENON_OK) {
		put_all(json, told);
		code = tn_buf_check(&told->lines, err);
		if (code == TENON_OK)
			code = tn_buf_check(&told->changes, err);
	}
	tn_arena_finish(&arena);
	return code;
}
