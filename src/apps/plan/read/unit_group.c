/* A runner that plans several units at a time mixes their lines. Every run of lines begins with a
 * mark that names its unit; here the runs of one unit are put together, in the order in which the
 * units first spoke. When there is no memory for that the text stays as it is. */
#include "apps/plan/read/clean.h"
#include "base/map.h"
#include "base/mem.h"

enum { GROUPS_MAX = 4096 };

struct group {
	size_t size; /* of its lines */
	size_t at;   /* where its next run goes */
	bool marked;
};

struct grouping {
	struct tn_map numbers; /* name of the unit to its number, from 1 */
	struct group *groups;
	size_t count;
	bool mixed; /* some unit has more than one run */
};

/* The run that begins at `at`; its end, and the name in its mark. */
static size_t read_run(const struct tn_plan_text *text, size_t at, struct tn_str *ret_name,
		       size_t *ret_content)
{
	const char *start = text->data + at, *end = text->data + text->size;
	const char *stop = memchr(start, '\n', (size_t)(end - start));
	const char *next;

	*ret_name = tn_str("", 0);
	*ret_content = at;
	if (*start == TN_PLAN_UNIT_MARK && stop) {
		*ret_name = tn_str(start + 1, (size_t)(stop - start) - 1);
		*ret_content = (size_t)(stop - text->data) + 1;
	}
	next = memchr(start + 1, TN_PLAN_UNIT_MARK, (size_t)(end - start) - 1);
	return next ? (size_t)(next - text->data) : text->size;
}

/* What has no group of its own (no room, no memory) is in the first one. */
static struct group *find_group(const struct grouping *grouping, struct tn_str name)
{
	uintptr_t number = (uintptr_t)tn_map_get(&grouping->numbers, name);

	return &grouping->groups[number ? number - 1 : 0];
}

static void add_group(struct grouping *grouping, struct tn_str name)
{
	struct tenon_error err;

	if (tn_map_get(&grouping->numbers, name)) {
		grouping->mixed = true;
		return;
	}
	if (grouping->count == GROUPS_MAX)
		return;
	if (tn_map_put(&grouping->numbers, name, (void *)(uintptr_t)(grouping->count + 1), &err) ==
	    TENON_OK)
		grouping->count++;
}

static void measure(struct grouping *grouping, const struct tn_plan_text *text)
{
	size_t at = 0, content, place = 0;
	struct tn_str name;

	while (at < text->size) {
		size_t end = read_run(text, at, &name, &content);
		struct group *group;

		add_group(grouping, name);
		group = find_group(grouping, name);
		if (!group->marked)
			group->size += content - at;
		group->marked = true;
		group->size += end - content;
		at = end;
	}
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		grouping->groups[i].at = place;
		place += grouping->groups[i].size;
		grouping->groups[i].marked = false;
	}
}

static void place(struct grouping *grouping, struct tn_plan_text *text, char *copy)
{
	size_t at = 0, content, size = 0;
	struct tn_str name;

	while (at < text->size) {
		size_t end = read_run(text, at, &name, &content);
		struct group *group = find_group(grouping, name);

		if (group->marked)
			at = content;
		group->marked = true;
		memcpy(copy + group->at, text->data + at, end - at);
		group->at += end - at;
		size += end - at;
		at = end;
	}
	memcpy(text->data, copy, size);
	text->size = size;
}

void tn_plan_group_units(struct tn_plan_text *text)
{
	struct grouping grouping = {.count = 0};
	char *copy = NULL;

	if (text->size == 0 || !memchr(text->data, TN_PLAN_UNIT_MARK, text->size))
		return;
	tn_map_init(&grouping.numbers);
	grouping.groups = tn_mem_alloc_array(GROUPS_MAX, sizeof(*grouping.groups));
	if (!grouping.groups)
		goto out;
	measure(&grouping, text);
	if (!grouping.mixed)
		goto out;
	copy = tn_mem_alloc(text->size);
	if (copy)
		place(&grouping, text, copy);
out:
	tn_mem_free(copy);
	tn_mem_free(grouping.groups);
	tn_map_finish(&grouping.numbers);
}
