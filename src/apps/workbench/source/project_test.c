#include "apps/workbench/source/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/source/source_test_kit.h"
#include "base/mem.h"
#include "jsonrpc/json.h"

enum { HINTS_MAX = 64 };

/* A folder of its own, a source over it, and what one look gave. */
struct stage {
	char root[64];
	struct tn_wb_source *source;
	struct tn_wb_globs *include, *exclude;
	struct tn_wb_source_hint hints[HINTS_MAX];
	size_t hint_count;
	struct tn_arena arena;
	struct tn_wb_source_found found;
	struct tn_wb_source_graph graph;
	bool has_looked;
};

static void begin_at(struct stage *stage, const char *root)
{
	static const struct tn_str include[] = {TN_STR("src/**/*.{tsx,ts,jsx,js}")};
	static const struct tn_str exclude[] = {TN_STR("**/node_modules/**"),
						TN_STR("**/*.test.*")};

	assert_int_equal(tn_wb_globs_create(include, 1, &stage->include, NULL), TENON_OK);
	assert_int_equal(tn_wb_globs_create(exclude, 2, &stage->exclude, NULL), TENON_OK);
	assert_int_equal(tn_wb_source_open(root, source_test_build(), &stage->source, NULL),
			 TENON_OK);
	tn_arena_init(&stage->arena, 64 << 20);
}

static void begin(struct stage *stage)
{
	*stage = (struct stage){.root = "/tmp/tenon-source-XXXXXX"};
	assert_non_null(mkdtemp(stage->root));
	begin_at(stage, stage->root);
}

static void forget_look(struct stage *stage)
{
	if (stage->has_looked) {
		tn_wb_source_found_finish(&stage->found);
		tn_wb_source_graph_finish(&stage->graph);
	}
	stage->has_looked = false;
}

static void end(struct stage *stage)
{
	char command[128];

	forget_look(stage);
	tn_arena_finish(&stage->arena);
	tn_wb_source_close(stage->source);
	tn_wb_globs_destroy(stage->include);
	tn_wb_globs_destroy(stage->exclude);
	if (!stage->root[0])
		return;
	(void)snprintf(command, sizeof(command), "rm -rf %s", stage->root);
	assert_int_equal((system)(command), 0);
}

