#include "apps/workbench/source/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/source/source_test_kit.h"
#include "base/mem.h"

static struct tn_wb_module read_text(const char *text)
{
	struct tn_wb_module module = {0};

	assert_int_equal(tn_wb_module_read(source_test_reader(), TN_STR("a.tsx"), tn_str_from(text),
					   &module, NULL),
			 TENON_OK);
	return module;
}

/* "name", "name.member" or "name@specifier". */
static bool uses(const struct tn_wb_module *module, const char *unit, const char *what)
{
	uint32_t number = tn_wb_module_unit(module, tn_str_from(unit));
	const struct tn_wb_unit *at = &module->units[number];

	assert_int_not_equal(number, TN_WB_NONE);
	for (uint32_t i = 0; i < at->use_count; i++) {
		const struct tn_wb_use *use = &module->uses[at->use_first + i];
		char text[200];

		(void)snprintf(text, sizeof(text), "%.*s%s%.*s%s%.*s", (int)use->name.size,
			       use->name.data, use->member.size ? "." : "", (int)use->member.size,
			       use->member.data, use->specifier.size ? "@" : "",
			       (int)use->specifier.size, use->specifier.data);
		if (strcmp(text, what) == 0)
			return true;
	}
	return false;
}

static const struct tn_wb_source_prop *prop_of(const struct tn_wb_module *module, const char *unit,
					       const char *name)
{
	const struct tn_wb_unit *at = &module->units[tn_wb_module_unit(module, tn_str_from(unit))];

	for (uint32_t i = 0; i < at->prop_count; i++)
		if (tn_str_is(module->props[at->prop_first + i].name, name))
			return &module->props[at->prop_first + i];
	return NULL;
}

/* ---- imports and exports ---- */

static void imports_are_bound(void **state)
{
	struct tn_wb_module module = read_text("import D, { a as b, type T, c } from './x';\n"
					       "import * as N from \"./n\";\n"
					       "import type { U } from './u';\n"
					       "import './side.css';\n");
	(void)state;

	assert_int_equal(module.import_count, 4);
	assert_true(tn_str_is(tn_wb_module_import(&module, TN_STR("D"))->name, "default"));
	assert_true(tn_str_is(tn_wb_module_import(&module, TN_STR("b"))->name, "a"));
	assert_true(tn_str_is(tn_wb_module_import(&module, TN_STR("N"))->name, "*"));
	assert_true(tn_str_is(tn_wb_module_import(&module, TN_STR("N"))->specifier, "./n"));
	assert_null(tn_wb_module_import(&module, TN_STR("T")));
	assert_null(tn_wb_module_import(&module, TN_STR("U")));
	tn_wb_module_finish(&module);
}

static void exports_of_every_form_are_known(void **state)
{
	static const struct {
		const char *text, *name, *local;
		bool is_component;
	} cases[] = {
		{"export function A() {}", "A", "A", true},
		{"export async function A() {}", "A", "A", true},
		{"export const A = () => null;", "A", "A", true},
		{"export const A = memo(() => null);", "A", "A", true},
		{"export const A = React.memo(React.forwardRef((p, r) => null));", "A", "A", true},
		{"export let x = 1, A = function () {};", "A", "A", true},
		{"export class A extends Component { render() {} }", "A", "A", true},
		{"export class A extends Error {}", "A", "A", false},
		{"export class A { render() {} }", "A", "A", false},
		{"export const A = 3;", "A", "A", false},
		{"export const A = createContext(null);", "A", "A", false},
		{"const A = () => null; export { A };", "A", "A", true},
		{"const A = () => null; export { A as B };", "B", "A", true},
		{"export default function A() {}", "default", "A", true},
		{"export default class A extends C { render() {} }", "default", "A", true},
		{"const A = () => null; export default A;", "default", "A", true},
		{"export default () => null;", "default", TN_WB_DEFAULT_UNIT, true},
		{"export default memo(function A() {});", "default", TN_WB_DEFAULT_UNIT, true},
		{"export default function () {}", "default", TN_WB_DEFAULT_UNIT, true},
		{"export default class extends C { render() {} }", "default", TN_WB_DEFAULT_UNIT,
		 true},
		{"export const A = <T,>(p: P<T>) => <L<T> x={p.x} />;", "A", "A", true},
	};
	(void)state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_wb_module module = read_text(cases[i].text);
		const struct tn_wb_export *export =
			tn_wb_module_export(&module, tn_str_from(cases[i].name));
		uint32_t unit;

		if (!export || !tn_str_is(export->local, cases[i].local))
			fail_msg("%s", cases[i].text);
		unit = tn_wb_module_unit(&module, export->local);
		if (unit == TN_WB_NONE || module.units[unit].is_component != cases[i].is_component)
			fail_msg("%s", cases[i].text);
		tn_wb_module_finish(&module);
	}
}

