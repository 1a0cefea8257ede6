/* import_test_kit.h - texts taken into a new diagram, and what is generated from it then, for tests
 * and the fuzzer. */
#ifndef TN_STUDIO_IMPORT_TEST_KIT_H
#define TN_STUDIO_IMPORT_TEST_KIT_H

#include "apps/studio/generate/generate.h"
#include "apps/studio/import/import.h"

struct tn_studio_import_kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_oplog *log;
	struct tn_arena arena;
	struct tn_buf answer; /* an object */
	const struct tn_json *result;
	struct tn_studio_fault fault;
	struct tn_change change;
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
};
/* Borrows the registry. False: no memory. */
bool tn_studio_import_kit_init(struct tn_studio_import_kit *kit,
			       struct tn_studio_registry *registry);
void tn_studio_import_kit_finish(struct tn_studio_import_kit *kit);
/* False: `fault` says why, and nothing has changed. */
bool tn_studio_import_kit_take(struct tn_studio_import_kit *kit,
			       const struct tn_studio_import_options *options);
bool tn_studio_import_kit_generate(struct tn_studio_import_kit *kit, const char *project_name);
/* Empty: there is none of this name. */
struct tn_str tn_studio_import_kit_file(const struct tn_studio_import_kit *kit, struct tn_str name);

#endif
