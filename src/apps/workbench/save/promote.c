#include "apps/workbench/save/promote.h"

#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* ---- tags and what stands in them ---- */

static bool is_tag(enum tn_wb_syntax_kind kind)
{
	return kind == TN_WB_JSX_OPENING || kind == TN_WB_JSX_SELF_CLOSING;
}

/* Nodes stand in the order of the text. */
uint32_t tn_wb_tag_at(const struct tn_wb_tree *tree, uint32_t offset)
{
	uint32_t low = 0, high = tree->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tree->nodes[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < tree->count && tree->nodes[low].start == offset; low++)
		if (is_tag(tn_wb_kind(tree, low)))
			return low;
	return TN_WB_NO_NODE;
}

struct place {
	uint32_t attribute; /* of that name; none */
	uint32_t last;      /* the last attribute, or none */
	bool is_twice;      /* two have the name */
	bool has_spread;    /* {...props} */
	bool is_overlaid;   /* one behind the attribute */
};

static struct tn_str name_of(const struct tn_wb_tree *tree, uint32_t attribute)
{
	return tn_wb_text(tree, tn_wb_first(tree, attribute));
}

static struct place look(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name)
{
	struct place place = {.attribute = TN_WB_NO_NODE, .last = TN_WB_NO_NODE};

	for (uint32_t at = tn_wb_first(tree, tag); at != TN_WB_NO_NODE; at = tn_wb_next(tree, at)) {
		enum tn_wb_syntax_kind kind = tn_wb_kind(tree, at);

		if (kind == TN_WB_JSX_EXPRESSION) {
			place.has_spread = true;
			place.is_overlaid = place.attribute != TN_WB_NO_NODE;
		}
		if (kind != TN_WB_JSX_ATTRIBUTE)
			continue;
		place.last = at;
		if (!tn_str_equal(name_of(tree, at), name))
			continue;
		place.is_twice = place.attribute != TN_WB_NO_NODE;
		place.attribute = at;
	}
	return place;
}

static bool is_comment(struct tn_str text)
{
	return tn_str_starts(text, TN_STR("/*")) || tn_str_starts(text, TN_STR("//"));
}

/* What stands in braces, when that is one thing and comments; else none. */
static uint32_t inside(const struct tn_wb_tree *tree, uint32_t expression)
{
	uint32_t found = TN_WB_NO_NODE;

	for (uint32_t at = tn_wb_first(tree, expression); at != TN_WB_NO_NODE;
	     at = tn_wb_next(tree, at)) {
		if (tn_wb_kind(tree, at) == TN_WB_OTHER && is_comment(tn_wb_text(tree, at)))
			continue;
		if (found != TN_WB_NO_NODE)
			return TN_WB_NO_NODE;
		found = at;
	}
	return found;
}

/* ---- literals ---- */

static bool is_number(struct tn_str text)
{
	/* 10n is another type. */
	return text.size > 0 && text.data[text.size - 1] != 'n';
}

static bool is_plain_template(const struct tn_wb_tree *tree, uint32_t node)
{
	return tn_wb_child_of_kind(tree, node, TN_WB_SUBSTITUTION) == TN_WB_NO_NODE;
}

static bool is_literal(const struct tn_wb_tree *tree, uint32_t node)
{
	uint32_t of = tn_wb_child(tree, node, TN_WB_FIELD_ARGUMENT);

	switch (tn_wb_kind(tree, node)) {
	case TN_WB_STRING:
	case TN_WB_TRUE:
	case TN_WB_FALSE:
		return true;
	case TN_WB_TEMPLATE:
		return is_plain_template(tree, node);
	case TN_WB_NUMBER:
		return is_number(tn_wb_text(tree, node));
	case TN_WB_UNARY:
		return tn_wb_text(tree, node).data[0] == '-' &&
		       tn_wb_kind(tree, of) == TN_WB_NUMBER && is_number(tn_wb_text(tree, of));
	default:
		return false;
	}
}

/* The quoted text of an attribute knows no escapes; of references and line breaks nobody need
 * agree what they mean. */
static bool quoted_says(const struct tn_wb_tree *tree, uint32_t node, const struct tn_json *value)
{
	struct tn_str text = tn_wb_text(tree, node), said;

	if (text.size < 2)
		return false;
	text = tn_str(text.data + 1, text.size - 2);
	return tn_json_to_str(value, &said) && tn_str_find_byte(text, '&') == TN_STR_NONE &&
	       tn_str_find_byte(text, '\n') == TN_STR_NONE &&
	       tn_str_find_byte(text, '\r') == TN_STR_NONE && tn_str_equal(text, said);
}