static void what_is_passed_on_is_known(void **state)
{
	struct tn_wb_module module = read_text("export * from './s';\n"
					       "export * as ns from './n';\n"
					       "export { default } from './d';\n"
					       "export { a as b, default as C } from './e';\n"
					       "export type { T } from './t';\n");
	const struct tn_wb_export *export;
	(void)state;

	assert_int_equal(module.star_count, 1);
	assert_true(tn_str_is(module.stars[0], "./s"));
	assert_int_equal(module.export_count, 4);
	assert_true(tn_str_is(tn_wb_module_export(&module, TN_STR("ns"))->passed_on, "*"));
	export = tn_wb_module_export(&module, TN_STR("C"));
	assert_true(tn_str_is(export->passed_on, "default"));
	assert_true(tn_str_is(export->specifier, "./e"));
	assert_int_equal(export->at.line, 4);
	assert_int_equal(export->at.column, 18);
	tn_wb_module_finish(&module);
}

/* ---- what is rendered ---- */

static void tags_are_bound_where_they_stand(void **state)
{
	struct tn_wb_module module = read_text(
		"import { Card, UI, Row } from './x';\n"
		"function Page({ Row }: { Row: any }) {\n"
		"  const Inner = () => <Card />;\n"
		"  return <><div><UI.Button /><Row /><Inner /></div>{on && <Late />}{x ? <A /> : "
		"<B />}</>;\n"
		"}\n"
		"function Other() { return <Row>{list.map((i) => <Cell<T> key={i} />)}</Row>; }\n");
	(void)state;

	assert_true(uses(&module, "Page", "Card"));
	assert_true(uses(&module, "Page", "UI.Button"));
	assert_true(uses(&module, "Page", "Late"));
	assert_true(uses(&module, "Page", "A"));
	assert_true(uses(&module, "Page", "B"));
	assert_false(uses(&module, "Page", "Row"));
	assert_false(uses(&module, "Page", "Inner"));
	assert_false(uses(&module, "Page", "div"));
	assert_true(uses(&module, "Other", "Row"));
	assert_true(uses(&module, "Other", "Cell"));
	tn_wb_module_finish(&module);
}

static void wrappers_and_helpers_are_followed(void **state)
{
	struct tn_wb_module module =
		read_text("const Styled = styled(Button)`color: red`;\n"
			  "const Both = Object.assign(Card, { Footer: CardFooter });\n"
			  "const Chosen = on ? First : UI.Second;\n"
			  "const Late = lazy(() => import('./Page'));\n"
			  "const Named = React.lazy(() => import('./p').then((m) => ({ default: "
			  "m.Named })));\n"
			  "const row = (i) => <Cell key={i} />;\n"
			  "function Table({ as }) { const Tag = as || Fallback; return "
			  "<Tag>{rows.map(row)}</Tag>; }\n");
	(void)state;

	assert_true(uses(&module, "Styled", "Button"));
	assert_true(uses(&module, "Both", "Card"));
	assert_false(uses(&module, "Both", "CardFooter"));
	assert_true(uses(&module, "Chosen", "First"));
	assert_true(uses(&module, "Chosen", "UI.Second"));
	assert_true(uses(&module, "Late", "default@./Page"));
	assert_true(uses(&module, "Named", "Named@./p"));
	assert_true(uses(&module, "row", "Cell"));
	assert_true(uses(&module, "Table", "row"));
	assert_true(uses(&module, "Table", "Fallback"));
	tn_wb_module_finish(&module);
}

/* ---- R14 ---- */

