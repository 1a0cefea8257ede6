#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static uint64_t system_monotonic_us(void *data)
{
	struct timespec now;

	(void)data;
	(void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t system_monotonic(void *data)
{
	return system_monotonic_us(data) / 1000;
}

static int64_t system_wall(void *data)
{
	struct timespec now;

	(void)data;
	(void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

const struct tn_clock tn_clock_system = {system_monotonic, system_wall, NULL, system_monotonic_us};

uint64_t tn_clock_now_ms(const struct tn_clock *clock)
{
	return clock->monotonic_ms(clock->data);
}

uint64_t tn_clock_now_us(const struct tn_clock *clock)
{
	return clock->monotonic_us ? clock->monotonic_us(clock->data)
				   : tn_clock_now_ms(clock) * 1000;
}

int64_t tn_clock_wall_ms(const struct tn_clock *clock)
{
	return clock->wall_ms(clock->data);
}

void tn_clock_format_iso(int64_t wall_ms, char out[TN_CLOCK_ISO_SIZE])
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm parts;

	if (wall_ms < 0 || !gmtime_r(&seconds, &parts) || parts.tm_year > 8099) {
		(void)snprintf(out, TN_CLOCK_ISO_SIZE, "1970-01-01T00:00:00.000Z");
		return;
	}
	(void)snprintf(out, TN_CLOCK_ISO_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
		       (unsigned)(parts.tm_year + 1900) % 10000, (unsigned)(parts.tm_mon + 1) % 100,
		       (unsigned)parts.tm_mday % 100, (unsigned)parts.tm_hour % 100,
		       (unsigned)parts.tm_min % 100, (unsigned)parts.tm_sec % 100,
		       (unsigned)(wall_ms % 1000));
}

/* Takes so many digits from the front, and then one of `ends` (NULL: nothing). */
static bool take_number(struct tn_str *text, size_t digits, const char *ends, int *ret)
{
	size_t whole = digits + (ends ? 1 : 0);

	*ret = 0;
	if (text->size < whole)
		return false;
	for (size_t i = 0; i < digits; i++) {
		if (!tn_is_digit(text->data[i]))
			return false;
		*ret = *ret * 10 + (text->data[i] - '0');
	}
	if (ends && (text->data[digits] == '\0' || !strchr(ends, text->data[digits])))
		return false;
	*text = tn_str_from_offset(*text, whole);
	return true;
}

static int days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && leap ? 29 : days[month - 1];
}

static bool take_date(struct tn_str *text, int64_t *ret_days)
{
	int year, month, day;

	if (!take_number(text, 4, "-", &year) || !take_number(text, 2, "-", &month) ||
	    !take_number(text, 2, NULL, &day))
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days_in(year, month))
		return false;
	*ret_days = (year - 1970) * 365 + (year - 1969) / 4 - (year - 1901) / 100 +
		    (year - 1601) / 400 + day - 1;
	for (int i = 1; i < month; i++)
		*ret_days += days_in(year, i);
	return true;
}

/* ".123456": what is finer than a millisecond goes. */
static bool take_fraction(struct tn_str *text, int *ret_ms)
{
	int digits = 0;

	*ret_ms = 0;
	if (text->size == 0 || text->data[0] != '.')
		return true;
	*text = tn_str_from_offset(*text, 1);
	for (; text->size > 0 && tn_is_digit(text->data[0]); digits++) {
		if (digits < 3)
			*ret_ms = *ret_ms * 10 + (text->data[0] - '0');
		*text = tn_str_from_offset(*text, 1);
	}
	for (int i = digits; i < 3; i++)
		*ret_ms *= 10;
	return digits > 0;
}

static bool take_offset(struct tn_str *text, int *ret_minutes)
{
	int hours, minutes;
	char sign = text->size > 0 ? text->data[0] : '\0';

	*text = tn_str_from_offset(*text, 1);
	*ret_minutes = 0;
	if (sign == 'Z' || sign == 'z')
		return true;
	if ((sign != '+' && sign != '-') || !take_number(text, 2, ":", &hours) ||
	    !take_number(text, 2, NULL, &minutes) || hours > 23 || minutes > 59)
		return false;
	*ret_minutes = (hours * 60 + minutes) * (sign == '-' ? -1 : 1);
	return true;
}

static bool take_time(struct tn_str *text, int64_t *ret_ms)
{
	int hour, minute, second, ms, offset;

	if (!strchr("Tt ", text->data[0]))
		return false;
	*text = tn_str_from_offset(*text, 1);
	if (!take_number(text, 2, ":", &hour) || !take_number(text, 2, ":", &minute) ||
	    !take_number(text, 2, NULL, &second) || !take_fraction(text, &ms) ||
	    !take_offset(text, &offset))
		return false;
	if (hour > 23 || minute > 59 || second > 60) /* 60: a leap second */
		return false;
	*ret_ms = ((int64_t)(hour * 60 + minute - offset) * 60 + second) * 1000 + ms;
	return true;
}

bool tn_clock_parse_iso(struct tn_str text, int64_t *ret_wall_ms)
{
	int64_t days, ms = 0;

	if (!take_date(&text, &days) || (text.size > 0 && !take_time(&text, &ms)))
		return false;
	*ret_wall_ms = days * 24 * 60 * 60 * 1000 + ms;
	return text.size == 0;
}
