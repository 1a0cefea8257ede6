/* The table of tenon-source.so: a text becomes a tree of tree-sitter's, and that our array. */
#include <string.h>
#include <tree_sitter/api.h>

#include "apps/workbench/source/parser_plugin.h"
#include "base/mem.h"
#include "plugins/limits.h"
#include "plugins/source_memory.h"

const TSLanguage *tree_sitter_tsx(void);
const TSLanguage *tree_sitter_typescript(void);

enum { LANGUAGES = 2, SYMBOLS_MAX = 1024, FIELDS_MAX = 256, SYMBOL_ERROR = 0xFFFF };

/* What the grammar's numbers mean here. */
struct names {
	const TSLanguage *language;
	uint16_t kinds[SYMBOLS_MAX];
	uint16_t fields[FIELDS_MAX];
};
struct tn_wb_parser {
	struct names names[LANGUAGES];
};

static const char *const kind_names[TN_WB_SYNTAX_KIND_COUNT] = {NULL, NULL,
#define X(name, text) text,
								TN_WB_SYNTAX_KINDS(X)
#undef X
};
static const char *const field_names[TN_WB_SYNTAX_FIELD_COUNT] = {NULL,
#define X(name, text) text,
								  TN_WB_SYNTAX_FIELDS(X)
#undef X
};

/* ---- opening ---- */

static uint16_t find_name(const char *const *names, uint16_t count, const char *name)
{
	for (uint16_t i = 1; name && i < count; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return i;
	return 0;
}

/* Names of nodes, and the few words and signs that are asked for: "class" is a keyword, too. */
static bool is_asked_for(uint16_t kind, TSSymbolType type)
{
	bool is_word = kind == TN_WB_DEFAULT || kind == TN_WB_STAR || kind == TN_WB_QUESTION ||
		       kind == TN_WB_TYPE_WORD;

	return type == (is_word ? TSSymbolTypeAnonymous : TSSymbolTypeRegular);
}

static bool learn(struct names *names, const TSLanguage *language)
{
	uint32_t symbols = ts_language_symbol_count(language);
	uint32_t fields = ts_language_field_count(language);

	if (symbols > SYMBOLS_MAX || fields >= FIELDS_MAX)
		return false;
	names->language = language;
	for (uint32_t i = 0; i < symbols; i++) {
		TSSymbol symbol = (TSSymbol)i;
		uint16_t kind = find_name(kind_names, TN_WB_SYNTAX_KIND_COUNT,
					  ts_language_symbol_name(language, symbol));

		if (is_asked_for(kind, ts_language_symbol_type(language, symbol)))
			names->kinds[i] = kind;
	}
	for (uint32_t i = 1; i <= fields; i++)
		names->fields[i] = find_name(field_names, TN_WB_SYNTAX_FIELD_COUNT,
					     ts_language_field_name_for_id(language, (TSFieldId)i));
	return true;
}

static enum tenon_code open_parser(struct tn_wb_parser **ret, struct tenon_error *err)
{
	struct tn_wb_parser *parser = tn_mem_alloc(sizeof(*parser));

	if (!parser)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	source_memory_install();
	if (!learn(&parser->names[TN_WB_TSX], tree_sitter_tsx()) ||
	    !learn(&parser->names[TN_WB_TYPESCRIPT], tree_sitter_typescript())) {
		tn_mem_free(parser);
		return tn_fail(err, TENON_INTERNAL, "the grammar has more names than were thought");
	}
	*ret = parser;
	return TENON_OK;
}

static void close_parser(struct tn_wb_parser *parser)
{
	tn_mem_free(parser);
}

/* ---- the tree as an array ---- */

struct walk {
	const struct names *names;
	struct tn_wb_syntax_node *nodes;
	uint32_t count, capacity, parent;
	uint32_t depth;
	bool is_cut, is_full, is_starved;
};

static uint16_t kind_of(const struct walk *walk, TSNode node)
{
	TSSymbol symbol = ts_node_symbol(node);

	if (symbol == SYMBOL_ERROR)
		return TN_WB_BROKEN;
	return symbol < SYMBOLS_MAX ? walk->names->kinds[symbol] : TN_WB_OTHER;
}

static bool has_room(struct walk *walk)
{
	uint32_t capacity = walk->capacity ? walk->capacity * 2 : 4096;
	struct tn_wb_syntax_node *nodes;

	if (walk->count < walk->capacity)
		return true;
	walk->is_full = capacity > TN_SOURCE_NODES_MAX;
	nodes = walk->is_full ? NULL : tn_mem_resize(walk->nodes, capacity * sizeof(*walk->nodes));
	walk->is_starved = !nodes && !walk->is_full;
	if (!nodes)
		return false;
	walk->nodes = nodes;
	walk->capacity = capacity;
	return true;
}

/* False: no room. *ret_kept: whether it has a place in the array. */
static bool enter(struct walk *walk, const TSTreeCursor *cursor, bool *ret_kept)
{
	TSNode node = ts_tree_cursor_current_node(cursor);
	uint16_t kind = kind_of(walk, node);
	TSFieldId field = ts_tree_cursor_current_field_id(cursor);

	*ret_kept = kind != TN_WB_OTHER || ts_node_is_named(node);
	if (!*ret_kept)
		return true;
	if (!has_room(walk))
		return false;
	walk->nodes[walk->count] = (struct tn_wb_syntax_node){
		.kind = kind,
		.field = field < FIELDS_MAX ? walk->names->fields[field] : TN_WB_FIELD_NONE,
		.start = ts_node_start_byte(node),
		.end = ts_node_end_byte(node),
		.parent = walk->parent,
	};
	walk->parent = walk->count++;
	return true;
}

static void leave(struct walk *walk)
{
	struct tn_wb_syntax_node *node = &walk->nodes[walk->parent];

	node->after = walk->count;
	walk->parent = node->parent;
}

/* Without the C stack, which a hostile text would use up. Signs that are not kept have no inside
 * worth a look. */
static bool copy_nodes(struct walk *walk, TSTreeCursor *cursor)
{
	for (;;) {
		bool kept = false;

		if (!enter(walk, cursor, &kept))
			return false;
		if (kept && walk->depth < TN_SOURCE_DEPTH_MAX &&
		    ts_tree_cursor_goto_first_child(cursor)) {
			walk->depth++;
			continue;
		}
		walk->is_cut = walk->is_cut || (kept && walk->depth >= TN_SOURCE_DEPTH_MAX);
		if (kept)
			leave(walk);
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			if (!ts_tree_cursor_goto_parent(cursor))
				return true;
			walk->depth--;
			leave(walk);
		}
	}
}

