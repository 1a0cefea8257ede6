/* picture.h - a diagram as a display list (draw/display.h), from the geometry of geometry.h
 * (ST-132). The same diagram gives the same bytes. Threads: loop. */
#ifndef TN_STUDIO_PICTURE_H
#define TN_STUDIO_PICTURE_H

#include "apps/studio/document/geometry.h"
#include "draw/display.h"

enum tn_studio_theme { TN_STUDIO_LIGHT, TN_STUDIO_DARK };

struct tn_studio_picture_options {
	enum tn_studio_theme theme;
	const struct tn_json *node_ids; /* an array: these with what is inside; NULL: all */
	bool legend;
	/* "created", "failed": a badge for each node; NULL: none is drawn. */
	const char *(*status)(const void *data, struct tn_str node_id);
	const void *status_data;
};
/* What the display is made with; tn_studio_draw gives it its size. */
tn_colour tn_studio_page_colour(enum tn_studio_theme theme);
/* False: no memory, or LIMIT_EXCEEDED. */
bool tn_studio_draw(const struct tn_studio_document *document,
		    const struct tn_studio_picture_options *options, struct tn_display *display,
		    struct tn_studio_fault *fault);

#endif
