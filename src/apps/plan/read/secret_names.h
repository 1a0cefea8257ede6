/* secret_names.h - names whose values are never shown (plan.md section 10.4): whole parts of a
 * name, not letters inside of one. private_ip, kms_key_id and keyspace are shown; db_password,
 * clientSecret and PRIMARY_ACCESS_KEY are not.
 *
 * Threads: any; no state. */
#ifndef TN_PLAN_SECRET_NAMES_H
#define TN_PLAN_SECRET_NAMES_H

#include <stdbool.h>

#include "base/str.h"

/* True for a path, or a name, of which a part says so. */
bool tn_plan_is_secret_name(struct tn_str path);

#endif
