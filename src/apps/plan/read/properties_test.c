/* What holds for any plan and for any bytes (plan.md sections 3.3 and 17): the three kinds of one
 * generated plan say the same, hostile input costs no more than its size, limits are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "apps/plan/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- a seeded generator ---- */

struct random {
	uint64_t state;
};

static uint32_t next_random(struct random *random, uint32_t below)
{
	random->state =
		random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random->state >> 33) % below;
}

struct change {
	char address[200], previous[200];
	char type[40], name[40];
	uint8_t action, order;
	bool moved, imported, deposed;
};

static const char *const keys[] = {"",
				   "[0]",
				   "[12]",
				   "[\"a\"]",
				   "[\"] will be destroyed\"]",
				   "[\"say \\\"hi\\\"\"]",
				   "[\"a.b/c d\"]",
				   "[\"gr\xC3\xBCn \xE6\x97\xA5\"]",
				   "[\"back\\\\slash\"]",
				   "[\"# x.y must be replaced\"]"};
static const char *const modules[] = {"", "module.net.", "module.db[\"e.u\"].module.x[3]."};

static void make_change(struct random *random, struct change *change, unsigned number)
{
	static const uint8_t actions[] = {TN_PLAN_CREATE,  TN_PLAN_UPDATE, TN_PLAN_DELETE,
					  TN_PLAN_REPLACE, TN_PLAN_FORGET, TN_PLAN_READ,
					  TN_PLAN_IMPORT,  TN_PLAN_MOVE};
	const char *module = modules[next_random(random, TN_COUNT(modules))];
	const char *key = keys[next_random(random, TN_COUNT(keys))];

	*change = (struct change){.action = actions[next_random(random, TN_COUNT(actions))]};
	(void)snprintf(change->type, sizeof(change->type), "cloud_thing%u", number % 7);
	(void)snprintf(change->name, sizeof(change->name), "n%u", number);
	(void)snprintf(change->address, sizeof(change->address), "%s%s%s.%s%s", module,
		       change->action == TN_PLAN_READ ? "data." : "", change->type, change->name,
		       key);
	change->order = change->action == TN_PLAN_REPLACE ? (uint8_t)(1 + next_random(random, 4))
							  : (uint8_t)TN_PLAN_ORDER_NONE;
	change->deposed = change->action == TN_PLAN_DELETE && next_random(random, 4) == 0;
	change->moved = change->action == TN_PLAN_MOVE ||
			((change->action == TN_PLAN_UPDATE || change->action == TN_PLAN_REPLACE) &&
			 next_random(random, 3) == 0);
	change->imported = change->action == TN_PLAN_UPDATE && next_random(random, 3) == 0;
	if (change->moved)
		(void)snprintf(change->previous, sizeof(change->previous), "%s.old%u", change->type,
			       number);
}

/* ---- the same change in three languages ---- */

static const char *phrase_of(const struct change *change)
{
	switch (change->action) {
	case TN_PLAN_CREATE:
		return "will be created";
	case TN_PLAN_UPDATE:
		return "will be updated in-place";
	case TN_PLAN_DELETE:
		return "will be destroyed";
	case TN_PLAN_READ:
		return "will be read during apply";
	case TN_PLAN_FORGET:
		return "will no longer be managed by Terraform, but will not be destroyed";
	case TN_PLAN_IMPORT:
		return "will be imported";
	default:
		return change->order >= TN_PLAN_FORGET_OLD
			       ? "must be replaced, but the existing object will not be destroyed"
			       : "must be replaced";
	}
}

static const char *symbol_of(const struct change *change)
{
	static const char *const orders[] = {"", "-/+", "+/-", " +/.", "./+"};

	switch (change->action) {
	case TN_PLAN_CREATE:
		return "  +";
	case TN_PLAN_UPDATE:
		return "  ~";
	case TN_PLAN_DELETE:
		return "  -";
	case TN_PLAN_READ:
		return " <=";
	case TN_PLAN_FORGET:
		return " .";
	case TN_PLAN_REPLACE:
		return orders[change->order];
	default:
		return "   ";
	}
}

