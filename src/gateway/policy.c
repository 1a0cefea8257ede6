#include "gateway/policy.h"

struct directive {
	struct tn_str name, values;
};

/* The next one up to ";" of a policy; false: none is left. */
static bool next_directive(struct tn_str *rest, struct directive *ret)
{
	while (rest->size) {
		size_t end = tn_str_find_byte(*rest, ';');
		struct tn_str one =
			tn_str_trim(tn_str(rest->data, end == TN_STR_NONE ? rest->size : end));
		size_t blank = 0;

		*rest = tn_str_from_offset(*rest, end == TN_STR_NONE ? rest->size : end + 1);
		while (blank < one.size && one.data[blank] != ' ' && one.data[blank] != '\t')
			blank++;
		ret->name = tn_str(one.data, blank);
		ret->values = tn_str_trim(tn_str_from_offset(one, blank));
		if (one.size)
			return true;
	}
	return false;
}

static bool is(const struct directive *directive, const char *name)
{
	return tn_str_equal_nocase(directive->name, tn_str_from(name));
}

static bool has(struct tn_str policy, const char *name, struct tn_str *ret_values)
{
	struct directive one;

	while (next_directive(&policy, &one)) {
		if (!is(&one, name))
			continue;
		*ret_values = one.values;
		return true;
	}
	return false;
}

/* `values` and one more; 'none' does not stand beside others. */
static void put_directive(struct tn_buf *out, struct tn_str name, struct tn_str values,
			  struct tn_str more)
{
	if (out->size && out->data[out->size - 1] != ' ')
		tn_buf_append_text(out, "; ");
	tn_buf_append_str(out, name);
	if (values.size && !(more.size && tn_str_equal_nocase(values, TN_STR("'none'")))) {
		tn_buf_append_byte(out, ' ');
		tn_buf_append_str(out, values);
	}
	if (more.size) {
		tn_buf_append_byte(out, ' ');
		tn_buf_append_str(out, more);
	}
}

/* Restricted to own inline code without nonce: a nonce would forbid that, and needs not be there.
 */
static bool allows_inline(struct tn_str values)
{
	return tn_str_find(values, TN_STR("'unsafe-inline'")) != TN_STR_NONE &&
	       tn_str_find(values, TN_STR("'nonce-")) == TN_STR_NONE &&
	       tn_str_find(values, TN_STR("'sha")) == TN_STR_NONE;
}

/* With 'unsafe-inline' the script is let in by its address instead, which is the page's own. */
static struct tn_str grant(struct tn_str values, struct tn_str nonce)
{
	return allows_inline(values) ? TN_STR("'self'") : nonce;
}

static void rewrite_one(struct tn_buf *out, struct tn_str policy, struct tn_str nonce,
			struct tn_str channel)
{
	struct tn_str rest = policy, values, fallback;
	struct directive one;
	bool has_default = has(policy, "default-src", &fallback);

	while (next_directive(&rest, &one)) {
		struct tn_str more = {0};

		if (is(&one, "frame-ancestors"))
			continue;
		if (is(&one, "script-src") || is(&one, "script-src-elem"))
			more = grant(one.values, nonce);
		else if (is(&one, "connect-src"))
			more = channel;
		put_directive(out, one.name, one.values, more);
	}
	if (!has_default)
		return;
	if (!has(policy, "script-src", &values) && !has(policy, "script-src-elem", &values))
		put_directive(out, TN_STR("script-src"), fallback, grant(fallback, nonce));
	if (!has(policy, "connect-src", &values))
		put_directive(out, TN_STR("connect-src"), fallback, channel);
}

void tn_policy_rewrite(struct tn_buf *out, struct tn_str value, const char *nonce,
		       struct tn_str channel)
{
	struct tn_buf grant_text, one;

	tn_buf_init(&grant_text, TN_KIB);
	tn_buf_format(&grant_text, "'nonce-%s'", nonce);
	while (value.size) {
		size_t end = tn_str_find_byte(value, ',');

		tn_buf_init(&one, TN_MIB);
		rewrite_one(&one, tn_str(value.data, end == TN_STR_NONE ? value.size : end),
			    tn_buf_str(&grant_text), channel);
		if (out->size && one.size && out->data[out->size - 1] != ' ')
			tn_buf_append_text(out, ", ");
		tn_buf_append_str(out, tn_buf_str(&one));
		tn_buf_inherit_failure(out, &one);
		tn_buf_finish(&one);
		value = tn_str_from_offset(value, end == TN_STR_NONE ? value.size : end + 1);
	}
	tn_buf_inherit_failure(out, &grant_text);
	tn_buf_finish(&grant_text);
}
