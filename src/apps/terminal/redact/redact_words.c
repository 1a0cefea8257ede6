#include "apps/terminal/redact/internal.h"

#include "apps/terminal/redact/redact.h"
#include "base/size.h"

/* How a client takes a password as a one-letter option. */
enum {
	ATTACHED = 1,  /* -pSECRET */
	SEPARATE = 2,  /* -p SECRET */
	USER_PASS = 4, /* USER:SECRET */
	LOGIN = 8,     /* only behind the word `login` */
	ONCE = 16      /* what follows is another command */
};
static const struct {
	const char *name;
	char letter;
	unsigned how;
} clients[] = {
	{"mysql", 'p', ATTACHED},
	{"mysqldump", 'p', ATTACHED},
	{"mysqladmin", 'p', ATTACHED},
	{"mysqlimport", 'p', ATTACHED},
	{"mysqlshow", 'p', ATTACHED},
	{"mysqlcheck", 'p', ATTACHED},
	{"mariadb", 'p', ATTACHED},
	{"mariadb-dump", 'p', ATTACHED},
	{"mariadb-admin", 'p', ATTACHED},
	{"mongosh", 'p', ATTACHED | SEPARATE},
	{"mongo", 'p', ATTACHED | SEPARATE},
	{"mongodump", 'p', ATTACHED | SEPARATE},
	{"mongorestore", 'p', ATTACHED | SEPARATE},
	{"mongoexport", 'p', ATTACHED | SEPARATE},
	{"mongoimport", 'p', ATTACHED | SEPARATE},
	{"cqlsh", 'p', ATTACHED | SEPARATE},
	{"sqlcmd", 'P', ATTACHED | SEPARATE},
	{"bcp", 'P', ATTACHED | SEPARATE},
	{"redis-cli", 'a', SEPARATE},
	{"sshpass", 'p', ATTACHED | SEPARATE | ONCE},
	{"curl", 'u', ATTACHED | SEPARATE | USER_PASS},
	{"curl", 'U', ATTACHED | SEPARATE | USER_PASS},
	{"http", 'a', SEPARATE | USER_PASS},
	{"https", 'a', SEPARATE | USER_PASS},
	{"xh", 'a', SEPARATE | USER_PASS},
	{"ldapsearch", 'w', ATTACHED | SEPARATE},
	{"ldapadd", 'w', ATTACHED | SEPARATE},
	{"ldapmodify", 'w', ATTACHED | SEPARATE},
	{"rabbitmqadmin", 'p', SEPARATE},
	{"mosquitto_pub", 'P', SEPARATE},
	{"mosquitto_sub", 'P', SEPARATE},
	{"zip", 'P', SEPARATE},
	{"unzip", 'P', ATTACHED | SEPARATE},
	{"7z", 'p', ATTACHED},
	{"docker", 'p', SEPARATE | LOGIN},
	{"podman", 'p', SEPARATE | LOGIN},
	{"az", 'p', SEPARATE | LOGIN},
	{"oc", 'p', SEPARATE | LOGIN},
};

struct scan {
	struct tn_str text;
	size_t at;
	tn_argument_fn *found;
	void *data;
	/* Of the simple command that is being read: */
	const char *client; /* its entry's name; NULL: none that takes passwords */
	bool login, set;
	unsigned option; /* the next word belongs to an option: how */
	bool name;       /* the next word is the value of a sensitive name */
	unsigned depth;
};

static void scan_words(struct scan *scan);

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_separator(char c)
{
	return c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')' || c == '`';
}

/* The place of the quote that closes the one at `at`, on the same line. Prose is full of
 * apostrophes that nothing closes: TN_STR_NONE. */
static size_t closing(struct tn_str text, size_t at)
{
	char quote = text.data[at];

	for (size_t i = at + 1; i < text.size && text.data[i] != '\n'; i++) {
		if (text.data[i] == quote)
			return i;
		if (text.data[i] == '\\' && quote == '"')
			i++;
	}
	return TN_STR_NONE;
}

static struct tn_str next_word(struct scan *scan)
{
	struct tn_str text = scan->text;
	size_t begin = scan->at;
	bool unclosed[2] = {false, false}; /* looked for once: a line is read once, not n times */

	while (scan->at < text.size) {
		char c = text.data[scan->at];
		size_t end;

		if (is_blank(c) || is_separator(c))
			break;
		if (c == '\\' && scan->at + 1 < text.size && text.data[scan->at + 1] != '\n') {
			scan->at += 2;
			continue;
		}
		if ((c == '\'' || c == '"') && !unclosed[c == '"']) {
			end = closing(text, scan->at);
			unclosed[c == '"'] = end == TN_STR_NONE;
			if (end != TN_STR_NONE)
				scan->at = end;
		}
		scan->at++;
	}
	return tn_str(text.data + begin, scan->at - begin);
}

static void report(const struct scan *scan, struct tn_str value)
{
	if (!tn_redact_is_reference(value))
		scan->found(scan->data, TN_ARGUMENT_OPTION, value);
}