static void every_declared_type_has_its_exposure(void **state)
{
	static const struct {
		const char *type;
		enum tn_wb_prop_kind kind;
	} cases[] = {
		{"string", TN_WB_PROP_STRING},
		{"string | undefined", TN_WB_PROP_STRING},
		{"number", TN_WB_PROP_NUMBER},
		{"boolean", TN_WB_PROP_BOOLEAN},
		{"'a' | 'b'", TN_WB_PROP_SELECT},
		{"'a' | 'b' | undefined", TN_WB_PROP_SELECT},
		{"'a'", TN_WB_PROP_SELECT},
		{"Tone", TN_WB_PROP_SELECT},
		{"'a' | 3", TN_WB_PROP_OPAQUE},
		{"'a' | string", TN_WB_PROP_OPAQUE},
		{"string | number", TN_WB_PROP_OPAQUE},
		{"string | null", TN_WB_PROP_OPAQUE},
		{"(Foo | undefined) | number", TN_WB_PROP_OPAQUE},
		{"ReactNode", TN_WB_PROP_SLOT},
		{"React.ReactNode", TN_WB_PROP_SLOT},
		{"JSX.Element", TN_WB_PROP_SLOT},
		{"React.ReactElement<any>", TN_WB_PROP_SLOT},
		{"() => void", TN_WB_PROP_CODE},
		{"((a: string) => void) | undefined", TN_WB_PROP_CODE},
		{"{ a: string }", TN_WB_PROP_JSON},
		{"string[]", TN_WB_PROP_JSON},
		{"[string, number]", TN_WB_PROP_JSON},
		{"Record<string, number>", TN_WB_PROP_JSON},
		{"readonly string[]", TN_WB_PROP_JSON},
		{"CSSProperties", TN_WB_PROP_JSON},
		{"object", TN_WB_PROP_JSON},
		{"Shape", TN_WB_PROP_JSON},
		{"Elsewhere", TN_WB_PROP_OPAQUE},
		{"keyof X", TN_WB_PROP_OPAQUE},
		{"Circle", TN_WB_PROP_OPAQUE},
		{"any", TN_WB_PROP_OPAQUE},
	};
	(void)state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[500];
		struct tn_wb_module module;
		const struct tn_wb_source_prop *prop;

		(void)snprintf(text, sizeof(text),
			       "type Tone = 'x' | 'y'; interface Shape { a: string }\n"
			       "type Circle = Circle | Circle | Circle;\n"
			       "export function A({ p }: { p?: %s }) {}",
			       cases[i].type);
		module = read_text(text);
		prop = prop_of(&module, "A", "p");
		if (!prop || prop->kind != cases[i].kind)
			fail_msg("%s is %d", cases[i].type, prop ? (int)prop->kind : -1);
		tn_wb_module_finish(&module);
	}
}

static void props_come_from_wherever_the_file_says_them(void **state)
{
	static const char *const forms[] = {
		"export function A({ a = 'z' }: { a?: string; b: number }) {}",
		"interface P { a?: string; b: number } export const A = ({ a = 'z' }: P) => null;",
		"type P = { a?: string } & Q; interface Q { b: number }\n"
		"export const A = memo(function X({ a = 'z' }: P) {});",
		"interface Q { b: string; a?: string } interface P extends Q { b: number }\n"
		"export const A = forwardRef<E, P>(({ a = 'z' }, ref) => null);",
		"type P = { a?: string; b: number };\n"
		"export const A: React.FC<P> = ({ a = 'z' }) => null;",
		"type P = { a?: string; b: number };\n"
		"const Inner = ({ a: other = 'z' }: Readonly<P>) => null; export const A = "
		"memo(Inner);",
		"import 'x';\ntype P = { a?: string; b: number };\n"
		"export function A({ a = \"z\", ...rest }: P & Imported) {}",
	};
	(void)state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tn_wb_module module = read_text(forms[i]);
		const struct tn_wb_source_prop *a = prop_of(&module, "A", "a");
		const struct tn_wb_source_prop *b = prop_of(&module, "A", "b");

		if (!a || !b || a->kind != TN_WB_PROP_STRING || b->kind != TN_WB_PROP_NUMBER ||
		    a->is_required || !b->is_required || !a->has_standard ||
		    !tn_str_is(a->standard, "z"))
			fail_msg("%s", forms[i]);
		tn_wb_module_finish(&module);
	}
}