static void put_file(const struct stage *stage, const char *path, const char *text)
{
	char whole[256], *slash = whole;
	FILE *file;

	(void)snprintf(whole, sizeof(whole), "%s/%s", stage->root, path);
	while ((slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		(void)mkdir(whole, 0700); /* there already, mostly */
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void hint(struct stage *stage, const char *type_id, const char *target, const char *export)
{
	assert_true(stage->hint_count < HINTS_MAX);
	stage->hints[stage->hint_count++] = (struct tn_wb_source_hint){
		.type_id = tn_str_from(type_id),
		.display_name = tn_str_from(type_id),
		.kind = target[0] == '@' ? TN_WB_SOURCE_PACKAGE : TN_WB_SOURCE_FILE,
		.target = tn_str_from(target),
		.export_name = tn_str_from(export),
	};
}

/* Adds the inferred entries to the hints of the graph, as the workspace does. */
static size_t with_inferred(struct stage *stage, struct tn_wb_source_hint all[HINTS_MAX],
			    const char *disabled)
{
	struct tn_json *json = NULL;
	size_t count = 0;

	for (size_t i = 0; i < stage->hint_count; i++)
		if (!tn_str_is(stage->hints[i].type_id, disabled))
			all[count++] = stage->hints[i];
	assert_int_equal(
		tn_json_parse_copy(&stage->arena, tn_buf_str(&stage->found.registry), &json, NULL),
		TENON_OK);
	for (const struct tn_json *i = tn_json_get(json, "components")->first; i; i = i->next) {
		const struct tn_json *at = tn_json_get(i, "implementation");
		struct tn_wb_source_hint *one = &all[count++];

		assert_true(count < HINTS_MAX);
		*one = (struct tn_wb_source_hint){
			.type_id = i->key, .kind = TN_WB_SOURCE_FILE, .is_inferred = true};
		assert_true(tn_json_to_str(tn_json_get(i, "displayName"), &one->display_name));
		assert_true(tn_json_to_str(tn_json_get(at, "filePath"), &one->target));
		assert_true(tn_json_to_str(tn_json_get(at, "exportName"), &one->export_name));
	}
	return count;
}

static void look(struct stage *stage, const char *disabled)
{
	struct tn_wb_source_scan what = {.include = stage->include,
					 .exclude = stage->exclude,
					 .infers = true,
					 .hints = stage->hints,
					 .hint_count = stage->hint_count};
	struct tn_wb_source_hint all[HINTS_MAX];
	size_t count;

	forget_look(stage);
	assert_int_equal(tn_wb_source_scan(stage->source, &what, NULL, &stage->found, NULL),
			 TENON_OK);
	count = with_inferred(stage, all, disabled);
	assert_int_equal(
		tn_wb_source_graph(stage->source, all, count, NULL, 0, NULL, &stage->graph, NULL),
		TENON_OK);
	stage->has_looked = true;
}

static bool has(const struct tn_buf *text, const char *part)
{
	return tn_str_find(tn_buf_str(text), tn_str_from(part)) != TN_STR_NONE;
}

static bool route_uses(const struct stage *stage, const char *route, const char *type)
{
	char text[300];

	(void)snprintf(text, sizeof(text), "\"routeId\":\"%s\",\"componentTypeId\":\"%s\"}", route,
		       type);
	return has(&stage->graph.routes.snapshot, text);
}

static bool type_uses(const struct stage *stage, const char *from, const char *to)
{
	char text[300];

	(void)snprintf(text, sizeof(text), "\"from\":\"%s\",\"to\":\"%s\"}", from, to);
	return has(&stage->graph.components.snapshot, text);
}

static bool has_route(const struct stage *stage, const char *id, const char *path)
{
	char text[300];

	(void)snprintf(text, sizeof(text), "\"id\":\"%s\",\"path\":\"%s\",", id, path);
	return has(&stage->graph.routes.snapshot, text);
}

static bool diagnosed(const struct tn_wb_diagnostics *list, const char *code)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].code, code) == 0)
			return true;
	return false;
}

/* ---- the demo: workbench-demo.md sections 3 and 4 ---- */

static void hint_at_harbour(struct stage *stage)
{
	hint(stage, "ui.button", "src/components/Button.tsx", "Button");
	hint(stage, "ui.badge", "src/components/Badge.tsx", "default");
	hint(stage, "ui.card", "src/components/Card.tsx", "Card");
	hint(stage, "ui.cardFooter", "src/components/Card", "CardFooter");
	hint(stage, "ui.field", "src/components/Field.tsx", "Field");
	hint(stage, "ui.swatch", "src/components/Swatch.tsx", "Swatch");
	hint(stage, "ui.toggle", "src/components/Toggle.tsx", "Toggle");
	hint(stage, "shop.price", "src/components/Price.tsx", "Price");
	hint(stage, "kit.pill", "@harbour/kit/Pill", "Pill");
}

static void harbour_has_its_routes(void **state)
{
	struct stage stage = {0};
	(void)state;

	begin_at(&stage, source_test_demo());
	hint_at_harbour(&stage);
	look(&stage, "ui.swatch");
	assert_true(has_route(&stage, "routeId:root", "/"));
	assert_true(has_route(&stage, "routeId:home", "/"));
	assert_true(has_route(&stage, "routeId:menu", "/menu"));
	assert_true(has_route(&stage, "routeId:item", "/menu/:itemId"));
	assert_true(has_route(&stage, "route:/about", "/about"));
	assert_true(has_route(&stage, "routeId:members", "/"));
	assert_true(has_route(&stage, "routeId:account", "/account"));
	assert_true(has_route(&stage, "route:/*", "/*"));
	assert_int_equal(stage.graph.routes.diagnostics.count, 1);
	assert_true(diagnosed(&stage.graph.routes.diagnostics, "invalid_route_id"));
	assert_true(route_uses(&stage, "routeId:home", "ui.button"));
	assert_true(route_uses(&stage, "routeId:home", "ui.card"));
	assert_true(route_uses(&stage, "routeId:home", "ui.cardFooter"));
	assert_true(route_uses(&stage, "routeId:home", "ui.field"));
	assert_true(route_uses(&stage, "routeId:home", "kit.pill"));
	assert_true(route_uses(&stage, "routeId:menu", "ui.card"));
	assert_true(route_uses(&stage, "routeId:menu", "shop.price"));
	assert_true(route_uses(&stage, "routeId:menu", "ui.badge"));
	assert_true(route_uses(&stage, "routeId:item", "ui.button"));
	assert_true(type_uses(&stage, "ui.card", "ui.badge"));
	assert_false(has(&stage.graph.components.snapshot, "ui.swatch"));
	assert_false(has(&stage.graph.routes.snapshot, "ui.swatch"));
	end(&stage);
}

