/* internal.h - what the files picture*.c share: colours, signs, and how things are drawn.
 * Threads: loop. */
#ifndef TN_STUDIO_PICTURE_INTERNAL_H
#define TN_STUDIO_PICTURE_INTERNAL_H

#include "apps/studio/picture/picture.h"

/* ---- picture_theme.c ---- */

enum { TN_STUDIO_FRAME_PERCENT = 62 }; /* of the family in a container's frame */

enum tn_studio_family { /* of categories that share a colour */
			TN_STUDIO_FAMILY_CORE,
			TN_STUDIO_FAMILY_NETWORK,
			TN_STUDIO_FAMILY_COMPUTE,
			TN_STUDIO_FAMILY_DATABASE,
			TN_STUDIO_FAMILY_STORAGE,
			TN_STUDIO_FAMILY_CONTAINERS,
			TN_STUDIO_FAMILY_MESSAGING,
			TN_STUDIO_FAMILY_SECURITY,
			TN_STUDIO_FAMILY_IDENTITY,
			TN_STUDIO_FAMILY_WEB,
			TN_STUDIO_FAMILY_MONITORING,
			TN_STUDIO_FAMILY_AI,
			TN_STUDIO_FAMILIES
};

enum tn_studio_plan_action { /* of a plan */
			     TN_STUDIO_CREATES,
			     TN_STUDIO_UPDATES,
			     TN_STUDIO_REPLACES,
			     TN_STUDIO_DELETES,
			     TN_STUDIO_READS,
			     TN_STUDIO_NO_OP,
			     TN_STUDIO_ACTIONS
};

struct tn_studio_note_colour {
	const char *name; /* as the type's property "colour" has it */
	tn_colour paper, border;
};
enum { TN_STUDIO_NOTE_COLOURS = 8 };

struct tn_studio_colours {
	tn_colour page, card, border, shadow;
	tn_colour text, quiet; /* at least 4.5:1 on page, card and every tint */
	struct tn_studio_note_colour note[TN_STUDIO_NOTE_COLOURS]; /* first: if none is chosen */
	tn_colour note_text;                                       /* at least 7:1 on every paper */
	tn_colour unknown, unknown_border;
	tn_colour edge, edge_quiet, binding;
	tn_colour pending, busy, created, failed, destroyed;
	tn_colour action[TN_STUDIO_ACTIONS], severity[3]; /* marks, as those of a status */
	tn_colour family[TN_STUDIO_FAMILIES]; /* signs and frames: at least 3:1 on the tint */
	unsigned tint, wash; /* per cent of the family's colour behind signs; in containers */
};
const struct tn_studio_colours *tn_studio_colours_of(enum tn_studio_theme theme);
const struct tn_studio_note_colour *tn_studio_note_colour(const struct tn_studio_colours *colours,
							  struct tn_str name);
/* By its name, as deployment statuses are called. */
tn_colour tn_studio_status_colour(const struct tn_studio_colours *colours, struct tn_str status);
/* `percent` of one colour over the other; both opaque. */
tn_colour tn_studio_mix(tn_colour over, tn_colour under, unsigned percent);

/* ---- sign_shapes.c ---- */

struct tn_studio_sign {
	const char *name, *path; /* sign_path.h */
};
extern const struct tn_studio_sign tn_studio_signs[];
extern const size_t tn_studio_sign_count;

/* ---- picture_sign.c ---- */

/* The sign and the colour of a type: by its `icon`, else by words in its id and category. */
enum tn_studio_family tn_studio_family_of(const struct tn_studio_type *type);
void tn_studio_put_sign(struct tn_buf *out, const struct tn_studio_type *type); /* path data */
void tn_studio_draw_sign(struct tn_display *display, const struct tn_studio_type *type, double x,
			 double y, double size, tn_colour colour);

/* ---- picture_node.c ---- */

struct tn_studio_picture {
	const struct tn_studio_document *document;
	const struct tn_studio_picture_options *options;
	const struct tn_studio_colours *colours;
	struct tn_display *display;
	struct tn_arena arena;
	bool *shown;                        /* by node order */
	struct tn_studio_rect *rects;       /* absolute, by node order */
	struct tn_studio_rect bounds;       /* of all that is drawn */
	const struct tn_studio_edge *edges; /* shown ones */
	const struct tn_studio_route *routes;
	size_t edge_count;
};

void tn_studio_draw_container(struct tn_studio_picture *picture, const struct tn_studio_node *node);
/* After the edges, so that none runs through it. */
void tn_studio_draw_title(struct tn_studio_picture *picture, const struct tn_studio_node *node);
void tn_studio_draw_leaf(struct tn_studio_picture *picture, const struct tn_studio_node *node);
/* NULL: it has none to be shown. */
const char *tn_studio_shown_status(const struct tn_studio_picture *picture,
				   const struct tn_studio_node *node);
/* The badge with its word, from x to the right, or to the left of it. Returns its width. */
double tn_studio_draw_status(struct tn_studio_picture *picture, const char *status, double x,
			     double middle_y, bool to_the_left);

/* ---- picture_edge.c ---- */

void tn_studio_draw_edge(struct tn_studio_picture *picture, const struct tn_studio_route *route);
void tn_studio_draw_edge_label(struct tn_studio_picture *picture,
			       const struct tn_studio_route *route);
/* The line alone, without its arrow. */
void tn_studio_draw_line(struct tn_studio_picture *picture, enum tn_studio_edge_category category,
			 const struct tn_studio_point *points, unsigned count);

/* ---- picture_legend.c ---- */

/* Below what is drawn; makes the bounds larger. */
void tn_studio_draw_legend(struct tn_studio_picture *picture);

#endif
