#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/plan/read/address.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/mem.h"

enum { ENTRIES_MAX = 2000, ATTRIBUTES_MAX = 40, LIST_MAX = 30 };

struct tn_plan *test_plan(void)
{
	struct tn_plan *plan = tn_mem_alloc(sizeof(*plan));

	assert_non_null(plan);
	tn_arena_init(&plan->arena, 64 * TN_MIB);
	plan->changes = tn_mem_alloc_array(ENTRIES_MAX, sizeof(*plan->changes));
	plan->diagnostics =
		tn_arena_alloc_array(&plan->arena, LIST_MAX, sizeof(*plan->diagnostics));
	plan->drift = tn_arena_alloc_array(&plan->arena, LIST_MAX, sizeof(*plan->drift));
	plan->encoding = "utf-8";
	plan->tool = TN_PLAN_TERRAFORM;
	plan->consistent = 1;
	memset(plan->sha256, 'a', sizeof(plan->sha256) - 1);
	return plan;
}

void test_plan_free(struct tn_plan *plan)
{
	tn_arena_finish(&plan->arena);
	tn_mem_free(plan->changes);
	tn_mem_free(plan);
}

struct tn_plan_entry *test_add(struct tn_plan *plan, enum tn_plan_action action,
			       const char *address)
{
	struct tn_plan_entry *entry = &plan->changes[plan->change_count++];
	struct tn_plan_address read;

	assert_true(plan->change_count <= ENTRIES_MAX);
	address = tn_arena_copy(&plan->arena, tn_str_from(address)); /* tests reuse their buffers */
	assert_int_equal(tn_plan_address_read(tn_str_from(address), &read), strlen(address));
	assert_true(tn_plan_entry_set_address(entry, &read, &plan->arena));
	entry->action = (uint8_t)action;
	entry->order = action == TN_PLAN_REPLACE ? TN_PLAN_DESTROY_FIRST : TN_PLAN_ORDER_NONE;
	entry->attributes.items = tn_arena_alloc_array(&plan->arena, ATTRIBUTES_MAX,
						       sizeof(struct tn_plan_attribute));
	entry->reasons = tn_arena_alloc_array(&plan->arena, LIST_MAX, sizeof(*entry->reasons));
	plan->actions[action]++;
	plan->total_changes += action != TN_PLAN_READ;
	return entry;
}

static struct tn_plan_value value_of(const char *text)
{
	struct tn_plan_value value = {.kind = TN_PLAN_VALUE_NONE};

	if (!text)
		return value;
	value.kind = *text == '#'   ? TN_PLAN_VALUE_NUMBER
		     : *text == '?' ? TN_PLAN_VALUE_BOOL
				    : TN_PLAN_VALUE_STRING;
	value.text = tn_str_from(text + (value.kind != TN_PLAN_VALUE_STRING));
	return value;
}

static struct tn_plan_attribute *add_attribute(struct tn_plan_attributes *attributes,
					       const char *path, const char *before,
					       const char *after)
{
	struct tn_plan_attribute *attribute = &attributes->items[attributes->count++];

	assert_true(attributes->count <= ATTRIBUTES_MAX);
	attribute->path = tn_str_from(path);
	attribute->before = value_of(before);
	attribute->after = value_of(after);
	attribute->change = TN_PLAN_ATTR_UPDATE;
	if (before && after && strcmp(before, after) == 0)
		attribute->change = TN_PLAN_ATTR_UNCHANGED;
	else if (!before)
		attribute->change = TN_PLAN_ATTR_ADD;
	else if (!after)
		attribute->change = TN_PLAN_ATTR_REMOVE;
	return attribute;
}

struct tn_plan_attribute *test_attr(struct tn_plan *plan, struct tn_plan_entry *entry,
				    const char *path, const char *before, const char *after)
{
	(void)plan;
	return add_attribute(&entry->attributes, path, before, after);
}

void test_reason(struct tn_plan *plan, struct tn_plan_entry *entry, const char *code,
		 const char *text)
{
	(void)plan;
	assert_true(entry->reason_count < LIST_MAX);
	entry->reasons[entry->reason_count].code = code;
	entry->reasons[entry->reason_count++].text = tn_str_from(text);
}

struct tn_plan_diagnostic *test_diagnostic(struct tn_plan *plan, const char *severity,
					   const char *summary)
{
	struct tn_plan_diagnostic *diagnostic = &plan->diagnostics[plan->diagnostic_count++];

	assert_true(plan->diagnostic_count <= LIST_MAX);
	diagnostic->severity = severity;
	diagnostic->summary = tn_str_from(summary);
	return diagnostic;
}

