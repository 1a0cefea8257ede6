/* lint.h - what is legal, and yet refused or cut by real hosts and the model interfaces behind them
 * (MCP-070, MCP-220, MCP-221, MCP-230, MCP-241).
 *
 * Facts as of 2026-11: Cursor leaves out tools whose server and tool name have more than 60
 * characters, and offers about 40 tools; VS Code and OpenAI take at most 128; OpenAI takes names of
 * A-Z a-z 0-9 _ - up to 64, descriptions up to 1,024 characters, and no array without `items`;
 * Anthropic takes property names of A-Z a-z 0-9 _ . - up to 64, and no anyOf, oneOf or allOf at a
 * schema's root; Claude Code cuts descriptions and instructions at 2,048. Threads: loop. */
#ifndef TN_MCP_LINT_H
#define TN_MCP_LINT_H

#include "mcp/server.h"

enum {
	TN_LINT_NAME_MAX = 40,
	TN_LINT_TITLE_MAX = 64,
	TN_LINT_DESCRIPTION_MAX = 1024,
	TN_LINT_PROPERTY_NAME_MAX = 64,
	TN_LINT_TOOLS_SOFT_MAX = 40,
	TN_LINT_TOOLS_MAX = 128,
	TN_LINT_INSTRUCTIONS_MAX = 2048,
	TN_LINT_TOLD_MAX = 20 /* on standard error; the number of the others is told */
};

/* Once in the server's life, by options.lint or on standard error; nothing with no_lint. */
void tn_lint_tell(struct tenon_server *server);

#endif
