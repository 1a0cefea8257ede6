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