static void report_user_pass(const struct scan *scan, struct tn_str value)
{
	size_t colon;

	if (value.size > 1 && (value.data[0] == '\'' || value.data[0] == '"') &&
	    value.data[value.size - 1] == value.data[0])
		value = tn_str(value.data + 1, value.size - 2);
	colon = tn_str_find_byte(value, ':');
	if (colon != TN_STR_NONE)
		report(scan, tn_str_from_offset(value, colon + 1));
}

static void begin_command(struct scan *scan)
{
	scan->client = NULL;
	scan->login = scan->set = scan->name = false;
	scan->option = 0;
}

static struct tn_str base_name(struct tn_str word)
{
	for (size_t i = word.size; i > 0; i--) {
		if (word.data[i - 1] == '/')
			return tn_str_from_offset(word, i);
	}
	return word;
}

/* Any word may name the client: `sudo mysql`, `$ mysql` behind a prompt. */
static void note_client(struct scan *scan, struct tn_str word)
{
	struct tn_str name = base_name(word);

	if (name.size < 2 || name.size > 16)
		return;
	for (size_t i = 0; i < TN_COUNT(clients); i++) {
		if (name.data[0] == clients[i].name[0] && tn_str_is(name, clients[i].name)) {
			scan->client = clients[i].name;
			return;
		}
	}
}

/* -p, -pSECRET, and -sp where several letters stand together. */
static void short_option(struct scan *scan, struct tn_str word)
{
	for (size_t i = 0; scan->client && i < TN_COUNT(clients); i++) {
		unsigned how = clients[i].how;
		struct tn_str value;

		if (strcmp(scan->client, clients[i].name) != 0 || ((how & LOGIN) && !scan->login))
			continue;
		if ((how & SEPARATE) && word.size <= 6 &&
		    word.data[word.size - 1] == clients[i].letter) {
			scan->option = how;
			scan->client = how & ONCE ? NULL : scan->client;
			return;
		}
		if (!(how & ATTACHED) || word.data[1] != clients[i].letter || word.size < 3)
			continue;
		value = tn_str_from_offset(word, 2);
		if (how & USER_PASS)
			report_user_pass(scan, value);
		else
			report(scan, value);
		scan->client = how & ONCE ? NULL : scan->client;
		return;
	}
}

static bool is_sensitive_option(struct tn_str word)
{
	while (word.size > 0 && word.data[0] == '-')
		word = tn_str_from_offset(word, 1);
	return tn_str_is(word, "pass") || tn_redact_is_sensitive_name(word);
}

/* Options with `=` are found by the name before it (redact_arguments.c). */
static void option(struct scan *scan, struct tn_str word)
{
	if (tn_str_find_byte(word, '=') != TN_STR_NONE)
		return;
	if (word.data[1] != '-')
		short_option(scan, word);
	if (scan->option || word.size < 5)
		return;
	if (scan->client && strcmp(scan->client, "curl") == 0 &&
	    (tn_str_is(word, "--user") || tn_str_is(word, "--proxy-user")))
		scan->option = SEPARATE | USER_PASS;
	else if (is_sensitive_option(word))
		scan->option = SEPARATE;
}

/* `sh -c "mysql -pSECRET"`, `ssh host '...'`: what stands between quotes may be a command. */
static void look_inside(const struct scan *scan, struct tn_str word)
{
	enum { DEPTH_MAX = 3 };
	struct scan inner = {.found = scan->found, .data = scan->data, .depth = scan->depth + 1};

	if (word.size < 2 || inner.depth > DEPTH_MAX ||
	    (word.data[0] != '"' && word.data[0] != '\'') ||
	    tn_str_find_byte(word, ' ') == TN_STR_NONE)
		return;
	inner.text = tn_str(word.data + 1, word.size - 2);
	scan_words(&inner);
}

static void read_word(struct scan *scan, struct tn_str word)
{
	unsigned how = scan->option;
	bool value = scan->name;

	scan->option = 0;
	scan->name = false;
	if (word.size > 1 && word.data[0] == '-') {
		scan->name = value; /* a flag between name and value */
		option(scan, word);
		return;
	}
	if (how & USER_PASS)
		report_user_pass(scan, word);
	else if (how)
		report(scan, word);
	else if (value && !tn_redact_is_reference(word))
		scan->found(scan->data, TN_ARGUMENT_ASSIGNED, word);
	else if (scan->set && tn_str_find_byte(word, '=') == TN_STR_NONE &&
		 tn_redact_is_sensitive_name(word))
		scan->name = true;
	else
		note_client(scan, word);
	look_inside(scan, word);
	scan->login = scan->login || tn_str_is(word, "login");
	scan->set = scan->set || tn_str_is(word, "set") || tn_str_is(word, "setenv");
}

static void scan_words(struct scan *scan)
{
	struct tn_str text = scan->text;

	while (scan->at < text.size) {
		char c = text.data[scan->at];

		if (c == '\\' && scan->at + 1 < text.size && text.data[scan->at + 1] == '\n') {
			scan->at += 2; /* the line goes on */
		} else if (is_separator(c)) {
			begin_command(scan);
			scan->at++;
		} else if (is_blank(c)) {
			scan->at++;
		} else {
			read_word(scan, next_word(scan));
		}
	}
}

void tn_redact_scan_words(struct tn_str text, tn_argument_fn *found, void *data)
{
	struct scan scan = {.text = text, .found = found, .data = data};

	scan_words(&scan);
}
