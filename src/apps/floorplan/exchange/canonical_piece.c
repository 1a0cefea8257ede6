/* The pieces that canonical text is made of: numbers, lengths, sizes, places and words. */
#include "apps/floorplan/exchange/canonical_piece.h"
#include "jsonrpc/json_write.h"

void tn_canon_note(struct tn_canon *c, unsigned note, uint32_t token)
{
	if (c->notes[note].count++ == 0)
		c->notes[note].line = token == TN_FLOOR_NO_TOKEN
					      ? 1
					      : c->plan->tree.lexed.tokens[token].range.line;
}

void tn_canon_number(struct tn_canon *c, double number)
{
	struct tn_json parsed = {.type = TN_JSON_NUMBER};
	const size_t start = c->out->size;
	double read;

	tn_floor_put_number(c->out, number);
	if (c->out->failed)
		return;
	parsed.text = tn_str(c->out->data + start, c->out->size - start);
	if (tn_json_to_double(&parsed, &read) && read == number)
		return;
	c->out->size = start; /* more than six decimals were written */
	tn_buf_format(c->out, "%.17f", number);
}

void tn_canon_length(struct tn_canon *c, const struct tn_floor_length *length)
{
	if (length->minus != TN_FLOOR_NO_TOKEN) {
		tn_canon_note(c, TN_CANON_NEGATIVE, length->minus);
		tn_buf_append_byte(c->out, '-');
	}
	if (length->digits != TN_FLOOR_NO_TOKEN)
		tn_buf_append_str(c->out, tn_floor_written(c->plan, length->digits));
	else
		tn_canon_number(c, length->number);
	tn_buf_append_text(c->out, tn_floor_unit_name(length->unit));
}

void tn_canon_measure(struct tn_canon *c, const char *word, const struct tn_floor_measure *measure)
{
	if (!tn_floor_is_written(measure->tokens))
		return;
	tn_buf_format(c->out, " %s ", word);
	tn_canon_length(c, &measure->length);
}

void tn_canon_size(struct tn_canon *c, const struct tn_floor_size *size)
{
	if (size->name != TN_FLOOR_NO_TOKEN) {
		tn_buf_append_str(c->out, tn_floor_written(c->plan, size->name));
		return;
	}
	tn_buf_append_byte(c->out, '(');
	tn_canon_length(c, &size->width);
	tn_buf_append_text(c->out, " x ");
	if (size->full)
		tn_buf_append_text(c->out, "full");
	else
		tn_canon_length(c, &size->height);
	tn_buf_append_byte(c->out, ')');
}

/* Some readers take "1.0" for a version (E10). */
static bool looks_like_version(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (!tn_is_digit(text.data[i]) && text.data[i] != '.')
			return false;
	}
	return text.size > 0;
}

void tn_canon_string(struct tn_canon *c, struct tn_str inside)
{
	const bool has_double = tn_str_find_byte(inside, '"') != TN_STR_NONE;
	const char quote = has_double || looks_like_version(inside) ? '\'' : '"';

	tn_buf_append_byte(c->out, quote);
	tn_buf_append_str(c->out, inside);
	tn_buf_append_byte(c->out, quote);
}

void tn_canon_at(struct tn_canon *c, const struct tn_floor_at *at)
{
	if (!tn_floor_is_written(at->tokens))
		return;
	tn_buf_append_text(c->out, " at (");
	tn_canon_length(c, &at->x);
	tn_buf_append_byte(c->out, ',');
	tn_canon_length(c, &at->y);
	tn_buf_append_byte(c->out, ')');
}

void tn_canon_relative(struct tn_canon *c, const struct tn_floor_at *at,
		       const struct tn_floor_relative *relative, bool extended)
{
	enum tn_floor_align align;

	relative = tn_floor_relative_counts(at, relative);
	if (!relative)
		return;
	if (extended)
		tn_canon_note(c, TN_CANON_RELATIVE, relative->word);
	align = tn_floor_align_counts(relative);
	tn_buf_format(c->out, " %s ", tn_floor_direction_name(relative->direction));
	tn_buf_append_str(c->out, tn_floor_written(c->plan, relative->name));
	if (relative->has_gap && relative->gap.number != 0) {
		tn_buf_append_text(c->out, " gap ");
		tn_canon_length(c, &relative->gap);
	}
	if (align != TN_FLOOR_NO_ALIGN)
		tn_buf_format(c->out, " align %s", tn_floor_align_name(align));
}

void tn_canon_label(struct tn_canon *c, const struct tn_floor_text *label)
{
	if (!tn_floor_is_written(label->tokens))
		return;
	tn_buf_append_text(c->out, " label ");
	tn_canon_string(c, tn_floor_string_inside(c->plan, label->string));
}

void tn_canon_style(struct tn_canon *c, const struct tn_floor_name *style)
{
	if (!tn_floor_is_written(style->tokens))
		return;
	tn_buf_append_text(c->out, " style ");
	tn_buf_append_str(c->out, tn_floor_written(c->plan, style->name));
}
