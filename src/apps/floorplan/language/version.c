/* Which version of the language a plan is written in (floorplan.md 3.3). */
#include "apps/floorplan/language/parser.h"

struct version {
	bool good;
	uint64_t major, minor;
};

/* 1, 1.0 or 1.0.0 */
static struct version read_version(struct tn_str text)
{
	struct version version = {.good = true};
	unsigned parts = 0;

	text = tn_str_trim(text);
	do {
		size_t point = tn_str_find_byte(text, '.');
		struct tn_str part = tn_str(text.data, point == TN_STR_NONE ? text.size : point);
		uint64_t number = 0;

		version.good = version.good && parts < 3 && part.size > 0 && part.size < 10 &&
			       tn_str_to_uint(part, &number);
		if (parts == 0)
			version.major = number;
		else if (parts == 1)
			version.minor = number;
		parts++;
		if (point == TN_STR_NONE)
			break;
		text = tn_str_from_offset(text, point + 1);
	} while (version.good);
	return version;
}

static void check(struct tn_str text, const struct tn_floor_range *range,
		  struct tn_floor_diagnostics *list)
{
	struct version version = read_version(text);
	int shown = (int)(text.size > 40 ? 40 : text.size);

	if (!version.good || version.major > 1)
		(void)tn_floor_diagnose(list, 7003, range,
					"version '%.*s' is not supported; 1.0 is", shown,
					text.data);
	else if (version.major == 0)
		(void)tn_floor_diagnose(list, 7001, range,
					"version '%.*s' is old; the plan is read as 1.0", shown,
					text.data);
	else if (version.minor > 0)
		(void)tn_floor_diagnose(list, 7002, range,
					"version '%.*s' is newer than 1.0, as which the plan is "
					"read",
					shown, text.data);
}

void tn_version_check(const struct tn_floor_tree *tree, struct tn_floor_diagnostics *list)
{
	static const struct tn_floor_range start = {
		.line = 1, .column = 1, .end_line = 1, .end_column = 1};
	const struct tn_floor_front *front = &tree->front;
	struct version a, b;

	if (!tree->directive_version.data && !front->version.data) {
		(void)tn_floor_diagnose(list, 7000, &start,
					"the plan does not say its version; 1.0 is assumed");
		return;
	}
	if (!tree->directive_version.data) {
		check(front->version, &front->version_range, list);
		return;
	}
	check(tree->directive_version, &tree->directive_range, list);
	if (!front->version.data)
		return;
	a = read_version(tree->directive_version);
	b = read_version(front->version);
	if (a.good != b.good || a.major != b.major || a.minor != b.minor)
		(void)tn_floor_diagnose(list, 7005, &front->version_range,
					"the front matter says version %.*s, the directive %.*s, "
					"which counts",
					(int)(front->version.size > 40 ? 40 : front->version.size),
					front->version.data,
					(int)(tree->directive_version.size > 40
						      ? 40
						      : tree->directive_version.size),
					tree->directive_version.data);
}
