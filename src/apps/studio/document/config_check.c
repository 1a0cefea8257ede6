#include <stdarg.h>
#include <stdio.h>

#include "apps/studio/registry/property_check.h"
#include "apps/studio/document/config.h"
#include "apps/studio/document/value.h"
#include "apps/studio/limits.h"
#include "base/near.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { PROBLEMS_MAX = 20, TEXT_BYTES_MAX = 1024, TEMPLATE_BYTES_MAX = 256, SAID_BYTES = 512 };

struct check {
	const struct tn_studio_document *document;
	struct tn_arena *arena;
	struct tn_studio_fault *fault;
	struct tn_studio_config_path path;
	struct tn_buf problems; /* members of an array */
	unsigned count;
	char first[SAID_BYTES];
	struct tn_str suggestion; /* of the first */
};

static void complain(struct check *check, struct tn_str suggestion, const char *format, ...)
	TN_PRINTF(3, 4);

static void complain(struct check *check, struct tn_str suggestion, const char *format, ...)
{
	char said[SAID_BYTES];
	struct tn_buf path;
	va_list arguments;

	if (check->count++ >= PROBLEMS_MAX)
		return;
	va_start(arguments, format);
	(void)vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
	said[tn_utf8_cut(tn_str_from(said), sizeof(said) - 1).size] = '\0';
	tn_buf_init(&path, TN_STUDIO_FILE_BYTES_MAX);
	tn_studio_config_put_path(&path, &check->path);
	if (check->count == 1) {
		(void)snprintf(check->first, sizeof(check->first), "%.*s: %.400s",
			       (int)(path.size < 100 ? path.size : 100), path.data ? path.data : "",
			       said);
		check->suggestion = suggestion;
	}
	tn_json_begin_object(&check->problems);
	tn_json_put_member_str(&check->problems, "path", tn_buf_str(&path));
	tn_json_put_member_text(&check->problems, "message", said);
	tn_json_end_object(&check->problems);
	tn_buf_finish(&path);
}

#define NOTHING ((struct tn_str){NULL, 0})

/* What nobody here knows and comes back as it was read (ST-028): a newer program put it there. */
static bool comes_back(const struct check *check, const struct tn_json *value)
{
	const struct tn_json *stored = check->document->config;

	if (value->type == TN_JSON_STRING && tn_str_is(value->text, TN_STUDIO_REDACTED) &&
	    tn_studio_config_is_sensitive(check->document, &check->path))
		return true;
	for (unsigned i = 0; stored && i < check->path.count; i++)
		stored = tn_json_get_str(stored, check->path.parts[i]);
	return stored && tn_json_equal(stored, value);
}

static void expect(struct check *check, const struct tn_json *value, const char *what)
{
	complain(check, NOTHING, "%s is expected here, not %s", what, tn_json_type_name(value));
}

/* ---- values ---- */

/* Section 21: what no value of a project may exceed. */
static void check_caps(struct check *check, const struct tn_json *value, unsigned depth)
{
	if (depth > TN_STUDIO_DEPTH_MAX) {
		complain(check, NOTHING, "values are nested deeper than %d", TN_STUDIO_DEPTH_MAX);
		return;
	}
	if (value->type == TN_JSON_STRING) {
		if (value->text.size > TN_STUDIO_STRING_BYTES_MAX)
			complain(check, NOTHING, "the text is longer than %zu bytes",
				 TN_STUDIO_STRING_BYTES_MAX);
		if (tn_str_find_byte(value->text, '\0') != TN_STR_NONE)
			complain(check, NOTHING, "the text has a NUL in it");
		return;
	}
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return;
	if (value->count > TN_STUDIO_LIST_MAX) {
		complain(check, NOTHING, "it has %u entries; %d are allowed", value->count,
			 TN_STUDIO_LIST_MAX);
		return;
	}
	for (const struct tn_json *child = value->first; child; child = child->next)
		check_caps(check, child, depth + 1);
}

static void check_text(struct check *check, const struct tn_json *value)
{
	if (value->type != TN_JSON_STRING)
		expect(check, value, "a text");
	else if (value->text.size > TEXT_BYTES_MAX)
		complain(check, NOTHING, "the text is longer than %d bytes", TEXT_BYTES_MAX);
}

