/* Writing clauses of a plan that is imported (floorplan.md 10.1). */
#include <stdarg.h>
#include <stdio.h>

#include "apps/floorplan/exchange/import.h"
#include "apps/floorplan/limits.h"
#include "base/utf8.h"

void tn_import_put(struct tn_import *in, const char *format, ...)
{
	char text[1024]; /* names are at most 128 bytes; longer texts go the other ways */
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tn_buf_append_text(&in->text, text);
}

void tn_import_put_number(struct tn_import *in, double number)
{
	tn_floor_put_number(&in->text, number);
}

void tn_import_put_string(struct tn_import *in, const struct tn_import_at *at, struct tn_str text)
{
	const bool has_double = tn_str_find_byte(text, '"') != TN_STR_NONE;
	const bool has_both = has_double && tn_str_find_byte(text, '\'') != TN_STR_NONE;
	const struct tn_str kept = tn_utf8_cut(text, TN_FLOOR_STRING_BYTES_MAX - 2);
	const char quote = has_double && !has_both ? '\'' : '"';

	if (kept.size < text.size)
		tn_import_warn(in, at, "the text is cut after %zu bytes", kept.size);
	if (has_both)
		tn_import_warn(in, at, "the text has both kinds of quotes; \" became '");
	if (tn_str_find_byte(kept, '\0') != TN_STR_NONE)
		tn_import_warn(in, at, "the text has a NUL, which became a blank");
	tn_buf_append_byte(&in->text, quote);
	for (size_t i = 0; i < kept.size; i++) {
		char c = kept.data[i];

		if (c == '\0')
			c = ' ';
		tn_buf_append_byte(&in->text, c == quote ? '\'' : c);
	}
	tn_buf_append_byte(&in->text, quote);
}

/* Six decimals are written; less than half of the last would be zero. */
static bool is_above_zero(struct tn_import *in, const struct tn_import_at *at, double number)
{
	if (number >= 0.5e-6)
		return true;
	tn_import_fault(in, at, "a number above zero is due here");
	return false;
}

bool tn_import_not_below_zero(struct tn_import *in, const struct tn_import_at *at, const char *key,
			      double number)
{
	const struct tn_import_at inner = {at, key, 0};

	if (number >= 0)
		return true;
	tn_import_fault(in, &inner, "a number that is not below zero is due here");
	return false;
}

void tn_import_put_measure(struct tn_import *in, const struct tn_json *object,
			   const struct tn_import_at *at, const char *key, const char *word,
			   bool positive)
{
	const struct tn_import_at inner = {at, key, 0};
	double number;

	if (!tn_import_number(in, object, at, key, &number))
		return;
	if ((positive && !is_above_zero(in, &inner, number)))
		return;
	tn_import_put(in, " %s ", word);
	tn_import_put_number(in, number);
}

bool tn_import_put_size(struct tn_import *in, const struct tn_json *object,
			const struct tn_import_at *at, const char *word, bool full)
{
	const struct tn_import_at wide = {at, "width", 0}, high = {at, "height", 0};
	double width = 0, height = 0;
	const bool has_width = tn_import_number(in, object, at, "width", &width);
	const bool has_height = tn_import_number(in, object, at, "height", &height);

	if (!tn_import_get(object, "width") && !tn_import_get(object, "height"))
		return false;
	if (has_width)
		(void)is_above_zero(in, &wide, width);
	else
		tn_import_need(in, object, at, "width");
	if (has_height && !full)
		(void)is_above_zero(in, &high, height);
	else if (!full)
		tn_import_need(in, object, at, "height");
	tn_import_put(in, " %s (", word);
	tn_import_put_number(in, width);
	tn_import_put(in, " x ");
	if (full)
		tn_import_put(in, "full");
	else
		tn_import_put_number(in, height);
	tn_import_put(in, ")");
	return true;
}

/* "z" is the y of the older shape. */
void tn_import_put_place(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at)
{
	double x, y;
	const char *down = tn_import_get(object, "y") ? "y" : "z";
	const bool has_x = tn_import_number(in, object, at, "x", &x);
	const bool has_y = tn_import_number(in, object, at, down, &y);

	if (tn_import_get(object, "relative") ||
	    (!tn_import_get(object, "x") && !tn_import_get(object, down)))
		return; /* x and y of the JSON say where it came to be */
	if (!has_x || !has_y) {
		tn_import_need(in, object, at, "x");
		if (!tn_import_get(object, down))
			tn_import_missing(in, at, "y");
		return;
	}
	tn_import_put(in, " at (");
	tn_import_put_number(in, x);
	tn_import_put(in, ",");
	tn_import_put_number(in, y);
	tn_import_put(in, ")");
}

static const char *const directions =
	"right-of left-of above below above-right-of above-left-of below-right-of below-left-of";

void tn_import_put_relative(struct tn_import *in, const struct tn_json *object,
			    const struct tn_import_at *at, const char *floor_scope,
			    const char *other_scope)
{
	const struct tn_import_at inner = {at, "relative", 0};
	const struct tn_json *relative = tn_import_get(object, "relative");
	struct tn_str direction, reference, align, name;
	double gap;

	if (!relative ||
	    !tn_import_object(in, relative, &inner, "direction reference gap align alignment"))
		return;
	tn_import_need(in, relative, &inner, "direction");
	tn_import_need(in, relative, &inner, "reference");
	if (!tn_import_word(in, relative, &inner, "direction", directions, &direction) ||
	    !tn_import_text(in, relative, &inner, "reference", &reference))
		return;
	name = tn_import_legal_name(in, floor_scope, other_scope, reference);
	tn_import_put(in, " %.*s %.*s", (int)direction.size, direction.data, (int)name.size,
		      name.data);
	if (tn_import_number(in, relative, &inner, "gap", &gap) &&
	    tn_import_not_below_zero(in, &inner, "gap", gap)) {
		tn_import_put(in, " gap ");
		tn_import_put_number(in, gap);
	}
	if (tn_import_word(in, relative, &inner,
			   tn_import_get(relative, "align") ? "align" : "alignment",
			   "top bottom left right center", &align))
		tn_import_put(in, " align %.*s", (int)align.size, align.data);
}

void tn_import_put_label(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at, const char *name_key,
			 struct tn_str legal_name)
{
	const struct tn_import_at inner = {at, "label", 0};
	struct tn_str label;

	/* A name that had to change is kept as the label. */
	if (!tn_import_text(in, object, at, "label", &label) &&
	    (!tn_json_to_str(tn_import_get(object, name_key), &label) ||
	     tn_str_equal(label, legal_name)))
		return;
	tn_import_put(in, " label ");
	tn_import_put_string(in, &inner, label);
}

void tn_import_put_style(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at)
{
	struct tn_str style, name;

	if (!tn_import_text(in, object, at, "style", &style))
		return;
	name = tn_import_legal_name(in, TN_IMPORT_STYLES, NULL, style);
	tn_import_put(in, " style %.*s", (int)name.size, name.data);
}
