/* From a name to its definition and to everything that refers to it; giving it another name. */
#include "apps/floorplan/lsp/internal.h"
#include "jsonrpc/json_write.h"

struct found {
	struct tn_lsp_mentions all;
	const struct tn_lsp_mention *here; /* NULL: no name stands there */
};

static struct found find(struct tn_lsp_request *request)
{
	struct found found;

	tn_lsp_find_mentions(request->document->plan, request->arena, &found.all);
	found.here = tn_lsp_mention_at(request->document->plan, &found.all, request->offset);
	return found;
}

static const struct tn_floor_range *range_of(const struct tn_lsp_request *request, uint32_t token)
{
	return &request->document->plan->tree.lexed.tokens[token].range;
}

static void put_range(const struct tn_lsp_request *request, const char *key, uint32_t token)
{
	const struct tn_floor_range *range = range_of(request, token);

	tn_lsp_put_range(request->result, key, request->document, range->start, range->end);
}

static void put_location(const struct tn_lsp_request *request, uint32_t token)
{
	tn_json_begin_object(request->result);
	tn_json_put_member_text(request->result, "uri", request->document->uri);
	put_range(request, "range", token);
	tn_json_end_object(request->result);
}

void tn_lsp_definition(struct tn_lsp_request *request)
{
	struct found found = find(request);

	if (found.here)
		put_location(request, found.here->definition);
}

void tn_lsp_references(struct tn_lsp_request *request)
{
	struct found found = find(request);
	bool with_definition = true;

	(void)tn_json_to_bool(
		tn_json_get(tn_json_get(request->params, "context"), "includeDeclaration"),
		&with_definition);
	tn_json_begin_array(request->result);
	for (size_t i = 0; i < found.all.count && found.here; i++) {
		const struct tn_lsp_mention *one = &found.all.list[i];

		if (one->definition != found.here->definition)
			continue;
		if (with_definition || one->token != one->definition)
			put_location(request, one->token);
	}
	tn_json_end_array(request->result);
}

void tn_lsp_prepare_rename(struct tn_lsp_request *request)
{
	struct found found = find(request);

	if (!found.here)
		return;
	tn_json_begin_object(request->result);
	put_range(request, "range", found.here->token);
	tn_json_put_member_str(
		request->result, "placeholder",
		tn_floor_token_text(&request->document->plan->tree.lexed, found.here->token));
	tn_json_end_object(request->result);
}

/* Another of the same kind, where the name counts. */
static bool is_taken(const struct tn_lsp_request *request, const struct found *found,
		     struct tn_str name)
{
	for (size_t i = 0; i < found->all.count; i++) {
		const struct tn_lsp_mention *one = &found->all.list[i];

		if (one->kind == found->here->kind && one->floor == found->here->floor &&
		    one->definition != found->here->definition &&
		    tn_str_equal(tn_floor_token_text(&request->document->plan->tree.lexed,
						     one->definition),
				 name))
			return true;
	}
	return false;
}

static const char *why_not(const struct tn_lsp_request *request, const struct found *found,
			   struct tn_str name)
{
	if (!request->document->plan->tree.parses)
		return "the plan has syntax errors; correct them first";
	if (!found->here)
		return "there is no name here";
	if (!tn_floor_is_name(name))
		return "a name begins with a letter or _, goes on with letters, digits and _, and "
		       "is "
		       "no word of the language";
	return is_taken(request, found, name) ? "the name is taken" : NULL;
}

void tn_lsp_rename(struct tn_lsp_request *request)
{
	struct tn_buf *out = request->result;
	struct found found = find(request);
	struct tn_str name = {"", 0};

	(void)tn_json_to_str(tn_json_get(request->params, "newName"), &name);
	request->refusal = why_not(request, &found, name);
	if (request->refusal)
		return;
	tn_json_begin_object(out);
	tn_json_put_key(out, "changes");
	tn_json_begin_object(out);
	tn_json_put_key_str(out, tn_str_from(request->document->uri));
	tn_json_begin_array(out);
	for (size_t i = 0; i < found.all.count; i++) {
		if (found.all.list[i].definition != found.here->definition)
			continue;
		tn_json_begin_object(out);
		put_range(request, "range", found.all.list[i].token);
		tn_json_put_member_str(out, "newText", name);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
	tn_json_end_object(out);
}
