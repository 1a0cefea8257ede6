/* The making of an act (run_act.c): what it goes by is opened and taken hold of on the loop; what
 * has to be read, hashed and copied for it is a job of a worker, however much it is (ST-081). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { ENGINE_FILES_MAX = 6, ENGINE_FOLDERS_MAX = 3, ENGINE_SETTINGS_MAX = 64 };

struct tn_studio_opening {
	struct tn_studio_act *act;
	tn_studio_opened_fn *opened; /* NULL: nobody waits */
	void *data;
	struct tn_job *job;
	/* For the worker. */
	struct tn_buf digest; /* a JSON array of all that consent is bound to */
	struct tn_arena arena;
	const char *engine, *directory;
	struct tn_studio_stamp shown_by;            /* the engine that the plan was read with */
	const char *engine_files[ENGINE_FILES_MAX]; /* NULL: none */
	/* Of more of them, *.tfrc and *.tfrc.json; NULL: none. */
	const char *engine_folders[ENGINE_FOLDERS_MAX];
	struct tn_studio_around around;
	bool watches;
	struct tn_studio_fault fault; /* code NULL: none */
};

/* ---- on the loop ---- */

/* terraform/ of the project itself: no link leads there. */
static bool hold_folder(struct tn_studio_act *act, const struct tn_studio_project *project,
			struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_held root;
	enum tenon_code code = tn_held_folder(&root, AT_FDCWD, project->path, &err);
	int fd = -1;

	if (code == TENON_OK) {
		fd = openat(root.fd, "terraform", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		code = fd < 0 ? tn_fail_errno(&err, errno, "open terraform/")
			      : tn_held_folder_fd(&act->folder, fd, &err);
	}
	if (fd >= 0)
		(void)close(fd); /* it was duplicated */
	tn_held_finish(&root);
	return code == TENON_OK || tn_studio_fail(fault, "IO_ERROR", "%s.", err.message);
}

/* The plan's own copy, shared: it goes when the last of the two goes. */
static bool hold_plan(struct tn_studio_act *act, const struct tn_studio_run *plan,
		      struct tn_studio_fault *fault)
{
	act->plan = plan->plan->file;
	act->plan.fd = fcntl(plan->plan->file.fd, F_DUPFD_CLOEXEC, 3);
	if (act->plan.fd < 0)
		return tn_studio_fail(fault, "IO_ERROR", "The plan cannot be held: %s.",
				      strerror(errno));
	(void)snprintf(act->plan_id, sizeof(act->plan_id), "%s", plan->id);
	act->destroys = tn_studio_run_destroys(plan);
	act->is_as_shown = plan->plan->is_told && plan->plan->shown[0];
	return true;
}

static void name_them(struct tn_studio_act *act)
{
	act->kept[0] = act->plan.fd;
	(void)snprintf(act->plan_path, sizeof(act->plan_path), "/proc/self/fd/%d", act->plan.fd);
	(void)snprintf(act->folder_path, sizeof(act->folder_path), "/proc/self/fd/%d",
		       act->folder.fd);
}

/* ---- words ---- */

/* What happens comes first; where and by what after it, and there is always room for that. */
static void put_words(struct tn_studio_act *act, const struct tn_studio_starting *s,
		      const struct tn_studio_run *plan)
{
	const struct tn_studio_run_options *options = s->options;
	const struct tn_studio_engine *engine = &s->runs->engine;
	struct tn_buf *out = &act->detail;

	tn_buf_format(&act->summary, "%s %s: %s",
		      act->destroys ? "Destroy the infrastructure of" : "Apply the diagram",
		      s->project->name, plan->plan->told.counts);
	tn_buf_append_str(out, tn_buf_str(&plan->plan->told.lines));
	tn_buf_format(out, "Folder: %.300s%s\nCommand: %s of the plan %s\nEngine: %s %s (%.200s)",
		      act->folder.path, strlen(act->folder.path) > 300 ? "..." : "",
		      tn_studio_command_name(options->command), plan->id, engine->name,
		      engine->version, engine->path);
	if (options->targets && !options->plan_id)
		tn_buf_format(out, "\nOnly %u chosen resource%s, and what they need",
			      options->targets->count, options->targets->count == 1 ? "" : "s");
	if (options->force)
		tn_buf_append_text(out, "\nErrors of the diagram are passed over");
}

/* The user's own configuration of the engine: where it gets providers, and which. */
static bool name_engine_files(struct tn_studio_opening *opening)
{
	static const struct place {
		const char *variable, *below;
	} folders[ENGINE_FOLDERS_MAX] = {
		{"HOME", "/.terraform.d"},
		{"HOME", "/.config/opentofu"},
		{"XDG_CONFIG_HOME", "/opentofu"},
	};
	static const struct place places[ENGINE_FILES_MAX] = {
		{"TF_CLI_CONFIG_FILE", ""},
		{"TERRAFORM_CONFIG", ""},
		{"HOME", "/.terraformrc"},
		{"HOME", "/.tofurc"},
		{"HOME", "/.config/opentofu/tofurc"},
		{"XDG_CONFIG_HOME", "/opentofu/tofurc"},
	};

	for (size_t i = 0; i < ENGINE_FILES_MAX; i++) {
		const char *value = getenv(places[i].variable);

		if (!value)
			continue;
		opening->engine_files[i] =
			tn_arena_format(&opening->arena, "%s%s", value, places[i].below);
		if (!opening->engine_files[i])
			return false;
	}
	for (size_t i = 0; i < ENGINE_FOLDERS_MAX; i++) {
		const char *value = getenv(folders[i].variable);

		if (!value)
			continue;
		opening->engine_folders[i] =
			tn_arena_format(&opening->arena, "%s%s", value, folders[i].below);
		if (!opening->engine_folders[i])
			return false;
	}
	return true;
}

/* All that is known without reading a file. */
static bool begin_digest(struct tn_studio_opening *opening, struct tn_studio_starting *s)
{
	const struct tn_studio_run_options *options = s->options;
	const struct tn_studio_act *act = opening->act;
	const char *const *env = tn_studio_run_env(s->runs, s->project, &s->generated, &s->arena);
	struct tn_buf *out = &opening->digest;

	tn_json_begin_array(out);
	tn_json_put_text(out, tn_studio_command_name(options->command));
	tn_json_put_text(out, s->project->id);
	tn_json_put_value(out, options->targets);
	tn_json_put_value(out, options->replace);
	tn_json_put_bool(out, options->force);
	tn_json_put_text(out, act->plan.digest);
	tn_json_put_text(out, act->inputs);
	tn_json_put_int(out, (int64_t)act->folder.device);
	tn_json_put_int(out, (int64_t)act->folder.inode);
	tn_json_put_text(out, act->folder.path);
	tn_json_put_text(out, s->runs->engine.path);
	for (size_t i = 0; env && env[i]; i++)
		tn_json_put_text(out, env[i]);
	return env && !out->failed;
}

/* ---- in the worker ---- */

static bool refuse(struct tn_studio_opening *opening, const char *code, const char *why)
{
	return tn_studio_fail(&opening->fault, code, "%s", why);
}

static void put_stamp(struct tn_buf *out, const struct tn_studio_stamp *stamp)
{
	const uint64_t parts[] = {stamp->device, stamp->inode, stamp->size, stamp->changed,
				  stamp->modified};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		tn_json_put_int(out, (int64_t)parts[i]);
}

/* The folder that a file lies in; false: nobody can say. */
static bool folder_of(struct tn_arena *arena, const char *path, struct stat *ret)
{
	const char *slash = strrchr(path, '/');
	const char *folder =
		slash ? tn_arena_copy(arena, tn_str(path, (size_t)(slash - path) + 1)) : NULL;

	return folder && stat(folder, ret) == 0;
}

/* One that is opened by its name, by whoever has it opened. `bytes`: what it has. */
static bool hold_one(struct tn_studio_opening *opening, enum tn_input_kind kind, const char *path,
		     const char *mark, const struct tn_str *bytes)
{
	struct stat folder;

	if (!opening->around.list)
		return true;
	return tn_hold_list_add(opening->around.list, kind, path,
				folder_of(&opening->arena, path, &folder) ? &folder : NULL, mark,
				bytes);
}

/* The bytes of a script, from the descriptor that was looked at. */
static bool hold_script(struct tn_studio_opening *opening, int fd, const char *mark)
{
	struct tn_held held;
	struct tn_str bytes;
	char path[32];
	bool good;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (tn_held_file(&held, AT_FDCWD, path, TN_STUDIO_ACT_FILE_BYTES_MAX, NULL) != TENON_OK)
		return hold_one(opening, TN_INPUT_PROGRAM, opening->engine, mark, NULL);
	tn_json_put_text(&opening->digest, held.digest);
	bytes = tn_held_map(&held);
	good = hold_one(opening, TN_INPUT_PROGRAM, opening->engine, mark, &bytes);
	tn_held_unmap(bytes);
	tn_held_finish(&held);
	return good;
}

/* A program is started by its name and compared before its first instruction, or where nothing can
 * be watched by its descriptor. A script is read by its interpreter: it gets the copy. */
static bool hold_engine(struct tn_studio_opening *opening)
{
	struct tn_studio_act *act = opening->act;
	char mark[TN_INPUT_MARK_SIZE];
	bool good;

	if (!tn_studio_program_open(opening->engine, &act->engine))
		return tn_studio_fail(&opening->fault, "TERRAFORM_NOT_FOUND",
				      "%.400s cannot be opened.", opening->engine);
	/* What a person reads of the plan is what that engine says of it. */
	if (!tn_studio_stamps_equal(&act->engine.stamp, &opening->shown_by))
		return refuse(opening, "STALE_PLAN",
			      "The engine is not the one that the plan was read with. Run plan "
			      "again.");
	put_stamp(&opening->digest, &act->engine.stamp);
	(void)tn_inputs_mark_fd(act->engine.fd, mark, sizeof(mark));
	if (act->engine.is_script) {
		good = hold_script(opening, act->engine.fd, mark);
		tn_studio_program_close(&act->engine);
	} else {
		good = hold_one(opening, TN_INPUT_PROGRAM, opening->engine, mark, NULL);
	}
	return good || refuse(opening, "LIMIT_EXCEEDED", "There is no memory left to hold it.");
}

static void put_engine_file(struct tn_studio_opening *opening, const char *path)
{
	struct tn_held file;
	struct tn_str bytes;

	tn_held_init(&file); /* nothing is held where no file is named */
	if (!path ||
	    tn_held_file(&file, AT_FDCWD, path, TN_STUDIO_ACT_FILE_BYTES_MAX, NULL) != TENON_OK) {
		tn_json_put_null(&opening->digest);
		return;
	}
	tn_json_put_text(&opening->digest, file.digest);
	bytes = tn_held_map(&file);
	if (path[0] == '/')
		(void)hold_one(opening, TN_INPUT_SCRIPT, path, "", &bytes);
	tn_held_unmap(bytes);
	tn_held_finish(&file);
}

static bool is_settings(const char *name)
{
	return tn_str_ends(tn_str_from(name), TN_STR(".tfrc")) ||
	       tn_str_ends(tn_str_from(name), TN_STR(".tfrc.json"));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The engine reads each *.tfrc of its folder. */
static bool put_engine_folder(struct tn_studio_opening *opening, const char *name)
{
	DIR *folder = name ? opendir(name) : NULL;
	const char *paths[ENGINE_SETTINGS_MAX];
	struct dirent *entry;
	size_t count = 0;
	bool good = true;

	while (good && folder && (entry = readdir(folder)) != NULL) {
		if (!is_settings(entry->d_name))
			continue;
		if (count == ENGINE_SETTINGS_MAX) {
			good = refuse(
				opening, "LIMIT_EXCEEDED",
				"There are more than 64 *.tfrc files in the engine's folder.");
			break;
		}
		paths[count] = tn_arena_format(&opening->arena, "%s/%s", name, entry->d_name);
		if (!paths[count++])
			good = tn_studio_fail_memory(&opening->fault);
	}
	if (folder)
		(void)closedir(folder); /* it was only read */
	if (!good)
		return false;
	qsort(paths, count, sizeof(*paths), compare_names);
	for (size_t i = 0; i < count; i++) {
		tn_json_put_text(&opening->digest, paths[i]);
		put_engine_file(opening, paths[i]);
	}
	return true;
}

static bool put_engine_files(struct tn_studio_opening *opening)
{
	for (size_t i = 0; i < ENGINE_FILES_MAX; i++)
		put_engine_file(opening, opening->engine_files[i]);
	for (size_t i = 0; i < ENGINE_FOLDERS_MAX; i++)
		if (!put_engine_folder(opening, opening->engine_folders[i]))
			return false;
	return true;
}

/* What a person has to know of it. */
static void put_unheld(struct tn_studio_opening *opening)
{
	const struct tn_studio_around *around = &opening->around;
	struct tn_buf *out = &opening->act->detail;

	if (!opening->watches)
		tn_buf_append_text(out, "\nCannot be held here, and is compared right before it "
					"starts: every file (this machine lets no program be "
					"watched)");
	else if (!opening->act->list)
		tn_buf_format(out,
			      "\nCannot be held, and is compared right before it starts: every "
			      "file, because a program that gains privileges is named in %.*s",
			      (int)around->privileged.size, around->privileged.data);
	if (opening->act->engine.is_script)
		tn_buf_format(out, "\nCannot be held: what the script %.200s starts itself",
			      opening->engine);
	if (around->large.size)
		tn_buf_format(out, "\nCannot be held, and is compared when it is opened: %.*s",
			      (int)around->large.size, around->large.data);
	if (around->needs_init)
		tn_buf_append_text(
			out, "\nCannot be held: providers, which init makes ready anew before");
}

static bool look_around(struct tn_studio_opening *opening)
{
	struct tn_studio_act *act = opening->act;
	struct tn_buf all;
	char hex[TN_DIGEST_HEX_SIZE];
	bool good;

	(void)snprintf(opening->around.path, sizeof(opening->around.path), "%s", act->folder.path);
	tn_buf_init(&all, TN_STUDIO_FILE_BYTES_MAX);
	good = tn_studio_around_put(&opening->around, &all, act->folder.fd);
	tn_digest_hex(tn_buf_str(&all), hex);
	tn_buf_finish(&all);
	tn_json_put_text(&opening->digest, hex);
	tn_studio_run_state_mark(opening->directory, hex);
	tn_json_put_text(&opening->digest, hex);
	if (good)
		return true;
	return tn_studio_fail(&opening->fault, "LIMIT_EXCEEDED",
			      "There is too much in the folder terraform/ to look at before it is "
			      "applied (%d files).",
			      TN_STUDIO_ACT_FILES_MAX);
}

/* Who is root, or may gain no privileges anyway, loses none by being watched. */
static bool loses_privileges(const struct tn_studio_opening *opening)
{
	return opening->around.privileged.size > 0 && geteuid() != 0 &&
	       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

/* What was read of it is part of the digest: nobody has agreed to other words. */
static void end_digest(struct tn_studio_opening *opening)
{
	struct tn_studio_act *act = opening->act;

	tn_json_put_str(&opening->digest, tn_buf_str(&act->summary));
	tn_json_put_str(&opening->digest, tn_buf_str(&act->detail));
	tn_json_end_array(&opening->digest);
	tn_buf_append_byte(&act->summary, '\0');
	tn_buf_append_byte(&act->detail, '\0');
	tn_digest_hex(tn_buf_str(&opening->digest), act->digest);
	if (opening->digest.failed || act->summary.failed || act->detail.failed)
		(void)tn_studio_fail_memory(&opening->fault);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_studio_opening *opening = data;
	struct tn_studio_act *act = opening->act;

	opening->around.cancelled = cancelled;
	opening->watches = act->watcher && tn_hold_is_possible();
	opening->around.list = opening->watches ? tn_hold_list_create() : NULL;
	act->list = opening->around.list;
	if (opening->watches && !act->list)
		(void)tn_studio_fail_memory(&opening->fault);
	else if (hold_engine(opening) && look_around(opening) && put_engine_files(opening)) {
		if (loses_privileges(opening)) {
			tn_hold_list_free(act->list);
			act->list = NULL;
		}
		put_unheld(opening);
		end_digest(opening);
	}
	opening->around.cancelled = NULL;
}

/* ---- the whole ---- */

static void free_opening(struct tn_studio_opening *opening)
{
	tn_studio_act_free(opening->act);
	tn_studio_around_finish(&opening->around);
	tn_buf_finish(&opening->digest);
	tn_arena_finish(&opening->arena);
	tn_mem_free(opening);
}

static void done(void *data, bool cancelled)
{
	struct tn_studio_opening *opening = data;
	struct tn_studio_act *act = opening->act;

	(void)cancelled;
	if (opening->opened && opening->fault.code) {
		opening->opened(NULL, &opening->fault, opening->data);
	} else if (opening->opened) {
		opening->act = NULL;
		opening->opened(act, NULL, opening->data);
	}
	free_opening(opening);
}

void tn_studio_act_give_up(struct tn_studio_opening *opening)
{
	opening->opened = NULL;
	tn_job_cancel(opening->job);
}

static struct tn_studio_opening *new_opening(struct tn_studio_runs *runs)
{
	struct tn_studio_opening *opening = tn_mem_alloc(sizeof(*opening));
	struct tn_studio_act *act = tn_mem_alloc(sizeof(*act));

	if (!opening || !act) {
		tn_mem_free(opening);
		tn_mem_free(act);
		return NULL;
	}
	tn_held_init(&act->plan);
	tn_held_init(&act->folder);
	act->engine.fd = -1;
	act->watcher = runs->options.watcher;
	tn_buf_init(&act->summary, TN_MIB);
	tn_buf_init(&act->detail, TN_MIB);
	opening->act = act;
	tn_studio_around_init(&opening->around);
	tn_buf_init(&opening->digest, TN_STUDIO_FILE_BYTES_MAX);
	tn_arena_init(&opening->arena, TN_MIB);
	return opening;
}

static bool prepare(struct tn_studio_opening *opening, struct tn_studio_starting *s,
		    const struct tn_studio_run *plan)
{
	struct tn_studio_act *act = opening->act;

	if (!tn_studio_act_look(s) || !hold_plan(act, plan, s->fault) ||
	    !hold_folder(act, s->project, s->fault))
		return false;
	name_them(act);
	memcpy(act->inputs, s->run->inputs, sizeof(act->inputs));
	put_words(act, s, plan);
	opening->engine = tn_arena_copy(&opening->arena, tn_str_from(s->runs->engine.path));
	opening->directory = tn_arena_copy(&opening->arena, tn_str_from(s->run->directory));
	opening->shown_by = plan->plan->shown_by.stamp;
	opening->around.needs_init =
		tn_studio_starting_needs_init(s, s->run->directory, s->generated.init_signature);
	if (!opening->engine || !opening->directory || !name_engine_files(opening) ||
	    !begin_digest(opening, s))
		return tn_studio_fail_memory(s->fault);
	return true;
}

bool tn_studio_act_open(struct tn_studio_runs *runs, struct tn_studio_project *project,
			const struct tn_studio_run_options *options, struct tn_studio_run *plan,
			tn_studio_opened_fn *opened, void *data, struct tn_studio_opening **ret,
			struct tn_studio_fault *fault)
{
	struct tn_studio_starting s = {
		.runs = runs, .project = project, .options = options, .fault = fault};
	struct tn_studio_opening *opening = new_opening(runs);
	struct tenon_error err = {0};
	bool good;

	if (!opening)
		return tn_studio_fail_memory(fault);
	opening->opened = opened;
	opening->data = data;
	tn_arena_init(&s.arena, TN_STUDIO_ARENA_MAX);
	good = prepare(opening, &s, plan);
	tn_studio_run_free(s.run);
	tn_arena_finish(&s.arena);
	if (good &&
	    tn_job_start(runs->options.loop, work, done, opening, &opening->job, &err) != TENON_OK)
		good = tn_studio_fail_error(fault, &err);
	if (good)
		*ret = opening;
	else
		free_opening(opening);
	return good;
}
