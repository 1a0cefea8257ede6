/* No reference is accepted and left out of the configuration (studio.md 5.3): all types, all
 * references, all rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/connection.h"
#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/generate/generate.h"
#include "apps/studio/limits.h"

#define SUBNET "azurerm/networking/subnet"
#define NSG "azurerm/networking/network_security_group"

struct made {
	struct tn_arena arena;
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	struct tn_str main;
};

static void generate(struct studio_kit *kit, struct made *made)
{
	const struct tn_studio_generate_options options = {.project_name = TN_STR("test")};

	studio_kit_index(kit);
	tn_arena_init(&made->arena, TN_STUDIO_ARENA_MAX);
	tn_studio_diagnostics_init(&made->list, &made->arena);
	assert_true(tn_studio_generate(&kit->document, &options, &made->arena, &made->list,
				       &made->generated));
	made->main = TN_STR("");
	for (size_t i = 0; i < made->generated.file_count; i++) {
		if (tn_str_is(made->generated.files[i].name, "main.tf"))
			made->main = made->generated.files[i].text;
	}
}

static unsigned not_emitted(const struct made *made)
{
	unsigned count = 0;

	for (const struct tn_studio_diagnostic *at = made->list.first; at; at = at->next)
		count += strcmp(at->code, "RELATION_NOT_EMITTED") == 0;
	return count;
}

/* How often the address of a node (with what it is made of) stands in the configuration. */
static unsigned mentions(const struct made *made, struct tn_str node_id)
{
	unsigned count = 0;

	for (size_t i = 0; i < made->generated.address_count; i++) {
		const struct tn_studio_address *one = &made->generated.addresses[i];
		struct tn_str rest = made->main;
		size_t at;

		if (!one->node || !tn_str_equal(one->node->id, node_id))
			continue;
		while ((at = tn_str_find(rest, one->address)) != TN_STR_NONE) {
			rest = tn_str_from_offset(rest, at + one->address.size);
			count += rest.size > 0 && rest.data[0] == '.';
		}
	}
	return count;
}

static void start_over(struct studio_kit *kit)
{
	studio_kit_close(kit);
	studio_kit_open(kit, NULL);
}

/* By update_resource and by an edge; undo takes switch and reference back, disconnecting too. */
static unsigned check_reference(struct studio_kit *kit, struct tn_str type, struct tn_str reference,
				bool many, struct tn_str to, bool drawn,
				const struct tn_json *place)
{
	const char *around = NULL;
	const char *node, *target, *before, *result;
	const struct tn_json *answer;
	struct made made;
	unsigned seen;

	start_over(kit);
	if (place) /* a private endpoint arises there */
		around = studio_kit_add(kit, studio_kit_format(kit, "%s", place->text.data), NULL);
	node = studio_kit_add(kit, studio_kit_format(kit, "%.*s", (int)type.size, type.data),
			      around);
	target = studio_kit_add(kit, studio_kit_format(kit, "%.*s", (int)to.size, to.data), NULL);
	generate(kit, &made);
	seen = mentions(&made, tn_str_from(target));
	tn_arena_finish(&made.arena);
	before = studio_kit_saved(kit);
	if (drawn)
		answer = studio_kit_done(
			kit, tn_studio_edit_connect,
			studio_kit_format(kit,
					  "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":"
					  "\"ref-%.*s\",\"targetInstanceId\":\"%s\","
					  "\"targetHandle\":\"node\"}",
					  node, (int)reference.size, reference.data, target));
	else
		answer = studio_kit_done(
			kit, tn_studio_edit_update,
			studio_kit_format(kit,
					  "{\"instanceId\":\"%s\",\"properties\":{},"
					  "\"references\":{\"%.*s\":%s\"%s\"%s}}",
					  node, (int)reference.size, reference.data,
					  many ? "[" : "", target, many ? "]" : ""));
	generate(kit, &made);
	if (not_emitted(&made) > 0 || mentions(&made, tn_str_from(target)) <= seen)
		fail_msg("%.*s %.*s to %.*s is not written: %.*s", (int)type.size, type.data,
			 (int)reference.size, reference.data, (int)to.size, to.data,
			 (int)made.main.size, made.main.data);
	tn_arena_finish(&made.arena);
	if (drawn) {
		(void)studio_kit_done(kit, tn_studio_edit_disconnect,
				      studio_kit_format(kit, "{\"edgeId\":\"%s\"}",
							studio_kit_text(answer, "edgeId")));
		generate(kit, &made);
		assert_int_equal(not_emitted(&made), 0);
		tn_arena_finish(&made.arena);
		studio_kit_undo(kit);
	}
	studio_kit_undo(kit);
	result = studio_kit_saved(kit);
	if (strcmp(before, result) != 0)
		fail_msg("%.*s %.*s: undo leaves %s", (int)type.size, type.data,
			 (int)reference.size, reference.data, result);
	return 1;
}

