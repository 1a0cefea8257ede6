/* workbench_source.c - how long the sources of a project of 1,000 files take (workbench.md section
 * 21): cold in 3 s, after a change of one file 500 ms; and how much is kept in memory.
 *
 *   workbench_source BUILD [FILES]     BUILD has the plug-in; exits with 1 beyond the targets
 *
 * Times are of the processor, so that others on the machine do not count. A file has 5 KB, as
 * components have: imports, a type of props, three declarations and 14 elements of which some are
 * others of the project. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "apps/workbench/source/project.h"
#include "bench.h"
#include "jsonrpc/json.h"

enum { COLD_MS = 3000, CHANGED_MS = 500, RUNS = 9 };

static void put_lines(FILE *file, unsigned number, unsigned count)
{
	(void)fprintf(file, "  return (\n    <section className=\"c%u\" style={style}>\n", number);
	for (unsigned i = 0; i < 12; i++)
		(void)fprintf(
			file,
			"      <div key=\"row-%u\" className={`row row-${tone} ${on ? 'on' : "
			"'off'}`} data-index={%u}>\n        <span>{label} & text number %u of "
			"this component, as long as such texts are</span>\n        {on && "
			"<Part%u title=\"Part\" tone={tone} onChange={(value) => set(value + "
			"%u)} />}\n      </div>\n",
			i, i, i, number * 7 % count % 3, i);
	(void)fprintf(file, "    </section>\n  );\n}\n");
}

static void put_file(const char *root, unsigned number, unsigned count, const char *extra)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/src/f%u", root, number % 40);
	(void)mkdir(path, 0700); /* there already, mostly */
	(void)snprintf(path, sizeof(path), "%s/src/f%u/C%u.tsx", root, number % 40, number);
	file = fopen(path, "w");
	if (!file)
		bench_die("%s cannot be written", path);
	(void)fprintf(file, "import { memo, useState } from 'react';\n");
	for (unsigned i = 0; i < 3; i++) {
		unsigned other = (number * 3 + i + 1) % count;

		(void)fprintf(file, "import { C%u as Part%u } from '@/f%u/C%u';\n", other, i,
			      other % 40, other);
	}
	(void)fprintf(
		file,
		"%s\ninterface Props {\n  label: string;\n  tone?: 'primary' | 'quiet' | "
		"'danger';\n  on?: boolean;\n  style?: CSSProperties;\n  onChange?: (value: "
		"number) => void;\n}\n\nfunction helper(value: number) {\n  return value > 3 ? "
		"<b>{value}</b> : null;\n}\n\nexport function C%u({ label, tone = 'quiet', on = "
		"true, style }: Props) {\n  const [value, set] = useState(0);\n",
		extra, number);
	put_lines(file, number, count);
	(void)fprintf(file, "\nexport const Memo%u = memo(C%u);\n", number, number);
	(void)fclose(file); /* a full disk shows in the count */
}

static void put_project(const char *root, unsigned count)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/src", root);
	(void)mkdir(path, 0700);
	for (unsigned i = 0; i < count - 1; i++)
		put_file(root, i, count - 1, "");
	(void)snprintf(path, sizeof(path), "%s/tsconfig.json", root);
	file = fopen(path, "w");
	(void)fprintf(file, "{\"compilerOptions\":{\"paths\":{\"@/*\":[\"./src/*\"]}}}\n");
	(void)fclose(file);
	(void)snprintf(path, sizeof(path), "%s/src/routes.tsx", root);
	file = fopen(path, "w");
	(void)fprintf(file, "import { createBrowserRouter } from 'react-router-dom';\n");
	for (unsigned i = 0; i < 100; i++)
		(void)fprintf(file, "import { C%u } from './f%u/C%u';\n", i, i % 40, i);
	(void)fprintf(file, "export const routes = [\n");
	for (unsigned i = 0; i < 100; i++)
		(void)fprintf(file, "  { path: 'r%u', id: 'r%u', element: <C%u /> },\n", i, i, i);
	(void)fprintf(file, "];\ncreateBrowserRouter(routes);\n");
	(void)fclose(file);
}

static size_t read_hints(struct tn_arena *arena, const struct tn_wb_source_found *found,
			 struct tn_wb_source_hint **ret)
{
	struct tn_json *json = NULL;
	const struct tn_json *list;
	size_t count = 0;

