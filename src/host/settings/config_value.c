#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>

#include "apps/terminal/redact/regex.h"
#include "base/near.h"
#include "base/size.h"
#include "host/settings/apps.h"
#include "host/settings/config_key.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"

enum { SHOWN_MAX = 48, ELEMENTS_MAX = 256, APPS_MAX = 64 };

static bool refuse(struct tn_config_reading *reading, const char *format, ...) TN_PRINTF(2, 3);
static bool refuse(struct tn_config_reading *reading, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(reading->why, sizeof(reading->why), format, args);
	va_end(args);
	return false;
}

static bool starve(struct tn_config_reading *reading)
{
	reading->starved = true;
	return refuse(reading, "no memory for the value");
}

/* ---- rules of texts ---- */

static bool is_address(const char *text)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static bool is_name(const char *text, const char *more)
{
	if (*text == '\0')
		return false;
	for (; *text; text++) {
		if (!tn_is_alpha(*text) && !tn_is_digit(*text) && !strchr(more, *text))
			return false;
	}
	return true;
}

static bool is_url(const char *text, bool may_be_empty)
{
	struct tn_str url = tn_str_from(text);
	size_t least =
		tn_str_starts(url, TN_STR("https://")) ? sizeof("https://") : sizeof("http://");

	if (url.size == 0)
		return may_be_empty;
	return (tn_str_starts(url, TN_STR("http://")) || tn_str_starts(url, TN_STR("https://"))) &&
	       url.size >= least && !strpbrk(text, " \t");
}

static bool is_header(const char *text)
{
	char name[SHOWN_MAX * 2];
	size_t size = strcspn(text, ":");

	(void)snprintf(name, sizeof(name), "%.*s", (int)(size < sizeof(name) ? size : 0), text);
	return text[size] == ':' && is_name(name, "-_");
}

static bool refuse_app(struct tn_config_reading *reading, const char *text)
{
	const char *names[APPS_MAX + 1] = {NULL};
	char list[96];
	const char *near;

	for (size_t i = 0; i < APPS_MAX && tn_apps_at(i); i++)
		names[i] = tn_apps_at(i)->name;
	near = tn_near_find(tn_str_from(text), names);
	if (near)
		return refuse(reading, "\"%.*s\" is no app; did you mean \"%s\"?", SHOWN_MAX, text,
			      near);
	tn_apps_list(list, sizeof(list));
	return refuse(reading, "\"%.*s\" is no app; there are: %s", SHOWN_MAX, text, list);
}

static bool is_path(const char *text, bool may_be_empty, bool may_be_dash)
{
	return text[0] == '/' || (may_be_empty && text[0] == '\0') ||
	       (may_be_dash && strcmp(text, "-") == 0);
}

/* What a name may have besides letters and digits; NULL: it is no name. */
static const char *name_signs(enum tn_setting_rule rule)
{
	switch (rule) {
	case TN_SETTING_HOST:
		return ".-:[]";
	case TN_SETTING_VARIABLE:
		return "_";
	case TN_SETTING_PATTERN:
		return "_*";
	default:
		return NULL;
	}
}

/* An app that finds out when it opens would stop the whole daemon at its next start. */
static bool check_regex(struct tn_config_reading *reading, const char *text)
{
	struct tn_regex *regex = NULL;
	struct tenon_error err = {0};
	enum tenon_code code = tn_regex_compile(tn_str_from(text), false, &regex, &err);

	tn_regex_free(regex);
	if (code == TENON_NO_MEMORY)
		return starve(reading);
	return code == TENON_OK || refuse(reading, "%s; send a regular expression", err.message);
}

/* By those rules that have nothing of their own to say. */
static bool fits(const struct tn_setting *key, const char *text)
{
	enum tn_setting_rule rule = key->rule;
	struct tn_str name;
	enum tn_fit fit;

	if (rule == TN_SETTING_ADDRESS)
		return is_address(text);
	if (name_signs(rule))
		return is_name(text, name_signs(rule));
	if (rule == TN_SETTING_ABSOLUTE || rule == TN_SETTING_LOG)
		return is_path(text, key->type != TN_SETTING_LIST, rule == TN_SETTING_LOG);
	if (rule == TN_SETTING_URL)
		return is_url(text, !*key->fallback);
	return rule != TN_SETTING_FIT || tn_fit_split(tn_str_from(text), &name, &fit);
}

