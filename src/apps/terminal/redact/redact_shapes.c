#include "apps/terminal/redact/internal.h"

#include <stdint.h>

#include "base/size.h"

/* Letters that a key is made of. */
enum {
	UPPER = 1,
	LOWER = 2,
	DIGIT = 4,
	UNDER = 8, /* _ */
	DASH = 16,
	DOT = 32,
	SLASH = 64, /* + and / of base 64 */
	EQUAL = 128,
	ALNUM = UPPER | LOWER | DIGIT,
	WORD = ALNUM | UNDER,
	URL_SAFE = WORD | DASH
};
enum {
	ALONE = 1,    /* what stands before is no letter of a key */
	EXACT = 2,    /* and there are not more of these letters */
	HAS_DIGIT = 4 /* and upper case: not a name with dashes */
};

static const struct {
	const char *prefix;
	const char *kind;
	unsigned letters, flags;
	size_t least; /* letters behind the prefix; more belong to it, unless EXACT */
} shapes[] = {
	{"AKIA", "aws-key", UPPER | DIGIT, ALONE | EXACT, 16},
	{"ASIA", "aws-key", UPPER | DIGIT, ALONE | EXACT, 16},
	{"AIza", "google-key", URL_SAFE, ALONE, 35},
	{"ya29.", "google-token", URL_SAFE | DOT, ALONE, 20},
	{"GOCSPX-", "google-secret", URL_SAFE, ALONE, 20},
	{"ghp_", "github-token", ALNUM, 0, 36},
	{"gho_", "github-token", ALNUM, 0, 36},
	{"ghu_", "github-token", ALNUM, 0, 36},
	{"ghs_", "github-token", ALNUM, 0, 36},
	{"ghr_", "github-token", ALNUM, 0, 36},
	{"github_pat_", "github-token", WORD, 0, 40},
	{"glpat-", "gitlab-token", URL_SAFE, 0, 20},
	{"gldt-", "gitlab-token", URL_SAFE, 0, 20},
	{"glrt-", "gitlab-token", URL_SAFE, 0, 20},
	{"glptt-", "gitlab-token", URL_SAFE, 0, 20},
	{"glcbt-", "gitlab-token", URL_SAFE, 0, 20},
	{"xoxb-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxp-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxa-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxr-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxs-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxe-", "slack-token", ALNUM | DASH, 0, 10},
	{"xoxe.", "slack-token", ALNUM | DASH | DOT, 0, 10},
	{"xapp-", "slack-token", ALNUM | DASH, 0, 10},
	{"hooks.slack.com/services/", "slack-hook", ALNUM | SLASH, 0, 30},
	{"sk_live_", "stripe-key", ALNUM, 0, 16},
	{"sk_test_", "stripe-key", ALNUM, 0, 16},
	{"rk_live_", "stripe-key", ALNUM, 0, 16},
	{"rk_test_", "stripe-key", ALNUM, 0, 16},
	{"whsec_", "stripe-key", ALNUM | SLASH | EQUAL, ALONE, 24},
	{"sk-ant-", "model-key", URL_SAFE, ALONE, 24},
	{"sk-proj-", "model-key", URL_SAFE, ALONE, 24},
	{"sk-or-v1-", "model-key", URL_SAFE, ALONE, 24},
	{"sk-", "model-key", URL_SAFE, ALONE | HAS_DIGIT, 32},
	{"gsk_", "model-key", ALNUM, ALONE, 40},
	{"hf_", "model-key", ALNUM, ALONE, 30},
	{"npm_", "npm-token", ALNUM, ALONE, 36},
	{"pypi-AgE", "pypi-token", URL_SAFE, 0, 40},
	{"rubygems_", "rubygems-token", LOWER | DIGIT, ALONE, 40},
	{"dckr_pat_", "docker-token", URL_SAFE, 0, 20},
	{"dop_v1_", "digitalocean-token", LOWER | DIGIT, 0, 60},
	{"hvs.", "vault-token", URL_SAFE, ALONE, 24},
	{"SG.", "sendgrid-key", URL_SAFE | DOT, ALONE, 60},
	{"shpat_", "shopify-token", ALNUM, 0, 32},
	{"AGE-SECRET-KEY-1", "age-key", UPPER | DIGIT, 0, 50},
	{"ATATT3x", "atlassian-token", URL_SAFE | EQUAL, ALONE, 60},
	{"lin_api_", "linear-key", ALNUM, 0, 32},
	{"AccountKey=", "azure-key", ALNUM | SLASH | EQUAL, 0, 40},
	{"SharedAccessKey=", "azure-key", ALNUM | SLASH | EQUAL, 0, 40},
};

static unsigned kind_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return UPPER;
	if (c >= 'a' && c <= 'z')
		return LOWER;
	if (tn_is_digit(c))
		return DIGIT;
	switch (c) {
	case '_':
		return UNDER;
	case '-':
		return DASH;
	case '.':
		return DOT;
	case '+':
	case '/':
		return SLASH;
	case '=':
		return EQUAL;
	default:
		return 0;
	}
}

