/* fonts.h - the machine's fonts, for what the embedded font lacks (decision 0004).
 *
 * They are looked at when a picture first needs them, by the plug-in tenon-shaping.so: opening is
 * free. Without the plug-in pictures have boxes. Threads: any; close after the last display. */
#ifndef TN_DRAW_FONTS_H
#define TN_DRAW_FONTS_H

#include "base/buf.h"
#include "base/error.h"
#include "draw/display.h"

struct tn_fonts;
struct tn_fonts_options {
	const char *plugin_folder; /* NULL: the usual places (loop/plugin.h) */
	const char *folder;        /* NULL: where fonts lie on this machine */
};
/* Fails: INVALID (a path that is too long), NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_fonts_open(const struct tn_fonts_options *options,
					  struct tn_fonts **ret, struct tenon_error *err);
void tn_fonts_close(struct tn_fonts *fonts); /* accepts NULL */

/* ---- for display.c ---- */

struct tn_shaping_plugin;
struct tn_shaper;
/* Loads the plug-in, or says why not. */
TN_MUST_USE enum tenon_code tn_fonts_shaper(struct tn_fonts *fonts,
					    const struct tn_shaping_plugin **ret_plugin,
					    struct tn_shaper **ret, struct tenon_error *err);

#endif
