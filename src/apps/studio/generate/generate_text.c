/* generate_text.c - texts with placeholders: {"text":"{name}-nic"} and names of variables
 * (studio.md 5.4).
 *
 * Neighbouring pieces are put together before they are escaped: "$" at the end of one and "{" at
 * the start of the next would be an interpolation otherwise. */
#include "apps/studio/generate/internal.h"

#include "apps/studio/limits.h"
#include "base/utf8.h"

struct text { /* being put together */
	struct tn_studio_eval *eval;
	struct tn_buf literal; /* since the last interpolation, not escaped */
	struct tn_buf out;     /* what came before, as it is printed */
	struct tn_str only;    /* the interpolation, if it is the only piece */
	unsigned pieces;
	bool placeholder; /* there was one */
};

static void flush(struct text *text, bool interpolation_follows)
{
	struct tn_str literal = tn_buf_str(&text->literal);
	bool dollar = interpolation_follows && tn_str_ends(literal, TN_STR("$"));
	if (literal.size == 0)
		return;
	struct tn_buf quoted;
	literal.size -= dollar;
	tn_buf_init(&quoted, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_put_hcl_string(&quoted, literal);
	if (quoted.size >= 2)
		tn_buf_append(&text->out, quoted.data + 1, quoted.size - 2);
	if (dollar) /* "$${" would be no interpolation */
		tn_buf_append_text(&text->out, "\\u0024");
	tn_buf_inherit_failure(&text->out, &quoted);
	tn_buf_finish(&quoted);
	tn_buf_clear(&text->literal);
	text->pieces++;
}

static void interpolate(struct text *text, struct tn_str expression)
{
	flush(text, true);
	tn_buf_append_text(&text->out, "${");
	tn_buf_append_str(&text->out, expression);
	tn_buf_append_text(&text->out, "}");
	text->only = expression;
	text->pieces++;
}

/* Lower case, and everything else but a-z 0-9 - becomes -: one for each character. */
static void append_dns(struct tn_buf *out, struct tn_str text)
{
	for (size_t at = 0; at < text.size;) {
		uint32_t code;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);
		char c = tn_to_lower(text.data[at]);
		bool good = (c >= 'a' && c <= 'z') || tn_is_digit(c);
		tn_buf_append_byte(out, good ? c : '-');
		at += size ? size : 1;
	}
}

static void append_dashed(struct tn_buf *out, struct tn_str text)
{
	for (size_t at = 0; at < text.size; at++)
		tn_buf_append_byte(out, text.data[at] == '_' ? '-' : text.data[at]);
}

static void append_filtered(struct tn_buf *out, struct tn_str value, struct tn_str filter)
{
	if (tn_str_is(filter, "dns"))
		append_dns(out, value);
	else if (tn_str_is(filter, "dash"))
		append_dashed(out, value);
	else
		tn_buf_append_str(out, value);
}

static struct tn_str scalar_text(struct tn_studio_eval *eval, const struct tn_json *value)
{
	if (!value || value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT ||
	    value->type == TN_JSON_NULL)
		return tn_str("", 0);
	if (value->type == TN_JSON_STRING)
		return value->text;
	struct tn_studio_hcl_value *printed = tn_studio_hcl_literal(eval->gen->arena, value);
	return printed ? printed->text : tn_str("", 0);
}

static void append_property(struct text *text, struct tn_studio_eval *eval, struct tn_str key,
			    struct tn_str filter)
{
	const struct tn_studio_property *property = tn_studio_eval_find(eval, key);
	struct tn_studio_hcl_value *value =
		property ? tn_studio_eval_property(eval, property, tn_str("", 0)) : NULL;
	if (value && value->kind == TN_STUDIO_HCL_ATOM &&
	    tn_str_starts(value->text, TN_STR("var."))) {
		struct tn_str expression = value->text;
		if (tn_str_is(filter, "dns"))
			expression = tn_studio_gen_format(
				eval->gen, "lower(replace(%.*s, \"/[^0-9A-Za-z-]/\", \"-\"))",
				(int)expression.size, expression.data);
		interpolate(text, expression);
		return;
	}
	if (value)
		append_filtered(&text->literal,
				scalar_text(eval, tn_studio_value(&eval->scope, property)), filter);
}

static void append_source_name(struct text *text, struct tn_str filter)
{
	struct tn_studio_eval inner = tn_studio_eval_of(text->eval->gen, text->eval->source, NULL);
	size_t before = text->literal.size + text->out.size;
	append_property(text, &inner, TN_STR("name"), filter);
	if (text->literal.size + text->out.size == before) /* it has none */
		append_dashed(&text->literal,
			      tn_studio_gen_node(text->eval->gen, text->eval->source)->own);
}