struct tn_plan_drift *test_drift(struct tn_plan *plan, enum tn_plan_action action,
				 const char *address)
{
	struct tn_plan_drift *drift = &plan->drift[plan->drift_count++];

	assert_true(plan->drift_count <= LIST_MAX);
	drift->address = tn_str_from(address);
	drift->action = (uint8_t)action;
	drift->attributes.items = tn_arena_alloc_array(&plan->arena, ATTRIBUTES_MAX,
						       sizeof(struct tn_plan_attribute));
	return drift;
}

void test_drift_attr(struct tn_plan *plan, struct tn_plan_drift *drift, const char *path,
		     const char *before, const char *after)
{
	(void)plan;
	(void)add_attribute(&drift->attributes, path, before, after);
}

void test_assess(struct tn_plan *plan)
{
	struct tenon_error err;

	assert_int_equal(tn_plan_assess_risk(plan, &err), TENON_OK);
}

int test_level(const struct tn_plan *plan, const char *id, const char *address)
{
	int level = -1;

	for (uint32_t i = 0; i < plan->finding_count; i++) {
		const struct tn_plan_finding *finding = &plan->findings[i];
		bool whole = finding->change == TN_PLAN_NO_CHANGE;

		if (strcmp(finding->id, id) != 0 || whole != (address == NULL) ||
		    (address && !tn_str_is(plan->changes[finding->change].address, address)))
			continue;
		if ((int)finding->level > level)
			level = (int)finding->level;
	}
	return level;
}

struct tn_buf test_buf(void)
{
	struct tn_buf buf;

	tn_buf_init(&buf, 64 * TN_MIB);
	return buf;
}

const char *test_text(struct tn_buf *buf)
{
	assert_true(tn_buf_reserve(buf, 1));
	buf->data[buf->size] = '\0';
	return buf->data;
}

const struct tn_json *test_json(struct tn_plan *plan, struct tn_buf *buf)
{
	struct tn_json *value = NULL;
	struct tenon_error err;

	assert_false(buf->failed);
	if (tn_json_parse_copy(&plan->arena, tn_buf_str(buf), &value, &err) != TENON_OK)
		fail_msg("%s in %s", err.message, test_text(buf));
	return value;
}

const struct tn_json *test_get(const struct tn_json *value, const char *path)
{
	struct tn_str rest = tn_str_from(path);

	while (rest.size > 0 && value) {
		size_t dot = tn_str_find_byte(rest, '.');
		struct tn_str part = tn_str(rest.data, dot == TN_STR_NONE ? rest.size : dot);
		uint64_t index;

		if (value->type == TN_JSON_ARRAY && tn_str_to_uint(part, &index)) {
			value = index < value->count ? value->first : NULL;
			while (value && index-- > 0)
				value = value->next;
		} else {
			value = tn_json_get_str(value, part);
		}
		rest = tn_str_from_offset(rest, part.size + 1);
	}
	return value;
}

void test_is_text(const struct tn_json *value, const char *path, const char *expected)
{
	const struct tn_json *found = test_get(value, path);

	if (!expected) {
		assert_true(tn_json_is(found, TN_JSON_NULL));
		return;
	}
	if (!tn_json_is(found, TN_JSON_STRING) || !tn_str_is(found->text, expected))
		fail_msg("%s is %.*s, expected %s", path, found ? (int)found->text.size : 0,
			 found ? found->text.data : "", expected);
}

void test_is_int(const struct tn_json *value, const char *path, int64_t expected)
{
	int64_t actual = -1;

	if (!tn_json_to_int(test_get(value, path), &actual) || actual != expected)
		fail_msg("%s is %lld, expected %lld", path, (long long)actual, (long long)expected);
}

void test_is_full(const struct tn_plan *plan, enum tn_plan_audience audience, const char *expected)
{
	struct tn_buf out = test_buf();

	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, audience);
	assert_string_equal(test_text(&out), expected);
	tn_buf_finish(&out);
}

void test_is_sentence(struct tn_plan *plan, const char *expected)
{
	struct tn_buf out = test_buf();

	tn_plan_put_sentence(&out, plan, &plan->changes[plan->change_count - 1],
			     TN_PLAN_NON_TECHNICAL);
	assert_string_equal(test_text(&out), expected);
	tn_buf_finish(&out);
}

size_t test_count_of(struct tn_str text, const char *part)
{
	size_t count = 0, at;

	while ((at = tn_str_find(text, tn_str_from(part))) != TN_STR_NONE) {
		count++;
		text = tn_str_from_offset(text, at + 1);
	}
	return count;
}

bool test_contains(struct tn_str text, const char *part)
{
	return tn_str_find(text, tn_str_from(part)) != TN_STR_NONE;
}
