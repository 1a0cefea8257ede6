/* The three kinds of one generated plan say the same: text, JSON and a stream of records (plan.md
 * section 17). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- a generated change ---- */

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

static void make_change(struct test_random *random, struct change *change, unsigned number)
{
	static const uint8_t actions[] = {TN_PLAN_CREATE,  TN_PLAN_UPDATE, TN_PLAN_DELETE,
					  TN_PLAN_REPLACE, TN_PLAN_FORGET, TN_PLAN_READ,
					  TN_PLAN_IMPORT,  TN_PLAN_MOVE};
	const char *module = modules[test_next_random(random, TN_COUNT(modules))];
	const char *key = keys[test_next_random(random, TN_COUNT(keys))];

	*change = (struct change){.action = actions[test_next_random(random, TN_COUNT(actions))]};
	(void)snprintf(change->type, sizeof(change->type), "cloud_thing%u", number % 7);
	(void)snprintf(change->name, sizeof(change->name), "n%u", number);
	(void)snprintf(change->address, sizeof(change->address), "%s%s%s.%s%s", module,
		       change->action == TN_PLAN_READ ? "data." : "", change->type, change->name,
		       key);
	change->order = change->action == TN_PLAN_REPLACE
				? (uint8_t)(1 + test_next_random(random, 4))
				: (uint8_t)TN_PLAN_ORDER_NONE;
	change->deposed = change->action == TN_PLAN_DELETE && test_next_random(random, 4) == 0;
	change->moved = change->action == TN_PLAN_MOVE ||
			((change->action == TN_PLAN_UPDATE || change->action == TN_PLAN_REPLACE) &&
			 test_next_random(random, 3) == 0);
	change->imported = change->action == TN_PLAN_UPDATE && test_next_random(random, 3) == 0;
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
		struct test_random random = {seed};
		unsigned count = 1 + test_next_random(&random, 40);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_kinds_say_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
