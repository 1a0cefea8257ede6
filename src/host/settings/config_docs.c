#include "host/settings/config_key.h"
#include "jsonrpc/json_write.h"

static const char head[] =
	"# Settings\n"
	"\n"
	"This page is made from the program's own tables (`src/host/settings/config_key.c`, and\n"
	"`settings_table.c` of each app); a test compares them.\n"
	"\n"
	"A setting comes from the first of these that has it:\n"
	"\n"
	"1. a flag of the daemon, where something else than `tenon up` starts it: `tenond --daemon "
	"--set http.port=7000`,\n"
	"2. its environment variable, unless that is empty: `TENON_HTTP_PORT=7000`,\n"
	"3. the file `$XDG_CONFIG_HOME/tenon/config.json` (`~/.config/tenon/config.json`),\n"
	"4. the default.\n"
	"\n"
	"The file is JSON; comments (`//` and `/* */`) and a comma after the last member are fine. "
	"Dots in a name are\n"
	"objects in objects:\n"
	"\n"
	"```json\n"
	"{\n"
	"  // Another program has 7777.\n"
	"  \"http\": { \"port\": 7780 },\n"
	"  \"plan\": { \"llm\": { \"base_url\": \"http://127.0.0.1:11434/v1\", \"model\": "
	"\"llama3\" } }\n"
	"}\n"
	"```\n"
	"\n"
	"A daemon does not start with wrong settings. `tenon doctor` tells all that is wrong, "
	"with the line, and what to\n"
	"write instead: `config.json:3: http.port: 80; send 1024 to 65535`.\n"
	"\n"
	"A running daemon takes changes over from the page, from the tool `change_settings` and "
	"from the file when it gets\n"
	"SIGHUP, unless the table says *restart*. A change made on the page leaves comments, order "
	"and everything else in\n"
	"the file as it is. `tenon://settings` shows each setting with its value and where that "
	"comes from; of request\n"
	"headers it shows the names only.\n"
	"\n"
	"In variables and flags, lists are separated by commas, unless the table says otherwise; "
	"true is also `1`, `yes`\n"
	"and `on`, false `0`, `no` and `off`.\n";

static void put_code(struct tn_buf *out, const char *text)
{
	if (text && *text)
		tn_buf_format(out, "`%s`", text);
}

/* Behind the next bar; NULL: none. */
static const char *next_value(const char *at)
{
	const char *bar = strchr(at, '|');

	return bar ? bar + 1 : NULL;
}

static void put_values(const struct tn_setting *key, struct tn_buf *out)
{
	if (key->type == TN_SETTING_INTEGER) {
		tn_buf_format(out, "%lld to %lld", (long long)key->least, (long long)key->most);
	} else if (key->values) {
		for (const char *at = key->values; at; at = next_value(at))
			tn_buf_format(out, "%s`%.*s`", at == key->values ? "" : ", ",
				      (int)strcspn(at, "|"), at);
	} else if (key->type == TN_SETTING_LIST) {
		tn_buf_format(out, "list%s",
			      key->separator == '\n' ? ", separated by line ends"
			      : key->separator       ? ", separated by colons"
						     : "");
	} else {
		tn_buf_append_text(out, key->type == TN_SETTING_BOOLEAN ? "true, false" : "text");
	}
}

static void put_row(const struct tn_setting *key, struct tn_buf *out)
{
	char scratch[TN_CONFIG_VARIABLE_MAX];

	tn_buf_format(out, "| `%s` | ", key->key);
	put_code(out, key->type == TN_SETTING_BOOLEAN || key->fallback ? key->fallback : "all");
	tn_buf_append_text(out, " | ");
	put_values(key, out);
	tn_buf_format(out, " | %s%s | `%s` |\n", key->description,
		      key->restart ? " (*restart*)" : "", tn_config_key_variable(key, scratch));
}

/* "http" of "http.port"; a key without a dot belongs to the ones before it. */
static struct tn_str section_of(const char *key)
{
	size_t size = strcspn(key, ".");

	return key[size] == '.' ? tn_str(key, size) : tn_str("", 0);
}

void tn_config_docs(struct tn_buf *out)
{
	struct tn_str last = {NULL, 0};

	tn_buf_append_text(out, head);
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		struct tn_str section = section_of(tn_config_key_at(i)->key);

		if (i == 0 || !tn_str_equal(section, last)) {
			tn_buf_append_text(out, "\n## ");
			if (section.size)
				tn_buf_append_str(out, section);
			else
				tn_buf_append_text(out, tn_config_key_at(i)->key);
			tn_buf_append_text(out, "\n\n| Setting | Default | Values | What it does | "
						"Variable |\n| --- | --- | --- | --- | --- |\n");
		}
		last = section;
		put_row(tn_config_key_at(i), out);
	}
}
