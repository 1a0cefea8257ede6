/* Names in the folder of a run. */
#include <stdio.h>

#include "apps/studio/run/internal.h"

bool tn_studio_run_path(char out[TN_STUDIO_RUN_PATH_SIZE], const char *folder, const char *name)
{
	int size = snprintf(out, TN_STUDIO_RUN_PATH_SIZE, "%s/%s", folder, name);

	return size > 0 && size < TN_STUDIO_RUN_PATH_SIZE;
}
