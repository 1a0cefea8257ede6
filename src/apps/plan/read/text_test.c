/* Sections, bodies, units, diagnostics and verdicts of plan text (plan.md sections 4 and 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

#define LIST "Terraform will perform the following actions:\n\n"
#define ZERO "Plan: 0 to add, 0 to change, 0 to destroy.\n"

/* ---- bodies (4.5) ---- */

struct expected {
	const char *path;
	unsigned change;
	const char *before, *after;
	const char *flags; /* letters: u s w f m */
};

static void check_attribute(const struct tn_plan_attributes *attributes,
			    const struct expected *expected)
{
	const struct tn_plan_attribute *attribute = test_attribute(attributes, expected->path);

	assert_int_equal(attribute->change, expected->change);
	assert_str(attribute->before.text, expected->before);
	assert_str(attribute->after.text, expected->after);
	assert_int_equal(attribute->unknown, strchr(expected->flags, 'u') != NULL);
	assert_int_equal(attribute->sensitive, strchr(expected->flags, 's') != NULL);
	assert_int_equal(attribute->write_only, strchr(expected->flags, 'w') != NULL);
	assert_int_equal(attribute->forces_replacement, strchr(expected->flags, 'f') != NULL);
	assert_int_equal(attribute->multiline, strchr(expected->flags, 'm') != NULL);
}

static const char body_text[] =
	LIST "  # a.b must be replaced\n"
	     "-/+ resource \"a\" \"b\" {\n"
	     "      ~ arrow     = \"x -> y # forces replacement\" -> \"z\"\n"
	     "      ~ same      = \"q\" # forces replacement\n"
	     "      - gone      = true -> null\n"
	     "      + number    = -1.5e+3\n"
	     "      + secret    = (sensitive, write-only attribute)\n"
	     "      + written   = (write-only attribute)\n"
	     "      + \"odd name\" = [] # forces replacement\n"
	     "      ~ doc       = jsonencode( # whitespace changes force replacement\n"
	     "            {\n"
	     "              ~ \"a:b\" = [\n"
	     "                    1,\n"
	     "                  ~ 2 -> 3,\n"
	     "                ]\n"
	     "            }\n"
	     "        ) -> (known after apply)\n"
	     "      ~ list      = [ # forces replacement\n"
	     "          + (known after apply),\n"
	     "            # (2 unchanged elements hidden)\n"
	     "          ~ {\n"
	     "              ~ k = null -> \"v\"\n"
	     "            },\n"
	     "        ]\n"
	     "      ~ script    = <<-EOT # forces replacement\n"
	     "            keep\n"
	     "          - old\n"
	     "          + new\n"
	     "            EOT is not the end\n"
	     "        EOT -> (known after apply)\n"
	     "      # Warning: this attribute value will be marked as sensitive and will\n"
	     "      # not display in UI output after applying this change.\n"
	     "      + blocks (known after apply)\n"
	     "      ~ one {\n"
	     "          ~ x = 1 -> 2\n"
	     "        }\n"
	     "      ~ set {\n"
	     "          ~ x = 1 -> 2\n"
	     "        }\n"
	     "      + set { # forces replacement\n"
	     "          + y = 3\n"
	     "        }\n"
	     "      ~ keyed \"the key\" {\n"
	     "          ~ z = \"\\u00e9\\t\" -> \"$${x}\"\n"
	     "            # (1 unchanged attribute hidden)\n"
	     "        }\n"
	     "        # (4 unchanged attributes hidden)\n"
	     "        # (2 unchanged blocks hidden)\n"
	     "    }\n\n"
	     "Plan: 1 to add, 0 to change, 1 to destroy.\n";
