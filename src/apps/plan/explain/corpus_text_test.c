/* A change in the words of Terraform: what stays is hidden, elements of sets come and go whole. */
#include "apps/plan/explain/corpus_test.h"

#include <stdlib.h>

enum { STEP = 4 };

/* One value with what stands around it. */
struct shown {
	struct tn_buf *out;
	unsigned column;    /* of the symbol */
	struct tn_str name; /* empty: an element */
	bool document;      /* inside of jsonencode() */
	bool forces;
};

static bool is_container(const struct tn_json *value)
{
	return tn_json_is(value, TN_JSON_OBJECT) || tn_json_is(value, TN_JSON_ARRAY);
}

static bool is_there(const struct tn_json *value)
{
	return value && value->type != TN_JSON_NULL;
}

static const struct tn_json *children(const struct tn_json *value)
{
	return value && value->count ? value->first : NULL;
}

static void put_start(const struct shown *at, char symbol)
{
	for (unsigned i = 0; i < at->column; i++)
		tn_buf_append_byte(at->out, ' ');
	tn_buf_append_byte(at->out, symbol);
	tn_buf_append_byte(at->out, ' ');
}

static void put_name(const struct shown *at)
{
	if (at->name.size == 0)
		return;
	if (tn_str_find_byte(at->name, ':') != TN_STR_NONE ||
	    tn_str_find_byte(at->name, '.') != TN_STR_NONE)
		tn_json_put_str(at->out, at->name);
	else
		tn_buf_append_str(at->out, at->name);
	tn_buf_append_text(at->out, " = ");
}

