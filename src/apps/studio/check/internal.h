/* internal.h - what the checks of section 7 share, for the files check*.c. Threads: loop. */
#ifndef TN_STUDIO_CHECK_INTERNAL_H
#define TN_STUDIO_CHECK_INTERNAL_H

#include "apps/studio/cidr.h"
#include "apps/studio/document/diagnostic.h"

struct tn_studio_checking {
	const struct tn_studio_document *document;
	const struct tn_studio_check_options *options; /* never NULL */
	struct tn_studio_diagnostics *list;
	struct tn_arena *arena; /* the list's */
	unsigned advised;       /* how often a free range was looked for */
};

/* What a reader calls a node: its label. For "%.*s". */
#define TN_STUDIO_SHOWN(text) \
	(int)((text).size < 80 ? (text).size : 80), ((text).data ? (text).data : "")

/* ---- check_advice.c ---- */
/* Texts in the list's arena; each accepts a diagnostic that is NULL. */
void tn_studio_check_hint(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			  const char *format, ...) TN_PRINTF(3, 4);
/* fix: one call of a tool. `rest` are the members of its arguments beside the node's id. */
void tn_studio_check_fix(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			 const char *tool, const struct tn_studio_node *node, struct tn_str rest);
/* The same: {"properties":{key:text}}; NULL text is null. */
void tn_studio_check_fix_property(struct tn_studio_checking *checking,
				  struct tn_studio_diagnostic *one,
				  const struct tn_studio_node *node, struct tn_str key,
				  const char *text);

/* ---- check_reference.c ---- */
void tn_studio_check_reference(struct tn_studio_checking *checking,
			       const struct tn_studio_node *node,
			       const struct tn_studio_scope *scope,
			       const struct tn_studio_property *property);
/* References that the templates need and that are no properties (a subnet's network). Says how
 * many are missing. */
unsigned tn_studio_check_template_references(struct tn_studio_checking *checking,
					     const struct tn_studio_node *node,
					     const struct tn_studio_scope *scope);

/* ---- check_place.c ---- */
void tn_studio_check_place(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			   bool reference_missing);
void tn_studio_check_deployed(struct tn_studio_checking *checking,
			      const struct tn_studio_node *node,
			      const struct tn_studio_scope *scope);
void tn_studio_check_providers(struct tn_studio_checking *checking);
/* Nodes of providers with more than one aliased container; `only` NULL: all. */
void tn_studio_check_orphans(struct tn_studio_checking *checking,
			     const struct tn_studio_node *only);

/* ---- check_name.c ---- */
/* Of all nodes, or of one against all. */
void tn_studio_check_names(struct tn_studio_checking *checking, const struct tn_studio_node *only);

/* ---- check_network.c ---- */
void tn_studio_check_networks(struct tn_studio_checking *checking,
			      const struct tn_studio_node *only);

#endif
