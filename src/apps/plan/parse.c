#include "apps/plan/parse.h"

#include "base/digest.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/build.h"
#include "apps/plan/read/parse_json.h"
#include "apps/plan/read/parse_text.h"
#include "apps/plan/explain/risk.h"
#include "base/mem.h"
#include "base/size.h"

static size_t memory_limit(size_t size)
{
	size_t limit;

	if (!tn_size_mul(size, TN_PLAN_MEMORY_FACTOR, &limit) ||
	    !tn_size_add(limit, TN_PLAN_MEMORY_FLOOR, &limit))
		return TN_PLAN_MEMORY_FLOOR;
	return limit;
}

static void read_text(struct tn_plan_build *build, struct tn_plan_text text)
{
	build->plan->kind = TN_PLAN_TEXT;
	tn_plan_clean_wrapping(build, &text);
	tn_plan_clean_controls(build, &text);
	tn_plan_clean_entities(build, &text);
	tn_plan_clean_prefixes(build, &text);
	tn_plan_parse_text(build, text);
}

static enum tn_plan_kind find_kind(const struct tn_plan_build *build, struct tn_str text)
{
	switch (build->options->input_kind) {
	case TN_PLAN_INPUT_TEXT:
		return TN_PLAN_TEXT;
	case TN_PLAN_INPUT_JSON:
		return TN_PLAN_JSON;
	case TN_PLAN_INPUT_JSON_STREAM:
		return TN_PLAN_JSON_STREAM;
	default:
		return tn_plan_detect_json(text);
	}
}

static void read_kind(struct tn_plan_build *build, struct tn_plan_text text)
{
	switch (find_kind(build, tn_str(text.data, text.size))) {
	case TN_PLAN_JSON:
		tn_plan_parse_json(build, text);
		break;
	case TN_PLAN_JSON_STREAM:
		tn_plan_parse_stream(build, text);
		break;
	default:
		read_text(build, text);
		break;
	}
}

static void read_any(struct tn_plan_build *build, const void *bytes, size_t size)
{
	struct tn_plan *plan = build->plan;
	struct tn_plan_text text;

	if (size >= 4 && memcmp(bytes, "PK\x03\x04", 4) == 0) {
		(void)tn_plan_build_fail(build, TENON_INVALID, "binary_plan",
					 "this is a saved plan file; render it with "
					 "`terraform show -no-color FILE` and send that text");
		return;
	}
	tn_digest_hex(tn_str(bytes, size), plan->sha256);
	if (!tn_plan_build_tick(build, 0) || !tn_plan_clean_encoding(build, bytes, size, &text))
		return;
	read_kind(build, text);
	(void)tn_plan_build_tick(build, size);
}

enum tenon_code tn_plan_parse(const void *bytes, size_t size, const struct tn_plan_options *options,
			      struct tn_plan **ret, const char **ret_reason,
			      struct tenon_error *err)
{
	static const struct tn_plan_options defaults = {.bytes_max = 0};
	struct tn_plan_build build;
	struct tn_plan *plan;
	size_t bytes_max;

	if (!options)
		options = &defaults;
	bytes_max = options->bytes_max ? options->bytes_max : TN_PLAN_CLI_BYTES_MAX;
	if (ret_reason)
		*ret_reason = NULL;
	if (size > bytes_max) {
		if (ret_reason)
			*ret_reason = "input_too_large";
		return tn_fail(err, TENON_LIMIT, "the plan has %zu bytes; at most %zu are read",
			       size, bytes_max);
	}
	plan = tn_mem_alloc(sizeof(*plan));
	if (!plan)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a plan");
	tn_arena_init(&plan->arena, memory_limit(size));
	plan->bytes = size;
	tn_plan_build_init(&build, plan, options, err);
	read_any(&build, size ? bytes : "", size);
	/* Lists that hit their limit are cut and say so; one that got no memory must not pass for
	 * that. */
	tn_plan_build_check_memory(&build, plan->arena.starved);
	if (build.code == TENON_OK && tn_plan_assess_risk(plan, err) != TENON_OK)
		(void)tn_plan_build_fail(&build, TENON_LIMIT, "input_too_large",
					 "no memory to assess the plan's risk; split it");
	if (build.code != TENON_OK) {
		if (ret_reason)
			*ret_reason = build.reason;
		tn_plan_free(plan);
		return build.code;
	}
	*ret = plan;
	return TENON_OK;
}

void tn_plan_free(struct tn_plan *plan)
{
	if (!plan)
		return;
	tn_arena_finish(&plan->arena);
	tn_mem_free(plan->changes);
	tn_mem_free(plan);
}