static void defaults_are_those_that_the_control_takes(void **state)
{
	struct tn_wb_module module = read_text(
		"export function A({ n = -1.5, h = 0x10, o = 07, s = 3, b = false, t = 'c', u = "
		"'a' }:\n"
		"  { n?: number; h?: number; o?: number; s?: string; b?: boolean; t?: 'a' | 'b';\n"
		"    u?: 'a' | 'b'; children?: string; onX: number; 'data-x'?: string; key: "
		"string;\n"
		"    call(): void }) {}\n"
		"export class B extends React.Component<{ c: string }> { render() {} }\n");
	(void)state;

	assert_true(tn_str_is(prop_of(&module, "A", "n")->standard, "-1.5"));
	assert_false(prop_of(&module, "A", "h")->has_standard);
	assert_false(prop_of(&module, "A", "o")->has_standard);
	assert_false(prop_of(&module, "A", "s")->has_standard);
	assert_true(tn_str_is(prop_of(&module, "A", "b")->standard, "false"));
	assert_false(prop_of(&module, "A", "t")->has_standard);
	assert_true(tn_str_is(prop_of(&module, "A", "u")->standard, "a"));
	assert_int_equal(prop_of(&module, "A", "children")->kind, TN_WB_PROP_SLOT);
	assert_int_equal(prop_of(&module, "A", "onX")->kind, TN_WB_PROP_CODE);
	assert_int_equal(prop_of(&module, "A", "call")->kind, TN_WB_PROP_CODE);
	assert_non_null(prop_of(&module, "A", "data-x"));
	assert_null(prop_of(&module, "A", "key"));
	assert_int_equal(prop_of(&module, "B", "c")->kind, TN_WB_PROP_STRING);
	tn_wb_module_finish(&module);
}

/* ---- what is wrong ---- */

static void broken_files_give_what_is_left(void **state)
{
	struct tn_wb_module module = read_text("import { X } from './x';\n"
					       "export function A() { return <div><X></div>; }\n"
					       "export function B() { return <p>{ a. }</p>; }\n"
					       "export const = 3;\n"
					       "export function C() { return <X />; }\n");
	(void)state;

	assert_true(module.is_broken);
	assert_true(module.broken_line >= 2);
	assert_true(uses(&module, "C", "X"));
	assert_non_null(tn_wb_module_export(&module, TN_STR("B")));
	tn_wb_module_finish(&module);
}

/* Types that name each other, and declarations in declarations, take no time. */
static void hostile_modules_end(void **state)
{
	static const char *const parts[] = {
		"export function A({ a }: T0) {}\n",
		"export function a(){<X>",
		"import {a as b} from 'c';",
		"const x = () => <X1/>, y = x;",
	};
	size_t size = 48 * 1024;
	char *text = tn_mem_alloc(size + 1), *at = text;
	struct tn_wb_module module = {0};
	(void)state;

	assert_non_null(text);
	for (int i = 0; i < 30; i++)
		at += snprintf(at, 200, "type T%d = T%d & T%d & { p%d: T%d | T%d };\n", i,
			       (i + 1) % 30, (i + 2) % 30, i, (i + 1) % 30, (i + 2) % 30);
	(void)snprintf(at, 200, "%s", parts[0]);
	module = read_text(text);
	tn_wb_module_finish(&module);
	for (size_t i = 1; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length = strlen(parts[i]);
		enum tenon_code code;

		for (size_t k = 0; k < size; k++)
			text[k] = parts[i][k % length];
		code = tn_wb_module_read(source_test_reader(), TN_STR("a.tsx"), tn_str(text, size),
					 &module, NULL);
		assert_true(code == TENON_OK || code == TENON_LIMIT);
		if (code == TENON_OK)
			tn_wb_module_finish(&module);
	}
	tn_mem_free(text);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(imports_are_bound),
		cmocka_unit_test(exports_of_every_form_are_known),
		cmocka_unit_test(what_is_passed_on_is_known),
		cmocka_unit_test(tags_are_bound_where_they_stand),
		cmocka_unit_test(wrappers_and_helpers_are_followed),
		cmocka_unit_test(every_declared_type_has_its_exposure),
		cmocka_unit_test(props_come_from_wherever_the_file_says_them),
		cmocka_unit_test(defaults_are_those_that_the_control_takes),
		cmocka_unit_test(broken_files_give_what_is_left),
		cmocka_unit_test(hostile_modules_end),
	};
	int failed;

	if (!source_test_begin(argc, argv))
		return 0;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	source_test_end();
	return failed;
}
