#include "apps/plan/explain/redact.h"

#include <string.h>

#include "base/size.h"

enum {
	TOKEN_PART_MIN = 8, /* of each part of a JSON web token */
	MIXED_MIN = 20,     /* letters of both cases and digits next to a secret word */
	HEX_MIN = 32,
	NEAR_BYTES = 200,  /* how far a secret word reaches, on its own line */
	PAIR_MIN = 3,      /* of what is behind Password= */
	LOGIN_BYTES = 512, /* longest user:password looked for in a URL */
};

struct span {
	size_t start, end; /* of the secret; empty: none here */
};

static bool is_token_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-';
}

static bool is_base64_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '+' || c == '/';
}

static size_t run_end(struct tn_str text, size_t at, bool (*belongs)(char c))
{
	while (at < text.size && belongs(text.data[at]))
		at++;
	return at;
}

static bool has_at(struct tn_str text, size_t at, struct tn_str word)
{
	return tn_str_starts(tn_str_from_offset(text, at), word);
}

/* ---- PEM blocks ---- */

static struct span find_pem(struct tn_str text, size_t at)
{
	static const struct tn_str begin = {"-----BEGIN ", 11};
	static const struct tn_str end = {"-----END ", 9};
	struct tn_str rest;
	size_t stop;

	if (!has_at(text, at, begin))
		return (struct span){at, at};
	rest = tn_str_from_offset(text, at);
	stop = tn_str_find(rest, end);
	if (stop == TN_STR_NONE) /* cut off: all the rest may be key */
		return (struct span){at, text.size};
	stop = at + stop + end.size;
	while (stop < text.size && text.data[stop] != '-' && text.data[stop] != '\n')
		stop++;
	while (stop < text.size && text.data[stop] == '-')
		stop++;
	return (struct span){at, stop};
}

/* ---- keys by their prefix ---- */

static const struct {
	struct tn_str prefix;
	size_t rest_min; /* token bytes behind it */
} prefixes[] = {
	{{"AKIA", 4}, 16},      {{"ASIA", 4}, 16},     {{"AIza", 4}, 30},
	{{"ghp_", 4}, 30},      {{"gho_", 4}, 30},     {{"ghu_", 4}, 30},
	{{"ghs_", 4}, 30},      {{"ghr_", 4}, 30},     {{"github_pat_", 11}, 20},
	{{"glpat-", 6}, 16},    {{"sk-", 3}, 20},      {{"sk_live_", 8}, 10},
	{{"sk_test_", 8}, 10},  {{"rk_live_", 8}, 10}, {{"xoxb-", 5}, 10},
	{{"xoxp-", 5}, 10},     {{"xoxa-", 5}, 10},    {{"xoxs-", 5}, 10},
	{{"hf_", 3}, 20},       {{"npm_", 4}, 30},     {{"dop_v1_", 7}, 30},
	{{"pypi-", 5}, 30},     {{"shpat_", 6}, 20},   {{"hvs.", 4}, 20},
	{{"ya29.", 5}, 20},     {{"SG.", 3}, 20},      {{"AGE-SECRET-KEY-", 15}, 20},
	{{"dckr_pat_", 9}, 20},
};

static struct span find_prefixed(struct tn_str text, size_t at)
{
	for (size_t i = 0; i < TN_COUNT(prefixes); i++) {
		size_t end;

		if (text.data[at] != prefixes[i].prefix.data[0] ||
		    !has_at(text, at, prefixes[i].prefix))
			continue;
		end = run_end(text, at + prefixes[i].prefix.size, is_token_byte);
		if (end - at - prefixes[i].prefix.size >= prefixes[i].rest_min)
			return (struct span){at, end};
	}
	return (struct span){at, at};
}

/* Three parts in base 64, of which the first begins like a JSON object. */
static struct span find_jwt(struct tn_str text, size_t at)
{
	size_t first, second;

	if (!has_at(text, at, TN_STR("eyJ")))
		return (struct span){at, at};
	first = run_end(text, at, is_token_byte);
	if (first - at < TOKEN_PART_MIN || first >= text.size || text.data[first] != '.')
		return (struct span){at, at};
	second = run_end(text, first + 1, is_token_byte);
	if (second - first <= TOKEN_PART_MIN || second >= text.size || text.data[second] != '.')
		return (struct span){at, at};
	return (struct span){at, run_end(text, second + 1, is_token_byte)};
}

/* ---- scheme://user:password@host ---- */

static struct span find_login(struct tn_str text, size_t at)
{
	size_t start = at + 3, last = start + LOGIN_BYTES;
	bool colon = false;

	if (!has_at(text, at, TN_STR("://")))
		return (struct span){at, at};
	for (size_t i = start; i < text.size && i < last; i++) {
		char c = text.data[i];

		if (c == '@' && colon)
			return (struct span){start, i};
		if (c == '/' || c == '"' || c == '\'' || c == '<' || (unsigned char)c <= ' ')
			break;
		colon = colon || c == ':';
	}
	return (struct span){at, at};
}