static void every_reference_is_written(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_registry *registry = tn_studio_registry_ref(kit->registry);
	unsigned count = 0, hidden = 0;

	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];

		for (size_t p = 0; p < type->property_count; p++) {
			const struct tn_studio_property *one = &type->properties[p];
			const struct tn_json *place;

			if (one->type != TN_STUDIO_REFERENCE)
				continue;
			place = one->implicit ? type->visual_parents->first : NULL;
			hidden += one->visible_when != NULL;
			for (const struct tn_json *to = one->to->first; to; to = to->next) {
				count += check_reference(kit, type->id, one->key, one->many,
							 to->text, false, place);
				count += check_reference(kit, type->id, one->key, one->many,
							 to->text, true, place);
			}
		}
	}
	assert_true(count > 180 && hidden >= 36);
	tn_studio_registry_unref(registry);
}

static void every_rule_is_written(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_registry *registry = tn_studio_registry_ref(kit->registry);

	for (size_t i = 0; i < registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &registry->rules[i];
		const char *from, *to;
		struct made made;

		start_over(kit);
		from = studio_kit_add(kit, studio_kit_format(kit, "%s", rule->from->id.data), NULL);
		to = studio_kit_add(kit, studio_kit_format(kit, "%s", rule->to->id.data), NULL);
		(void)studio_kit_done(
			kit, tn_studio_edit_connect,
			studio_kit_format(kit,
					  "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"%.*s\","
					  "\"targetInstanceId\":\"%s\",\"targetHandle\":\"%.*s\"}",
					  from, (int)rule->from_handle.size, rule->from_handle.data,
					  to, (int)rule->to_handle.size, rule->to_handle.data));
		generate(kit, &made);
		assert_int_equal(not_emitted(&made), 0);
		assert_true(!rule->sets ||
			    mentions(&made, tn_str_from(rule->sets_on_source ? to : from)) > 0);
		tn_arena_finish(&made.arena);
	}
	tn_studio_registry_unref(registry);
}

static const char *update(struct studio_kit *kit, const char *id, const char *rest)
{
	return studio_kit_format(kit, "{\"instanceId\":\"%s\",%s}", id, rest);
}

/* What was set off on purpose stays, and the sentence says so. */
static void off_on_purpose(void **state)
{
	struct studio_kit *kit = *state;
	const char *subnet = studio_kit_add(kit, SUBNET, NULL),
		   *nsg = studio_kit_add(kit, NSG, NULL);
	const char *message;

	(void)studio_kit_done(kit, tn_studio_edit_update,
			      update(kit, subnet, "\"properties\":{\"nsg_enabled\":false}"));
	message = studio_kit_refused(
		kit, tn_studio_edit_update,
		update(kit, subnet,
		       studio_kit_format(
			       kit, "\"properties\":{},\"references\":{\"nsg_id\":\"%s\"}", nsg)),
		"INVALID_INPUT");
	assert_non_null(strstr(message,
			       "only where nsg_enabled is true, and nsg_enabled was set to "
			       "something else on purpose"));
	(void)studio_kit_refused(
		kit, tn_studio_edit_connect,
		studio_kit_format(kit,
				  "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"ref-nsg_id\","
				  "\"targetInstanceId\":\"%s\",\"targetHandle\":\"node\"}",
				  subnet, nsg),
		"INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 studio_kit_format(kit,
						   "{\"typeId\":\"" SUBNET
						   "\",\"properties\":{\"nsg_enabled\":false},"
						   "\"references\":{\"nsg_id\":\"%s\"}}",
						   nsg),
				 "INVALID_INPUT");
	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		update(kit, subnet,
		       studio_kit_format(kit,
					 "\"properties\":{\"nsg_enabled\":true},\"references\":"
					 "{\"nsg_id\":\"%s\"}",
					 nsg)));
}

