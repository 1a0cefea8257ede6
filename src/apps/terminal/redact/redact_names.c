#include "apps/terminal/redact/redact.h"

#include "base/size.h"

/* Upper-case words of a name: "AWS_SECRET_ACCESS_KEY" has four, "apiKey" two. */
enum { PARTS_MAX = 16, PART_SIZE = 24 };

struct parts {
	char text[PARTS_MAX][PART_SIZE];
	size_t count;
};

static char to_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* Of a long part its end is kept: "VERYLONGPREFIXPASSWORD" is told by it. */
static void add_letter(struct parts *parts, char c)
{
	char *part = parts->text[parts->count - 1];
	size_t size = strlen(part);

	if (size == PART_SIZE - 1) {
		memmove(part, part + 1, size);
		size--;
	}
	part[size] = to_upper(c);
	part[size + 1] = '\0';
}

static void split(struct parts *parts, struct tn_str name)
{
	bool inside = false;

	parts->count = 0;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];
		bool letter = tn_is_alpha(c) || tn_is_digit(c);
		bool hump = inside && tn_is_alpha(c) && !is_lower(c) && is_lower(name.data[i - 1]);

		if (letter && (!inside || hump)) {
			/* Of a name with very many parts the last ones count. */
			if (parts->count == PARTS_MAX) {
				memmove(parts->text, parts->text + 1,
					sizeof(parts->text) - sizeof(parts->text[0]));
				parts->count--;
			}
			parts->text[parts->count++][0] = '\0';
		}
		if (letter)
			add_letter(parts, c);
		inside = letter;
	}
}

static bool is_one_of(const char *part, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(part, words[i]) == 0)
			return true;
	}
	return false;
}

/* What says where a secret is, or something about one, but not the secret. */
static bool is_about(const char *last)
{
	static const char *const words[] = {"FILE",    "FILES",   "PATH",   "DIR",  "SOCK",
					    "SOCKET",  "STDIN",   "TYPE",   "NAME", "METHOD",
					    "TIMEOUT", "EXPIRES", "LENGTH", "TTL",  "ENABLED"};

	return is_one_of(last, words, TN_COUNT(words));
}

static bool is_secret_part(const char *part)
{
	static const char *const words[] = {
		"SECRETS", "PASSWORDS", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS",   "COOKIE",
		"COOKIES", "AUTH",      "BEARER",     "SSHPASS",    "AUTHORIZATION", "APIKEYS",
	};
	static const char *const endings[] = {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY"};

	for (size_t i = 0; i < TN_COUNT(endings); i++) {
		if (tn_str_ends(tn_str_from(part), tn_str_from(endings[i])))
			return true;
	}
	return is_one_of(part, words, TN_COUNT(words));
}

static bool is_secret_key(const char *before, const char *part)
{
	static const char *const words[] = {"API", "PRIVATE", "ACCESS", "ACCOUNT"};

	return strcmp(part, "KEY") == 0 && is_one_of(before, words, TN_COUNT(words));
}

bool tn_redact_is_sensitive_name(struct tn_str name)
{
	struct parts parts;
	size_t last;

	split(&parts, name);
	if (parts.count == 0)
		return false;
	last = parts.count - 1;
	if (is_about(parts.text[last]))
		return false;
	if (last > 0 && strcmp(parts.text[last], "PASS") == 0)
		return true; /* SMTP_PASS */
	if (last > 0 && strcmp(parts.text[last], "PWD") == 0)
		return strcmp(parts.text[last - 1], "MYSQL") == 0 ||
		       strcmp(parts.text[last - 1], "DB") == 0;
	for (size_t i = 0; i <= last; i++) {
		if (is_secret_part(parts.text[i]) ||
		    (i > 0 && is_secret_key(parts.text[i - 1], parts.text[i])))
			return true;
	}
	return false;
}
