#include "short_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct short_memory fault;

static bool fails(void)
{
	if (!fault.armed)
		return false;
	fault.count++;
	if (!fault.nth || (fault.count != fault.nth && !(fault.goes_on && fault.count > fault.nth)))
		return false;
	fault.hit = true;
	return true;
}

static void *counted(void *memory)
{
	if (memory)
		fault.live++;
	return memory;
}

void *tn_mem_alloc(size_t size)
{
	return fails() ? NULL : counted(calloc(1, size ? size : 1));
}

void *tn_mem_alloc_array(size_t count, size_t size)
{
	return fails() ? NULL : counted(calloc(count ? count : 1, size ? size : 1));
}

void *tn_mem_resize(void *memory, size_t size)
{
	if (fails())
		return NULL;
	if (!memory)
		return counted(realloc(NULL, size ? size : 1));
	return realloc(memory, size ? size : 1);
}

char *tn_mem_copy_text(const char *text, size_t size)
{
	char *copy = fails() ? NULL : counted(malloc(size + 1));

	if (!copy)
		return NULL;
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

void tn_mem_free(void *memory)
{
	if (memory)
		fault.live--;
	free(memory);
}

void tn_mem_trim(void)
{
}
