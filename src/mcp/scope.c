#include "mcp/scope.h"

#include "base/mem.h"
#include "mcp/limits.h"
#include "mcp/server.h"

/* One of the three kinds of names. */
struct patterns {
	bool everything;
	char **texts;
	size_t count;
};

struct tn_scope {
	struct patterns tools, resources, prompts;
};

/* Greedy, and only the last star is tried again: at most the product of both sizes. */
bool tn_pattern_fits(struct tn_str pattern, struct tn_str text)
{
	size_t p = 0, t = 0, star = TN_STR_NONE, from = 0;

	while (t < text.size) {
		if (p < pattern.size && pattern.data[p] == '*') {
			star = p++;
			from = t;
		} else if (p < pattern.size && pattern.data[p] == text.data[t]) {
			p++;
			t++;
		} else if (star != TN_STR_NONE) {
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.size && pattern.data[p] == '*')
		p++;
	return p == pattern.size;
}

static enum tenon_code copy(struct patterns *to, const char *const *from, struct tenon_error *err)
{
	size_t count = 0;

	to->everything = !from;
	while (from && from[count])
		count++;
	if (count > TN_SCOPE_PATTERNS_MAX)
		return tn_fail(err, TENON_LIMIT, "more than %d patterns for one token",
			       TN_SCOPE_PATTERNS_MAX);
	to->texts = tn_mem_alloc_array(count, sizeof(*to->texts));
	if (!to->texts)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (; to->count < count; to->count++) {
		const char *text = from[to->count];

		to->texts[to->count] = tn_mem_copy_text(text, strlen(text));
		if (!to->texts[to->count])
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	return TENON_OK;
}

enum tenon_code tn_scope_create(struct tenon_server *server, const struct tenon_token *token,
				struct tn_scope **ret, struct tenon_error *err)
{
	struct tn_scope *scope;
	enum tenon_code code;

	*ret = NULL;
	if (!token->tools && !token->resources && !token->prompts)
		return TENON_OK;
	scope = tn_mem_alloc(sizeof(*scope));
	if (!scope)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = copy(&scope->tools, token->tools, err);
	if (code == TENON_OK)
		code = copy(&scope->resources, token->resources, err);
	if (code == TENON_OK)
		code = copy(&scope->prompts, token->prompts, err);
	if (code != TENON_OK) {
		tn_scope_free(scope);
		return code;
	}
	server->has_scopes = true;
	*ret = scope;
	return TENON_OK;
}

static void drop(struct patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		tn_mem_free(patterns->texts[i]);
	tn_mem_free(patterns->texts);
}

void tn_scope_free(struct tn_scope *scope)
{
	if (!scope)
		return;
	drop(&scope->tools);
	drop(&scope->resources);
	drop(&scope->prompts);
	tn_mem_free(scope);
}

static bool allows(const struct patterns *patterns, struct tn_str key)
{
	if (patterns->everything)
		return true;
	for (size_t i = 0; i < patterns->count; i++) {
		if (tn_pattern_fits(tn_str_from(patterns->texts[i]), key))
			return true;
	}
	return false;
}

bool tn_scope_allows(const struct tn_scope *scope, enum tn_item_kind kind, struct tn_str key)
{
	if (!scope)
		return true;
	switch (kind) {
	case TN_ITEM_TOOL:
		return allows(&scope->tools, key);
	case TN_ITEM_PROMPT:
		return allows(&scope->prompts, key);
	case TN_ITEM_RESOURCE:
	case TN_ITEM_TEMPLATE:
		break;
	}
	return allows(&scope->resources, key);
}
