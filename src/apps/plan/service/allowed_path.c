#include "apps/plan/service/allowed_path.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static enum tenon_code refuse(const char **ret_reason, struct tenon_error *err)
{
	*ret_reason = "path_not_allowed";
	return tn_fail(err, TENON_DENIED,
		       "this path is in none of the folders the operator allows");
}

static enum tenon_code fail_missing(const char **ret_reason, struct tenon_error *err)
{
	*ret_reason = "no_such_file";
	return tn_fail(err, TENON_NOT_FOUND, "there is no such file that may be read");
}

/* "..", at the start, between slashes or at the end. */
static bool climbs(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")); at += 2) {
		if ((at == path || at[-1] == '/') && (at[2] == '\0' || at[2] == '/'))
			return true;
	}
	return false;
}

enum tenon_code tn_plan_open_path(const struct tn_roots *roots, const char *path, int *ret_fd,
				  const char **ret_reason, struct tenon_error *err)
{
	struct tn_place place;
	enum tenon_code code;

	if (roots->count == 0) {
		*ret_reason = "path_not_allowed";
		return tn_fail(err, TENON_DENIED,
			       "no folders are allowed; the operator sets TENON_PLAN_PATHS");
	}
	if (path[0] == '\0' || climbs(path))
		return refuse(ret_reason, err);
	code = tn_place_find(roots, path, &place, NULL);
	if (code == TENON_DENIED)
		return refuse(ret_reason, err);
	if (code != TENON_OK)
		return fail_missing(ret_reason, err);
	code = tn_place_open(&place, ret_fd, NULL);
	tn_place_close(&place);
	return code == TENON_OK ? code : fail_missing(ret_reason, err);
}