static const struct expected body_attributes[] = {
	{"arrow", TN_PLAN_ATTR_UPDATE, "x -> y # forces replacement", "z", ""},
	{"same", TN_PLAN_ATTR_UPDATE, "q", "q", "f"},
	{"gone", TN_PLAN_ATTR_REMOVE, "true", "null", ""},
	{"number", TN_PLAN_ATTR_ADD, "", "-1.5e+3", ""},
	{"secret", TN_PLAN_ATTR_ADD, "", "", "sw"},
	{"written", TN_PLAN_ATTR_ADD, "", "", "w"},
	{"[\"odd name\"]", TN_PLAN_ATTR_ADD, "", "[]", "f"},
	{"doc", TN_PLAN_ATTR_UPDATE, "", "", "uf"},
	{"doc[\"a:b\"][0]", TN_PLAN_ATTR_UNCHANGED, "1", "1", ""},
	{"doc[\"a:b\"][1]", TN_PLAN_ATTR_UPDATE, "2", "3", ""},
	{"list", TN_PLAN_ATTR_UPDATE, "", "", "f"},
	{"list[0]", TN_PLAN_ATTR_ADD, "", "", "u"},
	{"list[1].k", TN_PLAN_ATTR_UPDATE, "null", "v", ""},
	{"script", TN_PLAN_ATTR_UPDATE, "keep\nold\nEOT is not the end", "", "ufm"},
	{"blocks", TN_PLAN_ATTR_ADD, "", "", "u"},
	{"one.x", TN_PLAN_ATTR_UPDATE, "1", "2", ""},
	{"set[0].x", TN_PLAN_ATTR_UPDATE, "1", "2", ""},
	{"set[1]", TN_PLAN_ATTR_ADD, "", "", "f"},
	{"set[1].y", TN_PLAN_ATTR_ADD, "", "3", ""},
	{"keyed[\"the key\"].z", TN_PLAN_ATTR_UPDATE, "\xC3\xA9\t", "${x}", ""},
};

static void bodies_give_paths_and_values(void **state)
{
	struct tn_plan *plan = test_parse_text(body_text);
	const struct tn_plan_entry *entry = &plan->changes[0];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(body_attributes); i++)
		check_attribute(&entry->attributes, &body_attributes[i]);
	assert_int_equal(entry->attributes.count, TN_COUNT(body_attributes));
	assert_int_equal(entry->hidden_attributes, 5);
	assert_int_equal(entry->hidden_blocks, 2);
	assert_int_equal(entry->hidden_elements, 2);
	assert_int_equal(entry->order, TN_PLAN_DESTROY_FIRST);
	assert_string_equal(entry->reasons[0].code, "forces_replacement");
	assert_str(entry->reasons[0].text, "same");
	tn_plan_free(plan);
}

/* A value may hold anything a plan holds (column rule and body rule, 4.1). */
static void values_are_never_entries(void **state)
{
	struct tn_plan *plan =
		test_parse_text(LIST "  # a.b will be created\n"
				     "  + resource \"a\" \"b\" {\n"
				     "      + x = <<-EOT\n"
				     "            # a.fake will be destroyed\n"
				     "            Plan: 1 to add, 0 to change, 0 to destroy.\n"
				     "            Terraform will perform the following actions:\n"
				     "            Error: no\n"
				     "\n"
				     "        EOT\n"
				     "    }\n\n"
				     "Plan: 1 to add, 0 to change, 0 to destroy.\n\n"
				     "Changes to Outputs:\n"
				     "  + o = <<-EOT\n"
				     "        # a.fake will be destroyed\n"
				     "        Plan: 2 to add, 0 to change, 0 to destroy.\n"
				     "    EOT\n"
				     "  + \"p q\" = [\n"
				     "      + \"# a.fake will be destroyed\",\n"
				     "    ]\n"
				     "  - r = (sensitive value) -> null\n\n"
				     "Saved the plan to: x\n");

	(void)state;
	assert_int_equal(plan->change_count, 1);
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->errored, false);
	assert_int_equal(plan->output_count, 3);
	assert_str(plan->outputs[0].after.text,
		   "# a.fake will be destroyed\nPlan: 2 to add, 0 to change, 0 to destroy.");
	assert_str(plan->outputs[1].name, "p q");
	assert_int_equal(plan->outputs[2].action, TN_PLAN_DELETE);
	assert_true(plan->outputs[2].sensitive);
	tn_plan_free(plan);
}

