#include "apps/workbench/mcp/launch.h"

#include <stdio.h>

#include "apps/workbench/launch/vite.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/preview_ports.h"
#include "mcp/server.h"

struct tn_wb_preparation {
	struct tn_wb_launch *launch; /* NULL: nobody waits for it any more */
	struct tn_wb_prepare prepare;
	char *root, *folder;
	struct tn_job *job;
	const char *code;
	struct tenon_error err;
};

/* ---- which there are ---- */

static bool has_options(const struct tn_wb_launch *launch, const struct tn_json *options)
{
	const struct tn_json *own;
	struct tn_arena arena;
	bool same;

	tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
	own = tn_wb_launch_kept(launch->options, &arena);
	same = own && options ? tn_json_equal(own, options) : own == options;
	tn_arena_finish(&arena);
	return same;
}

static bool is_of(const struct tn_wb_launch *launch, const struct tn_wb_launch_wish *wish)
{
	return launch->phase != TN_WB_LAUNCH_ENDING &&
	       strcmp(launch->workspace, wish->workspace->id) == 0 &&
	       tn_str_is(wish->launcher.id, launch->launcher) && has_options(launch, wish->options);
}

struct tn_wb_session *tn_wb_launch_find_session(const struct tn_wb_launch_wish *wish,
						struct tn_str component)
{
	for (struct tn_wb_session *at = wish->workspace->sessions.first; at; at = at->next)
		if (tn_wb_session_state_is_live(at->state) && at->launch &&
		    is_of(at->launch, wish) && tn_str_equal(component, tn_str_from(at->component)))
			return at;
	return NULL;
}

/* What the server is told, whichever session it is for. */
static uint64_t inputs_of(const struct tn_wb_workspace *workspace,
			  const struct tn_wb_launcher *launcher, const struct tn_json *options)
{
	const struct tn_json *folder = tn_wb_config_get(workspace->config, "preview", "root");
	const struct tn_wb_vite vite = {
		.root = workspace->root,
		.folder = tn_json_is(folder, TN_JSON_STRING) ? folder->text.data : ".",
		.config = workspace->config,
		.registry = workspace->registry,
		.options = options};
	struct tn_buf text;
	uint64_t hash;

	if (!launcher->described)
		return tn_wb_vite_inputs(&vite);
	tn_buf_init(&text, TN_WB_INPUT_BYTES_MAX);
	tn_json_put_value(&text, launcher->described);
	hash = tn_str_hash(tn_buf_str(&text), 0);
	tn_buf_finish(&text);
	return hash;
}

/* ---- before it starts ---- */

static void free_preparation(struct tn_wb_preparation *preparation)
{
	tn_mem_free(preparation->root);
	tn_mem_free(preparation->folder);
	tn_mem_free(preparation);
}

static void prepare(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_preparation *preparation = data;

	(void)cancelled;
	preparation->code = tn_wb_prepare(&preparation->prepare, &preparation->err);
}

static void start_process(struct tn_wb_launch *launch, const struct tn_wb_prepare *prepared)
{
	const struct tn_wb_workspace *workspace = tn_wb_launch_workspace(launch);
	struct tenon_error err;
	enum tenon_code code;
	struct tn_arena arena;

	if (!workspace || !workspace->config || !tn_wb_launch_next(launch, NULL))
		return; /* it ends in this turn */
	tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
	launch->phase = TN_WB_LAUNCH_STARTING;
	code = launch->is_command
		       ? tn_wb_launch_command_start(launch, prepared, &arena, &err)
		       : tn_wb_launch_vite_start(launch, workspace, prepared, &arena, &err);
	tn_arena_finish(&arena);
	if (code != TENON_OK)
		tn_wb_launch_fail(launch, TN_WB_LAUNCH_FAILED, "launch_failed", err.message);
}

