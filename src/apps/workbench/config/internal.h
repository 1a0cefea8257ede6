/* internal.h - what the files of this room share. */
#ifndef TN_WB_CONFIG_INTERNAL_H
#define TN_WB_CONFIG_INTERNAL_H

#include "apps/workbench/config/config.h"

extern const char tn_wb_config_schema[], tn_wb_module_schema[];
extern const size_t tn_wb_config_schema_size, tn_wb_module_schema_size;

/* Checks against one of the two; each fault is a diagnostic VALIDATION_ERROR with its pointer. */
bool tn_wb_config_check(struct tn_str schema, const struct tn_json *json, const char *file,
			struct tn_wb_diagnostics *diagnostics);
/* Says which members nobody reads, once each (section 5). */
void tn_wb_config_tell_unknown(const struct tn_json *json, const char *file,
			       struct tn_wb_diagnostics *diagnostics);

/* An error without a pointer. */
void tn_wb_config_tell(struct tn_wb_diagnostics *diagnostics, const char *code, const char *file,
		       const char *message);
/* A file of JSON with comments. `path` is relative to one of the roots. NULL: diagnostics say why:
 * `code_missing` where it is not there, path_escapes_workspace, INVALID_SYNTAX. */
const struct tn_json *tn_wb_config_load(struct tn_wb_config *config, const struct tn_roots *roots,
					const char *path, const char *code_missing,
					struct tn_wb_diagnostics *diagnostics);

/* ---- contribute.c ---- */

/* False: out of memory. */
bool tn_wb_config_contribute(struct tn_wb_config *config, struct tn_wb_config_module *module,
			     const struct tn_wb_contribution *contribution);
void tn_wb_config_fail_module(struct tn_wb_config_module *module, const char *code,
			      const char *file, const char *message);

/* ---- scripts.c: configuration and modules in JavaScript ---- */

/* The configuration that its program has given; NULL: it is not known yet (options->want), or
 * diagnostics say why there is none. */
const struct tn_json *tn_wb_script_config(struct tn_wb_config *config,
					  const struct tn_wb_config_options *options);
/* A module in JavaScript is there: it will be asked about, or has said something. */
struct tn_wb_scripts {
	struct tn_wb_config *config;
	const struct tn_wb_config_options *options;
	uint64_t inputs;        /* of all of them so far; 0: none */
	struct tn_buf question; /* their entries */
};
/* False: out of memory. */
bool tn_wb_script_module(struct tn_wb_scripts *scripts, struct tn_wb_config_module *module,
			 const char *path);
/* What the modules have said becomes theirs, or is wanted. */
TN_MUST_USE enum tenon_code tn_wb_scripts_end(struct tn_wb_scripts *scripts,
					      struct tenon_error *err);
/* followed.c: the files that the programs are made of become the configuration's. *ret_same: they
 * are as they were, or change whenever they are asked about. */
TN_MUST_USE enum tenon_code tn_wb_followed_check(struct tn_wb_config *config,
						 const struct tn_wb_config_options *options,
						 enum tn_wb_evaluated_part part, bool *ret_same,
						 struct tenon_error *err);
/* defaults.c: section 6.2. `given` may be NULL. */
TN_MUST_USE enum tenon_code tn_wb_config_fill(struct tn_wb_config *config,
					      const struct tn_json *given,
					      const struct tn_wb_config_options *options,
					      struct tenon_error *err);
/* modules.c: 6.3 to 6.5. */
TN_MUST_USE enum tenon_code tn_wb_modules_read(struct tn_wb_config *config,
					       const struct tn_json *list,
					       const struct tn_wb_config_options *options,
					       struct tenon_error *err);

#endif
