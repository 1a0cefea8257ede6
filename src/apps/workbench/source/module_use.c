/* What a declaration renders: tags, what its wrappers name, and what it loads late. */
#include "apps/workbench/limits.h"
#include "apps/workbench/source/module_reader.h"

enum { HIDDEN_MAX = 256 };

/* Names that are declared inside, each with the stretch of text where it counts. */
struct hidden {
	struct tn_str name;
	uint32_t start, end;
};
struct scan {
	struct tn_wb_module_reader *reader;
	const struct tn_wb_tree *tree;
	struct hidden hidden[HIDDEN_MAX]; /* those beyond are not known to hide anything */
	size_t hidden_count;
};

/* ---- names that hide others ---- */

/* The node whose inside a declaration counts in: the function of a parameter, else the block. */
static uint32_t scope_of(const struct tn_wb_tree *tree, uint32_t node)
{
	while (node != 0) {
		enum tn_wb_syntax_kind kind;

		node = tree->nodes[node].parent;
		kind = tn_wb_kind(tree, node);
		if (tn_wb_is_function(kind) || kind == TN_WB_METHOD || kind == TN_WB_BLOCK ||
		    kind == TN_WB_FOR || kind == TN_WB_FOR_IN || kind == TN_WB_CATCH)
			return node;
	}
	return 0;
}

/* The name of a variable, a function or a class. */
static bool is_name_of(enum tn_wb_syntax_kind around)
{
	return around == TN_WB_DECLARATOR || around == TN_WB_FUNCTION ||
	       around == TN_WB_GENERATOR || around == TN_WB_CLASS;
}

/* A parameter, or a part of a pattern. */
static bool is_part_of(enum tn_wb_syntax_kind around, enum tn_wb_syntax_field field)
{
	switch (around) {
	case TN_WB_PARAMETER:
	case TN_WB_OPTIONAL_PARAMETER:
	case TN_WB_ARRAY_PATTERN:
	case TN_WB_REST_PATTERN:
		return true;
	case TN_WB_PAIR_PATTERN:
		return field == TN_WB_FIELD_VALUE;
	case TN_WB_ARROW:
		return field == TN_WB_FIELD_PARAMETER;
	case TN_WB_ASSIGNMENT_PATTERN:
		return field == TN_WB_FIELD_LEFT;
	default:
		return false;
	}
}

/* Whether this name is being declared here. */
static bool is_declared_here(const struct tn_wb_tree *tree, uint32_t node)
{
	enum tn_wb_syntax_kind kind = tn_wb_kind(tree, node);
	enum tn_wb_syntax_kind around = tn_wb_kind(tree, tree->nodes[node].parent);
	enum tn_wb_syntax_field field = (enum tn_wb_syntax_field)tree->nodes[node].field;

	if (kind == TN_WB_SHORTHAND_PATTERN)
		return true;
	if (kind != TN_WB_IDENTIFIER && kind != TN_WB_TYPE_IDENTIFIER)
		return false;
	return field == TN_WB_FIELD_NAME ? is_name_of(around) : is_part_of(around, field);
}

/* The declaration that is being read does not hide anything from itself. */
static void find_hidden(struct scan *scan, uint32_t first, uint32_t end)
{
	for (uint32_t i = first + 1; i < end && scan->hidden_count < HIDDEN_MAX; i++) {
		struct tn_str name = tn_wb_text(scan->tree, i);
		uint32_t scope;

		if (!tn_wb_is_capital(name) || !is_declared_here(scan->tree, i) ||
		    scan->tree->nodes[i].parent == first)
			continue;
		scope = scope_of(scan->tree, i);
		scan->hidden[scan->hidden_count++] = (struct hidden){
			name, scan->tree->nodes[scope].start, scan->tree->nodes[scope].end};
	}
}

static bool is_hidden(const struct scan *scan, struct tn_str name, uint32_t at)
{
	for (size_t i = 0; i < scan->hidden_count; i++)
		if (tn_str_equal(scan->hidden[i].name, name) && scan->hidden[i].start <= at &&
		    at < scan->hidden[i].end)
			return true;
	return false;
}

