/* declared.h - the variables that a diagram declares, by its properties and templates
 * (studio.md 8.4).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_DECLARED_H
#define TN_STUDIO_DECLARED_H

#include "apps/studio/document/document.h"

/* Whether a node or a template declares this variable as sensitive. */
bool tn_studio_variable_is_sensitive(const struct tn_studio_document *document,
				     struct tn_str variable);

#endif
