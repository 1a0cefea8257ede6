#include "host/settings/apps.h"

#include <stdio.h>
#include <string.h>

#include "apps/floorplan/mcp/app.h"
#include "apps/plan/mcp/app.h"
#include "apps/studio/mcp/app.h"
#include "apps/terminal/mcp/app.h"
#include "apps/workbench/mcp/app.h"
#include "base/size.h"

/* Most used first: so do lists of tools begin (hosts.md HO-011). */
static const struct tenon_app *const apps[] = {
	&tn_terminal_app, &tn_plan_app, &tn_studio_app, &tn_floor_app, &tn_workbench_app,
};

const struct tenon_app *tn_apps_at(size_t index)
{
	return index < TN_COUNT(apps) ? apps[index] : NULL;
}

const struct tenon_app *tn_apps_find(const char *name)
{
	for (size_t i = 0; i < TN_COUNT(apps); i++) {
		if (strcmp(apps[i]->name, name) == 0)
			return apps[i];
	}
	return NULL;
}

void tn_apps_list(char *out, unsigned long size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < TN_COUNT(apps) && used < size; i++) {
		int wrote = snprintf(out + used, size - used, "%s%s", i ? ", " : "", apps[i]->name);

		used += wrote > 0 ? (size_t)wrote : 0;
	}
}
