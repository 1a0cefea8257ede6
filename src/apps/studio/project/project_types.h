/* project_types.h - the registry a project works with: built in, the user's files, and those of
 * the project's own folder types/ (studio.md 5.1). Private to project*.c.
 *
 * Threads: loop; blocks for as long as small files take. */
#ifndef TN_STUDIO_PROJECT_TYPES_H
#define TN_STUDIO_PROJECT_TYPES_H

#include "apps/studio/project/project.h"

/* A reference. Files that are wrong are left out and are warnings of the project. NULL: the fault
 * says why. */
struct tn_studio_registry *tn_studio_project_registry(struct tn_studio_project *project,
						      struct tn_studio_fault *fault);

#endif
