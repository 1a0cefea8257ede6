#include "serve/http_accept.h"

/* "q=0", "q=0.000": the client names the type to refuse it. */
static bool is_refused(struct tn_str parameters)
{
	size_t at = tn_str_find(parameters, TN_STR("q="));

	if (at == TN_STR_NONE)
		return false;
	for (at += 2; at < parameters.size && parameters.data[at] != ';'; at++) {
		if (parameters.data[at] >= '1' && parameters.data[at] <= '9')
			return false;
	}
	return true;
}

static unsigned add_range(unsigned accepted, struct tn_str range)
{
	size_t semicolon = tn_str_find_byte(range, ';');
	struct tn_str name = range;

	if (semicolon != TN_STR_NONE) {
		if (is_refused(tn_str_from_offset(range, semicolon)))
			return accepted;
		name.size = semicolon;
	}
	name = tn_str_trim(name);
	if (tn_str_is(name, "*/*"))
		return accepted | TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS;
	if (tn_str_equal_nocase(name, TN_STR("application/json")) ||
	    tn_str_equal_nocase(name, TN_STR("application/*")))
		return accepted | TN_ACCEPTS_JSON;
	if (tn_str_equal_nocase(name, TN_STR("text/*")))
		return accepted | TN_ACCEPTS_EVENTS;
	if (!tn_str_equal_nocase(name, TN_STR("text/event-stream")))
		return accepted;
	return accepted | TN_ACCEPTS_EVENTS |
	       (accepted & TN_ACCEPTS_JSON ? 0u : TN_ACCEPTS_EVENTS_FIRST);
}

unsigned tn_http_accept_value(unsigned accepted, struct tn_str value)
{
	for (;;) {
		size_t comma = tn_str_find_byte(value, ',');

		if (comma == TN_STR_NONE)
			return add_range(accepted, value);
		accepted = add_range(accepted, tn_str(value.data, comma));
		value = tn_str_from_offset(value, comma + 1);
	}
}

unsigned tn_http_accept(const struct tn_http_exchange *x)
{
	size_t count;
	struct tn_str value = tn_http_header(x, "Accept", &count);
	unsigned accepted = 0;

	if (count == 0)
		return TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS;
	if (count == 1)
		return tn_http_accept_value(0, value);
	for (size_t i = 0; i < tn_http_header_count(x); i++) {
		struct tn_http_header header = tn_http_header_at(x, i);

		if (tn_str_equal_nocase(header.name, TN_STR("Accept")))
			accepted = tn_http_accept_value(accepted, header.value);
	}
	return accepted;
}