/* The end of the run of such letters. *ret_seen: which of them there were. */
static size_t run_end(struct tn_str text, size_t at, unsigned letters, unsigned *ret_seen)
{
	unsigned seen = 0;

	while (at < text.size && (kind_of(text.data[at]) & letters))
		seen |= kind_of(text.data[at++]);
	if (ret_seen)
		*ret_seen = seen;
	return at;
}

static bool is_alone(struct tn_str text, size_t at)
{
	return at == 0 || !(kind_of(text.data[at - 1]) & URL_SAFE);
}

/* The end of the key with this prefix that begins at `at`; 0: there is none. */
static size_t match_shape(struct tn_str text, size_t at, size_t shape)
{
	size_t begin = at + strlen(shapes[shape].prefix);
	size_t end;
	unsigned seen;

	if ((shapes[shape].flags & ALONE) && !is_alone(text, at))
		return 0;
	end = run_end(text, begin, shapes[shape].letters, &seen);
	if (end - begin < shapes[shape].least)
		return 0;
	if ((shapes[shape].flags & EXACT) &&
	    (end - begin > shapes[shape].least ||
	     (end < text.size && (kind_of(text.data[end]) & WORD))))
		return 0;
	if ((shapes[shape].flags & HAS_DIGIT) && (!(seen & DIGIT) || !(seen & UPPER)))
		return 0;
	return end;
}

/* Three runs between dots, the first of which is base 64 of `{"`. */
static size_t match_jwt(struct tn_str text, size_t at)
{
	enum { LEAST = 10 };
	size_t end = at;

	if (!tn_str_starts(tn_str_from_offset(text, at), TN_STR("eyJ")) || !is_alone(text, at))
		return 0;
	for (int part = 0; part < 3; part++) {
		size_t begin = end;

		end = run_end(text, begin, URL_SAFE, NULL);
		if (end - begin < LEAST)
			return 0;
		if (part < 2 && (end == text.size || text.data[end++] != '.'))
			return 0;
	}
	return run_end(text, end, URL_SAFE | DOT, NULL); /* an encrypted one has five parts */
}

/* 123456789:AA and 33 letters more. */
static size_t match_telegram(struct tn_str text, size_t at)
{
	size_t colon, end;

	if (!is_alone(text, at))
		return 0;
	colon = run_end(text, at, DIGIT, NULL);
	if (colon - at < 8 || colon - at > 10 || colon == text.size || text.data[colon] != ':')
		return 0;
	if (!tn_str_starts(tn_str_from_offset(text, colon + 1), TN_STR("AA")))
		return 0;
	end = run_end(text, colon + 1, URL_SAFE, NULL);
	return end - colon - 1 == 35 ? end : 0;
}

/* A number in base 64, six letters of time, 27 and more of a digest. */
static size_t match_discord(struct tn_str text, size_t at)
{
	static const size_t least[] = {23, 6, 27}, most[] = {28, 7, 45};
	size_t end = at;

	if (!is_alone(text, at))
		return 0;
	for (size_t part = 0; part < TN_COUNT(least); part++) {
		size_t begin = end;

		end = run_end(text, begin, URL_SAFE, NULL);
		if (end - begin < least[part] || end - begin > most[part])
			return 0;
		if (part < 2 && (end == text.size || text.data[end++] != '.'))
			return 0;
	}
	return end;
}

/* Application secrets of Azure: three letters, a digit, Q~, 31 to 34 more. `at` is the Q. */
static size_t match_azure_secret(struct tn_str text, size_t at, size_t *ret_begin)
{
	size_t end;

	if (at < 4 || at + 1 >= text.size || text.data[at + 1] != '~' ||
	    !tn_is_digit(text.data[at - 1]))
		return 0;
	for (size_t i = at - 4; i < at; i++) {
		if (!(kind_of(text.data[i]) & (URL_SAFE | DOT)) && text.data[i] != '~')
			return 0;
	}
	end = at + 2;
	while (end < text.size &&
	       ((kind_of(text.data[end]) & (URL_SAFE | DOT)) || text.data[end] == '~'))
		end++;
	*ret_begin = at - 4;
	return end - at - 2 >= 31 ? end : 0;
}

static bool may_stand_in_pem(char c)
{
	return (kind_of(c) & (ALNUM | SLASH | EQUAL)) || c == '\n' || c == ' ' || c == '\t' ||
	       c == ':' || c == ',' || c == '-' || c == '\\' || c == '.' || c == '(' || c == ')';
}

/* A block of a private key, up to its end line. When that is missing (the text was cut), as far as
 * it looks like one. */
