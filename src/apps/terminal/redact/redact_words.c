#include "apps/terminal/redact/internal.h"

#include <string.h>

#include "apps/terminal/redact/redact.h"
#include "base/size.h"

/* How a client takes a password as a one-letter option. */
enum {
	ATTACHED = 1,  /* -pSECRET */
	SEPARATE = 2,  /* -p SECRET */
	USER_PASS = 4, /* USER:SECRET */
	LOGIN = 8,     /* only behind the word `login` */
	ONCE = 16,     /* what follows is another command */
	PERCENT = 32,  /* USER%SECRET */
	COOKIE = 64    /* NAME=SECRET; otherwise a file's name */
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
	{"curl", 'b', ATTACHED | SEPARATE | COOKIE},
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
	{"useradd", 'p', SEPARATE},
	{"usermod", 'p', SEPARATE},
	{"openssl", 'k', SEPARATE},
	{"openssl", 'K', SEPARATE},
	{"smbclient", 'U', ATTACHED | SEPARATE | PERCENT},
	{"rpcclient", 'U', ATTACHED | SEPARATE | PERCENT},
};

/* Who takes a secret as a plain word: behind a word of its own, and so many others. */
static const struct {
	const char *name, *behind;
	unsigned skipped;
} plain[] = {
	{"vault", "login", 0},
	{"ansible-vault", "encrypt_string", 0},
	{"openssl", "passwd", 0},
};

enum { PIPED_MAX = 8 };

/* `machine HOST login NAME password SECRET`, as .netrc has it, on one line or several. */
enum netrc { NETRC_NONE, NETRC_HOST, NETRC_KEY, NETRC_VALUE, NETRC_SECRET };

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
	size_t words;        /* of it, so far */
	struct tn_str first; /* of these; behind sudo the next one */
	unsigned options;    /* TAKES_STDIN, PASS_VALUE, HTPASSWD_... */
	struct tn_str piped[PIPED_MAX], said[PIPED_MAX], here;
	size_t piped_count, said_count; /* what comes through a pipe; what echo or printf says */
	unsigned plain;                 /* 1 + its place in the table: plain words are secrets */
	size_t skipped;
	enum netrc netrc; /* of all commands: a file has line ends */
};

enum { TAKES_STDIN = 1, PASS_VALUE = 2, BATCH = 4, NO_FILE = 8, HERE = 16, SAYS = 32 };

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

/* `\n` between quotes, as printf has it. */
static bool is_written_feed(const struct scan *scan)
{
	return scan->depth > 0 && scan->text.data[scan->at] == '\\' &&
	       scan->at + 1 < scan->text.size && scan->text.data[scan->at + 1] == 'n';
}

static struct tn_str next_word(struct scan *scan)
{
	struct tn_str text = scan->text;
	size_t begin = scan->at;
	bool unclosed[2] = {false, false}; /* looked for once: a line is read once, not n times */

	while (scan->at < text.size) {
		char c = text.data[scan->at];
		size_t end;

		if (is_blank(c) || is_separator(c) || is_written_feed(scan))
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

static void report_percent(const struct scan *scan, struct tn_str value)
{
	size_t percent = tn_str_find_byte(value, '%');

	if (percent != TN_STR_NONE)
		report(scan, tn_str_from_offset(value, percent + 1));
}

static void report_cookie(const struct scan *scan, struct tn_str value)
{
	size_t equals;

	if (value.size > 1 && (value.data[0] == '\'' || value.data[0] == '"') &&
	    value.data[value.size - 1] == value.data[0])
		value = tn_str(value.data + 1, value.size - 2);
	equals = tn_str_find_byte(value, '=');
	if (equals != TN_STR_NONE)
		report(scan, tn_str_from_offset(value, equals + 1));
}

/* The value of an option that takes it so. */
static void report_value(const struct scan *scan, unsigned how, struct tn_str value)
{
	if (how & USER_PASS)
		report_user_pass(scan, value);
	else if (how & COOKIE)
		report_cookie(scan, value);
	else if (how & PERCENT)
		report_percent(scan, value);
	else
		report(scan, value);
}

static bool is_one_of(struct tn_str word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(word, words[i]))
			return true;
	}
	return false;
}

static struct tn_str base_name(struct tn_str word)
{
	for (size_t i = word.size; i > 0; i--) {
		if (word.data[i - 1] == '/')
			return tn_str_from_offset(word, i);
	}
	return word;
}

