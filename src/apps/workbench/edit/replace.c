/* Replacements in a text. */
#include <stdlib.h>

#include "apps/workbench/edit/edit.h"
#include "base/mem.h"
#include "base/utf8.h"

struct ordered {
	struct tn_wb_replacement replacement;
	size_t number;
};

static int by_place(const void *a, const void *b)
{
	const struct ordered *left = a, *right = b;

	if (left->replacement.start != right->replacement.start)
		return left->replacement.start < right->replacement.start ? -1 : 1;
	if (left->replacement.end != right->replacement.end)
		return left->replacement.end < right->replacement.end ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

static enum tenon_code sort(struct tn_wb_replacement *list, size_t count, struct tenon_error *err)
{
	struct ordered *order = tn_mem_alloc_array(count + 1, sizeof(*order));

	if (!order)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < count; i++)
		order[i] = (struct ordered){list[i], i};
	qsort(order, count, sizeof(*order), by_place);
	for (size_t i = 0; i < count; i++)
		list[i] = order[i].replacement;
	tn_mem_free(order);
	return TENON_OK;
}

static bool is_inside_character(struct tn_str text, size_t at)
{
	return at < text.size && ((unsigned char)text.data[at] & 0xC0u) == 0x80u;
}

static enum tenon_code check(struct tn_str text, const struct tn_wb_replacement *list, size_t count,
			     struct tenon_error *err)
{
	bool is_utf8 = tn_utf8_valid(text.data, text.size);
	size_t end = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].end < list[i].start || list[i].end > text.size)
			return tn_fail(err, TENON_INVALID,
				       "bytes %zu to %zu are not in a file of %zu bytes",
				       list[i].start, list[i].end, text.size);
		if (i > 0 && list[i].start < end)
			return tn_fail(err, TENON_INVALID,
				       "two edits overlap at byte %zu: send them as one",
				       list[i].start);
		if (is_utf8 && (is_inside_character(text, list[i].start) ||
				is_inside_character(text, list[i].end)))
			return tn_fail(err, TENON_INVALID,
				       "bytes %zu to %zu begin or end inside a character",
				       list[i].start, list[i].end);
		end = list[i].end;
	}
	return TENON_OK;
}

enum tenon_code tn_wb_replace(struct tn_str text, struct tn_wb_replacement *list, size_t count,
			      struct tn_buf *out, struct tenon_error *err)
{
	enum tenon_code code = sort(list, count, err);
	size_t at = 0;

	if (code == TENON_OK)
		code = check(text, list, count, err);
	if (code != TENON_OK)
		return code;
	for (size_t i = 0; i < count; i++) {
		tn_buf_append(out, text.data + at, list[i].start - at);
		tn_buf_append_str(out, list[i].text);
		at = list[i].end;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, at));
	return tn_buf_check(out, err);
}