static void prepared(void *data, bool cancelled)
{
	struct tn_wb_preparation *preparation = data;
	struct tn_wb_launch *launch = preparation->launch;

	if (launch)
		launch->preparation = NULL;
	if (launch && preparation->prepare.made[0])
		(void)snprintf(launch->door->made, sizeof(launch->door->made), "%s",
			       preparation->prepare.made);
	if (!launch || cancelled || launch->phase == TN_WB_LAUNCH_ENDING) {
		free_preparation(preparation);
		return;
	}
	if (preparation->code)
		tn_wb_launch_fail(launch, TN_WB_LAUNCH_FAILED, preparation->code,
				  preparation->err.message);
	else
		start_process(launch, &preparation->prepare);
	free_preparation(preparation);
}

/* A command stands in its own folder, everything else in the preview's. */
static struct tn_str folder_of(const struct tn_wb_launch_wish *wish)
{
	struct tn_str folder = TN_STR(".");

	(void)tn_json_to_str(tn_wb_config_get(wish->workspace->config, "preview", "root"), &folder);
	if (wish->launcher.described)
		(void)tn_json_to_str(tn_json_get(wish->launcher.described, "cwd"), &folder);
	return folder;
}

static enum tenon_code begin_preparing(struct tn_wb_launch *launch,
				       const struct tn_wb_launch_wish *wish, const char *adapter,
				       struct tenon_error *err)
{
	struct tn_wb_preparation *preparation = tn_mem_alloc(sizeof(*preparation));
	const struct tenon_server *server = launch->door->server;
	struct tn_str folder = folder_of(wish);
	struct tn_wb_prepare *what;
	enum tenon_code code;

	if (!preparation)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	preparation->launch = launch;
	preparation->root = tn_mem_copy_text(wish->workspace->root, strlen(wish->workspace->root));
	preparation->folder = tn_mem_copy_text(folder.data, folder.size);
	what = &preparation->prepare;
	*what = (struct tn_wb_prepare){.root = preparation->root,
				       .folder = preparation->folder,
				       .runtime_folder = launch->door->made[0]
								 ? launch->door->made
								 : server->runtime_folder,
				       .needs_node = !wish->launcher.described};
	if (what->needs_node) {
		what->files[0] = (struct tn_wb_prepare_file){
			"launcher.mjs", launch->door->ports->file("launcher.mjs")};
		what->files[1] =
			(struct tn_wb_prepare_file){adapter, launch->door->ports->file(adapter)};
	}
	code = preparation->root && preparation->folder
		       ? tn_job_start(server->loop, prepare, prepared, preparation,
				      &preparation->job, err)
		       : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK)
		launch->preparation = preparation;
	else
		free_preparation(preparation);
	return code;
}

/* ---- life ---- */

static void free_launch(struct tn_wb_launch *launch)
{
	struct tn_wb_launch **at = &launch->door->launches;

	while (*at && *at != launch)
		at = &(*at)->next;
	if (*at)
		*at = launch->next;
	if (launch->preparation)
		launch->preparation->launch = NULL;
	tn_wb_launch_command_finish(launch);
	tn_wb_process_free(launch->process);
	tn_mem_free(launch->launcher);
	tn_mem_free(launch->options);
	tn_mem_free(launch->described);
	tn_mem_free(launch->environment);
	tn_mem_free(launch->packages);
	tn_mem_free(launch->url);
	tn_mem_free(launch->error_code);
	tn_mem_free(launch->error_message);
	tn_mem_free(launch);
}

/* NULL: no memory, or larger than a message. */
static char *text_of(const struct tn_json *json)
{
	char *copy = NULL;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_MESSAGE_BYTES_MAX);
	tn_json_put_value(&text, json);
	if (!text.failed)
		copy = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
	return copy;
}

static bool is_tagged(const struct tn_wb_launcher *launcher)
{
	struct tn_str inject;

	return tn_json_to_str(tn_json_get(launcher->described, "inject"), &inject) &&
	       tn_str_is(inject, "script");
}

