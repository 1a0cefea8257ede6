/* The official JSON Schema test suite, when it is there: tools/fetch-schema-suite.sh gets it, or
 * the Debian package libtest-json-schema-acceptance-perl installs it. Where it is not, this test
 * reports itself as skipped. What we answer differently on purpose stands in the table below; a
 * line that has become needless fails the test as well. MCP-279, MCP-281, MCP-283 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/schema.h"

enum { SKIPPED = 77 }; /* what Meson takes for "skipped" */

#define INSTALLED "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests"

#define FETCH "the schema or the dialect would have to be fetched (MCP-281)"
#define PROPERTY "\\p{...} needs Unicode tables; it is refused (docs/decisions/0001-patterns.md)"
#define CONTENT "contentEncoding and contentMediaType are annotations, as 2020-12 has it"
#define EMAIL "quoted names and address literals: nobody's address in a form"

/* Group and test NULL: all of them. */
static const struct deviation {
	const char *file, *group, *test, *reason;
} deviations[] = {
	{"draft2020-12/refRemote.json", NULL, NULL, FETCH},
	{"draft2020-12/ref.json", "remote ref, containing refs itself", "remote ref valid", FETCH},
	{"draft2020-12/optional/ecmascript-regex.json", "pattern with non-ASCII digits", NULL,
	 PROPERTY},
	{"draft2020-12/optional/ecmascript-regex.json", "patternProperties with non-ASCII digits",
	 NULL, PROPERTY},
	{"draft2020-12/optional/ecmascript-regex.json",
	 "patterns always use unicode semantics with pattern", NULL, PROPERTY},
	{"draft2020-12/optional/ecmascript-regex.json",
	 "patterns always use unicode semantics with patternProperties", NULL, PROPERTY},
	{"draft7/refRemote.json", NULL, NULL, FETCH},
	{"draft7/ref.json", "remote ref, containing refs itself", "remote ref valid", FETCH},
	{"draft7/optional/ecmascript-regex.json", "pattern with non-ASCII digits", NULL, PROPERTY},
	{"draft7/optional/ecmascript-regex.json", "patternProperties with non-ASCII digits", NULL,
	 PROPERTY},
	{"draft7/optional/ecmascript-regex.json",
	 "patterns always use unicode semantics with pattern", NULL, PROPERTY},
	{"draft7/optional/ecmascript-regex.json",
	 "patterns always use unicode semantics with patternProperties", NULL, PROPERTY},
	{"draft2020-12/defs.json", "validate definition against metaschema",
	 "valid definition schema", FETCH},
	{"draft7/definitions.json", "validate definition against metaschema",
	 "valid definition schema", FETCH},
	{"draft2020-12/dynamicRef.json", "strict-tree schema, guards against misspelled properties",
	 NULL, FETCH},
	{"draft2020-12/dynamicRef.json",
	 "tests for implementation dynamic anchor and reference link", NULL, FETCH},
	{"draft2020-12/dynamicRef.json",
	 "$ref and $dynamicAnchor are independent of order - $defs first", NULL, FETCH},
	{"draft2020-12/dynamicRef.json",
	 "$ref and $dynamicAnchor are independent of order - $ref first", NULL, FETCH},
	{"draft2020-12/id.json", "Valid use of empty fragments in location-independent $id", NULL,
	 FETCH},
	{"draft2020-12/id.json", "Unnormalized $ids are allowed but discouraged", NULL, FETCH},
	{"draft2020-12/vocabulary.json", NULL, NULL, FETCH},
	{"draft2020-12/optional/format-assertion.json", NULL, NULL, FETCH},
	{"draft2020-12/optional/cross-draft.json", NULL, NULL, FETCH},
	{"draft7/optional/cross-draft.json", NULL, NULL, FETCH},
	{"draft7/optional/content.json", NULL, NULL, CONTENT},
	{"draft2020-12/optional/format/email.json", NULL,
	 "a quoted string with a space in the local part is valid", EMAIL},
	{"draft2020-12/optional/format/email.json", NULL,
	 "a quoted string with a double dot in the local part is valid", EMAIL},
	{"draft2020-12/optional/format/email.json", NULL,
	 "a quoted string with a @ in the local part is valid", EMAIL},
	{"draft2020-12/optional/format/email.json", NULL,
	 "an IPv4-address-literal after the @ is valid", EMAIL},
	{"draft2020-12/optional/format/email.json", NULL,
	 "an IPv6-address-literal after the @ is valid", EMAIL},
};

static bool used[TN_COUNT(deviations)];

struct tally {
	unsigned right, deviating, wrong;
};

static bool same(const char *pattern, const char *text)
{
	return !pattern || strcmp(pattern, text) == 0;
}

static bool is_deviation(const char *file, const char *group, const char *test)
{
	for (size_t i = 0; i < TN_COUNT(deviations); i++) {
		const struct deviation *d = &deviations[i];

		if (strcmp(d->file, file) == 0 && same(d->group, group) && same(d->test, test)) {
			used[i] = true;
			return true;
		}
	}
	return false;
}

static const char *text_of(struct tn_arena *arena, const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("?");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return tn_arena_copy(arena, text);
}

