/* browser.h - a headless Chromium that loads one address and draws it (workbench.md section 0,
 * workbench_capture).
 *
 * It is started for one picture, with a folder of its own that goes with it, and is told what to do
 * over two pipes (the DevTools protocol): nothing listens. Whatever goes wrong is a sentence.
 * Ownership: the caller's. No event comes inside a call, and none after `done` but by freeing.
 * Threads: loop. */
#ifndef TN_WB_CAPTURE_BROWSER_H
#define TN_WB_CAPTURE_BROWSER_H

#include "base/buf.h"
#include "loop/loop.h"

struct tn_wb_browser;

struct tn_wb_rect {
	double x, y, width, height; /* of the window, in CSS pixels */
};

struct tn_wb_browser_options {
	const char *program; /* an absolute path */
	const char *url;
	unsigned width, height;
	void (*loaded)(void *data); /* the page is there; its scripts go on */
	/* `failure` NULL: the picture, a PNG in base64, which lives until it returns. */
	void (*done)(void *data, const char *failure, struct tn_str png);
	void *data;
};

/* Fails: SYSTEM (no program, no folder), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_browser_open(struct tn_loop *loop,
					       const struct tn_wb_browser_options *options,
					       struct tn_wb_browser **ret, struct tenon_error *err);
/* Once it is loaded: `clip` NULL: the whole window. */
void tn_wb_browser_draw(struct tn_wb_browser *browser, const struct tn_wb_rect *clip);
void tn_wb_browser_free(struct tn_wb_browser *browser); /* at once; accepts NULL */

#endif
