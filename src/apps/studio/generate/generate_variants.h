/* generate_variants.h - every resource type in all its variants, as diagrams: with defaults, with
 * each value of an enum, each boolean, reference, list, map, variable mode and parent (ST-052,
 * ST-153). For tests. */
#ifndef TN_STUDIO_GENERATE_VARIANTS_H
#define TN_STUDIO_GENERATE_VARIANTS_H

#include "apps/studio/generate/generate_test_kit.h"

/* The node that is varied. */
#define TN_STUDIO_VARIED "varied"

/* Called with the diagram loaded and generated; `label`: "azurerm/networking/subnet nsg_id". False
 * stops. */
typedef bool tn_studio_variant_fn(struct tn_studio_gen_kit *kit, const char *label, void *data);

/* How many there were; 0: one could not be made, or `each` stopped. */
size_t tn_studio_each_variant(struct tn_studio_gen_kit *kit, tn_studio_variant_fn *each,
			      void *data);

#endif
