#include "jsonrpc/uri_template.h"

#include "base/limits.h"
#include "base/mem.h"

enum { PARTS_MAX = 64 };

/* One stretch of a template: literal text (op 0) or an expression. */
struct part {
	char op;            /* 0: literal; ' ': simple; else one of + # . / ? & ; */
	struct tn_str text; /* the literal, or what stands between the braces */
	struct tn_str names[TN_URI_TEMPLATE_VARIABLES_MAX];
	unsigned name_count;
	bool explode; /* of the last name */
	bool prefix;  /* a :n was given: such a variable can be expanded, not matched */
};

struct tn_uri_template {
	char *text;
	struct part *parts;
	unsigned part_count;
	unsigned variable_count;
};

/* ---- compiling ---- */

static bool is_name(struct tn_str name)
{
	if (name.size == 0)
		return false;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '.' && c != '%' &&
		    c != '-')
			return false;
	}
	return true;
}

static enum tenon_code add_name(struct part *part, struct tn_str name, struct tenon_error *err)
{
	size_t colon = tn_str_find_byte(name, ':');

	part->explode = name.size && name.data[name.size - 1] == '*';
	if (part->explode)
		name.size--;
	if (colon != TN_STR_NONE && !part->explode) {
		uint64_t length;

		if (!tn_str_to_uint(tn_str_from_offset(name, colon + 1), &length) || length == 0 ||
		    length > 9999)
			return tn_fail(err, TENON_INVALID, "URI template: a prefix is 1 to 9999");
		part->prefix = true;
		name.size = colon;
	}
	if (!is_name(name))
		return tn_fail(err, TENON_INVALID, "URI template: \"%.*s\" is no variable name",
			       name.size > 60 ? 60 : (int)name.size, name.data);
	part->names[part->name_count++] = name;
	return TENON_OK;
}

static enum tenon_code parse_expression(struct tn_uri_template *t, struct part *part,
					struct tn_str inner, struct tenon_error *err)
{
	part->op = ' ';
	if (inner.size && strchr("+#./?&;", inner.data[0])) {
		part->op = inner.data[0];
		inner = tn_str_from_offset(inner, 1);
	}
	for (;;) {
		size_t comma = tn_str_find_byte(inner, ',');
		enum tenon_code code;

		if (t->variable_count++ == TN_URI_TEMPLATE_VARIABLES_MAX)
			return tn_fail(err, TENON_LIMIT, "URI template: more than %d variables",
				       TN_URI_TEMPLATE_VARIABLES_MAX);
		code = add_name(part, comma == TN_STR_NONE ? inner : tn_str(inner.data, comma),
				err);
		if (code != TENON_OK || comma == TN_STR_NONE)
			return code;
		inner = tn_str_from_offset(inner, comma + 1);
	}
}

static enum tenon_code parse_part(struct tn_uri_template *t, struct tn_str *rest,
				  struct tenon_error *err)
{
	struct part *part = &t->parts[t->part_count]; /* one spare exists */
	size_t brace = tn_str_find_byte(*rest, '{');
	size_t end;

	if (t->part_count++ == PARTS_MAX)
		return tn_fail(err, TENON_LIMIT, "URI template: more than %d parts", PARTS_MAX);
	if (brace != 0) {
		part->text = brace == TN_STR_NONE ? *rest : tn_str(rest->data, brace);
		if (tn_str_find_byte(part->text, '}') != TN_STR_NONE)
			return tn_fail(err, TENON_INVALID, "URI template: a } without its {");
		*rest = tn_str_from_offset(*rest, part->text.size);
		return TENON_OK;
	}
	end = tn_str_find_byte(*rest, '}');
	if (end == TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "URI template: a { without its }");
	part->text = tn_str(rest->data + 1, end - 1);
	*rest = tn_str_from_offset(*rest, end + 1);
	return parse_expression(t, part, part->text, err);
}

enum tenon_code tn_uri_template_compile(struct tn_str text, struct tn_uri_template **ret,
					struct tenon_error *err)
{
	struct tn_uri_template *t;
	struct tn_str rest;
	enum tenon_code code = TENON_OK;

	if (text.size > TN_URI_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "URI template: longer than %zu bytes",
			       TN_URI_BYTES_MAX);
	t = tn_mem_alloc(sizeof(*t));
	if (!t)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	t->text = tn_mem_copy_text(text.data, text.size);
	t->parts = tn_mem_alloc_array(PARTS_MAX + 1, sizeof(*t->parts));
	if (!t->text || !t->parts)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	rest = tn_str(t->text, text.size);
	while (code == TENON_OK && rest.size)
		code = parse_part(t, &rest, err);
	if (code != TENON_OK) {
		tn_uri_template_free(t);
		return code;
	}
	*ret = t;
	return TENON_OK;
}

void tn_uri_template_free(struct tn_uri_template *t)
{
	if (!t)
		return;
	tn_mem_free(t->text);
	tn_mem_free(t->parts);
	tn_mem_free(t);
}

bool tn_uri_template_has(const struct tn_uri_template *t, struct tn_str name)
{
	for (unsigned i = 0; i < t->part_count; i++) {
		for (unsigned n = 0; n < t->parts[i].name_count; n++) {
			if (tn_str_equal(t->parts[i].names[n], name))
				return true;
		}
	}
	return false;
}

/* ---- matching ---- */

struct match {
	const struct tn_uri_template *pattern;
	struct tn_str rest; /* of the URI */
	struct tn_arena *arena;
	struct tn_uri_variable *variables;
	size_t count;
};

