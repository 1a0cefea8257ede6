#include "apps/workbench/source/tree.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "loop/plugin.h"

struct tn_wb_reader {
	const struct tn_wb_parser_plugin *plugin;
	struct tn_wb_parser *parser;
};

enum tenon_code tn_wb_reader_open(const char *folder, struct tn_wb_reader **ret,
				  struct tenon_error *err)
{
	static const struct tn_plugin what = {TN_WB_PARSER_FILE, TN_WB_PARSER_SYMBOL,
					      TN_WB_PARSER_VERSION};
	const void *table = NULL;
	struct tn_wb_reader *reader;
	enum tenon_code code = tn_plugin_load(&what, folder, &table, err);

	if (code != TENON_OK)
		return code;
	reader = tn_mem_alloc(sizeof(*reader));
	if (!reader)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	reader->plugin = table;
	code = reader->plugin->open(&reader->parser, err);
	if (code != TENON_OK)
		tn_mem_free(reader);
	else
		*ret = reader;
	return code;
}

void tn_wb_reader_close(struct tn_wb_reader *reader)
{
	if (!reader)
		return;
	reader->plugin->close(reader->parser);
	tn_mem_free(reader);
}

enum tn_wb_language tn_wb_language_of(struct tn_str path)
{
	return tn_str_ends(path, TN_STR(".ts")) || tn_str_ends(path, TN_STR(".mts")) ||
			       tn_str_ends(path, TN_STR(".cts"))
		       ? TN_WB_TYPESCRIPT
		       : TN_WB_TSX;
}

/* ---- parsing ---- */

static enum tenon_code parse_once(struct tn_wb_reader *reader, enum tn_wb_language language,
				  struct tn_str text, struct tn_wb_tree *tree,
				  struct tenon_error *err)
{
	struct tn_wb_syntax syntax = {0};
	enum tenon_code code = reader->plugin->parse(reader->parser, language, text, &syntax, err);

	if (code != TENON_OK)
		return code;
	tn_mem_free(tree->nodes);
	tree->nodes = syntax.nodes;
	tree->count = syntax.count;
	tree->is_broken = syntax.is_broken;
	tree->is_cut = syntax.is_cut;
	return TENON_OK;
}

/* "&amp;" and "&#38;" are taken for what they are. */
static bool is_reference(struct tn_str text, size_t at)
{
	size_t i = at + 1;

	while (i < text.size &&
	       (tn_is_alpha(text.data[i]) || tn_is_digit(text.data[i]) || text.data[i] == '#'))
		i++;
	return i > at + 1 && i < text.size && text.data[i] == ';';
}

/* Writes `sign` over each bare "&"; with a tree only over those that are text between tags. */
static void write_over(char *copy, struct tn_str text, char sign, const struct tn_wb_tree *tree)
{
	uint32_t node = 0;

	for (size_t at = 0; at < text.size; at++) {
		if (text.data[at] != '&' || is_reference(text, at))
			continue;
		while (tree && node < tree->count &&
		       (tree->nodes[node].kind != TN_WB_JSX_TEXT || tree->nodes[node].end <= at))
			node++;
		if (tree && (node == tree->count || tree->nodes[node].start > at))
			continue;
		copy[at] = sign;
	}
}

/* Where types are joined by "&", another sign makes another tree. */
static bool changes_types(const struct tn_wb_tree *tree)
{
	for (uint32_t i = 0; i < tree->count; i++)
		if (tree->nodes[i].kind == TN_WB_UNION &&
		    tn_str_find_byte(tn_wb_text(tree, i), '&') != TN_STR_NONE)
			return true;
	return false;
}

/* The grammar takes a bare "&" between tags for a fault, which it is not (Appendix A); what it
 * makes of the text around it is not to be trusted, and takes a hundred times as long. So all of
 * them become "|" first, which is as good an operator and an ordinary letter between tags. Where
 * types have it as well, that tree tells which ones are text, and only those become blanks in a
 * second copy. Offsets stay. */
static enum tenon_code parse_mended(struct tn_wb_reader *reader, enum tn_wb_language language,
				    struct tn_wb_tree *tree, struct tenon_error *err)
{
	struct tn_str text = tree->text;
	char *copy = tn_mem_copy_text(text.data, text.size);
	struct tn_wb_tree guess = {.text = text};
	enum tenon_code code = TENON_OK;

