#include "apps/workbench/save/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/source/source_test_kit.h"
#include "apps/workbench/values/folder_kit.h"
#include "base/size.h"

#define BUTTON "export function Button(p: { label: string }) { return <b>{p.label}</b>; }\n"
#define PAGE                                                                   \
	"import { Button } from './Button';\n"                                 \
	"export function Page({ list }: { list: string[] }) {\n"               \
	"  return <div><Button label=\"a\" />\n"                               \
	"    {list.map((name) => <Button key={name} label={name} />)}\n"       \
	"    <Other label=\"a\" />\n"                                          \
	"    {list.map((name) => <Button key={name} label=\"x\" />)}</div>;\n" \
	"}\n"                                                                  \
	"export function Hidden({ Button }: any) { return <Button label=\"h\" />; }\n"

static struct tn_wb_plan_draft drafts[8];
static struct tn_wb_plan_instance instances[8];
static struct tn_wb_plan plan;
static char locators[16][256], descriptors[8][8192];
static unsigned next_locator;

static const char *site(const char *file, int line, int column, int ordinal)
{
	char *text = locators[next_locator++ % TN_COUNT(locators)];

	(void)snprintf(text, 256,
		       "{\"kind\":\"jsxSite\",\"file\":\"%s\",\"line\":%d,\"column\":%d,"
		       "\"ordinal\":%d}",
		       file, line, column, ordinal);
	return text;
}

static struct tn_wb_plan_draft draft(const char *id, const char *value, const char *locator)
{
	return (struct tn_wb_plan_draft){
		.address = {TN_WB_GROUP_APP, tn_str_from(id), TN_STR("/label")},
		.value = tn_str_from(value),
		.type_id = TN_STR("ui.button"),
		.locator = tn_str_from(locator)};
}

/* The data of the plan. */
static const char *make(size_t draft_count, size_t instance_count, const char *read_only)
{
	struct tn_wb_source_hint hint = {.type_id = TN_STR("ui.button"),
					 .kind = TN_WB_SOURCE_FILE,
					 .target = TN_STR("src/Button.tsx"),
					 .export_name = TN_STR("Button")};
	struct tn_wb_plan_inputs inputs;
	struct tn_wb_source *source = NULL;
	struct tn_str glob = tn_str_from(read_only);

	tn_wb_plan_inputs_init(&inputs);
	inputs.drafts = drafts;
	inputs.draft_count = draft_count;
	inputs.instances = instances;
	inputs.instance_count = instance_count;
	inputs.hints = &hint;
	inputs.hint_count = 1;
	if (read_only)
		assert_int_equal(tn_wb_globs_create(&glob, 1, &inputs.read_only, NULL), TENON_OK);
	tn_wb_plan_finish(&plan);
	tn_wb_plan_init(&plan);
	assert_int_equal(tn_wb_source_open(folder_path(), source_test_build(), &source, NULL),
			 TENON_OK);
	assert_int_equal(tn_wb_plan_make(source, &inputs, NULL, &plan, NULL), TENON_OK);
	tn_wb_source_close(source);
	tn_wb_plan_inputs_finish(&inputs);
	tn_buf_append_byte(&plan.data, '\0');
	return plan.data.data;
}

static void assert_says(const char *data, const char *part)
{
	if (!strstr(data, part))
		fail_msg("%s\nhas no %s", data, part);
}

static void write_sources(void)
{
	folder_write("src/Button.tsx", BUTTON);
	folder_write("src/Page.tsx", PAGE);
	folder_write("node_modules/m/a.tsx", PAGE);
}

static void a_literal_is_written(void **state)
{
	const char *data;

	(void)state;
	write_sources();
	drafts[0] = draft("i", "\"b\"", site("src/Page.tsx", 3, 15, 0));
	data = make(1, 0, NULL);
	assert_says(data, "{\"start\":116,\"end\":119,\"newText\":\"\\\"b\\\"\",\"addresses\":[{"
			  "\"group\":\"app\",\"instanceId\":\"i\",\"path\":\"/label\"}]}");
	assert_says(data, "\"failures\":[]");
	assert_says(data, "-  return <div><Button label=\\\"a\\\" />\\n+  return <div><Button "
			  "label=\\\"b\\\" />\\n");
	assert_says(data, "\"files\":[{\"filePath\":\"src/Page.tsx\",\"sha256\":\"");
	assert_int_equal(plan.written_count, 1);
	drafts[0] = draft("i", "\"a\"", site("src/Page.tsx", 3, 15, 0));
	assert_says(make(1, 0, NULL), "{\"edits\":[],\"failures\":[],\"diff\":\"\"");
	assert_true(plan.is_written[0]);
}