static bool string_says(const struct tn_wb_tree *tree, uint32_t node, const struct tn_json *value)
{
	char *room = tn_mem_alloc(TN_WB_VALUE_BYTES_MAX);
	struct tn_str text, said;
	bool says = room && tn_json_to_str(value, &said) &&
		    tn_str_find_byte(tn_wb_text(tree, node), '\r') == TN_STR_NONE &&
		    tn_wb_literal(tree, node, room, TN_WB_VALUE_BYTES_MAX, &text) &&
		    tn_str_equal(text, said);

	tn_mem_free(room);
	return says;
}

/* As JSON has numbers; 0x10 and 1_000 are taken for another one. */
static bool number_says(struct tn_str text, const struct tn_json *value)
{
	struct tn_json *number = NULL;
	struct tn_arena arena;
	bool says;

	tn_arena_init(&arena, TN_KIB * 16);
	says = text.size < TN_KIB && tn_json_parse_copy(&arena, text, &number, NULL) == TENON_OK &&
	       tn_json_equal(number, value);
	tn_arena_finish(&arena);
	return says;
}

static bool literal_says(const struct tn_wb_tree *tree, uint32_t node, const struct tn_json *value)
{
	switch (tn_wb_kind(tree, node)) {
	case TN_WB_STRING:
	case TN_WB_TEMPLATE:
		return string_says(tree, node, value);
	case TN_WB_TRUE:
		return value->type == TN_JSON_TRUE;
	case TN_WB_FALSE:
		return value->type == TN_JSON_FALSE;
	default:
		return number_says(tn_wb_text(tree, node), value);
	}
}

/* ---- what is written ---- */

static bool is_line_separator(struct tn_str text, size_t at)
{
	return at + 3 <= text.size && memcmp(text.data + at, "\xE2\x80", 2) == 0 &&
	       ((unsigned char)text.data[at + 2] & 0xFEu) == 0xA8u;
}

/* D4: what quotes of an attribute cannot hold, or what is a line break somewhere. */
static bool needs_braces(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (strchr("\"{}<>&\\", c) || (c < 0x20 && c != '\t') || c == 0x7F ||
		    is_line_separator(text, i))
			return true;
	}
	return false;
}

/* JSON is JavaScript but for two line separators, which older readers end a string at. */
static void put_string(struct tn_buf *out, struct tn_str text)
{
	size_t from = 0;

	tn_buf_append_byte(out, '"');
	for (size_t i = 0; i < text.size; i++) {
		if (!is_line_separator(text, i))
			continue;
		tn_json_put_escaped(out, tn_str(text.data + from, i - from));
		tn_buf_append_text(out, (unsigned char)text.data[i + 2] == 0xA8u ? "\\u2028"
										 : "\\u2029");
		i += 2;
		from = i + 1;
	}
	tn_json_put_escaped(out, tn_str_from_offset(text, from));
	tn_buf_append_byte(out, '"');
}

/* As it stands within braces. */
static void put_literal(struct tn_buf *out, const struct tn_json *value)
{
	if (value->type == TN_JSON_STRING)
		put_string(out, value->text);
	else if (value->type == TN_JSON_NUMBER)
		tn_buf_append_str(out, value->text);
	else
		tn_buf_append_text(out, value->type == TN_JSON_TRUE ? "true" : "false");
}

/* As it stands behind "=". */
static void put_value(struct tn_buf *out, const struct tn_json *value)
{
	if (value->type == TN_JSON_STRING && !needs_braces(value->text)) {
		tn_buf_append_byte(out, '"');
		tn_buf_append_str(out, value->text);
		tn_buf_append_byte(out, '"');
		return;
	}
	tn_buf_append_byte(out, '{');
	put_literal(out, value);
	tn_buf_append_byte(out, '}');
}

/* ---- from one to the other ---- */

struct making {
	const struct tn_wb_tree *tree;
	const struct tn_json *value;
	struct tn_buf text;
	struct tn_wb_promotion *ret;
};

static void refuse(struct making *m, const char *message)
{
	m->ret->code = "unsupportedPattern";
	m->ret->message = message;
}

static void replace(struct making *m, uint32_t node)
{
	m->ret->start = m->tree->nodes[node].start;
	m->ret->end = m->tree->nodes[node].end;
}

static void promote_shorthand(struct making *m, uint32_t attribute)
{
	if (m->value->type == TN_JSON_TRUE) {
		m->ret->is_nothing = true;
	} else if (m->value->type == TN_JSON_FALSE) {
		m->ret->start = m->ret->end = m->tree->nodes[attribute].end;
		tn_buf_append_text(&m->text, "={false}");
	} else {
		refuse(m, "the prop is written without a value, which means true");
	}
}

