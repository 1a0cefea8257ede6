/* Every sample with one element dropped, doubled or renamed gives exactly that difference; every
 * prefix parses; every counted header that is missing is noticed (plan.md section 17). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

static const char *const texts[] = {
	"01-small-create.txt", "02-mixed-replace.txt",  "03-drift-move-import-forget.txt",
	"04-legacy-0.13.txt",  "05-ci-log-ansi.txt",    "06-pull-request-comment.md",
	"07-errored.txt",      "08-tofu-truncated.txt", "09-same-plan.txt",
};

/* ---- lines of a text ---- */

/* The offset at which line `number` (1-based) begins, or the end. */
static size_t line_start(struct tn_str text, uint32_t number)
{
	size_t at = 0;

	while (--number > 0 && at < text.size) {
		size_t next = tn_str_find_byte(tn_str_from_offset(text, at), '\n');

		at = next == TN_STR_NONE ? text.size : at + next + 1;
	}
	return at;
}

struct span {
	size_t start, end;
};

static struct span entry_span(struct tn_str text, const struct tn_plan_entry *entry)
{
	return (struct span){line_start(text, entry->line_first),
			     line_start(text, entry->line_last + 1)};
}

static struct tn_buf joined(struct tn_str a, struct tn_str b, struct tn_str c)
{
	struct tn_buf out;

	tn_buf_init(&out, 64 * TN_MIB);
	tn_buf_append_str(&out, a);
	tn_buf_append_str(&out, b);
	tn_buf_append_str(&out, c);
	assert_false(out.failed);
	return out;
}

/* ---- sets of changes ---- */

/* The set with line `line` (without its LF) taken out once. */
static struct tn_buf set_without(struct tn_str set, struct tn_str line)
{
	struct tn_buf whole = joined(line, TN_STR("\n"), tn_str("", 0));
	struct tn_buf out = test_replaced(set, tn_buf_str(&whole), tn_str("", 0));

	tn_buf_finish(&whole);
	return out;
}

static size_t count_lines(struct tn_str set, struct tn_str line)
{
	size_t count = 0;

	while (set.size) {
		size_t end = tn_str_find_byte(set, '\n');

		count += tn_str_equal(tn_str(set.data, end), line);
		set = tn_str_from_offset(set, end + 1);
	}
	return count;
}

/* "ADDRESS|actions|previous|deposed" of one entry. */
static struct tn_buf entry_line(const struct tn_plan_entry *entry, struct tn_str address)
{
	struct tn_buf line;

	tn_buf_init(&line, TN_MIB);
	tn_buf_append_str(&line, address);
	tn_buf_format(&line, "|%s|", test_actions_text(entry));
	tn_buf_append_str(&line, entry->previous_address);
	tn_buf_append_byte(&line, '|');
	tn_buf_append_str(&line, entry->deposed);
	return line;
}

static struct tn_buf set_of(struct tn_str text)
{
	struct tn_plan *plan = test_parse(text);
	struct tn_buf set = test_change_set(plan, true);

	tn_plan_free(plan);
	return set;
}

static void check_equal_sets(const struct tn_buf *actual, const struct tn_buf *expected)
{
	if (!tn_str_equal(tn_buf_str(actual), tn_buf_str(expected)))
		fail_msg("got\n%.*sexpected\n%.*s", (int)actual->size, actual->data,
			 (int)expected->size, expected->data);
}

/* `text` must give the set of `plan` with this entry `times` times instead of once. */
static void check_times(struct tn_str text, const struct tn_buf *set,
			const struct tn_plan_entry *entry, size_t times)
{
	struct tn_buf line = entry_line(entry, entry->address), actual = set_of(text);
	struct tn_buf left = set_without(tn_buf_str(set), tn_buf_str(&line));
	size_t before = count_lines(tn_buf_str(set), tn_buf_str(&line));

	assert_int_equal(count_lines(tn_buf_str(&actual), tn_buf_str(&line)), before - 1 + times);
	for (size_t i = 0; i < times; i++) {
		struct tn_buf less = set_without(tn_buf_str(&actual), tn_buf_str(&line));

		tn_buf_finish(&actual);
		actual = less;
	}
	check_equal_sets(&actual, &left);
	tn_buf_finish(&line);
	tn_buf_finish(&actual);
	tn_buf_finish(&left);
}