static void assert_refused(struct tn_wb_plan_draft one, const char *read_only, const char *code)
{
	char part[64];

	drafts[0] = one;
	(void)snprintf(part, sizeof(part), "\"code\":\"%s\"", code);
	assert_says(make(1, 0, read_only), part);
	assert_says(plan.data.data, "{\"edits\":[],\"failures\":[{\"address\":{");
	assert_int_equal(plan.written_count, 0);
}

/* A page may say anything of where it is written. */
static void locators_that_lie_write_nothing(void **state)
{
	static const char *const files[] = {"../src/Page.tsx",      "/etc/passwd",
					    "node_modules/m/a.tsx", "src/../node_modules/m/a.tsx",
					    ".git/config",          "",
					    ".skaffa/a.tsx",        "src\\\\Page.tsx",
					    "package.json"};
	char path[256], request[512];

	(void)state;
	write_sources();
	for (size_t i = 0; i < TN_COUNT(files); i++)
		assert_refused(draft("i", "1", site(files[i], 3, 15, 0)), NULL, "unpromotable");
	assert_refused(draft("i", "1", ""), NULL, "unpromotable");
	assert_refused(draft("i", "1", "{\"kind\":\"renderIndex\",\"index\":0}"), NULL,
		       "unpromotable");
	assert_refused(draft("i", "1",
			     "{\"kind\":\"jsxSite\",\"file\":\"src/Page.tsx\",\"line\":"
			     "1099511627776,\"column\":1,\"ordinal\":0}"),
		       NULL, "unpromotable");
	assert_refused(draft("i", "1", site("src/Page.tsx", 3, 15, 0)), "src/**", "unpromotable");
	assert_refused(draft("i", "1", site("src/Gone.tsx", 3, 15, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 3, 14, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 99, 1, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 3, 10, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 5, 5, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 8, 50, 0)), NULL, "notFound");
	assert_refused(draft("i", "1", site("src/Page.tsx", 4, 25, 0)), NULL, "unsupportedPattern");
	(void)snprintf(path, sizeof(path), "%s/src/link.tsx", folder_path());
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_refused(draft("i", "1", site("src/link.tsx", 1, 1, 0)), NULL, "unpromotable");
	(void)snprintf(request, sizeof(request), "%s/src/pipe.tsx", folder_path());
	assert_int_equal(mkfifo(request, 0600), 0);
	assert_refused(draft("i", "1", site("src/pipe.tsx", 1, 1, 0)), NULL, "unpromotable");
	folder_write("src/large.tsx", "");
	(void)snprintf(path, sizeof(path), "%s/src/large.tsx", folder_path());
	assert_int_equal(truncate(path, 100 * 1024 * 1024), 0);
	assert_refused(draft("i", "1", site("src/large.tsx", 1, 1, 0)), NULL, "unsupportedPattern");
}

static void live(size_t at, const char *id, const char *label, const char *locator)
{
	(void)snprintf(descriptors[at], sizeof(descriptors[at]),
		       "{\"instanceId\":\"%s\",\"componentTypeId\":\"ui.button\",\"props\":{"
		       "\"label\":%s},\"instanceLocator\":%s}",
		       id, label, locator);
	instances[at] = (struct tn_wb_plan_instance){tn_str_from(id), tn_str_from(descriptors[at])};
}

/* D5 */
static void instances_of_one_place_must_agree(void **state)
{
	const char *first = site("src/Page.tsx", 6, 25, 0),
		   *second = site("src/Page.tsx", 6, 25, 1);

	(void)state;
	write_sources();
	drafts[0] = draft("i0", "\"b\"", first);
	live(0, "i0", "\"x\"", first);
	live(1, "i1", "\"x\"", second);
	assert_says(make(1, 2, NULL), "\"code\":\"unpromotable\"");
	drafts[1] = draft("i1", "\"b\"", second);
	assert_says(make(2, 2, NULL), "\"failures\":[]");
	assert_int_equal(plan.written_count, 2);
	drafts[1] = draft("i1", "\"c\"", second);
	assert_says(make(2, 2, NULL), "\"code\":\"unpromotable\"");
	assert_int_equal(plan.written_count, 0);
	/* The other one carries it already. */
	live(1, "i1", "\"b\"", second);
	assert_says(make(1, 2, NULL), "\"failures\":[]");
	/* Without a page: a second one there means that there is a first. */
	drafts[0] = draft("i1", "\"b\"", second);
	assert_says(make(1, 0, NULL), "\"code\":\"unpromotable\"");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_literal_is_written),
		IN_FOLDER(locators_that_lie_write_nothing),
		IN_FOLDER(instances_of_one_place_must_agree),
	};
	int failed;

	if (!source_test_begin(argc, argv))
		return 0;
	tn_wb_plan_init(&plan);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	tn_wb_plan_finish(&plan);
	source_test_end();
	return failed;
}