static void an_open_body_ends_at_the_next_header(void **state)
{
	struct tn_plan *plan = test_parse_text(LIST "  # a.b will be created\n"
						    "  + resource \"a\" \"b\" {\n"
						    "      + x = [\n"
						    "  # c.d will be created\n"
						    "  + resource \"c\" \"d\" {\n"
						    "      + y = 1\n"
						    "Plan: 2 to add, 0 to change, 0 to destroy.\n");

	(void)state;
	assert_int_equal(plan->change_count, 2);
	assert_int_equal(plan->consistent, 1);
	assert_true(test_has_warning(plan, "unterminated_body"));
	assert_int_equal(plan->confidence, TN_PLAN_MEDIUM);
	assert_str(test_attribute(&plan->changes[1].attributes, "y")->after.text, "1");
	tn_plan_free(plan);
}

/* ---- headers (4.3) ---- */

static void unknown_phrases_are_kept(void **state)
{
	struct tn_plan *plan = test_parse_text(LIST "  # a.b will be teleported\n"
						    "  + resource \"a\" \"b\" {\n    }\n\n" ZERO);

	(void)state;
	assert_int_equal(plan->change_count, 1);
	assert_int_equal(plan->changes[0].action, TN_PLAN_ACTION_UNKNOWN);
	assert_int_equal(plan->consistent, 0);
	assert_int_equal(plan->total_changes, 1);
	assert_true(test_has_warning(plan, "unknown_phrase"));
	tn_plan_free(plan);
}

static void symbols_decide_the_order(void **state)
{
	static const struct {
		const char *phrase, *symbol;
		unsigned order;
	} cases[] = {
		{"must be replaced", "-/+", TN_PLAN_DESTROY_FIRST},
		{"must be replaced", "+/-", TN_PLAN_CREATE_FIRST},
		{"must be replaced, but the existing object will not be destroyed", " +/.",
		 TN_PLAN_FORGET_OLD},
		{"must be replaced - older instance will not be destroyed (lifecycle.destroy = "
		 "false)",
		 "./+", TN_PLAN_FORGET_FIRST},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		char text[400];
		struct tn_plan *plan;

		(void)snprintf(text, sizeof(text),
			       LIST " # a.b %s\n%s resource \"a\" \"b\" {\n    }\n\n",
			       cases[i].phrase, cases[i].symbol);
		plan = test_parse_text(text);
		assert_int_equal(plan->changes[0].order, cases[i].order);
		assert_false(test_has_warning(plan, "symbol_mismatch"));
		tn_plan_free(plan);
	}
}

static void a_wrong_symbol_is_told(void **state)
{
	struct tn_plan *plan = test_parse_text(
		LIST "  # a.b will be created\n  - resource \"a\" \"b\" {\n    }\n\n"
		     "Plan: 1 to add, 0 to change, 0 to destroy.\n");

	(void)state;
	assert_int_equal(plan->changes[0].action, TN_PLAN_CREATE);
	assert_true(test_has_warning(plan, "symbol_mismatch"));
	tn_plan_free(plan);
}

static void notes_belong_to_their_entry(void **state)
{
	struct tn_plan *plan =
		test_parse_text(LIST "  # a.b must be replaced\n"
				     "  # (moved from a.old[\"x\"])\n"
				     "  # (imported from \"say \\\"hi\\\"\")\n"
				     "  # Warning: this will destroy the imported resource\n"
				     "-/+ resource \"a\" \"b\" {}\n\n"
				     "  # c.d will be imported\n"
				     "  # imported using resource identity:\n"
				     "  #   id = \"1\"\n"
				     "  #   region = \"eu\"\n"
				     "    resource \"c\" \"d\" {\n    }\n\n"
				     "  # e.f will be destroyed\n"
				     " (because enabled is false)\n"
				     "  - resource \"e\" \"f\" {\n    }\n\n"
				     "Plan: 2 to import, 1 to add, 0 to change, 2 to destroy.\n");

	(void)state;
	assert_int_equal(plan->consistent, 1);
	assert_str(plan->changes[0].previous_address, "a.old[\"x\"]");
	assert_str(plan->changes[0].import_id, "say \"hi\"");
	assert_string_equal(plan->changes[0].reasons[0].code, "imported_destroyed");
	assert_str(plan->changes[1].import_id, "id = \"1\", region = \"eu\"");
	assert_string_equal(plan->changes[2].reasons[0].code, "enabled_false");
	tn_plan_free(plan);
}