static void put_text(struct tn_buf *out, const struct change *change)
{
	if (change->action == TN_PLAN_MOVE)
		tn_buf_format(out, "  # %s has moved to %s\n", change->previous, change->address);
	else
		tn_buf_format(out, "  # %s%s %s\n", change->address,
			      change->deposed ? " (deposed object 0badcafe)" : "",
			      phrase_of(change));
	if (change->moved && change->action != TN_PLAN_MOVE)
		tn_buf_format(out, "  # (moved from %s)\n", change->previous);
	if (change->imported)
		tn_buf_append_text(out, "  # (imported from \"i-1\")\n");
	tn_buf_format(out, "%s %s \"%s\" \"%s\" {\n", symbol_of(change),
		      change->action == TN_PLAN_READ ? "data" : "resource", change->type,
		      change->name);
	tn_buf_append_text(out, "      + text = <<-EOT\n"
				"            # cloud_thing1.fake will be created\n"
				"            Plan: 9 to add, 9 to change, 9 to destroy.\n"
				"        EOT\n    }\n\n");
}

static const char *json_actions(const struct change *change)
{
	static const char *const orders[] = {"", "\"delete\",\"create\"", "\"create\",\"delete\"",
					     "\"create\",\"forget\"", "\"forget\",\"create\""};
	static const char *const names[] = {"\"create\"", "\"update\"", "\"delete\"", "",
					    "\"read\"",   "\"forget\"", "\"no-op\"",  "\"no-op\""};

	return change->action == TN_PLAN_REPLACE ? orders[change->order] : names[change->action];
}

static void put_json(struct tn_buf *out, const struct change *change)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "address", change->address);
	if (change->moved)
		tn_json_put_member_text(out, "previous_address", change->previous);
	tn_json_put_member_text(out, "mode", change->action == TN_PLAN_READ ? "data" : "managed");
	tn_json_put_member_text(out, "type", change->type);
	tn_json_put_member_text(out, "name", change->name);
	if (change->deposed)
		tn_json_put_member_text(out, "deposed", "0badcafe");
	tn_json_put_key(out, "change");
	tn_json_begin_object(out);
	tn_buf_format(out, "\"actions\":[%s]", json_actions(change));
	if (change->imported || change->action == TN_PLAN_IMPORT)
		tn_json_put_member_raw(out, "importing", TN_STR("{\"id\":\"i-1\"}"));
	tn_json_put_member_raw(out, "after", TN_STR("{\"text\":\"# a.b will be created\"}"));
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static void put_record(struct tn_buf *out, const struct change *change)
{
	static const char *const names[] = {"create", "update", "delete", "replace",
					    "read",   "remove", "import", "move"};

	tn_buf_append_text(out, "{\"@level\":\"info\",\"type\":\"planned_change\",\"change\":");
	tn_json_begin_object(out);
	tn_json_put_key(out, "resource");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "addr", change->address);
	tn_json_put_member_text(out, "resource_type", change->type);
	tn_json_end_object(out);
	if (change->moved) {
		tn_json_put_key(out, "previous_resource");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "addr", change->previous);
		tn_json_end_object(out);
	}
	tn_json_put_member_text(out, "action", names[change->action]);
	if (change->imported || change->action == TN_PLAN_IMPORT)
		tn_json_put_member_raw(out, "importing", TN_STR("{\"id\":\"i-1\"}"));
	tn_json_end_object(out);
	tn_buf_append_text(out, "}\n");
}

struct forms {
	struct tn_buf text, json, stream;
	unsigned add, update, destroy, import;
};

static void init_forms(struct forms *forms)
{
	*forms = (struct forms){.add = 0};
	tn_buf_init(&forms->text, 64 * TN_MIB);
	tn_buf_init(&forms->json, 64 * TN_MIB);
	tn_buf_init(&forms->stream, 64 * TN_MIB);
	tn_buf_append_text(&forms->text, "Terraform will perform the following actions:\n\n");
	tn_buf_append_text(&forms->json, "{\"format_version\":\"1.2\",\"resource_changes\":[");
}

static void put_change(struct forms *forms, const struct change *change, bool first)
{
	bool replaces = change->action == TN_PLAN_REPLACE;

	put_text(&forms->text, change);
	if (!first)
		tn_buf_append_byte(&forms->json, ',');
	put_json(&forms->json, change);
	put_record(&forms->stream, change);
	forms->add += change->action == TN_PLAN_CREATE || replaces;
	forms->update += change->action == TN_PLAN_UPDATE;
	forms->destroy += change->action == TN_PLAN_DELETE ||
			  (replaces && change->order < TN_PLAN_FORGET_OLD);
	forms->import += change->imported || change->action == TN_PLAN_IMPORT;
}