static void harbour_has_its_entries(void **state)
{
	struct tn_wb_position at = {0};
	struct stage stage = {0};
	(void)state;

	begin_at(&stage, source_test_demo());
	hint_at_harbour(&stage);
	look(&stage, "ui.swatch");
	assert_int_equal(stage.found.diagnostics.count, 0);
	assert_true(has(&stage.found.registry, "\"auto.src.App.App\":"));
	assert_true(has(&stage.found.registry, "\"auto.src.components.Shelf.Shelf\":"));
	assert_true(has(&stage.found.registry, "\"auto.src.pages.Menu.Menu\":"));
	assert_false(has(&stage.found.registry, "Swatch"));
	assert_false(has(&stage.found.registry, "Frame"));
	assert_false(has(&stage.found.registry, "Tabs"));
	assert_true(has(
		&stage.found.registry,
		"\"auto.src.components.Note.Note\":{\"typeId\":\"auto.src.components.Note.Note\","
		"\"displayName\":\"Note\",\"tags\":[\"inferred\"],\"props\":{"
		"\"text\":{\"propName\":\"text\",\"exposure\":{\"kind\":\"editable\",\"control\":{"
		"\"kind\":\"string\"},\"constraints\":{\"required\":true}}},"
		"\"kind\":{\"propName\":\"kind\",\"exposure\":{\"kind\":\"editable\",\"control\":{"
		"\"kind\":\"select\",\"options\":[{\"value\":\"info\",\"label\":\"Info\"},"
		"{\"value\":\"warn\",\"label\":\"Warn\"}]},\"uiDefaultValue\":\"info\"}},"
		"\"onDismiss\":{\"propName\":\"onDismiss\",\"exposure\":{\"kind\":\"inspectOnly\","
		"\"displayHint\":\"code\"}}},\"implementation\":{\"kind\":\"file\","
		"\"filePath\":\"src/components/Note.tsx\",\"exportName\":\"Note\"}}"));
	assert_true(has(&stage.graph.registry.snapshot,
			"{\"kind\":\"componentType\",\"id\":\"ui.button\",\"displayName\":"
			"\"ui.button\",\"source\":{\"filePath\":\"src/components/Button.tsx\","
			"\"line\":9,\"column\":17}}"));
	assert_true(has(&stage.graph.registry.snapshot,
			"{\"kind\":\"componentType\",\"id\":\"kit.pill\",\"displayName\":"
			"\"kit.pill\"}"));
	assert_true(tn_wb_source_definition(stage.source, TN_STR("src/components/Card.tsx"),
					    TN_STR("Card"), &at));
	assert_int_equal(at.line, 14);
	assert_false(tn_wb_source_definition(stage.source, TN_STR("src/components/Card.tsx"),
					     TN_STR("Nothing"), &at));
	end(&stage);
}

/* ---- routes ---- */

