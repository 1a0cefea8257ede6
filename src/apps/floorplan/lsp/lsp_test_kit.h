/* lsp_test_kit.h - the documents of an editor as plainly as can be, UTF-16 units in a row, beside
 * those of the language server: for tests and the fuzz target. Threads: one at a time. */
#ifndef TN_FLOOR_LSP_TEST_KIT_H
#define TN_FLOOR_LSP_TEST_KIT_H

#include "apps/floorplan/lsp/lsp.h"
#include "jsonrpc/json.h"

struct tn_lsp_units {
	uint16_t *data;
	size_t count;
};
struct tn_lsp_units tn_lsp_units_from(struct tn_str text); /* the caller frees `data` */
void tn_lsp_units_put(struct tn_buf *out, const struct tn_lsp_units *units); /* as UTF-8 */
/* What stands in a range of the protocol (NULL: all) becomes `text`. */
void tn_lsp_units_change(struct tn_lsp_units *units, const struct tn_json *range,
			 struct tn_str text);

struct tn_lsp_model {
	struct tn_lsp_copy *copies; /* of open documents */
	size_t count;
	bool initialized, shut;
};
/* Does what the message, which the server gets as well, says. */
void tn_lsp_model_take(struct tn_lsp_model *model, struct tn_str message);
void tn_lsp_model_finish(struct tn_lsp_model *model);
/* NULL: the server has the same documents, and they are within their caps; else what is wrong. */
const char *tn_lsp_model_check(const struct tn_lsp_model *model, const struct tn_lsp *lsp);

#endif
