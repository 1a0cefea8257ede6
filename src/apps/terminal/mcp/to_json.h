/* to_json.h - sessions, commands and screens as the tools and resources show them (terminal.md
 * section 7). Threads: loop. */
#ifndef TN_TERM_TO_JSON_H
#define TN_TERM_TO_JSON_H

#include "apps/terminal/session/backend.h"
#include "apps/terminal/screen/screen.h"
#include "jsonrpc/json_write.h"

struct tenon_call;

void tn_term_put_session(struct tn_buf *out, const struct tn_term_session_info *info);
/* id, name, cwd, project_id, is_active: T-08. */
void tn_term_put_session_base(struct tn_buf *out, const struct tn_term_session_info *info);
void tn_term_put_session_members(struct tn_buf *out, const struct tn_term_session_info *info);
/* Those, the state, and what is not as usual: for a model (mcp/fit.h). */
void tn_term_put_session_lean(struct tn_buf *out, const struct tn_term_session_info *info);
/* One of both, as the call wants it. */
void tn_term_put_session_for(const struct tenon_call *call, struct tn_buf *out,
			     const struct tn_term_session_info *info);
/* Without output: a line of a list of commands. */
void tn_term_put_command(struct tn_buf *out, const struct tn_term_command_info *info);
/* The structured result of execute_command. */
void tn_term_put_executed(struct tn_buf *out, const struct tn_term_executed *executed);
/* The same for a model: what is as usual is left out. */
void tn_term_put_executed_lean(struct tn_buf *out, const struct tn_term_executed *executed);
/* How a command stands, as part of a line: status, exit code, directory, id. */
void tn_term_put_ended(struct tn_buf *out, const struct tn_term_command_info *info);
/* The text of execute_command: output and footer. */
void tn_term_put_executed_text(struct tn_buf *out, const struct tn_term_executed *executed);
void tn_term_put_waiting(struct tn_buf *out, const struct tn_term_waiting *waiting);
const char *tn_term_format_name(enum tn_output_format format);

enum tn_term_screen_format { TN_TERM_SCREEN_TEXT, TN_TERM_SCREEN_ANSI, TN_TERM_SCREEN_CELLS };
/* The object of get_screen. */
void tn_term_put_screen(struct tn_buf *out, const struct tn_screen *screen,
			enum tn_term_screen_format format, uint32_t scrollback, bool trim);
/* The visible lines as text. */
void tn_term_put_screen_text(struct tn_buf *out, const struct tn_screen *screen, bool ansi);

#endif