static void routes_are_found_in_all_forms(void **state)
{
	struct stage stage;
	(void)state;

	begin(&stage);
	put_file(&stage, "src/C.tsx", "export function C() { return null; }\n");
	put_file(&stage, "src/plain.ts",
		 "export const tree = [{ path: 'late', lazy: () => import('./L') }];\n"
		 "export default [{ path: 'std', children: [{ path: '/own' }] }];\n");
	put_file(&stage, "src/L.tsx",
		 "import { C } from './C'; export const Component = () => <C />;\n");
	put_file(&stage, "src/main.tsx",
		 "import { createHashRouter as make, useRoutes, Route, Routes } from "
		 "'react-router-dom';\n"
		 "import * as R from 'react-router';\n"
		 "import { tree } from './plain';\n"
		 "import std from './plain';\n"
		 "import { C } from './C';\n"
		 "make(tree); R.createMemoryRouter(std);\n"
		 "const Guard = ({ children }) => children;\n"
		 "export const jsx = <Routes><Route path='/j' element={<Guard><C /></Guard>}>\n"
		 "  <><Route index Component={C} /></>\n"
		 "  {on && <Route path={`k/*`} />}\n"
		 "</Route></Routes>;\n"
		 "function App() { return useRoutes([{ path: 'in/:id?/', element: <C /> }]); }\n"
		 "const other = [{ path: 'not-asked-for' }];\n"
		 "const typed: RouteObject[] = [{ path: 'typed' }];\n"
		 "const sat = [{ path: 'sat' }] satisfies RouteObject[];\n");
	put_file(&stage, "src/types.ts",
		 "import type { RouteObject } from 'react-router-dom';\n"
		 "export const routes: RouteObject[] = [{ path: 'apart' }];\n");
	hint(&stage, "t.c", "src/C", "C");
	look(&stage, "");
	assert_true(has_route(&stage, "route:/apart", "/apart"));
	assert_true(has_route(&stage, "route:/late", "/late"));
	assert_true(has_route(&stage, "route:/std", "/std"));
	assert_true(has_route(&stage, "route:/own", "/own"));
	assert_true(has_route(&stage, "route:/j", "/j"));
	assert_true(has_route(&stage, "route:/j/k/*", "/j/k/*"));
	assert_true(has_route(&stage, "route:/in/:id?", "/in/:id?"));
	assert_true(has_route(&stage, "route:/typed", "/typed"));
	assert_true(has_route(&stage, "route:/sat", "/sat"));
	assert_false(has(&stage.graph.routes.snapshot, "not-asked-for"));
	assert_true(route_uses(&stage, "route:/late", "t.c"));
	assert_true(route_uses(&stage, "route:/j", "t.c"));
	assert_true(route_uses(&stage, "route:/in/:id?", "t.c"));
	assert_true(has(&stage.graph.routes.snapshot,
			"\"path\":\"/j\",\"source\":{\"filePath\":\"src/main.tsx\",\"line\":8,"
			"\"column\":28}"));
	end(&stage);
}

/* G14: files that are named, and no others; they need not import the router. */
static void named_files_hold_the_routes(void **state)
{
	const struct tn_str named[] = {TN_STR("./own/r"), TN_STR("missing.tsx")};
	struct stage stage;
	(void)state;

	begin(&stage);
	put_file(&stage, "src/other.tsx",
		 "import 'react-router'; const routes = [{ path: 'other' }];\n");
	put_file(&stage, "own/r.tsx", "export const routes = [{ path: 'own' }];\n");
	look(&stage, "");
	assert_true(has_route(&stage, "route:/other", "/other"));
	tn_wb_source_graph_finish(&stage.graph);
	assert_int_equal(
		tn_wb_source_graph(stage.source, NULL, 0, named, 2, NULL, &stage.graph, NULL),
		TENON_OK);
	assert_true(has_route(&stage, "route:/own", "/own"));
	assert_false(has(&stage.graph.routes.snapshot, "other"));
	end(&stage);
}