/* One text, or one element of a list. */
static bool check_rule(struct tn_config_reading *reading, const char *text)
{
	static const struct {
		enum tn_setting_rule rule;
		const char *wanted;
	} wants[] = {
		{TN_SETTING_ADDRESS, "an IP address such as 127.0.0.1 or ::1"},
		{TN_SETTING_HOST, "a host name such as tenon.example or tenon.example:8443"},
		{TN_SETTING_ABSOLUTE, "an absolute path, beginning with /"},
		{TN_SETTING_LOG, "an absolute path, beginning with /, or - for standard error"},
		{TN_SETTING_URL, "a URL that begins with http:// or https://"},
		{TN_SETTING_VARIABLE, "the name of an environment variable"},
		{TN_SETTING_PATTERN, "the name of an environment variable, * for any letters"},
		{TN_SETTING_FIT, "NAME=PROFILE, the profile one of " TN_FIT_WORDS},
	};
	enum tn_setting_rule rule = reading->key->rule;
	bool good;

	if (rule == TN_SETTING_APP)
		return tn_apps_find(text) || refuse_app(reading, text);
	if (rule == TN_SETTING_REGEX)
		return check_regex(reading, text);
	if (rule == TN_SETTING_HEADER && !is_header(text))
		return refuse(reading, "not a header (not shown); send \"Name: value\"");
	good = fits(reading->key, text);
	for (size_t i = 0; !good && i < TN_COUNT(wants); i++) {
		if (wants[i].rule == rule)
			return refuse(reading, "\"%.*s\"; send %s", SHOWN_MAX, text,
				      wants[i].wanted);
	}
	return good;
}

/* The word of "a|b" that `text` is; "1" and its like where on and off are choices. */
static const char *choose(const struct tn_setting *key, const char *text, size_t *ret_size)
{
	size_t wanted = strlen(text);

	for (const char *at = key->values;; at += *ret_size + 1) {
		*ret_size = strcspn(at, "|");
		if (*ret_size == wanted && memcmp(at, text, wanted) == 0)
			return at;
		if (at[*ret_size] == '\0')
			return NULL;
	}
}

static bool check_text(struct tn_config_reading *reading, const char *text)
{
	const struct tn_setting *key = reading->key;
	char separator = key->separator ? key->separator : ',';
	size_t size;

	for (const char *at = text; *at; at++) {
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			return refuse(reading, "the text has a control character in it");
	}
	if (key->type == TN_SETTING_LIST && separator >= 0x20 && strchr(text, separator))
		return refuse(reading, "\"%.*s\": an element may not have a \"%c\" in it",
			      SHOWN_MAX, text, separator);
	if (key->values && !choose(key, text, &size)) {
		char list[96];
		size_t used = 0;

		for (const char *at = key->values; *at && used + 3 < sizeof(list); at++) {
			if (*at == '|')
				list[used++] = ',';
			list[used++] = *at == '|' ? ' ' : *at;
		}
		list[used] = '\0';
		return refuse(reading, "\"%.*s\"; send one of %s", SHOWN_MAX, text, list);
	}
	return check_rule(reading, text);
}

static bool keep_text(struct tn_config_reading *reading, struct tn_str text, const char **ret)
{
	*ret = tn_arena_copy(reading->arena, text);
	return *ret ? check_text(reading, *ret) : starve(reading);
}

/* ---- from a variable or a flag ---- */

static bool to_bool(const char *text, bool *ret)
{
	static const char *const on[] = {"true", "1", "yes", "on"};
	static const char *const off[] = {"false", "0", "no", "off"};

	for (size_t i = 0; i < TN_COUNT(on); i++) {
		*ret = strcmp(text, on[i]) == 0;
		if (*ret || strcmp(text, off[i]) == 0)
			return true;
	}
	return false;
}

static bool set_number(struct tn_config_reading *reading, struct tn_str text, int64_t number,
		       bool whole, int64_t *ret)
{
	const struct tn_setting *key = reading->key;

	if (!whole || number < key->least || number > key->most)
		return refuse(reading, "%.*s; send %s%lld to %lld",
			      text.size > SHOWN_MAX ? SHOWN_MAX : (int)text.size, text.data,
			      whole ? "" : "a whole number from ", (long long)key->least,
			      (long long)key->most);
	*ret = number;
	return true;
}

static bool has_room(struct tn_config_reading *reading, size_t count)
{
	size_t most = reading->key->most ? (size_t)reading->key->most : ELEMENTS_MAX;

	return count <= most || refuse(reading, "more than %zu elements", most);
}

static const char *const *keep_list(struct tn_config_reading *reading, const char **elements,
				    size_t count)
{
	const char **list = tn_arena_alloc_array(reading->arena, count + 1, sizeof(*list));

	if (list && count)
		memcpy(list, elements, count * sizeof(*list));
	return list;
}

static bool list_from_text(struct tn_config_reading *reading, struct tn_str text,
			   const char *const **ret)
{
	char separator = reading->key->separator ? reading->key->separator : ',';
	const char *elements[ELEMENTS_MAX];
	size_t count = 0;

	while (text.size) {
		size_t end = tn_str_find_byte(text, separator);
		struct tn_str part =
			tn_str_trim(tn_str(text.data, end == TN_STR_NONE ? text.size : end));

		text = tn_str_from_offset(text, end == TN_STR_NONE ? text.size : end + 1);
		if (part.size == 0)
			continue;
		if (!has_room(reading, count + 1) || !keep_text(reading, part, &elements[count++]))
			return false;
	}
	*ret = keep_list(reading, elements, count);
	return *ret || starve(reading);
}