static void promote_present(struct making *m, uint32_t attribute)
{
	const struct tn_wb_tree *tree = m->tree;
	uint32_t name = tn_wb_first(tree, attribute), value = tn_wb_next(tree, name), literal;

	while (value != TN_WB_NO_NODE && tn_wb_kind(tree, value) == TN_WB_OTHER &&
	       is_comment(tn_wb_text(tree, value)))
		value = tn_wb_next(tree, value);
	if (value == TN_WB_NO_NODE) {
		promote_shorthand(m, attribute);
	} else if (tn_wb_kind(tree, value) == TN_WB_STRING) {
		m->ret->is_nothing = quoted_says(tree, value, m->value);
		replace(m, value);
		put_value(&m->text, m->value);
	} else {
		literal = tn_wb_kind(tree, value) == TN_WB_JSX_EXPRESSION ? inside(tree, value)
									  : TN_WB_NO_NODE;
		if (literal == TN_WB_NO_NODE || !is_literal(tree, literal)) {
			refuse(m, "what is written there is an expression, not a literal");
			return;
		}
		m->ret->is_nothing = literal_says(tree, literal, m->value);
		replace(m, literal);
		put_literal(&m->text, m->value);
	}
}

/* The names that JSX takes; others can be written in a spread alone. */
static bool is_attribute_name(struct tn_str name)
{
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && c != '_' && c != '$' &&
		    (i == 0 || (!tn_is_digit(c) && c != '-')))
			return false;
	}
	return name.size > 0;
}

/* Behind the last attribute, else behind the name with its type arguments. */
static void promote_absent(struct making *m, uint32_t tag, uint32_t last, struct tn_str name)
{
	const struct tn_wb_tree *tree = m->tree;
	uint32_t after = last;

	if (!is_attribute_name(name)) {
		refuse(m, "an attribute cannot have this name");
		return;
	}
	if (after == TN_WB_NO_NODE)
		after = tn_wb_child_of_kind(tree, tag, TN_WB_TYPE_ARGUMENTS);
	if (after == TN_WB_NO_NODE)
		after = tn_wb_child(tree, tag, TN_WB_FIELD_NAME);
	if (after == TN_WB_NO_NODE) {
		refuse(m, "the tag has no name");
		return;
	}
	m->ret->start = m->ret->end = tree->nodes[after].end;
	tn_buf_append_byte(&m->text, ' ');
	tn_buf_append_str(&m->text, name);
	tn_buf_append_byte(&m->text, '=');
	put_value(&m->text, m->value);
}

/* What the grammar could not place, around the tag or in it. */
static bool is_broken_around(const struct tn_wb_tree *tree, uint32_t tag)
{
	for (uint32_t at = tag; at != TN_WB_NO_NODE; at = tn_wb_parent(tree, at))
		if (tn_wb_kind(tree, at) == TN_WB_BROKEN)
			return true;
	for (uint32_t at = tag; at < tn_wb_after(tree, tag); at++)
		if (tn_wb_kind(tree, at) == TN_WB_BROKEN)
			return true;
	return false;
}

static const char *fault_of(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name,
			    const struct tn_json *value, const struct place *place)
{
	if (value->type == TN_JSON_OBJECT || value->type == TN_JSON_ARRAY ||
	    value->type == TN_JSON_NULL)
		return "only texts, numbers, true and false are written into the source";
	if (is_broken_around(tree, tag))
		return "the source around it does not parse";
	if (tn_str_is(name, "key") || tn_str_is(name, "ref"))
		return "key and ref are no props";
	if (tn_str_is(name, "children") && tn_wb_kind(tree, tag) == TN_WB_JSX_OPENING)
		return "what stands between the tags are the children";
	if (place->is_twice)
		return "the prop is written twice";
	if (place->is_overlaid)
		return "a spread behind it may say something else";
	if (place->attribute == TN_WB_NO_NODE && place->has_spread)
		return "a spread may say it already";
	return NULL;
}

void tn_wb_promote(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name,
		   const struct tn_json *value, struct tn_arena *arena, struct tn_wb_promotion *ret)
{
	struct place place = look(tree, tag, name);
	struct making m = {.tree = tree, .value = value, .ret = ret};
	const char *fault = fault_of(tree, tag, name, value, &place);

	*ret = (struct tn_wb_promotion){.code = NULL};
	tn_buf_init(&m.text, 8 * TN_WB_VALUE_BYTES_MAX);
	if (fault)
		refuse(&m, fault);
	else if (place.attribute != TN_WB_NO_NODE)
		promote_present(&m, place.attribute);
	else
		promote_absent(&m, tag, place.last, name);
	ret->text = tn_str(tn_arena_copy(arena, tn_buf_str(&m.text)), m.text.size);
	if (m.text.failed || !ret->text.data) {
		ret->code = "internalError";
		ret->message = "out of memory";
	}
	tn_buf_finish(&m.text);
}

bool tn_wb_says(const struct tn_wb_tree *tree, uint32_t tag, struct tn_str name,
		const struct tn_json *value)
{
	struct tn_wb_promotion again;
	struct tn_arena arena;
	bool says;

	tn_arena_init(&arena, TN_MIB);
	tn_wb_promote(tree, tag, name, value, &arena, &again);
	says = !again.code && again.is_nothing;
	tn_arena_finish(&arena);
	return says;
}