	if (tn_json_parse_copy(arena, tn_buf_str(&found->registry), &json, NULL) != TENON_OK)
		bench_die("the registry is no JSON");
	list = tn_json_get(json, "components");
	*ret = tn_arena_alloc_array(arena, list->count + 1, sizeof(**ret));
	for (const struct tn_json *i = list->first; i; i = i->next) {
		const struct tn_json *at = tn_json_get(i, "implementation");
		struct tn_wb_source_hint *hint = &(*ret)[count++];

		*hint = (struct tn_wb_source_hint){.type_id = i->key,
						   .display_name = i->key,
						   .kind = TN_WB_SOURCE_FILE,
						   .is_inferred = true};
		(void)tn_json_to_str(tn_json_get(at, "filePath"), &hint->target);
		(void)tn_json_to_str(tn_json_get(at, "exportName"), &hint->export_name);
	}
	return count;
}

static double now_ms(void)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* cannot fail with this clock */
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A look and its graph, without the time that the bench itself takes. */
static double look(struct tn_wb_source *source, const struct tn_wb_source_scan *what,
		   size_t *ret_bytes)
{
	struct tn_wb_source_found found;
	struct tn_wb_source_graph graph;
	struct tn_wb_source_hint *hints = NULL;
	struct tn_arena arena;
	double begin = now_ms(), pause, resumed, end;
	size_t count;

	tn_arena_init(&arena, 256 * TN_MIB);
	if (tn_wb_source_scan(source, what, NULL, &found, NULL) != TENON_OK)
		bench_die("the scan failed");
	pause = now_ms();
	count = read_hints(&arena, &found, &hints);
	resumed = now_ms();
	if (tn_wb_source_graph(source, hints, count, NULL, 0, NULL, &graph, NULL) != TENON_OK)
		bench_die("the graph failed");
	end = now_ms();
	*ret_bytes = graph.routes.snapshot.size + graph.components.snapshot.size;
	tn_wb_source_found_finish(&found);
	tn_wb_source_graph_finish(&graph);
	tn_arena_finish(&arena);
	return pause - begin + end - resumed;
}

static double median(double *values, size_t count)
{
	uint64_t sorted[RUNS];

	for (size_t i = 0; i < count; i++)
		sorted[i] = (uint64_t)(values[i] * 1e6);
	return (double)bench_percentile(sorted, count, 0.5) / 1e6;
}

int main(int argc, char **argv)
{
	static const struct tn_str include[] = {TN_STR("src/**/*.{tsx,ts,jsx,js}")};
	struct tn_wb_source_scan what = {.infers = true};
	struct tn_wb_globs *globs = NULL;
	struct tn_wb_source *source = NULL;
	char root[] = "/tmp/tenon-bench-XXXXXX", command[64];
	unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
	double cold, same[RUNS], changed[RUNS];
	long before, after, pss;
	size_t bytes = 0;

	if (argc < 2 || !mkdtemp(root) ||
	    tn_wb_globs_create(include, 1, &globs, NULL) != TENON_OK ||
	    tn_wb_source_open(root, argv[1], &source, NULL) != TENON_OK)
		bench_die("usage: workbench_source BUILD [FILES]");
	if (!tn_wb_source_is_available(source))
		bench_die("%s has no tenon-source.so", argv[1]);
	what.include = globs;
	put_project(root, count);
	bench_memory_of(getpid(), &before, &pss);
	cold = look(source, &what, &bytes);
	bench_memory_of(getpid(), &after, &pss);
	for (int i = 0; i < RUNS; i++) {
		char extra[64];

		same[i] = look(source, &what, &bytes);
		(void)snprintf(extra, sizeof(extra), "export const changed = %d;", i);
		put_file(root, 7, count - 1, extra);
		changed[i] = look(source, &what, &bytes);
		if (tn_wb_source_read_count(source) != 1)
			bench_die("more than one file was read again");
	}
	(void)printf("files %zu, cold %.0f ms (at most %d), unchanged %.1f ms, one changed %.1f ms "
		     "(at most %d), graph %zu bytes, memory %ld KiB\n",
		     tn_wb_source_file_count(source), cold, COLD_MS, median(same, RUNS),
		     median(changed, RUNS), CHANGED_MS, bytes, after - before);
	tn_wb_source_close(source);
	tn_wb_globs_destroy(globs);
	(void)snprintf(command, sizeof(command), "rm -rf %s", root);
	if ((system)(command) != 0)
		return 1;
	return cold <= COLD_MS && median(changed, RUNS) <= CHANGED_MS ? 0 : 1;
}
