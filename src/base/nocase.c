#include "base/nocase.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool tn_nocase_contains(struct tn_str text, struct tn_str part)
{
	char first;

	if (part.size == 0)
		return true;
	first = lower(part.data[0]);
	for (size_t i = 0; part.size <= text.size && i <= text.size - part.size; i++) {
		if (lower(text.data[i]) == first &&
		    tn_str_equal_nocase(tn_str(text.data + i, part.size), part))
			return true;
	}
	return false;
}
