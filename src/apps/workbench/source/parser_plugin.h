/* parser_plugin.h - what tenon-source.so exports under the name TN_WB_PARSER_SYMBOL.
 *
 * The plug-in has the grammars of TSX and TypeScript and the library that runs them. What comes
 * back is our own: the tree as an array, in the order of the text, so that a node's inside is a
 * stretch of it. Threads: a parser one at a time, several parsers beside each other. */
#ifndef TN_WB_SOURCE_PARSER_PLUGIN_H
#define TN_WB_SOURCE_PARSER_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#define TN_WB_PARSER_FILE "tenon-source.so"
#define TN_WB_PARSER_SYMBOL "tn_wb_parser_plugin"
#define TN_WB_PARSER_VERSION 1u /* counts changes of what is declared here */

enum tn_wb_language { TN_WB_TSX, TN_WB_TYPESCRIPT };

/* Kinds of nodes that somebody asks for, by the grammar's name. Others are TN_WB_OTHER. */
#define TN_WB_SYNTAX_KINDS(X)                                         \
	X(PROGRAM, "program")                                         \
	X(IMPORT, "import_statement")                                 \
	X(IMPORT_CLAUSE, "import_clause")                             \
	X(NAMESPACE_IMPORT, "namespace_import")                       \
	X(NAMED_IMPORTS, "named_imports")                             \
	X(IMPORT_SPECIFIER, "import_specifier")                       \
	X(IMPORT_CALL, "import")                                      \
	X(EXPORT, "export_statement")                                 \
	X(EXPORT_CLAUSE, "export_clause")                             \
	X(EXPORT_SPECIFIER, "export_specifier")                       \
	X(NAMESPACE_EXPORT, "namespace_export")                       \
	X(DEFAULT, "default")                                         \
	X(STAR, "*")                                                  \
	X(QUESTION, "?")                                              \
	X(TYPE_WORD, "type")                                          \
	X(FUNCTION, "function_declaration")                           \
	X(GENERATOR, "generator_function_declaration")                \
	X(FUNCTION_VALUE, "function_expression")                      \
	X(GENERATOR_VALUE, "generator_function")                      \
	X(ARROW, "arrow_function")                                    \
	X(METHOD, "method_definition")                                \
	X(CLASS, "class_declaration")                                 \
	X(ABSTRACT_CLASS, "abstract_class_declaration")               \
	X(CLASS_VALUE, "class")                                       \
	X(CLASS_HERITAGE, "class_heritage")                           \
	X(EXTENDS_CLAUSE, "extends_clause")                           \
	X(LEXICAL, "lexical_declaration")                             \
	X(VARIABLES, "variable_declaration")                          \
	X(DECLARATOR, "variable_declarator")                          \
	X(INTERFACE, "interface_declaration")                         \
	X(TYPE_ALIAS, "type_alias_declaration")                       \
	X(EXTENDS_TYPE, "extends_type_clause")                        \
	X(BLOCK, "statement_block")                                   \
	X(STATEMENT, "expression_statement")                          \
	X(FOR_IN, "for_in_statement")                                 \
	X(FOR, "for_statement")                                       \
	X(CATCH, "catch_clause")                                      \
	X(CALL, "call_expression")                                    \
	X(ARGUMENTS, "arguments")                                     \
	X(MEMBER, "member_expression")                                \
	X(AS, "as_expression")                                        \
	X(SATISFIES, "satisfies_expression")                          \
	X(NON_NULL, "non_null_expression")                            \
	X(PARENTHESES, "parenthesized_expression")                    \
	X(UNARY, "unary_expression")                                  \
	X(IDENTIFIER, "identifier")                                   \
	X(PROPERTY, "property_identifier")                            \
	X(SHORTHAND, "shorthand_property_identifier")                 \
	X(STRING, "string")                                           \
	X(STRING_PART, "string_fragment")                             \
	X(ESCAPE, "escape_sequence")                                  \
	X(TEMPLATE, "template_string")                                \
	X(SUBSTITUTION, "template_substitution")                      \
	X(NUMBER, "number")                                           \
	X(TRUE, "true")                                               \
	X(FALSE, "false")                                             \
	X(NULL, "null")                                               \
	X(UNDEFINED, "undefined")                                     \
	X(OBJECT, "object")                                           \
	X(PAIR, "pair")                                               \
	X(ARRAY, "array")                                             \
	X(SPREAD, "spread_element")                                   \
	X(PARAMETERS, "formal_parameters")                            \
	X(PARAMETER, "required_parameter")                            \
	X(OPTIONAL_PARAMETER, "optional_parameter")                   \
	X(OBJECT_PATTERN, "object_pattern")                           \
	X(ARRAY_PATTERN, "array_pattern")                             \
	X(SHORTHAND_PATTERN, "shorthand_property_identifier_pattern") \
	X(DEFAULT_PATTERN, "object_assignment_pattern")               \
	X(ASSIGNMENT_PATTERN, "assignment_pattern")                   \
	X(PAIR_PATTERN, "pair_pattern")                               \
	X(REST_PATTERN, "rest_pattern")                               \
	X(TYPE_ANNOTATION, "type_annotation")                         \
	X(TYPE_ARGUMENTS, "type_arguments")                           \
	X(OBJECT_TYPE, "object_type")                                 \
	X(INTERFACE_BODY, "interface_body")                           \
	X(PROPERTY_SIGNATURE, "property_signature")                   \
	X(METHOD_SIGNATURE, "method_signature")                       \
	X(UNION, "union_type")                                        \
	X(INTERSECTION, "intersection_type")                          \
	X(PARENTHESES_TYPE, "parenthesized_type")                     \
	X(READONLY_TYPE, "readonly_type")                             \
	X(LITERAL_TYPE, "literal_type")                               \
	X(PREDEFINED_TYPE, "predefined_type")                         \
	X(TYPE_IDENTIFIER, "type_identifier")                         \
	X(NESTED_TYPE, "nested_type_identifier")                      \
	X(GENERIC_TYPE, "generic_type")                               \
	X(ARRAY_TYPE, "array_type")                                   \
	X(TUPLE_TYPE, "tuple_type")                                   \
	X(FUNCTION_TYPE, "function_type")                             \
	X(JSX_ELEMENT, "jsx_element")                                 \
	X(JSX_OPENING, "jsx_opening_element")                         \
	X(JSX_CLOSING, "jsx_closing_element")                         \
	X(JSX_SELF_CLOSING, "jsx_self_closing_element")               \
	X(JSX_ATTRIBUTE, "jsx_attribute")                             \
	X(JSX_EXPRESSION, "jsx_expression")                           \
	X(JSX_TEXT, "jsx_text")