/* What the program reads from its input are passwords. */
static bool reads_secrets(const struct scan *scan)
{
	static const char *const programs[] = {"chpasswd", "passwd", "smbpasswd", "cryptsetup"};

	return (scan->options & TAKES_STDIN) ||
	       is_one_of(base_name(scan->first), programs, TN_COUNT(programs));
}

static void report_said(const struct scan *scan, struct tn_str word)
{
	bool pairs = tn_str_is(base_name(scan->first), "chpasswd");

	if (pairs && tn_str_find_byte(word, ':') != TN_STR_NONE)
		report_user_pass(scan, word);
	else
		report(scan, word);
}

/* `by`: what ends the command. */
static void end_command(struct scan *scan, char by)
{
	if ((scan->piped_count || scan->here.size) && reads_secrets(scan)) {
		for (size_t i = 0; i < scan->piped_count; i++)
			report_said(scan, scan->piped[i]);
		if (scan->here.size)
			report_said(scan, scan->here);
	}
	scan->piped_count = 0;
	if (by == '|' && scan->options & SAYS) {
		memcpy(scan->piped, scan->said, sizeof(scan->piped));
		scan->piped_count = scan->said_count;
	}
	scan->client = NULL;
	scan->login = scan->set = scan->name = false;
	scan->option = scan->options = scan->plain = 0;
	scan->words = scan->skipped = scan->said_count = 0;
	scan->first = scan->here = tn_str(NULL, 0);
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
		report_value(scan, how, value);
		scan->client = how & ONCE ? NULL : scan->client;
		return;
	}
}

static bool is_sensitive_option(struct tn_str word)
{
	static const char *const names[] = {"pass", "storepass", "keypass", "srcstorepass",
					    "deststorepass"};

	while (word.size > 0 && word.data[0] == '-')
		word = tn_str_from_offset(word, 1);
	return is_one_of(word, names, TN_COUNT(names)) || tn_redact_is_sensitive_name(word);
}

/* What an option says of the words behind it, or of the input. */
static void note_option(struct scan *scan, struct tn_str word)
{
	static const char *const inputs[] = {"--password-stdin", "--with-token", "--passphrase-fd",
					     "--token-stdin", "--secret-stdin"};

	if (is_one_of(word, inputs, TN_COUNT(inputs)) ||
	    (tn_str_is(word, "-S") && tn_str_is(scan->first, "sudo")))
		scan->options |= TAKES_STDIN;
	if (tn_str_starts(word, TN_STR("-pass")))
		scan->options |= PASS_VALUE;
	if (tn_str_is(base_name(scan->first), "htpasswd") && word.data[1] != '-') {
		scan->options |= tn_str_find_byte(word, 'b') != TN_STR_NONE ? BATCH : 0;
		scan->options |= tn_str_find_byte(word, 'n') != TN_STR_NONE ? NO_FILE : 0;
	}
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
	else if (scan->client && strcmp(scan->client, "curl") == 0 && tn_str_is(word, "--cookie"))
		scan->option = SEPARATE | COOKIE;
	else if (is_sensitive_option(word))
		scan->option = SEPARATE;
}

/* A quoted text of several words. */
static bool is_several(struct tn_str word)
{
	return word.size >= 2 && (word.data[0] == '"' || word.data[0] == '\'') &&
	       tn_str_find_byte(word, ' ') != TN_STR_NONE;
}

/* `sh -c "mysql -pSECRET"`, `ssh host '...'`: what stands between quotes may be a command. */
static void look_inside(struct scan *scan, struct tn_str word)
{
	enum { DEPTH_MAX = 3 };
	struct scan inner = {.found = scan->found,
			     .data = scan->data,
			     .depth = scan->depth + 1,
			     .netrc = scan->netrc};

	if (inner.depth > DEPTH_MAX || !is_several(word))
		return;
	inner.text = tn_str(word.data + 1, word.size - 2);
	scan_words(&inner);
	scan->netrc = inner.netrc;
}

static void read_netrc(struct scan *scan, struct tn_str word)
{
	static const char *const keys[] = {"login", "account", "user"};
	bool known = is_one_of(word, keys, TN_COUNT(keys));

	switch (scan->netrc) {
	case NETRC_HOST:
	case NETRC_VALUE:
		scan->netrc = NETRC_KEY;
		break;
	case NETRC_SECRET:
		report(scan, word);
		scan->netrc = NETRC_KEY;
		break;
	case NETRC_KEY:
		if (known || tn_str_is(word, "password")) {
			scan->netrc = known ? NETRC_VALUE : NETRC_SECRET;
			break;
		}
		scan->netrc = NETRC_NONE;
		/* fall through */
	case NETRC_NONE:
	default:
		if (word.size == 7 && tn_str_is(word, "machine"))
			scan->netrc = NETRC_HOST;
		else if (word.size == 7 && tn_str_is(word, "default"))
			scan->netrc = NETRC_KEY;
	}
}