static void end_forms(struct forms *forms)
{
	tn_buf_format(&forms->text, "Plan: %u to import, %u to add, %u to change, %u to destroy.\n",
		      forms->import, forms->add, forms->update, forms->destroy);
	tn_buf_append_text(&forms->json, "]}");
	assert_false(forms->text.failed || forms->json.failed || forms->stream.failed);
}

/* Without what the stream does not tell: the order of a replacement. */
static void forget_orders(struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->change_count; i++)
		plan->changes[i].order = TN_PLAN_ORDER_NONE;
}

static void check_forms(const struct forms *forms)
{
	struct tn_plan *text = test_parse(tn_buf_str(&forms->text));
	struct tn_plan *json = test_parse(tn_buf_str(&forms->json));
	struct tn_plan *stream = test_parse(tn_buf_str(&forms->stream));
	struct tn_buf a = test_change_set(text, true), b = test_change_set(json, true), c, d;

	if (!tn_str_equal(tn_buf_str(&a), tn_buf_str(&b)))
		fail_msg("text\n%.*sjson\n%.*s", (int)a.size, a.data, (int)b.size, b.data);
	assert_int_equal(text->consistent, 1);
	assert_int_equal(text->confidence, TN_PLAN_HIGH);
	assert_int_equal(text->total_changes, json->total_changes);
	forget_orders(text);
	c = test_change_set(text, false);
	d = test_change_set(stream, false);
	if (!tn_str_equal(tn_buf_str(&c), tn_buf_str(&d)))
		fail_msg("text\n%.*sstream\n%.*s", (int)c.size, c.data, (int)d.size, d.data);
	tn_buf_finish(&a);
	tn_buf_finish(&b);
	tn_buf_finish(&c);
	tn_buf_finish(&d);
	tn_plan_free(text);
	tn_plan_free(json);
	tn_plan_free(stream);
}

static void three_kinds_say_the_same(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct random random = {seed};
		unsigned count = 1 + next_random(&random, 40);
		struct forms forms;
		struct change change;

		init_forms(&forms);
		for (unsigned i = 0; i < count; i++) {
			make_change(&random, &change, i);
			put_change(&forms, &change, i == 0);
		}
		end_forms(&forms);
		check_forms(&forms);
		tn_buf_finish(&forms.text);
		tn_buf_finish(&forms.json);
		tn_buf_finish(&forms.stream);
	}
}

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
	struct random random = {42};

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		char bytes[512];
		size_t size = next_random(&random, sizeof(bytes));

		for (size_t i = 0; i < size; i++)
			bytes[i] = (char)next_random(&random, round % 2 ? 256 : 128);
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
	struct random random = {7};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text = test_load(names[i]);

		for (unsigned round = 0; round < 400; round++) {
			size_t from = next_random(&random, (uint32_t)text.size);
			size_t to = next_random(&random, (uint32_t)text.size);

			if (round % 2) {
				text.data[from] = (char)next_random(&random, 256);
			} else {
				size_t more = next_random(&random, 64);

				if (from + more < text.size && to + more < text.size)
					memmove(text.data + to, text.data + from, more);
			}
			parse_any(tn_buf_str(&text), TN_PLAN_INPUT_AUTO);
		}
		tn_buf_finish(&text);
	}
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

/* ---- limits (plan.md section 3.3) ---- */

static void too_large_input_is_refused(void **state)
{
	struct tn_plan_options options = {.bytes_max = 10};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	struct tn_buf text;

	(void)state;
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_LIMIT);
	assert_string_equal(reason, "input_too_large");
	tn_buf_init(&text, TN_PLAN_CLI_BYTES_MAX + 1);
	assert_true(tn_buf_reserve(&text, TN_PLAN_CLI_BYTES_MAX + 1));
	memset(text.data, '\n', TN_PLAN_CLI_BYTES_MAX + 1);
	memcpy(text.data, "No changes.", 11);
	assert_int_equal(
		tn_plan_parse(text.data, TN_PLAN_CLI_BYTES_MAX + 1, NULL, &plan, &reason, &err),
		TENON_LIMIT);
	assert_string_equal(reason, "input_too_large");
	assert_int_equal(
		tn_plan_parse(text.data, TN_PLAN_CLI_BYTES_MAX, NULL, &plan, &reason, &err),
		TENON_OK);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void too_many_resources_are_refused(void **state)
{
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n");
	for (unsigned i = 0; i < TN_PLAN_RESOURCES_MAX; i++)
		tn_buf_format(&text,
			      "  # cloud_thing.number_%08u will be created\n"
			      "  + resource \"cloud_thing\" \"number_%08u\" {\n    }\n",
			      i, i);
	tn_plan_free(test_parse(tn_buf_str(&text)));
	tn_buf_append_text(&text, "  # cloud_thing.one_more will be created\n");
	assert_string_equal(test_parse_reason(tn_buf_str(&text)), "input_too_large");
	tn_buf_finish(&text);
}

