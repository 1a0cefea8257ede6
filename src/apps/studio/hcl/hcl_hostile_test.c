/* HCL that means harm, and what holds of every text: bounds, linear time, every byte in its place
 * (studio.md 8.3). */
#include "apps/studio/hcl/hcl_test_kit.h"

#include <stdlib.h>

#include "apps/studio/limits.h"
#include "base/clock.h"

/* ---- hostile texts ---- */

static struct tn_str repeated(struct world *world, const char *start, const char *piece,
			      size_t times, const char *end)
{
	size_t piece_size = strlen(piece), size = strlen(start), total;
	char *text;

	total = size + piece_size * times + strlen(end);
	text = tn_arena_alloc(&world->arena, total + 1);
	assert_non_null(text);
	memcpy(text, start, size);
	for (size_t i = 0; i < times; i++, size += piece_size)
		memcpy(text + size, piece, piece_size);
	memcpy(text + size, end, strlen(end));
	return tn_str(text, total);
}

static void test_nesting_is_bounded(void **state)
{
	static const char *const openings[] = {"(",    "[",  "{a=", "f(",        "x[",
					       "\"${", "-(", "1?",  "[for x in "};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(openings) / sizeof(*openings); i++) {
		parse(world, repeated(world, "a = ", openings[i], 100000, "\nb = 1\n"));
		assert_non_null(world->file->faults);
		assert_string_equal(world->file->faults->message, "this is nested too deeply");
		tn_arena_reset(&world->arena);
	}
	parse(world, repeated(world, "", "a {\n", 100000, "\n"));
	assert_string_equal(world->file->faults->message, "this is nested too deeply");
	/* One less than the bound is fine. */
	parse(world,
	      repeated(world,
		       "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "",
		       0, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n"));
	assert_null(world->file->faults);
}

/* Texts that would cost the square of their size if anything were looked at again and again. */
static void test_time_is_linear(void **state)
{
	static const struct {
		const char *start, *piece, *end;
	} texts[] = {
		{"", "<<A\n", ""},
		{"", "a=<<A\n", ""},
		{"", "a=/*", ""},
		{"", "a=\"\\\"", ""},
		{"a=)", "\"\\\"", ""},
		{"", "a=\"", ""},
		{"", "a=[\n", ""},
		{"", "a{x=!}", ""},
		{"", "a{\n}\n", ""},
		{"", "#\n", ""},
		{"a=[", "1,", "]"},
		{"a=f(", "\n", ")"},
		{"a=\"", "$${", "\""},
		{"a=\"", "${x}", "\""},
		{"a=x", ".y", ""},
		{"a=x", "[0]", ""},
		{"a=", "-", "1"},
		{"a={", "a=1,", "}"},
		{"a=\"", "%{if x}", "\""},
		{"a=<<-A\n", " x\n", "A\n"},
		{"", "}", ""},
		{"", "a=)\n", ""},
		{"", "a=1;", ""},
		{"", "resource \"a\" \"b\" {\n", ""},
		{"", "a=1\n", ""},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		size_t times = 400000 / strlen(texts[i].piece);
		struct tn_str text =
			repeated(world, texts[i].start, texts[i].piece, times, texts[i].end);
		struct tenon_error err = {0};
		uint64_t before = tn_clock_now_ms(&tn_clock_system);
		enum tenon_code code = tn_hcl_parse(&world->arena, text, &world->file, &err);

		assert_true(code == TENON_OK || code == TENON_LIMIT);
		/* Linear takes some ten milliseconds; the square of 400,000 minutes. */
		if (tn_clock_now_ms(&tn_clock_system) - before > 5000)
			fail_msg("\"%s\" took %u ms", texts[i].piece,
				 (unsigned)(tn_clock_now_ms(&tn_clock_system) - before));
		tn_arena_reset(&world->arena);
	}
}

static void test_caps(void **state)
{
	struct world *world = *state;
	struct tenon_error err = {0};
	struct tn_str text = repeated(world, "# ", " ", TN_HCL_BYTES_MAX - 2, "");

	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_OK);
	text = repeated(world, "# ", " ", TN_HCL_BYTES_MAX - 1, "");
	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_LIMIT);
	text = repeated(world, "a=[", "1,", TN_HCL_NODES_MAX, "]");
	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_LIMIT);
}

/* ---- properties ---- */