static void run_test(struct tn_arena *arena, const char *file, const char *group,
		     const struct tn_schema *schema, const char *compile_error,
		     const struct tn_json *test, struct tally *tally)
{
	const char *name = text_of(arena, test, "description");
	struct tn_schema_faults faults = {.root = "value"};
	bool wanted = false, got = false;

	faults.items[0].message[0] = '\0';
	(void)tn_json_to_bool(tn_json_get(test, "valid"), &wanted);
	if (schema)
		got = tn_schema_check(schema, tn_json_get(test, "data"), &faults) == TENON_OK;
	if (schema && got == wanted) {
		tally->right++;
		if (!got && faults.count == 0) {
			(void)fprintf(stderr, "%s | %s | %s: invalid, but no fault\n", file, group,
				      name);
			tally->wrong++;
		}
		return;
	}
	if (is_deviation(file, group, name)) {
		tally->deviating++;
		return;
	}
	tally->wrong++;
	(void)fprintf(stderr, "%s | %s | %s: should be %s: %s\n", file, group, name,
		      wanted ? "valid" : "invalid",
		      schema ? faults.items[0].message : compile_error);
}

static void run_group(struct tn_arena *arena, const char *file, const struct tn_json *group,
		      unsigned flags, struct tally *tally)
{
	const struct tn_json *tests = tn_json_get(group, "tests");
	const char *name = text_of(arena, group, "description");
	struct tn_schema *schema = NULL;
	struct tn_json *source;
	struct tenon_error err;
	enum tenon_code code = TENON_OK;

	/* Files of draft-07 do not say so in each schema. */
	source = (struct tn_json *)(uintptr_t)tn_json_get(group, "schema");
	if (strncmp(file, "draft7/", 7) == 0 && source->type == TN_JSON_OBJECT &&
	    !tn_json_get(source, "$schema")) {
		struct tn_json *dialect = tn_arena_alloc(arena, sizeof(*dialect));

		*dialect = (struct tn_json){
			.type = TN_JSON_STRING,
			.key = TN_STR("$schema"),
			.text = TN_STR("http://json-schema.org/draft-07/schema#"),
			.next = source->first,
		};
		source->first = dialect;
		source->count++;
	}
	code = tn_schema_compile_flags(source, flags, &schema, &err);
	for (const struct tn_json *test = tests->first; test; test = test->next)
		run_test(arena, file, name, schema, code == TENON_OK ? "" : err.message, test,
			 tally);
	tn_schema_free(schema);
}

/* False: the file is not there, which is fine for a suite of another date. */
static bool run_file(int dir, const char *file, unsigned flags, struct tally *tally)
{
	struct tn_arena arena;
	struct tn_buf text;
	struct tn_json *groups;
	struct tenon_error err;
	int fd = openat(dir, file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	tn_buf_init(&text, TN_MESSAGE_BYTES_MAX);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_buf_read_all(&text, fd, &err) != TENON_OK ||
	    tn_json_parse(&arena, text.data, text.size, &groups, &err) != TENON_OK) {
		(void)fprintf(stderr, "%s: %s\n", file, err.message);
		tally->wrong++;
	} else {
		for (const struct tn_json *group = groups->first; group; group = group->next)
			run_group(&arena, file, group, flags, tally);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
	(void)close(fd); /* only read from */
	return true;
}

static void run_directory(int suite, const char *path, struct tally *tally)
{
	char file[1024];
	int fd = openat(suite, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		size_t length = strlen(entry->d_name);

		if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
			continue;
		(void)snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		(void)run_file(suite, file, 0, tally);
	}
	(void)closedir(dir); /* only read from */
}

static const char *const formats[] = {
	"draft2020-12/optional/format/email.json",
	"draft2020-12/optional/format/uri.json",
	"draft2020-12/optional/format/date.json",
	"draft2020-12/optional/format/date-time.json",
};

int main(void)
{
	const char *path = getenv("TENON_SCHEMA_SUITE");
	struct tally tally = {0};
	int suite;

	suite = open(path ? path : INSTALLED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (suite < 0) {
		(void)printf("the suite is not installed; run tools/fetch-schema-suite.sh DIR and "
			     "set TENON_SCHEMA_SUITE\n");
		return SKIPPED;
	}
	run_directory(suite, "draft2020-12", &tally);
	run_directory(suite, "draft2020-12/optional", &tally);
	run_directory(suite, "draft7", &tally);
	run_directory(suite, "draft7/optional", &tally);
	for (size_t i = 0; i < TN_COUNT(formats); i++)
		(void)run_file(suite, formats[i], TN_SCHEMA_ASSERT_FORMAT, &tally);
	(void)close(suite); /* only read from */
	for (size_t i = 0; i < TN_COUNT(deviations); i++) {
		if (!used[i]) {
			(void)fprintf(stderr, "needless deviation: %s | %s | %s\n",
				      deviations[i].file,
				      deviations[i].group ? deviations[i].group : "*",
				      deviations[i].test ? deviations[i].test : "*");
			tally.wrong++;
		}
	}
	(void)printf("%u right, %u deviating on purpose, %u wrong\n", tally.right, tally.deviating,
		     tally.wrong);
	return tally.wrong || tally.right < 1000;
}
