/* Sources read while memory runs out: every allocation of ours fails once, and for good, on both
 * sides of the plug-in; tree-sitter's are ours, too, and it would end the program. A result, or a
 * refusal that says so; nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/source/project.h"
#include "short_memory.h"

static const char *plugin_folder;
static char folder[] = "/tmp/tenon-source-XXXXXX";

static const char text[] =
	"import { Route } from 'react-router';\nimport { B } from '~/a';\n"
	"export function A({ t = 'x' }: { t?: 'x' | 'y' }) { return <p>R & D {t}<B /></p>; }\n"
	"export const B = () => <Route path=\"/b\" element={<A />} />;\nconst broken = ;\n";

static enum tenon_code look(struct tn_wb_source *source, const struct tn_wb_globs *globs,
			    struct tenon_error *err)
{
	const struct tn_wb_source_hint hint = {.type_id = TN_STR("t.a"),
					       .display_name = TN_STR("A"),
					       .kind = TN_WB_SOURCE_FILE,
					       .target = TN_STR("src/a"),
					       .export_name = TN_STR("A")};
	const struct tn_wb_source_scan what = {.include = globs, .infers = true};
	struct tn_wb_source_found found;
	struct tn_wb_source_graph graph;
	enum tenon_code code = tn_wb_source_scan(source, &what, NULL, &found, err);

	tn_wb_source_found_finish(&found);
	if (code != TENON_OK)
		return code;
	code = tn_wb_source_graph(source, &hint, 1, NULL, 0, NULL, &graph, err);
	tn_wb_source_graph_finish(&graph);
	return code;
}

static enum tenon_code whole(void)
{
	const struct tn_str pattern = TN_STR("src/**/*.{tsx,ts}");
	struct tn_wb_globs *globs = NULL;
	struct tn_wb_source *source = NULL;
	struct tenon_error err = {0};
	enum tenon_code code = tn_wb_globs_create(&pattern, 1, &globs, &err);

	if (code == TENON_OK)
		code = tn_wb_source_open(folder, plugin_folder, &source, &err);
	if (code == TENON_OK)
		code = look(source, globs, &err);
	tn_wb_source_close(source);
	tn_wb_globs_destroy(globs);
	return code;
}

static void every_allocation(bool goes_on)
{
	enum tenon_code code;
	bool hit = true;

	for (size_t nth = 1; hit; nth++) {
		fault = (struct short_memory){.armed = true, .nth = nth, .goes_on = goes_on};
		code = whole();
		hit = fault.hit;
		fault.armed = false;
		assert_true(code == TENON_OK ||
			    (hit && (code == TENON_NO_MEMORY || code == TENON_LIMIT)));
		assert_int_equal(fault.live, 0);
	}
}

static void one_fails(void **state)
{
	(void)state;
	every_allocation(false);
}

static void all_after_it_fail(void **state)
{
	(void)state;
	every_allocation(true);
}

static int set_up(void **state)
{
	char path[64];
	FILE *file;

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/src", folder);
	if (mkdir(path, 0700) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/src/a.tsx", folder);
	file = fopen(path, "w");
	return !file || fputs(text, file) < 0 || fclose(file) != 0;
}

static int tear_down(void **state)
{
	char path[64];
	int failed;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/src/a.tsx", folder);
	failed = unlink(path);
	(void)snprintf(path, sizeof(path), "%s/src", folder);
	return failed || rmdir(path) || rmdir(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_fails),
		cmocka_unit_test(all_after_it_fail),
	};

	plugin_folder = argc > 1 ? argv[1] : ".";
	if (access(plugin_folder, R_OK) != 0) {
		(void)fprintf(stderr, "skipped: no build folder\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
