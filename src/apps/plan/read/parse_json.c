#include "apps/plan/read/parse_json.h"

#include "apps/plan/read/count.h"
#include "apps/plan/read/json_change.h"
#include "apps/plan/read/json_value.h"
#include "apps/plan/read/plan_line.h"
#include "base/size.h"
#include "base/utf8.h"

/* ---- detection ---- */

/* An object with both members on its first line is a record of the stream. */
enum tn_plan_kind tn_plan_detect_json(struct tn_str text)
{
	struct tn_str rest = tn_str_trim(text), line;
	size_t end;

	if (rest.size == 0 || rest.data[0] != '{')
		return TN_PLAN_TEXT;
	end = tn_str_find_byte(rest, '\n');
	line = end == TN_STR_NONE ? rest : tn_str(rest.data, end);
	if (line.size > 64 * TN_KIB)
		line.size = 64 * TN_KIB;
	if (tn_str_find(line, TN_STR("\"@level\"")) != TN_STR_NONE)
		return TN_PLAN_JSON_STREAM;
	return TN_PLAN_JSON;
}

/* ---- the document ---- */

struct document {
	struct tn_plan_json_reader reader;
	struct tn_str format_version;
	bool has_changes, has_planned_values, has_lineage;
};

/* Each element of an array by `read`. */
static bool read_array(struct document *document,
		       bool (*read)(struct tn_plan_json_reader *reader, enum tn_json_token token))
{
	struct tn_json_reader *tokens = &document->reader.tokens;
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_ARRAY)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) != TN_JSON_TOKEN_ARRAY_END) {
		if (!read(&document->reader, token))
			return false;
	}
	return true;
}

static bool read_outputs(struct document *document)
{
	struct tn_json_reader *tokens = &document->reader.tokens;
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		struct tn_str name = tokens->text;

		if (!tn_plan_json_read_output(&document->reader, name, tn_json_next(tokens)))
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END;
}

static bool read_errored(struct document *document)
{
	enum tn_json_token token = tn_json_next(&document->reader.tokens);

	if (token == TN_JSON_TOKEN_TRUE)
		document->reader.build->plan->errored = true;
	return tn_plan_json_pass(&document->reader.tokens, token);
}

static bool read_changes(struct document *document)
{
	document->has_changes = true;
	return read_array(document, tn_plan_json_read_change);
}

static bool read_drift(struct document *document)
{
	return read_array(document, tn_plan_json_read_drift);
}

static bool read_deferred(struct document *document)
{
	return read_array(document, tn_plan_json_read_deferred);
}

static bool read_invocations(struct document *document)
{
	return read_array(document, tn_plan_json_read_invocation);
}

static bool read_checks(struct document *document)
{
	return read_array(document, tn_plan_json_read_check);
}

static bool read_format_version(struct document *document)
{
	return tn_plan_json_read_text(&document->reader.tokens, &document->format_version);
}

static bool read_tool_version(struct document *document)
{
	return tn_plan_json_read_text(&document->reader.tokens,
				      &document->reader.build->plan->tool_version);
}

static bool read_planned_values(struct document *document)
{
	document->has_planned_values = true;
	return tn_json_skip(&document->reader.tokens);
}

static bool read_lineage(struct document *document)
{
	document->has_lineage = true;
	return tn_json_skip(&document->reader.tokens);
}

/* What else there is (configuration, prior state, variables) is passed over. */
static const struct {
	const char *key;
	bool (*read)(struct document *document);
} members[] = {
	{"resource_changes", read_changes},
	{"resource_drift", read_drift},
	{"deferred_changes", read_deferred},
	{"action_invocations", read_invocations},
	{"checks", read_checks},
	{"output_changes", read_outputs},
	{"format_version", read_format_version},
	{"terraform_version", read_tool_version},
	{"planned_values", read_planned_values},
	{"errored", read_errored},
	{"lineage", read_lineage},
};

static bool read_member(struct document *document, struct tn_str key)
{
	for (size_t i = 0; i < TN_COUNT(members); i++) {
		if (tn_str_is(key, members[i].key))
			return members[i].read(document);
	}
	return tn_json_skip(&document->reader.tokens);
}

/* False: not JSON somewhere, or the build has failed. */
static bool read_document(struct document *document)
{
	struct tn_json_reader *tokens = &document->reader.tokens;
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_OBJECT)
		return false;
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		if (!read_member(document, tokens->text) ||
		    document->reader.build->code != TENON_OK)
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END && tn_json_next(tokens) == TN_JSON_TOKEN_END;
}