/* ---- sections (4.2) ---- */

static void deferred_entries_and_actions_do_not_count(void **state)
{
	struct tn_plan *plan = test_parse_text(
		LIST
		"  # module.m.a.b will be created\n"
		"  + resource \"a\" \"b\" {\n      + x = 1\n    }\n\n"
		"    # Actions to be invoked after this change in order:\n"
		"    action \"run\" \"after\" {\n        config {\n            y = 2\n"
		"        }\n    }\n\n"
		"Note: This is a partial plan, parts can only be known in the next plan / apply "
		"cycle.\n\n"
		"  # a.c[*] was deferred\n"
		"  # (because a prerequisite for this resource is deferred)\n"
		"  ~ resource \"a\" \"c\" {\n      ~ x = 1 -> 2\n    }\n\n"
		"Plan: 1 to add, 0 to change, 0 to destroy. Actions: 2 to invoke.\n\n"
		"Terraform will invoke the following action(s):\n\n"
		"  # action.run.now will be invoked\n"
		"    action \"run\" \"now\" {\n    }\n");

	(void)state;
	assert_int_equal(plan->change_count, 1);
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->plan_line.invoke, 2);
	assert_int_equal(plan->changes[0].attributes.count, 1);
	assert_int_equal(plan->deferred_count, 1);
	assert_str(plan->deferred[0].address, "a.c[*]");
	assert_string_equal(plan->deferred[0].reason, "deferred_prerequisite");
	assert_int_equal(plan->deferred[0].action, TN_PLAN_UPDATE);
	assert_int_equal(plan->invocation_count, 2);
	assert_str(plan->invocations[0].address, "module.m.action.run.after");
	assert_string_equal(plan->invocations[0].when, "after");
	assert_str(plan->invocations[0].resource, "module.m.a.b");
	assert_string_equal(plan->invocations[1].when, "direct");
	assert_null(plan->invocations[1].resource.data);
	tn_plan_free(plan);
}

static void verdicts_have_their_status(void **state)
{
	static const struct {
		const char *text;
		enum tn_plan_status status;
		enum tn_plan_mode mode;
	} cases[] = {
		{"No changes. Infrastructure is up-to-date.\n", TN_PLAN_NO_CHANGES, TN_PLAN_NORMAL},
		{"No changes. Your infrastructure matches the configuration.\n", TN_PLAN_NO_CHANGES,
		 TN_PLAN_NORMAL},
		{"No changes. Your infrastructure still matches the configuration.\n",
		 TN_PLAN_NO_CHANGES, TN_PLAN_REFRESH_ONLY},
		{"No changes. No objects need to be destroyed.\n", TN_PLAN_NO_CHANGES,
		 TN_PLAN_DESTROY},
		{"This plan does nothing.\n", TN_PLAN_NO_CHANGES, TN_PLAN_MODE_UNKNOWN},
		{"No current changes. This plan requires another plan to be applied first.\n",
		 TN_PLAN_DEFERRED_ONLY, TN_PLAN_MODE_UNKNOWN},
		{"Planning failed. Terraform encountered an error while generating this plan.\n",
		 TN_PLAN_ERRORED, TN_PLAN_MODE_UNKNOWN},
		{"Error: Invalid reference\n\n  on a.tf line 3:\n", TN_PLAN_ERRORED,
		 TN_PLAN_MODE_UNKNOWN},
		{"Changes to Outputs:\n  + a = 1\n\nYou can apply this plan to save these new\n",
		 TN_PLAN_OUTPUTS_ONLY, TN_PLAN_MODE_UNKNOWN},
		{"Note: Objects have changed outside of Terraform\n\n  # a.b has been changed\n"
		 "  ~ resource \"a\" \"b\" {\n      ~ x = 1 -> 2\n    }\n\n"
		 "This is a refresh-only plan, so Terraform will not take any actions\n",
		 TN_PLAN_DRIFT_ONLY, TN_PLAN_REFRESH_ONLY},
		{LIST "  # a.b will be destroyed\n  - resource \"a\" \"b\" {\n    }\n\n"
		      "Plan: 0 to add, 0 to change, 1 to destroy.\n",
		 TN_PLAN_CHANGES, TN_PLAN_DESTROY},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_parse_text(cases[i].text);

		if (plan->status != cases[i].status)
			fail_msg("%s: %s", cases[i].text, tn_plan_status_name(plan->status));
		assert_int_equal(plan->mode, cases[i].mode);
		assert_false(plan->truncated);
		tn_plan_free(plan);
	}
}

