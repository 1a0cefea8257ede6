/* Finds what a member of a schema is, and has it compiled in its place. */
#include <stdlib.h>

#include "base/size.h"
#include "jsonrpc/schema_keyword.h"

static int by_name(const void *key, const void *entry)
{
	const struct tn_str *name = key;

	return tn_str_compare(*name,
			      tn_str_from(((const struct tn_schema_keyword_entry *)entry)->name));
}

static const struct tn_schema_keyword_entry *find(struct tn_str name)
{
	static const struct tn_schema_keyword_table *const tables[] = {
		&tn_schema_value_keywords, &tn_schema_array_keywords, &tn_schema_object_keywords,
		&tn_schema_logic_keywords};
	const struct tn_schema_keyword_entry *found = NULL;

	for (size_t i = 0; i < TN_COUNT(tables) && !found; i++)
		found = bsearch(&name, tables[i]->entries, tables[i]->count,
				sizeof(tables[i]->entries[0]), by_name);
	return found;
}

bool tn_schema_compile_keyword(struct tn_schema_compiler *c, struct tn_schema_node *node,
			       const struct tn_json *schema, const struct tn_json *member)
{
	const struct tn_schema_place place = {c->place, member->key, 0}, *outer = c->place;
	const struct tn_schema_keyword k = {c, node, schema, member};
	const struct tn_schema_keyword_entry *entry = find(member->key);
	bool good;

	if (!entry || (entry->since == TN_IN_2020 && c->base->dialect == TN_SCHEMA_DRAFT_07))
		return true; /* title, description, default, x-...: notes */
	if (entry->whole && member->type != TN_JSON_ARRAY)
		return entry->compile(&k);
	c->place = &place;
	good = entry->compile(&k);
	c->place = outer;
	return good;
}
