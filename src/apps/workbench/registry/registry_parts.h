/* registry_parts.h - the inside of a registry, for those who make it. See registry.h. */
#ifndef TN_WB_REGISTRY_REGISTRY_PARTS_H
#define TN_WB_REGISTRY_REGISTRY_PARTS_H

#include "apps/workbench/registry/registry.h"

struct tn_wb_registry {
	struct tn_arena arena; /* everything below */
	struct tn_wb_entry *entries;
	size_t count;
	struct tn_str *disabled;
	size_t disabled_count;
	struct tn_wb_hint *hints;
	size_t hint_count;
	struct tn_map by_type; /* to entries; a disabled type to the registry itself */
	struct tn_buf text;
};

#endif