/* ---- text ---- */

static void check_dropped(struct tn_str text, const struct tn_buf *set,
			  const struct tn_plan_entry *entry)
{
	struct span span = entry_span(text, entry);
	struct tn_buf changed = joined(tn_str(text.data, span.start),
				       tn_str_from_offset(text, span.end), tn_str("", 0));

	check_times(tn_buf_str(&changed), set, entry, 0);
	tn_buf_finish(&changed);
}

static void check_doubled(struct tn_str text, const struct tn_buf *set,
			  const struct tn_plan_entry *entry)
{
	struct span span = entry_span(text, entry);
	struct tn_buf changed = joined(tn_str(text.data, span.end),
				       tn_str(text.data + span.start, span.end - span.start),
				       tn_str_from_offset(text, span.end));

	/* A body that is cut off ends where its copy begins. */
	check_times(tn_buf_str(&changed), set, entry, 2);
	tn_buf_finish(&changed);
}

/* The address with "_renamed" behind its name, and the lines of the entry with that address. */
static struct tn_buf renamed_address(const struct tn_plan_entry *entry)
{
	struct tn_buf old, new, out;

	tn_buf_init(&old, TN_MIB);
	tn_buf_init(&new, TN_MIB);
	tn_buf_append_str(&old, entry->type);
	tn_buf_append_byte(&old, '.');
	tn_buf_append_str(&old, entry->name);
	tn_buf_append_str(&new, tn_buf_str(&old));
	tn_buf_append_text(&new, "_renamed");
	out = test_replaced(entry->address, tn_buf_str(&old), tn_buf_str(&new));
	tn_buf_finish(&old);
	tn_buf_finish(&new);
	return out;
}

static struct tn_buf renamed_lines(struct tn_str lines, const struct tn_plan_entry *entry,
				   struct tn_str address)
{
	struct tn_buf old, new, header, out;

	tn_buf_init(&old, TN_MIB);
	tn_buf_init(&new, TN_MIB);
	tn_buf_append_text(&old, entry->action == TN_PLAN_MOVE ? " has moved to " : "# ");
	tn_buf_append_str(&new, tn_buf_str(&old));
	tn_buf_append_str(&old, entry->address);
	tn_buf_append_str(&new, address);
	header = test_replaced(lines, tn_buf_str(&old), tn_buf_str(&new));
	tn_buf_clear(&old);
	tn_buf_clear(&new);
	tn_buf_format(&old, " \"%.*s\" {", (int)entry->name.size, entry->name.data);
	if (tn_str_find(lines, tn_buf_str(&old)) == TN_STR_NONE) { /* two blanks up to 1.1 */
		tn_buf_clear(&old);
		tn_buf_format(&old, " \"%.*s\"  {", (int)entry->name.size, entry->name.data);
	}
	tn_buf_format(&new, " \"%.*s_renamed\" {", (int)entry->name.size, entry->name.data);
	out = test_replaced(tn_buf_str(&header), tn_buf_str(&old), tn_buf_str(&new));
	tn_buf_finish(&old);
	tn_buf_finish(&new);
	tn_buf_finish(&header);
	return out;
}