static void silence_is_no_verdict(void **state)
{
	struct tn_plan *plan = test_parse_text(
		"a.b: Refreshing state... [id=1]\na.c: Refreshing state... [id=2]\n");

	(void)state;
	assert_int_equal(plan->status, TN_PLAN_NO_VERDICT);
	assert_true(test_has_warning(plan, "no_verdict"));
	assert_int_equal(plan->confidence, TN_PLAN_LOW);
	tn_plan_free(plan);
	/* An empty list is not "no changes" (6.3). */
	plan = test_parse_text(LIST ZERO);
	assert_int_equal(plan->status, TN_PLAN_CHANGES);
	tn_plan_free(plan);
}

static void other_text_is_not_a_plan(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"hello",
		"# a heading\n\n## another one\n",
		"# aws_x.y:\nresource \"aws_x\" \"y\" {\n    id = \"1\"\n}\n", /* a state */
		"Warning: Deprecated\n\nUse something else.\n",
		"{\"version\":4,\"lineage\":\"x\",\"resources\":[]}",
		"{\"a\":1}",
		"{broken",
		"[1]"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++)
		assert_string_equal(test_parse_reason(tn_str_from(texts[i])), "not_a_plan");
	assert_string_equal(test_parse_reason(TN_STR("PK\x03\x04rest")), "binary_plan");
}

/* ---- units (4.8, 4.9) ---- */

static void a_list_after_a_total_is_a_new_unit(void **state)
{
	struct tn_plan *plan = test_parse_text(
		LIST "  # a.b will be created\n  + resource \"a\" \"b\" {\n    }\n\n"
		     "Plan: 1 to add, 0 to change, 0 to destroy.\n"
		     "Plan: 1 to add, 0 to change, 0 to destroy.\n\n"
		     "  # c.d will be destroyed\n  - resource \"c\" \"d\" {\n    }\n\n"
		     "Plan: 0 to add, 0 to change, 2 to destroy.\n"
		     "No changes. Your infrastructure matches the configuration.\n");

	(void)state;
	assert_int_equal(plan->unit_count, 3);
	assert_int_equal(plan->changes[1].unit, 1);
	assert_int_equal(plan->consistent, 0);
	assert_int_equal(plan->mismatch_count, 1);
	assert_string_equal(plan->mismatches[0].field, "destroy");
	assert_int_equal(plan->mismatches[0].unit, 1);
	assert_int_equal(plan->mismatches[0].stated, 2);
	assert_int_equal(plan->mismatches[0].counted, 1);
	assert_int_equal(plan->plan_line.destroy, 2);
	assert_int_equal(plan->plan_line.add, 1);
	tn_plan_free(plan);
}

static void a_lost_beginning_is_noticed(void **state)
{
	struct tn_plan *plan =
		test_parse_text("      + x = 1\n    }\n\n"
				"  # c.d will be destroyed\n  - resource \"c\" \"d\" {\n    }\n\n"
				"Plan: 1 to add, 0 to change, 1 to destroy.\n");

	(void)state;
	assert_int_equal(plan->consistent, 0);
	assert_true(plan->truncated);
	assert_int_equal(plan->status, TN_PLAN_CHANGES);
	tn_plan_free(plan);
	plan = test_parse_text("    }\n\nPlan: 1 to add, 0 to change, 1 to destroy.\n");
	assert_true(plan->truncated && plan->units[0].truncated);
	tn_plan_free(plan);
}

