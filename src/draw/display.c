#include "draw/display.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "draw/font.h"
#include "draw/items.h"
#include "draw/limits.h"

#define PLACE_MAX 1e7 /* beyond it a picture has no pixels */
#define ELLIPSIS "\xe2\x80\xa6"
enum { CUT_TRIES = 8 };
#define DEGREE 0.017453292519943295

static bool is_place(double value)
{
	return isfinite(value) && value >= -PLACE_MAX && value <= PLACE_MAX;
}

static bool are_places(struct tn_display *display, const double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_place(values[i]))
			continue;
		tn_display_fail(display, TENON_INVALID);
		return false;
	}
	return true;
}

enum tenon_code tn_display_create(double width, double height, tn_colour background,
				  struct tn_display **ret, struct tenon_error *err)
{
	struct tn_display *display;

	if (!is_place(width) || !is_place(height) || width <= 0 || height <= 0)
		return tn_fail(err, TENON_INVALID, "a picture is more than 0 wide and high");
	display = tn_mem_alloc(sizeof(*display));
	if (!display)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&display->arena, TN_DRAW_ARENA_MAX);
	tn_map_init(&display->setter.texts[TN_DRAW_REGULAR]);
	tn_map_init(&display->setter.texts[TN_DRAW_BOLD]);
	tn_map_init(&display->setter.glyphs);
	display->width = width;
	display->height = height;
	display->background = background;
	*ret = display;
	return TENON_OK;
}

void tn_display_free(struct tn_display *display)
{
	if (!display)
		return;
	tn_setter_finish(&display->setter);
	tn_arena_finish(&display->arena);
	tn_mem_free(display);
}

void tn_display_use_fonts(struct tn_display *display, struct tn_fonts *fonts,
			  struct tn_letters_told *told)
{
	display->setter.fonts = fonts;
	display->setter.told = told;
}

void tn_display_resize(struct tn_display *display, double x, double y, double width, double height)
{
	const double values[] = {x, y, width, height};

	if (!are_places(display, values, 4))
		return;
	if (width <= 0 || height <= 0) {
		tn_display_fail(display, TENON_INVALID);
		return;
	}
	display->x = x;
	display->y = y;
	display->width = width;
	display->height = height;
}

void tn_display_size(const struct tn_display *display, double *ret_width, double *ret_height)
{
	*ret_width = display->width;
	*ret_height = display->height;
}

enum tenon_code tn_display_check(const struct tn_display *display, struct tenon_error *err)
{
	switch (display->failed) {
	case TENON_OK:
		return TENON_OK;
	case TENON_NO_MEMORY:
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	case TENON_LIMIT:
		return tn_fail(err, TENON_LIMIT, "the picture has more than %d shapes",
			       TN_DRAW_ITEMS_MAX);
	case TENON_BUSY:
		return tn_fail(err, TENON_BUSY,
			       "a font of this machine changed while the picture was made: "
			       "ask for it again");
	default:
		return tn_fail(err, TENON_INVALID, "the picture has places that are no numbers");
	}
}

/* ---- items ---- */

static void *take(struct tn_display *display, size_t size)
{
	void *memory;

	if (display->failed != TENON_OK)
		return NULL;
	if (display->item_count >= TN_DRAW_ITEMS_MAX) {
		tn_display_fail(display, TENON_LIMIT);
		return NULL;
	}
	memory = tn_arena_alloc(&display->arena, size);
	if (!memory)
		tn_display_fail(display, display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT);
	else
		display->item_count++;
	return memory;
}

static struct tn_str copy(struct tn_display *display, struct tn_str text)
{
	char *bytes = tn_arena_copy(&display->arena, text);

	if (!bytes)
		tn_display_fail(display, display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT);
	return bytes ? tn_str(bytes, text.size) : TN_STR("");
}

static struct tn_draw_item *append(struct tn_display *display, enum tn_draw_kind kind)
{
	struct tn_draw_item *item = take(display, sizeof(*item));

	if (!item)
		return NULL;
	item->kind = kind;
	if (display->last)
		display->last->next = item;
	else
		display->first = item;
	display->last = item;
	return item;
}

static bool is_style(struct tn_display *display, const struct tn_draw_style *style)
{
	return are_places(display, &style->stroke_width, 1) && are_places(display, style->dash, 4);
}

void tn_display_describe(struct tn_display *display, struct tn_str title, struct tn_str description)
{
	display->title = copy(display, title);
	display->description = copy(display, description);
}

void tn_display_keep_words(struct tn_display *display, struct tn_str family)
{
	display->has_words = true;
	display->family = copy(display, family);
}

void tn_display_remark(struct tn_display *display, struct tn_str remark)
{
	display->remark = copy(display, remark);
}

