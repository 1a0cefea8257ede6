#include "cli/shared/form.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"

enum { TEXT_SIZE = 2048, LINE_BYTES_MAX = 64 * 1024, ARENA_MAX = 4 * 1024 * 1024 };

struct tn_form {
	struct tenon_question *question;
	struct tn_arena arena;
	const struct tn_json *schema, *field; /* the field asked for; NULL: a mere yes or no */
	struct tn_buf content;                /* an object that is still open */
	struct tn_buf line;
	int fd;
	struct tn_io *io;
	void (*finished)(struct tn_form *form, void *data);
	void *data;
};

/* ---- what is shown ---- */

static void show(const struct tn_form *form, const char *text)
{
	char clean[TEXT_SIZE];
	size_t size, at = 0;

	tenon_client_clean_text(text, clean, sizeof(clean));
	size = strlen(clean);
	while (at < size) {
		ssize_t written = write(form->fd, clean + at, size - at);

		if (written <= 0 && errno != EINTR)
			return; /* a terminal that is gone asks nobody */
		at += written > 0 ? (size_t)written : 0;
	}
}

static const char *text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text.data : NULL;
}

/* The list that a field chooses from: its own, or for a list of several that of its elements. */
static const struct tn_json *choices_of(const struct tn_json *field)
{
	static const char *const keys[] = {"enum", "oneOf", "anyOf"};
	const struct tn_json *items = tn_json_get(field, "items");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct tn_json *list = tn_json_get(items ? items : field, keys[i]);

		if (tn_json_is(list, TN_JSON_ARRAY))
			return list;
	}
	return NULL;
}

static const struct tn_json *value_of(const struct tn_json *choice)
{
	return choice->type == TN_JSON_OBJECT ? tn_json_get(choice, "const") : choice;
}

static const char *title_of(const struct tn_json *field, const struct tn_json *choice, uint32_t at)
{
	const struct tn_json *names = tn_json_get(field, "enumNames");
	const struct tn_json *name = tn_json_is(names, TN_JSON_ARRAY) ? names->first : NULL;
	const char *title = text_of(choice, "title");
	const struct tn_json *value = value_of(choice);

	while (name && at--)
		name = name->next;
	if (tn_json_is(name, TN_JSON_STRING))
		return name->text.data;
	if (title)
		return title;
	return value && (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		       ? value->text.data
		       : "?";
}

static void show_choices(const struct tn_form *form)
{
	const struct tn_json *choices = choices_of(form->field);
	char text[TEXT_SIZE];
	uint32_t at = 0;

	for (const struct tn_json *c = choices ? choices->first : NULL; c; c = c->next, at++) {
		(void)snprintf(text, sizeof(text), "  %u) %s\n", at + 1,
			       title_of(form->field, c, at));
		show(form, text);
	}
}

static bool is_required(const struct tn_form *form)
{
	const struct tn_json *list = tn_json_get(form->schema, "required");

	for (const struct tn_json *name = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
	     name; name = name->next) {
		if (name->type == TN_JSON_STRING && tn_str_equal(name->text, form->field->key))
			return true;
	}
	return false;
}

static bool is_type(const struct tn_json *field, const char *type)
{
	const char *is = text_of(field, "type");

	return is && strcmp(is, type) == 0;
}

static void show_prompt(const struct tn_form *form)
{
	const struct tn_json *field = form->field, *standard;
	const char *title, *about;
	char text[TEXT_SIZE];
	struct tn_buf value;

	if (!field) {
		show(form, "Go on? (yes/no) ");
		return;
	}
	show_choices(form);
	title = text_of(field, "title");
	about = text_of(field, "description");
	standard = tn_json_get(field, "default");
	tn_buf_init(&value, TEXT_SIZE);
	if (tn_json_is(standard, TN_JSON_STRING))
		tn_buf_append_str(&value, standard->text);
	else if (standard)
		tn_json_put_value(&value, standard);
	(void)snprintf(text, sizeof(text),
		       "%.200s%s%.400s%s%s%s%.*s%s%s: ", title ? title : field->key.data,
		       about ? " (" : "", about ? about : "", about ? ")" : "",
		       is_type(field, "boolean") ? " yes/no" : "", standard ? " [" : "",
		       (int)value.size, value.data ? value.data : "", standard ? "]" : "",
		       standard || is_required(form) ? "" : " [leave out]");
	tn_buf_finish(&value);
	show(form, text);
}

/* ---- what is typed ---- */

/* A choice by its number, its value or its title. */
static const struct tn_json *choose(const struct tn_json *field, struct tn_str word)
{
	const struct tn_json *choices = choices_of(field);
	uint64_t number = 0;
	uint32_t at = 0;

	if (!tn_str_to_uint(word, &number))
		number = 0;
	for (const struct tn_json *c = choices ? choices->first : NULL; c; c = c->next, at++) {
		const struct tn_json *value = value_of(c);

		if (number == at + 1 || tn_str_is(word, title_of(field, c, at)) ||
		    (tn_json_is(value, TN_JSON_STRING) && tn_str_equal(word, value->text)))
			return value;
	}
	return NULL;
}

/* "1, 3": several choices. False: one of them is none. */
static bool put_several(const struct tn_json *field, struct tn_str line, struct tn_buf *out)
{
	tn_json_begin_array(out);
	while (line.size) {
		size_t comma = tn_str_find_byte(line, ',');
		struct tn_str word = line;
		const struct tn_json *value;

		if (comma != TN_STR_NONE)
			word.size = comma;
		line = tn_str_from_offset(line, word.size + 1);
		value = choose(field, tn_str_trim(word));
		if (!value)
			return false;
		tn_json_put_value(out, value);
	}
	tn_json_end_array(out);
	return true;
}

static int read_yes_or_no(struct tn_str word)
{
	static const char *const yes[] = {"y", "yes", "true", "1"};
	static const char *const no[] = {"n", "no", "false", "0"};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (tn_str_equal_nocase(word, tn_str_from(yes[i])))
			return 1;
		if (tn_str_equal_nocase(word, tn_str_from(no[i])))
			return 0;
	}
	return -1;
}