/* ---- Password=...; of a connection string, export TOKEN=... ---- */

static bool ends_with_secret_name(struct tn_str text)
{
	static const struct tn_str names[] = {
		{"password", 8}, {"passwd", 6},      {"pwd", 3},     {"secret", 6},
		{"token", 5},    {"accountkey", 10}, {"apikey", 6},  {"api_key", 7},
		{"api-key", 7},  {"accesskey", 9},   {"authkey", 7}, {"access_key", 10},
	};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (text.size >= names[i].size &&
		    tn_str_equal_nocase(tn_str_from_offset(text, text.size - names[i].size),
					names[i]))
			return true;
	return false;
}

static bool is_pair_value(char c)
{
	return (unsigned char)c > ' ' && !strchr(";&,\"'`<>", c);
}

/* Without blanks around the sign, as connection strings and shells have it. */
static struct span find_pair(struct tn_str text, size_t at)
{
	size_t end = run_end(text, at + 1, is_pair_value);

	if (end - at - 1 < PAIR_MIN || has_at(text, at + 1, TN_STR(TN_PLAN_REDACTED)) ||
	    text.data[at + 1] == '$' || text.data[at + 1] == '=' ||
	    !ends_with_secret_name(tn_str(text.data, at)))
		return (struct span){at, at};
	return (struct span){at + 1, end};
}

/* ---- long random text near a word like password ---- */

static bool has_word_at(struct tn_str text, size_t at)
{
	static const struct tn_str words[] = {{"pass", 4},       {"pwd", 3},         {"secret", 6},
					      {"token", 5},      {"apikey", 6},      {"api_key", 7},
					      {"api-key", 7},    {"credential", 10}, {"private", 7},
					      {"access_key", 10}};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_to_lower(text.data[at]) == words[i].data[0] &&
		    text.size - at >= words[i].size &&
		    tn_str_equal_nocase(tn_str(text.data + at, words[i].size), words[i]))
			return true;
	return false;
}

static bool is_hex(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = tn_to_lower(text.data[i]);

		if (!tn_is_digit(c) && (c < 'a' || c > 'f'))
			return false;
	}
	return true;
}

static bool looks_random(struct tn_str text)
{
	bool lower = false, upper = false, digit = false;

	if (text.size >= HEX_MIN && is_hex(text))
		return true;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		lower = lower || (c >= 'a' && c <= 'z');
		upper = upper || (c >= 'A' && c <= 'Z');
		digit = digit || tn_is_digit(c);
	}
	return text.size >= MIXED_MIN && lower && upper && digit;
}

static struct span find_random(struct tn_str text, size_t at)
{
	size_t end = run_end(text, at, is_base64_byte);

	if (!looks_random(tn_str(text.data + at, end - at)))
		return (struct span){at, at};
	while (end < text.size && text.data[end] == '=')
		end++; /* padding */
	return (struct span){at, end};
}

/* ---- the walk ---- */

struct walk {
	struct tn_str text;
	size_t at;
	size_t near_until; /* a secret word stands less than this far back */
};

static bool is_start(const struct walk *walk, bool (*belongs)(char c))
{
	return belongs(walk->text.data[walk->at]) &&
	       (walk->at == 0 || !belongs(walk->text.data[walk->at - 1]));
}

static struct span secret_here(struct walk *walk)
{
	struct tn_str text = walk->text;
	size_t at = walk->at;
	struct span span = {at, at};

	if (text.data[at] == '\n')
		walk->near_until = 0;
	else if (has_word_at(text, at))
		walk->near_until = at + NEAR_BYTES;
	if (text.data[at] == '-')
		span = find_pem(text, at);
	else if (text.data[at] == ':')
		span = find_login(text, at);
	else if (text.data[at] == '=')
		span = find_pair(text, at);
	if (span.end == span.start && is_start(walk, is_token_byte))
		span = find_prefixed(text, at);
	if (span.end == span.start && is_start(walk, is_token_byte))
		span = find_jwt(text, at);
	if (span.end == span.start && at < walk->near_until && is_start(walk, is_base64_byte))
		span = find_random(text, at);
	return span;
}

/* The next secret at or behind walk->at; false: there is none any more. */
static bool next_secret(struct walk *walk, struct span *ret)
{
	for (; walk->at < walk->text.size; walk->at++) {
		*ret = secret_here(walk);
		if (ret->end > ret->start) {
			walk->at = ret->end;
			return true;
		}
	}
	return false;
}

void tn_plan_redact(struct tn_buf *out, struct tn_str text)
{
	struct walk walk = {text, 0, 0};
	size_t copied = 0;
	struct span secret;

	while (next_secret(&walk, &secret)) {
		tn_buf_append(out, text.data + copied, secret.start - copied);
		tn_buf_append_text(out, TN_PLAN_REDACTED);
		copied = secret.end;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, copied));
}

bool tn_plan_has_secret(struct tn_str text)
{
	struct walk walk = {text, 0, 0};
	struct span secret;

	return next_secret(&walk, &secret);
}
