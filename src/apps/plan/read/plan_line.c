#include "apps/plan/read/plan_line.h"

#include "base/size.h"

static const struct {
	struct tn_str words;
	size_t field;
} fields[] = {
	{{" to import", 10}, offsetof(struct tn_plan_line, import)},
	{{" to add", 7}, offsetof(struct tn_plan_line, add)},
	{{" to change", 10}, offsetof(struct tn_plan_line, change)},
	{{" to destroy", 11}, offsetof(struct tn_plan_line, destroy)},
	{{" to forget", 10}, offsetof(struct tn_plan_line, forget)},
	{{" to invoke", 10}, offsetof(struct tn_plan_line, invoke)},
};

static int64_t *field_at(struct tn_plan_line *line, size_t i)
{
	return (int64_t *)(void *)((char *)line + fields[i].field);
}

/* "N to WORD" at `at`. Returns the offset behind it, or 0. */
static size_t read_field(struct tn_str text, size_t at, struct tn_plan_line *line)
{
	size_t start = at;
	uint64_t number;

	while (at < text.size && tn_is_digit(text.data[at]))
		at++;
	if (!tn_str_to_uint(tn_str(text.data + start, at - start), &number))
		return 0;
	for (size_t i = 0; i < TN_COUNT(fields); i++) {
		int64_t *field = field_at(line, i);

		if (!tn_str_starts(tn_str_from_offset(text, at), fields[i].words) || *field >= 0)
			continue;
		/* Nobody plans so many; a sum over units must not overflow. */
		*field = number > INT32_MAX ? INT32_MAX : (int64_t)number;
		return at + fields[i].words.size;
	}
	return 0;
}

bool tn_plan_line_read(struct tn_str text, struct tn_plan_line *ret)
{
	static const struct tn_str start = {"Plan: ", 6}, actions = {". Actions: ", 11};
	struct tn_plan_line line = TN_PLAN_LINE_ABSENT;
	size_t at = start.size;

	if (!tn_str_starts(text, start))
		return false;
	for (;;) {
		struct tn_str rest;

		at = read_field(text, at, &line);
		if (at == 0)
			return false;
		rest = tn_str_from_offset(text, at);
		if (tn_str_starts(rest, TN_STR(", ")))
			at += 2;
		else if (tn_str_starts(rest, actions))
			at += actions.size;
		else if (rest.size == 0 || rest.data[0] == '.')
			break;
		else
			return false;
	}
	if (line.add < 0 || line.change < 0 || line.destroy < 0)
		return false;
	line.present = true;
	*ret = line;
	return true;
}

void tn_plan_line_add(struct tn_plan_line *sum, const struct tn_plan_line *line)
{
	sum->present |= line->present;
	for (size_t i = 0; i < TN_COUNT(fields); i++) {
		int64_t *field = field_at(sum, i);
		struct tn_plan_line copy = *line;
		int64_t more = *field_at(&copy, i);

		if (more >= 0)
			*field = (*field < 0 ? 0 : *field) + more;
	}
}