/* Which command it is, and what it says, of a word that is no option. */
static void note_word(struct scan *scan, struct tn_str word)
{
	static const char *const says[] = {"echo", "printf"};
	static const char *const runners[] = {"sudo", "doas", "command", "builtin"};

	if (scan->words++ == 0) {
		scan->first = word;
		scan->options |= is_one_of(word, says, TN_COUNT(says)) ? SAYS : 0;
		return;
	}
	if (scan->options & SAYS && scan->said_count < PIPED_MAX)
		scan->said[scan->said_count++] = word;
	if (is_one_of(scan->first, runners, TN_COUNT(runners))) {
		scan->first = word;
		scan->words = 1;
	}
}

/* A secret that stands as a plain word, told by what stands before it. */
static void read_plain(struct scan *scan, struct tn_str word)
{
	struct tn_str name = base_name(scan->first);

	if (scan->options & BATCH) { /* [FILE] USER SECRET */
		if (scan->words == (scan->options & NO_FILE ? 3u : 4u))
			report(scan, word);
	} else if (scan->plain) {
		if (scan->skipped++ == plain[scan->plain - 1].skipped)
			report(scan, word);
	} else {
		for (unsigned i = 0; i < TN_COUNT(plain); i++) {
			if (tn_str_is(name, plain[i].name) && tn_str_is(word, plain[i].behind))
				scan->plain = i + 1;
		}
	}
	if (scan->options & PASS_VALUE && tn_str_starts(word, TN_STR("pass:")))
		report(scan, tn_str_from_offset(word, 5));
}

/* `<<< WORD`. True: it was part of one. */
static bool read_here(struct scan *scan, struct tn_str word)
{
	if (scan->options & HERE) {
		scan->options &= ~(unsigned)HERE;
		scan->here = word;
		return true;
	}
	if (!tn_str_starts(word, TN_STR("<<<")))
		return false;
	if (word.size == 3)
		scan->options |= HERE;
	else
		scan->here = tn_str_from_offset(word, 3);
	return true;
}

/* The last part of a dotted name: credential.helper is no secret, x.password is. */
static struct tn_str last_part(struct tn_str name)
{
	for (size_t i = name.size; i > 0; i--) {
		if (name.data[i - 1] == '.')
			return tn_str_from_offset(name, i);
	}
	return name;
}

/* `set NAME VALUE` */
static bool sets(struct tn_str word)
{
	static const char *const words[] = {"set", "setenv", "config"};

	return is_one_of(word, words, TN_COUNT(words));
}

static void read_word(struct scan *scan, struct tn_str word)
{
	unsigned how = scan->option;
	bool value = scan->name;

	if (!is_several(word))
		read_netrc(scan, word);
	if (read_here(scan, word))
		return;
	scan->option = 0;
	scan->name = false;
	if (word.size > 1 && word.data[0] == '-') {
		scan->name = value; /* a flag between name and value */
		note_option(scan, word);
		option(scan, word);
		return;
	}
	note_word(scan, word);
	read_plain(scan, word);
	if (how)
		report_value(scan, how, word);
	else if (value && !tn_redact_is_reference(word))
		scan->found(scan->data, TN_ARGUMENT_ASSIGNED, word);
	else if (scan->set && tn_str_find_byte(word, '=') == TN_STR_NONE &&
		 tn_redact_is_sensitive_name(last_part(word)))
		scan->name = true;
	else
		note_client(scan, word);
	look_inside(scan, word);
	scan->login = scan->login || tn_str_is(word, "login");
	scan->set = scan->set || sets(word);
}

static void scan_words(struct scan *scan)
{
	struct tn_str text = scan->text;

	while (scan->at < text.size) {
		char c = text.data[scan->at];

		if (c == '\\' && scan->at + 1 < text.size && text.data[scan->at + 1] == '\n') {
			scan->at += 2; /* the line goes on */
		} else if (is_separator(c)) {
			end_command(scan, c);
			scan->at++;
		} else if (is_written_feed(scan)) {
			scan->at += 2;
		} else if (is_blank(c)) {
			scan->at++;
		} else {
			read_word(scan, next_word(scan));
		}
	}
	end_command(scan, '\n');
}

void tn_redact_scan_words(struct tn_str text, tn_argument_fn *found, void *data)
{
	struct scan scan = {.text = text, .found = found, .data = data};

	scan_words(&scan);
}
