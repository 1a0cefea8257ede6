/* registry_report.h - what `tenon studio types check` says of a registry file (ST-050): every
 * mistake with its place, what the provider's schema does not have, and the configuration that each
 * type becomes with its defaults.
 *
 * Ownership: the caller's; everything lives in the arena. Threads: any, one at a time. */
#ifndef TN_STUDIO_REGISTRY_REPORT_H
#define TN_STUDIO_REGISTRY_REPORT_H

#include "apps/studio/registry/registry.h"

struct tn_studio_report_fault {
	struct tn_str pointer, message;
	const struct tn_studio_report_fault *next;
};

struct tn_studio_report_type {
	const struct tn_studio_type *type;
	struct tn_str hcl; /* what it becomes; empty: it produces nothing */
};

struct tn_studio_report {
	struct tn_studio_registry *registry; /* a reference: types are its */
	const struct tn_studio_report_fault *faults;
	size_t fault_count;
	const struct tn_studio_report_type *types; /* that the file declares, and that loaded */
	size_t type_count;
};

/* `schema`: what `terraform providers schema -json` printed; NULL: no check against it.
 * Fails: NO_MEMORY, INVALID (the schema is none), INTERNAL. */
TN_MUST_USE enum tenon_code tn_studio_report_make(struct tn_str name, struct tn_str text,
						  const struct tn_json *schema,
						  struct tn_arena *arena,
						  struct tn_studio_report *ret,
						  struct tenon_error *err);
void tn_studio_report_finish(struct tn_studio_report *report);

/* One object: {"valid","faults":[{"pointer","message"}],"types":[{"typeId","hcl"}]}. */
void tn_studio_report_put(struct tn_buf *out, const struct tn_studio_report *report);
/* The same for people. */
void tn_studio_report_print(struct tn_buf *out, struct tn_str name,
			    const struct tn_studio_report *report);

/* ---- against a schema (registry_schema.c) ---- */

/* Called for each attribute or block that the provider does not have. */
typedef void tn_studio_schema_fn(void *data, const struct tn_studio_type *type,
				 const char *message);
/* False: it is no dump of schemas. */
bool tn_studio_schema_check(const struct tn_json *schema, const struct tn_studio_type *type,
			    tn_studio_schema_fn *told, void *data);

#endif