/* Declarations of the module itself hide nothing. */
bool tn_wb_is_hidden_at(const struct tn_wb_tree *tree, uint32_t node, struct tn_str name)
{
	uint32_t start = tree->nodes[node].start;

	for (uint32_t i = 1; i < tree->count; i++) {
		uint32_t scope;

		if (!tn_str_equal(tn_wb_text(tree, i), name) || !is_declared_here(tree, i))
			continue;
		scope = scope_of(
			tree, tree->nodes[i].field == TN_WB_FIELD_NAME ? tree->nodes[i].parent : i);
		if (scope != 0 && tree->nodes[scope].start <= start &&
		    start < tree->nodes[scope].end)
			return true;
	}
	return false;
}

/* ---- adding ---- */

void tn_wb_begin_uses(struct tn_wb_module_reader *reader)
{
	tn_map_finish(&reader->seen);
	tn_map_init(&reader->seen);
}

static void add_use(struct tn_wb_module_reader *reader, struct tn_str name, struct tn_str member,
		    struct tn_str specifier)
{
	struct tn_wb_module *module = reader->module;
	char key[3 * TN_WB_NAME_BYTES_MAX];
	struct tn_wb_use *list;
	size_t size = 0;

	if (name.size + member.size + specifier.size + 2 > sizeof(key))
		return;
	for (int i = 0; i < 3; i++) {
		struct tn_str part = i == 0 ? name : i == 1 ? member : specifier;

		if (part.size)
			memcpy(key + size, part.data, part.size);
		size += part.size;
		if (i < 2)
			key[size++] = '\n';
	}
	if (tn_map_get(&reader->seen, tn_str(key, size)))
		return;
	list = tn_wb_grow(reader, module->uses, module->use_count, &reader->uses, sizeof(*list));
	if (!list)
		return;
	reader->failed = tn_map_put(&reader->seen, tn_str(key, size), reader, NULL) != TENON_OK;
	module->uses = list;
	list[module->use_count].name = tn_wb_keep(reader, name);
	list[module->use_count].member = tn_wb_keep(reader, member);
	list[module->use_count++].specifier = tn_wb_keep(reader, specifier);
}

bool tn_wb_split_name(const struct tn_wb_tree *tree, uint32_t node, struct tn_str *ret_name,
		      struct tn_str *ret_member)
{
	*ret_member = tn_str("", 0);
	if (tn_wb_kind(tree, node) == TN_WB_MEMBER) {
		*ret_member = tn_wb_text(tree, tn_wb_child(tree, node, TN_WB_FIELD_PROPERTY));
		node = tn_wb_child(tree, node, TN_WB_FIELD_OBJECT);
	}
	*ret_name = tn_wb_text(tree, node);
	return tn_wb_kind(tree, node) == TN_WB_IDENTIFIER;
}

static void add_named(struct scan *scan, uint32_t node)
{
	struct tn_str name, member;

	if (tn_wb_split_name(scan->tree, node, &name, &member) &&
	    !is_hidden(scan, name, scan->tree->nodes[node].start))
		add_use(scan->reader, name, member, tn_str("", 0));
}

void tn_wb_read_named_use(struct tn_wb_module_reader *reader, uint32_t node)
{
	struct tn_str name, member;

	node = tn_wb_bare(reader->tree, node);
	if (tn_wb_split_name(reader->tree, node, &name, &member))
		add_use(reader, name, member, tn_str("", 0));
}

/* ---- what is loaded late ---- */

/* import("x").then((m) => ({ default: m.Name })): "Name". */
static struct tn_str name_of_late(const struct tn_wb_tree *tree, uint32_t call, const char *usual)
{
	uint32_t then = tree->nodes[call].parent;
	uint32_t outer = tree->nodes[then].parent;

	if (tn_wb_kind(tree, then) != TN_WB_MEMBER || tn_wb_kind(tree, outer) != TN_WB_CALL ||
	    !tn_str_is(tn_wb_last_name(tree, then), "then"))
		return tn_str_from(usual);
	for (uint32_t i = outer; i < tn_wb_after(tree, outer); i++) {
		uint32_t value = tn_wb_child(tree, i, TN_WB_FIELD_VALUE);

		if (tn_wb_kind(tree, i) == TN_WB_PAIR &&
		    tn_str_is(tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_KEY)), usual))
			return tn_wb_last_name(tree, value);
	}
	return tn_str_from(usual);
}

