/* vite.h - what is said to launcher.mjs, which runs the project's own Vite, and what it says
 * (workbench.md S9, docs/adapters.md). Text only: no process.
 *
 * Ownership: slices point into what was given. Threads: one at a time. */
#ifndef TN_WB_LAUNCH_VITE_H
#define TN_WB_LAUNCH_VITE_H

#include "apps/workbench/config/config.h"
#include "apps/workbench/registry/registry.h"

/* One session's pages: of the app, or of one component. */
struct tn_wb_vite_page {
	struct tn_str component; /* a type id; empty: the app */
	const char *session_id, *key;
	const char *channel; /* "ws://127.0.0.1:40001/__skaffa/rt" */
};

struct tn_wb_vite {
	const char *root, *folder; /* of the workspace, and of the preview; absolute */
	const struct tn_wb_config *config;
	const struct tn_wb_registry *registry;
	const struct tn_json *options; /* launcherOptions, or NULL: the configuration's */
	const char *adapter;           /* the script's path */
	const struct tn_wb_vite_page *page;
};

/* The first line. */
void tn_wb_vite_put_start(struct tn_buf *out, const struct tn_wb_vite *vite);
/* Later ones: one more session's pages, and no longer. */
void tn_wb_vite_put_page(struct tn_buf *out, const struct tn_wb_vite_page *page);
void tn_wb_vite_put_leave(struct tn_buf *out, struct tn_str component);
/* What is instrumented is another: all hints. */
void tn_wb_vite_put_hints(struct tn_buf *out, const struct tn_wb_registry *registry);
/* Files below `root` were replaced: [{"filePath",...}]. */
void tn_wb_vite_put_written(struct tn_buf *out, const char *root, const struct tn_json *files);
/* Of what is configured, whichever session it is for (C5): a server that began with another one
 * must be started again. */
uint64_t tn_wb_vite_inputs(const struct tn_wb_vite *vite);
/* Of what is instrumented: a server that runs is told. */
uint64_t tn_wb_vite_hints(const struct tn_wb_registry *registry);
/* The packages with hints, "\nNAME\n" each once. They are prepared apart when the server starts
 * (S14): one that is new needs another server. Fails as `out` does. */
void tn_wb_vite_put_packages(struct tn_buf *out, const struct tn_wb_registry *registry);
/* Each of `now` is one of `before`. */
bool tn_wb_vite_packages_suffice(struct tn_str before, struct tn_str now);
/* Where a session begins, as seen from the server: "/", "/__skaffa/component?type=ui.card". */
void tn_wb_vite_put_path(struct tn_buf *out, struct tn_str component);

enum tn_wb_vite_kind {
	TN_WB_VITE_OTHER, /* nothing that we know */
	TN_WB_VITE_READY,
	TN_WB_VITE_LOG,
	TN_WB_VITE_INSTRUMENTED,
	TN_WB_VITE_SKIPPED,
	TN_WB_VITE_GONE, /* a hint is none any more */
	TN_WB_VITE_ERROR
};

struct tn_wb_vite_word {
	enum tn_wb_vite_kind kind;
	struct tn_str url, level, message, code;            /* empty where it has none */
	struct tn_str type_id, target, export_name, reason; /* the same */
};
/* Into `arena`. False: it is none of its lines, but what something else has printed. */
bool tn_wb_vite_read(struct tn_arena *arena, struct tn_str line, struct tn_wb_vite_word *ret);

#endif
