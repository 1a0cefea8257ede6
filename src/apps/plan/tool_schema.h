/* tool_schema.h - pieces of output schemas that several tools share (plan.md sections 5, 8 and 12).
 * Literals only; a test compiles every schema that is made of them. */
#ifndef TN_PLAN_TOOL_SCHEMA_H
#define TN_PLAN_TOOL_SCHEMA_H

#define TN_SCHEMA_TEXT "{\"type\":\"string\"}"
#define TN_SCHEMA_TEXT_OR_NULL "{\"type\":[\"string\",\"null\"]}"
#define TN_SCHEMA_COUNT "{\"type\":\"integer\",\"minimum\":0}"
#define TN_SCHEMA_COUNT_OR_NULL "{\"type\":[\"integer\",\"null\"]}"
#define TN_SCHEMA_SWITCH "{\"type\":\"boolean\"}"

#define TN_SCHEMA_LEVEL "{\"enum\":[\"none\",\"low\",\"medium\",\"high\",\"critical\"]}"

#define TN_SCHEMA_FINDINGS                                                               \
	"{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"            \
	"\"id\":" TN_SCHEMA_TEXT ",\"level\":" TN_SCHEMA_LEVEL                           \
	",\"address\":" TN_SCHEMA_TEXT_OR_NULL ",\"title\":" TN_SCHEMA_TEXT              \
	",\"detail\":" TN_SCHEMA_TEXT ",\"evidence\":{\"type\":[\"object\",\"null\"]}}," \
	"\"required\":[\"id\",\"level\",\"address\",\"title\",\"detail\"]}}"

#define TN_SCHEMA_RISK                                                    \
	"{\"type\":\"object\",\"properties\":{\"level\":" TN_SCHEMA_LEVEL \
	",\"findings\":" TN_SCHEMA_FINDINGS "},\"required\":[\"level\",\"findings\"]}"

#define TN_SCHEMA_ACTIONS \
	"{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\",\"minimum\":0}}"

#define TN_SCHEMA_WARNINGS                                                    \
	"{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{" \
	"\"code\":" TN_SCHEMA_TEXT ",\"message\":" TN_SCHEMA_TEXT             \
	",\"line\":" TN_SCHEMA_COUNT_OR_NULL "},\"required\":[\"code\",\"message\"]}}"

/* An entry of resource_changes; values of attributes are typed JSON and therefore open. */
#define TN_SCHEMA_ENTRY_MEMBERS                                                                \
	"\"index\":" TN_SCHEMA_COUNT ",\"address\":" TN_SCHEMA_TEXT                            \
	",\"module\":" TN_SCHEMA_TEXT_OR_NULL ",\"mode\":" TN_SCHEMA_TEXT                      \
	",\"type\":" TN_SCHEMA_TEXT ",\"name\":" TN_SCHEMA_TEXT                                \
	",\"key\":{\"type\":[\"string\",\"integer\",\"null\"]}"                                \
	",\"deposed\":" TN_SCHEMA_TEXT_OR_NULL ",\"previous_address\":" TN_SCHEMA_TEXT_OR_NULL \
	",\"import_id\":" TN_SCHEMA_TEXT_OR_NULL ",\"action\":" TN_SCHEMA_TEXT                 \
	",\"actions\":{\"type\":\"array\",\"items\":" TN_SCHEMA_TEXT "}"                       \
	",\"replace_order\":" TN_SCHEMA_TEXT_OR_NULL ",\"reasons\":{\"type\":\"array\"}"       \
	",\"attributes\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}"                 \
	",\"attributes_truncated\":" TN_SCHEMA_COUNT ",\"hidden\":{\"type\":\"object\"}"       \
	",\"risk\":{\"type\":\"object\"}"

#define TN_SCHEMA_ENTRY_REQUIRED "\"address\",\"type\",\"name\",\"action\",\"actions\""

#endif