/* G15, G16. */
static void ids_and_paths_follow_the_rules(void **state)
{
	struct stage stage;
	(void)state;

	begin(&stage);
	put_file(&stage, "src/r.tsx",
		 "import 'react-router';\n"
		 "const routes = [{ path: '/a//b/', children: [\n"
		 "  { id: 'same', path: 'x' }, { id: 'same', path: 'y' },\n"
		 "  { path: P.c, children: [{ path: 'hidden' }] },\n"
		 "  { children: [{ path: 'shown' }] },\n"
		 "  { id: 'a:b', path: '' }, { id: I.d, path: 'dyn' }, { index: true },\n"
		 "] }];\n");
	look(&stage, "");
	assert_true(has_route(&stage, "route:/a/b", "/a/b"));
	assert_true(has_route(&stage, "routeId:same", "/a/b/x"));
	assert_false(has(&stage.graph.routes.snapshot, "/a/b/y"));
	assert_false(has(&stage.graph.routes.snapshot, "hidden"));
	assert_true(has_route(&stage, "route:/a/b/shown", "/a/b/shown"));
	assert_true(has_route(&stage, "route:/a/b/dyn", "/a/b/dyn"));
	assert_true(diagnosed(&stage.graph.routes.diagnostics, "duplicate_route_id"));
	assert_true(diagnosed(&stage.graph.routes.diagnostics, "route_not_static"));
	assert_true(diagnosed(&stage.graph.routes.diagnostics, "invalid_route_id"));
	end(&stage);
}

/* ---- names ---- */

static void names_are_followed_through_modules(void **state)
{
	struct stage stage;
	(void)state;

	begin(&stage);
	put_file(&stage, "tsconfig.json",
		 "{ // with a comment\n \"extends\": \"./base\", \"references\": [{\"path\": "
		 "\"./x\"}] }\n");
	put_file(&stage, "base.json",
		 "{ \"extends\": [\"./base\", \"./tsconfig\"], \"compilerOptions\": { \"baseUrl\": "
		 "\"src\",\n"
		 " \"paths\": { \"~/*\": [\"nowhere/*\", \"./*\"], \"out/*\": [\"../../*\"] } } "
		 "}\n");
	put_file(&stage, "src/ui/Button.tsx",
		 "export function Button() { return <b />; }\n"
		 "export default Button;\n");
	put_file(&stage, "src/ui/Card.jsx",
		 "import { Pill } from '@kit/Pill';\n"
		 "export const Card = () => <Pill />;\n");
	put_file(&stage, "src/ui/index.ts",
		 "export * from './Button'; export * from './circle';\n"
		 "export { Card as Box } from './Card.js';\n");
	put_file(&stage, "src/ui/circle.ts",
		 "export * from '.'; export * from './circle';\n"
		 "export { Gone } from './index';\n");
	put_file(&stage, "src/all.ts",
		 "export * as Kit from './ui'; export { default as B } from './ui/Button';\n");
	put_file(&stage, "src/Page.tsx",
		 "import * as UI from '~/ui'; import { Kit, B } from 'all'; import { Gone } from "
		 "'./ui';\n"
		 "import X from 'out/etc/passwd'; import Y from '../../etc/passwd';\n"
		 "export function One() { return <UI.Button />; }\n"
		 "export function Two() { return <Kit.Box />; }\n"
		 "export function Three() { return <B />; }\n"
		 "export function Four() { return <><Gone /><X /><Y /><Four /></>; }\n"
		 "export function Five() { return <One2 />; }\n"
		 "const One2 = () => <Six />; function Six() { return <Five2 />; }\n"
		 "const Five2 = () => <><Six /><B /></>;\n");
	hint(&stage, "t.button", "src/ui/index.ts", "Button");
	hint(&stage, "t.box", "src/ui/Card.jsx", "Card");
	hint(&stage, "t.pill", "@kit/Pill", "Pill");
	hint(&stage, "t.missing", "src/ui/Card.jsx", "Nope");
	hint(&stage, "t.nowhere", "../../etc/passwd", "Nope");
	look(&stage, "");
	assert_true(type_uses(&stage, "auto.src.Page.One", "t.button"));
	assert_true(type_uses(&stage, "auto.src.Page.Two", "t.box"));
	assert_true(type_uses(&stage, "auto.src.Page.Three", "t.button"));
	assert_true(type_uses(&stage, "auto.src.Page.Five", "t.button"));
	assert_true(type_uses(&stage, "t.box", "t.pill"));
	assert_false(has(&stage.graph.components.snapshot, "\"from\":\"auto.src.Page.Four\""));
	assert_false(has(&stage.found.registry, "Button"));
	assert_true(diagnosed(&stage.graph.registry.diagnostics, "hint_unresolved"));
	assert_int_equal(stage.graph.registry.diagnostics.count, 2);
	end(&stage);
}