/* Writes the value that the line says. NULL, or what to type instead. */
static const char *put_answer(struct tn_form *form, struct tn_str line, struct tn_buf *out)
{
	const struct tn_json *field = form->field;
	const struct tn_json *choice;
	struct tn_json *number;

	if (is_type(field, "array"))
		return put_several(field, line, out) ? NULL
						     : "Type numbers of the list, with commas.";
	if (choices_of(field)) {
		choice = choose(field, line);
		if (choice)
			tn_json_put_value(out, choice);
		return choice ? NULL : "Type a number of the list.";
	}
	if (is_type(field, "boolean")) {
		int answer = read_yes_or_no(line);

		tn_json_put_bool(out, answer == 1);
		return answer < 0 ? "Type yes or no." : NULL;
	}
	if (is_type(field, "integer") || is_type(field, "number")) {
		if (tn_json_parse_copy(&form->arena, line, &number, NULL) != TENON_OK ||
		    number->type != TN_JSON_NUMBER)
			return "Type a number.";
		tn_json_put_value(out, number);
		return NULL;
	}
	tn_json_put_str(out, line);
	return NULL;
}

/* Whether the value fits the field's schema; otherwise the fault has been shown. */
static bool fits(struct tn_form *form, const struct tn_buf *value)
{
	struct tn_schema_faults faults = {.root = form->field->key.data};
	struct tn_schema *schema = NULL;
	struct tn_json *tree;
	bool is_fit = true;

	if (value->failed)
		return false;
	if (tn_schema_compile_flags(form->field, TN_SCHEMA_ASSERT_FORMAT, &schema, NULL) !=
	    TENON_OK)
		return true; /* the answer as a whole is checked once more */
	if (tn_json_parse_copy(&form->arena, tn_buf_str(value), &tree, NULL) == TENON_OK &&
	    tn_schema_check(schema, tree, &faults) != TENON_OK) {
		show(form, faults.items[0].message);
		show(form, "\n");
		is_fit = false;
	}
	tn_schema_free(schema);
	return is_fit;
}

/* ---- the conversation ---- */

static void finish(struct tn_form *form)
{
	void (*finished)(struct tn_form *, void *) = form->finished;
	void *data = form->data;

	tn_io_watch(form->io, 0);
	form->question = NULL;
	finished(form, data); /* may close it */
}

static void give_up(struct tn_form *form)
{
	show(form, "\n");
	tenon_question_cancel(form->question);
	finish(form);
}

static void complete(struct tn_form *form)
{
	struct tenon_error err = {0};

	tn_json_end_object(&form->content);
	tn_buf_append_byte(&form->content, '\0');
	if (form->content.failed ||
	    tenon_question_accept(form->question, form->content.data, &err) != TENON_OK) {
		show(form, form->content.failed ? "The answers are too long." : err.message);
		show(form, "\n");
		tenon_question_cancel(form->question);
	}
	finish(form);
}

