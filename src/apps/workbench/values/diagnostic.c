#include "apps/workbench/values/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

void tn_wb_diagnostics_init(struct tn_wb_diagnostics *list)
{
	*list = (struct tn_wb_diagnostics){0};
}

static void free_texts(struct tn_wb_diagnostic *item)
{
	tn_mem_free((char *)item->code);
	tn_mem_free((char *)item->message);
	tn_mem_free((char *)item->file);
	tn_mem_free((char *)item->pointer);
}

void tn_wb_diagnostics_finish(struct tn_wb_diagnostics *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_texts(&list->items[i]);
	tn_mem_free(list->items);
	tn_wb_diagnostics_init(list);
}

static bool make_room(struct tn_wb_diagnostics *list)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 8;
	struct tn_wb_diagnostic *items;

	if (list->count >= TN_WB_DIAGNOSTICS_MAX)
		return false;
	if (list->count < list->capacity)
		return true;
	items = tn_mem_resize(list->items, capacity * sizeof(*items));
	if (!items)
		return false;
	list->items = items;
	list->capacity = capacity;
	return true;
}

/* True as well where there is nothing to copy. */
static bool copy_text(const char **ret, const char *text)
{
	*ret = text ? tn_mem_copy_text(text, strlen(text)) : NULL;
	return *ret || !text;
}

void tn_wb_diagnose(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostic *diagnostic)
{
	struct tn_wb_diagnostic copy = *diagnostic;
	bool whole;

	if (!list)
		return;
	if (!make_room(list)) {
		list->dropped++;
		return;
	}
	whole = copy_text(&copy.code, diagnostic->code);
	whole = copy_text(&copy.message, diagnostic->message) && whole;
	whole = copy_text(&copy.file, diagnostic->file) && whole;
	whole = copy_text(&copy.pointer, diagnostic->pointer) && whole;
	if (whole) {
		list->items[list->count++] = copy;
	} else {
		free_texts(&copy);
		list->dropped++;
	}
}

void tn_wb_diagnose_format(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostic *of,
			   const char *format, ...)
{
	char message[TN_WB_TEXT_BYTES_MAX];
	struct tn_wb_diagnostic diagnostic = *of;
	va_list arguments;

	if (!list)
		return;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	diagnostic.message = message;
	tn_wb_diagnose(list, &diagnostic);
}

void tn_wb_diagnostics_add(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostics *more)
{
	for (size_t i = 0; i < more->count; i++)
		tn_wb_diagnose(list, &more->items[i]);
	list->dropped += more->dropped;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool tn_wb_diagnostics_equal(const struct tn_wb_diagnostics *a, const struct tn_wb_diagnostics *b)
{
	if (a->count != b->count || a->dropped != b->dropped)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct tn_wb_diagnostic *x = &a->items[i], *y = &b->items[i];

		if (x->severity != y->severity || x->line != y->line ||
		    !is_same_text(x->code, y->code) || !is_same_text(x->message, y->message) ||
		    !is_same_text(x->file, y->file) || !is_same_text(x->pointer, y->pointer))
			return false;
	}
	return true;
}

static const char *severity_name(enum tn_wb_severity severity)
{
	static const char *const names[] = {"error", "warning", "info"};

	return names[severity];
}

static void put_item(struct tn_buf *out, const struct tn_wb_diagnostic *item)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "severity", severity_name(item->severity));
	tn_json_put_member_text(out, "code", item->code);
	tn_json_put_member_text(out, "message", item->message);
	if (item->file)
		tn_json_put_member_text(out, "file", item->file);
	if (item->pointer)
		tn_json_put_member_text(out, "pointer", item->pointer);
	if (item->line)
		tn_json_put_member_int(out, "line", item->line);
	tn_json_end_object(out);
}

static void put_left(struct tn_buf *out, size_t count)
{
	char message[64];

	(void)snprintf(message, sizeof(message), "%zu more %s left out", count,
		       count == 1 ? "is" : "are");
	put_item(out, &(struct tn_wb_diagnostic){
			      .severity = TN_WB_WARNING, .code = "left_out", .message = message});
}

void tn_wb_diagnostics_put_items(struct tn_buf *out, const struct tn_wb_diagnostics *list)
{
	size_t start = out->size, left = list->dropped;

	for (size_t i = 0; i < list->count; i++) {
		if (out->size - start < TN_WB_TOLD_BYTES_MAX)
			put_item(out, &list->items[i]);
		else
			left++;
	}
	if (left)
		put_left(out, left);
}

void tn_wb_diagnostics_put(struct tn_buf *out, const struct tn_wb_diagnostics *list)
{
	tn_json_begin_array(out);
	tn_wb_diagnostics_put_items(out, list);
	tn_json_end_array(out);
}
