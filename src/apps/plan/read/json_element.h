/* json_element.h - the members of one element of resource_changes and its like, still in the words
 * of the JSON plan; private to the readers of JSON. Texts live as long as the plan, trees until the
 * next element. Threads: one at a time. */
#ifndef TN_PLAN_JSON_ELEMENT_H
#define TN_PLAN_JSON_ELEMENT_H

#include "apps/plan/read/json_change.h"

enum tn_plan_json_action {
	TN_PLAN_BIT_NO_OP = 1,
	TN_PLAN_BIT_CREATE = 2,
	TN_PLAN_BIT_READ = 4,
	TN_PLAN_BIT_UPDATE = 8,
	TN_PLAN_BIT_DELETE = 16,
	TN_PLAN_BIT_FORGET = 32,
	TN_PLAN_BIT_OTHER = 64
};

struct tn_plan_json_element {
	struct tn_str address, previous_address, module, mode, type, name, deposed, reason,
		provider;
	struct tn_str key, import_id;
	uint8_t key_kind;
	bool importing;
	unsigned actions; /* bits */
	unsigned first;   /* the first of them */
	struct tn_plan_json_change change;
	bool cut; /* a part did not fit into memory */
};

/* The element whose first token was just read. False: not JSON, or the build has failed. */
bool tn_plan_json_read_element(struct tn_plan_json_reader *reader, enum tn_json_token token,
			       struct tn_plan_json_element *ret);

/* The object behind "change": actions, values, importing. */
bool tn_plan_json_read_body(struct tn_plan_json_reader *reader, enum tn_json_token token,
			    struct tn_plan_json_element *element);

bool tn_plan_json_tick(struct tn_plan_json_reader *reader);

#endif