static const char *const sources[] = {
	"# head\nresource \"a\" \"b\" {\n  x = \"${var.y}-z\"\n  l = [1, 2]\n\n  c {\n    d = {\n  "
	"    "
	"e = f(1)\n    }\n  }\n}\n\nlocals {\n  t = <<-EOT\n    one\n      two\n  EOT\n}\n",
	"variable \"v\" {\n  type = object({\n    a = string\n    b = optional(list(string), [])\n "
	" "
	"})\n  default = { a = \"x\", b = [] } /* last */\n}\n\noutput \"o\" { value = [for s in "
	"var.v.b : upper(s) if s != \"\"] }\n// end\n",
	"data \"d\" \"e\" {\n  filter {\n    name   = \"n\" # why\n    values = [\"%{ if a }b%{ "
	"endif "
	"}\"]\n  }\n  count = var.x ? 1 : 0\n}\nmodule \"m\" {\n  source = \"./m\"\n  ids    = "
	"data.d.e[*].id\n}\n",
};

static bool is_space_or_comment(struct tn_str gap)
{
	size_t at = 0;

	while (at < gap.size) {
		struct tn_str rest = tn_str_from_offset(gap, at);
		size_t end = 0;

		if (strchr(" \t\r\n", gap.data[at])) {
			at++;
			continue;
		}
		if (tn_str_starts(rest, TN_STR("/*")))
			end = tn_str_find(rest, TN_STR("*/")) + 2;
		else if (tn_str_starts(rest, TN_STR("#")) || tn_str_starts(rest, TN_STR("//")))
			end = tn_str_find_byte(rest, '\n');
		else
			return false;
		at += end < rest.size ? end : rest.size;
	}
	return true;
}

/* Every byte belongs to exactly one item of the top level, or stands between two. */
static void check_cover(const char *text, const struct tn_hcl_body *body)
{
	const struct tn_hcl_attribute *attribute = body->attributes;
	const struct tn_hcl_block *block = body->blocks;
	const char *at = text, *start, *end;

	while (attribute || block) {
		if (block && (!attribute || block->range.start < attribute->range.start)) {
			start = block->text.data;
			end = start + block->text.size;
			block = block->next;
		} else {
			start = text + attribute->range.start;
			end = text + attribute->range.end;
			attribute = attribute->next;
		}
		assert_true(start >= at && end > start);
		assert_true(is_space_or_comment(tn_str(at, (size_t)(start - at))));
		at = end;
	}
	assert_true(is_space_or_comment(tn_str_from(at)));
}

static void test_bytes_are_covered(void **state)
{
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		parse(world, tn_str_from(sources[i]));
		assert_null(world->file->faults);
		check_cover(sources[i], world->file->body);
	}
}

static void check_inside(const struct tn_hcl_value *value, const struct tn_hcl_range *outer)
{
	assert_true(value->range.start >= outer->start && value->range.end <= outer->end);
	assert_true(value->range.end > value->range.start);
	for (const struct tn_hcl_value *item = value->items; item; item = item->next)
		check_inside(item, outer);
}

static void check_ranges(const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next)
		check_inside(one->value, &one->range);
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
		check_ranges(one->body);
}

static void test_mutations(void **state)
{
	static const char bytes[] = "\"${}[]()=,.#/*<-\n \\x1%:?!~\t\r\xC3\xA4";
	struct world *world = *state;
	unsigned seed = 20261121;
	char text[1024];

	for (unsigned round = 0; round < 30000; round++) {
		const char *source = sources[round % (sizeof(sources) / sizeof(*sources))];
		size_t size = strlen(source);
		struct tenon_error err = {0};

		memcpy(text, source, size);
		for (unsigned i = 0; i <= round % 4; i++) {
			size_t at;

			seed = seed * 1103515245u + 12345u;
			at = (seed >> 8) % size;
			seed = seed * 1103515245u + 12345u;
			if (seed & 0x10000) {
				text[at] = bytes[(seed >> 20) % (sizeof(bytes) - 1)];
			} else {
				memmove(text + at, text + at + 1, size - at - 1);
				size--;
			}
		}
		assert_int_equal(
			tn_hcl_parse(&world->arena, tn_str(text, size), &world->file, &err),
			TENON_OK);
		check_ranges(world->file->body);
		tn_arena_reset(&world->arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nesting_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_time_is_linear, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_caps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bytes_are_covered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mutations, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("studio_hcl_hostile", tests, NULL, NULL);
}