/* ---- diagnostics and applies (4.7, 4.10) ---- */

static void diagnostics_have_their_place(void **state)
{
	struct tn_plan *plan =
		test_parse_text("Error: Bad thing\n\n"
				"  with module.a.b.c[\"x, y\"],\n"
				"  on main.tf line 12, in resource \"b\" \"c\":\n"
				"  12:   x = 1\n"
				"    \xE2\x94\x9C\xE2\x94\x80\n"
				"    \xE2\x94\x82 var.x is 1\n\n"
				"The reason.\n\n"
				"  # b.fake will be destroyed\n"
				"Second part.\n"
				"\xE2\x95\xB7\n| Warning: Framed\n| \n| Detail.\n\xE2\x95\xB5\n");
	const struct tn_plan_diagnostic *first = &plan->diagnostics[0];

	(void)state;
	assert_int_equal(plan->diagnostic_count, 2);
	assert_string_equal(first->severity, "error");
	assert_str(first->summary, "Bad thing");
	assert_str(first->address, "module.a.b.c[\"x, y\"]");
	assert_str(first->file, "main.tf");
	assert_int_equal(first->line, 12);
	assert_str(first->detail, "The reason.\n\n# b.fake will be destroyed\nSecond part.");
	assert_string_equal(plan->diagnostics[1].severity, "warning");
	assert_str(plan->diagnostics[1].detail, "Detail.");
	assert_int_equal(plan->change_count, 0);
	assert_true(plan->errored);
	tn_plan_free(plan);
}

static void an_apply_does_not_count(void **state)
{
	struct tn_plan *plan =
		test_parse_text("Terraform v1.9.0\n" LIST
				"  # a.b will be created\n  + resource \"a\" \"b\" {\n    }\n\n"
				"Plan: 1 to add, 0 to change, 0 to destroy.\n\n"
				"Do you want to perform these actions?\n  Enter a value: yes\n\n"
				"a.b: Creating...\na.b: Still creating... [10s elapsed]\n"
				"Error: it failed\n\nDetail.\n"
				"Apply complete! Resources: 0 added, 0 changed, 0 "
				"destroyed.\n\nOutputs:\n\nx = 1\n");

	(void)state;
	assert_true(plan->contains_apply);
	assert_false(plan->errored);
	assert_int_equal(plan->status, TN_PLAN_CHANGES);
	assert_int_equal(plan->diagnostic_count, 1);
	assert_true(plan->diagnostics[0].in_apply);
	assert_int_equal(plan->output_count, 0);
	assert_str(plan->tool_version, "1.9.0");
	assert_int_equal(plan->consistent, 1);
	tn_plan_free(plan);
}

/* ---- 0.11 (4.6) ---- */

static void very_old_text_gives_the_same_model(void **state)
{
	struct tn_plan *plan = test_parse_text(
		LIST " <= data.template_file.x\n      id: <computed>\n\n"
		     "-/+ module.a.aws_x.web.0 (tainted) (new resource required)\n"
		     "      id:     \"i-1\" => <computed> (forces new resource)\n"
		     "      ami:    \"a: b\" => \"c\"\n"
		     "      tags.%: \"1\" => \"1\"\n"
		     "      pw:     <sensitive> => <sensitive> (attribute changed)\n\n"
		     "  + null_resource.demo.1\n      triggers.a: \"b\"\n\n"
		     "  - aws_old.gone (deposed)\n\n"
		     "Plan: 2 to add, 0 to change, 2 to destroy.\n");
	static const struct expected expected[] = {
		{"id", TN_PLAN_ATTR_UPDATE, "i-1", "", "uf"},
		{"ami", TN_PLAN_ATTR_UPDATE, "a: b", "c", ""},
		{"tags.%", TN_PLAN_ATTR_UNCHANGED, "1", "1", ""},
		{"pw", TN_PLAN_ATTR_UPDATE, "", "", "s"},
	};
	const struct tn_plan_entry *web = test_entry(plan, "module.a.aws_x.web.0");

	(void)state;
	assert_int_equal(plan->format, TN_PLAN_LEGACY_0_11);
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->total_changes, 3);
	assert_int_equal(plan->changes[0].action, TN_PLAN_READ);
	assert_true(plan->changes[0].is_data);
	assert_int_equal(web->action, TN_PLAN_REPLACE);
	assert_str(web->key_text, "0");
	assert_str(web->module, "module.a");
	assert_string_equal(web->reasons[0].code, "tainted");
	for (size_t i = 0; i < TN_COUNT(expected); i++)
		check_attribute(&web->attributes, &expected[i]);
	assert_non_null(plan->changes[3].deposed.data);
	tn_plan_free(plan);
}

