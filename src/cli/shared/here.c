#include "cli/shared/here.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"

/* In base 64, because a path may have any byte. */
bool tn_here_put(struct tn_buf *out)
{
	char path[PATH_MAX];

	if (!getcwd(path, sizeof(path)) || path[0] != '/')
		return false;
	tn_buf_append_text(out, "Tenon-Directory: ");
	tn_base64_append(out, path, strlen(path));
	return true;
}
