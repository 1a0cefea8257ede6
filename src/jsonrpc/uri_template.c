#include "jsonrpc/uri_template.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"

/* RFC 6570 appendix A, and which bytes end a value while matching. */
static const struct operator
{
	char letter; /* ' ': none */
	const char *first, *separator;
	bool named;            /* name=value */
	bool empty_equals;     /* name= when the value is empty */
	bool reserved;         /* reserved characters pass unescaped */
	const char *stops;     /* of a plain variable */
	const char *all_stops; /* of an exploded one */
}
operators[] = {
	{' ', "", ",", false, false, false, "/,?#", "/?#"},
	{'+', "", ",", false, false, true, "", ""},
	{'#', "#", ",", false, false, true, "", ""},
	{'.', ".", ".", false, false, false, "/,?#", "/,?#"},
	{'/', "/", "/", false, false, false, "/?#", "?#"},
	{';', ";", ";", true, false, false, NULL, NULL},
	{'?', "?", "&", true, true, false, NULL, NULL},
	{'&', "&", "&", true, true, false, NULL, NULL},
};

struct name {
	struct tn_str text;
	uint32_t prefix; /* characters; 0: all */
	bool explode;
};

struct part {                      /* literal text, or an expression */
	const struct operator* op; /* NULL: literal */
	struct tn_str literal;
	uint32_t first_name, name_count;
};

struct tn_uri_template {
	char *text;
	struct part *parts;
	struct name *names;
	uint32_t part_count, name_count;
	bool matchable;
};

/* ---- compiling ---- */

static int hex_value(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_triplet(struct tn_str text, size_t at)
{
	return text.size - at >= 3 && text.data[at] == '%' && hex_value(text.data[at + 1]) >= 0 &&
	       hex_value(text.data[at + 2]) >= 0;
}

/* Letters, digits, _ and escapes, with single dots between; a minus too, which many write. */
static bool is_name(struct tn_str name)
{
	if (name.size == 0 || name.data[0] == '.' || name.data[name.size - 1] == '.')
		return false;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (is_triplet(name, i))
			i += 2;
		else if (c == '.' ? name.data[i + 1] == '.'
				  : !tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-')
			return false;
	}
	return true;
}

static enum tenon_code add_name(struct tn_uri_template *t, struct tn_str text,
				struct tenon_error *err)
{
	struct name *name = &t->names[t->name_count];
	size_t colon = tn_str_find_byte(text, ':');
	uint64_t prefix = 0;

	if (t->name_count++ == TN_URI_TEMPLATE_VARIABLES_MAX)
		return tn_fail(err, TENON_LIMIT, "URI template: more than %d variables",
			       TN_URI_TEMPLATE_VARIABLES_MAX);
	name->explode = text.size && text.data[text.size - 1] == '*';
	if (name->explode) {
		text.size--;
	} else if (colon != TN_STR_NONE) {
		if (!tn_str_to_uint(tn_str_from_offset(text, colon + 1), &prefix) || prefix == 0 ||
		    prefix > 9999)
			return tn_fail(err, TENON_INVALID, "URI template: a prefix is 1 to 9999");
		text.size = colon;
		t->matchable = false;
	}
	if (!is_name(text))
		return tn_fail(err, TENON_INVALID, "URI template: \"%.*s\" is no variable name",
			       text.size > 60 ? 60 : (int)text.size, text.data);
	name->text = text;
	name->prefix = (uint32_t)prefix;
	return TENON_OK;
}

static enum tenon_code parse_expression(struct tn_uri_template *t, struct part *part,
					struct tn_str inner, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	bool more = true;

	part->op = &operators[0];
	part->first_name = t->name_count;
	for (size_t i = 1; i < TN_COUNT(operators); i++) {
		if (inner.size && inner.data[0] == operators[i].letter)
			part->op = &operators[i];
	}
	if (part->op != &operators[0])
		inner = tn_str_from_offset(inner, 1);
	if (part->op->letter == ';')
		t->matchable = false;
	while (code == TENON_OK && more) {
		size_t comma = tn_str_find_byte(inner, ',');

		more = comma != TN_STR_NONE;
		code = add_name(t, more ? tn_str(inner.data, comma) : inner, err);
		if (more)
			inner = tn_str_from_offset(inner, comma + 1);
	}
	part->name_count = t->name_count - part->first_name;
	return code;
}

static enum tenon_code parse_part(struct tn_uri_template *t, struct tn_str *rest,
				  struct tenon_error *err)
{
	struct part *part = &t->parts[t->part_count++];
	size_t brace = tn_str_find_byte(*rest, '{'), end;
	struct tn_str inner;

	if (brace != 0) {
		part->literal = brace == TN_STR_NONE ? *rest : tn_str(rest->data, brace);
		if (tn_str_find_byte(part->literal, '}') != TN_STR_NONE)
			return tn_fail(err, TENON_INVALID, "URI template: a } without its {");
		*rest = tn_str_from_offset(*rest, part->literal.size);
		return TENON_OK;
	}
	end = tn_str_find_byte(*rest, '}');
	if (end == TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "URI template: a { without its }");
	inner = tn_str(rest->data + 1, end - 1);
	*rest = tn_str_from_offset(*rest, end + 1);
	return parse_expression(t, part, inner, err);
}

static size_t count_byte(struct tn_str text, char byte)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == byte;
	return count;
}

