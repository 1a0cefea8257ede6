#include <stdio.h>

#include "apps/studio/check/internal.h"
#include "base/digest.h"
#include "base/map.h"
#include "base/size.h"

enum { KEY_BYTES_MAX = 1024, NAME_BYTES_MAX = 256, TOKENS_MAX = 16 };

/* ---- the name, and where it must be unique ---- */

static bool name_of(struct tn_studio_checking *checking, const struct tn_studio_node *node,
		    struct tn_str *ret)
{
	struct tn_studio_scope scope;
	const struct tn_json *name;

	if (!node->type || node->type->is_virtual ||
	    !tn_studio_property_find(node->type, TN_STR("name")))
		return false;
	scope = tn_studio_scope_of(checking->document, node, checking->arena);
	name = tn_studio_value_by_key(&scope, TN_STR("name"));
	return tn_json_to_str(name, ret) && ret->size > 0 && ret->size < NAME_BYTES_MAX;
}

static bool is_global(const struct tn_studio_type *type)
{
	bool global = false;

	(void)tn_json_to_bool(tn_json_get(type->naming, "global"), &global);
	return global;
}

/* The id of what it lies in for its provider: what it is a part of, else its group, else what is
 * around it; nothing where names are unique worldwide. */
static struct tn_str scope_of(const struct tn_studio_checking *checking,
			      const struct tn_studio_node *node)
{
	const struct tn_studio_type *type = node->type;
	const struct tn_studio_node *around = NULL;
	const struct tn_json *needs = type->needs;
	struct tn_str text;

	if (is_global(type))
		return tn_str(NULL, 0);
	if (tn_json_to_str(tn_json_get(type->parent_reference, "key"), &text))
		around = tn_studio_reference(checking->document, node, text);
	if (!around && needs && needs->first && type->provider &&
	    tn_json_to_str(tn_json_get(tn_json_get_str(type->provider->scopes, needs->first->text),
				       "ancestor"),
			   &text))
		around = tn_studio_ancestor(node, text);
	if (!around)
		around = tn_studio_real_parent(node);
	return around ? around->id : tn_str(NULL, 0);
}

/* ---- two of one name ---- */

/* "name-2", as the type allows it. */
static void fix_duplicate(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			  const struct tn_studio_node *node, struct tn_str name, const char *ending)
{
	const struct tn_json *stored = tn_json_get(node->properties, "name");
	int64_t longest = -1;
	size_t keep = name.size;
	char *text;
	bool plain = false;

	/* A computed name is changed by its slug, which only its owner can choose. */
	if (!one || !stored || stored->type != TN_JSON_STRING)
		return;
	(void)tn_json_to_bool(tn_json_get(node->type->naming, "noHyphens"), &plain);
	(void)tn_json_to_int(tn_json_get(node->type->naming, "maxLength"), &longest);
	if (longest > 0 && keep + strlen(ending) + 1 > (size_t)longest)
		keep = (size_t)longest > strlen(ending) + 1 ? (size_t)longest - strlen(ending) - 1
							    : 0;
	text = tn_arena_format(checking->arena, "%.*s%s%s", (int)keep, name.data, plain ? "" : "-",
			       ending);
	if (text)
		tn_studio_check_fix_property(checking, one, node, TN_STR("name"), text);
}

static bool has_name_ending(const struct tn_studio_checking *checking,
			    const struct tn_studio_node *like, const char *ending)
{
	for (size_t i = 0; i < checking->document->node_count; i++) {
		const struct tn_studio_node *node = checking->document->nodes[i];
		struct tn_str name;

		if (node->type == like->type &&
		    tn_json_to_str(tn_json_get(node->properties, "name"), &name) &&
		    tn_str_ends(name, tn_str_from(ending)))
			return true;
	}
	return false;
}

/* The first number that no name of this type ends with. */
static void fix_by_number(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			  const struct tn_studio_node *node, struct tn_str name)
{
	char ending[16] = "2";

	for (unsigned number = 2; number < 1000 && has_name_ending(checking, node, ending);)
		(void)snprintf(ending, sizeof(ending), "%u", ++number);
	fix_duplicate(checking, one, node, name, ending);
}

static void tell_duplicate(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			   const struct tn_studio_node *other, struct tn_str name)
{
	struct tn_studio_diagnostic *one = tn_studio_diagnose(
		checking->list, TN_STUDIO_WARNING, "DUPLICATE_NAME", node,
		"'%.*s' and '%.*s' are both called %.*s.", TN_STUDIO_SHOWN(node->label),
		TN_STUDIO_SHOWN(other->label), TN_STUDIO_SHOWN(name));

	if (!one)
		return;
	one->property = TN_STR("name");
	tn_studio_check_hint(checking, one, "Two %.*s resources in one place need two names.",
			     TN_STUDIO_SHOWN(node->type->display_name));
	fix_by_number(checking, one, node, name);
}

