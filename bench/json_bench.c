/* json_bench.c - how fast JSON is read and written, in MB/s, beside Jansson on the same machine.
 *
 *   ninja -C build bench/json_bench && build/bench/json_bench [FILE...]
 *
 * Without files it makes three documents: a call, a large plan, and prose with escapes. Each figure
 * is the best of five rounds; a schema's figure is for checking the call's arguments. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema.h"

enum { ROUNDS = 5 };

struct document {
	const char *name;
	struct tn_buf text;
	char *scratch; /* of the same size: the readers consume their text */
	struct tn_buf out;
	struct tn_arena arena;
};

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail for this clock */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	(void)fprintf(stderr, "json_bench: %s failed\n", what);
	exit(1);
}

/* ---- what is measured ---- */

typedef void run_fn(struct document *doc);

static void run_copy(struct document *doc)
{
	memcpy(doc->scratch, doc->text.data, doc->text.size);
}

static void run_tokens(struct document *doc)
{
	struct tn_json_reader reader;
	enum tn_json_token token;

	run_copy(doc);
	tn_json_reader_init(&reader, doc->scratch, doc->text.size, TN_JSON_DEPTH_MAX);
	do
		token = tn_json_next(&reader);
	while (token != TN_JSON_TOKEN_END && token != TN_JSON_TOKEN_ERROR);
	check(token == TN_JSON_TOKEN_END, "reading tokens");
}

static struct tn_json *parse(struct document *doc)
{
	struct tn_json *value = NULL;

	run_copy(doc);
	tn_arena_reset(&doc->arena);
	check(tn_json_parse(&doc->arena, doc->scratch, doc->text.size, &value, NULL) == TENON_OK,
	      "parsing");
	return value;
}

static void run_parse(struct document *doc)
{
	(void)parse(doc); /* only its time is wanted */
}

static void run_round_trip(struct document *doc)
{
	struct tn_json *value = parse(doc);

	tn_buf_clear(&doc->out);
	tn_json_put_value(&doc->out, value);
	check(!doc->out.failed, "writing");
}

static void run_jansson(struct document *doc)
{
	json_t *value = json_loadb(doc->text.data, doc->text.size, 0, NULL);

	check(value != NULL, "Jansson");
	json_decref(value);
}

static void run_jansson_round_trip(struct document *doc)
{
	json_t *value = json_loadb(doc->text.data, doc->text.size, 0, NULL);
	json_free_t release;
	char *text = json_dumps(value, JSON_COMPACT);

	check(text != NULL, "Jansson");
	json_get_alloc_funcs(NULL, &release);
	release(text);
	json_decref(value);
}

static double seconds(run_fn *run, struct document *doc)
{
	double best = 1e9;
	size_t repeat = 1 + 4 * TN_MIB / doc->text.size;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now(), spent;

		for (size_t i = 0; i < repeat; i++)
			run(doc);
		spent = (now() - start) / (double)repeat;
		best = spent < best ? spent : best;
	}
	return best;
}

static void measure(struct document *doc)
{
	static const struct {
		const char *name;
		run_fn *run;
	} rows[] = {
		{"tokens", run_tokens},
		{"tree", run_parse},
		{"tree and write", run_round_trip},
		{"jansson tree", run_jansson},
		{"jansson tree and write", run_jansson_round_trip},
	};
	double copy = seconds(run_copy, doc);

	(void)printf("%s, %zu bytes\n", doc->name, doc->text.size);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double spent = seconds(rows[i].run, doc);

		if (i < 3)
			spent -= copy; /* Jansson reads constant text */
		(void)printf("  %-24s %8.1f MB/s\n", rows[i].name,
			     (double)doc->text.size / spent / 1e6);
	}
}

/* ---- documents ---- */

static void make_call(struct tn_buf *out)
{
	tn_buf_append_text(out,
			   "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"tools/call\",\"params\":"
			   "{\"name\":\"terraform_explain\",\"arguments\":{\"plan_text\":"
			   "\"aws_instance.web will be created\\n  + ami = \\\"ami-1\\\"\","
			   "\"source\":\"builtin\",\"limit\":25,\"verbose\":false},\"_meta\":"
			   "{\"progressToken\":\"p-17\"}}}");
}

