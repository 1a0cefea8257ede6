#include "apps/terminal/policy/names.h"

#include <stdlib.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/shell/shell.h"
#include "base/mem.h"
#include "base/size.h"

/* ---- one by one ---- */

static bool is_equal(const struct tn_name *at, enum tn_name_kind kind,
		     const struct tn_shell_name *name)
{
	return at->kind == kind && tn_str_equal(tn_str_from(at->name), name->name) &&
	       (at->value.data == NULL) == (name->value.data == NULL) &&
	       tn_str_equal(at->value, name->value);
}

/* A variable is an aid: what is not known of it is unknown. */
static void refuse(struct tn_names *names, enum tn_name_kind kind)
{
	if (kind != TN_NAME_VARIABLE && !names->from_start)
		names->is_full = true;
}

static void add(struct tn_names *names, enum tn_name_kind kind, const struct tn_shell_name *name)
{
	struct tn_str value = name->value;
	struct tn_name *made;

	for (const struct tn_name *at = names->first; at; at = at->next) {
		if (is_equal(at, kind, name))
			return;
	}
	if (value.size > TN_TERM_NAME_VALUE_BYTES_MAX)
		value = tn_str(NULL, 0);
	if (names->count >= TN_TERM_NAMES_MAX ||
	    names->bytes + value.size > TN_TERM_NAMES_BYTES_MAX) {
		refuse(names, kind);
		return;
	}
	made = tn_mem_alloc(sizeof(*made));
	if (made)
		made->name = tn_mem_copy_text(name->name.data, name->name.size);
	if (made && value.data)
		value.data = tn_mem_copy_text(value.data, value.size);
	if (!made || !made->name || (value.size && !value.data)) {
		if (made)
			tn_mem_free(made->name);
		tn_mem_free(made);
		refuse(names, kind);
		return;
	}
	made->kind = kind;
	made->value = value;
	made->from_start = names->from_start;
	made->next = names->first;
	names->first = made;
	names->count++;
	names->bytes += value.size;
}

void tn_names_finish(struct tn_names *names)
{
	struct tn_name *next;

	for (struct tn_name *at = names->first; at; at = next) {
		next = at->next;
		tn_mem_free(at->name);
		tn_mem_free((char *)at->value.data);
		tn_mem_free(at);
	}
	*names = (struct tn_names){0};
}

/* ---- of a text ---- */

/* The latest of a list stands first, and shall here, too. */
static void add_all(struct tn_names *names, enum tn_name_kind kind,
		    const struct tn_shell_name *first)
{
	const struct tn_shell_name *of[TN_TERM_NAMES_MAX];
	size_t count = 0;

	for (; first && count < TN_COUNT(of); first = first->next) {
		if (!first->is_known_before)
			of[count++] = first;
	}
	if (first && !first->is_known_before)
		refuse(names, kind);
	while (count > 0)
		add(names, kind, of[--count]);
}

void tn_names_take(struct tn_names *names, const struct tn_analysis *analysis)
{
	add_all(names, TN_NAME_ALIAS, analysis->aliases);
	add_all(names, TN_NAME_FUNCTION, analysis->functions);
	add_all(names, TN_NAME_PROGRAM, analysis->programs);
	add_all(names, TN_NAME_VARIABLE, analysis->variables);
}

void tn_names_take_text(struct tn_names *names, struct tn_str text, const char *shell,
			const char *cwd)
{
	const struct tn_analysis_surroundings around = {.cwd = cwd, .shell = shell, .names = names};
	struct tn_analysis analysis;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	if (tn_analyse(&arena, text, &around, &analysis, NULL) == TENON_OK)
		tn_names_take(names, &analysis);
	else
		refuse(names, TN_NAME_FUNCTION);
	tn_arena_finish(&arena);
}

/* ---- start files ---- */

/* As the shell reads them; each reads what it finds. */
static const char *text_of(const char *shell, bool login)
{
	switch (tn_shell_kind_of(shell)) {
	case TN_SHELL_BASH:
		return login ? ". /etc/profile; . ~/.bash_profile; . ~/.bash_login; . ~/.profile"
			     : ". ~/.bashrc";
	case TN_SHELL_ZSH:
		return ". ~/.zshenv; . ~/.zprofile; . ~/.zshrc; . ~/.zlogin";
	case TN_SHELL_FISH:
		return "source ~/.config/fish/config.fish";
	case TN_SHELL_POSIX:
		return login ? ". /etc/profile; . ~/.profile" : "";
	case TN_SHELL_OTHER:
		break;
	}
	return "";
}

void tn_names_begin(struct tn_names *names, const char *shell, bool login)
{
	if (names->has_begun || !shell)
		return;
	names->has_begun = true;
	names->from_start = true;
	tn_names_take_text(names, tn_str_from(text_of(shell, login)), shell, "/");
	names->from_start = false;
}
