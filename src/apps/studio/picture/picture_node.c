/* Cards of resources, frames of containers, sticky notes, and badges of status. */
#include <string.h>

#include "apps/studio/picture/internal.h"

enum { TILE = 44, LABEL_SIZE = 13, TYPE_SIZE = 11, BADGE_SIZE = 10, NOTE_LINES_MAX = 40 };

struct frame { /* where a node is, as numbers to draw with */
	double x, y, width, height;
};

static struct frame frame_of(const struct tn_studio_picture *picture,
			     const struct tn_studio_node *node)
{
	const struct tn_studio_rect *rect = &picture->rects[node->order];

	return (struct frame){rect->x, rect->y, rect->width, rect->height};
}

static struct tn_str type_name(const struct tn_studio_node *node)
{
	return node->type ? node->type->display_name : node->type_id;
}

static struct tn_str label_of(const struct tn_studio_node *node)
{
	return node->label.size > 0 ? node->label : node->name;
}

static double put_text(struct tn_studio_picture *picture, struct tn_str text, double x, double y,
		       double size, enum tn_draw_weight weight, tn_colour colour, double max_width)
{
	const struct tn_draw_text how = {.x = x,
					 .y = y,
					 .size = size,
					 .weight = weight,
					 .colour = colour,
					 .max_width = max_width > 1 ? max_width : 1};
	double width = tn_draw_measure(picture->display, text, size, weight);

	tn_draw_put_text(picture->display, text, &how);
	return width < how.max_width ? width : how.max_width;
}

/* ---- lines of text ---- */

static bool is_at(struct tn_str text, size_t at, char what)
{
	return at < text.size && text.data[at] == what;
}

/* Where the word ends that begins at or after `at`; at a line break if that comes first. */
static size_t word_end(struct tn_str text, size_t at)
{
	while (is_at(text, at, ' '))
		at++;
	while (at < text.size && text.data[at] != ' ' && text.data[at] != '\n')
		at++;
	return at;
}

/* Takes the words that fit into a line, at least one, and the blanks and the break behind them. */
static struct tn_str next_line(struct tn_studio_picture *picture, struct tn_str *text, double size,
			       enum tn_draw_weight weight, double width)
{
	size_t end = tn_str_find_byte(*text, '\n'), skip;
	struct tn_str line = end == TN_STR_NONE ? *text : tn_str(text->data, end);
	size_t set = tn_draw_line_end(picture->display, line, size, weight, width);

	end = set == TN_STR_NONE ? 0 : set;
	while (set == TN_STR_NONE && end < text->size && text->data[end] != '\n') {
		size_t word = word_end(*text, end);

		if (end > 0 && tn_draw_text_width(tn_str(text->data, word), size, weight) > width)
			break;
		end = word;
	}
	line = tn_str(text->data, end);
	for (skip = end; is_at(*text, skip, ' ');)
		skip++;
	if (is_at(*text, skip, '\n'))
		skip++;
	*text = tn_str_from_offset(*text, skip);
	return line;
}

/* ---- status: a shape and a word, never a colour alone ---- */

static void draw_lines(struct tn_display *display, const struct tn_draw_style *style,
		       const double *points, size_t count)
{
	size_t i;

	tn_draw_begin(display, style);
	for (i = 0; i < count; i++)
		tn_draw_line(display, points[2 * i], points[2 * i + 1]);
	tn_draw_end(display);
}

static void draw_badge(struct tn_studio_picture *picture, struct tn_str status, double x, double y)
{
	tn_colour colour = tn_studio_status_colour(picture->colours, status);
	const struct tn_draw_style full = {.fill = colour};
	const struct tn_draw_style line = {.stroke = colour, .stroke_width = 1.5, .round = true};
	const struct tn_draw_style mark = {
		.stroke = picture->colours->card, .stroke_width = 1.6, .round = true};
	struct tn_display *display = picture->display;

	if (tn_str_is(status, "created")) {
		tn_draw_ellipse(display, x, y, 6, 6, &full);
		draw_lines(display, &mark,
			   (const double[]){x - 2.7, y + 0.2, x - 0.7, y + 2.2, x + 2.8, y - 2}, 3);
	} else if (tn_str_is(status, "failed")) {
		tn_draw_begin(display, &full);
		tn_draw_move(display, x, y - 6.6);
		tn_draw_line(display, x + 7, y + 5.6);
		tn_draw_line(display, x - 7, y + 5.6);
		tn_draw_close(display);
		tn_draw_end(display);
		draw_lines(display, &mark, (const double[]){x, y - 2, x, y + 1.2}, 2);
		draw_lines(display, &mark, (const double[]){x, y + 3.8, x, y + 3.9}, 2);
	} else if (tn_str_is(status, "creating") || tn_str_is(status, "updating")) {
		tn_draw_ellipse(display, x, y, 5.4, 5.4, &line);
		tn_draw_begin(display, &full);
		tn_draw_move(display, x, y);
		tn_draw_arc(display, x, y, 5.4, -90, 90);
		tn_draw_close(display);
		tn_draw_end(display);
	} else if (tn_str_is(status, "destroyed")) {
		tn_draw_ellipse(display, x, y, 5.4, 5.4, &line);
		draw_lines(display, &line, (const double[]){x - 2.4, y - 2.4, x + 2.4, y + 2.4}, 2);
		draw_lines(display, &line, (const double[]){x - 2.4, y + 2.4, x + 2.4, y - 2.4}, 2);
	} else {
		tn_draw_ellipse(display, x, y, 5.4, 5.4, &line);
	}
}