/* 5.10: the tokens; without {name} all resources of a type would be called the same. */
static void check_template(struct check *check, const struct tn_json *value)
{
	static const char *const tokens[] = {"type", "env", "name", "region", "org", NULL};
	struct tn_str rest;

	if (value->type != TN_JSON_STRING) {
		expect(check, value, "a text");
		return;
	}
	rest = value->text;
	if (rest.size > TEMPLATE_BYTES_MAX)
		complain(check, NOTHING, "the template is longer than %d bytes",
			 TEMPLATE_BYTES_MAX);
	if (tn_str_find(rest, TN_STR("{name}")) == TN_STR_NONE)
		complain(check, NOTHING, "the template has no {name}: names would not differ");
	for (size_t open; (open = tn_str_find_byte(rest, '{')) != TN_STR_NONE;) {
		size_t close;
		bool known = false;

		rest = tn_str_from_offset(rest, open + 1);
		close = tn_str_find_byte(rest, '}');
		if (close == TN_STR_NONE) {
			complain(check, NOTHING, "a { is not closed");
			return;
		}
		for (const char *const *token = tokens; *token; token++)
			known = known || tn_str_is(tn_str(rest.data, close), *token);
		if (!known)
			complain(check, tn_str_from(tn_near_find(tn_str(rest.data, close), tokens)),
				 "{%.*s} is not known; there are {type}, {env}, {name}, {region} "
				 "and {org}",
				 (int)(close < 40 ? close : 40), rest.data);
		rest = tn_str_from_offset(rest, close + 1);
	}
}

/* As the engine reads it: "10s", "1m30s". */
static bool is_duration(struct tn_str text)
{
	static const char *const units[] = {"ns", "us", "ms", "s", "m", "h"};
	size_t at = 0;

	if (text.size == 0 || text.size > 32)
		return false;
	while (at < text.size) {
		size_t digits = at;
		bool known = false;

		while (at < text.size && tn_is_digit(text.data[at]))
			at++;
		if (at == digits)
			return false;
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && !known; i++) {
			known = tn_str_starts(tn_str_from_offset(text, at), tn_str_from(units[i]));
			at += known ? strlen(units[i]) : 0;
		}
		if (!known)
			return false;
	}
	return true;
}

static void check_choice(struct check *check, const struct tn_studio_config_rule *rule,
			 const struct tn_json *value)
{
	char all[256];
	size_t used = 0;

	if (value->type != TN_JSON_STRING) {
		expect(check, value, "a text");
		return;
	}
	for (const char *const *choice = rule->choices; *choice; choice++) {
		if (tn_str_is(value->text, *choice))
			return;
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "",
					 *choice);
	}
	complain(check, tn_str_from(tn_near_find(value->text, rule->choices)),
		 "'%.*s' is not one of %s", (int)(value->text.size < 60 ? value->text.size : 60),
		 value->text.data, all);
}

static void check_count(struct check *check, const struct tn_studio_config_rule *rule,
			const struct tn_json *value)
{
	int64_t number;

	if (!tn_json_to_int(value, &number) || number < rule->min || number > rule->max)
		complain(check, NOTHING, "a whole number from %lld to %lld is expected here",
			 (long long)rule->min, (long long)rule->max);
}

/* ---- providers (5.6) ---- */

static void complain_provider(struct check *check, struct tn_str id)
{
	const struct tn_studio_registry *registry = check->document->registry;
	struct tn_str nearest = NOTHING;
	unsigned best = TN_NEAR_NONE;

	for (size_t i = 0; i < registry->provider_count; i++) {
		unsigned distance = tn_near_distance(id, registry->providers[i].id);

		if (distance < best && tn_near_is(id, registry->providers[i].id)) {
			best = distance;
			nearest = registry->providers[i].id;
		}
	}
	complain(check, nearest, "there is no provider '%.*s' in the registry",
		 (int)(id.size < 60 ? id.size : 60), id.data);
}