static void make_plan(struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "resource_changes");
	tn_json_begin_array(out);
	for (int i = 0; out->size < 10 * TN_MIB; i++) {
		tn_json_begin_object(out);
		tn_json_put_key(out, "address");
		tn_json_put_text(out, "module.network[0].aws_subnet.private");
		tn_json_put_member_text(out, "mode", "managed");
		tn_json_put_member_int(out, "index", i);
		tn_json_put_key(out, "change");
		tn_json_begin_object(out);
		tn_json_put_key(out, "actions");
		tn_json_begin_array(out);
		tn_json_put_text(out, i % 3 ? "update" : "delete");
		tn_json_end_array(out);
		tn_json_put_key(out, "after");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "cidr_block", "10.0.16.0/20");
		tn_json_put_member_bool(out, "map_public_ip_on_launch", false);
		tn_json_put_member_null(out, "ipv6_cidr_block");
		tn_json_put_key(out, "cost");
		tn_json_put_double(out, i * 0.25 + 0.1);
		tn_json_put_member_text(out, "description", "private \"subnet\"\nof the network");
		tn_json_end_object(out);
		tn_json_end_object(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static void make_prose(struct tn_buf *out)
{
	tn_json_begin_array(out);
	while (out->size < 10 * TN_MIB)
		tn_json_put_text(out,
				 "A line of a log, as it comes:\tcaf\xC3\xA9 \xE2\x82\xAC 5\n"
				 "and \"another\" one, of the usual length, with nothing in it "
				 "that has to be escaped at all, which is most of the text.");
	tn_json_end_array(out);
}

static void measure_text(const char *name, struct tn_buf text)
{
	struct document doc = {.name = name, .text = text};

	doc.scratch = tn_mem_alloc(text.size);
	check(doc.scratch != NULL, "memory");
	tn_buf_init(&doc.out, 256 * TN_MIB);
	tn_arena_init(&doc.arena, 1024 * TN_MIB);
	measure(&doc);
	tn_arena_finish(&doc.arena);
	tn_buf_finish(&doc.out);
	tn_mem_free(doc.scratch);
}

static void measure_schema(void)
{
	static const char schema_text[] =
		"{\"type\":\"object\",\"properties\":{\"plan_text\":{\"type\":\"string\","
		"\"minLength\":1},"
		"\"source\":{\"enum\":[\"builtin\",\"openai\"]},\"limit\":{\"type\":\"integer\","
		"\"minimum\":1,\"maximum\":100},\"verbose\":{\"type\":\"boolean\"}},"
		"\"required\":[\"plan_text\"],\"additionalProperties\":false}";
	struct tn_schema *schema = NULL;
	struct tn_arena arena;
	struct tn_json *call;
	struct tn_buf text;
	const struct tn_json *arguments;
	double start = now();

	for (int i = 0; i < 10000; i++) {
		tn_schema_free(schema);
		check(tn_schema_compile_text(tn_str_from(schema_text), &schema, NULL) == TENON_OK,
		      "compiling");
	}
	(void)printf("schema of four properties\n  %-24s %8.2f us\n", "parse and compile",
		     (now() - start) / 10000 * 1e6);
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&text, TN_MIB);
	make_call(&text);
	check(tn_json_parse(&arena, text.data, text.size, &call, NULL) == TENON_OK, "parsing");
	arguments = tn_json_get(tn_json_get(call, "params"), "arguments");
	start = now();
	for (int i = 0; i < 1000000; i++)
		check(tn_schema_check(schema, arguments, NULL) == TENON_OK, "checking");
	(void)printf("  %-24s %8.3f us\n", "check", (now() - start) / 1000000 * 1e6);
	tn_schema_free(schema);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}

static void measure_file(const char *name)
{
	struct tn_buf text;
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	check(fd >= 0, name);
	tn_buf_init(&text, 256 * TN_MIB);
	check(tn_buf_read_all(&text, fd, NULL) == TENON_OK, name);
	(void)close(fd); /* only read from */
	measure_text(name, text);
	tn_buf_finish(&text);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct tn_buf *out);
	} made[] = {{"call", make_call}, {"plan", make_plan}, {"prose", make_prose}};

	for (int i = 1; i < argc; i++)
		measure_file(argv[i]);
	for (size_t i = 0; argc == 1 && i < sizeof(made) / sizeof(made[0]); i++) {
		struct tn_buf text;

		tn_buf_init(&text, 64 * TN_MIB);
		made[i].make(&text);
		check(!text.failed, "making a document");
		measure_text(made[i].name, text);
		tn_buf_finish(&text);
	}
	measure_schema();
	return 0;
}
