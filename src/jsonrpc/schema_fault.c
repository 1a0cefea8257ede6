/* The sentences. Their readers are language models as often as people: each names the place, what
 * is wrong there, and what to send instead. What came from outside is cut and cleaned, because the
 * sentence may end up on a terminal. */
#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_pointer.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema_node.h"

enum { QUOTED_MAX = 60, LISTED_MAX = 10, NAME_MAX_NEAR = 64 };

struct text { /* fixed memory; what does not fit is cut */
	char *data;
	size_t size, capacity;
};

static void put(struct text *out, struct tn_str part)
{
	part = tn_utf8_cut(part, out->capacity - out->size);
	if (part.size)
		memcpy(out->data + out->size, part.data, part.size);
	out->size += part.size;
}

static void put_text(struct text *out, const char *part)
{
	put(out, tn_str_from(part));
}

static void put_clean(struct text *out, struct tn_str part, size_t max)
{
	struct tn_str cut = tn_utf8_cut(part, max);

	for (size_t at = 0; at < cut.size;) {
		uint32_t code;
		size_t length = tn_utf8_decode(cut.data + at, cut.size - at, &code);

		if (length == 0 || tn_utf8_look(code) >= TN_UTF8_TURN)
			put_text(out, "?");
		else
			put(out, tn_str(cut.data + at, length));
		at += length ? length : 1;
	}
	if (cut.size < part.size)
		put_text(out, "...");
}

static void put_quoted(struct text *out, struct tn_str part)
{
	put_text(out, "\"");
	put_clean(out, part, QUOTED_MAX);
	put_text(out, "\"");
}

static const char *with_article(const char *type)
{
	static const char *const names[][2] = {
		{"string", "a string"},   {"integer", "an integer"}, {"number", "a number"},
		{"boolean", "a boolean"}, {"array", "an array"},     {"object", "an object"},
		{"null", "null"},
	};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(names[i][0], type) == 0)
			return names[i][1];
	}
	return type;
}

static void put_value(struct text *out, const struct tn_json *value)
{
	switch (value->type) {
	case TN_JSON_STRING:
		put_quoted(out, value->text);
		break;
	case TN_JSON_NUMBER:
		put_clean(out, value->text, QUOTED_MAX);
		break;
	case TN_JSON_TRUE:
		put_text(out, "true");
		break;
	case TN_JSON_FALSE:
		put_text(out, "false");
		break;
	default:
		put_text(out, with_article(tn_json_type_name(value)));
	}
}

static void put_types(struct text *out, uint8_t types)
{
	static const struct {
		uint8_t bit;
		const char *name;
	} names[] = {
		{TN_SCHEMA_STRING, "a string"},    {TN_SCHEMA_NUMBER, "a number"},
		{TN_SCHEMA_INTEGER, "an integer"}, {TN_SCHEMA_BOOLEAN, "a boolean"},
		{TN_SCHEMA_ARRAY, "an array"},     {TN_SCHEMA_OBJECT, "an object"},
		{TN_SCHEMA_NULL, "null"},
	};
	bool any = false;

	if (types & TN_SCHEMA_NUMBER)
		types &= (uint8_t)~TN_SCHEMA_INTEGER; /* a number may be an integer */
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (!(types & names[i].bit))
			continue;
		put_text(out, any ? " or " : "");
		put_text(out, names[i].name);
		any = true;
	}
}

/* ---- paths ---- */

static bool is_plain_key(struct tn_str key)
{
	if (key.size == 0 || tn_is_digit(key.data[0]))
		return false;
	for (size_t i = 0; i < key.size; i++) {
		char c = key.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-' && c != '$')
			return false;
	}
	return true;
}

static void put_step(struct text *out, const struct tn_schema_spot *spot)
{
	char index[24];

	if (spot->in_array) {
		(void)snprintf(index, sizeof(index), "[%u]", spot->index);
		put_text(out, index);
	} else if (is_plain_key(spot->value->key)) {
		put_text(out, spot->up->up ? "." : "");
		put_clean(out, spot->value->key, QUOTED_MAX);
	} else {
		put_text(out, "[");
		put_quoted(out, spot->value->key);
		put_text(out, "]");
	}
}