/* A depth of more than 20 is cut (G18). */
static void what_is_very_deep_is_cut(void **state)
{
	struct stage stage;
	char text[4000];
	size_t size = 0;
	(void)state;

	begin(&stage);
	for (int i = 0; i < 40; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "function C%d() { return <C%d />; }\n", i, i + 1);
	(void)snprintf(text + size, sizeof(text) - size,
		       "function C40() { return null; } export { C0, C10, C15, C40 };\n");
	put_file(&stage, "src/deep.tsx", text);
	hint(&stage, "t.far", "src/deep.tsx", "C0");
	hint(&stage, "t.end", "src/deep.tsx", "C15");
	look(&stage, "");
	assert_true(type_uses(&stage, "t.far", "auto.src.deep.C10"));
	assert_false(type_uses(&stage, "t.end", "auto.src.deep.C40"));
	end(&stage);
}

/* ---- looks ---- */

static void only_what_changed_is_read_again(void **state)
{
	struct stage stage;
	(void)state;

	begin(&stage);
	put_file(&stage, "src/A.tsx", "export function A() { return null; }\n");
	put_file(&stage, "src/B.tsx", "export function B() { return null; }\n");
	put_file(&stage, "src/node_modules/C.tsx", "export function C() { return null; }\n");
	put_file(&stage, "src/.hidden/D.tsx", "export function D() { return null; }\n");
	put_file(&stage, "src/E.test.tsx", "export function E() { return null; }\n");
	look(&stage, "");
	assert_int_equal(tn_wb_source_file_count(stage.source), 2);
	assert_int_equal(tn_wb_source_read_count(stage.source), 2);
	look(&stage, "");
	assert_int_equal(tn_wb_source_read_count(stage.source), 0);
	put_file(&stage, "src/B.tsx", "export function Other() { return null; }\n");
	look(&stage, "");
	assert_int_equal(tn_wb_source_read_count(stage.source), 1);
	assert_true(has(&stage.found.registry, "auto.src.B.Other"));
	assert_false(has(&stage.found.registry, "auto.src.B.B\""));
	end(&stage);
}

static void links_that_lead_out_are_not_followed(void **state)
{
	struct stage stage, outside;
	char from[128], to[128];
	(void)state;

	begin(&stage);
	begin(&outside);
	put_file(&outside, "src/Secret.tsx", "export function Secret() { return null; }\n");
	put_file(&stage, "src/A.tsx", "export function A() { return null; }\n");
	put_file(&stage, "lib/B.tsx", "export function B() { return null; }\n");
	(void)snprintf(from, sizeof(from), "%s/src", outside.root);
	(void)snprintf(to, sizeof(to), "%s/src/out", stage.root);
	assert_int_equal(symlink(from, to), 0);
	(void)snprintf(from, sizeof(from), "%s/src/Secret.tsx", outside.root);
	(void)snprintf(to, sizeof(to), "%s/src/S.tsx", stage.root);
	assert_int_equal(symlink(from, to), 0);
	(void)snprintf(to, sizeof(to), "%s/src/loop", stage.root);
	assert_int_equal(symlink(".", to), 0);
	(void)snprintf(to, sizeof(to), "%s/src/lib", stage.root);
	assert_int_equal(symlink("../lib", to), 0);
	(void)snprintf(to, sizeof(to), "%s/src/A2.tsx", stage.root);
	assert_int_equal(symlink("A.tsx", to), 0);
	look(&stage, "");
	assert_false(has(&stage.found.registry, "Secret"));
	assert_true(has(&stage.found.registry, "\"auto.src.lib.B.B\":"));
	assert_int_equal(tn_wb_source_file_count(stage.source), 2);
	end(&outside);
	end(&stage);
}

