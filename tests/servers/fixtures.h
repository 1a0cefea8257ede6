/* fixtures.h - what the conformance server offers: one table a file, registered by main.
 *
 * Each table ends with an entry without a name. Every handler gets the struct fixture_world as its
 * `data`. Contract: mcp-conformance.md section 4. */
#ifndef TENON_TESTS_FIXTURES_H
#define TENON_TESTS_FIXTURES_H

#include <stdbool.h>

#include <tenon/tenon.h>

struct fixture_world {
	struct tenon_server *server;
	bool extra_tool; /* test_trigger_tool_change: it is in the list just now */
	bool extra_prompt;
};

extern const struct tenon_tool fixture_content_tools[];
extern const struct tenon_tool fixture_live_tools[];
extern const struct tenon_tool fixture_asking_tools[];
extern const struct tenon_tool fixture_round_tools[];
extern const struct tenon_tool fixture_ui_tools[];
extern const struct tenon_tool fixture_task_tools[];

extern const struct tenon_resource fixture_resources[];
extern const struct tenon_resource fixture_ui_resource;
extern const struct tenon_resource_template fixture_templates[];
extern const struct tenon_prompt fixture_prompts[];
extern const struct tenon_prompt fixture_round_prompts[];

/* A valid PNG of one red pixel, and a millisecond of sound. */
extern const unsigned char fixture_png[];
extern const size_t fixture_png_size;
extern const unsigned char fixture_wav[];
extern const size_t fixture_wav_size;

/* Finishes the call with a text made as by printf; fails it when that is over 8 KiB. */
void fixture_reply(struct tenon_call *call, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A string argument of at most 4 KiB, or NULL after having failed the call. */
const char *fixture_text(struct tenon_call *call, const char *name);

#endif
