/* reserve.h - memory for libraries that cannot do without: the system's, and when that refuses, a
 * part of an area that was set aside.
 *
 * libuv ends the process when its table of descriptors cannot grow, and libcurl may divide by zero
 * after an allocation has failed, whatever their callers would do about it. Such a library
 * allocates through here, and its user stops asking it for more while the reserve is in use.
 * Ownership: the area belongs to the reserve as long as anything of it is in use; untouched it
 * takes no memory. Threads: any. */
#ifndef TN_BASE_RESERVE_H
#define TN_BASE_RESERVE_H

#include <pthread.h>
#include <stddef.h>

struct tn_reserve {
	pthread_mutex_t lock;
	char *area; /* aligned for anything */
	size_t size;
	size_t used; /* bytes of the area that blocks are in, with what is between them */
	size_t live; /* bytes of the area that are handed out */
};

#define TN_RESERVE_OF(bytes)                                                              \
	{                                                                                 \
		.lock = PTHREAD_MUTEX_INITIALIZER, .area = (bytes), .size = sizeof(bytes) \
	}

/* As in base/mem.h. NULL: the reserve is used up as well. */
void *tn_reserve_resize(struct tn_reserve *reserve, void *memory, size_t size);
void *tn_reserve_alloc_array(struct tn_reserve *reserve, size_t count, size_t size);
char *tn_reserve_copy_text(struct tn_reserve *reserve, const char *text, size_t size);
void tn_reserve_free(struct tn_reserve *reserve, void *memory);

/* Bytes of the reserve that are handed out; 0 as long as the system has memory. */
size_t tn_reserve_live(struct tn_reserve *reserve);

#endif
