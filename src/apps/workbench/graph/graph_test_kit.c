#include "apps/workbench/graph/graph_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/limits.h"

static char last_code[64], last_pointer[256], last_message[512];

static struct tn_wb_update update(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				  const char *text, bool whole)
{
	struct tn_wb_diagnostics diagnostics;
	struct tenon_error err = {0};
	struct tn_wb_update ret;
	struct tn_arena arena;
	struct tn_json *json;

	tn_wb_diagnostics_init(&diagnostics);
	tn_arena_init(&arena, TN_WB_UPDATE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_str_from(text), &json, &err) != TENON_OK)
		fail_msg("%s: %s", err.message, text);
	assert_int_equal((whole ? tn_wb_graph_put : tn_wb_graph_edit)(graph, producer, rank, json,
								      &ret, &diagnostics, &err),
			 TENON_OK);
	last_code[0] = last_pointer[0] = last_message[0] = '\0';
	if (diagnostics.count) {
		const struct tn_wb_diagnostic *first = &diagnostics.items[0];

		(void)snprintf(last_code, sizeof(last_code), "%s", first->code);
		(void)snprintf(last_pointer, sizeof(last_pointer), "%s",
			       first->pointer ? first->pointer : "");
		(void)snprintf(last_message, sizeof(last_message), "%s", first->message);
	}
	tn_arena_finish(&arena);
	tn_wb_diagnostics_finish(&diagnostics);
	return ret;
}

struct tn_wb_update put(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
			const char *text)
{
	return update(graph, producer, rank, text, true);
}

struct tn_wb_update edit(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
			 const char *format, ...)
{
	char text[4096];
	va_list arguments;

	va_start(arguments, format);
	assert_in_range(vsnprintf(text, sizeof(text), format, arguments), 1, sizeof(text) - 1);
	va_end(arguments);
	return update(graph, producer, rank, text, false);
}

void assert_text(const struct tn_buf *out, const char *want)
{
	if (out->size != strlen(want) || memcmp(out->data, want, out->size) != 0)
		fail_msg("got  %.*s\nwant %s", (int)out->size, out->data, want);
}

void assert_snapshot(const struct tn_wb_graph *graph, const char *want)
{
	const char *rest = strstr(want, "\"nodes\"");
	struct tenon_error err;
	struct tn_buf out, all;

	assert_non_null(rest);
	tn_buf_init(&out, TN_MIB);
	tn_buf_init(&all, TN_MIB);
	assert_int_equal(tn_wb_graph_put_snapshot(graph, &out, &err), TENON_OK);
	tn_buf_format(&all, "{\"schemaVersion\":\"v0\",\"revision\":%llu,%s",
		      (unsigned long long)tn_wb_graph_revision(graph), rest);
	tn_buf_append_byte(&all, '\0');
	assert_text(&out, all.data);
	tn_buf_finish(&all);
	tn_buf_finish(&out);
}

void assert_patch(struct tn_wb_update update, const char *want)
{
	if (!tn_str_is(update.patch, want))
		fail_msg("got  %.*s\nwant %s", (int)update.patch.size, update.patch.data, want);
}

void assert_code(const char *code, const char *pointer)
{
	assert_string_equal(last_code, code);
	if (pointer)
		assert_string_equal(last_pointer, pointer);
}

void assert_told(const char *part)
{
	if (!strstr(last_message, part))
		fail_msg("%s is not in: %s", part, last_message);
}
