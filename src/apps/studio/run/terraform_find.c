/* Which terraform or tofu there is (studio.md 9.1): by the setting, or on PATH; asked once for its
 * version, and again when the setting or the file has changed. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "base/mem.h"
#include "loop/program_find.h"

enum { ASK_MS = 15000, ANSWER_BYTES_MAX = 1024 * 1024 };

struct version {
	uint64_t parts[3];
};

/* ---- looking ---- */

static bool look(struct tn_studio_runs *runs, char path[TN_STUDIO_RUN_PATH_SIZE], struct stat *ret)
{
	if (runs->engine_path) {
		if (tn_program_find(runs->engine_path, path, TN_STUDIO_RUN_PATH_SIZE, ret))
			return true;
		return tn_studio_fail(&runs->engine_fault, "TERRAFORM_NOT_FOUND",
				      "There is no program %.400s (setting terraform.path, or "
				      "TENON_TERRAFORM). Correct the setting, or leave it empty to "
				      "look for terraform and tofu on PATH.",
				      runs->engine_path);
	}
	if (tn_program_find("terraform", path, TN_STUDIO_RUN_PATH_SIZE, ret) ||
	    tn_program_find("tofu", path, TN_STUDIO_RUN_PATH_SIZE, ret))
		return true;
	return tn_studio_fail(
		&runs->engine_fault, "TERRAFORM_NOT_FOUND",
		"Neither terraform nor tofu was found on PATH (%.400s). Install Terraform 1.5 or "
		"OpenTofu 1.6 or newer, or point to one: setting terraform.path, or "
		"TENON_TERRAFORM=/path/to/terraform for the daemon.",
		getenv("PATH") ? getenv("PATH") : "PATH is not set");
}

/* ---- its answer ---- */

/* "1.11.4", "1.9.0-rc1"; false: it is none. */
static bool read_version(struct tn_str text, struct version *ret)
{
	if (text.size > 0 && text.data[0] == 'v')
		text = tn_str_from_offset(text, 1);
	for (int i = 0; i < 3; i++) {
		size_t size = 0;

		while (size < text.size && tn_is_digit(text.data[size]))
			size++;
		if (!tn_str_to_uint(tn_str(text.data, size), &ret->parts[i]))
			return false;
		text = tn_str_from_offset(text, size);
		if (i < 2 && (text.size == 0 || text.data[0] != '.'))
			return false;
		text = i < 2 ? tn_str_from_offset(text, 1) : text;
	}
	return true;
}

static bool is_at_least(const struct version *version, uint64_t major, uint64_t minor)
{
	if (version->parts[0] != major)
		return version->parts[0] > major;
	return version->parts[1] >= minor;
}

static bool is_tofu(const char *path)
{
	char real[PATH_MAX];
	const char *shown = realpath(path, real) ? real : path;
	const char *slash = strrchr(shown, '/');

	return strstr(slash ? slash + 1 : shown, "tofu") != NULL;
}

/* Old ones do not know -json, and say "Terraform v0.12.31". */
static struct tn_str version_in(struct tn_str out, struct tn_arena *arena)
{
	struct tn_str version = {NULL, 0};
	struct tn_json *answer = NULL;
	size_t at;

	if (tn_json_parse_copy(arena, out, &answer, NULL) == TENON_OK) {
		(void)tn_json_to_str(tn_json_get(answer, "terraform_version"), &version);
		return version;
	}
	at = tn_str_find(out, TN_STR(" v"));
	if (at == TN_STR_NONE)
		return version;
	version = tn_str_from_offset(out, at + 2);
	at = tn_str_find_byte(version, '\n');
	return at == TN_STR_NONE ? version : tn_str(version.data, at);
}

static void accept(struct tn_studio_runs *runs, struct tn_str text)
{
	struct tn_studio_engine *engine = &runs->engine;
	bool tofu = is_tofu(engine->path);
	struct version version;

	if (!read_version(text, &version)) {
		(void)tn_studio_fail(&runs->engine_fault, "TERRAFORM_NOT_FOUND",
				     "%.400s does not answer `version -json` as terraform or tofu "
				     "do. Point to one: setting terraform.path.",
				     engine->path);
		return;
	}
	if (!is_at_least(&version, 1, tofu ? 6 : 5)) {
		(void)tn_studio_fail(&runs->engine_fault, "TERRAFORM_TOO_OLD",
				     "%.400s is %s %.*s; at least %s is needed.", engine->path,
				     tofu ? "OpenTofu" : "Terraform",
				     (int)(text.size < 40 ? text.size : 40), text.data,
				     tofu ? "1.6.0" : "1.5.0");
		return;
	}
	engine->name = tn_mem_copy_text(tofu ? "tofu" : "terraform", tofu ? 4 : 9);
	engine->version = tn_mem_copy_text(text.data, text.size);
	engine->json_init = is_at_least(&version, 1, tofu ? 7 : 9);
	if (!engine->name || !engine->version)
		(void)tn_studio_fail_memory(&runs->engine_fault);
}

/* ---- telling ---- */

static void tell(struct tn_later *later, void *data)
{
	struct tn_studio_runs *runs = data;
	struct tn_studio_engine_waiter *waiters = runs->waiters;
	bool found = !runs->engine_fault.code;

	(void)later;
	if (runs->finding != TN_STUDIO_ASKED)
		return;
	runs->waiters = NULL;
	while (waiters) {
		struct tn_studio_engine_waiter *waiter = waiters;

		waiters = waiter->next;
		waiter->ready(found ? &runs->engine : NULL, found ? NULL : &runs->engine_fault,
			      waiter->data);
		tn_mem_free(waiter);
	}
}