static void check_provider(struct check *check, const struct tn_studio_provider *provider,
			   const struct tn_json *value)
{
	for (const struct tn_json *member = value->first; member; member = member->next) {
		const struct tn_studio_property *property = NULL;
		const struct tn_json *stored;
		struct tn_str nearest = NOTHING;
		char why[256];

		if (!tn_studio_config_enter(&check->path, member->key))
			return;
		for (size_t i = 0; i < provider->config_count; i++) {
			if (tn_str_equal(provider->config[i].key, member->key))
				property = &provider->config[i];
			else if (tn_near_is(member->key, provider->config[i].key))
				nearest = provider->config[i].key;
		}
		if (!property && !comes_back(check, member))
			complain(check, nearest, "provider %.*s has no such setting",
				 (int)provider->id.size, provider->id.data);
		else if (property && member->type != TN_JSON_NULL && !comes_back(check, member) &&
			 !tn_studio_check_value(property, member, check->arena, &stored, why,
						sizeof(why)))
			complain(check, NOTHING, "%s", why);
		tn_studio_config_leave(&check->path);
	}
}

static void check_providers(struct check *check, const struct tn_json *value)
{
	for (const struct tn_json *member = value->first; member; member = member->next) {
		const struct tn_studio_provider *provider =
			tn_studio_provider_find(check->document->registry, member->key);

		if (!tn_studio_config_enter(&check->path, member->key))
			return;
		if (!provider)
			complain_provider(check, member->key);
		else if (member->type == TN_JSON_OBJECT)
			check_provider(check, provider, member);
		else if (member->type != TN_JSON_NULL)
			expect(check, member, "an object");
		tn_studio_config_leave(&check->path);
	}
}

/* ---- lists and maps ---- */

static void check_texts(struct check *check, const struct tn_studio_config_rule *rule,
			const struct tn_json *value)
{
	size_t index = 0;

	if (value->type != TN_JSON_ARRAY) {
		expect(check, value, "an array of texts");
		return;
	}
	for (const struct tn_json *item = value->first; item; item = item->next, index++) {
		if (!tn_studio_config_enter_number(&check->path, index))
			return;
		check_text(check, item);
		if (item->type == TN_JSON_STRING && rule->kind == TN_STUDIO_CONFIG_PROVIDER_NAMES &&
		    !tn_studio_provider_find(check->document->registry, item->text))
			complain_provider(check, item->text);
		if (item->type == TN_JSON_STRING && item->text.size == 0)
			complain(check, NOTHING, "it is empty");
		tn_studio_config_leave(&check->path);
	}
}

/* 4.1: what a variable can be called. */
static bool is_identifier(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && c != '_' && (i == 0 || (!tn_is_digit(c) && c != '-')))
			return false;
	}
	return text.size > 0 && text.size <= 256;
}

static void check_map(struct check *check, const struct tn_studio_config_rule *rule,
		      const struct tn_json *value)
{
	for (const struct tn_json *member = value->first; member; member = member->next) {
		if (!tn_studio_config_enter(&check->path, member->key))
			return;
		if (member->key.size == 0 || member->key.size > TEXT_BYTES_MAX ||
		    tn_str_find_byte(member->key, '\0') != TN_STR_NONE)
			complain(check, NOTHING, "a key is empty, too long or has a NUL in it");
		else if (rule->kind == TN_STUDIO_CONFIG_VALUES && !is_identifier(member->key))
			complain(check, NOTHING, "this is not the name of a variable");
		if (rule->kind == TN_STUDIO_CONFIG_TEXTS_BY_KEY && member->type != TN_JSON_NULL)
			check_text(check, member);
		tn_studio_config_leave(&check->path);
	}
}

/* ---- all of it ---- */

static void check_value(struct check *check, const struct tn_studio_config_rule *rule,
			const struct tn_json *value);

static void complain_key(struct check *check, const struct tn_studio_config_rule *rule,
			 struct tn_str key)
{
	enum { PARTS_MAX = 16 };
	const char *names[PARTS_MAX + 1] = {NULL};
	const char *nearest;

