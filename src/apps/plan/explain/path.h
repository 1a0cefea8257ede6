/* path.h - attribute paths (plan.md section 5) taken apart: ingress[0].cidr_blocks[1],
 * tags["open_to"], and the dotted numbers of very old plans, ingress.1234.cidr_blocks.0.
 *
 * Rules ask for exact names of attributes; a map's key or a tag that is spelled like one is none.
 * Slices point into the path. Threads: any. */
#ifndef TN_PLAN_PATH_H
#define TN_PLAN_PATH_H

#include "base/str.h"

struct tn_plan_path {
	struct tn_str name; /* cidr_blocks: the last name, without indices; empty for a map key */
	struct tn_str
		owner; /* "ingress[0].": all before the name, with its dot; empty at the top */
};

struct tn_plan_path tn_plan_path_split(struct tn_str path);

/* retention.ms of config["retention.ms"]: the map's key at the end, as it is written; empty: none.
 */
struct tn_str tn_plan_path_key(struct tn_str path);

/* The first name of the path: "ingress". */
struct tn_str tn_plan_path_root(struct tn_str path);

/* True when one of the path's names is exactly this. */
bool tn_plan_path_has_name(struct tn_str path, struct tn_str name);

/* tags, labels, annotations, descriptions: what people write about an object. */
bool tn_plan_path_is_remark(struct tn_str path);

/* `element` is `list` itself or an element of it: cidr_blocks, cidr_blocks[1], cidr_blocks.1. */
bool tn_plan_path_is_element(struct tn_str element, struct tn_str list);

#endif