static void check_renamed(struct tn_str text, const struct tn_buf *set,
			  const struct tn_plan_entry *entry)
{
	struct span span = entry_span(text, entry);
	struct tn_buf address = renamed_address(entry);
	struct tn_buf lines = renamed_lines(tn_str(text.data + span.start, span.end - span.start),
					    entry, tn_buf_str(&address));
	struct tn_buf changed = joined(tn_str(text.data, span.start), tn_buf_str(&lines),
				       tn_str_from_offset(text, span.end));
	struct tn_buf actual = set_of(tn_buf_str(&changed));
	struct tn_buf old_line = entry_line(entry, entry->address);
	struct tn_buf new_line = entry_line(entry, tn_buf_str(&address));
	struct tn_buf left = set_without(tn_buf_str(set), tn_buf_str(&old_line));
	struct tn_buf actual_left = set_without(tn_buf_str(&actual), tn_buf_str(&new_line));

	check_equal_sets(&actual_left, &left);
	tn_buf_finish(&address);
	tn_buf_finish(&lines);
	tn_buf_finish(&changed);
	tn_buf_finish(&actual);
	tn_buf_finish(&old_line);
	tn_buf_finish(&new_line);
	tn_buf_finish(&left);
	tn_buf_finish(&actual_left);
}

static void one_element_is_one_difference(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		struct tn_buf text = test_load(texts[i]);
		struct tn_plan *plan = test_parse(tn_buf_str(&text));
		struct tn_buf set = test_change_set(plan, true);

		for (uint32_t k = 0; k < plan->change_count; k++) {
			check_dropped(tn_buf_str(&text), &set, &plan->changes[k]);
			check_doubled(tn_buf_str(&text), &set, &plan->changes[k]);
			check_renamed(tn_buf_str(&text), &set, &plan->changes[k]);
		}
		tn_buf_finish(&set);
		tn_plan_free(plan);
		tn_buf_finish(&text);
	}
}

/* ---- JSON and stream ---- */

enum variant { DROPPED, DOUBLED };

static void write_document(struct tn_buf *out, const struct tn_json *document,
			   const struct tn_json *element, enum variant variant)
{
	tn_buf_clear(out);
	tn_json_begin_object(out);
	for (const struct tn_json *member = document->first; member; member = member->next) {
		tn_json_put_key_str(out, member->key);
		if (!tn_str_is(member->key, "resource_changes")) {
			tn_json_put_value(out, member);
			continue;
		}
		tn_json_begin_array(out);
		for (const struct tn_json *one = member->first; one; one = one->next) {
			if (one != element || variant == DOUBLED)
				tn_json_put_value(out, one);
			if (one == element && variant == DOUBLED)
				tn_json_put_value(out, one);
		}
		tn_json_end_array(out);
	}
	tn_json_end_object(out);
	assert_false(out->failed);
}

static void one_json_element_is_one_difference(void **state)
{
	struct tn_buf text = test_load("09-same-plan.json"), changed;
	struct tn_plan *plan = test_parse(tn_buf_str(&text));
	struct tn_buf set = test_change_set(plan, true);
	struct tn_json *document;
	struct tenon_error err;
	struct tn_arena arena;
	uint32_t entry = 0;

	(void)state;
	tn_arena_init(&arena, 4 * TN_MIB);
	tn_buf_init(&changed, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&text), &document, &err), TENON_OK);
	for (const struct tn_json *one = tn_json_get(document, "resource_changes")->first; one;
	     one = one->next) {
		struct tn_str address;

		assert_true(tn_json_to_str(tn_json_get(one, "address"), &address));
		if (entry == plan->change_count ||
		    !tn_str_equal(address, plan->changes[entry].address))
			continue; /* a no-op */
		write_document(&changed, document, one, DROPPED);
		check_times(tn_buf_str(&changed), &set, &plan->changes[entry], 0);
		write_document(&changed, document, one, DOUBLED);
		check_times(tn_buf_str(&changed), &set, &plan->changes[entry], 2);
		entry++;
	}
	assert_int_equal(entry, plan->change_count);
	tn_arena_finish(&arena);
	tn_buf_finish(&changed);
	tn_buf_finish(&set);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void one_stream_record_is_one_difference(void **state)
{
	struct tn_buf text = test_load("09-same-plan.ndjson");
	struct tn_plan *plan = test_parse(tn_buf_str(&text));
	struct tn_buf set = test_change_set(plan, true);

	(void)state;
	for (uint32_t i = 0; i < plan->change_count; i++) {
		check_dropped(tn_buf_str(&text), &set, &plan->changes[i]);
		check_doubled(tn_buf_str(&text), &set, &plan->changes[i]);
	}
	tn_buf_finish(&set);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

/* ---- prefixes ---- */

static void check_prefix(struct tn_str text, size_t size)
{
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;

	if (tn_plan_parse(text.data, size, NULL, &plan, &reason, &err) == TENON_OK)
		tn_plan_free(plan);
	else if (!reason || strcmp(reason, "not_a_plan") != 0)
		fail_msg("%zu bytes: %s: %s", size, reason ? reason : "?", err.message);
}

static void every_prefix_parses(void **state)
{
	static const char *const others[] = {"09-same-plan.json", "09-same-plan.ndjson"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts) + TN_COUNT(others); i++) {
		struct tn_buf text =
			test_load(i < TN_COUNT(texts) ? texts[i] : others[i - TN_COUNT(texts)]);

		for (size_t size = 0; size <= text.size; size++)
			check_prefix(tn_buf_str(&text), size);
		tn_buf_finish(&text);
	}
}