static int hex_value(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool add_variable(struct match *m, struct tn_str name, struct tn_str raw)
{
	char *value = tn_arena_alloc_raw(m->arena, raw.size + 1);
	size_t size = 0;

	if (!value)
		return false;
	for (size_t i = 0; i < raw.size; i++) {
		char c = raw.data[i];

		if (c == '%') {
			int high = raw.size - i > 2 ? hex_value(raw.data[i + 1]) : -1;
			int low = high >= 0 ? hex_value(raw.data[i + 2]) : -1;

			if (low < 0)
				return false;
			c = (char)(high << 4 | low);
			i += 2;
		}
		value[size++] = c;
	}
	value[size] = '\0';
	m->variables[m->count++] = (struct tn_uri_variable){name, tn_str(value, size)};
	return true;
}

static bool take_literal(struct match *m, struct tn_str text)
{
	if (!tn_str_starts(m->rest, text))
		return false;
	m->rest = tn_str_from_offset(m->rest, text.size);
	return true;
}

/* How far bytes reach that are none of `stops`. */
static size_t span(struct tn_str text, const char *stops)
{
	size_t i = 0;

	while (i < text.size && !strchr(stops, text.data[i]))
		i++;
	return i;
}

/* The literal that follows part `index`, up to its first stop. */
static struct tn_str next_literal(const struct match *m, unsigned index, const char *stops)
{
	const struct part *next =
		index + 1 < m->pattern->part_count ? &m->pattern->parts[index + 1] : NULL;

	if (!next || next->op)
		return tn_str("", 0);
	return tn_str(next->text.data, span(next->text, stops));
}

/* Length of the variable when `run` bytes are allowed: short of the literal that must follow. */
static size_t before_literal(struct tn_str rest, size_t run, struct tn_str literal)
{
	if (literal.size == 0)
		return run;
	for (size_t i = run; i > 0; i--) {
		if (tn_str_starts(tn_str_from_offset(rest, i), literal))
			return i;
	}
	return 0;
}

static bool take_run(struct match *m, unsigned index, struct tn_str name, const char *stops,
		     bool last)
{
	size_t run = span(m->rest, stops);
	struct tn_str literal = last ? next_literal(m, index, stops) : tn_str("", 0);
	size_t size = before_literal(m->rest, run, literal);

	if (size == 0 || !add_variable(m, name, tn_str(m->rest.data, size)))
		return false;
	m->rest = tn_str_from_offset(m->rest, size);
	return true;
}

/* {v}, {+v}, {#v}, {.v}, {/v}, and several names separated as the operator says. */
static bool take_path(struct match *m, unsigned index, const struct part *part)
{
	static const struct {
		char op;
		const char *first, *between, *stops, *explode_stops;
	} kinds[] = {
		{' ', "", ",", "/,?#", "/?#"}, {'+', "", ",", "", ""},
		{'#', "#", ",", "", ""},       {'.', ".", ".", "/,?#.", "/,?#"},
		{'/', "/", "/", "/?#", "?#"},
	};
	size_t k = 0;

	while (kinds[k].op != part->op)
		k++;
	for (unsigned n = 0; n < part->name_count; n++) {
		bool last = n + 1 == part->name_count;
		const char *separator = n ? kinds[k].between : kinds[k].first;

		if (!take_literal(m, tn_str_from(separator)) ||
		    !take_run(m, index, part->names[n],
			      last && part->explode ? kinds[k].explode_stops : kinds[k].stops,
			      last))
			return false;
	}
	return true;
}

static bool is_variable_of(const struct part *part, struct tn_str name)
{
	for (unsigned n = 0; n < part->name_count; n++) {
		if (tn_str_equal(part->names[n], name))
			return true;
	}
	return false;
}

/* {?a,b} and {&a,b}: pairs in any order, each at most once, any of them absent. */
static bool take_query(struct match *m, const struct part *part)
{
	char lead = part->op;

	for (unsigned n = 0; n < part->name_count; n++) {
		size_t equals, end;
		struct tn_str name;

		if (m->rest.size == 0 || m->rest.data[0] != lead)
			return true;
		equals = span(m->rest, "=#");
		if (equals >= m->rest.size || m->rest.data[equals] != '=')
			return false;
		name = tn_str(m->rest.data + 1, equals - 1);
		end = equals + 1 + span(tn_str_from_offset(m->rest, equals + 1), "&#");
		if (!is_variable_of(part, name) ||
		    !add_variable(m, name, tn_str(m->rest.data + equals + 1, end - equals - 1)))
			return false;
		m->rest = tn_str_from_offset(m->rest, end);
		lead = '&';
	}
	return true;
}

static bool take_part(struct match *m, unsigned index)
{
	const struct part *part = &m->pattern->parts[index];

	if (!part->op)
		return take_literal(m, part->text);
	if (part->prefix || part->op == ';')
		return false;
	if (part->op == '?' || part->op == '&')
		return take_query(m, part);
	return take_path(m, index, part);
}

bool tn_uri_template_match(const struct tn_uri_template *pattern, struct tn_str uri,
			   struct tn_arena *arena,
			   struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX],
			   size_t *ret_count)
{
	struct match m = {.pattern = pattern, .rest = uri, .arena = arena, .variables = variables};

	if (uri.size > TN_URI_BYTES_MAX)
		return false;
	for (unsigned i = 0; i < pattern->part_count; i++) {
		if (!take_part(&m, i))
			return false;
	}
	*ret_count = m.count;
	return m.rest.size == 0;
}
