/* mem.h - the only door to the allocator. NULL means refused: the caller reports
 * TENON_NO_MEMORY and leaves its state as it was. Threads: any. */
#ifndef TN_BASE_MEM_H
#define TN_BASE_MEM_H

#include <stddef.h>

void *tn_mem_alloc(size_t size);                       /* zeroed */
void *tn_mem_alloc_array(size_t count, size_t size);   /* zeroed; NULL on overflow */
void *tn_mem_resize(void *memory, size_t size);        /* new bytes are not zeroed */
char *tn_mem_copy_text(const char *text, size_t size); /* adds a NUL */
void tn_mem_free(void *memory);                        /* accepts NULL */

/* Gives pages without a byte in use back to the system, where the allocator can: after much was
 * freed. It walks the heap: some ms for 100 MiB. */
void tn_mem_trim(void);

#endif
