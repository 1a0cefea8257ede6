/* sign_path.h - outlines of signs: the data of an SVG path in a square of 24 (M L H V C Q Z, upper
 * and lower case, a letter for each step), with O cx cy r for a circle.
 *
 * Threads: any. */
#ifndef TN_STUDIO_SIGN_PATH_H
#define TN_STUDIO_SIGN_PATH_H

#include "base/buf.h"
#include "base/str.h"

enum { TN_STUDIO_SIGN_SQUARE = 24, TN_STUDIO_SIGN_STEPS_MAX = 500 };

enum tn_studio_sign_kind {
	TN_STUDIO_SIGN_MOVE,
	TN_STUDIO_SIGN_LINE,
	TN_STUDIO_SIGN_CURVE, /* all cubic */
	TN_STUDIO_SIGN_CLOSE,
	TN_STUDIO_SIGN_CIRCLE /* a shape of its own: what follows begins anew */
};

struct tn_studio_sign_step {
	enum tn_studio_sign_kind kind;
	double at[6]; /* absolute: places, for a circle its middle and radius */
};

/* How many steps there are; 0: that is no outline, or one of too many steps. */
unsigned tn_studio_sign_parse(struct tn_str path,
			      struct tn_studio_sign_step ret[TN_STUDIO_SIGN_STEPS_MAX]);
/* As every reader of SVG understands it: circles are two arcs. */
void tn_studio_sign_write(struct tn_buf *out, const struct tn_studio_sign_step *steps,
			  unsigned count);

#endif
