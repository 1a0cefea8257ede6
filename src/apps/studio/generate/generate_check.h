/* generate_check.h - whether a generated configuration is sound: it parses, has the blocks it
 * should, and its literals read back equal (ST-144). For tests and the fuzzer. */
#ifndef TN_STUDIO_GENERATE_CHECK_H
#define TN_STUDIO_GENERATE_CHECK_H

#include "apps/studio/generate/generate_test_kit.h"

/* Attributes of primary blocks and values of variables that are a property's own value, as it
 * is. */
typedef void tn_studio_literal_fn(const struct tn_studio_place *place, struct tn_str attribute,
				  const struct tn_json *value, void *data);
void tn_studio_each_literal(const struct tn_studio_gen_kit *kit, struct tn_arena *arena,
			    tn_studio_literal_fn *each, void *data);

/* NULL: it is. Otherwise what is wrong, in the arena. */
const char *tn_studio_generated_check(const struct tn_studio_gen_kit *kit, struct tn_arena *arena);

#endif
