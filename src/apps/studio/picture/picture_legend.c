#include "apps/studio/picture/internal.h"

enum { ITEM_HEIGHT = 26, GAP = 28 };

struct legend {
	struct tn_studio_picture *picture;
	double left, x, y, right;
};

static void put_word(struct legend *legend, const char *word, double x)
{
	const struct tn_draw_text how = {
		.x = x, .y = legend->y + 4, .size = 11, .colour = legend->picture->colours->quiet};

	tn_draw_put_text(legend->picture->display, tn_str_from(word), &how);
}

/* Begins a new row when there is no room for `width` more. Returns where it goes. */
static double take(struct legend *legend, double width)
{
	double x;

	if (legend->x > legend->left && legend->x + width > legend->right) {
		legend->x = legend->left;
		legend->y += ITEM_HEIGHT;
	}
	x = legend->x;
	legend->x += width + GAP;
	return x;
}

static double word_width(const char *word)
{
	return tn_draw_text_width(tn_str_from(word), 11, TN_DRAW_REGULAR);
}

static void put_edges(struct legend *legend)
{
	static const struct {
		enum tn_studio_edge_category category;
		const char *word;
	} kinds[] = {{TN_STUDIO_STRUCTURAL, "connection"},
		     {TN_STUDIO_BINDING, "output used by"},
		     {TN_STUDIO_REFERENCE_EDGE, "refers to"},
		     {TN_STUDIO_ANNOTATION, "annotation"}};
	unsigned kind;
	size_t i;

	for (kind = 0; kind < 4; kind++) {
		bool present = false;
		double x;

		for (i = 0; i < legend->picture->edge_count && !present; i++)
			present = legend->picture->edges[i].category == kinds[kind].category;
		if (!present)
			continue;
		x = take(legend, 56 + word_width(kinds[kind].word));
		tn_studio_draw_line(
			legend->picture, kinds[kind].category,
			(const struct tn_studio_point[]){{(int32_t)x, (int32_t)legend->y},
							 {(int32_t)x + 46, (int32_t)legend->y}},
			2);
		put_word(legend, kinds[kind].word, x + 56);
	}
}

static void put_statuses(struct legend *legend)
{
	static const char *const words[] = {"pending", "creating", "updating",
					    "created", "failed",   "destroyed"};
	const struct tn_studio_document *document = legend->picture->document;
	unsigned word;
	size_t i;

	for (word = 0; word < 6; word++) {
		bool present = false;

		for (i = 0; i < document->node_count && !present; i++) {
			const struct tn_studio_node *node = document->nodes[i];
			const char *status = legend->picture->shown[i]
						     ? tn_studio_shown_status(legend->picture, node)
						     : NULL;

			present = status && tn_str_is(tn_str_from(status), words[word]);
		}
		if (present)
			(void)tn_studio_draw_status(legend->picture, words[word],
						    take(legend, 18 + word_width(words[word])),
						    legend->y, false);
	}
}

static void put_unknown(struct legend *legend)
{
	const struct tn_studio_colours *colours = legend->picture->colours;
	const struct tn_draw_style box = {.fill = colours->unknown,
					  .stroke = colours->unknown_border,
					  .stroke_width = 1.2,
					  .dash = {4, 2.5}};
	bool present = false;
	double x;
	size_t i;

	for (i = 0; i < legend->picture->document->node_count && !present; i++)
		present = legend->picture->shown[i] && !legend->picture->document->nodes[i]->type;
	if (!present)
		return;
	x = take(legend, 32 + word_width("type not known here"));
	tn_draw_rect(legend->picture->display, x, legend->y - 8, 24, 16, 4, &box);
	put_word(legend, "type not known here", x + 32);
}

void tn_studio_draw_legend(struct tn_studio_picture *picture)
{
	struct tn_studio_rect *bounds = &picture->bounds;
	struct legend legend = {.picture = picture,
				.left = bounds->x,
				.x = bounds->x,
				.y = bounds->y + bounds->height + 42,
				.right = bounds->x + (bounds->width > 320 ? bounds->width : 320)};
	const struct tn_draw_style rule = {.stroke = picture->colours->border, .stroke_width = 1};
	double top = legend.y - 20.5;

	tn_draw_group_begin(picture->display, TN_STR("legend"), TN_STR("Legend"));
	put_edges(&legend);
	put_statuses(&legend);
	put_unknown(&legend);
	if (legend.x > legend.left || legend.y > top + 20.5) {
		tn_draw_begin(picture->display, &rule);
		tn_draw_move(picture->display, legend.left, top);
		tn_draw_line(picture->display, legend.right, top);
		tn_draw_end(picture->display);
		bounds->width = (int32_t)(legend.right - legend.left);
		bounds->height = (int32_t)(legend.y - bounds->y) + 10;
	}
	tn_draw_group_end(picture->display);
}
