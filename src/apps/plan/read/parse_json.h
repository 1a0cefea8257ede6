/* parse_json.h - a JSON plan (show -json) and the JSON stream (plan -json) to the model.
 * Threads: one at a time. */
#ifndef TN_PLAN_PARSE_JSON_H
#define TN_PLAN_PARSE_JSON_H

#include "apps/plan/read/clean.h"

/* Which kind of JSON the text is: TN_PLAN_TEXT when it is none. Only looks at its beginning. */
enum tn_plan_kind tn_plan_detect_json(struct tn_str text);

/* Each consumes the text, which must live as long as the plan. Failures stick to the build. A plan
 * that is cut off gives what was read, with `truncated`. */
void tn_plan_parse_json(struct tn_plan_build *build, struct tn_plan_text text);
void tn_plan_parse_stream(struct tn_plan_build *build, struct tn_plan_text text);

#endif
