/* The engine's arguments, exactly as studio.md 9.2 has them. Never a shell. */
#include <stdio.h>

#include "apps/studio/run/internal.h"

struct argv {
	const char **list;
	size_t count, room;
	struct tn_arena *arena;
	bool failed;
};

static void add(struct argv *argv, const char *argument)
{
	if (!argument || argv->count + 1 >= argv->room)
		argv->failed = true;
	else
		argv->list[argv->count++] = argument;
}

static void add_all(struct argv *argv, const char *option, const struct tn_str *addresses,
		    size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(argv, tn_arena_format(argv->arena, "-%s=%.*s", option, (int)addresses[i].size,
					  addresses[i].data));
}

static void add_shared(struct argv *argv, const struct tn_studio_run *run)
{
	const struct tn_json *config = tn_json_get(run->project->document.config, "terraform");
	struct tn_str timeout = TN_STR("0s");
	int64_t parallelism = 10;

	(void)tn_json_to_int(tn_json_get(config, "parallelism"), &parallelism);
	(void)tn_json_to_str(tn_json_get(config, "lockTimeout"), &timeout);
	add(argv, tn_arena_format(argv->arena, "-parallelism=%lld", (long long)parallelism));
	add(argv,
	    tn_arena_format(argv->arena, "-lock-timeout=%.*s", (int)timeout.size, timeout.data));
}

static void add_init(struct argv *argv, struct tn_studio_run *run)
{
	const struct tn_studio_run_options *options = &run->options;
	/* One that runs before something else asks for nothing special. */
	bool own = options->command == TN_STUDIO_INIT, migrate = own && options->migrate_state;
	char path[TN_STUDIO_RUN_PATH_SIZE];

	add(argv, "init");
	add(argv, "-input=false");
	add(argv, "-no-color");
	if (run->engine.json_init && !migrate)
		add(argv, "-json");
	if (own && options->upgrade)
		add(argv, "-upgrade");
	/* Only when asked for: it leaves the state of the backend before behind. */
	if (own && options->reconfigure && !migrate)
		add(argv, "-reconfigure");
	if (migrate) {
		add(argv, "-migrate-state");
		add(argv, "-force-copy");
	}
	if (run->generated.backend_config.size > 0 &&
	    tn_studio_run_path(path, run->project->path, ".tenon/backend.tfbackend"))
		add(argv, tn_arena_format(argv->arena, "-backend-config=%s", path));
}

static void add_plan(struct argv *argv, struct tn_studio_run *run)
{
	add(argv, "plan");
	add(argv, "-input=false");
	add(argv, "-no-color");
	add(argv, "-json");
	add_shared(argv, run);
	add(argv, tn_arena_format(argv->arena, "-out=%s/plan.tfplan", run->folder));
	if (run->options.destroy)
		add(argv, "-destroy");
	if (run->options.refresh_only)
		add(argv, "-refresh-only");
	add_all(argv, "target", run->targets, run->target_count);
	add_all(argv, "replace", run->replace, run->replace_count);
}

/* Exactly the plan that was approved, from its sealed copy; never -auto-approve. A destroy is the
 * plan of one. */
static void add_apply(struct argv *argv, const struct tn_studio_run *run)
{
	add(argv, "apply");
	add(argv, "-input=false");
	add(argv, "-no-color");
	add(argv, "-json");
	add_shared(argv, run);
	add(argv, run->act->plan_path);
}

static void add_command(struct argv *argv, struct tn_studio_run *run)
{
	switch (run->options.command) {
	case TN_STUDIO_INIT:
		add_init(argv, run);
		break;
	case TN_STUDIO_VALIDATE:
		add(argv, "validate");
		add(argv, "-json");
		break;
	case TN_STUDIO_PLAN:
		add_plan(argv, run);
		break;
	default:
		add_apply(argv, run);
	}
}

const char *const *tn_studio_run_argv(struct tn_studio_run *run, enum tn_studio_run_step step)
{
	struct argv argv = {.room = 32 + run->target_count + run->replace_count,
			    .arena = &run->arena};

	argv.list = tn_arena_alloc_array(&run->arena, argv.room, sizeof(*argv.list));
	if (!argv.list)
		return NULL;
	add(&argv, run->engine.path);
	if (step == TN_STUDIO_STEP_INIT) {
		add_init(&argv, run);
	} else if (step == TN_STUDIO_STEP_COMMAND) {
		add_command(&argv, run);
	} else {
		add(&argv, "show");
		add(&argv, "-json");
		if (step == TN_STUDIO_STEP_SHOW_PLAN)
			add(&argv,
			    tn_arena_format(&run->arena, "/proc/self/fd/%d", run->plan->file.fd));
	}
	return argv.failed ? NULL : argv.list;
}
