/* turn.h - what the change of one attribute comes to: turned on, turned off, taken away.
 *
 * Of what is sensitive, not known yet or as it was, nothing is concluded: those answer false.
 * Threads: any; no state. */
#ifndef TN_PLAN_TURN_H
#define TN_PLAN_TURN_H

#include "apps/plan/read/model.h"

/* Sensitive values are absent on both sides and look like "off". */
bool tn_plan_is_unclear(const struct tn_plan_attribute *attribute);

/* true, enabled, active; false, disabled, suspended and what is not there. */
bool tn_plan_value_is_on(const struct tn_plan_value *value);
bool tn_plan_value_is_off(const struct tn_plan_value *value);

/* From on to off; to on from whatever was not. */
bool tn_plan_turns_off(const struct tn_plan_attribute *attribute);
bool tn_plan_turns_on(const struct tn_plan_attribute *attribute);

/* To zero from something else; to a smaller number, or a shorter duration. */
bool tn_plan_turns_zero(const struct tn_plan_attribute *attribute);
bool tn_plan_turns_less(const struct tn_plan_attribute *attribute);
bool tn_plan_value_is_zero(const struct tn_plan_value *value);

/* For ever: zero, nothing, or a number below zero, where a setting says so. */
bool tn_plan_value_is_endless(const struct tn_plan_value *value);

/* "604800s", "30d", "8760h0m0s", "P14D", "PT1H30M". False: it is no duration. A month has 30 days,
 * a year 365. */
bool tn_plan_read_seconds(struct tn_str text, uint64_t *ret);

/* A text becomes empty, or nothing. */
bool tn_plan_is_taken_away(const struct tn_plan_attribute *attribute);

/* Whether the text is one of these, whatever the case. */
bool tn_plan_is_one_of(struct tn_str text, const char *const *words, size_t count);

#endif
