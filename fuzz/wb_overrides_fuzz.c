/* wb_overrides_fuzz.c - any override file: it is used whole or not at all, and what was read is
 * written so that it reads back the same, byte for byte. And any batch: it is done whole or not at
 * all, and its inverse restores what was.
 *
 * The input: a file, or a batch after a first byte "!". */
#include <stdint.h>

#include "apps/workbench/drafts/drafts.h"
#include "apps/workbench/drafts/override_file.h"
#include "base/clock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW "2026-01-31T08:44:40.000Z"

static const char module[] =
	"{\"schemaVersion\":\"v0\",\"components\":{\"t\":{\"displayName\":\"T\",\"props\":{"
	"\"s\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},"
	"\"constraints\":{\"pattern\":\"^[a-z]+$\"}}},\"j\":{\"exposure\":{\"kind\":\"editable\","
	"\"control\":{\"kind\":\"json\"}}},\"n\":{\"exposure\":{\"kind\":\"editable\","
	"\"control\":{\"kind\":\"number\"}}},\"o\":{\"exposure\":{\"kind\":\"opaque\"}}}}}}";

/* ---- files ---- */

static void check_file(struct tn_str text)
{
	struct tn_wb_document document, again;
	char updated_at[TN_CLOCK_ISO_SIZE];
	struct tn_wb_diagnostics diagnostics;
	struct tn_buf first, second;

	tn_wb_document_init(&document);
	tn_wb_document_init(&again);
	tn_wb_diagnostics_init(&diagnostics);
	tn_buf_init(&first, TN_WB_OVERRIDES_FILE_MAX);
	tn_buf_init(&second, TN_WB_OVERRIDES_FILE_MAX);
	if (tn_wb_override_file_read(&document, text, updated_at, &diagnostics, NULL) != TENON_OK) {
		tn_assert(diagnostics.count > 0 && diagnostics.items[0].message[0]);
	} else {
		tn_wb_override_file_put(&first, &document, NOW);
		tn_assert(tn_wb_override_file_read(&again, tn_buf_str(&first), updated_at, NULL,
						   NULL) == TENON_OK);
		tn_assert(strcmp(updated_at, NOW) == 0 && again.count == document.count);
		tn_wb_override_file_put(&second, &again, NOW);
		tn_assert(tn_str_equal(tn_buf_str(&first), tn_buf_str(&second)));
	}
	tn_buf_finish(&second);
	tn_buf_finish(&first);
	tn_wb_diagnostics_finish(&diagnostics);
	tn_wb_document_finish(&again);
	tn_wb_document_finish(&document);
}

/* ---- batches ---- */

static enum tenon_code apply(struct tn_wb_drafts *drafts, const struct tn_wb_registry *registry,
			     const struct tn_json *ops, struct tn_wb_outcome *outcome)
{
	const struct tn_wb_facts facts = {.registry = registry};
	const struct tn_wb_batch batch = {.ops = ops, .expected_revision = -1, .facts = &facts};

	tn_wb_outcome_init(outcome);
	return tn_wb_drafts_apply(drafts, &batch, outcome, NULL);
}

static void check_ops(struct tn_wb_drafts *drafts, const struct tn_wb_registry *registry,
		      struct tn_arena *arena, const struct tn_json *ops)
{
	const struct tn_wb_document *document = tn_wb_drafts_document(drafts);
	struct tn_wb_outcome outcome;
	struct tn_json *inverse = NULL;

	if (apply(drafts, registry, ops, &outcome) != TENON_OK) {
		tn_assert(outcome.failure && document->count == 0);
		for (size_t i = 0; i < outcome.fault_count; i++)
			tn_assert(outcome.faults[i].code && outcome.faults[i].message[0]);
	} else if (outcome.changed) {
		tn_assert(tn_json_parse_copy(arena, tn_buf_str(&outcome.inverse), &inverse, NULL) ==
			  TENON_OK);
		tn_wb_outcome_finish(&outcome);
		tn_assert(apply(drafts, registry, inverse, &outcome) == TENON_OK);
		tn_assert(document->count == 0);
	}
	tn_wb_outcome_finish(&outcome);
}

static void check_batch(struct tn_str text)
{
	const struct tn_wb_drafts_options options = {.root_fd = -1, .clock = &tn_clock_system};
	struct tn_wb_contribution contribution = {.module = TN_STR("m")};
	const struct tn_wb_registry_inputs inputs = {.contributions = &contribution, .count = 1};
	struct tn_wb_registry *registry = NULL;
	struct tn_wb_drafts *drafts = NULL;
	struct tn_json *ops = NULL, *tree = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, 256 * TN_MIB);
	tn_assert(tn_json_parse_copy(&arena, tn_str_from(module), &tree, NULL) == TENON_OK);
	contribution.tree = tree;
	tn_assert(tn_wb_registry_compose(&inputs, NULL, &registry, NULL) == TENON_OK);
	tn_assert(tn_wb_drafts_open(&options, &drafts, NULL) == TENON_OK);
	if (tn_json_parse_copy(&arena, text, &ops, NULL) == TENON_OK)
		check_ops(drafts, registry, &arena, ops);
	tn_wb_drafts_close(drafts);
	tn_wb_registry_free(registry);
	tn_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size);

	if (size > 0 && data[0] == '!')
		check_batch(tn_str_from_offset(text, 1));
	else
		check_file(text);
	return 0;
}
