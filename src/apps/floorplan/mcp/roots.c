#include "apps/floorplan/mcp/roots.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "/" would be everything, and home, where a user's service stands, has start files and keys:
 * nobody meant these. */
static bool holds_home(const char *folder)
{
	const char *home = getenv("HOME");
	char real[PATH_MAX];
	size_t size = strlen(folder);

	if (size == 1)
		return true;
	if (!home || !realpath(home, real))
		return false;
	return strncmp(real, folder, size) == 0 && (real[size] == '/' || real[size] == '\0');
}

enum tenon_code tn_floor_roots_read(struct tn_roots *roots, const char *const *list,
				    struct tenon_error *err)
{
	char here[PATH_MAX];
	const char *folders[] = {here, NULL};

	if (list[0])
		return tn_roots_init(roots, list, err);
	if (!getcwd(here, sizeof(here)) || holds_home(here))
		folders[0] = NULL;
	return tn_roots_init(roots, folders, err);
}

enum tenon_code tn_floor_place_find(const struct tn_roots *roots, const char *path,
				    struct tn_place *ret, struct tenon_error *err)
{
	struct tenon_error why = {0};
	enum tenon_code code = tn_place_find(roots, path, ret, &why);

	if (code == TENON_OK && !ret->exists && strchr(ret->name, '/'))
		code = tn_fail(err, TENON_NOT_FOUND, "there is no folder for '%.150s'", path);
	else if (code == TENON_OK)
		return code;
	else if (roots->count == 0)
		return tn_fail(err, code, "no folder is allowed for '%.150s'; set floorplan.roots",
			       path);
	else if (code == TENON_DENIED)
		return tn_fail(err, code,
			       "'%.150s' is in no folder that plans may lie in (setting "
			       "floorplan.roots)",
			       path);
	else
		return tn_fail(err, code, "'%.150s': %s", path, why.message);
	tn_place_close(ret);
	return code;
}