/* ---- parsing ---- */

static enum tenon_code make(struct walk *walk, struct tn_str text, struct tn_wb_syntax *ret,
			    struct tenon_error *err)
{
	TSParser *parser = ts_parser_new();
	TSTreeCursor cursor;
	TSTree *tree;

	ts_parser_set_timeout_micros(parser, TN_SOURCE_PARSE_MS * UINT64_C(1000));
	if (!ts_parser_set_language(parser, walk->names->language))
		return tn_fail(err, TENON_INTERNAL, "the grammar is of another version");
	tree = ts_parser_parse_string(parser, NULL, text.data, (uint32_t)text.size);
	if (!tree)
		return tn_fail(err, TENON_LIMIT, "reading it takes more than %d ms",
			       TN_SOURCE_PARSE_MS);
	ret->is_broken = ts_node_has_error(ts_tree_root_node(tree));
	cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	if (copy_nodes(walk, &cursor))
		return TENON_OK;
	return walk->is_starved ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
				: tn_fail(err, TENON_LIMIT, "it has more than %d parts",
					  TN_SOURCE_NODES_MAX);
}

/* Apart from `parse`, whose variables a jump must not leave half changed. */
static enum tenon_code make_or_jump(struct source_memory *memory, struct walk *walk,
				    struct tn_str text, struct tn_wb_syntax *ret,
				    struct tenon_error *err)
{
	if (setjmp(memory->out) == 0)
		return make(walk, text, ret, err);
	return memory->starved ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
			       : tn_fail(err, TENON_LIMIT, "reading it takes too much memory");
}

static enum tenon_code parse(struct tn_wb_parser *parser, enum tn_wb_language language,
			     struct tn_str text, struct tn_wb_syntax *ret, struct tenon_error *err)
{
	struct source_memory memory = {.limit = TN_SOURCE_PARSE_BYTES_MAX};
	struct walk walk = {.names = &parser->names[language]};
	struct tn_wb_syntax made = {0};
	enum tenon_code code;

	if (text.size > TN_SOURCE_TEXT_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "it is larger than %zu bytes",
			       (size_t)TN_SOURCE_TEXT_BYTES_MAX);
	source_memory_use(&memory);
	code = make_or_jump(&memory, &walk, text, &made, err);
	source_memory_use(NULL);
	source_memory_finish(&memory);
	if (code != TENON_OK) {
		tn_mem_free(walk.nodes);
		return code;
	}
	made.nodes = walk.nodes;
	made.count = walk.count;
	made.is_cut = walk.is_cut;
	*ret = made;
	return TENON_OK;
}

__attribute__((visibility("default"))) extern const struct tn_wb_parser_plugin tn_wb_parser_plugin;
const struct tn_wb_parser_plugin tn_wb_parser_plugin = {
	.version = TN_WB_PARSER_VERSION,
	.open = open_parser,
	.close = close_parser,
	.parse = parse,
};
