/* vt_width.h - how many columns a character takes, as programs that draw on terminals reckon.
 * Threads: any. */
#ifndef TN_TERM_VT_WIDTH_H
#define TN_TERM_VT_WIDTH_H

#include <stdint.h>

enum tn_vt_width {
	TN_VT_JOINS = 0, /* the cell before it */
	TN_VT_NARROW = 1,
	TN_VT_WIDE = 2,
	TN_VT_UNSEEN = 3 /* is not shown, and not kept */
};

/* `code` is no control and no surrogate. Ambiguous ones are narrow. */
enum tn_vt_width tn_vt_width(uint32_t code);

#endif
