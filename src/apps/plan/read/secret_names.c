#include "apps/plan/read/secret_names.h"

#include "base/size.h"

/* What a key is for, when it is the secret itself. */
static bool is_secret_key(struct tn_str before)
{
	static const char *const kinds[] = {"api",    "access",  "private", "account", "shared",
					    "master", "signing", "auth",    "storage", "function"};

	for (size_t i = 0; i < TN_COUNT(kinds); i++)
		if (tn_str_equal_nocase(before, tn_str_from(kinds[i])))
			return true;
	return false;
}

static bool is_secret_word(struct tn_str part)
{
	static const char *const words[] = {
		"password", "passwords", "passwd",     "passphrase", "pass",       "pwd",
		"secret",   "secrets",   "token",      "tokens",     "credential", "credentials",
		"apikey",   "accesskey", "privatekey", "accountkey", "secretkey",  "authkey"};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_equal_nocase(part, tn_str_from(words[i])))
			return true;
	return false;
}

/* What a key is called is no secret. */
static bool is_only_about(struct tn_str part)
{
	static const char *const words[] = {"id",   "ids",   "arn",  "arns",
					    "name", "names", "type", "version"};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_equal_nocase(part, tn_str_from(words[i])))
			return true;
	return false;
}

static bool is_letter(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c);
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* The next part at or behind *at; a large letter behind a small one begins another: clientSecret.
 */
static struct tn_str next_part(struct tn_str path, size_t *at)
{
	size_t start = *at, end;

	while (start < path.size && !is_letter(path.data[start]))
		start++;
	for (end = start; end < path.size && is_letter(path.data[end]); end++)
		if (end > start && is_upper(path.data[end]) && !is_upper(path.data[end - 1]))
			break;
	*at = end;
	return tn_str(path.data + start, end - start);
}

/* Behind the last letter of a name: where the next one, or nothing, follows. */
static bool goes_on(struct tn_str path, size_t at)
{
	return at < path.size &&
	       (path.data[at] == '_' || path.data[at] == '-' || is_letter(path.data[at]));
}

/* A variable of a program is named in large letters: STRIPE_KEY holds the key. */
static bool is_variable(struct tn_str path, size_t end)
{
	size_t at = end;

	while (at > 0 && (is_upper(path.data[at - 1]) || tn_is_digit(path.data[at - 1]) ||
			  path.data[at - 1] == '_'))
		at--;
	return end - at > 4 && (at == 0 || !is_letter(path.data[at - 1])) &&
	       path.data[end - 4] == '_';
}

bool tn_plan_is_secret_name(struct tn_str path)
{
	struct tn_str before = {"", 0};
	size_t at = 0;

	while (at < path.size) {
		struct tn_str part = next_part(path, &at);
		size_t next = at;

		if (part.size == 0)
			break;
		if (is_secret_word(part))
			return true;
		if (tn_str_equal_nocase(part, TN_STR("key")) ||
		    tn_str_equal_nocase(part, TN_STR("keys"))) {
			bool about = goes_on(path, at) && is_only_about(next_part(path, &next));

			if (!about && (is_secret_key(before) ||
				       (tn_str_is(part, "KEY") && is_variable(path, at))))
				return true;
		}
		before = part;
	}
	return false;
}
