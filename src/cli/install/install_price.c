#include "cli/install/install_price.h"

#include <string.h>

#include "host/settings/apps.h"
#include "mcp/finder/finder.h"

/* Ours have 4.2 bytes a token with OpenAI's o200k (tests/hosts counts them); others' are close. */
enum { BYTES_OF_TEN_TOKENS = 42, ROUNDED_TO = 100 };

struct price {
	unsigned tools;
	size_t bytes;
};

static size_t size_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static void add(struct price *price, const struct tenon_tool *tool)
{
	static const char frame[] =
		"{\"name\":\"\",\"description\":\"\",\"inputSchema\":}"; /* around the three */

	price->tools++;
	price->bytes += sizeof(frame) + size_of(tool->name) + size_of(tool->description) +
			size_of(tool->input_schema);
}

static void put(struct tn_buf *out, const char *name, const struct price *price, const char *note)
{
	size_t tokens = price->bytes * 10 / BYTES_OF_TEN_TOKENS;

	tokens = (tokens + ROUNDED_TO / 2) / ROUNDED_TO * ROUNDED_TO;
	tn_buf_format(out, "  %-12s%3u tools, about %6zu tokens%s\n", name, price->tools, tokens,
		      note);
}

static void put_all(struct tn_buf *out)
{
	struct price all = {0};

	for (size_t i = 0; tn_apps_at(i); i++) {
		for (const struct tenon_tool *const *tool = tn_apps_at(i)->tools; *tool; tool++) {
			if ((*tool)->everyday)
				add(&all, *tool);
		}
	}
	for (size_t i = 0; tn_finder_at(i); i++)
		add(&all, tn_finder_at(i));
	put(out, "all apps", &all, "; the other tools are found when they are needed");
}

void tn_install_put_prices(struct tn_buf *out)
{
	tn_buf_append_text(out, "A conversation begins with:\n");
	put_all(out);
	for (size_t i = 0; tn_apps_at(i); i++) {
		const struct tenon_app *app = tn_apps_at(i);
		struct price price = {0};

		for (const struct tenon_tool *const *tool = app->tools; *tool; tool++)
			add(&price, *tool);
		put(out, app->name, &price, "");
	}
}
