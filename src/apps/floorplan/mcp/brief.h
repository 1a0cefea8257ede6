/* brief.h - a plan in at most TN_FLOOR_BRIEF_BYTES_MAX, however large it is: what stands beside a
 * picture that is looked at anyway (floorplan-1.1.md F11-170, hosts.md HO-003). Threads: any. */
#ifndef TN_FLOOR_BRIEF_H
#define TN_FLOOR_BRIEF_H

#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/mcp/answer.h"

enum tn_floor_detail { TN_FLOOR_NONE, TN_FLOOR_BRIEF, TN_FLOOR_FULL };
/* The argument `detail`; without it FULL. */
enum tn_floor_detail tn_floor_detail_of(const struct tn_floor_act *act);

/* Members `unit`, `areaUnit`, `floorCount`, `contents` and the areas, of the floors told. */
void tn_floor_put_brief(struct tn_floor_act *act, const struct tn_floor_answer *answer);
/* Members `diagnostics`: the worst as "FP2004 7 message" (code, line), and `moreDiagnostics`. */
void tn_floor_put_worst(struct tn_floor_act *act);

#endif
