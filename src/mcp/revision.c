#include "mcp/revision.h"

#include "base/size.h"

static const struct tn_str names[] = {
	{"", 0},
	{"2024-11-05", 10},
	{"2025-03-26", 10},
	{"2025-06-18", 10},
	{"2025-11-25", 10},
	{"2026-07-28", 10},
};

struct tn_str tn_revision_name(enum tn_revision revision)
{
	return names[revision];
}

enum tn_revision tn_revision_find(struct tn_str name)
{
	for (size_t i = TN_R1; i < TN_COUNT(names); i++) {
		if (tn_str_equal(names[i], name))
			return (enum tn_revision)i;
	}
	return TN_REVISION_NONE;
}

bool tn_revision_is_modern_date(struct tn_str name)
{
	static const char shape[] = "dddd-dd-dd";

	if (name.size != sizeof(shape) - 1)
		return false;
	for (size_t i = 0; i < name.size; i++) {
		if (shape[i] == 'd' ? !tn_is_digit(name.data[i]) : name.data[i] != shape[i])
			return false;
	}
	return tn_str_compare(name, names[TN_R5]) >= 0;
}