static void append_placeholder(struct text *text, struct tn_str name, struct tn_str filter)
{
	struct tn_studio_eval *eval = text->eval;
	text->placeholder = true;
	if (eval->source && tn_str_is(name, "source"))
		append_filtered(&text->literal, tn_studio_gen_node(eval->gen, eval->source)->own,
				filter);
	else if (eval->source && tn_str_is(name, "source.name"))
		append_source_name(text, filter);
	else if (eval->source && tn_str_is(name, "output"))
		append_filtered(&text->literal, eval->output->key, filter);
	else if (eval->node && tn_str_is(name, "self"))
		append_filtered(&text->literal, tn_studio_gen_node(eval->gen, eval->node)->own,
				filter);
	else if (eval->scope.item && tn_str_is(name, "item"))
		append_filtered(&text->literal,
				scalar_text(eval, tn_studio_eval_item_field(eval, tn_str("", 0))),
				filter);
	else if (eval->scope.item && tn_str_starts(name, TN_STR("item.")))
		append_filtered(&text->literal,
				scalar_text(eval, tn_studio_eval_item_field(
							  eval, tn_str_from_offset(name, 5))),
				filter);
	else
		append_property(text, eval, name, filter);
}

static bool is_placeholder(struct tn_str inside)
{
	for (size_t i = 0; i < inside.size; i++) {
		char c = inside.data[i];
		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '.' && c != ':')
			return false;
	}
	return inside.size > 0;
}

static void read_pattern(struct text *text, struct tn_str pattern)
{
	size_t at = 0;
	while (at < pattern.size) {
		struct tn_str rest = tn_str_from_offset(pattern, at);
		size_t end = rest.data[0] == '{' ? tn_str_find_byte(rest, '}') : TN_STR_NONE;
		struct tn_str inside = tn_str(rest.data + 1, end == TN_STR_NONE ? 0 : end - 1);
		if (!is_placeholder(inside)) {
			tn_buf_append_byte(&text->literal, rest.data[0]);
			at++;
			continue;
		}
		size_t colon = tn_str_find_byte(inside, ':');
		struct tn_str filter = tn_str("", 0);
		if (colon != TN_STR_NONE) {
			filter = tn_str_from_offset(inside, colon + 1);
			inside.size = colon;
		}
		append_placeholder(text, inside, filter);
		at += end + 1;
	}
}

static void text_init(struct text *text, struct tn_studio_eval *eval)
{
	*text = (struct text){.eval = eval};
	tn_buf_init(&text->literal, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text->out, TN_STUDIO_RESULT_BYTES_MAX);
}

static void text_finish(struct text *text)
{
	if (text->literal.starved || text->out.starved)
		text->eval->gen->full = true;
	tn_buf_finish(&text->literal);
	tn_buf_finish(&text->out);
}

struct tn_studio_hcl_value *tn_studio_eval_text(struct tn_studio_eval *eval,
						const struct tn_json *expr)
{
	struct text text;
	struct tn_str pattern = tn_str("", 0);
	struct tn_studio_hcl_value *value = NULL;
	(void)tn_json_to_str(tn_json_get(expr, "text"), &pattern); /* absent is empty */
	text_init(&text, eval);
	read_pattern(&text, pattern);
	if (text.pieces == 0) { /* no interpolation */
		if (text.literal.size || !text.placeholder)
			value = tn_studio_hcl_string(eval->gen->arena, tn_buf_str(&text.literal));
	} else if (text.pieces == 1 && text.literal.size == 0) {
		value = tn_studio_hcl_atom(eval->gen->arena, text.only);
	} else {
		flush(&text, false);
		struct tn_str whole = tn_studio_gen_format(eval->gen, "\"%.*s\"",
							   (int)text.out.size, text.out.data);
		value = tn_studio_hcl_atom(eval->gen->arena, whole);
	}
	text_finish(&text);
	return value;
}

struct tn_str tn_studio_eval_name(struct tn_studio_eval *eval, struct tn_str pattern)
{
	struct tn_str name = tn_str("", 0);
	struct tn_buf out;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t at = 0; at < pattern.size;) {
		struct tn_str rest = tn_str_from_offset(pattern, at);
		size_t end = rest.data[0] == '{' ? tn_str_find_byte(rest, '}') : TN_STR_NONE;
		struct tn_str inside = tn_str(rest.data + 1, end == TN_STR_NONE ? 0 : end - 1);
		if (tn_str_is(inside, "self")) {
			tn_buf_append_str(&out, tn_studio_gen_node(eval->gen, eval->node)->own);
		} else if (tn_str_starts(inside, TN_STR("item"))) {
			struct tn_str value = scalar_text(
				eval, tn_studio_eval_item_field(
					      eval, tn_str_from_offset(inside, strlen("item."))));
			for (size_t i = 0; i < value.size; i++) {
				char c = tn_to_lower(value.data[i]);
				bool good = (c >= 'a' && c <= 'z') || tn_is_digit(c);
				tn_buf_append_byte(&out, good ? c : '_');
			}
		} else {
			tn_buf_append_byte(&out, rest.data[0]);
			end = 0;
		}
		at += end + 1;
	}
	if (!out.failed && out.size)
		name = tn_studio_hcl_identifier(
			eval->gen->arena,
			tn_str(tn_arena_copy(eval->gen->arena, tn_buf_str(&out)), out.size));
	tn_buf_finish(&out);
	return name;
}
