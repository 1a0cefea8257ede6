/* app.h - an application: a named set of tools, resources and prompts with one state.
 *
 * The arrays hold pointers and end with NULL; any of them may be NULL itself. */
#ifndef TENON_APP_H
#define TENON_APP_H

#include "tenon/tool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call gets whose arguments do not fit the tool's schema. */
enum tenon_argument_faults {
	TENON_FAULTS_ARE_TOOL_ERRORS,    /* a result with isError, which the model reads */
	TENON_FAULTS_ARE_PROTOCOL_ERRORS /* JSON-RPC error -32602 */
};

/* One of the faults of a call's arguments: where, as "arguments.size.width", and a sentence that
 * begins with it and says what to send instead. */
struct tenon_argument_fault {
	const char *path, *message;
};

struct tenon_server;

struct tenon_app {
	const char *name;         /* "plan" */
	const char *instructions; /* NULL, or a sentence or two for the model */
	enum tenon_argument_faults argument_faults;
	/* Names of arguments whose texts may have a NUL (\u0000), ends with NULL. In all others it
	 * is a fault of the argument. NULL: there is none. */
	const char *const *nul_arguments;
	const struct tenon_tool *const *tools;
	const struct tenon_resource *const *resources;
	const struct tenon_resource_template *const *templates;
	const struct tenon_prompt *const *prompts; /* an empty list: some may come */
	/* Makes the state; handlers whose own `data` is NULL get it. Must not block: files and
	 * databases are opened on first use. NULL: no state. */
	enum tenon_code (*open)(struct tenon_server *server, void **ret_state,
				struct tenon_error *err);
	void (*close)(void *state); /* after the last call and the last job have ended */
	/* NULL, or asked once after `open`: the tools to offer instead of `tools`, for descriptions
	 * that depend on the settings (a hint that a tool reaches beyond this program). */
	const struct tenon_tool *const *(*choose_tools)(const void *state);
	/* NULL, or called before `close`: no call is left, and the loop goes next. For a state with
	 * timers, descriptors or processes, which must not outlive it. */
	void (*stop)(void *state);
	/* NULL, or called before resources are listed, for a list that follows from something else:
	 * it adds and removes what has come and gone. Must not block. */
	void (*refresh_resources)(void *state);
	/* NULL, or ends a call of a tool whose arguments do not fit its schema, for apps whose tool
	 * errors have a shape of their own. Only with TENON_FAULTS_ARE_TOOL_ERRORS; without it the
	 * result is the sentences as text. `more`: faults beyond those told. */
	void (*refuse_arguments)(struct tenon_call *call, void *state,
				 const struct tenon_argument_fault *faults, size_t count,
				 size_t more);
};

#ifdef __cplusplus
}
#endif
#endif
