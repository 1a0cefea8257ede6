#include "apps/workbench/values/plain_path.h"

bool tn_wb_path_is_plain(struct tn_str path)
{
	if (path.size == 0 || memchr(path.data, '\\', path.size) ||
	    memchr(path.data, '\0', path.size))
		return false;
	for (size_t at = 0; at <= path.size;) {
		struct tn_str rest = tn_str_from_offset(path, at), part = rest;
		size_t end = tn_str_find_byte(rest, '/');

		part.size = end == TN_STR_NONE ? rest.size : end;
		if (part.size == 0 || tn_str_is(part, ".") || tn_str_is(part, ".."))
			return false;
		at += part.size + 1;
	}
	return true;
}