enum tenon_code tn_uri_template_compile(struct tn_str text, struct tn_uri_template **ret,
					struct tenon_error *err)
{
	size_t braces = count_byte(text, '{');
	struct tn_uri_template *t;
	struct tn_str rest;
	enum tenon_code code = TENON_OK;

	if (text.size > TN_URI_TEMPLATE_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "URI template: longer than %d bytes",
			       TN_URI_TEMPLATE_BYTES_MAX);
	if (braces > TN_URI_TEMPLATE_VARIABLES_MAX)
		return tn_fail(err, TENON_LIMIT, "URI template: more than %d variables",
			       TN_URI_TEMPLATE_VARIABLES_MAX);
	t = tn_mem_alloc(sizeof(*t));
	if (!t)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	t->matchable = true;
	t->text = tn_mem_copy_text(text.data, text.size);
	t->parts = tn_mem_alloc_array(2 * braces + 1, sizeof(*t->parts));
	t->names = tn_mem_alloc_array(TN_URI_TEMPLATE_VARIABLES_MAX + 1, sizeof(*t->names));
	if (!t->text || !t->parts || !t->names)
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
	tn_mem_free(t->names);
	tn_mem_free(t);
}

bool tn_uri_template_has(const struct tn_uri_template *t, struct tn_str name)
{
	for (uint32_t i = 0; i < t->name_count; i++) {
		if (tn_str_equal(t->names[i].text, name))
			return true;
	}
	return false;
}

/* ---- matching ---- */

/* For matching, a template is a row of steps. From the last to the first, it is noted for every
 * place in the URI whether the rest of the URI fits the rest of the steps (a bit each); then one
 * walk forwards, along places that can succeed, takes the values. */
enum step_kind { STEP_LITERAL, STEP_VALUE, STEP_QUERY };

struct step {
	enum step_kind kind;
	struct tn_str literal;
	const struct name *name; /* VALUE */
	const char *stops;       /* VALUE */
	const struct part *part; /* QUERY */
};

enum { STEPS_MAX = 3 * TN_URI_TEMPLATE_VARIABLES_MAX + 1 };

struct match {
	const struct tn_uri_template *pattern;
	struct tn_str uri;
	size_t question; /* where the first ? is */
	struct step steps[STEPS_MAX];
	size_t step_count;
	uint64_t *fits; /* step_count + 1 rows of `words` */
	size_t words;
	struct tn_arena *arena;
	struct tn_uri_variable *variables;
	size_t count;
};