static void answered(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct tn_studio_runs *runs = data;
	struct tn_arena arena;

	tn_arena_init(&arena, 4 * TN_MIB);
	if (code == TENON_EXPIRED)
		(void)tn_studio_fail(&runs->engine_fault, "TERRAFORM_NOT_FOUND",
				     "%.400s did not answer `version -json` within %d s.",
				     runs->engine.path, ASK_MS / 1000);
	else
		accept(runs, exit_code == 0 && code == TENON_OK ? version_in(out, &arena)
								: tn_str(NULL, 0));
	tn_arena_finish(&arena);
	tn_studio_capture_free(runs->asking);
	runs->asking = NULL;
	runs->finding = TN_STUDIO_ASKED;
	tn_later_request(runs->engine_later);
}

void tn_studio_engine_forget(struct tn_studio_runs *runs)
{
	tn_studio_capture_free(runs->asking);
	runs->asking = NULL;
	tn_mem_free(runs->engine.path);
	tn_mem_free(runs->engine.name);
	tn_mem_free(runs->engine.version);
	runs->engine = (struct tn_studio_engine){0};
	runs->engine_fault = (struct tn_studio_fault){0};
	runs->finding = TN_STUDIO_UNKNOWN_ENGINE;
}

static void ask(struct tn_studio_runs *runs)
{
	const char *argv[] = {runs->engine.path, "version", "-json", NULL};
	const struct tn_studio_generated nothing = {0};
	struct tn_studio_capture_options options = {.loop = runs->options.loop,
						    .argv = argv,
						    .directory = "/",
						    .bytes_max = ANSWER_BYTES_MAX,
						    .timeout_ms = ASK_MS,
						    .done = answered,
						    .data = runs};
	struct tenon_error err = {0};
	struct tn_arena arena;

	tn_arena_init(&arena, 4 * TN_MIB);
	options.env = tn_studio_run_env(runs, NULL, &nothing, &arena);
	runs->finding = TN_STUDIO_ASKING;
	if (!options.env) {
		(void)tn_studio_fail_memory(&runs->engine_fault);
	} else if (tn_studio_capture_start(&options, &runs->asking, &err) != TENON_OK) {
		(void)tn_studio_fail(&runs->engine_fault, "TERRAFORM_NOT_FOUND",
				     "%.400s cannot be started: %s", runs->engine.path,
				     err.message);
	}
	tn_arena_finish(&arena);
	if (runs->engine_fault.code) {
		runs->finding = TN_STUDIO_ASKED;
		tn_later_request(runs->engine_later);
	}
}

/* ---- the public half ---- */

static void find(struct tn_studio_runs *runs)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_fault before = runs->engine_fault;
	struct stat file = {0};
	uint64_t mark[3];

	if (runs->finding == TN_STUDIO_ASKING)
		return;
	runs->engine_fault = (struct tn_studio_fault){0};
	if (!look(runs, path, &file)) {
		struct tn_studio_fault fault = runs->engine_fault;

		tn_studio_engine_forget(runs);
		runs->engine_fault = fault;
		runs->finding = TN_STUDIO_ASKED;
		tn_later_request(runs->engine_later);
		return;
	}
	mark[0] = (uint64_t)file.st_ino;
	mark[1] = (uint64_t)file.st_size;
	mark[2] = (uint64_t)file.st_mtim.tv_sec * 1000000000u + (uint64_t)file.st_mtim.tv_nsec;
	if (runs->finding == TN_STUDIO_ASKED && runs->engine.path &&
	    strcmp(runs->engine.path, path) == 0 &&
	    memcmp(mark, runs->engine_mark, sizeof(mark)) == 0) {
		runs->engine_fault = before;
		tn_later_request(runs->engine_later);
		return;
	}
	tn_studio_engine_forget(runs);
	memcpy(runs->engine_mark, mark, sizeof(mark));
	runs->engine.path = tn_mem_copy_text(path, strlen(path));
	if (runs->engine.path) {
		ask(runs);
		return;
	}
	(void)tn_studio_fail_memory(&runs->engine_fault);
	runs->finding = TN_STUDIO_ASKED;
	tn_later_request(runs->engine_later);
}

void tn_studio_engine_find(struct tn_studio_runs *runs,
			   void (*ready)(const struct tn_studio_engine *engine,
					 const struct tn_studio_fault *fault, void *data),
			   void *data)
{
	struct tn_studio_engine_waiter *waiter = tn_mem_alloc(sizeof(*waiter));
	struct tn_studio_engine_waiter **end = &runs->waiters;

	if (!waiter) {
		struct tn_studio_fault fault;

		(void)tn_studio_fail_memory(&fault);
		ready(NULL, &fault, data);
		return;
	}
	*waiter = (struct tn_studio_engine_waiter){.ready = ready, .data = data};
	while (*end)
		end = &(*end)->next;
	*end = waiter;
	if (!runs->engine_later &&
	    tn_later_open(runs->options.loop, tell, runs, &runs->engine_later, NULL) != TENON_OK) {
		runs->finding = TN_STUDIO_ASKED;
		(void)tn_studio_fail_memory(&runs->engine_fault);
		tell(NULL, runs);
		return;
	}
	find(runs);
}

const struct tn_studio_engine *tn_studio_engine_known(const struct tn_studio_runs *runs)
{
	return runs->finding == TN_STUDIO_ASKED && !runs->engine_fault.code ? &runs->engine : NULL;
}

void tn_studio_engine_set_path(struct tn_studio_runs *runs, const char *path)
{
	char *copy = path && path[0] ? tn_mem_copy_text(path, strlen(path)) : NULL;

	tn_mem_free(runs->engine_path);
	runs->engine_path = copy;
	tn_studio_engine_forget(runs);
	if (runs->waiters)
		find(runs);
}
