/* rule_flow.c - what goes from one command to another: through pipes, $(...) and here-strings. */
#include "apps/terminal/policy/rule_fit.h"

#include "base/size.h"

enum { FEEDERS_MAX = 256 };

static size_t index_of(const struct tn_rule_fit *f)
{
	return (size_t)(f->c - f->q->analysis->commands);
}

/* `env A=1 curl x` runs it, and feeds it nothing. */
static bool only_wraps(const struct tn_rule_fit *f, size_t i)
{
	return i + 1 == index_of(f) && f->c->wrapper.size &&
	       tn_str_equal(f->q->analysis->commands[i].name, f->c->wrapper);
}

bool tn_rule_is_fed_by(const struct tn_rule_fit *f, const struct tn_rule_texts *names)
{
	size_t own = index_of(f);

	if (own > f->c->fed_from + FEEDERS_MAX)
		return true; /* nobody types that: it is worth a question */
	for (size_t i = f->c->fed_from; i < own; i++) {
		if (!only_wraps(f, i) && tn_rule_name_fits(names, &f->q->analysis->commands[i]))
			return true;
	}
	return false;
}

bool tn_rule_feeds(const struct tn_rule_fit *f, const struct tn_rule_texts *names)
{
	const struct tn_analysis *analysis = f->q->analysis;
	size_t own = index_of(f);

	for (size_t i = own + 1; i < analysis->count; i++) {
		const struct tn_simple_command *c = &analysis->commands[i];

		if (i > own + FEEDERS_MAX)
			return true; /* as above */
		if (c->fed_from <= own && tn_rule_name_fits(names, c))
			return true;
	}
	return false;
}

/* ---- secrets ---- */

/* What a program logs in with goes to whom it is for: -H "Authorization: Bearer $TOKEN". */
static bool is_login(const struct tn_simple_command *c, size_t i)
{
	static const char *const options[] = {
		"-H", "--header",        "-u",     "--user", "-U",      "--proxy-user",
		"-b", "--cookie",        "-a",     "--auth", "-A",      "--password",
		"-E", "--oauth2-bearer", "--cert", "--pass", "--proxy", "--http-password",
	};
	static const char *const begins[] = {"-H",
					     "--header=",
					     "-u",
					     "--user=",
					     "--password=",
					     "--http-password=",
					     "Authorization:",
					     "Cookie:"};

	for (size_t k = 0; k < TN_COUNT(begins); k++) {
		if (tn_str_starts(c->words[i], tn_str_from(begins[k])))
			return true;
	}
	for (size_t k = 0; i > 0 && k < TN_COUNT(options); k++) {
		if (tn_str_is(c->words[i - 1], options[k]))
			return true;
	}
	/* -sSu, -sH */
	return i > 0 && c->words[i - 1].size > 2 && c->words[i - 1].data[0] == '-' &&
	       c->words[i - 1].data[1] != '-' &&
	       strchr("Hub", c->words[i - 1].data[c->words[i - 1].size - 1]);
}

static bool says_secret(const struct tn_simple_command *c)
{
	for (size_t i = 0; i < c->word_count; i++) {
		if (c->word_is_secret[i] && !is_login(c, i))
			return true;
	}
	return c->input_is_secret;
}

bool tn_rule_sends_secret(const struct tn_rule_fit *f)
{
	size_t own = index_of(f);

	if (says_secret(f->c) || own > f->c->fed_from + FEEDERS_MAX)
		return true; /* as above */
	for (size_t i = f->c->fed_from; i < own; i++) {
		if (!only_wraps(f, i) && says_secret(&f->q->analysis->commands[i]))
			return true;
	}
	return false;
}
