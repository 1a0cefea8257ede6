#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/read/reading_kit.h"
#include "base/mem.h"

#include <fcntl.h>
#include <unistd.h>

struct tn_buf test_load(const char *name)
{
	struct tenon_error err;
	struct tn_buf text, path;
	int fd;

	tn_buf_init(&path, TN_KIB);
	tn_buf_format(&path, "%s/plan-examples/%s", TN_TEST_DATA, name);
	tn_buf_append_byte(&path, '\0');
	fd = open(path.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail_msg("cannot open %s", path.data);
	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_buf_read_all(&text, fd, &err), TENON_OK);
	(void)close(fd); /* only read from */
	tn_buf_finish(&path);
	return text;
}

struct tn_plan *test_parse(struct tn_str text)
{
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;

	if (tn_plan_parse(text.data, text.size, NULL, &plan, &reason, &err) != TENON_OK)
		fail_msg("%s: %s", reason ? reason : "?", err.message);
	return plan;
}

struct tn_plan *test_parse_text(const char *text)
{
	return test_parse(tn_str_from(text));
}

const char *test_parse_reason(struct tn_str text)
{
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;

	if (tn_plan_parse(text.data, text.size, NULL, &plan, &reason, &err) == TENON_OK)
		fail_msg("it parses: %.*s", (int)(text.size < 200 ? text.size : 200), text.data);
	assert_null(plan);
	assert_true(err.message[0] != '\0');
	return reason ? reason : "";
}

const char *test_actions_text(const struct tn_plan_entry *entry)
{
	static const char *const orders[] = {"delete,create", "delete,create", "create,delete",
					     "create,forget", "forget,create"};

	if (entry->action == TN_PLAN_REPLACE)
		return orders[entry->order];
	if (entry->action == TN_PLAN_IMPORT || entry->action == TN_PLAN_MOVE)
		return "no-op";
	return tn_plan_action_name(entry->action);
}

const struct tn_plan_entry *test_entry(const struct tn_plan *plan, const char *address)
{
	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (tn_str_is(plan->changes[i].address, address))
			return &plan->changes[i];
	}
	fail_msg("no entry %s", address);
	return NULL;
}

const struct tn_plan_attribute *test_attribute(const struct tn_plan_attributes *attributes,
					       const char *path)
{
	for (uint32_t i = 0; i < attributes->count; i++) {
		if (tn_str_is(attributes->items[i].path, path))
			return &attributes->items[i];
	}
	for (uint32_t i = 0; i < attributes->count; i++)
		print_message("  has %.*s\n", (int)attributes->items[i].path.size,
			      attributes->items[i].path.data);
	fail_msg("no attribute %s", path);
	return NULL;
}

bool test_has_warning(const struct tn_plan *plan, const char *code)
{
	for (uint32_t i = 0; i < plan->warning_count; i++) {
		if (strcmp(plan->warnings[i].code, code) == 0)
			return true;
	}
	return false;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *change_line(const struct tn_plan_entry *entry, bool with_deposed)
{
	struct tn_buf line;
	char *text;

	tn_buf_init(&line, TN_MIB);
	tn_buf_append_str(&line, entry->address);
	tn_buf_append_byte(&line, '|');
	tn_buf_append_text(&line, test_actions_text(entry));
	tn_buf_append_byte(&line, '|');
	tn_buf_append_str(&line, entry->previous_address);
	if (with_deposed) {
		tn_buf_append_byte(&line, '|');
		tn_buf_append_str(&line, entry->deposed);
	}
	assert_false(line.failed);
	text = tn_mem_copy_text(line.data, line.size);
	tn_buf_finish(&line);
	assert_non_null(text);
	return text;
}

struct tn_buf test_change_set(const struct tn_plan *plan, bool with_deposed)
{
	struct tn_buf set;
	char **lines = tn_mem_alloc_array(plan->change_count + 1, sizeof(*lines));

	assert_non_null(lines);
	tn_buf_init(&set, 64 * TN_MIB);
	for (uint32_t i = 0; i < plan->change_count; i++)
		lines[i] = change_line(&plan->changes[i], with_deposed);
	qsort(lines, plan->change_count, sizeof(*lines), compare_lines);
	for (uint32_t i = 0; i < plan->change_count; i++) {
		tn_buf_append_text(&set, lines[i]);
		tn_buf_append_byte(&set, '\n');
		tn_mem_free(lines[i]);
	}
	tn_mem_free(lines);
	assert_false(set.failed);
	return set;
}

struct tn_buf test_replaced(struct tn_str text, struct tn_str what, struct tn_str with)
{
	struct tn_buf out;
	size_t at = tn_str_find(text, what);

	assert_true(at != TN_STR_NONE);
	tn_buf_init(&out, 64 * TN_MIB);
	tn_buf_append(&out, text.data, at);
	tn_buf_append_str(&out, with);
	tn_buf_append_str(&out, tn_str_from_offset(text, at + what.size));
	assert_false(out.failed);
	return out;
}

uint32_t test_next_random(struct test_random *random, uint32_t below)
{
	random->state =
		random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random->state >> 33) % below;
}