static void add_late(struct tn_wb_module_reader *reader, uint32_t node, const char *usual)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t arguments = tn_wb_child(tree, node, TN_WB_FIELD_ARGUMENTS);
	char room[TN_WB_NAME_BYTES_MAX];
	struct tn_str specifier, name;

	if (tn_wb_kind(tree, tn_wb_child(tree, node, TN_WB_FIELD_FUNCTION)) != TN_WB_IMPORT_CALL ||
	    !tn_wb_literal(tree, tn_wb_first(tree, arguments), room, sizeof(room), &specifier))
		return;
	name = name_of_late(tree, node, usual);
	if (name.size)
		add_use(reader, name, tn_str("", 0), specifier);
}

void tn_wb_read_late_uses(struct tn_wb_module_reader *reader, uint32_t first, uint32_t end,
			  const char *usual)
{
	for (uint32_t i = first; i < end; i++)
		if (tn_wb_kind(reader->tree, i) == TN_WB_CALL)
			add_late(reader, i, usual);
}

/* ---- a declaration ---- */

/* What `const X = styled(Button)`, `memo(Inner)` or `on ? A : B` is made of: names outside of
 * functions and tags. */
static void add_made_of(struct scan *scan, uint32_t first)
{
	const struct tn_wb_tree *tree = scan->tree;

	for (uint32_t i = first; i < tn_wb_after(tree, first);) {
		enum tn_wb_syntax_kind kind = tn_wb_kind(tree, i);
		bool is_apart = tn_wb_is_function(kind) || tn_wb_is_class(kind) ||
				kind == TN_WB_OBJECT || kind == TN_WB_JSX_ELEMENT ||
				kind == TN_WB_JSX_SELF_CLOSING || kind == TN_WB_MEMBER;

		if ((kind == TN_WB_IDENTIFIER && tn_wb_is_capital(tn_wb_text(tree, i))) ||
		    kind == TN_WB_MEMBER)
			add_named(scan, i);
		i = is_apart ? tn_wb_after(tree, i) : i + 1;
	}
}

/* A function of this module that is called for a part of what is rendered: `{row(item)}`. Such
 * units have small letters; whether they render anything is seen when they are followed. */
static bool is_helper(const struct scan *scan, uint32_t node)
{
	return tn_map_get(&scan->reader->helpers, tn_wb_text(scan->tree, node)) &&
	       !is_declared_here(scan->tree, node);
}

static void read_node(struct scan *scan, uint32_t node)
{
	const struct tn_wb_tree *tree = scan->tree;
	uint32_t name = tn_wb_child(tree, node, TN_WB_FIELD_NAME);
	uint32_t value;

	switch (tn_wb_kind(tree, node)) {
	case TN_WB_JSX_OPENING:
	case TN_WB_JSX_SELF_CLOSING:
		/* <card> is the page's own. */
		if (tn_wb_kind(tree, name) == TN_WB_MEMBER ||
		    tn_wb_is_capital(tn_wb_text(tree, name)))
			add_named(scan, name);
		break;
	case TN_WB_DECLARATOR:
		value = tn_wb_child(tree, node, TN_WB_FIELD_VALUE);
		if (tn_wb_is_capital(tn_wb_text(tree, name)) && value != TN_WB_NO_NODE)
			add_made_of(scan, value);
		break;
	case TN_WB_IDENTIFIER:
		if (is_helper(scan, node))
			add_named(scan, node);
		break;
	default:
		break;
	}
}

void tn_wb_read_uses(struct tn_wb_module_reader *reader, uint32_t first, uint32_t end)
{
	struct scan scan = {.reader = reader, .tree = reader->tree};
	enum tn_wb_syntax_kind kind = tn_wb_kind(reader->tree, first);

	/* Where a text does not parse, declarations may lie in each other, thousands deep. */
	reader->work += end - first;
	if (reader->work / TN_WB_WORK_MAX > reader->tree->count)
		return;
	find_hidden(&scan, first, end);
	if (!tn_wb_is_function(kind) && !tn_wb_is_class(kind))
		add_made_of(&scan, first);
	for (uint32_t i = first; i < end && !reader->failed; i++)
		read_node(&scan, i);
	tn_wb_read_late_uses(reader, first, end, "default");
}