static void odd_files_are_told_of_and_spoil_nothing(void **state)
{
	struct stage stage;
	char *large = tn_mem_alloc((2 << 20) + 2);
	(void)state;

	begin(&stage);
	assert_non_null(large);
	memset(large, ' ', (2 << 20) + 1);
	put_file(&stage, "src/large.ts", large);
	tn_mem_free(large);
	put_file(&stage, "src/empty.tsx", "");
	put_file(&stage, "src/bytes.tsx", "\xFF\xFE\x80 export const \xC3 = <");
	put_file(&stage, "src/broken.tsx",
		 "export function A() { return <p>{ a. }</p>; }\nexport const = 3;\n");
	put_file(&stage, "src/win.tsx",
		 "\xEF\xBB\xBFimport X from './x';\r\nexport function W() {\r\n  return <X "
		 "/>;\r\n}\r\n");
	put_file(&stage, "src/gone.test.tsx", "(((");
	look(&stage, "");
	assert_true(diagnosed(&stage.found.diagnostics, "file_skipped"));
	assert_true(diagnosed(&stage.found.diagnostics, "parse_error"));
	assert_true(has(&stage.found.registry, "\"auto.src.broken.A\":"));
	assert_true(has(&stage.graph.registry.snapshot,
			"\"source\":{\"filePath\":\"src/win.tsx\",\"line\":2,\"column\":17}"));
	end(&stage);
}

static void a_look_can_be_cancelled(void **state)
{
	struct stage stage;
	struct tn_wb_source_scan what = {0};
	struct tn_wb_source_found found;
	atomic_bool cancelled = true;
	(void)state;

	begin(&stage);
	put_file(&stage, "src/A.tsx", "export function A() { return null; }\n");
	what.include = stage.include;
	assert_int_equal(tn_wb_source_scan(stage.source, &what, &cancelled, &found, NULL),
			 TENON_CANCELLED);
	tn_wb_source_found_finish(&found);
	look(&stage, "");
	assert_int_equal(tn_wb_source_file_count(stage.source), 1);
	end(&stage);
}

static void without_the_plugin_types_are_nodes_still(void **state)
{
	struct tn_wb_source_hint hint = {.type_id = TN_STR("t.a"), .display_name = TN_STR("A")};
	struct tn_wb_source_scan what = {.infers = true};
	struct tn_wb_source_found found;
	struct tn_wb_source_graph graph;
	struct tn_wb_source *source = NULL;
	(void)state;

	assert_int_equal(tn_wb_source_open("/tmp", "/nonexistent", &source, NULL), TENON_OK);
	assert_false(tn_wb_source_is_available(source));
	assert_int_equal(tn_wb_source_scan(source, &what, NULL, &found, NULL), TENON_OK);
	assert_int_equal(found.diagnostics.count, 1);
	assert_string_equal(found.diagnostics.items[0].code, "analysis_unavailable");
	assert_true(has(&found.registry, "\"components\":{}"));
	assert_int_equal(tn_wb_source_graph(source, &hint, 1, NULL, 0, NULL, &graph, NULL),
			 TENON_OK);
	assert_true(has(&graph.registry.snapshot, "\"id\":\"t.a\""));
	tn_wb_source_found_finish(&found);
	tn_wb_source_graph_finish(&graph);
	tn_wb_source_close(source);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(harbour_has_its_routes),
		cmocka_unit_test(harbour_has_its_entries),
		cmocka_unit_test(routes_are_found_in_all_forms),
		cmocka_unit_test(named_files_hold_the_routes),
		cmocka_unit_test(ids_and_paths_follow_the_rules),
		cmocka_unit_test(names_are_followed_through_modules),
		cmocka_unit_test(what_is_very_deep_is_cut),
		cmocka_unit_test(only_what_changed_is_read_again),
		cmocka_unit_test(links_that_lead_out_are_not_followed),
		cmocka_unit_test(odd_files_are_told_of_and_spoil_nothing),
		cmocka_unit_test(a_look_can_be_cancelled),
		cmocka_unit_test(without_the_plugin_types_are_nodes_still),
	};
	int failed;

	if (!source_test_begin(argc, argv))
		return 0;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	source_test_end();
	return failed;
}
