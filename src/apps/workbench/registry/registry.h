/* registry.h - the effective registry: which component types there are, and what of them may be
 * changed (workbench.md section 7, R1-R13; guardrails.lockedProps, section 6.6).
 *
 * A registry is made whole from its inputs and never changes: a pure function of them. Ownership:
 * tn_wb_registry_free; everything handed out lives as long as it. The inputs are copied.
 * Limits: TN_WB_ENTRIES_MAX types (more are left out: "registry_limit"), TN_WB_REGISTRY_BYTES_MAX.
 * Threads: made in any; then it can be read from several. */
#ifndef TN_WB_REGISTRY_REGISTRY_H
#define TN_WB_REGISTRY_REGISTRY_H

#include "apps/workbench/registry/exposure.h"
#include "apps/workbench/registry/hint.h"

struct tn_wb_contribution { /* a ComponentRegistry (7.1) */
	struct tn_str module;
	const struct tn_json *tree;
	const char *file;    /* for diagnostics; NULL: none */
	const char *pointer; /* where in the file the tree begins: "/registry"; NULL: "" */
};

struct tn_wb_registry_inputs {
	/* NULL, or a ComponentRegistry of inferred entries: before all others (R5). */
	const struct tn_json *inferred;
	const struct tn_wb_contribution *contributions; /* in the order of the configuration */
	size_t count;
	const struct tn_json *overrides; /* NULL, or components.overrides (7.4) */
	const struct tn_json *locked;    /* NULL, or guardrails.lockedProps */
	const char *config_file;         /* of these two, for diagnostics; NULL: none */
};

struct tn_wb_registry;

/* What is wrong with the inputs goes to `diagnostics` (NULL: nobody wants to know). Without any
 * input the registry is empty (R8). Fails: LIMIT (bytes), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_registry_compose(const struct tn_wb_registry_inputs *inputs,
						   struct tn_wb_diagnostics *diagnostics,
						   struct tn_wb_registry **ret,
						   struct tenon_error *err);
void tn_wb_registry_free(struct tn_wb_registry *registry); /* accepts NULL */

/* Entries, disabled types and where they come from are the same: no new revision (R7). */
bool tn_wb_registry_equal(const struct tn_wb_registry *a, const struct tn_wb_registry *b);

/* ---- reading ---- */

struct tn_wb_entry {
	struct tn_str type_id, display_name;
	struct tn_str module;       /* or "inferred" */
	const struct tn_json *tree; /* typeId, displayName, tags?, description?, props, ... */
};

/* {"schemaVersion":"v0","components":{...}}, components by type id in byte order. */
struct tn_str tn_wb_registry_text(const struct tn_wb_registry *registry);
size_t tn_wb_registry_count(const struct tn_wb_registry *registry);
const struct tn_wb_entry *tn_wb_registry_at(const struct tn_wb_registry *registry, size_t index);
/* NULL: there is none, or it is disabled. */
const struct tn_wb_entry *tn_wb_registry_find(const struct tn_wb_registry *registry,
					      struct tn_str type_id);
bool tn_wb_registry_is_disabled(const struct tn_wb_registry *registry, struct tn_str type_id);

struct tn_wb_prop {
	const struct tn_json *definition; /* propName, label?, ..., exposure */
	enum tn_wb_exposure_kind kind;
	bool editable;                     /* by its kind, and by a slot's own word */
	const struct tn_json *control;     /* NULL unless the kind is editable */
	const struct tn_json *constraints; /* or NULL */
};
/* False: the type has no such prop. */
bool tn_wb_entry_prop(const struct tn_wb_entry *entry, struct tn_str name, struct tn_wb_prop *ret);

/* All hints of all types, by type id. */
const struct tn_wb_hint *tn_wb_registry_hints(const struct tn_wb_registry *registry,
					      size_t *ret_count);

/* ---- writing, each one JSON value ---- */

void tn_wb_registry_put_disabled(struct tn_buf *out, const struct tn_wb_registry *registry);
void tn_wb_registry_put_provenance(struct tn_buf *out, const struct tn_wb_registry *registry);
/* The members of a row of the index, without the braces, so that a source can follow. */
void tn_wb_entry_put_index_members(struct tn_buf *out, const struct tn_wb_entry *entry);

#endif
