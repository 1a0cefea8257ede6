/* edit.h - files of a folder changed: all of them or none, as a plain library (libtenon-edit).
 *
 * No MCP, no network. What is changed is read and checked first; a process that is killed in
 * between leaves a journal in the root, and the next call puts everything right. Threads: any.
 * Limits: 64 MiB of request, 1000 files of at most 16 MiB. */
#ifndef TENON_EDIT_H
#define TENON_EDIT_H

#include <stddef.h>

#include "tenon/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `request` is {"readOnlyFiles":[GLOB...],"edits":[EDIT...]}, both optional. An edit is one of
 *   {"kind":"text","filePath","expectedSha256"?,"edits":[{"start","end","newText"}...]}
 *   {"kind":"create","filePath","contents","overwrite"?}
 *   {"kind":"delete","filePath","allowMissing"?}
 * Paths are relative to `root`, offsets are bytes, half-open.
 *
 * *ret_answer is {"ok":true,"files":[{"filePath","sha256"}...]} or {"ok":false,"error":{"code",
 * "message","filePath"}} with invalidEdit, conflict, notFound, permissionDenied or ioError; it is
 * freed with tenon_edit_free_text. Returns TENON_OK, or what the code stands for; then nothing has
 * changed. NO_MEMORY: there may be no answer (NULL). */
enum tenon_code tenon_edit_files(const char *root, const char *request, size_t size,
				 char **ret_answer);
void tenon_edit_free_text(char *text); /* accepts NULL */

#ifdef __cplusplus
}
#endif
#endif