/* Written from the end, as the spots are linked; what does not fit is the front. */
static void write_path(const struct tn_schema_run *run, const struct tn_schema_spot *spot,
		       char out[TN_SCHEMA_PATH_SIZE])
{
	char step_data[QUOTED_MAX + 16];
	size_t at = TN_SCHEMA_PATH_SIZE - 1;

	if (spot->is_name)
		spot = spot->up;
	out[at] = '\0';
	for (; spot->up; spot = spot->up) {
		struct text step = {step_data, 0, sizeof(step_data)};

		put_step(&step, spot);
		if (step.size + 3 > at) {
			at -= 3;
			memcpy(out + at, "...", 3);
			break;
		}
		at -= step.size;
		memcpy(out + at, step.data, step.size);
	}
	memmove(out, out + at, TN_SCHEMA_PATH_SIZE - at);
	if (out[0] == '\0')
		(void)snprintf(out, TN_SCHEMA_PATH_SIZE, "%s",
			       run->faults->root ? run->faults->root : "the value");
}

/* Up to where the member goes that stands in quotes: a quote in its name does not end it. */
static size_t quoted_size(struct tn_str rest)
{
	for (size_t at = 2; at + 1 < rest.size; at++) {
		bool is_last = at + 2 == rest.size;

		if (rest.data[at] == '"' && rest.data[at + 1] == ']' &&
		    (is_last || rest.data[at + 2] == '.' || rest.data[at + 2] == '['))
			return at + 2;
	}
	return rest.size;
}

/* Up to the next member or element; a name that was cut ends with three dots of its own. */
static size_t plain_size(struct tn_str rest, size_t start)
{
	size_t end = start;

	while (end < rest.size && rest.data[end] != '[') {
		bool is_cut = tn_str_starts(tn_str_from_offset(rest, end), TN_STR("..."));

		if (rest.data[end] == '.' && !is_cut)
			break;
		end += is_cut ? 3 : 1;
	}
	return end;
}

/* Takes one step of a path, as put_step wrote it. */
static struct tn_str take_step(struct tn_str *rest)
{
	struct tn_str step;
	size_t end;

	if (tn_str_starts(*rest, TN_STR("[\""))) {
		end = quoted_size(*rest);
		step = tn_str(rest->data + 2, end < 4 ? 0 : end - 4);
	} else if (rest->data[0] == '[') {
		end = tn_str_find_byte(*rest, ']');
		end = end == TN_STR_NONE ? rest->size : end;
		step = tn_str(rest->data + 1, end - 1);
		end++;
	} else {
		size_t start = rest->data[0] == '.';

		end = plain_size(*rest, start);
		step = tn_str(rest->data + start, end - start);
	}
	*rest = tn_str_from_offset(*rest, end);
	return step;
}

bool tn_schema_put_pointer(struct tn_buf *out, const char *path, const char *root)
{
	struct tn_str rest = tn_str_from(path), name = tn_str_from(root);

	if (tn_str_starts(rest, TN_STR("...")))
		return false;
	if (tn_str_starts(rest, name) &&
	    (rest.size == name.size || rest.data[name.size] == '.' || rest.data[name.size] == '['))
		rest = tn_str_from_offset(rest, name.size);
	while (rest.size)
		tn_json_pointer_push(out, take_step(&rest));
	return true;
}

/* ---- a fault ---- */

/* NULL: nothing is to be told, or no more. */
static struct tn_schema_fault *begin(struct tn_schema_run *run, const struct tn_schema_spot *spot,
				     const char *keyword, struct text *ret_text)
{
	struct tn_schema_fault *fault;

	if (run->quiet || !run->faults)
		return NULL;
	if (run->faults->count == TN_SCHEMA_FAULTS_MAX) {
		run->faults->more++;
		return NULL;
	}
	fault = &run->faults->items[run->faults->count++];
	fault->keyword = keyword;
	write_path(run, spot, fault->path);
	*ret_text = (struct text){fault->message, 0, sizeof(fault->message) - 1};
	put_text(ret_text, fault->path);
	put_text(ret_text, spot->is_name ? " (property name): " : ": ");
	return fault;
}

