/* sanitized.h - for tests: whether this build is checked while it runs. Then the same work takes
 * many times as long, and memory that was freed stays. */
#ifndef TN_BASE_SANITIZED_H
#define TN_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TN_SANITIZED 1
#elif defined(__has_feature)
#define TN_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TN_SANITIZED 0
#endif

#endif
