#include "loop/program_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

static bool is_program(const char *path, struct stat *ret)
{
	return stat(path, ret) == 0 && S_ISREG(ret->st_mode) && access(path, X_OK) == 0;
}

bool tn_program_find(const char *name, char *out, size_t size, struct stat *ret)
{
	struct tn_str path = tn_str_from(getenv("PATH"));

	if (strchr(name, '/')) {
		int length = snprintf(out, size, "%s", name);

		return length >= 0 && (size_t)length < size && is_program(out, ret);
	}
	while (path.size > 0) {
		size_t end = tn_str_find_byte(path, ':');
		struct tn_str folder = tn_str(path.data, end == TN_STR_NONE ? path.size : end);
		int length = snprintf(out, size, "%.*s/%s", (int)folder.size, folder.data, name);

		/* A relative folder would be another one in each project. */
		if (folder.size > 0 && folder.data[0] == '/' && length >= 0 &&
		    (size_t)length < size && is_program(out, ret))
			return true;
		path = tn_str_from_offset(path, folder.size + 1);
	}
	return false;
}
