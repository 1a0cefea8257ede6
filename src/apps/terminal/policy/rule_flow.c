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

struct login {
	const char *program;
	const char *letters;      /* -u X, -uX; and behind letters that take no value: -sSu X */
	const char *const *longs; /* --user X, --user=X */
};

static const char *const curl_logins[] = {"--header", "--user", "--proxy-user",    "--cookie",
					  "--cert",   "--pass", "--oauth2-bearer", NULL};
static const char *const wget_logins[] = {"--header", "--password", "--http-password", NULL};
static const char *const httpie_logins[] = {"--auth", NULL};
static const char *const socket_logins[] = {"--header", "--auth", NULL};

static const struct login logins[] = {
	{"curl", "HuUbE", curl_logins},   {"curlie", "HuUbE", curl_logins},
	{"wget", "", wget_logins},        {"http", "a", httpie_logins},
	{"https", "a", httpie_logins},    {"xh", "a", httpie_logins},
	{"websocat", "H", socket_logins}, {"wscat", "H", socket_logins},
};

static const struct login *login_of(const struct tn_simple_command *c)
{
	for (size_t i = 0; i < TN_COUNT(logins) && !c->name_is_glob; i++) {
		if (tn_str_is(c->name, logins[i].program))
			return &logins[i];
	}
	return NULL;
}

static bool is_letter_of(const char *letters, char c)
{
	return c && strchr(letters, c);
}

/* -u, -sSu: the next word belongs to its last letter. */
static bool ends_with_letter(const struct login *login, struct tn_str word)
{
	if (word.size < 2 || word.data[0] != '-' || word.data[1] == '-')
		return false;
	for (size_t i = 1; i + 1 < word.size; i++) {
		if (!is_letter_of("sSfLkgijvlNnqpRGIaB0123469#", word.data[i]))
			return false;
	}
	return is_letter_of(login->letters, word.data[word.size - 1]);
}

static bool is_long(const struct login *login, struct tn_str word, bool with_value)
{
	for (const char *const *at = login->longs; *at; at++) {
		struct tn_str name = tn_str_from(*at);

		if (with_value ? word.size > name.size && tn_str_starts(word, name) &&
					 word.data[name.size] == '='
			       : tn_str_equal(word, name))
			return true;
	}
	return false;
}

/* `http x Authorization:y` */
static bool is_item(const struct login *login, struct tn_str word)
{
	return login->longs == httpie_logins && (tn_str_starts(word, TN_STR("Authorization:")) ||
						 tn_str_starts(word, TN_STR("Cookie:")));
}

/* What a program logs in with goes to whom it is for: -H "Authorization: Bearer $TOKEN". The same
 * letter means other things elsewhere: http -b URL, nc -u HOST. */
static bool is_login(const struct tn_simple_command *c, size_t i)
{
	const struct login *login = login_of(c);
	struct tn_str word = c->words[i];

	if (!login)
		return false;
	if (is_long(login, word, true) || is_item(login, word) ||
	    (word.size > 2 && word.data[0] == '-' && is_letter_of(login->letters, word.data[1])))
		return true;
	return i > 0 &&
	       (is_long(login, c->words[i - 1], false) || ends_with_letter(login, c->words[i - 1]));
}

/* ---- who gets them ---- */

/* This machine, by a name that nothing follows: no localhost.example, no localhost:1@example. */
static bool is_this_host(struct tn_str host)
{
	if (tn_str_equal_nocase(host, TN_STR("localhost")) || tn_str_is(host, "[::1]"))
		return true;
	for (size_t i = 0; i < host.size; i++) {
		if (!tn_is_digit(host.data[i]) && host.data[i] != '.')
			return false;
	}
	return host.size == 0 || tn_str_starts(host, TN_STR("127."));
}

/* The authority of an address, with or without its scheme. */
static struct tn_str authority(struct tn_str word)
{
	size_t scheme = tn_str_find(word, TN_STR("://")), size = 0;

	if (scheme != TN_STR_NONE)
		word = tn_str_from_offset(word, scheme + 3);
	while (size < word.size && !strchr("/?#\\", word.data[size]))
		size++;
	return tn_str(word.data, size);
}

/* http://localhost:3000/x, localhost:3000, :3000 */
static bool is_here(struct tn_str word)
{
	struct tn_str host = authority(word);
	size_t end = host.size;

	while (end > 0 && tn_is_digit(host.data[end - 1]))
		end--;
	if (end > 0 && host.data[end - 1] == ':')
		host.size = end - 1;
	return (host.size || tn_str_starts(word, TN_STR(":"))) && is_this_host(host);
}

/* a=b and Name:value of httpie, @file, POST, 80 */
static bool is_no_host(struct tn_str word)
{
	size_t at = 0;

	if (!word.size || strchr("@{[<", word.data[0]))
		return true;
	while (at < word.size && (tn_is_alpha(word.data[at]) || tn_is_digit(word.data[at]) ||
				  strchr("_-", word.data[at])))
		at++;
	if (at == word.size) {
		for (at = 0; at < word.size; at++) {
			if (word.data[at] >= 'a' && word.data[at] <= 'z')
				return false;
		}
		return true;
	}
	return word.data[at] == '=' ||
	       (word.data[at] == ':' && at + 1 < word.size && word.data[at + 1] != '/' &&
		!tn_is_digit(word.data[at + 1]));
}

/* What stands behind an option may be its value, and a host all the same: -s HOST. */
static bool is_like_host(struct tn_str word)
{
	struct tn_str host = authority(word);
	bool dotted = false;

	for (size_t i = 0; i < host.size; i++) {
		if (!tn_is_alpha(host.data[i]) && !tn_is_digit(host.data[i]) &&
		    !strchr("-_.:@", host.data[i]))
			return false;
		dotted = dotted || (i > 0 && host.data[i] == '.');
	}
	return dotted && host.data[0] != '@';
}

static bool may_be_elsewhere(const struct tn_simple_command *c, size_t i)
{
	struct tn_str word = c->words[i];
	bool is_value = i > 0 && tn_str_starts(c->words[i - 1], TN_STR("-"));

	if (tn_str_starts(word, TN_STR("-")))
		return tn_str_find(word, TN_STR("://")) != TN_STR_NONE && !is_here(word);
	if (is_here(word))
		return c->word_is_glob[i] && tn_str_find(word, TN_STR("[::1]")) == TN_STR_NONE;
	if (!is_value)
		return !is_no_host(word);
	return !tn_str_is(c->words[i - 1], "-o") && !tn_str_is(c->words[i - 1], "--output") &&
	       (tn_str_find(word, TN_STR("://")) != TN_STR_NONE || is_like_host(word));
}

/* To this machine, and to no other one. */
static bool stays_here(const struct tn_simple_command *c)
{
	bool found = false;

	for (size_t i = 0; i < c->write_count; i++) {
		if (tn_str_starts(c->writes[i], TN_STR("/dev/")))
			return false;
	}
	for (size_t i = 0; i < c->word_count; i++) {
		if (may_be_elsewhere(c, i))
			return false;
		found = found || (!tn_str_starts(c->words[i], TN_STR("-")) && is_here(c->words[i]));
	}
	return found;
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

	if (stays_here(f->c))
		return false;
	if (says_secret(f->c) || own > f->c->fed_from + FEEDERS_MAX)
		return true; /* as above */
	for (size_t i = f->c->fed_from; i < own; i++) {
		if (!only_wraps(f, i) && says_secret(&f->q->analysis->commands[i]))
			return true;
	}
	return false;
}
