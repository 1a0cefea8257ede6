#include "apps/workbench/values/id.h"

#include "apps/workbench/limits.h"
#include "base/utf8.h"

static bool fits(struct tn_str id)
{
	return id.size > 0 && id.size <= TN_WB_ID_BYTES_MAX;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool tn_wb_has_control(struct tn_str text)
{
	uint32_t code = 0;
	size_t length;

	for (size_t at = 0; at < text.size; at += length) {
		length = tn_utf8_decode(text.data + at, text.size - at, &code);
		if (length == 0 || is_control(code))
			return true;
	}
	return false;
}

bool tn_wb_type_id_is_valid(struct tn_str id)
{
	return fits(id) && !tn_wb_has_control(id);
}

bool tn_wb_instance_id_is_valid(struct tn_str id)
{
	return fits(id);
}
