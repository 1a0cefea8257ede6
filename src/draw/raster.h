/* raster.h - filling outlines into pixels, by the non-zero rule, with exact edges to the left and
 * right and sixteen lines a pixel from top to bottom.
 *
 * The same outline gives the same bytes in every build: no fused arithmetic, no table that depends
 * on the machine. Ownership: the caller owns the struct. Failures stick. Threads: one at a time. */
#ifndef TN_DRAW_RASTER_H
#define TN_DRAW_RASTER_H

#include "draw/outline.h"

struct tn_raster_edge;

struct tn_raster {
	uint32_t width, height;
	uint8_t *pixels; /* RGBA, colours multiplied by alpha, rows from the top */
	struct tn_raster_edge *edges;
	size_t edge_count, edge_room;
	struct tn_raster_edge *sorted; /* for sorting */
	uint32_t *lines;
	uint32_t *active; /* indices of edges */
	size_t active_room;
	int32_t *cover;                  /* of one row: differences; width + 2 */
	uint32_t cover_first, cover_end; /* what of it is not 0 */
	bool failed;
};

/* Fails: LIMIT (TN_DRAW_PIXELS_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_raster_init(struct tn_raster *raster, uint32_t width,
					   uint32_t height, tn_colour background,
					   struct tenon_error *err);
void tn_raster_finish(struct tn_raster *raster);

/* Contours that were not closed are closed. */
void tn_raster_fill(struct tn_raster *raster, const struct tn_outline *outline, tn_colour colour);

/* A display list over what is there, without its background; as tn_draw_png (display.h). */
TN_MUST_USE enum tenon_code tn_raster_draw(struct tn_raster *raster,
					   const struct tn_display *display, double scale,
					   struct tenon_error *err);

#endif