/* NULL: no memory. */
static char *packages_of(const struct tn_wb_workspace *workspace)
{
	char *copy = NULL;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_MESSAGE_BYTES_MAX);
	tn_wb_vite_put_packages(&text, workspace->registry);
	if (!text.failed)
		copy = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
	return copy;
}

/* What it began with can still be had of it. */
static bool suffices(const struct tn_wb_launch *launch, const struct tn_wb_workspace *workspace,
		     uint64_t inputs)
{
	char *packages;
	bool same = launch->inputs == inputs;

	if (!same || launch->is_command)
		return same;
	packages = packages_of(workspace);
	same = packages &&
	       tn_wb_vite_packages_suffice(tn_str_from(launch->packages), tn_str_from(packages));
	tn_mem_free(packages);
	return same;
}

static struct tn_wb_launch *create(struct tn_wb_door *door, const struct tn_wb_launch_wish *wish)
{
	const struct tn_wb_config *config = wish->workspace->config;
	struct tn_wb_launch *launch = tn_mem_alloc(sizeof(*launch));

	if (!launch)
		return NULL;
	launch->door = door;
	(void)snprintf(launch->workspace, sizeof(launch->workspace), "%s", wish->workspace->id);
	launch->launcher = tn_mem_copy_text(wish->launcher.id.data, wish->launcher.id.size);
	launch->options = text_of(wish->options);
	launch->described = text_of(wish->launcher.described);
	launch->environment = text_of(tn_wb_config_get(config, "preview", "environment"));
	launch->is_command = wish->launcher.described != NULL;
	launch->is_tagged = is_tagged(&wish->launcher);
	launch->inputs = inputs_of(wish->workspace, &wish->launcher, wish->options);
	launch->packages = packages_of(wish->workspace);
	launch->next = door->launches;
	door->launches = launch;
	if (launch->launcher && launch->options && launch->described && launch->environment &&
	    launch->packages)
		return launch;
	free_launch(launch);
	return NULL;
}

/* What has been said of hints is known already. */
static void join(struct tn_wb_launch *launch, struct tn_wb_session *session)
{
	const struct tn_wb_session *other = NULL;

	while ((other = tn_wb_launch_next(launch, other)) != NULL && other == session)
		;
	if (other)
		tn_wb_instrumentation_copy(&session->instrumentation, &other->instrumentation);
	if (!launch->is_command)
		tn_wb_launch_vite_join(launch, session);
	if (launch->phase == TN_WB_LAUNCH_SERVING)
		tn_wb_launch_reach(launch, session);
}

enum tenon_code tn_wb_launch_begin(struct tn_wb_door *door, const struct tn_wb_launch_wish *wish,
				   struct tn_wb_session *session, struct tenon_error *err)
{
	uint64_t inputs = inputs_of(wish->workspace, &wish->launcher, wish->options);
	bool reacts = tn_wb_preview_names(wish->workspace, "\"react\"");
	struct tn_wb_launch *launch = door->launches;
	enum tenon_code code = TENON_OK;

	if (!wish->launcher.described)
		code = tn_wb_preview_open_channel(door, session, err);
	else if (is_tagged(&wish->launcher))
		code = tn_wb_preview_open_tagged(door, session, wish->launcher.id, err);
	if (code != TENON_OK)
		return code;
	session->instrumented = reacts && !wish->launcher.described;
	while (launch && (!is_of(launch, wish) || !suffices(launch, wish->workspace, inputs)))
		launch = launch->next;
	session->launch = launch;
	if (launch) {
		join(launch, session);
		return TENON_OK;
	}
	launch = create(door, wish);
	if (!launch)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	session->launch = launch;
	code = begin_preparing(launch, wish, reacts ? "react.js" : "dom.js", err);
	if (code != TENON_OK) {
		session->launch = NULL;
		free_launch(launch);
	}
	return code;
}

/* ---- the end ---- */

/* Nothing of it runs any more. */
static bool is_over(const struct tn_wb_launch *launch)
{
	return launch->phase == TN_WB_LAUNCH_ENDING && !launch->process;
}