/* Nothing is turned away from under a reference; in one call with clearing it is. */
static void under_a_reference(void **state)
{
	struct studio_kit *kit = *state;
	const char *subnet = studio_kit_add(kit, SUBNET, NULL),
		   *nsg = studio_kit_add(kit, NSG, NULL);
	const struct tn_studio_node *node;
	const char *message;

	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		update(kit, subnet,
		       studio_kit_format(
			       kit, "\"properties\":{},\"references\":{\"nsg_id\":\"%s\"}", nsg)));
	node = studio_kit_node(kit, subnet);
	assert_true(tn_json_is(tn_json_get(node->properties, "nsg_enabled"), TN_JSON_TRUE));
	message = studio_kit_refused(kit, tn_studio_edit_update,
				     update(kit, subnet, "\"properties\":{\"nsg_enabled\":false}"),
				     "INVALID_INPUT");
	assert_non_null(strstr(message, "refers by nsg_id, which is written only where nsg_enabled "
					"is true. Clear it in the same call"));
	(void)studio_kit_refused(kit, tn_studio_edit_update,
				 update(kit, subnet, "\"properties\":{\"nsg_enabled\":null}"),
				 "INVALID_INPUT");
	(void)studio_kit_done(kit, tn_studio_edit_update,
			      update(kit, subnet, "\"properties\":{\"address_prefixes\":null}"));
	(void)studio_kit_done(kit, tn_studio_edit_update,
			      update(kit, subnet,
				     "\"properties\":{\"nsg_enabled\":false},\"references\":"
				     "{\"nsg_id\":null}"));
}

/* One that needs it this way and one that needs it the other way are not both accepted. */
static void two_that_exclude_each_other(void **state)
{
	struct studio_kit *kit = *state;
	const char *bastion = studio_kit_add(kit, "azurerm/networking/bastion_host", NULL);
	const char *subnet = studio_kit_add(kit, SUBNET, NULL);
	const char *network = studio_kit_add(kit, "azurerm/networking/virtual_network", NULL);

	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		update(kit, bastion,
		       studio_kit_format(kit,
					 "\"properties\":{},\"references\":{\"subnet_id\":\"%s\"}",
					 subnet)));
	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		update(kit, bastion,
		       studio_kit_format(
			       kit,
			       "\"properties\":{},\"references\":{\"virtual_network_id\":\"%s\"}",
			       network)),
		"INVALID_INPUT");
	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		update(kit, bastion,
		       studio_kit_format(kit,
					 "\"properties\":{},\"references\":{\"virtual_network_id\":"
					 "\"%s\",\"subnet_id\":null}",
					 network)));
}

/* With what it refers to, the toggle goes; what stands in a subnet is in it. */
static void removal_and_place(void **state)
{
	struct studio_kit *kit = *state;
	const char *subnet = studio_kit_add(kit, SUBNET, NULL),
		   *nsg = studio_kit_add(kit, NSG, NULL);
	struct made made;
	const char *group;

	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		update(kit, subnet,
		       studio_kit_format(
			       kit, "\"properties\":{},\"references\":{\"nsg_id\":\"%s\"}", nsg)));
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", nsg));
	assert_null(tn_json_get(studio_kit_node(kit, subnet)->properties, "nsg_enabled"));
	group = studio_kit_add(kit, "azurerm/containers/container_group", subnet);
	generate(kit, &made);
	assert_int_equal(not_emitted(&made), 0);
	assert_true(mentions(&made, tn_str_from(subnet)) > 0);
	tn_arena_finish(&made.arena);
	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		update(kit, group, "\"properties\":{\"ip_address_type\":\"Public\"}"),
		"INVALID_INPUT");
}

/* A file may have what no edit accepts: it is an error. */
static void from_a_file(void **state)
{
	struct studio_kit *kit = *state;
	struct made made;

	studio_kit_change(
		kit, "[{\"op\":\"putNode\",\"node\":{\"id\":\"g\",\"typeId\":\"" NSG
		     "\",\"label\":\"g\",\"terraformName\":\"g\",\"position\":{\"x\":0,\"y\":0},"
		     "\"properties\":{},\"references\":{}}},"
		     "{\"op\":\"putNode\",\"node\":{\"id\":\"s\",\"typeId\":\"" SUBNET
		     "\",\"label\":\"s\",\"terraformName\":\"s\",\"position\":{\"x\":0,\"y\":0},"
		     "\"properties\":{\"nsg_enabled\":false},\"references\":{\"nsg_id\":\"g\"}}}]");
	generate(kit, &made);
	assert_int_equal(not_emitted(&made), 1);
	assert_true(made.list.counts[TN_STUDIO_ERROR] > 0);
	tn_arena_finish(&made.arena);
	/* Other changes of it are not refused; setting it right is one call. */
	(void)studio_kit_done(kit, tn_studio_edit_update,
			      update(kit, "s", "\"properties\":{\"address_prefixes\":null}"));
	(void)studio_kit_done(kit, tn_studio_edit_update,
			      update(kit, "s", "\"properties\":{\"nsg_enabled\":true}"));
	generate(kit, &made);
	assert_int_equal(not_emitted(&made), 0);
	tn_arena_finish(&made.arena);
}

#define TEST(name) STUDIO_KIT_TEST(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_reference_is_written),
		TEST(every_rule_is_written),
		TEST(off_on_purpose),
		TEST(under_a_reference),
		TEST(two_that_exclude_each_other),
		TEST(removal_and_place),
		TEST(from_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
