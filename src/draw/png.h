/* png.h - pixels as a PNG file, by libdeflate: no time, no text, not interlaced.
 *
 * Threads: any. */
#ifndef TN_DRAW_PNG_H
#define TN_DRAW_PNG_H

#include "base/buf.h"
#include "draw/raster.h"

/* Uses up the pixels: they are filtered where they are. RGB, or RGBA with `has_alpha`.
 * Fails: LIMIT (the buffer's), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_png_encode(struct tn_raster *raster, bool has_alpha,
					  struct tn_buf *out, struct tenon_error *err);

#endif
