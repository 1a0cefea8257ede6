/* Forms: their defaults, and whether what was filled in fits (MCP-208, MCP-212). */
#include "client/question.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"

void tn_elicitation_defaults(const struct tn_json *schema, struct tn_buf *out)
{
	const struct tn_json *properties = tn_json_get(schema, "properties");

	tn_json_begin_object(out);
	for (const struct tn_json *p = tn_json_is(properties, TN_JSON_OBJECT) ? properties->first
									      : NULL;
	     p; p = p->next) {
		const struct tn_json *value = tn_json_get(p, "default");

		if (!value)
			continue;
		tn_json_put_key_str(out, p->key);
		tn_json_put_value(out, value);
	}
	tn_json_end_object(out);
}

enum tenon_code tn_elicitation_check(const struct tn_json *schema, const struct tn_json *content,
				     struct tenon_error *err)
{
	struct tn_schema_faults faults = {.root = "content"};
	struct tn_schema *compiled = NULL;
	enum tenon_code code;
	struct tn_buf text;

	if (!tn_json_is(content, TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID, "content: send a JSON object");
	code = tn_schema_compile_flags(schema, TN_SCHEMA_ASSERT_FORMAT, &compiled, err);
	if (code != TENON_OK)
		return code;
	code = tn_schema_check(compiled, content, &faults);
	tn_schema_free(compiled);
	if (code == TENON_OK)
		return TENON_OK;
	tn_buf_init(&text, TN_MIB);
	tn_schema_faults_write(&faults, &text);
	code = tn_fail(err, TENON_INVALID, "%.*s", (int)(text.size < 250 ? text.size : 250),
		       text.data ? text.data : "the content does not fit the schema");
	tn_buf_finish(&text);
	return code;
}
