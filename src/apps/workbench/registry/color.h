/* color.h - colours as CSS writes them (workbench.md section 7.1). Threads: any. */
#ifndef TN_WB_REGISTRY_COLOR_H
#define TN_WB_REGISTRY_COLOR_H

#include "base/str.h"

/* "#" and 3, 4, 6 or 8 hexadecimal digits. */
bool tn_wb_color_is_hex(struct tn_str text);
/* rgb() or rgba(): three numbers or three percentages, with commas or blanks between them, and
 * an alpha after a comma or a slash. */
bool tn_wb_color_is_rgb(struct tn_str text);
/* hsl() or hsla(): a hue as number or angle and two percentages (with blanks numbers, too). */
bool tn_wb_color_is_hsl(struct tn_str text);

#endif