static void a_cut_off_plan_says_so(void **state)
{
	struct tn_buf text = test_load("02-mixed-replace.txt");
	size_t plan_line = tn_str_find(tn_buf_str(&text), TN_STR("\nPlan: 3"));
	size_t list = tn_str_find(tn_buf_str(&text), TN_STR("  # data."));

	(void)state;
	for (size_t size = list + 60; size < plan_line; size += 37) {
		struct tn_plan *plan = test_parse(tn_str(text.data, size));

		assert_true(plan->truncated);
		assert_int_equal(plan->confidence, TN_PLAN_LOW);
		assert_int_not_equal(plan->status, TN_PLAN_NO_CHANGES);
		tn_plan_free(plan);
	}
	tn_buf_finish(&text);
}

/* ---- missing headers ---- */

static bool is_counted(const struct tn_plan_entry *entry)
{
	return entry->import_id.data || entry->action == TN_PLAN_CREATE ||
	       entry->action == TN_PLAN_UPDATE || entry->action == TN_PLAN_DELETE ||
	       entry->action == TN_PLAN_REPLACE || entry->action == TN_PLAN_IMPORT;
}

static void a_missing_header_is_noticed(void **state)
{
	uint32_t tried = 0;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		struct tn_buf text = test_load(texts[i]);
		struct tn_plan *plan = test_parse(tn_buf_str(&text));

		for (uint32_t k = 0; k < plan->change_count && plan->plan_line.present; k++) {
			const struct tn_plan_entry *entry = &plan->changes[k];
			size_t start = line_start(tn_buf_str(&text), entry->line_first);
			size_t end = line_start(tn_buf_str(&text), entry->line_first + 1);
			struct tn_buf changed;
			struct tn_plan *other;

			if (!is_counted(entry))
				continue;
			changed = joined(tn_str(text.data, start),
					 tn_str_from_offset(tn_buf_str(&text), end), tn_str("", 0));
			other = test_parse(tn_buf_str(&changed));
			assert_int_equal(other->consistent, 0);
			assert_true(other->mismatch_count > 0);
			assert_int_equal(other->confidence, TN_PLAN_LOW);
			assert_true(test_has_warning(other, "orphan_body"));
			tn_plan_free(other);
			tn_buf_finish(&changed);
			tried++;
		}
		tn_plan_free(plan);
		tn_buf_finish(&text);
	}
	assert_true(tried > 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_element_is_one_difference),
		cmocka_unit_test(one_json_element_is_one_difference),
		cmocka_unit_test(one_stream_record_is_one_difference),
		cmocka_unit_test(every_prefix_parses),
		cmocka_unit_test(a_cut_off_plan_says_so),
		cmocka_unit_test(a_missing_header_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