/* True: the line settles the field. */
static bool take_answer(struct tn_form *form, struct tn_str line)
{
	const struct tn_json *standard = tn_json_get(form->field, "default");
	const char *fault = NULL;
	struct tn_buf value;
	bool is_good;

	tn_buf_init(&value, LINE_BYTES_MAX * 6);
	if (line.size == 0 && standard)
		tn_json_put_value(&value, standard);
	else if (line.size == 0 && !is_required(form))
		goto out;
	else
		fault = put_answer(form, line, &value);
	if (fault) {
		show(form, fault);
		show(form, "\n");
	}
	is_good = !fault && fits(form, &value);
	if (is_good) {
		tn_json_put_key_str(&form->content, form->field->key);
		tn_json_put_raw(&form->content, tn_buf_str(&value));
	}
	tn_buf_finish(&value);
	return is_good;
out:
	tn_buf_finish(&value);
	return true;
}

static void take_line(struct tn_form *form, struct tn_str line)
{
	line = tn_str_trim(line);
	if (!form->field) {
		int answer = read_yes_or_no(line);

		if (answer < 0) {
			show_prompt(form);
		} else if (answer == 0) {
			tenon_question_decline(form->question);
			finish(form);
		} else {
			complete(form);
		}
		return;
	}
	if (take_answer(form, line)) {
		form->field = form->field->next;
		if (!form->field) {
			complete(form);
			return;
		}
	}
	show_prompt(form);
}

static void terminal_ready(struct tn_io *io, int events, void *data)
{
	struct tn_form *form = data;
	char bytes[1024];
	ssize_t got = read(form->fd, bytes, sizeof(bytes));

	(void)io;
	(void)events;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) { /* Ctrl-D on an empty line, or the terminal is gone */
		give_up(form);
		return;
	}
	tn_buf_append(&form->line, bytes, (size_t)got);
	if (form->line.failed) {
		give_up(form);
		return;
	}
	if (form->line.data[form->line.size - 1] == '\n') {
		char *line = tn_arena_copy(&form->arena, tn_buf_str(&form->line));

		tn_buf_clear(&form->line);
		take_line(form, tn_str_from(line)); /* may free the form */
	}
}

/* ---- life ---- */

static int open_terminal(void)
{
	return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

bool tn_form_possible(void)
{
	int fd = open_terminal();

	if (fd < 0)
		return false;
	(void)close(fd); /* it was only tried */
	return true;
}

static enum tenon_code begin(struct tn_form *form, struct tenon_error *err)
{
	const char *schema = tenon_question_schema(form->question);
	const struct tn_json *properties;
	struct tn_json *tree;
	char text[TEXT_SIZE];
	enum tenon_code code;

	if (!schema)
		return tn_fail(err, TENON_INVALID, "it is no form");
	code = tn_json_parse_copy(&form->arena, tn_str_from(schema), &tree, err);
	if (code != TENON_OK)
		return code;
	form->schema = tree;
	properties = tn_json_get(tree, "properties");
	form->field = tn_json_is(properties, TN_JSON_OBJECT) ? properties->first : NULL;
	tn_json_begin_object(&form->content);
	(void)snprintf(text, sizeof(text), "%.100s asks: %s\n",
		       tenon_question_server(form->question),
		       tenon_question_message(form->question));
	show(form, text);
	show_prompt(form);
	return TENON_OK;
}

enum tenon_code tn_form_open(struct tn_loop *loop, struct tenon_question *question,
			     void (*finished)(struct tn_form *form, void *data), void *data,
			     struct tn_form **ret, struct tenon_error *err)
{
	struct tn_form *form = tn_mem_alloc(sizeof(*form));
	enum tenon_code code;

	if (!form)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	form->question = question;
	form->finished = finished;
	form->data = data;
	tn_arena_init(&form->arena, ARENA_MAX);
	tn_buf_init(&form->content, TN_MIB);
	tn_buf_init(&form->line, LINE_BYTES_MAX);
	form->fd = open_terminal();
	if (form->fd < 0)
		code = tn_fail(err, TENON_NOT_FOUND, "there is no terminal to ask on");
	else
		code = tn_io_open(loop, form->fd, terminal_ready, form, &form->io, err);
	if (code == TENON_OK) {
		tn_io_watch(form->io, TN_IO_READ);
		code = begin(form, err);
	}
	if (code != TENON_OK) {
		tn_form_close(form);
		return code;
	}
	*ret = form;
	return TENON_OK;
}

void tn_form_close(struct tn_form *form)
{
	if (!form)
		return;
	tn_io_close(form->io);
	if (form->fd >= 0)
		(void)close(form->fd); /* what was typed has been taken */
	tn_buf_finish(&form->content);
	tn_buf_finish(&form->line);
	tn_arena_finish(&form->arena);
	tn_mem_free(form);
}