static void add_step(struct match *m, struct step step)
{
	if (step.kind != STEP_LITERAL || step.literal.size)
		m->steps[m->step_count++] = step;
}

static void list_steps(struct match *m)
{
	const struct tn_uri_template *t = m->pattern;

	for (uint32_t i = 0; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];

		if (!part->op)
			add_step(m, (struct step){.kind = STEP_LITERAL, .literal = part->literal});
		else if (part->op->named)
			add_step(m, (struct step){.kind = STEP_QUERY, .part = part});
		for (uint32_t n = 0; part->op && !part->op->named && n < part->name_count; n++) {
			const struct name *name = &t->names[part->first_name + n];
			const char *before = n ? part->op->separator : part->op->first;

			add_step(m, (struct step){.kind = STEP_LITERAL,
						  .literal = tn_str_from(before)});
			add_step(m, (struct step){.kind = STEP_VALUE,
						  .name = name,
						  .stops = name->explode ? part->op->all_stops
									 : part->op->stops});
		}
	}
}

static bool get_bit(const struct match *m, size_t step, size_t at)
{
	return m->fits[step * m->words + at / 64] >> (at % 64) & 1;
}

static void set_bit(struct match *m, size_t step, size_t at)
{
	m->fits[step * m->words + at / 64] |= UINT64_C(1) << (at % 64);
}

static bool may_hold(const struct step *step, char c)
{
	return c && !strchr(step->stops, c);
}

static bool literal_at(const struct match *m, const struct step *step, size_t at)
{
	return m->uri.size - at >= step->literal.size &&
	       memcmp(m->uri.data + at, step->literal.data, step->literal.size) == 0;
}

/* One name=value of a query, behind its ? or &. */
struct pair {
	struct tn_str name, value;
	size_t end;
};

static bool read_pair(struct tn_str uri, size_t at, struct pair *ret)
{
	size_t equals, end;

	for (end = at; end < uri.size && uri.data[end] != '&' && uri.data[end] != '#'; end++)
		;
	for (equals = at; equals < end && uri.data[equals] != '='; equals++)
		;
	if (equals == end)
		return false;
	ret->name = tn_str(uri.data + at, equals - at);
	ret->value = tn_str(uri.data + equals + 1, end - equals - 1);
	ret->end = end;
	return true;
}

/* Where the query ends that starts at `at`: known names, each once, in any order. *pairs, when it
 * is not NULL, gets them; it has room for every name. */
static size_t query_end(const struct match *m, const struct part *part, size_t at,
			struct pair *pairs, uint32_t *ret_count)
{
	uint32_t seen = 0; /* a bit for each name of the part: there are at most 32 */
	char lead = part->op->letter;
	struct pair pair;

	*ret_count = 0;
	/* A query starts at the first question mark; trying at each would be quadratic. */
	if (lead == '?' && m->question != at)
		return at;
	while (at < m->uri.size && m->uri.data[at] == lead && read_pair(m->uri, at + 1, &pair)) {
		uint32_t n = 0;

		while (n < part->name_count &&
		       (seen >> n & 1 ||
			!tn_str_equal(m->pattern->names[part->first_name + n].text, pair.name)))
			n++;
		if (n == part->name_count)
			break;
		seen |= UINT32_C(1) << n;
		if (pairs)
			pairs[*ret_count] = pair;
		++*ret_count;
		at = pair.end;
		lead = '&';
	}
	return at;
}

