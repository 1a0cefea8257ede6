/* What holds for any bytes (plan.md section 17): they do no harm, half a plan is not taken for a
 * whole one, and hostile input costs no more than its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/limits.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

/* ---- any bytes ---- */

static void parse_any(struct tn_str bytes, enum tn_plan_input_kind kind)
{
	struct tn_plan_options options = {.input_kind = kind};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;

	if (tn_plan_parse(bytes.data, bytes.size, &options, &plan, &reason, &err) == TENON_OK)
		tn_plan_free(plan);
	else
		assert_non_null(reason);
}

static void random_bytes_do_no_harm(void **state)
{
	struct test_random random = {42};

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		char bytes[512];
		size_t size = test_next_random(&random, sizeof(bytes));

		for (size_t i = 0; i < size; i++)
			bytes[i] = (char)test_next_random(&random, round % 2 ? 256 : 128);
		for (int kind = TN_PLAN_INPUT_AUTO; kind <= TN_PLAN_INPUT_JSON_STREAM; kind++)
			parse_any(tn_str(bytes, size), (enum tn_plan_input_kind)kind);
	}
}

/* Samples with bytes changed, lines swapped and pieces repeated. */
static void damaged_samples_do_no_harm(void **state)
{
	static const char *const names[] = {"02-mixed-replace.txt", "05-ci-log-ansi.txt",
					    "06-pull-request-comment.md", "09-same-plan.json",
					    "09-same-plan.ndjson"};
	struct test_random random = {7};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text = test_load(names[i]);

		for (unsigned round = 0; round < 400; round++) {
			size_t from = test_next_random(&random, (uint32_t)text.size);
			size_t to = test_next_random(&random, (uint32_t)text.size);

			if (round % 2) {
				text.data[from] = (char)test_next_random(&random, 256);
			} else {
				size_t more = test_next_random(&random, 64);

				if (from + more < text.size && to + more < text.size)
					memmove(text.data + to, text.data + from, more);
			}
			parse_any(tn_buf_str(&text), TN_PLAN_INPUT_AUTO);
		}
		tn_buf_finish(&text);
	}
}

/* Section 4.9: what stops before its verdict is never "nothing changes", wherever it stops. */
static void no_beginning_of_a_plan_claims_that_nothing_changes(void **state)
{
	static const char *const samples[] = {
		"01-small-create.txt",   "02-mixed-replace.txt", "03-drift-move-import-forget.txt",
		"04-legacy-0.13.txt",    "05-ci-log-ansi.txt",   "06-pull-request-comment.md",
		"08-tofu-truncated.txt", "09-same-plan.json",    "09-same-plan.ndjson",
		"09-same-plan.txt",
	};
	uint32_t seen[TN_PLAN_NOT_A_PLAN + 1] = {0};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct tn_buf text = test_load(samples[i]);

		for (size_t size = 1; size < text.size; size += 1 + text.size / 150) {
			struct tn_plan_options options = {0};
			struct tn_plan *plan = NULL;
			const char *reason = NULL;
			struct tenon_error err;

			if (tn_plan_parse(text.data, size, &options, &plan, &reason, &err) !=
			    TENON_OK)
				continue;
			seen[plan->status]++;
			if (plan->status == TN_PLAN_NO_CHANGES ||
			    plan->status == TN_PLAN_DRIFT_ONLY ||
			    plan->status == TN_PLAN_DEFERRED_ONLY)
				fail_msg("%s: the first %zu bytes are %s", samples[i], size,
					 tn_plan_status_name(plan->status));
			tn_plan_free(plan);
		}
		tn_buf_finish(&text);
	}
	assert_true(seen[TN_PLAN_NO_VERDICT] > 5);
	assert_true(seen[TN_PLAN_CHANGES] > 400);
}

/* ---- hostile sizes ---- */

/* Processor time that it takes to parse `unit` over and over behind `start`, `size` bytes in all;
 * in bounded memory. */
static clock_t cost_of(const char *start, const char *unit, size_t size)
{
	/* Nothing linear comes near this, not even under a sanitizer on a busy machine. */
	struct tn_plan_options options = {.cpu_ms_max = 20000};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	struct tn_buf text;
	clock_t began, took;

	tn_buf_init(&text, 8 * TN_MIB);
	tn_buf_append_text(&text, start);
	while (text.size + strlen(unit) < size)
		tn_buf_append_text(&text, unit);
	assert_false(text.failed);
	began = clock();
	if (tn_plan_parse(text.data, text.size, &options, &plan, &reason, &err) == TENON_OK) {
		took = clock() - began;
		assert_true(plan->arena.total <=
			    TN_PLAN_MEMORY_FACTOR * text.size + TN_PLAN_MEMORY_FLOOR);
		tn_plan_free(plan);
	} else {
		took = clock() - began;
		assert_string_not_equal(reason, "timeout");
	}
	if (took > 20 * CLOCKS_PER_SEC)
		fail_msg("too slow: %s", unit);
	tn_buf_finish(&text);
	return took;
}