static void end(struct text *text)
{
	text->data[text->size] = '\0';
}

static TN_PRINTF(2, 0) void put_formatted(struct text *out, const char *format, va_list args)
{
	char line[256];

	(void)vsnprintf(line, sizeof(line), format, args); /* cut is fine */
	put_clean(out, tn_str_from(line), sizeof(line));
}

bool tn_schema_fault(struct tn_schema_run *run, const struct tn_schema_spot *spot,
		     const char *keyword, const char *format, ...)
{
	struct text text;
	va_list args;

	if (!begin(run, spot, keyword, &text))
		return false;
	va_start(args, format);
	put_formatted(&text, format, args);
	va_end(args);
	end(&text);
	return false;
}

bool tn_schema_stop(struct tn_schema_run *run, const struct tn_schema_spot *spot,
		    enum tenon_code code, const char *keyword, const char *format, ...)
{
	struct text text;
	va_list args;

	if (run->stop != TENON_OK)
		return false;
	run->stop = code;
	run->quiet = false; /* this one is told, wherever it happens */
	if (run->faults && run->faults->count == TN_SCHEMA_FAULTS_MAX) {
		run->faults->count--;
		run->faults->more++;
	}
	if (!begin(run, spot, keyword, &text))
		return false;
	va_start(args, format);
	put_formatted(&text, format, args);
	va_end(args);
	end(&text);
	return false;
}

bool tn_schema_fault_about(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			   const char *keyword, struct tn_str wanted, const char *what)
{
	struct text text;

	if (!begin(run, spot, keyword, &text))
		return false;
	put_text(&text, what);
	put_text(&text, " ");
	put_clean(&text, wanted, 2 * QUOTED_MAX);
	put_text(&text, ", got ");
	put_value(&text, spot->value);
	end(&text);
	return false;
}

/* ---- types ---- */

static bool looks_like(struct tn_str text, uint8_t types)
{
	char first = text.size ? text.data[0] : '\0';

	if (types & (TN_SCHEMA_NUMBER | TN_SCHEMA_INTEGER))
		return tn_is_digit(first) || first == '-';
	if (types & TN_SCHEMA_BOOLEAN)
		return tn_str_is(text, "true") || tn_str_is(text, "false");
	return false;
}

static const char *type_hint(const struct tn_json *value, uint8_t types)
{
	if (value->type != TN_JSON_STRING)
		return "";
	if (looks_like(value->text, types))
		return "; send it without quotes";
	if (((types & TN_SCHEMA_OBJECT) && tn_str_starts(value->text, TN_STR("{"))) ||
	    ((types & TN_SCHEMA_ARRAY) && tn_str_starts(value->text, TN_STR("["))))
		return "; send the JSON itself, not a string that contains it";
	return "";
}

bool tn_schema_fault_type(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			  uint8_t types)
{
	struct text text;

	if (!begin(run, spot, "type", &text))
		return false;
	put_text(&text, "expected ");
	put_types(&text, types);
	put_text(&text, ", got ");
	if (spot->value->type == TN_JSON_NUMBER && (types & TN_SCHEMA_INTEGER))
		put_value(&text, spot->value);
	else
		put_text(&text, with_article(tn_json_type_name(spot->value)));
	put_text(&text, type_hint(spot->value, types));
	end(&text);
	return false;
}

/* ---- names that were nearly right ---- */

