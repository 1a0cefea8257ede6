/* edit_test_kit.h - what every edit must hold, whatever the plan and the operations
 * (floorplan.md 8.1, 13), for tests and the fuzz target; and random plans and operations. Threads:
 * one at a time. */
#ifndef TN_FLOOR_EDIT_TEST_KIT_H
#define TN_FLOOR_EDIT_TEST_KIT_H

#include "apps/floorplan/edit/edit.h"

struct tn_edit_random {
	uint64_t state;
};
uint32_t tn_edit_random(struct tn_edit_random *random, uint32_t below);

/* A plan that parses: floors, rooms in rooms, stairs, connections, comments, odd spacing. */
void tn_edit_random_plan(struct tn_edit_random *random, struct tn_buf *out);
/* An array of operations on rooms of this plan, some of them wrong. */
void tn_edit_random_operations(struct tn_edit_random *random, const struct tn_floor_plan *plan,
			       unsigned count, struct tn_buf *out);

/* Runs the operations at once, atomically, and one by one. NULL: all is well; else what is wrong.
 */
const char *tn_edit_check(struct tn_str text, const struct tn_json *operations,
			  struct tn_str floor);

#endif