static void part(struct tn_wb_launch *launch, const struct tn_wb_session *session)
{
	if (!launch->is_command)
		tn_wb_launch_vite_part(launch, session);
}

/* A session that has ended keeps its server only until that has ended, too. */
static void detach(struct tn_wb_launch *launch)
{
	const struct tn_wb_workspace *workspace = tn_wb_launch_workspace(launch);
	bool shared = tn_wb_launch_next(launch, NULL) != NULL;

	for (struct tn_wb_session *at = workspace ? workspace->sessions.first : NULL; at;
	     at = at->next) {
		if (at->launch != launch || tn_wb_session_state_is_live(at->state))
			continue;
		if (shared)
			part(launch, at);
		if (shared || at->state == TN_WB_SESSION_FAILED || is_over(launch))
			at->launch = NULL;
	}
}

uint64_t tn_wb_launches_tick(struct tn_wb_door *door)
{
	uint64_t now = tn_server_now_ms(door->server), next_ms = UINT64_MAX;

	for (struct tn_wb_launch *at = door->launches, *next; at; at = next) {
		next = at->next;
		if (!tn_wb_launch_next(at, NULL))
			tn_wb_launch_end(at);
		if (at->phase == TN_WB_LAUNCH_ENDING && at->process && now >= at->due_ms) {
			tn_wb_process_free(at->process);
			at->process = NULL;
		}
		detach(at);
		if (is_over(at))
			free_launch(at);
		else if (at->phase == TN_WB_LAUNCH_ENDING && at->due_ms - now < next_ms)
			next_ms = at->due_ms - now;
	}
	return next_ms;
}

void tn_wb_launches_leave(struct tn_wb_door *door, const struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		at->launch = NULL;
	for (struct tn_wb_launch *at = door->launches; at; at = at->next)
		if (strcmp(at->workspace, workspace->id) == 0)
			tn_wb_launch_end(at);
	if (door->launches)
		tn_wb_preview_run_soon(door);
}

void tn_wb_launches_written(struct tn_wb_door *door, const struct tn_wb_workspace *workspace,
			    struct tn_str files)
{
	struct tn_json *list = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	if (door->launches && tn_json_parse_copy(&arena, files, &list, NULL) == TENON_OK)
		for (struct tn_wb_launch *at = door->launches; at; at = at->next)
			if (!at->is_command && strcmp(at->workspace, workspace->id) == 0)
				tn_wb_launch_vite_written(at, workspace->root, list);
	tn_arena_finish(&arena);
}

void tn_wb_launches_finish(struct tn_wb_door *door)
{
	while (door->launches)
		free_launch(door->launches);
	tn_wb_scratch_remove(door->made);
	door->made[0] = '\0';
}

static void warn_all(const struct tn_wb_launch *launch, bool same)
{
	static const char code[] = "restart_recommended";
	struct tn_wb_session *session = NULL;

	while ((session = tn_wb_launch_next(launch, session)) != NULL) {
		if (same)
			tn_wb_session_unwarn(session, code);
		else
			tn_wb_session_warn(session, code,
					   "The configuration, or which packages are instrumented, "
					   "has changed since this server started: stop the "
					   "preview and start it again.");
	}
}

void tn_wb_launches_compare(struct tn_wb_door *door, struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_launch *at = door->launches; at; at = at->next) {
		struct tn_wb_launcher launcher;
		struct tn_arena arena;
		bool same;

		if (strcmp(at->workspace, workspace->id) != 0)
			continue;
		tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
		same = tn_wb_launcher_find(workspace->config, tn_str_from(at->launcher),
					   &launcher) &&
		       suffices(at, workspace,
				inputs_of(workspace, &launcher,
					  tn_wb_launch_kept(at->options, &arena)));
		tn_arena_finish(&arena);
		if (!at->is_command)
			tn_wb_launch_vite_hint(at, workspace->registry);
		warn_all(at, same);
	}
}