	if (!copy)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	write_over(copy, text, '|', NULL);
	code = parse_once(reader, language, tn_str(copy, text.size), &guess, err);
	if (code == TENON_OK && changes_types(&guess)) {
		memcpy(copy, text.data, text.size);
		write_over(copy, text, ' ', &guess);
		code = parse_once(reader, language, tn_str(copy, text.size), tree, err);
	} else if (code == TENON_OK) {
		tn_mem_free(tree->nodes);
		*tree = guess;
		guess = (struct tn_wb_tree){0};
	}
	tn_wb_tree_finish(&guess);
	tn_mem_free(copy);
	return code;
}

/* One "&" by itself is text between tags more often than anything else; two are an operator, and
 * text only where the tree turns out to be broken. */
static bool has_lone_sign(struct tn_str text)
{
	for (size_t at = tn_str_find_byte(text, '&'); at != TN_STR_NONE && at < text.size; at++) {
		if (text.data[at] != '&')
			continue;
		if (at + 1 < text.size && (text.data[at + 1] == '&' || text.data[at + 1] == '='))
			at++;
		else if (!is_reference(text, at))
			return true;
	}
	return false;
}

static enum tenon_code parse_text(struct tn_wb_reader *reader, enum tn_wb_language language,
				  struct tn_wb_tree *tree, struct tenon_error *err)
{
	enum tenon_code code;

	if (language == TN_WB_TSX && has_lone_sign(tree->text))
		return parse_mended(reader, language, tree, err);
	code = parse_once(reader, language, tree->text, tree, err);
	if (code == TENON_OK && language == TN_WB_TSX && tree->is_broken &&
	    tn_str_find(tree->text, TN_STR("&&")) != TN_STR_NONE)
		code = parse_mended(reader, language, tree, err);
	return code;
}

static bool find_lines(struct tn_wb_tree *tree)
{
	uint32_t count = 1;

	for (size_t i = 0; i < tree->text.size; i++)
		count += tree->text.data[i] == '\n';
	tree->lines = tn_mem_alloc_array(count, sizeof(*tree->lines));
	if (!tree->lines)
		return false;
	tree->line_count = 1;
	for (size_t i = 0; i < tree->text.size; i++)
		if (tree->text.data[i] == '\n')
			tree->lines[tree->line_count++] = (uint32_t)(i + 1);
	return true;
}

enum tenon_code tn_wb_tree_parse(struct tn_wb_reader *reader, enum tn_wb_language language,
				 struct tn_str text, struct tn_wb_tree *ret,
				 struct tenon_error *err)
{
	struct tn_wb_tree tree = {.text = text};
	enum tenon_code code = parse_text(reader, language, &tree, err);

	if (code == TENON_OK && !find_lines(&tree))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code != TENON_OK)
		tn_wb_tree_finish(&tree);
	else
		*ret = tree;
	return code;
}

void tn_wb_tree_finish(struct tn_wb_tree *tree)
{
	tn_mem_free(tree->nodes);
	tn_mem_free(tree->lines);
	*tree = (struct tn_wb_tree){0};
}

/* ---- positions ---- */

/* A character's length in bytes and in UTF-16 units; a byte that is none counts as one. */
static size_t measure(struct tn_str text, size_t at, uint32_t *units)
{
	uint32_t code = 0;
	size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

	*units = code >= 0x10000 ? 2 : 1;
	return size ? size : 1;
}

