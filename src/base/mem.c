#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/size.h"

void *tn_mem_alloc(size_t size)
{
	return calloc(1, size ? size : 1);
}

void *tn_mem_alloc_array(size_t count, size_t size)
{
	return calloc(count ? count : 1, size ? size : 1);
}

void *tn_mem_resize(void *memory, size_t size)
{
	return realloc(memory, size ? size : 1);
}

char *tn_mem_copy_text(const char *text, size_t size)
{
	size_t total;
	char *copy;

	if (!tn_size_add(size, 1, &total))
		return NULL;
	copy = malloc(total);
	if (!copy)
		return NULL;
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

void tn_mem_free(void *memory)
{
	free(memory);
}

void tn_mem_trim(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0); /* whether there were any changes nothing */
#endif
}