bool tn_config_value_from_text(struct tn_config_reading *reading, const char *text,
			       struct tn_setting_value *ret)
{
	const struct tn_setting *key = reading->key;
	uint64_t number = 0;
	bool on;

	switch (key->type) {
	case TN_SETTING_BOOLEAN:
		return to_bool(text, &ret->on) ||
		       refuse(reading, "\"%.*s\"; send true or false", SHOWN_MAX, text);
	case TN_SETTING_INTEGER:
		on = tn_str_to_uint(tn_str_from(text), &number);
		return set_number(reading, tn_str_from(text), (int64_t)number, on, &ret->number);
	case TN_SETTING_STRING:
		if (key->values && strstr(key->values, "on|off") && to_bool(text, &on))
			text = on ? "on" : "off";
		return keep_text(reading, tn_str_from(text), &ret->text);
	default:
		return list_from_text(reading, tn_str_from(text), &ret->list);
	}
}

/* ---- from the file ---- */

static bool refuse_type(struct tn_config_reading *reading, const struct tn_json *json)
{
	static const char *const wanted[] = {
		[TN_SETTING_BOOLEAN] = "true or false",
		[TN_SETTING_INTEGER] = "a whole number",
		[TN_SETTING_STRING] = "a string",
		[TN_SETTING_LIST] = "a list of strings",
	};

	return refuse(reading, "this is of type %s; send %s", tn_json_type_name(json),
		      wanted[reading->key->type]);
}

static bool list_from_json(struct tn_config_reading *reading, const struct tn_json *json,
			   const char *const **ret)
{
	const char *elements[ELEMENTS_MAX];
	struct tn_str text;
	size_t count = 0;

	if (!has_room(reading, json->count))
		return false;
	for (const struct tn_json *child = json->first; child; child = child->next) {
		if (!tn_json_to_str(child, &text))
			return refuse_type(reading, child);
		if (!keep_text(reading, text, &elements[count++]))
			return false;
	}
	*ret = keep_list(reading, elements, count);
	return *ret || starve(reading);
}

bool tn_config_value_from_json(struct tn_config_reading *reading, const struct tn_json *json,
			       struct tn_setting_value *ret)
{
	struct tn_str text;
	int64_t number = 0;
	bool whole;

	switch (reading->key->type) {
	case TN_SETTING_BOOLEAN:
		return tn_json_to_bool(json, &ret->on) || refuse_type(reading, json);
	case TN_SETTING_INTEGER:
		if (json->type != TN_JSON_NUMBER)
			return refuse_type(reading, json);
		whole = tn_json_to_int(json, &number);
		return set_number(reading, json->text, number, whole, &ret->number);
	case TN_SETTING_STRING:
		return tn_json_to_str(json, &text) ? keep_text(reading, text, &ret->text)
						   : refuse_type(reading, json);
	default:
		return json->type == TN_JSON_ARRAY ? list_from_json(reading, json, &ret->list)
						   : refuse_type(reading, json);
	}
}

/* ---- writing ---- */

void tn_config_value_put_text(const struct tn_setting *key, const struct tn_setting_value *value,
			      struct tn_buf *out)
{
	char separator = key->separator ? key->separator : ',';

	switch (key->type) {
	case TN_SETTING_BOOLEAN:
		tn_buf_append_byte(out, value->on ? '1' : '0');
		return;
	case TN_SETTING_INTEGER:
		tn_buf_append_uint(out, (unsigned long long)value->number);
		return;
	case TN_SETTING_STRING:
		tn_buf_append_text(out, value->text);
		return;
	default:
		for (size_t i = 0; value->list[i]; i++) {
			if (i)
				tn_buf_append_byte(out, separator);
			tn_buf_append_text(out, value->list[i]);
		}
	}
}

/* "Authorization: Bearer abc" is shown as "Authorization: ...". */
static void put_element(const struct tn_setting *key, const char *text, struct tn_buf *out)
{
	char shown[SHOWN_MAX * 2];

	if (!key->secret) {
		tn_json_put_text(out, text);
		return;
	}
	(void)snprintf(shown, sizeof(shown), "%.*s: ...", (int)strcspn(text, ":"), text);
	tn_json_put_text(out, shown);
}

void tn_config_value_put_json(const struct tn_setting *key, const struct tn_setting_value *value,
			      struct tn_buf *out)
{
	switch (key->type) {
	case TN_SETTING_BOOLEAN:
		tn_json_put_bool(out, value->on);
		return;
	case TN_SETTING_INTEGER:
		tn_json_put_int(out, value->number);
		return;
	case TN_SETTING_STRING:
		tn_json_put_text(out, value->text);
		return;
	default:
		tn_json_begin_array(out);
		for (size_t i = 0; value->list[i]; i++)
			put_element(key, value->list[i], out);
		tn_json_end_array(out);
	}
}