static void mark_step(struct match *m, size_t index)
{
	const struct step *step = &m->steps[index];
	uint32_t count;

	for (size_t at = m->uri.size + 1; at-- > 0;) {
		bool fits;

		switch (step->kind) {
		case STEP_LITERAL:
			fits = at + step->literal.size <= m->uri.size &&
			       get_bit(m, index + 1, at + step->literal.size) &&
			       literal_at(m, step, at);
			break;
		case STEP_VALUE: /* one byte, and then the rest, or more of the value */
			fits = at < m->uri.size && may_hold(step, m->uri.data[at]) &&
			       (get_bit(m, index + 1, at + 1) || get_bit(m, index, at + 1));
			break;
		default:
			fits = get_bit(m, index + 1, query_end(m, step->part, at, NULL, &count));
		}
		if (fits)
			set_bit(m, index, at);
	}
}

static bool add_variable(struct match *m, const struct name *name, struct tn_str raw)
{
	char *value = tn_arena_alloc_raw(m->arena, raw.size + 1);
	size_t size = 0;

	if (!value)
		return false;
	for (size_t i = 0; i < raw.size; i++) {
		char c = raw.data[i];

		if (c == '%') {
			if (!is_triplet(raw, i))
				return false;
			c = (char)(hex_value(raw.data[i + 1]) << 4 | hex_value(raw.data[i + 2]));
			i += 2;
		}
		if (c == '\0') /* would end the value early for whoever reads it as C text */
			return false;
		value[size++] = c;
	}
	value[size] = '\0';
	m->variables[m->count++] = (struct tn_uri_variable){name->text, tn_str(value, size)};
	return true;
}

static const struct name *name_of(const struct match *m, const struct part *part,
				  struct tn_str text)
{
	const struct name *name = &m->pattern->names[part->first_name];

	while (!tn_str_equal(name->text, text))
		name++;
	return name;
}

static bool take_query(struct match *m, const struct part *part, size_t *at)
{
	struct pair pairs[TN_URI_TEMPLATE_VARIABLES_MAX];
	uint32_t count;

	*at = query_end(m, part, *at, pairs, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (!add_variable(m, name_of(m, part, pairs[i].name), pairs[i].value))
			return false;
	}
	return true;
}

static bool take_value(struct match *m, size_t index, size_t *at)
{
	const struct step *step = &m->steps[index];
	size_t longest = 0, start = *at;

	for (size_t i = start; i < m->uri.size && may_hold(step, m->uri.data[i]); i++) {
		if (get_bit(m, index + 1, i + 1))
			longest = i + 1 - start;
	}
	*at += longest;
	return add_variable(m, step->name, tn_str(m->uri.data + start, longest));
}

static bool take_steps(struct match *m)
{
	size_t at = 0;

	for (size_t i = 0; i < m->step_count; i++) {
		const struct step *step = &m->steps[i];

		if (step->kind == STEP_LITERAL)
			at += step->literal.size;
		else if (step->kind == STEP_VALUE ? !take_value(m, i, &at)
						  : !take_query(m, step->part, &at))
			return false;
	}
	return true;
}

bool tn_uri_template_match(const struct tn_uri_template *pattern, struct tn_str uri,
			   struct tn_arena *arena,
			   struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX],
			   size_t *ret_count)
{
	struct match m; /* its steps are written before they are read */
	bool matches;

	if (!pattern->matchable || uri.size > TN_URI_BYTES_MAX)
		return false;
	/* Most templates are told apart by how they begin. */
	if (pattern->part_count && !pattern->parts[0].op &&
	    !tn_str_starts(uri, pattern->parts[0].literal))
		return false;
	m.pattern = pattern;
	m.uri = uri;
	m.question = tn_str_find_byte(uri, '?');
	m.step_count = m.count = 0;
	m.arena = arena;
	m.variables = variables;
	list_steps(&m);
	m.words = uri.size / 64 + 1;
	m.fits = tn_mem_alloc_array((m.step_count + 1) * m.words, sizeof(*m.fits));
	if (!m.fits)
		return false;
	set_bit(&m, m.step_count, uri.size);
	for (size_t i = m.step_count; i-- > 0;)
		mark_step(&m, i);
	matches = get_bit(&m, 0, 0) && take_steps(&m);
	tn_mem_free(m.fits);
	if (matches)
		*ret_count = m.count;
	return matches;
}