	for (size_t i = 0; i < rule->part_count && i < PARTS_MAX; i++)
		names[i] = rule->parts[i].key;
	nearest = tn_near_find(key, names);
	complain(check, tn_str_from(nearest), "there is no such key%s%s%s",
		 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static void check_object(struct check *check, const struct tn_studio_config_rule *rule,
			 const struct tn_json *value)
{
	for (const struct tn_json *member = value->first; member; member = member->next) {
		const struct tn_studio_config_rule *part = tn_studio_config_part(rule, member->key);

		(void)tn_studio_config_enter(&check->path, member->key); /* three levels at most */
		if (!part && !comes_back(check, member))
			complain_key(check, rule, member->key);
		else if (part && member->type != TN_JSON_NULL)
			check_value(check, part, member);
		tn_studio_config_leave(&check->path);
	}
}

/* Those whose value is an object. */
static void check_composed(struct check *check, const struct tn_studio_config_rule *rule,
			   const struct tn_json *value)
{
	if (value->type != TN_JSON_OBJECT) {
		expect(check, value, "an object");
		return;
	}
	switch (rule->kind) {
	case TN_STUDIO_CONFIG_OBJECT:
		check_object(check, rule, value);
		break;
	case TN_STUDIO_CONFIG_PROVIDERS:
		check_providers(check, value);
		break;
	default:
		check_map(check, rule, value);
		break;
	}
}

static void check_value(struct check *check, const struct tn_studio_config_rule *rule,
			const struct tn_json *value)
{
	if (value->type == TN_JSON_STRING && comes_back(check, value))
		return;
	switch (rule->kind) {
	case TN_STUDIO_CONFIG_TEXT:
	case TN_STUDIO_CONFIG_TEXT_OR_NULL:
		check_text(check, value);
		break;
	case TN_STUDIO_CONFIG_TEMPLATE:
		check_template(check, value);
		break;
	case TN_STUDIO_CONFIG_DURATION:
		if (value->type != TN_JSON_STRING || !is_duration(value->text))
			complain(check, NOTHING, "a duration like 30s or 5m is expected here");
		break;
	case TN_STUDIO_CONFIG_SWITCH:
		if (value->type != TN_JSON_TRUE && value->type != TN_JSON_FALSE)
			expect(check, value, "true or false");
		break;
	case TN_STUDIO_CONFIG_COUNT:
		check_count(check, rule, value);
		break;
	case TN_STUDIO_CONFIG_CHOICE:
		check_choice(check, rule, value);
		break;
	case TN_STUDIO_CONFIG_TEXTS:
	case TN_STUDIO_CONFIG_PROVIDER_NAMES:
		check_texts(check, rule, value);
		break;
	default:
		check_composed(check, rule, value);
		break;
	}
}

bool tn_studio_config_check(const struct tn_studio_document *document, const struct tn_json *patch,
			    struct tn_arena *arena, struct tn_studio_fault *fault)
{
	struct check check = {.document = document, .arena = arena, .fault = fault};
	struct tn_buf details;

	tn_buf_init(&check.problems, TN_STUDIO_FILE_BYTES_MAX);
	if (patch->type != TN_JSON_OBJECT) {
		expect(&check, patch, "an object");
	} else {
		check_caps(&check, patch, 0);
		check_object(&check, &tn_studio_config_root, patch);
	}
	if (check.count > 0) {
		(void)tn_studio_fail(fault, "INVALID_INPUT", "%s%s", check.first,
				     check.count > 1 ? " (and more, see details)" : "");
		tn_buf_init(&details, TN_STUDIO_FILE_BYTES_MAX);
		tn_buf_append_text(&details, "{\"problems\":[");
		tn_buf_append_str(&details, tn_buf_str(&check.problems));
		tn_buf_append_text(&details, "]}");
		if (fault && !details.failed && !check.problems.failed) {
			char *copy = tn_arena_copy(arena, tn_buf_str(&details));

			fault->details = tn_str(copy, copy ? details.size : 0);
		}
		if (check.suggestion.size > 0)
			tn_studio_fault_suggest(fault, check.suggestion);
		tn_buf_finish(&details);
	}
	tn_buf_finish(&check.problems);
	return check.count == 0;
}