const char *tn_studio_shown_status(const struct tn_studio_picture *picture,
				   const struct tn_studio_node *node)
{
	if (!picture->options->status || !node->type || node->type->is_virtual ||
	    node->type->is_annotation)
		return NULL;
	return picture->options->status(picture->options->status_data, node->id);
}

double tn_studio_draw_status(struct tn_studio_picture *picture, const char *status, double x,
			     double middle_y, bool to_the_left)
{
	struct tn_str word = tn_str_from(status);
	double width = 18 + tn_draw_text_width(word, BADGE_SIZE, TN_DRAW_REGULAR);

	if (to_the_left)
		x -= width;
	draw_badge(picture, word, x + 7, middle_y);
	(void)put_text(picture, word, x + 18, middle_y + BADGE_SIZE * 0.36, BADGE_SIZE,
		       TN_DRAW_REGULAR, picture->colours->quiet, 0x7FFF);
	return width;
}

/* ---- cards ---- */

static void draw_shadow(struct tn_studio_picture *picture, const struct frame *frame, double radius)
{
	const struct tn_draw_style shadow = {.fill = picture->colours->shadow};

	tn_draw_rect(picture->display, frame->x, frame->y + 2, frame->width, frame->height, radius,
		     &shadow);
}

/* Lines are drawn inside the node's rectangle. */
static void draw_frame(struct tn_studio_picture *picture, const struct frame *frame, double radius,
		       const struct tn_draw_style *style)
{
	double half = style->stroke_width / 2;

	tn_draw_rect(picture->display, frame->x + half, frame->y + half,
		     frame->width - style->stroke_width, frame->height - style->stroke_width,
		     radius - half, style);
}

static void draw_tile(struct tn_studio_picture *picture, const struct tn_studio_node *node,
		      const struct frame *frame, double size)
{
	const struct tn_studio_colours *colours = picture->colours;
	tn_colour colour = colours->family[tn_studio_family_of(node->type)];
	const struct tn_draw_style tile = {
		.fill = tn_studio_mix(colour, colours->card, colours->tint)};
	double x = frame->x + (frame->height - size) / 2, y = frame->y + (frame->height - size) / 2;

	x = x > frame->x + 18 ? frame->x + 18 : x;
	tn_draw_rect(picture->display, x, y, size, size, 8, &tile);
	tn_studio_draw_sign(picture->display, node->type, x + size * 0.2, y + size * 0.2,
			    size * 0.6, colour);
}

struct words { /* of a card, from its middle */
	double left, width, middle;
};

static void put_label(struct tn_studio_picture *picture, const struct words *words,
		      struct tn_str text, double below)
{
	(void)put_text(picture, text, words->left, words->middle + below, LABEL_SIZE, TN_DRAW_BOLD,
		       picture->colours->text, words->width);
}

static void put_type(struct tn_studio_picture *picture, const struct words *words,
		     const struct tn_studio_node *node, double below)
{
	(void)put_text(picture, type_name(node), words->left, words->middle + below, TYPE_SIZE,
		       TN_DRAW_REGULAR, picture->colours->quiet, words->width);
}

/* Label, type, status: as many lines as there is room for. Without a status a long label gets two
 * lines. */