void tn_draw_rect(struct tn_display *display, double x, double y, double width, double height,
		  double radius, const struct tn_draw_style *style)
{
	const double values[] = {x, y, width, height, radius};
	struct tn_draw_item *item;

	if (!are_places(display, values, 5) || !is_style(display, style))
		return;
	item = append(display, TN_DRAW_RECT);
	if (!item)
		return;
	item->style = *style;
	item->x = width < 0 ? x + width : x;
	item->y = height < 0 ? y + height : y;
	item->width = fabs(width);
	item->height = fabs(height);
	item->radius = fmax(0, fmin(radius, fmin(item->width, item->height) / 2));
}

void tn_draw_ellipse(struct tn_display *display, double cx, double cy, double rx, double ry,
		     const struct tn_draw_style *style)
{
	const double values[] = {cx, cy, rx, ry};
	struct tn_draw_item *item;

	if (!are_places(display, values, 4) || !is_style(display, style))
		return;
	item = append(display, TN_DRAW_ELLIPSE);
	if (!item)
		return;
	item->style = *style;
	item->x = cx;
	item->y = cy;
	item->width = fabs(rx);
	item->height = fabs(ry);
}

/* ---- paths ---- */

void tn_draw_begin(struct tn_display *display, const struct tn_draw_style *style)
{
	display->path = is_style(display, style) ? append(display, TN_DRAW_PATH) : NULL;
	display->last_piece = NULL;
	if (display->path)
		display->path->style = *style;
}

static void add_piece(struct tn_display *display, enum tn_draw_step step, const double *at,
		      size_t count)
{
	struct tn_draw_piece *piece;

	if (!display->path || !are_places(display, at, count))
		return;
	/* A path begins somewhere: without a move its first point is one. */
	if (!display->last_piece && step == TN_DRAW_CLOSE)
		return;
	piece = take(display, sizeof(*piece));
	if (!piece)
		return;
	piece->step = display->last_piece ? step : TN_DRAW_MOVE;
	if (piece->step != step)
		memcpy(piece->at, at + count - 2, 2 * sizeof(*at));
	else if (count > 0)
		memcpy(piece->at, at, count * sizeof(*at));
	if (display->last_piece)
		display->last_piece->next = piece;
	else
		display->path->pieces = piece;
	display->last_piece = piece;
}

void tn_draw_move(struct tn_display *display, double x, double y)
{
	add_piece(display, TN_DRAW_MOVE, (const double[]){x, y}, 2);
}

void tn_draw_line(struct tn_display *display, double x, double y)
{
	add_piece(display, TN_DRAW_LINE, (const double[]){x, y}, 2);
}

void tn_draw_curve(struct tn_display *display, double x1, double y1, double x2, double y2, double x,
		   double y)
{
	add_piece(display, TN_DRAW_CURVE, (const double[]){x1, y1, x2, y2, x, y}, 6);
}

void tn_draw_arc(struct tn_display *display, double cx, double cy, double radius, double from,
		 double to)
{
	const double values[] = {cx, cy, radius, from, to};
	double step, k;
	int pieces, i;

	if (!are_places(display, values, 5))
		return;
	to = fmin(to, from + 360);
	pieces = (int)ceil(fabs(to - from) / 45);
	tn_draw_line(display, cx + radius * cos(from * DEGREE), cy + radius * sin(from * DEGREE));
	if (pieces == 0)
		return;
	step = (to - from) / pieces * DEGREE;
	k = 4.0 / 3 * tan(step / 4) * radius;
	for (i = 0; i < pieces; i++) {
		double a = from * DEGREE + i * step, b = a + step;

		tn_draw_curve(display, cx + radius * cos(a) - k * sin(a),
			      cy + radius * sin(a) + k * cos(a), cx + radius * cos(b) + k * sin(b),
			      cy + radius * sin(b) - k * cos(b), cx + radius * cos(b),
			      cy + radius * sin(b));
	}
}

void tn_draw_close(struct tn_display *display)
{
	add_piece(display, TN_DRAW_CLOSE, NULL, 0);
}

void tn_draw_end(struct tn_display *display)
{
	display->path = NULL;
	display->last_piece = NULL;
}

/* ---- text ---- */

static double units(double size)
{
	return size / TN_FONT_EM;
}

double tn_draw_text_width(struct tn_str text, double size, enum tn_draw_weight weight)
{
	int64_t sum = 0;
	uint32_t code;

	while (tn_font_next(&text, &code))
		sum += tn_font_width(weight, code);
	return (double)sum * units(size);
}

double tn_draw_measure(struct tn_display *display, struct tn_str text, double size,
		       enum tn_draw_weight weight)
{
	const struct tn_setting *set = tn_setting_of(display, text, weight);

	return set ? set->text.width * units(size) : tn_draw_text_width(text, size, weight);
}

