/* screen_style.c - SGR: colours and attributes, read and written. */
#include "apps/terminal/screen/internal.h"
#include "base/size.h"

static const struct {
	uint8_t value;
	uint16_t on, off;
} attributes[] = {
	{1, TN_CELL_BOLD, 0},
	{2, TN_CELL_DIM, 0},
	{3, TN_CELL_ITALIC, 0},
	{4, TN_CELL_UNDERLINE, 0},
	{5, TN_CELL_BLINK, 0},
	{6, TN_CELL_BLINK, 0},
	{7, TN_CELL_REVERSE, 0},
	{8, TN_CELL_HIDDEN, 0},
	{9, TN_CELL_STRIKE, 0},
	{21, TN_CELL_UNDERLINE, 0},
	{22, 0, TN_CELL_BOLD | TN_CELL_DIM},
	{23, 0, TN_CELL_ITALIC},
	{24, 0, TN_CELL_UNDERLINE},
	{25, 0, TN_CELL_BLINK},
	{27, 0, TN_CELL_REVERSE},
	{28, 0, TN_CELL_HIDDEN},
	{29, 0, TN_CELL_STRIKE},
};

/* How many values from `at` on belong together: those joined to it by colons. */
static unsigned group_size(const struct tn_vt_sequence *q, unsigned at)
{
	unsigned size = 1;

	while (at + size < q->count && q->colons >> (at + size) & 1)
		size++;
	return size;
}

static tn_colour rgb(const struct tn_vt_sequence *q, unsigned at)
{
	unsigned red = tn_vt_value(q, at, 0), green = tn_vt_value(q, at + 1, 0);
	unsigned blue = tn_vt_value(q, at + 2, 0);

	return TN_COLOUR_RGB | (red & 255) << 16 | (green & 255) << 8 | (blue & 255);
}

/* 38, 48 and 58 at `at`, in one of the forms that are in use:
 *   38;5;N  38;2;R;G;B  38:5:N  38:2:R:G:B  38:2:SPACE:R:G:B
 * Returns how many values it took. *ret stays when it says nothing valid. */
static unsigned read_colour(const struct tn_vt_sequence *q, unsigned at, tn_colour *ret)
{
	unsigned group = group_size(q, at);
	unsigned kind = tn_vt_value(q, at + 1, 0);
	unsigned end = group > 1 ? at + group : q->count;
	unsigned first = group >= 6 ? at + 3 : at + 2; /* of red, green and blue */

	if (kind == 5 && at + 2 < end && tn_vt_value(q, at + 2, 0) < 256)
		*ret = 1 + tn_vt_value(q, at + 2, 0);
	if (kind == 2 && first + 2 < end)
		*ret = rgb(q, first);
	if (group > 1)
		return group;
	return kind == 5 ? 3 : kind == 2 ? 5 : 2;
}

static void set_basic_colour(struct tn_style *style, unsigned value)
{
	if (value >= 30 && value <= 37)
		style->foreground = value - 30 + 1;
	else if (value >= 40 && value <= 47)
		style->background = value - 40 + 1;
	else if (value >= 90 && value <= 97)
		style->foreground = value - 90 + 9;
	else if (value >= 100 && value <= 107)
		style->background = value - 100 + 9;
	else if (value == 39)
		style->foreground = 0;
	else if (value == 49)
		style->background = 0;
}

static void set_attribute(struct tn_style *style, unsigned value)
{
	for (size_t i = 0; i < TN_COUNT(attributes); i++)
		if (attributes[i].value == value) {
			style->flags |= attributes[i].on;
			style->flags &= (uint16_t)~attributes[i].off;
			return;
		}
}

/* 4:0 is no underline, 4:1 to 4:5 are kinds of it. */
static void set_underline(struct tn_style *style, unsigned kind)
{
	if (kind == 0)
		style->flags &= (uint16_t)~TN_CELL_UNDERLINE;
	else if (kind <= 5)
		style->flags |= TN_CELL_UNDERLINE;
}

void tn_style_apply(struct tn_style *style, const struct tn_vt_sequence *q)
{
	tn_colour unused;

	for (unsigned i = 0; i < q->count;) {
		unsigned value = tn_vt_value(q, i, 0), group = group_size(q, i);

		if (value == 38 || value == 48 || value == 58) {
			/* The colour of underlines (58) is not shown, but must be skipped. */
			i += read_colour(q, i,
					 value == 38   ? &style->foreground
					 : value == 48 ? &style->background
						       : &unused);
			continue;
		}
		if (value == 0)
			*style = (struct tn_style){.flags = 0};
		else if (value == 4 && group > 1)
			set_underline(style, tn_vt_value(q, i + 1, 1));
		else if (value < 30)
			set_attribute(style, value);
		else
			set_basic_colour(style, value);
		i += group;
	}
}

void tn_screen_set_style(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_style_apply(&s->now.style, q);
}

static void put_colour(tn_colour colour, bool background, struct tn_buf *out)
{
	unsigned entry = colour - 1;
	unsigned first = background ? 40 : 30;

	if (colour == 0)
		return;
	if (colour & TN_COLOUR_RGB)
		tn_buf_format(out, ";%u;2;%u;%u;%u", first + 8, (unsigned)(colour >> 16 & 255),
			      (unsigned)(colour >> 8 & 255), (unsigned)(colour & 255));
	else if (entry < 8)
		tn_buf_format(out, ";%u", first + entry);
	else if (entry < 16)
		tn_buf_format(out, ";%u", first + 60 + entry - 8);
	else
		tn_buf_format(out, ";%u;5;%u", first + 8, entry);
}

void tn_screen_put_style(const struct tn_style *style, struct tn_buf *out)
{
	static const uint16_t flags[] = {TN_CELL_BOLD,      TN_CELL_DIM,   TN_CELL_ITALIC,
					 TN_CELL_UNDERLINE, TN_CELL_BLINK, TN_CELL_REVERSE,
					 TN_CELL_HIDDEN,    TN_CELL_STRIKE};
	static const char values[] = "12345789";

	tn_buf_append_text(out, "\033[0");
	for (size_t i = 0; i < TN_COUNT(flags); i++)
		if (style->flags & flags[i]) {
			tn_buf_append_byte(out, ';');
			tn_buf_append_byte(out, values[i]);
		}
	put_colour(style->foreground, false, out);
	put_colour(style->background, true, out);
	tn_buf_append_byte(out, 'm');
}

bool tn_style_equal(const struct tn_style *a, const struct tn_style *b)
{
	return a->foreground == b->foreground && a->background == b->background &&
	       a->flags == b->flags;
}

struct tn_style tn_cell_style(const struct tn_cell *cell)
{
	return (struct tn_style){cell->foreground, cell->background,
				 (uint16_t)(cell->flags & (TN_CELL_WIDE - 1u))};
}