static void draw_words(struct tn_studio_picture *picture, const struct tn_studio_node *node,
		       const struct frame *frame, double left)
{
	const struct words words = {left, frame->x + frame->width - 10 - left,
				    frame->y + frame->height / 2};
	const char *status = tn_studio_shown_status(picture, node);
	struct tn_str label = label_of(node), rest = label;
	struct tn_str first = next_line(picture, &rest, LABEL_SIZE, TN_DRAW_BOLD, words.width);
	bool tall = frame->height >= 64;

	if (frame->height < 40) {
		put_label(picture, &words, label, 4.5);
	} else if (status && tall) {
		put_label(picture, &words, label, -12);
		put_type(picture, &words, node, 5);
		(void)tn_studio_draw_status(picture, status, left, words.middle + 20, false);
	} else if (tall && rest.size > 0 && first.size > 0) {
		put_label(picture, &words, first, -11);
		put_label(picture, &words, rest, 5);
		put_type(picture, &words, node, 22);
	} else {
		put_label(picture, &words, label, -3);
		put_type(picture, &words, node, 15);
	}
}

static void draw_card(struct tn_studio_picture *picture, const struct tn_studio_node *node,
		      const struct frame *frame)
{
	const struct tn_draw_style card = {.fill = picture->colours->card,
					   .stroke = picture->colours->border,
					   .stroke_width = 1};
	double tile = frame->height - 24 < TILE ? frame->height - 16 : TILE;

	draw_shadow(picture, frame, 8);
	draw_frame(picture, frame, 8, &card);
	if (tile < 12 || frame->width < 2 * tile + 20) {
		draw_words(picture, node, frame, frame->x + 12);
		return;
	}
	draw_tile(picture, node, frame, tile);
	draw_words(picture, node, frame,
		   frame->x + ((frame->height - tile) / 2 > 18 ? 18 : (frame->height - tile) / 2) +
			   tile + 12);
}

static void draw_unknown(struct tn_studio_picture *picture, const struct tn_studio_node *node,
			 const struct frame *frame)
{
	const struct tn_draw_style card = {.fill = picture->colours->unknown,
					   .stroke = picture->colours->unknown_border,
					   .stroke_width = 1.2,
					   .dash = {5, 3}};
	const struct tn_draw_text mark = {.x = frame->x + 40,
					  .y = frame->y + frame->height / 2 + 11,
					  .size = 30,
					  .anchor = TN_DRAW_MIDDLE,
					  .weight = TN_DRAW_BOLD,
					  .colour = picture->colours->unknown_border};

	draw_frame(picture, frame, 8, &card);
	if (frame->width > 120 && frame->height >= 40)
		tn_draw_put_text(picture->display, TN_STR("?"), &mark);
	draw_words(picture, node, frame, frame->x + (frame->width > 120 ? 74 : 12));
}

/* ---- sticky notes ---- */

static struct tn_str note_text(const struct tn_studio_node *node)
{
	struct tn_str text = tn_str("", 0);

	if (!tn_json_to_str(tn_json_get(node->properties, "description"), &text) || text.size == 0)
		text = node->notes;
	return text;
}

static const struct tn_studio_note_colour *note_colour(const struct tn_studio_colours *colours,
						       const struct tn_studio_node *node)
{
	struct tn_str name = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(node->properties, "colour"), &name);
	return tn_studio_note_colour(colours, name);
}

static void draw_note(struct tn_studio_picture *picture, const struct tn_studio_node *node,
		      const struct frame *frame)
{
	const struct tn_studio_colours *colours = picture->colours;
	const struct tn_studio_note_colour *colour = note_colour(colours, node);
	const struct tn_draw_style paper = {
		.fill = colour->paper, .stroke = colour->border, .stroke_width = 1};
	double right = frame->x + frame->width - 0.5, bottom = frame->y + frame->height - 0.5;
	double fold = 14, y = frame->y + 24;
	struct tn_str rest = note_text(node);
	unsigned lines = 0;

	tn_draw_begin(picture->display, &paper);
	tn_draw_move(picture->display, frame->x + 0.5, frame->y + 0.5);
	tn_draw_line(picture->display, right, frame->y + 0.5);
	tn_draw_line(picture->display, right, bottom - fold);
	tn_draw_line(picture->display, right - fold, bottom);
	tn_draw_line(picture->display, frame->x + 0.5, bottom);
	tn_draw_close(picture->display);
	tn_draw_move(picture->display, right, bottom - fold);
	tn_draw_line(picture->display, right - fold, bottom - fold);
	tn_draw_line(picture->display, right - fold, bottom);
	tn_draw_end(picture->display);
	(void)put_text(picture, label_of(node), frame->x + 12, y, LABEL_SIZE - 1, TN_DRAW_BOLD,
		       colours->note_text, frame->width - 24);
	for (y += 18; rest.size > 0 && lines < NOTE_LINES_MAX && y + 4 < bottom; y += 15, lines++) {
		bool last = y + 19 >= bottom || lines + 1 == NOTE_LINES_MAX;
		struct tn_str line = last ? rest
					  : next_line(picture, &rest, TYPE_SIZE, TN_DRAW_REGULAR,
						      frame->width - 24);

		(void)put_text(picture, line, frame->x + 12, y, TYPE_SIZE, TN_DRAW_REGULAR,
			       colours->note_text, frame->width - 24 - (last ? fold : 0));
		if (last)
			break;
	}
}

