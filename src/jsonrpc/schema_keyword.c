/* Forms of values that many keywords share: counts, numbers, schemas and lists of them. */
#include "jsonrpc/schema_keyword.h"

bool tn_keyword_refuse(const struct tn_schema_keyword *k, const char *wanted)
{
	return tn_schema_refuse(k->c, TENON_INVALID, "must be %s", wanted);
}

bool tn_keyword_read_count(const struct tn_schema_keyword *k, int64_t *ret)
{
	if (k->value->type != TN_JSON_NUMBER || !tn_json_is_integer(k->value) ||
	    tn_json_number_sign(k->value->text) < 0)
		return tn_keyword_refuse(k, "an integer of 0 or more");
	if (!tn_json_to_int(k->value, ret))
		*ret = TN_SCHEMA_NO_MAX; /* larger than anything that can be counted */
	return true;
}

bool tn_keyword_read_number(const struct tn_schema_keyword *k, struct tn_str *ret)
{
	if (k->value->type != TN_JSON_NUMBER)
		return tn_keyword_refuse(k, "a number");
	return tn_schema_copy_text(k->c, k->value->text, ret);
}

bool tn_keyword_read_schema(const struct tn_schema_keyword *k, const struct tn_schema_node **ret)
{
	*ret = tn_schema_compile_child(k->c, k->value, k->value->key, 0);
	return *ret != NULL;
}

const struct tn_schema_node *tn_keyword_child(const struct tn_schema_keyword *k,
					      const struct tn_json *value, uint32_t index)
{
	struct tn_str key = k->value->type == TN_JSON_OBJECT ? value->key : tn_str(NULL, 0);

	return tn_schema_compile_child(k->c, value, key, index);
}

bool tn_keyword_read_list(const struct tn_schema_keyword *k, struct tn_schema_list *ret)
{
	uint32_t i = 0;

	if (k->value->type != TN_JSON_ARRAY || k->value->count == 0)
		return tn_keyword_refuse(k, "an array of schemas, not empty");
	ret->nodes = tn_schema_new(k->c, k->value->count, sizeof(const struct tn_schema_node *));
	if (!ret->nodes)
		return false;
	for (const struct tn_json *v = k->value->first; v; v = v->next, i++) {
		ret->nodes[i] = tn_keyword_child(k, v, i);
		if (!ret->nodes[i])
			return false;
	}
	ret->count = i;
	return true;
}

bool tn_keyword_read_pattern(const struct tn_schema_keyword *k, struct tn_str source,
			     const struct tn_pattern **ret)
{
	struct tenon_error err;
	enum tenon_code code = tn_pattern_compile(k->c->arena, source, ret, &err);

	return code == TENON_OK || tn_schema_refuse(k->c, code, "%s", err.message);
}
