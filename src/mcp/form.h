/* form.h - the schema of an elicitation form as each revision knows it (MCP-208, MCP-209).
 *
 * Threads: any. */
#ifndef TN_MCP_FORM_H
#define TN_MCP_FORM_H

#include "base/arena.h"
#include "base/buf.h"
#include "mcp/revision.h"

/* Writes the schema as a value. NULL: done; otherwise why the question cannot be put, a static
 * sentence, and what stands in `out` is of no use. */
const char *tn_form_put(struct tn_arena *arena, enum tn_revision revision, const char *schema,
			struct tn_buf *out);

#endif