/* Terraform gives each element a line; who hands a plan on may not. */
static const char one_line_text[] =
	LIST "  # a.b will be updated in-place\n"
	     "  ~ resource \"a\" \"b\" {\n"
	     "      + made  = [\"::/0\", \"x, ]\", 7, true,]\n"
	     "      ~ swap  = [\"a\"] -> [\"b\", \"c\"] # forces replacement\n"
	     "      ~ block = [\n"
	     "          - {\n"
	     "              - cidr = [\"10.0.0.0/8\"]\n"
	     "              - port = 22\n"
	     "            },\n"
	     "          + {\n"
	     "              + cidr = [\"::/0\"]\n"
	     "              + port = 22\n"
	     "            },\n"
	     "        ]\n"
	     "      ~ after = 1 -> 2\n"
	     "    }\n\n" ZERO;

static void lists_stand_in_one_line_too(void **state)
{
	static const struct expected expected[] = {
		{"made[0]", TN_PLAN_ATTR_ADD, "", "::/0", ""},
		{"made[1]", TN_PLAN_ATTR_ADD, "", "x, ]", ""},
		{"made[2]", TN_PLAN_ATTR_ADD, "", "7", ""},
		{"made[3]", TN_PLAN_ATTR_ADD, "", "true", ""},
		{"swap", TN_PLAN_ATTR_UPDATE, "", "", "f"},
		{"block[0].cidr[0]", TN_PLAN_ATTR_REMOVE, "10.0.0.0/8", "", ""},
		{"block[0].port", TN_PLAN_ATTR_REMOVE, "22", "", ""},
		{"block[1].cidr[0]", TN_PLAN_ATTR_ADD, "", "::/0", ""},
		{"block[1].port", TN_PLAN_ATTR_ADD, "", "22", ""},
		{"after", TN_PLAN_ATTR_UPDATE, "1", "2", ""},
	};
	struct tn_plan *plan = test_parse_text(one_line_text);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(expected); i++)
		check_attribute(&plan->changes[0].attributes, &expected[i]);
	assert_int_equal(plan->changes[0].attributes.count, TN_COUNT(expected) + 3);
	tn_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_give_paths_and_values),
		cmocka_unit_test(lists_stand_in_one_line_too),
		cmocka_unit_test(values_are_never_entries),
		cmocka_unit_test(an_open_body_ends_at_the_next_header),
		cmocka_unit_test(unknown_phrases_are_kept),
		cmocka_unit_test(symbols_decide_the_order),
		cmocka_unit_test(a_wrong_symbol_is_told),
		cmocka_unit_test(notes_belong_to_their_entry),
		cmocka_unit_test(deferred_entries_and_actions_do_not_count),
		cmocka_unit_test(verdicts_have_their_status),
		cmocka_unit_test(silence_is_no_verdict),
		cmocka_unit_test(other_text_is_not_a_plan),
		cmocka_unit_test(a_list_after_a_total_is_a_new_unit),
		cmocka_unit_test(a_lost_beginning_is_noticed),
		cmocka_unit_test(diagnostics_have_their_place),
		cmocka_unit_test(an_apply_does_not_count),
		cmocka_unit_test(very_old_text_gives_the_same_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