size_t tn_draw_line_end(struct tn_display *display, struct tn_str line, double size,
			enum tn_draw_weight weight, double width)
{
	const struct tn_setting *set = tn_setting_of(display, line, weight);

	return set ? tn_setting_line_end(set, line, width / units(size)) : TN_STR_NONE;
}

/* The longest beginning that is at most as wide; it does not part a mark from its letter. */
static size_t beginning(struct tn_str text, const struct tn_draw_text *how, double room)
{
	struct tn_str rest = text;
	size_t keep = 0, before = 0;
	int64_t sum = 0;
	uint32_t code;

	while (tn_font_next(&rest, &code)) {
		int32_t width = tn_font_width(how->weight, code);

		if (width > 0 && (double)sum * units(how->size) <= room)
			keep = before;
		sum += width;
		before = (size_t)(rest.data - text.data);
	}
	return keep;
}

/* With an ellipsis; the beginning does not end in a space. */
static struct tn_str cut(struct tn_display *display, struct tn_str text, size_t keep)
{
	struct tn_str kept = tn_str_trim(tn_str(text.data, keep));
	char *bytes = tn_arena_format(&display->arena, "%.*s" ELLIPSIS, (int)kept.size,
				      kept.size ? kept.data : "");

	if (!bytes)
		tn_display_fail(display, display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT);
	return tn_str_from(bytes);
}

/* Letters may be wider without what stood behind them: it is measured again, and shortened. */
static struct tn_str cut_set(struct tn_display *display, struct tn_str text,
			     const struct tn_setting *set, const struct tn_draw_text *how,
			     double room)
{
	size_t keep = tn_setting_beginning(set, room / units(how->size));
	struct tn_str shorter = cut(display, text, keep);

	for (int tries = 1;
	     keep > 0 && display->failed == TENON_OK &&
	     tn_draw_measure(display, shorter, how->size, how->weight) > how->max_width;
	     tries++) {
		keep = tries < CUT_TRIES ? tn_setting_before(set, keep) : 0;
		shorter = cut(display, text, keep);
	}
	return shorter;
}

static struct tn_str fit(struct tn_display *display, struct tn_str text,
			 const struct tn_draw_text *how)
{
	const struct tn_setting *set = tn_setting_of(display, text, how->weight);
	double room = how->max_width - tn_draw_text_width(TN_STR(ELLIPSIS), how->size, how->weight);

	if (how->max_width <= 0 ||
	    tn_draw_measure(display, text, how->size, how->weight) <= how->max_width)
		return copy(display, text);
	if (set)
		return cut_set(display, text, set, how, room);
	return cut(display, text, beginning(text, how, room));
}

void tn_draw_put_text(struct tn_display *display, struct tn_str text,
		      const struct tn_draw_text *how)
{
	const double values[] = {how->x, how->y, how->size, how->angle, how->max_width};
	struct tn_draw_item *item;
	struct tn_setting *set;

	if (!are_places(display, values, 5) || text.size == 0)
		return;
	item = append(display, TN_DRAW_TEXT);
	if (!item)
		return;
	item->how = *how;
	item->text = fit(display, text, how);
	item->text_width = tn_draw_measure(display, item->text, how->size, how->weight);
	set = tn_setting_of(display, item->text, how->weight);
	if (set)
		tn_setting_draw(display, set);
	item->set = set;
	tn_setting_note_boxes(display, item->text, set, how->weight);
}

double tn_draw_text_start(const struct tn_draw_item *item)
{
	switch (item->how.anchor) {
	case TN_DRAW_MIDDLE:
		return -item->text_width / 2;
	case TN_DRAW_END:
		return -item->text_width;
	default:
		return 0;
	}
}

/* ---- groups ---- */

void tn_draw_group_begin(struct tn_display *display, struct tn_str id, struct tn_str title)
{
	struct tn_draw_item *item = append(display, TN_DRAW_GROUP_BEGIN);

	if (!item)
		return;
	item->text = copy(display, id);
	item->title = copy(display, title);
	display->depth++;
}

void tn_draw_group_data(struct tn_display *display, const struct tn_draw_data *data, size_t count)
{
	struct tn_draw_item *item = display->last;
	struct tn_draw_data *copies;

	if (display->failed != TENON_OK || !item || item->kind != TN_DRAW_GROUP_BEGIN)
		return;
	copies = tn_arena_alloc_array(&display->arena, count, sizeof(*copies));
	if (!copies) {
		tn_display_fail(display, display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT);
		return;
	}
	for (size_t i = 0; i < count; i++)
		copies[i] = (struct tn_draw_data){data[i].name, copy(display, data[i].value)};
	item->data = copies;
	item->data_count = count;
}

void tn_draw_group_end(struct tn_display *display)
{
	if (display->depth == 0)
		return;
	if (append(display, TN_DRAW_GROUP_END))
		display->depth--;
}