/* Fields by which a parent names a child. */
#define TN_WB_SYNTAX_FIELDS(X)              \
	X(NAME, "name")                     \
	X(ALIAS, "alias")                   \
	X(VALUE, "value")                   \
	X(TYPE, "type")                     \
	X(BODY, "body")                     \
	X(SOURCE, "source")                 \
	X(DECLARATION, "declaration")       \
	X(PARAMETER, "parameter")           \
	X(PARAMETERS, "parameters")         \
	X(PATTERN, "pattern")               \
	X(LEFT, "left")                     \
	X(RIGHT, "right")                   \
	X(KEY, "key")                       \
	X(OBJECT, "object")                 \
	X(PROPERTY, "property")             \
	X(FUNCTION, "function")             \
	X(ARGUMENTS, "arguments")           \
	X(ARGUMENT, "argument")             \
	X(OPERATOR, "operator")             \
	X(TYPE_ARGUMENTS, "type_arguments") \
	X(ATTRIBUTE, "attribute")           \
	X(OPEN_TAG, "open_tag")             \
	X(CLOSE_TAG, "close_tag")

enum tn_wb_syntax_kind {
	TN_WB_OTHER,
	TN_WB_BROKEN, /* what the grammar could not place */
#define X(name, text) TN_WB_##name,
	TN_WB_SYNTAX_KINDS(X)
#undef X
		TN_WB_SYNTAX_KIND_COUNT
};
enum tn_wb_syntax_field {
	TN_WB_FIELD_NONE,
#define X(name, text) TN_WB_FIELD_##name,
	TN_WB_SYNTAX_FIELDS(X)
#undef X
		TN_WB_SYNTAX_FIELD_COUNT
};

/* Named nodes, and the few words and signs of the list above. */
struct tn_wb_syntax_node {
	uint16_t kind;       /* enum tn_wb_syntax_kind */
	uint16_t field;      /* enum tn_wb_syntax_field, in its parent */
	uint32_t start, end; /* bytes of the text */
	uint32_t parent;     /* the root is its own */
	uint32_t after;      /* the first node behind this one's inside */
};
struct tn_wb_syntax {
	struct tn_wb_syntax_node *nodes; /* the root is the first; given back with tn_mem_free */
	uint32_t count;
	bool is_broken; /* something in it did not parse */
	bool is_cut;    /* nested deeper than TN_WB_SYNTAX_DEPTH_MAX: the inside is left out */
};

struct tn_wb_parser;
struct tn_wb_parser_plugin {
	uint32_t version;
	/* Fails: NO_MEMORY, INTERNAL (a grammar that the library does not take). */
	enum tenon_code (*open)(struct tn_wb_parser **ret, struct tenon_error *err);
	void (*close)(struct tn_wb_parser *parser);
	/* Fails: LIMIT (time, memory, nodes), NO_MEMORY. */
	enum tenon_code (*parse)(struct tn_wb_parser *parser, enum tn_wb_language language,
				 struct tn_str text, struct tn_wb_syntax *ret,
				 struct tenon_error *err);
};

#endif
