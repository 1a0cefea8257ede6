/* call_arguments.h - the arguments of a call, made of words and the tool's input schema.
 *
 * NAME=VALUE is a text, unless the schema wants an integer, number, boolean, array or object there;
 * NAME:=JSON is any value; NAME=@FILE and NAME:=@FILE take it from a file, `-` being standard
 * input. An argument of type array may be given more than once: one element each time. Threads:
 * main (files are read). */
#ifndef TN_CLI_CALL_ARGUMENTS_H
#define TN_CLI_CALL_ARGUMENTS_H

#include "base/buf.h"
#include "base/error.h"
#include "jsonrpc/json.h"

/* Writes one JSON object into `out`: the members of `base` (NULL, or a JSON text that must be an
 * object), over them the words. `schema`: of the tool, or NULL. Fails: INVALID (which argument, and
 * what to write instead), NOT_FOUND and so on of a file, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_cli_arguments(const struct tn_json *schema,
					     const struct tn_buf *base, const char *const *words,
					     size_t word_count, struct tn_buf *out,
					     struct tenon_error *err);

/* Reads a file, or standard input for "-". */
TN_MUST_USE enum tenon_code tn_cli_read_file(const char *path, struct tn_buf *out,
					     struct tenon_error *err);

#endif
