#include "host/record/privacy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/terminal/redact/redact.h"
#include "base/mem.h"
#include "base/str.h"

enum { FIELD_ENV_START = 50, STAT_SIZE = 2048 };

/* A variable that has moved; they stand in a list, so that the memory is known as long as it is
 * there. */
struct moved {
	struct moved *next;
	char text[]; /* NAME=VALUE */
};

static struct moved *all_moved;

/* Where the kernel has put the environment, and /proc reads it from; 0: unknown. */
struct block {
	uintptr_t begin, end;
};

static struct block find_block(void)
{
	char line[STAT_SIZE];
	struct block block = {0, 0};
	FILE *file = fopen("/proc/self/stat", "re");
	const char *at = NULL;
	char *rest;

	if (file && fgets(line, sizeof(line), file))
		at = strrchr(line, ')'); /* the program's name may have anything in it */
	if (file)
		(void)fclose(file); /* only read */
	if (!at)
		return block;
	/* ")" ends the second field; a blank stands before each further one. */
	for (int field = 2; at && field < FIELD_ENV_START; field++)
		at = strchr(at + 1, ' ');
	if (at) {
		block.begin = strtoull(at, &rest, 10);
		block.end = strtoull(rest, NULL, 10);
	}
	return block;
}

/* "postgres://user:password@host/": the name of its variable says nothing. */
static bool has_password(struct tn_str value)
{
	size_t at = tn_str_find(value, TN_STR("://"));
	struct tn_str rest = tn_str_from_offset(value, at == TN_STR_NONE ? value.size : at + 3);
	size_t sign = tn_str_find_byte(rest, '@');

	return sign != TN_STR_NONE && tn_str_find_byte(tn_str(rest.data, sign), ':') != TN_STR_NONE;
}

static bool is_secret(struct tn_str name, struct tn_str value, const char *const *more)
{
	for (; more && *more; more++) {
		if (tn_str_is(name, *more))
			return true;
	}
	return tn_redact_is_sensitive_name(name) || has_password(value);
}

/* The whole of it is kept elsewhere; of what stood in the block the name is left. */
static void move(char **entry, char *value, struct block block)
{
	size_t size = strlen(*entry) + 1;
	struct moved *copy;

	if ((uintptr_t)*entry < block.begin || (uintptr_t)*entry + size > block.end)
		return; /* set by ourselves: it never was in the block */
	copy = tn_mem_alloc(sizeof(*copy) + size);
	if (!copy)
		return;
	copy->next = all_moved;
	all_moved = copy;
	memcpy(copy->text, *entry, size);
	explicit_bzero(value, strlen(value));
	*entry = copy->text;
}

void tn_privacy_begin(const char *const *more)
{
	struct block block = find_block();

	for (char **at = environ; at && *at; at++) {
		char *equals = strchr(*at, '=');

		if (equals &&
		    is_secret(tn_str(*at, (size_t)(equals - *at)), tn_str_from(equals + 1), more))
			move(at, equals + 1, block);
	}
	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* all of it would be in there */
	(void)prctl(PR_SET_DUMPABLE, 0);
}

void tn_privacy_forget(const char *name)
{
	size_t size = strlen(name);

	(void)unsetenv(name);
	for (struct moved **at = &all_moved; *at; at = &(*at)->next) {
		struct moved *one = *at;

		if (strncmp(one->text, name, size) != 0 || one->text[size] != '=')
			continue;
		*at = one->next;
		explicit_bzero(one->text, strlen(one->text));
		tn_mem_free(one);
		return;
	}
}