/* Four times the size costs four times as much, and 16 times if it goes by the square. A machine
 * that has others to serve may be slower at one of the two; hardly so three times in a row. */
static void check_hostile(const char *start, const char *unit)
{
	for (int i = 0; i < 3; i++) {
		clock_t quarter = cost_of(start, unit, TN_MIB / 4);

		if (cost_of(start, unit, TN_MIB) <= 8 * quarter + CLOCKS_PER_SEC / 10)
			return;
	}
	fail_msg("its cost grows by the square: %s", unit);
}

static void hostile_input_costs_no_more_than_its_size(void **state)
{
	static const char list[] = "Terraform will perform the following actions:\n";
	static const char body[] = "Terraform will perform the following actions:\n"
				   "  # a.b will be created\n  + resource \"a\" \"b\" {\n";

	(void)state;
	check_hostile("", "\n");
	check_hostile("", "\r");
	check_hostile("", "\x1b[");
	check_hostile("", "\x1b]x");
	check_hostile("", "[0m");
	check_hostile("[0m\n[0m\n[0m\n", "\\u001b[1m");
	check_hostile("", "-&gt;&amp;");
	check_hostile("", "\xFF");
	check_hostile("", "A\xE4");
	check_hostile("", "> ");
	check_hostile("", "Plan: ");
	check_hostile("", " the following actions");
	check_hostile("", "T");
	check_hostile("", "Error: x\n");
	check_hostile("Error: x\n", "detail\n");
	check_hostile("", "Terraform will perform the following actions:\n");
	check_hostile("", "Plan: 1 to add, 0 to change, 0 to destroy.\n  # a.b will be created\n");
	check_hostile(list, "  # a.b will be created\n");
	check_hostile(list, "  # a.b will be eaten\n");
	check_hostile(list, "  # module.");
	check_hostile(list, "  # a.b[\"");
	check_hostile("Terraform will perform the following actions:\n  # a.b will be created\n",
		      "  # (because x.y is not in configuration)\n");
	check_hostile(body, "      + x = \"\\");
	check_hostile(body, "      + x {\n");
	check_hostile(body, "      + x { # forces replacement\n        }\n");
	check_hostile(body, "      + x = [\n");
	check_hostile(body, "      + x = <<-EOT\n");
	check_hostile(body, "      + \"\\\"\\\"");
	check_hostile("Changes to Outputs:\n", "  + x = [\n");
	check_hostile(list, "  + a.b.1 (tainted)\n");
	check_hostile("", "09:32:46.963 STDOUT [net] terraform: Plan: 1 to add, 0 to change, 0 to "
			  "destroy.\n09:32:46.963 STDOUT [app] terraform: x\n");
	check_hostile("", "### 1. dir: `a`\n");
}

static void hostile_json_costs_no_more_than_its_size(void **state)
{
	(void)state;
	check_hostile("", "{");
	check_hostile("{\"resource_changes\":", "[");
	check_hostile("{\"resource_changes\":[", "{},");
	check_hostile("{\"resource_changes\":[{\"change\":{\"actions\":[\"update\"],\"before\":[",
		      "0,");
	check_hostile("{\"resource_changes\":[{\"change\":{\"actions\":[\"update\"],\"before\":{",
		      "\"b\":1,\"a\":2,");
	check_hostile("{\"resource_changes\":[{\"change\":{\"actions\":[\"update\"],"
		      "\"replace_paths\":[",
		      "[\"a\"],");
	check_hostile("{\"resource_changes\":[", "{\"type\":\"a\",\"name\":\"b\",\"change\":{"
						 "\"actions\":[\"create\"]}},");
	check_hostile("", "{\"@level\":1,\"type\":\"planned_change\"}\n");
	check_hostile("", "{\"@level\":1,\"type\":\"outputs\",\"outputs\":{\"a\":{\"action\":"
			  "\"create\"}}}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_bytes_do_no_harm),
		cmocka_unit_test(damaged_samples_do_no_harm),
		cmocka_unit_test(no_beginning_of_a_plan_claims_that_nothing_changes),
		cmocka_unit_test(hostile_input_costs_no_more_than_its_size),
		cmocka_unit_test(hostile_json_costs_no_more_than_its_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
