/* json_value.h - small trees out of a stream of JSON tokens.
 *
 * A JSON plan may be as large as the limit allows, so it is never a tree as a whole; the values of
 * one resource are, one after the other, in an arena that is reset between them. Threads: one at a
 * time. */
#ifndef TN_PLAN_JSON_VALUE_H
#define TN_PLAN_JSON_VALUE_H

#include "jsonrpc/json.h"

/* Reads the value that begins with `token`, which was just read. *ret is NULL when the arena has no
 * room for it; the value is passed over then. False: not JSON, the reader tells where. */
bool tn_plan_json_value(struct tn_json_reader *reader, enum tn_json_token token,
			struct tn_arena *arena, struct tn_json **ret);

/* Passes over the value that begins with `token`. */
bool tn_plan_json_pass(struct tn_json_reader *reader, enum tn_json_token token);

/* Puts the members of an object into the order of their keys; equal keys keep their order. */
void tn_plan_json_sort(struct tn_json *object);

#endif
