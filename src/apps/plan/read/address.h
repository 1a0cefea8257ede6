/* address.h - resource addresses, read with a tokenizer (plan.md section 4.3).
 *
 * A for_each key may hold anything, whole phrases and brackets included, so no pattern that stops
 * at a blank can read one. Slices point into the text that was read. Threads: any. */
#ifndef TN_PLAN_ADDRESS_H
#define TN_PLAN_ADDRESS_H

#include "apps/plan/read/model.h"

enum tn_plan_address_mode {
	TN_PLAN_MANAGED,
	TN_PLAN_DATA,
	TN_PLAN_EPHEMERAL,
	TN_PLAN_ACTION_ADDRESS
};

struct tn_plan_address {
	struct tn_str text;   /* as printed */
	struct tn_str module; /* "module.a.module.b[0]"; data is NULL in the root module */
	struct tn_str type, name;
	struct tn_str key; /* INT: digits; STRING: still escaped, without its quotes */
	uint8_t mode;      /* enum tn_plan_address_mode */
	uint8_t key_kind;  /* enum tn_plan_key_kind */
};

/* Reads an address at the start of `text`. Returns its length, or 0 when there is none. What
 * follows is the caller's business. */
size_t tn_plan_address_read(struct tn_str text, struct tn_plan_address *ret);

/* True when the whole text is the address of a module. */
bool tn_plan_is_module_address(struct tn_str text);

/* Fills address, module, type, name, key and is_data. The key is unescaped in the arena when it has
 * to be; false when that found no memory. */
bool tn_plan_entry_set_address(struct tn_plan_entry *entry, const struct tn_plan_address *address,
			       struct tn_arena *arena);

#endif
