/* raster_image.h - a small picture (a glyph with colours of its own) laid into pixels, scaled and
 * turned. The same bytes in every build, as raster.h. Threads: one at a time. */
#ifndef TN_DRAW_RASTER_IMAGE_H
#define TN_DRAW_RASTER_IMAGE_H

#include "draw/raster.h"
#include "draw/shaping_plugin.h"

/* `where`: its transformation is the glyph's units into pixels. `alpha`: 255 for as it is. */
void tn_raster_put_image(struct tn_raster *raster, const struct tn_glyph_image *image,
			 const struct tn_outline *where, unsigned alpha);

#endif
