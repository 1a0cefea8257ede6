/* value_test_kit.h - a document from a few words, for tests. */
#ifndef TN_STUDIO_VALUE_TEST_KIT_H
#define TN_STUDIO_VALUE_TEST_KIT_H

#include "apps/studio/document/value.h"

struct tn_studio_value_kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_arena arena;
};
/* Nodes, configuration and cost.json as JSON in which ' stands for "; NULL: none. A mistake fails
 * the test. */
void tn_studio_value_kit_init(struct tn_studio_value_kit *kit, const char *nodes,
			      const char *config, const char *cost);
void tn_studio_value_kit_finish(struct tn_studio_value_kit *kit);

const struct tn_json *tn_studio_value_kit_json(struct tn_studio_value_kit *kit, const char *text);
/* The node's effective value as JSON text, in the kit's arena; "unset" without one. */
const char *tn_studio_value_kit_text(struct tn_studio_value_kit *kit, const char *node,
				     const char *key);

#endif
