/* generate_test_kit.h - a diagram from a few words, and what is generated from it, for tests, the
 * fuzzer and the bench. */
#ifndef TN_STUDIO_GENERATE_TEST_KIT_H
#define TN_STUDIO_GENERATE_TEST_KIT_H

#include "apps/studio/generate/generate.h"

struct tn_studio_gen_kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	bool has_document;
	struct tn_arena arena; /* of the diagram's text and of what is generated */
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
};
/* False: no memory. */
bool tn_studio_gen_kit_init(struct tn_studio_gen_kit *kit);
void tn_studio_gen_kit_finish(struct tn_studio_gen_kit *kit);

/* Takes a diagram (4.7) and a configuration, as JSON; ' stands for " where `quotes`. The document
 * before is thrown away. False: it is refused. */
bool tn_studio_gen_kit_load(struct tn_studio_gen_kit *kit, struct tn_str diagram,
			    struct tn_str config, bool quotes);
/* With the names of secrets that have a value, as a JSON object or NULL. False: no memory. */
bool tn_studio_gen_kit_run(struct tn_studio_gen_kit *kit, const char *secrets);
/* Empty: there is none of this name. */
struct tn_str tn_studio_gen_kit_file(const struct tn_studio_gen_kit *kit, const char *name);
/* The `nth` diagnostic of this code, from 0; NULL: none. */
const struct tn_studio_diagnostic *tn_studio_gen_kit_told(const struct tn_studio_gen_kit *kit,
							  const char *code, unsigned nth);

#endif