struct tn_wb_position tn_wb_tree_position(const struct tn_wb_tree *tree, uint32_t offset)
{
	uint32_t low = 0, high = tree->line_count, column = 1, units;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (tree->lines[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	for (size_t at = tree->lines[low]; at < offset && at < tree->text.size; column += units)
		at += measure(tree->text, at, &units);
	/* A byte order mark is no part of the first line. */
	if (low == 0 && tn_str_starts(tree->text, TN_STR("\xEF\xBB\xBF")) && column > 1)
		column--;
	return (struct tn_wb_position){low + 1, column};
}

bool tn_wb_tree_offset(const struct tn_wb_tree *tree, struct tn_wb_position position, uint32_t *ret)
{
	size_t at, end;
	uint32_t column = 1, units;

	if (position.line == 0 || position.line > tree->line_count || position.column == 0)
		return false;
	at = tree->lines[position.line - 1];
	end = position.line < tree->line_count ? tree->lines[position.line] : tree->text.size;
	if (at == 0 && tn_str_starts(tree->text, TN_STR("\xEF\xBB\xBF")))
		at = 3;
	for (; column < position.column && at < end; column += units)
		at += measure(tree->text, at, &units);
	*ret = (uint32_t)at;
	return column == position.column && at < end;
}

/* ---- nodes ---- */

uint32_t tn_wb_first(const struct tn_wb_tree *tree, uint32_t node)
{
	return node != TN_WB_NO_NODE && node + 1 < tree->nodes[node].after ? node + 1
									   : TN_WB_NO_NODE;
}

uint32_t tn_wb_next(const struct tn_wb_tree *tree, uint32_t child)
{
	uint32_t after, parent;

	if (child == TN_WB_NO_NODE || child == 0)
		return TN_WB_NO_NODE;
	after = tree->nodes[child].after;
	parent = tree->nodes[child].parent;
	return after < tree->nodes[parent].after ? after : TN_WB_NO_NODE;
}

uint32_t tn_wb_parent(const struct tn_wb_tree *tree, uint32_t node)
{
	return node == TN_WB_NO_NODE || node == 0 ? TN_WB_NO_NODE : tree->nodes[node].parent;
}

uint32_t tn_wb_child(const struct tn_wb_tree *tree, uint32_t node, enum tn_wb_syntax_field field)
{
	uint32_t child = tn_wb_first(tree, node);

	while (child != TN_WB_NO_NODE && tree->nodes[child].field != field)
		child = tn_wb_next(tree, child);
	return child;
}

uint32_t tn_wb_child_of_kind(const struct tn_wb_tree *tree, uint32_t node,
			     enum tn_wb_syntax_kind kind)
{
	uint32_t child = tn_wb_first(tree, node);

	while (child != TN_WB_NO_NODE && tree->nodes[child].kind != kind)
		child = tn_wb_next(tree, child);
	return child;
}

uint32_t tn_wb_bare(const struct tn_wb_tree *tree, uint32_t node)
{
	for (;;) {
		switch (tn_wb_kind(tree, node)) {
		case TN_WB_PARENTHESES:
		case TN_WB_AS:
		case TN_WB_SATISFIES:
		case TN_WB_NON_NULL:
			node = tn_wb_first(tree, node);
			break;
		default:
			return node;
		}
	}
}

/* The escapes that stand for one other character; line breaks that are escaped are left out. */
static size_t put_escape(struct tn_str escape, char out[TN_UTF8_BYTES_MAX])
{
	static const char letters[] = "n\nt\tr\rb\bf\fv\v0\0";
	uint32_t code = 0;
	size_t at = 2;

	if (escape.size < 2 || escape.data[1] == '\n' || escape.data[1] == '\r')
		return 0;
	if (escape.data[1] != 'u' && escape.data[1] != 'x') {
		for (size_t i = 0; i + 1 < sizeof(letters) - 1; i += 2)
			if (letters[i] == escape.data[1])
				return (size_t)((out[0] = letters[i + 1]), 1);
		memcpy(out, escape.data + 1, escape.size - 1 > 4 ? 4 : escape.size - 1);
		return escape.size - 1 > 4 ? 4 : escape.size - 1;
	}
	for (; at < escape.size; at++) {
		char c = tn_to_lower(escape.data[at]);

		if (c == '{' || c == '}')
			continue;
		code = code * 16 + (uint32_t)(tn_is_digit(c) ? c - '0' : c - 'a' + 10);
		code = code > 0x10FFFF ? 0x10FFFF + 1 : code;
	}
	return tn_utf8_encode(code, out);
}

bool tn_wb_literal(const struct tn_wb_tree *tree, uint32_t node, char *out, size_t size,
		   struct tn_str *ret)
{
	size_t used = 0;

	node = tn_wb_bare(tree, node);
	if (tn_wb_kind(tree, node) != TN_WB_STRING && tn_wb_kind(tree, node) != TN_WB_TEMPLATE)
		return false;
	for (uint32_t i = tn_wb_first(tree, node); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		struct tn_str part = tn_wb_text(tree, i);
		char escape[TN_UTF8_BYTES_MAX];

		if (tn_wb_kind(tree, i) == TN_WB_ESCAPE)
			part = tn_str(escape, put_escape(part, escape));
		else if (tn_wb_kind(tree, i) != TN_WB_STRING_PART)
			return false;
		if (part.size > size - used)
			return false;
		memcpy(out + used, part.data, part.size);
		used += part.size;
	}
	*ret = tn_str(out, used);
	return true;
}
