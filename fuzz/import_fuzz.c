/* Any bytes taken in as configuration, as a state and as a plan: the import ends, and what is
 * generated then can be read and is taken in again without a fault. */
#include <stdlib.h>

#include "apps/studio/import/import_test_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tn_studio_registry *registry; /* made once: it takes some milliseconds */

static void check_generated(struct tn_studio_import_kit *kit)
{
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		struct tn_hcl_file *file;
		struct tenon_error err;

		if (tn_hcl_parse(&kit->arena, kit->generated.files[i].text, &file, &err) !=
			    TENON_OK ||
		    file->faults)
			abort();
	}
}

static void take(const uint8_t *data, size_t size, enum tn_studio_import_source source)
{
	struct tn_studio_import_file file = {TN_STR("main.tf"), tn_str((const char *)data, size)};
	struct tn_studio_import_options options = {
		.source = source, .files = &file, .file_count = 1};
	struct tn_studio_import_kit kit;

	if (!tn_studio_import_kit_init(&kit, registry))
		abort();
	if (tn_studio_import_kit_take(&kit, &options)) {
		if (!tn_studio_import_kit_generate(&kit, "fuzz"))
			abort();
		check_generated(&kit);
	} else if (!kit.fault.code) {
		abort();
	}
	tn_studio_import_kit_finish(&kit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tenon_error err;

	if (!registry && tn_studio_registry_built_in(&registry, &err) != TENON_OK)
		abort();
	if (size > 0 && (data[0] == '{' || data[0] == '[')) {
		take(data, size, TN_STUDIO_FROM_STATE);
		take(data, size, TN_STUDIO_FROM_PLAN);
	} else {
		take(data, size, TN_STUDIO_FROM_CONFIG);
	}
	return 0;
}