/* Letters and digits in lower case: plan_text, planText and plan-text are the same slip. */
static size_t fold(struct tn_str name, char out[NAME_MAX_NEAR])
{
	size_t size = 0;

	for (size_t i = 0; i < name.size && size < NAME_MAX_NEAR; i++) {
		if (name.data[i] != '_' && name.data[i] != '-' && name.data[i] != ' ')
			out[size++] = tn_to_lower(name.data[i]);
	}
	return size;
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Edits (insert, remove, replace) between the folded names. */
static size_t distance(struct tn_str a, struct tn_str b)
{
	char x[NAME_MAX_NEAR], y[NAME_MAX_NEAR];
	size_t row[NAME_MAX_NEAR + 1], x_size = fold(a, x), y_size = fold(b, y);

	for (size_t j = 0; j <= y_size; j++)
		row[j] = j;
	for (size_t i = 1; i <= x_size; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= y_size; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1, corner + (x[i - 1] != y[j - 1]));
			corner = above;
		}
	}
	return row[y_size];
}

static bool is_nearer(struct tn_str wanted, struct tn_str candidate, size_t *best)
{
	size_t edits, shorter = wanted.size < candidate.size ? wanted.size : candidate.size;

	if (wanted.size > NAME_MAX_NEAR || candidate.size > NAME_MAX_NEAR)
		return false;
	edits = distance(wanted, candidate);
	if (edits >= *best || edits > shorter / 3)
		return false;
	*best = edits;
	return true;
}

static void put_guess(struct text *out, struct tn_str guess)
{
	put_text(out, "; did you mean ");
	put_quoted(out, guess);
	put_text(out, "?");
}

/* ---- values ---- */

static void put_list(struct text *out, const struct tn_json *values)
{
	uint32_t told = 0;

	for (const struct tn_json *v = values->first; v; v = v->next, told++) {
		if (told == LISTED_MAX || out->size + QUOTED_MAX > out->capacity) {
			char rest[40];

			(void)snprintf(rest, sizeof(rest), " and %u more", values->count - told);
			put_text(out, rest);
			return;
		}
		put_text(out, told ? ", " : "");
		put_value(out, v);
	}
}

static void put_near_value(struct text *out, const struct tn_json *values,
			   const struct tn_json *value)
{
	struct tn_str guess = {NULL, 0};
	size_t best = NAME_MAX_NEAR;

	if (value->type != TN_JSON_STRING)
		return;
	for (const struct tn_json *v = values->first; v; v = v->next) {
		if (v->type == TN_JSON_STRING && is_nearer(value->text, v->text, &best))
			guess = v->text;
	}
	if (guess.data)
		put_guess(out, guess);
}

bool tn_schema_fault_value(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			   const struct tn_schema_node *node)
{
	bool constant = node->constant && !tn_json_equal(node->constant, spot->value);
	struct text text;

	if (!begin(run, spot, constant ? "const" : "enum", &text))
		return false;
	if (constant) {
		put_text(&text, "must be ");
		put_value(&text, node->constant);
		put_text(&text, ", got ");
		put_value(&text, spot->value);
	} else {
		put_value(&text, spot->value);
		put_text(&text, " is not one of ");
		put_list(&text, node->values);
		put_near_value(&text, node->values, spot->value);
	}
	end(&text);
	return false;
}

/* ---- properties ---- */

/* What a schema asks for in a few words; nothing when it cannot be said shortly. */
static void put_wanted(struct text *out, const char *before, const struct tn_schema_node *node)
{
	while (node && !node->types && !node->values && !node->constant && node->logic)
		node = node->logic->ref;
	if (!node || (!node->types && !node->values && !node->constant))
		return;
	put_text(out, before);
	if (node->constant) {
		put_value(out, node->constant);
	} else if (node->values) {
		put_text(out, "one of ");
		put_list(out, node->values);
	} else {
		put_types(out, node->types);
	}
}

bool tn_schema_fault_missing(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			     struct tn_str name, const struct tn_schema_node *node)
{
	const struct tn_json absent = {.key = name};
	const struct tn_schema_spot member = {.up = spot, .value = &absent};
	struct text text;

	if (!begin(run, &member, "required", &text))
		return false;
	put_text(&text, "required but missing");
	put_wanted(&text, "; send ", node);
	end(&text);
	return false;
}

