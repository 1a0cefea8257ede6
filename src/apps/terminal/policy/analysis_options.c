/* analysis_options.c - options among the words of a command, as getopt reads them. */
#include "apps/terminal/policy/analysis_options.h"

bool tn_shell_option_is_listed(const char *list, struct tn_str name)
{
	while (list && *list) {
		size_t size = strcspn(list, " ");

		if (name.size >= 2 && tn_str_starts(tn_str(list, size), name))
			return true;
		list += size;
		list += *list == ' ';
	}
	return false;
}

bool tn_shell_option_is(const struct tn_shell_option *option, const char *name)
{
	return option->name.size >= 2 && tn_str_starts(tn_str_from(name), option->name);
}

static struct tn_shell_option long_option(struct tn_shell_options *o, const struct tn_word *word)
{
	struct tn_shell_option option = {.name = tn_str_from_offset(word->text, 2)};
	size_t equals = tn_str_find_byte(option.name, '=');

	o->at++;
	if (equals != TN_STR_NONE) {
		option.has_value = true;
		option.value.text = tn_str_from_offset(option.name, equals + 1);
		option.value.flags = word->flags;
		option.name.size = equals;
	} else if (tn_shell_option_is_listed(o->grammar->long_values, option.name) &&
		   o->at < o->run->count) {
		option.has_value = true;
		option.value = o->run->words[o->at++];
	}
	return option;
}

static struct tn_shell_option short_option(struct tn_shell_options *o, const struct tn_word *word)
{
	struct tn_shell_option option = {.letter = word->text.data[o->letter++]};
	const char *values = o->grammar->values ? o->grammar->values : "";

	if (strchr(values, option.letter)) {
		option.value.text = tn_str_from_offset(word->text, o->letter);
		option.value.flags = word->flags;
		option.has_value = true;
		o->letter = 0;
		o->at++;
		if (!option.value.text.size) {
			option.has_value = o->at < o->run->count;
			if (option.has_value)
				option.value = o->run->words[o->at++];
		}
	} else if (o->letter >= word->text.size) {
		o->letter = 0;
		o->at++;
	}
	return option;
}

struct tn_shell_option tn_shell_options_next(struct tn_shell_options *o)
{
	static const struct tn_shell_option end = {.is_end = true};
	const struct tn_word *word;

	if (o->at >= o->run->count)
		return end;
	word = &o->run->words[o->at];
	if (o->letter)
		return short_option(o, word);
	if (word->text.size < 2 || word->text.data[0] != '-')
		return end;
	if (tn_str_is(word->text, "--")) {
		o->at++;
		return end;
	}
	if (word->text.data[1] == '-')
		return long_option(o, word);
	o->letter = 1;
	return short_option(o, word);
}