/* Aside: the writer of JSON looks at the last byte to see whether a comma is due. */
static void put_scalar(struct tn_buf *out, const struct tn_json *value)
{
	struct tn_buf text;

	tn_buf_init(&text, 1 << 16);
	tn_json_put_value(&text, value);
	tn_buf_append_str(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_end(const struct shown *at, const char *words)
{
	tn_buf_append_text(at->out, words);
	if (at->forces)
		tn_buf_append_text(at->out, " # forces replacement");
	else if (at->name.size == 0)
		tn_buf_append_byte(at->out, ',');
	tn_buf_append_byte(at->out, '\n');
}

/* ---- what comes or goes whole ---- */

static void put_whole(struct shown at, char symbol, const struct tn_json *value);

static void put_members(struct shown at, char symbol, const struct tn_json *value)
{
	bool named = value->type == TN_JSON_OBJECT;

	at.column += STEP;
	at.forces = false;
	for (const struct tn_json *child = children(value); child; child = child->next) {
		at.name = named ? child->key : tn_str("", 0);
		if (is_there(child))
			put_whole(at, symbol, child);
	}
}

static void put_close(const struct shown *at, const struct tn_json *value, const char *end)
{
	struct shown close = *at;

	close.forces = false;
	for (unsigned i = 0; i < at->column + 2; i++)
		tn_buf_append_byte(at->out, ' ');
	tn_buf_append_byte(at->out, value->type == TN_JSON_OBJECT ? '}' : ']');
	put_end(&close, end);
}

static void put_document(struct shown at, char symbol, const struct tn_json *value)
{
	struct shown inside = at;

	put_start(&at, symbol);
	at.name = corpus_plain_key(at.name);
	put_name(&at);
	tn_buf_append_text(at.out, "jsonencode(");
	if (at.forces)
		tn_buf_append_text(at.out, " # forces replacement");
	tn_buf_append_byte(at.out, '\n');
	inside.column += STEP;
	inside.document = true;
	inside.forces = false;
	inside.name = tn_str("", 0);
	put_start(&inside, symbol);
	tn_buf_append_text(at.out, value->type == TN_JSON_OBJECT ? "{\n" : "[\n");
	put_members(inside, symbol, value);
	for (unsigned i = 0; i < inside.column + 2; i++)
		tn_buf_append_byte(at.out, ' ');
	tn_buf_append_text(at.out, value->type == TN_JSON_OBJECT ? "}\n" : "]\n");
	at.forces = false;
	for (unsigned i = 0; i < at.column + 2; i++)
		tn_buf_append_byte(at.out, ' ');
	tn_buf_append_text(at.out, symbol == '-' ? ") -> null\n" : ")\n");
}

static bool is_blocks(const struct shown *at, const struct tn_json *value)
{
	return !at->document && at->name.size && tn_json_is(value, TN_JSON_ARRAY) &&
	       tn_json_is(children(value), TN_JSON_OBJECT);
}

static void put_block(struct shown at, char symbol, const struct tn_json *value)
{
	struct shown close = at;

	put_start(&at, symbol);
	tn_buf_append_str(at.out, at.name);
	tn_buf_append_text(at.out, at.forces ? " { # forces replacement\n" : " {\n");
	put_members(at, symbol, value);
	for (unsigned i = 0; i < close.column + 2; i++)
		tn_buf_append_byte(at.out, ' ');
	tn_buf_append_text(at.out, "}\n");
}

static void put_whole(struct shown at, char symbol, const struct tn_json *value)
{
	const char *gone = symbol == '-' && at.name.size && !at.document ? " -> null" : "";

	if (corpus_is_document(at.name)) {
		put_document(at, symbol, value);
		return;
	}
	if (is_blocks(&at, value)) {
		for (const struct tn_json *child = children(value); child; child = child->next)
			put_block(at, symbol, child);
		return;
	}
	put_start(&at, symbol);
	put_name(&at);
	if (!is_container(value) || value->count == 0) {
		put_scalar(at.out, value);
		put_end(&at, gone);
		return;
	}
	tn_buf_append_byte(at.out, value->type == TN_JSON_OBJECT ? '{' : '[');
	if (at.forces)
		tn_buf_append_text(at.out, " # forces replacement");
	tn_buf_append_byte(at.out, '\n');
	put_members(at, symbol, value);
	put_close(&at, value, gone);
}

/* ---- what changes ---- */

static void put_change(struct shown at, const struct tn_json *before, const struct tn_json *after,
		       const struct tn_json *unknown);

static bool holds(const struct tn_json *list, const struct tn_json *element)
{
	for (const struct tn_json *child = children(list); child; child = child->next)
		if (tn_json_equal(child, element))
			return true;
	return false;
}

/* Elements that both sides have are hidden, wherever they stand. */
static void put_elements(struct shown at, const struct tn_json *before, const struct tn_json *after)
{
	const struct tn_json *old = children(before), *new = children(after);
	unsigned hidden = 0;

	if (before->count == 1 && after->count == 1 && is_container(old) &&
	    old->type == new->type) {
		put_change(at, old, new, NULL);
		return;
	}
	for (const struct tn_json *child = old; child; child = child->next) {
		hidden += holds(after, child);
		if (!holds(after, child))
			put_whole(at, '-', child);
	}
	for (const struct tn_json *child = new; child; child = child->next)
		if (!holds(before, child))
			put_whole(at, '+', child);
	if (hidden)
		tn_buf_format(at.out, "%*s# (%u unchanged %s hidden)\n", (int)at.column + 2, "",
			      hidden, at.name.size ? "blocks" : "elements");
}

static void put_pairs(struct shown at, const struct tn_json *before, const struct tn_json *after,
		      const struct tn_json *unknown)
{
	unsigned hidden = 0;

	for (const struct tn_json *old = children(before); old; old = old->next) {
		const struct tn_json *new = tn_json_get_str(after, old->key);
		const struct tn_json *open = tn_json_get_str(unknown, old->key);

		at.name = old->key;
		if (!open &&
		    ((!is_there(new) && !is_there(old)) || (new &&tn_json_equal(old, new))))
			hidden++;
		else
			put_change(at, old, new, open);
	}
	for (const struct tn_json *new = children(after); new; new = new->next) {
		at.name = new->key;
		if (is_there(new) && !tn_json_get_str(before, new->key))
			put_whole(at, '+', new);
	}
	if (hidden)
		tn_buf_format(at.out, "%*s# (%u unchanged attributes hidden)\n", (int)at.column + 2,
			      "", hidden);
}

static void put_inside(struct shown at, const struct tn_json *before, const struct tn_json *after)
{
	at.column += STEP;
	at.forces = false;
	at.name = tn_str("", 0);
	if (before->type == TN_JSON_OBJECT)
		put_pairs(at, before, after, NULL);
	else
		put_elements(at, before, after);
}

static void put_changed_document(struct shown at, const struct tn_json *before,
				 const struct tn_json *after)
{
	struct shown inside = at;

	put_start(&at, '~');
	at.name = corpus_plain_key(at.name);
	put_name(&at);
	tn_buf_append_text(at.out,
			   at.forces ? "jsonencode( # forces replacement\n" : "jsonencode(\n");
	inside.column += STEP;
	inside.document = true;
	inside.forces = false;
	inside.name = tn_str("", 0);
	put_start(&inside, '~');
	tn_buf_append_text(at.out, before->type == TN_JSON_OBJECT ? "{\n" : "[\n");
	put_inside(inside, before, after);
	tn_buf_format(at.out, "%*s%c\n%*s)\n", (int)inside.column + 2, "",
		      before->type == TN_JSON_OBJECT ? '}' : ']', (int)at.column + 2, "");
}

/* A value of another shape: the old one, an arrow, the new one. */
static void put_reshaped(struct shown at, const struct tn_json *before, const struct tn_json *after)
{
	struct shown close = at;

	put_start(&at, '~');
	put_name(&at);
	if (is_container(before)) {
		tn_buf_append_text(at.out, before->type == TN_JSON_OBJECT ? "{\n" : "[\n");
		put_members(at, '-', before);
		tn_buf_format(at.out, "%*s%c -> ", (int)close.column + 2, "",
			      before->type == TN_JSON_OBJECT ? '}' : ']');
	} else {
		put_scalar(at.out, before);
		tn_buf_append_text(at.out, " -> ");
	}
	if (!is_container(after)) {
		put_scalar(at.out, after);
		put_end(&at, "");
		return;
	}
	tn_buf_append_text(at.out, after->type == TN_JSON_OBJECT ? "{\n" : "[\n");
	put_members(at, '+', after);
	put_close(&at, after, "");
}

static void put_changed_blocks(struct shown at, const struct tn_json *before,
			       const struct tn_json *after)
{
	const struct tn_json *old = children(before), *new = children(after);

	if (before->count == 1 && after->count == 1) {
		struct shown inside = at;

		put_start(&at, '~');
		tn_buf_append_str(at.out, at.name);
		tn_buf_append_text(at.out, at.forces ? " { # forces replacement\n" : " {\n");
		inside.column += STEP;
		inside.forces = false;
		put_pairs(inside, old, new, NULL);
		tn_buf_format(at.out, "%*s}\n", (int)at.column + 2, "");
		return;
	}
	for (; old; old = old->next)
		if (!holds(after, old))
			put_block(at, '-', old);
	for (; new; new = new->next)
		if (!holds(before, new))
			put_block(at, '+', new);
}

static void put_change(struct shown at, const struct tn_json *before, const struct tn_json *after,
		       const struct tn_json *unknown)
{
	if (unknown) {
		put_start(&at, '~');
		put_name(&at);
		put_scalar(at.out, before);
		put_end(&at, " -> (known after apply)");
	} else if (!is_there(after) || !is_there(before)) {
		if (is_there(before))
			put_whole(at, '-', before);
		if (is_there(after))
			put_whole(at, '+', after);
	} else if (corpus_is_document(at.name)) {
		put_changed_document(at, before, after);
	} else if (!is_container(before) || before->type != after->type) {
		put_reshaped(at, before, after);
	} else if (is_blocks(&at, before) || is_blocks(&at, after)) {
		put_changed_blocks(at, before, after);
	} else {
		struct shown close = at;

		put_start(&at, '~');
		put_name(&at);
		tn_buf_append_text(at.out, before->type == TN_JSON_OBJECT ? "{" : "[");
		tn_buf_append_text(at.out, at.forces ? " # forces replacement\n" : "\n");
		put_inside(at, before, after);
		put_close(&close, before, "");
	}
}

/* ---- the plan ---- */

static bool is_forced(const struct tn_json *forced, struct tn_str name)
{
	for (const struct tn_json *path = children(forced); path; path = path->next)
		if (tn_str_equal(children(path)->text, corpus_plain_key(name)))
			return true;
	return false;
}

static const struct {
	const char *action, *phrase, *symbol;
	unsigned add, change, destroy;
} actions[] = {
	{"create", "will be created", "  +", 1, 0, 0},
	{"update", "will be updated in-place", "  ~", 0, 1, 0},
	{"delete", "will be destroyed", "  -", 0, 0, 1},
	{"replace", "must be replaced", "-/+", 1, 0, 1},
	{"replace_create_first", "must be replaced", "+/-", 1, 0, 1},
};

static void put_body(struct tn_buf *out, const struct corpus_change *change)
{
	struct shown at = {.out = out, .column = 6};
	unsigned hidden = 0;

	for (const struct tn_json *old = children(change->before); old; old = old->next) {
		const struct tn_json *new = tn_json_get_str(change->after, old->key);
		const struct tn_json *open = tn_json_get_str(change->unknown, old->key);

		at.name = old->key;
		at.forces = is_forced(change->forced, old->key);
		if (!change->after)
			put_whole(at, '-', old);
		else if (!open &&
			 ((!is_there(new) && !is_there(old)) || (new &&tn_json_equal(old, new))))
			hidden++;
		else
			put_change(at, old, new, open);
	}
	for (const struct tn_json *new = children(change->after); new; new = new->next) {
		at.name = new->key;
		at.forces = is_forced(change->forced, new->key);
		if (is_there(new) && !tn_json_get_str(change->before, new->key))
			put_whole(at, '+', new);
	}
	if (hidden)
		tn_buf_format(out, "        # (%u unchanged attributes hidden)\n", hidden);
}

void corpus_put_text(struct tn_buf *out, const struct corpus_change *change)
{
	size_t i = 0;

	while (!tn_str_is(change->action, actions[i].action))
		if (++i == sizeof(actions) / sizeof(actions[0]))
			abort();
	tn_buf_format(out,
		      "Terraform will perform the following actions:\n\n"
		      "  # %.*s.a %s\n%s resource \"%.*s\" \"a\" {\n",
		      (int)change->type.size, change->type.data, actions[i].phrase,
		      actions[i].symbol, (int)change->type.size, change->type.data);
	put_body(out, change);
	tn_buf_format(out, "    }\n\nPlan: %u to add, %u to change, %u to destroy.\n",
		      actions[i].add, actions[i].change, actions[i].destroy);
}