void tn_studio_draw_leaf(struct tn_studio_picture *picture, const struct tn_studio_node *node)
{
	struct frame frame = frame_of(picture, node);

	if (tn_studio_is_note(node))
		draw_note(picture, node, &frame);
	else if (!node->type)
		draw_unknown(picture, node, &frame);
	else
		draw_card(picture, node, &frame);
}

/* ---- containers ---- */

static tn_colour container_colour(const struct tn_studio_picture *picture,
				  const struct tn_studio_node *node)
{
	return node->type ? picture->colours->family[tn_studio_family_of(node->type)]
			  : picture->colours->unknown_border;
}

void tn_studio_draw_container(struct tn_studio_picture *picture, const struct tn_studio_node *node)
{
	const struct tn_studio_colours *colours = picture->colours;
	struct frame frame = frame_of(picture, node), header = frame;
	tn_colour colour = container_colour(picture, node);
	bool dashed = !node->type || node->type->is_annotation;
	struct tn_draw_style box = {
		.fill = tn_studio_mix(colour, colours->page, colours->wash),
		.stroke = tn_studio_mix(colour, colours->page, TN_STUDIO_FRAME_PERCENT),
		.stroke_width = 1.5};
	const struct tn_draw_style bar = {
		.fill = tn_studio_mix(colour, colours->page, colours->tint + 1)};
	struct tn_draw_style edge = box;

	if (dashed)
		memcpy(edge.dash, (const double[4]){7, 4, 0, 0}, sizeof(edge.dash));
	edge.fill = 0;
	box.stroke = 0;
	header.height = TN_STUDIO_HEADER < frame.height ? TN_STUDIO_HEADER : frame.height;
	draw_frame(picture, &frame, 10, &box);
	/* The bar has round corners at the top only. */
	tn_draw_begin(picture->display, &bar);
	tn_draw_move(picture->display, frame.x, frame.y + header.height);
	tn_draw_line(picture->display, frame.x, frame.y + 10);
	tn_draw_arc(picture->display, frame.x + 10, frame.y + 10, 10, 180, 270);
	tn_draw_arc(picture->display, frame.x + frame.width - 10, frame.y + 10, 10, 270, 360);
	tn_draw_line(picture->display, frame.x + frame.width, frame.y + header.height);
	tn_draw_close(picture->display);
	tn_draw_end(picture->display);
	draw_frame(picture, &frame, 10, &edge);
}

void tn_studio_draw_title(struct tn_studio_picture *picture, const struct tn_studio_node *node)
{
	const struct tn_studio_colours *colours = picture->colours;
	struct frame frame = frame_of(picture, node);
	const char *status = tn_studio_shown_status(picture, node);
	double x = frame.x + 42, right = frame.x + frame.width - 14;
	double middle = frame.y + TN_STUDIO_HEADER / 2.0;
	struct tn_str label = label_of(node), type = type_name(node);

	if (node->type)
		tn_studio_draw_sign(picture->display, node->type, frame.x + 13, middle - 10, 20,
				    container_colour(picture, node));
	else
		(void)put_text(picture, TN_STR("?"), frame.x + 17, middle + 7, 20, TN_DRAW_BOLD,
			       colours->unknown_border, 20);
	if (status)
		right -= tn_studio_draw_status(picture, status, right, middle, true) + 10;
	x += put_text(picture, label, x, middle + 4.6, LABEL_SIZE, TN_DRAW_BOLD, colours->text,
		      right - x) +
	     10;
	/* The type's name goes when there is no room for a good part of it. */
	if (right - x > 40 && !tn_str_equal(label, type))
		(void)put_text(picture, type, x, middle + 4.6, TYPE_SIZE, TN_DRAW_REGULAR,
			       colours->quiet, right - x);
}
