/* vocabulary_table.h - the type table as tools/types_to_c.sh writes it from data/plan-types.tsv:
 * sorted by name, bytewise. Private to vocabulary.c and the generated file. */
#ifndef TN_PLAN_VOCABULARY_TABLE_H
#define TN_PLAN_VOCABULARY_TABLE_H

#include "apps/plan/explain/vocabulary.h"

extern const struct tn_plan_type tn_plan_type_table[];
extern const size_t tn_plan_type_count;

#endif
