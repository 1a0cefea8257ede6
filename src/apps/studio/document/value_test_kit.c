#include "apps/studio/document/value_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "jsonrpc/json_write.h"

const struct tn_json *tn_studio_value_kit_json(struct tn_studio_value_kit *kit, const char *text)
{
	char *copy = tn_arena_copy(&kit->arena, tn_str_from(text));
	struct tn_json *value;
	struct tenon_error err;

	assert_non_null(copy);
	for (char *at = copy; *at; at++) {
		if (*at == '\'')
			*at = '"';
	}
	if (tn_json_parse(&kit->arena, copy, strlen(copy), &value, &err) != TENON_OK)
		fail_msg("%s: %s", text, err.message);
	return value;
}

void tn_studio_value_kit_init(struct tn_studio_value_kit *kit, const char *nodes,
			      const char *config, const char *cost)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf repairs, inverse;
	struct tn_json *operation;
	struct tenon_error err;
	char *diagram;

	tn_arena_init(&kit->arena, 64 * TN_MIB);
	if (tn_studio_registry_built_in(&kit->registry, &err) != TENON_OK)
		fail_msg("%s", err.message);
	tn_studio_document_init(&kit->document, kit->registry);
	tn_buf_init(&repairs, TN_MIB);
	tn_buf_init(&inverse, TN_MIB);
	diagram = tn_arena_format(&kit->arena, "{'formatVersion':1,'revision':1,'nodes':[%s]}",
				  nodes);
	if (!tn_studio_document_read(kit->registry, tn_studio_value_kit_json(kit, diagram),
				     cost ? tn_studio_value_kit_json(kit, cost) : NULL,
				     config ? tn_studio_value_kit_json(kit, config) : NULL,
				     &kit->arena, &operation, &repairs, &fault))
		fail_msg("%s", fault.message);
	if (tn_studio_document_ops.apply(&kit->document, operation, &inverse, &err) != TENON_OK ||
	    tn_studio_document_index(&kit->document, &err) != TENON_OK)
		fail_msg("%s", err.message);
	tn_buf_finish(&repairs);
	tn_buf_finish(&inverse);
}

void tn_studio_value_kit_finish(struct tn_studio_value_kit *kit)
{
	tn_studio_document_finish(&kit->document);
	tn_studio_registry_unref(kit->registry);
	tn_arena_finish(&kit->arena);
}

const char *tn_studio_value_kit_text(struct tn_studio_value_kit *kit, const char *node,
				     const char *key)
{
	struct tn_studio_scope scope = tn_studio_scope_of(
		&kit->document, tn_studio_node_find(&kit->document, tn_str_from(node)),
		&kit->arena);
	const struct tn_json *value = tn_studio_value_by_key(&scope, tn_str_from(key));
	const char *text;
	struct tn_buf out;

	if (!value)
		return "unset";
	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, value);
	text = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return text;
}
