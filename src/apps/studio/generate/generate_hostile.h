/* generate_hostile.h - random diagrams whose texts are all traps: interpolations, quotes, comment
 * and heredoc marks, controls, long runs (ST-144). For tests. */
#ifndef TN_STUDIO_GENERATE_HOSTILE_H
#define TN_STUDIO_GENERATE_HOSTILE_H

#include "apps/studio/registry/registry.h"

/* The same for the same seed; any nesting and references the registry allows. */
void tn_studio_hostile_diagram(const struct tn_studio_registry *registry, uint64_t seed,
			       struct tn_buf *ret_diagram, struct tn_buf *ret_config);
/* One such text. `state` is advanced. */
void tn_studio_hostile_text(uint64_t *state, struct tn_buf *out);

#endif