bool tn_schema_fault_dependent(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			       struct tn_str name, struct tn_str trigger)
{
	const struct tn_json absent = {.key = name};
	const struct tn_schema_spot member = {.up = spot, .value = &absent};
	struct text text;

	if (!begin(run, &member, "dependentRequired", &text))
		return false;
	put_text(&text, "missing; it is needed together with ");
	put_quoted(&text, trigger);
	end(&text);
	return false;
}

static void put_known(struct text *out, const struct tn_schema_object *known)
{
	uint32_t told = 0;

	for (uint32_t i = 0; i < known->properties_count; i++) {
		const struct tn_schema_property *property = &known->properties[i];

		if (!property->node || property->node->kind == TN_SCHEMA_NEVER)
			continue;
		if (told == LISTED_MAX || out->size + QUOTED_MAX > out->capacity) {
			put_text(out, ", ...");
			return;
		}
		put_text(out, told++ ? ", " : "; known are ");
		put_quoted(out, property->name);
	}
	if (told == 0)
		put_text(out, "; leave it out");
}

bool tn_schema_fault_unknown(struct tn_schema_run *run, const struct tn_schema_spot *member,
			     const char *keyword, const struct tn_schema_object *known)
{
	struct tn_str guess = {NULL, 0};
	size_t best = NAME_MAX_NEAR;
	struct text text;

	if (!begin(run, member, keyword, &text))
		return false;
	put_text(&text, "unknown property");
	for (uint32_t i = 0; i < known->properties_count; i++) {
		const struct tn_schema_property *property = &known->properties[i];

		if (property->node && is_nearer(member->value->key, property->name, &best))
			guess = property->name;
	}
	if (guess.data)
		put_guess(&text, guess);
	else
		put_known(&text, known);
	end(&text);
	return false;
}

/* ---- alternatives ---- */

/* What tells an object of this kind from others: members pinned to a constant, or else those it
 * must have. */
static void put_shape(struct text *out, const struct tn_schema_object *rules)
{
	bool pinned = false;
	uint32_t told = 0;

	for (uint32_t i = 0; i < rules->properties_count; i++)
		pinned |= rules->properties[i].node && rules->properties[i].node->constant;
	for (uint32_t i = 0; i < rules->properties_count && told < 3; i++) {
		const struct tn_schema_property *property = &rules->properties[i];
		bool constant = property->node && property->node->constant;

		if (pinned ? !constant : !property->required)
			continue;
		put_text(out, told++ ? " and " : " with ");
		put_quoted(out, property->name);
		if (!constant)
			continue;
		put_text(out, ": ");
		put_value(out, property->node->constant);
	}
}

static const struct tn_schema_node *described(const struct tn_schema_node *node)
{
	while (node && !node->types && !node->object && node->logic)
		node = node->logic->ref;
	return node;
}

bool tn_schema_fault_none(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			  const char *keyword, const struct tn_schema_list *list)
{
	struct text text;

	if (!begin(run, spot, keyword, &text))
		return false;
	put_value(&text, spot->value);
	put_text(&text, " fits none of the allowed forms");
	for (uint32_t i = 0; i < list->count && i < LISTED_MAX; i++) {
		const struct tn_schema_node *node = described(list->nodes[i]);

		put_wanted(&text, i ? ", " : ": ", list->nodes[i]);
		if (node && (node->types & TN_SCHEMA_OBJECT) && node->object)
			put_shape(&text, node->object);
	}
	end(&text);
	return false;
}

void tn_schema_faults_write(const struct tn_schema_faults *faults, struct tn_buf *out)
{
	for (uint32_t i = 0; i < faults->count; i++) {
		tn_buf_append_text(out, i ? "; " : "");
		tn_buf_append_text(out, faults->items[i].message);
	}
	if (faults->more)
		tn_buf_format(out, "; and %u more", faults->more);
}
