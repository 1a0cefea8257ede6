/* The names of the profiles. */
#include "mcp/fit.h"

static const char *const names[TN_FIT_KINDS] = {
	[TN_FIT_BOTH] = "both",
	[TN_FIT_TEXT] = "text",
	[TN_FIT_STRUCTURED] = "structured",
	[TN_FIT_IMAGE_ALONE] = "image-alone",
};

const char *tn_fit_name(enum tn_fit fit)
{
	return names[fit];
}

bool tn_fit_find(struct tn_str name, enum tn_fit *ret)
{
	for (unsigned i = 0; i < TN_FIT_KINDS; i++) {
		if (tn_str_is(name, names[i])) {
			*ret = (enum tn_fit)i;
			return true;
		}
	}
	return false;
}

bool tn_fit_split(struct tn_str text, struct tn_str *ret_name, enum tn_fit *ret)
{
	size_t at = text.size;

	while (at > 0 && text.data[at - 1] != '=')
		at--;
	if (at < 2)
		return false;
	*ret_name = tn_str(text.data, at - 1);
	return tn_fit_find(tn_str_from_offset(text, at), ret);
}
