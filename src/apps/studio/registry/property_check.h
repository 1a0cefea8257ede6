/* property_check.h - whether a value is one that its property takes, and as what it is stored
 * (studio.md 5.4).
 *
 * Pure functions. Threads: any. */
#ifndef TN_STUDIO_PROPERTY_CHECK_H
#define TN_STUDIO_PROPERTY_CHECK_H

#include "apps/studio/registry/registry.h"

/* One value against its property: type, allowed, range, length, pattern, fields. Converts lossless
 * (a numeric string for a number, and the reverse; for enums too). *ret is the value to store, in
 * the arena where it had to be made. False: `why` says what is expected. */
bool tn_studio_check_value(const struct tn_studio_property *property, const struct tn_json *value,
			   struct tn_arena *arena, const struct tn_json **ret, char *why,
			   size_t why_size);

#endif