static void check_all(struct tn_studio_checking *checking)
{
	const struct tn_studio_document *document = checking->document;
	struct tn_map first; /* "type scope name" to the first node */

	tn_map_init(&first);
	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];
		const struct tn_studio_node *other;
		struct tn_str name, scope;
		char key[KEY_BYTES_MAX];
		int size;

		if (!name_of(checking, node, &name))
			continue;
		scope = scope_of(checking, node);
		size = snprintf(key, sizeof(key), "%.*s %.*s %.*s", (int)node->type_id.size,
				node->type_id.data, (int)scope.size, scope.data ? scope.data : "",
				(int)name.size, name.data);
		if (size < 0 || (size_t)size >= sizeof(key))
			continue;
		other = tn_map_get(&first, tn_str(key, (size_t)size));
		if (other)
			tell_duplicate(checking, node, other, name);
		else if (tn_map_put(&first, tn_str(key, (size_t)size), node, NULL) != TENON_OK)
			break;
	}
	tn_map_finish(&first);
}

static void check_against_all(struct tn_studio_checking *checking,
			      const struct tn_studio_node *only)
{
	const struct tn_studio_document *document = checking->document;
	struct tn_str name, scope, other;

	if (!name_of(checking, only, &name))
		return;
	scope = scope_of(checking, only);
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (node == only || node->type != only->type || !name_of(checking, node, &other) ||
		    !tn_str_equal(name, other) || !tn_str_equal(scope, scope_of(checking, node)))
			continue;
		tell_duplicate(checking, only, node, name);
		return;
	}
}

/* ---- names that somebody else has ---- */

/* Words that say what it is or where, and not whose. */
static const char *const plain_words[] = {
	"account",    "api",      "app",      "application", "backend", "bucket", "cache",
	"data",       "database", "db",       "default",     "demo",    "dev",    "development",
	"example",    "files",    "frontend", "function",    "group",   "key",    "kv",
	"log",        "logs",     "main",     "my",          "name",    "new",    "prod",
	"production", "project",  "registry", "resource",    "sample",  "server", "service",
	"sql",        "stage",    "staging",  "storage",     "store",   "temp",   "test",
	"the",        "vault",    "web",      "website",     "a",       "of",     "for"};

static bool is_plain_word(const struct tn_studio_type *type, struct tn_str word)
{
	struct tn_str part, rest = type->display_name, abbreviation = {NULL, 0};

	while (word.size > 0 && tn_is_digit(word.data[word.size - 1]))
		word.size--;
	if (word.size == 0)
		return true;
	for (size_t i = 0; i < TN_COUNT(plain_words); i++) {
		if (tn_str_equal_nocase(word, tn_str_from(plain_words[i])))
			return true;
	}
	(void)tn_json_to_str(tn_json_get(type->naming, "abbreviation"), &abbreviation);
	if (tn_str_equal_nocase(word, abbreviation))
		return true;
	while (rest.size > 0) {
		size_t space = tn_str_find_byte(rest, ' ');

		part = tn_str(rest.data, space == TN_STR_NONE ? rest.size : space);
		if (tn_str_equal_nocase(word, part))
			return true;
		rest = space == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, space + 1);
	}
	return false;
}

/* "storageaccount1": the type's own words run together. */
static bool is_type_run_together(const struct tn_studio_type *type, struct tn_str word)
{
	char joined[NAME_BYTES_MAX];
	size_t size = 0;

	for (size_t i = 0; i < type->display_name.size && size < sizeof(joined); i++) {
		if (type->display_name.data[i] != ' ')
			joined[size++] = type->display_name.data[i];
	}
	while (word.size > 0 && tn_is_digit(word.data[word.size - 1]))
		word.size--;
	return tn_str_equal_nocase(word, tn_str(joined, size));
}

static bool is_generic(const struct tn_studio_type *type, struct tn_str name)
{
	size_t start = 0;

	if (is_type_run_together(type, name))
		return true;
	for (size_t i = 0; i <= name.size; i++) {
		if (i < name.size && (tn_is_alpha(name.data[i]) || tn_is_digit(name.data[i])))
			continue;
		if (i > start && !is_plain_word(type, tn_str(name.data + start, i - start)) &&
		    !is_type_run_together(type, tn_str(name.data + start, i - start)))
			return false;
		start = i + 1;
	}
	return true;
}

static void check_global(struct tn_studio_checking *checking, const struct tn_studio_node *node)
{
	struct tn_studio_diagnostic *one;
	char digest[TN_DIGEST_HEX_SIZE];
	struct tn_str name;

	if (!node->type || !is_global(node->type) || !name_of(checking, node, &name) ||
	    !is_generic(node->type, name))
		return;
	one = tn_studio_diagnose(checking->list, TN_STUDIO_INFO, "GLOBAL_NAME", node,
				 "'%.*s' is called %.*s, which must be unique worldwide and is "
				 "probably taken.",
				 TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(name));
	if (!one)
		return;
	one->property = TN_STR("name");
	tn_studio_check_hint(checking, one, "Put your organisation or project into the name.");
	/* The same every time, and another one for every node. */
	tn_digest_hex(node->id, digest);
	digest[6] = '\0';
	fix_duplicate(checking, one, node, name, digest);
}

void tn_studio_check_names(struct tn_studio_checking *checking, const struct tn_studio_node *only)
{
	const struct tn_studio_document *document = checking->document;

	if (only) {
		check_against_all(checking, only);
		check_global(checking, only);
		return;
	}
	check_all(checking);
	for (size_t i = 0; i < document->node_count; i++)
		check_global(checking, document->nodes[i]);
}