static size_t match_pem(struct tn_str text, size_t at)
{
	struct tn_str rest = tn_str_from_offset(text, at), head;
	size_t end, line;

	if (!tn_str_starts(rest, TN_STR("-----BEGIN ")))
		return 0;
	head = tn_str(rest.data + 11, rest.size - 11 < 60 ? rest.size - 11 : 60);
	line = tn_str_find(head, TN_STR("-----"));
	if (line == TN_STR_NONE ||
	    tn_str_find(tn_str(head.data, line), TN_STR("PRIVATE KEY")) == TN_STR_NONE)
		return 0;
	for (end = 11 + line + 5; end < rest.size && may_stand_in_pem(rest.data[end]); end++) {
		struct tn_str here = tn_str_from_offset(rest, end);

		if (here.data[0] != '-' || !tn_str_starts(here, TN_STR("-----")))
			continue;
		if (!tn_str_starts(here, TN_STR("-----END ")))
			break; /* the next one */
		line = tn_str_find(tn_str(here.data + 9, here.size - 9 < 60 ? here.size - 9 : 60),
				   TN_STR("-----"));
		end += 9 + (line == TN_STR_NONE ? 0 : line + 5);
		break;
	}
	return at + end;
}

/* 14 letters, `.atlasv1.`, 60 and more: tokens of Terraform Cloud. `at` is the dot. */
static size_t match_atlas(struct tn_str text, size_t at, size_t *ret_begin)
{
	size_t end;

	if (at < 14 || !tn_str_starts(tn_str_from_offset(text, at), TN_STR(".atlasv1.")))
		return 0;
	for (size_t i = at - 14; i < at; i++) {
		if (!(kind_of(text.data[i]) & ALNUM))
			return 0;
	}
	end = run_end(text, at + 9, URL_SAFE | EQUAL, NULL);
	*ret_begin = at - 14;
	return end - at - 9 >= 60 ? end : 0;
}

struct found {
	size_t begin, end; /* end 0: nothing */
	const char *kind;
};

static struct found match_special(struct tn_str text, size_t at)
{
	struct found found = {.begin = at};

	switch (text.data[at]) {
	case 'e':
		found.end = match_jwt(text, at);
		found.kind = "jwt";
		break;
	case '-':
		found.end = match_pem(text, at);
		found.kind = "private-key";
		break;
	case '.':
		found.end = match_atlas(text, at, &found.begin);
		found.kind = "terraform-token";
		break;
	case 'M':
	case 'N':
	case 'O':
		found.end = match_discord(text, at);
		found.kind = "discord-token";
		break;
	case 'Q':
		found.end = match_azure_secret(text, at, &found.begin);
		found.kind = "azure-secret";
		break;
	default:
		if (tn_is_digit(text.data[at]))
			found.end = match_telegram(text, at);
		found.kind = "telegram-token";
	}
	return found;
}

static struct found match_prefix(struct tn_str text, size_t at)
{
	struct found found = {.begin = at};
	struct tn_str rest = tn_str_from_offset(text, at);

	for (size_t i = 0; i < TN_COUNT(shapes) && !found.end; i++) {
		if (shapes[i].prefix[0] == text.data[at] &&
		    tn_str_starts(rest, tn_str_from(shapes[i].prefix))) {
			found.end = match_shape(text, at, i);
			found.kind = shapes[i].kind;
		}
	}
	return found;
}

/* What may begin with which two letters, so that nearly every place of a text is ruled out by one
 * look. */
struct starts {
	uint64_t pairs[65536 / 64];
	bool special[256]; /* whatever the second letter is */
};

static void note_pair(struct starts *starts, const char *letters)
{
	unsigned pair = (unsigned)(unsigned char)letters[0] << 8 | (unsigned char)letters[1];

	starts->pairs[pair / 64] |= UINT64_C(1) << (pair % 64);
}

static bool has_pair(const struct starts *starts, const char *letters)
{
	unsigned pair = (unsigned)(unsigned char)letters[0] << 8 | (unsigned char)letters[1];

	return starts->pairs[pair / 64] >> (pair % 64) & 1;
}

static void note_starts(struct starts *starts)
{
	static const char *const pairs[] = {"ey", "--", ".a", "Q~"};

	*starts = (struct starts){0};
	for (const char *c = "MNO0123456789"; *c; c++)
		starts->special[(unsigned char)*c] = true;
	for (size_t i = 0; i < TN_COUNT(pairs); i++)
		note_pair(starts, pairs[i]);
	for (size_t i = 0; i < TN_COUNT(shapes); i++)
		note_pair(starts, shapes[i].prefix);
}

void tn_redact_find_shapes(const struct tn_fold *fold, struct tn_redact_spans *spans)
{
	struct tn_str text = fold->text;
	struct starts starts;

	note_starts(&starts);
	for (size_t at = 0; at + 1 < text.size; at++) {
		bool pair = has_pair(&starts, text.data + at);
		struct found found = {0};

		if (!pair && !starts.special[(unsigned char)text.data[at]])
			continue;
		if (pair)
			found = match_prefix(text, at);
		if (!found.end)
			found = match_special(text, at);
		if (!found.end)
			continue;
		tn_redact_add(spans, fold, found.begin, found.end, found.kind);
		at = found.end - 1;
	}
}