static void attributes_beyond_the_limit_are_counted(void **state)
{
	struct tn_buf text;
	struct tn_plan *plan;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n"
				  "  # a.b will be created\n  + resource \"a\" \"b\" {\n");
	for (unsigned i = 0; i < TN_PLAN_ATTRIBUTES_MAX + 7; i++)
		tn_buf_format(&text, "      + name_of_attribute_%u = \"%u\"\n", i, i);
	tn_buf_append_text(&text, "    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n");
	plan = test_parse(tn_buf_str(&text));
	assert_int_equal(plan->changes[0].attributes.count, TN_PLAN_ATTRIBUTES_MAX);
	assert_int_equal(plan->changes[0].attributes.truncated, 7);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void long_values_are_cut(void **state)
{
	struct tn_buf text;
	struct tn_plan *plan;
	const struct tn_plan_value *value;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "  # a.b will be created\n  + resource \"a\" \"b\" {\n"
				  "      + x = \"");
	for (unsigned i = 0; i < 3000; i++)
		tn_buf_append_text(&text, "\xC3\xA9");
	tn_buf_append_text(&text, "\"\n    }\n");
	plan = test_parse(tn_buf_str(&text));
	value = &plan->changes[0].attributes.items[0].after;
	assert_true(value->truncated);
	assert_int_equal(value->text.size, TN_PLAN_VALUE_BYTES_MAX + 3);
	assert_true(tn_str_ends(value->text, TN_STR("\xC3\xA9\xE2\x80\xA6")));
	tn_plan_free(plan);
	tn_buf_finish(&text);
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
					 test_status_name(plan->status));
			tn_plan_free(plan);
		}
		tn_buf_finish(&text);
	}
	assert_true(seen[TN_PLAN_NO_VERDICT] > 5);
	assert_true(seen[TN_PLAN_CHANGES] > 400);
}

static void a_cancelled_or_slow_parse_ends(void **state)
{
	atomic_bool cancel = true;
	atomic_size_t progress = 0;
	struct tn_plan_options options = {.cancel = &cancel, .progress_bytes = &progress};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	struct tn_buf text;

	(void)state;
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_CANCELLED);
	assert_string_equal(reason, "cancelled");
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n");
	while (text.size < 30 * TN_MIB)
		tn_buf_append_text(&text,
				   "  # a.b has changed\n  ~ resource \"a\" \"b\" {\n    }\n");
	options = (struct tn_plan_options){.cpu_ms_max = 1};
	assert_int_equal(tn_plan_parse(text.data, text.size, &options, &plan, &reason, &err),
			 TENON_LIMIT);
	assert_string_equal(reason, "timeout");
	tn_buf_shrink(&text, 0);
	tn_buf_finish(&text);
	cancel = false;
	options = (struct tn_plan_options){.cancel = &cancel, .progress_bytes = &progress};
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_OK);
	assert_int_equal(progress, 11);
	tn_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_kinds_say_the_same),
		cmocka_unit_test(random_bytes_do_no_harm),
		cmocka_unit_test(damaged_samples_do_no_harm),
		cmocka_unit_test(hostile_input_costs_no_more_than_its_size),
		cmocka_unit_test(hostile_json_costs_no_more_than_its_size),
		cmocka_unit_test(too_large_input_is_refused),
		cmocka_unit_test(too_many_resources_are_refused),
		cmocka_unit_test(attributes_beyond_the_limit_are_counted),
		cmocka_unit_test(long_values_are_cut),
		cmocka_unit_test(no_beginning_of_a_plan_claims_that_nothing_changes),
		cmocka_unit_test(a_cancelled_or_slow_parse_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