/* ---- the verdict ---- */

static void check_version(struct document *document)
{
	struct tn_plan_build *build = document->reader.build;
	struct tn_str version = document->format_version, major, minor;
	uint64_t number;
	size_t dot = tn_str_find_byte(version, '.');

	if (version.size == 0) {
		tn_plan_warn(build, "format_version_missing", 0,
			     "the plan does not say which version of the format it has");
		return;
	}
	major = dot == TN_STR_NONE ? version : tn_str(version.data, dot);
	minor = dot == TN_STR_NONE ? TN_STR("0") : tn_str_from_offset(version, dot + 1);
	if (!tn_str_is(major, "0") && !tn_str_is(major, "1")) {
		(void)tn_plan_build_fail(build, TENON_INVALID, "unsupported_format",
					 "format_version %.*s is not known; 0.x and 1.x are",
					 (int)tn_utf8_cut(version, 20).size, version.data);
		return;
	}
	if (!tn_str_to_uint(minor, &number) || number > 2)
		tn_plan_warn(build, "format_version_unknown", 0,
			     "format_version %.*s is newer than this version knows",
			     (int)tn_utf8_cut(version, 20).size, version.data);
}

static void add_unit(struct tn_plan_build *build)
{
	struct tn_plan_unit *unit = tn_plan_add_unit(build);

	if (unit)
		unit->plan_line = TN_PLAN_LINE_ABSENT;
}

static enum tn_plan_status find_status(const struct tn_plan *plan)
{
	if (plan->errored)
		return TN_PLAN_ERRORED;
	if (plan->change_count || plan->invocation_count)
		return TN_PLAN_CHANGES;
	if (plan->truncated)
		return TN_PLAN_NO_VERDICT; /* the changes may have been what is missing */
	if (plan->output_count)
		return TN_PLAN_OUTPUTS_ONLY;
	if (plan->deferred_count)
		return TN_PLAN_DEFERRED_ONLY;
	return plan->drift_count ? TN_PLAN_DRIFT_ONLY : TN_PLAN_NO_CHANGES;
}

static void conclude(struct document *document)
{
	struct tn_plan_build *build = document->reader.build;
	struct tn_plan *plan = build->plan;

	check_version(document);
	add_unit(build);
	tn_plan_count(build);
	plan->mode = tn_plan_only_unexplained_deletes(plan) ? TN_PLAN_DESTROY : TN_PLAN_NORMAL;
	plan->status = find_status(plan);
	tn_plan_judge(build);
}

static bool is_plan(const struct document *document)
{
	if (document->has_lineage && !document->has_changes)
		return false;
	return document->has_changes ||
	       (document->has_planned_values && document->format_version.size > 0);
}

static void fail_json(struct document *document)
{
	struct tn_plan_build *build = document->reader.build;
	struct tenon_error fault = {.code = TENON_OK};

	(void)tn_json_reader_fail(&document->reader.tokens, &fault);
	(void)tn_plan_build_fail(build, TENON_INVALID, "not_a_plan", "the JSON is broken: %s",
				 fault.message);
}

void tn_plan_parse_json(struct tn_plan_build *build, struct tn_plan_text text)
{
	struct document document = {.has_changes = false};
	struct tn_json_reader *tokens = &document.reader.tokens;

	build->plan->kind = TN_PLAN_JSON;
	build->plan->format = TN_PLAN_FORMAT_JSON;
	if (!tn_plan_json_reader_init(&document.reader, build, text.data, text.size))
		return;
	if (!read_document(&document) && build->code == TENON_OK) {
		/* Only the end is missing: what was read is still true. */
		if (tokens->at >= tokens->end && is_plan(&document)) {
			build->plan->truncated = true;
			tn_plan_warn(build, "truncated", 0, "the JSON stops before its end");
		} else {
			fail_json(&document);
		}
	}
	if (build->code == TENON_OK && !is_plan(&document))
		(void)tn_plan_build_fail(build, TENON_INVALID, "not_a_plan",
					 "this JSON is no plan; send the output of "
					 "`terraform show -json PLANFILE`");
	if (build->code == TENON_OK)
		conclude(&document);
	tn_plan_json_reader_finish(&document.reader);
}
