/* schema_fuzz.c - a schema and a value, both from outside: {"schema": ..., "value": ...}, or any
 * document as its own schema. The told faults and the plain answer agree. */
#include <stdint.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_faults(const struct tn_schema_faults *faults)
{
	tn_assert(faults->count <= TN_SCHEMA_FAULTS_MAX);
	for (uint32_t i = 0; i < faults->count; i++) {
		const struct tn_schema_fault *fault = &faults->items[i];

		tn_assert(fault->keyword && fault->path[0]);
		tn_assert(strlen(fault->path) < sizeof(fault->path));
		tn_assert(tn_utf8_valid(fault->message, strlen(fault->message)));
	}
}

static void check(const struct tn_schema *schema, const struct tn_json *value)
{
	struct tn_schema_faults faults = {.root = "value"};
	enum tenon_code told = tn_schema_check(schema, value, &faults);
	enum tenon_code quiet = tn_schema_check(schema, value, NULL);

	/* Only when something ran out may the two differ: telling takes more steps. */
	tn_assert(told == quiet || told == TENON_LIMIT || quiet == TENON_LIMIT ||
		  (told != TENON_OK && quiet != TENON_OK));
	tn_assert((told == TENON_OK) == (faults.count == 0));
	check_faults(&faults);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tn_json *schema, *value;
	struct tn_schema *compiled = NULL;
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_json *root;

	tn_arena_init(&arena, 16 * TN_MIB);
	if (tn_json_parse_copy(&arena, tn_str((const char *)data, size), &root, &err) == TENON_OK) {
		schema = tn_json_get(root, "schema");
		value = tn_json_get(root, "value");
		if (tn_schema_compile_flags(schema ? schema : root, TN_SCHEMA_ASSERT_FORMAT,
					    &compiled, &err) == TENON_OK)
			check(compiled, value ? value : root);
		else
			tn_assert(compiled == NULL && err.message[0]);
		tn_schema_free(compiled);
	}
	tn_arena_finish(&arena);
	return 0;
}
