/* lsp.h - a language server for plans (Language Server Protocol 3.17), apart from its pipe: JSON
 * messages come in and go out.
 *
 * Positions are UTF-16. Texts are kept by URI as the editor has them; nothing is read from files.
 * Ownership: the caller owns the server. Threads: one at a time. */
#ifndef TN_FLOOR_LSP_H
#define TN_FLOOR_LSP_H

#include "base/buf.h"
#include "base/error.h"

struct tn_lsp;

struct tn_lsp_options {
	void (*send)(void *data, struct tn_str message); /* valid during the call */
	void *data;
	const char *version;
};
TN_MUST_USE enum tenon_code tn_lsp_create(const struct tn_lsp_options *options, struct tn_lsp **ret,
					  struct tenon_error *err);
void tn_lsp_free(struct tn_lsp *lsp); /* accepts NULL */

/* One message. False: it was `exit`; *ret_exit is the process's exit code. */
bool tn_lsp_handle(struct tn_lsp *lsp, struct tn_str message, int *ret_exit);

/* ---- on a pipe (lsp_frame.c): `Content-Length: N`, an empty line, N bytes ---- */

enum tn_lsp_frame {
	TN_LSP_FRAME_PART,  /* more must come first */
	TN_LSP_FRAME_WHOLE, /* *ret_message lies in `in`, and *ret_end is behind it */
	TN_LSP_FRAME_BAD    /* it is no message, and where the next one begins nobody knows */
};
/* What `in` begins with. */
enum tn_lsp_frame tn_lsp_frame(struct tn_str in, struct tn_str *ret_message, size_t *ret_end);

#endif