/* ---- expanding ---- */

static bool is_unreserved(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || (c && strchr("-._~", c));
}

static bool is_reserved(char c)
{
	return c && strchr(":/?#[]@!$&'()*+,;=", c);
}

static void put_escaped(struct tn_buf *out, struct tn_str text, bool reserved)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		char escape[3] = {'%', hex[c >> 4], hex[c & 15]};

		if (is_unreserved(text.data[i]) ||
		    (reserved && (is_reserved(text.data[i]) || is_triplet(text, i))))
			tn_buf_append_byte(out, text.data[i]);
		else
			tn_buf_append(out, escape, 3);
	}
}

/* The first `count` characters; 0 stands for all. */
static struct tn_str prefix_of(struct tn_str text, uint32_t count)
{
	size_t at = 0;

	if (count == 0)
		return text;
	while (at < text.size && count-- > 0) {
		uint32_t code;
		size_t length = tn_utf8_decode(text.data + at, text.size - at, &code);

		at += length ? length : 1;
	}
	return tn_str(text.data, at);
}

struct expansion {
	const struct operator* op;
	struct tn_buf *out;
	bool started;
};

static void separate(struct expansion *e)
{
	tn_buf_append_text(e->out, e->started ? e->op->separator : e->op->first);
	e->started = true;
}

static void put_named(struct expansion *e, struct tn_str name, bool empty)
{
	put_escaped(e->out, name, true);
	if (!empty || e->op->empty_equals)
		tn_buf_append_byte(e->out, '=');
}

/* A text, or a list or pairs in one piece: joined by commas. */
static void put_joined(struct expansion *e, const struct name *name,
		       const struct tn_uri_value *value)
{
	size_t count = value->kind == TN_URI_TEXT ? 1 : value->count;

	separate(e);
	if (e->op->named)
		put_named(e, name->text, count == 1 && value->items[0].size == 0);
	for (size_t i = 0; i < count; i++) {
		struct tn_str item = value->items[i];

		if (i)
			tn_buf_append_byte(e->out, ',');
		if (value->kind == TN_URI_TEXT)
			item = prefix_of(item, name->prefix);
		put_escaped(e->out, item, e->op->reserved);
	}
}

static void put_exploded(struct expansion *e, const struct name *name,
			 const struct tn_uri_value *value)
{
	bool pairs = value->kind == TN_URI_PAIRS;

	for (size_t i = 0; i + pairs < value->count; i += pairs ? 2 : 1) {
		struct tn_str item = value->items[i + pairs];

		separate(e);
		if (e->op->named) {
			put_named(e, pairs ? value->items[i] : name->text, item.size == 0);
		} else if (pairs) {
			put_escaped(e->out, value->items[i], e->op->reserved);
			tn_buf_append_byte(e->out, '=');
		}
		put_escaped(e->out, item, e->op->reserved);
	}
}

static const struct tn_uri_value *find_value(const struct tn_uri_value *values, size_t count,
					     struct tn_str name)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i].count && tn_str_equal(values[i].name, name))
			return &values[i];
	}
	return NULL;
}

void tn_uri_template_expand(const struct tn_uri_template *t, const struct tn_uri_value *values,
			    size_t count, struct tn_buf *out)
{
	for (uint32_t i = 0; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];
		struct expansion e = {part->op, out, false};

		if (!part->op)
			put_escaped(out, part->literal, true);
		for (uint32_t n = 0; n < part->name_count; n++) {
			const struct name *name = &t->names[part->first_name + n];
			const struct tn_uri_value *value = find_value(values, count, name->text);

			if (!value)
				continue;
			if (name->explode && value->kind != TN_URI_TEXT)
				put_exploded(&e, name, value);
			else
				put_joined(&e, name, value);
		}
	}
}
