#include "apps/studio/check/registry_report.h"

#include <stdio.h>

/* The blocks of one name in all providers of the dump: a type may become one of several. */
enum { SCHEMAS_MAX = 16 };

struct check {
	const struct tn_json *providers; /* provider_schemas */
	const struct tn_studio_type *type;
	tn_studio_schema_fn *told;
	void *data;
	const char *kind; /* "resource_schemas" or "data_source_schemas" */
};

struct blocks {
	const struct tn_json *list[SCHEMAS_MAX];
	size_t count;
};

static void tell(const struct check *check, const char *what, struct tn_str name, struct tn_str of)
{
	char message[300];

	(void)snprintf(message, sizeof(message), "%.*s has no %s \"%.*s\"",
		       (int)(of.size < 100 ? of.size : 100), of.data, what,
		       (int)(name.size < 100 ? name.size : 100), name.data);
	check->told(check->data, check->type, message);
}

static const struct tn_json *first_of(const struct tn_json *container)
{
	return tn_json_is(container, TN_JSON_OBJECT) || tn_json_is(container, TN_JSON_ARRAY)
		       ? container->first
		       : NULL;
}

static void add_block(const struct check *check, struct tn_str name, struct blocks *blocks)
{
	for (const struct tn_json *p = first_of(check->providers); p; p = p->next) {
		const struct tn_json *block =
			tn_json_get(tn_json_get_str(tn_json_get(p, check->kind), name), "block");

		if (block && blocks->count < SCHEMAS_MAX)
			blocks->list[blocks->count++] = block;
	}
}

static bool has_attribute(const struct blocks *blocks, struct tn_str name)
{
	for (size_t i = 0; i < blocks->count; i++) {
		const struct tn_json *block = blocks->list[i];

		/* Nested types are attributes, too; older providers write blocks as attributes. */
		if (tn_json_get_str(tn_json_get(block, "attributes"), name))
			return true;
	}
	return false;
}

static struct blocks inside(const struct blocks *blocks, struct tn_str name)
{
	struct blocks inner = {.count = 0};

	for (size_t i = 0; i < blocks->count; i++) {
		const struct tn_json *block = tn_json_get(
			tn_json_get_str(tn_json_get(blocks->list[i], "block_types"), name),
			"block");

		if (block)
			inner.list[inner.count++] = block;
	}
	return inner;
}

static bool is_meta(struct tn_str name)
{
	static const char *const known[] = {"provider",   "depends_on", "count",
					    "for_each",   "lifecycle",  "provisioner",
					    "connection", "dynamic",    NULL};

	for (size_t i = 0; known[i]; i++) {
		if (tn_str_is(name, known[i]))
			return true;
	}
	return false;
}

static void check_items(const struct check *check, const struct tn_json *items,
			const struct blocks *blocks, struct tn_str of)
{
	for (const struct tn_json *e = first_of(items); e; e = e->next) {
		const struct tn_json *attribute =
			e->type == TN_JSON_STRING ? e : tn_json_get(e, "attr");
		const struct tn_json *block = tn_json_get(e, "block");
		struct blocks inner;

		if (attribute && !is_meta(attribute->text) &&
		    !has_attribute(blocks, attribute->text))
			tell(check, "argument", attribute->text, of);
		if (!block || is_meta(block->text))
			continue;
		inner = inside(blocks, block->text);
		if (inner.count > 0)
			check_items(check, tn_json_get(e, "items"), &inner, block->text);
		else
			tell(check, "block", block->text, of);
	}
}

static void check_one(const struct check *check, const struct tn_json *items, struct blocks *blocks,
		      struct tn_str name)
{
	if (blocks->count == 0)
		tell(check, "type", name, TN_STR("the schema"));
	else
		check_items(check, items, blocks, name);
}

static void check_primary(const struct check *check)
{
	const struct tn_studio_type *type = check->type;
	const struct tn_json *name = tn_json_get(type->terraform, "type");
	struct tn_str shown = {NULL, 0};
	struct blocks blocks = {.count = 0};

	if (type->is_virtual || type->no_primary || !type->body)
		return;
	if (tn_json_to_str(name, &shown)) {
		add_block(check, shown, &blocks);
	} else {
		(void)tn_json_to_str(tn_json_get(name, "default"), &shown);
		add_block(check, shown, &blocks);
		for (const struct tn_json *c = first_of(tn_json_get(name, "cases")); c; c = c->next)
			add_block(check, c->text, &blocks);
	}
	check_one(check, type->body, &blocks, shown);
	for (size_t i = 0; blocks.count > 0 && i < type->output_count; i++) {
		struct tn_str path = type->outputs[i].attribute, head = path;

		/* "identity[0].principal_id": its first name has to be there. */
		for (size_t n = 0; n < path.size && head.size == path.size; n++) {
			if (path.data[n] == '.' || path.data[n] == '[')
				head.size = n;
		}
		if (!has_attribute(&blocks, head) && inside(&blocks, head).count == 0)
			tell(check, "attribute", head, shown);
	}
}

static void check_more(struct check *check, const struct tn_json *list, const char *kind)
{
	check->kind = kind;
	for (const struct tn_json *e = first_of(list); e; e = e->next) {
		struct tn_str name = {NULL, 0};
		struct blocks blocks = {.count = 0};

		if (!tn_json_to_str(tn_json_get(e, "type"), &name))
			continue;
		add_block(check, name, &blocks);
		check_one(check, tn_json_get(e, "items"), &blocks, name);
	}
}

bool tn_studio_schema_check(const struct tn_json *schema, const struct tn_studio_type *type,
			    tn_studio_schema_fn *told, void *data)
{
	struct check check = {.providers = tn_json_get(schema, "provider_schemas"),
			      .type = type,
			      .told = told,
			      .data = data,
			      .kind = "resource_schemas"};

	if (!tn_json_is(check.providers, TN_JSON_OBJECT))
		return false;
	check_primary(&check);
	check_more(&check, type->extra, "resource_schemas");
	check_more(&check, type->data, "data_source_schemas");
	return true;
}
