#include "apps/workbench/launch/ready.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pcre2.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "base/url.h"

enum { STEPS_MAX = 100000, DEPTH_MAX = 1000, HEAP_KIB = 1024 };

/* ---- by what it prints ---- */

struct tn_wb_ready {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

void tn_wb_ready_free(struct tn_wb_ready *ready)
{
	if (!ready)
		return;
	pcre2_match_context_free(ready->context);
	pcre2_match_data_free(ready->data);
	pcre2_code_free(ready->code);
	tn_mem_free(ready);
}

static enum tenon_code refuse(int number, size_t offset, struct tenon_error *err)
{
	char reason[160];

	if (pcre2_get_error_message(number, (PCRE2_UCHAR *)reason, sizeof(reason)) < 0)
		reason[0] = '\0';
	return tn_fail(err, TENON_INVALID, "readyPattern is wrong at offset %zu: %s", offset,
		       reason);
}

enum tenon_code tn_wb_ready_create(struct tn_str pattern, struct tn_wb_ready **ret,
				   struct tenon_error *err)
{
	struct tn_wb_ready *ready = tn_mem_alloc(sizeof(*ready));
	PCRE2_SIZE offset = 0;
	int number = 0;

	if (!ready)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	ready->code =
		pcre2_compile((PCRE2_SPTR)pattern.data, pattern.size, 0, &number, &offset, NULL);
	if (!ready->code) {
		tn_wb_ready_free(ready);
		return refuse(number, offset, err);
	}
	ready->data = pcre2_match_data_create_from_pattern(ready->code, NULL);
	ready->context = pcre2_match_context_create(NULL);
	if (!ready->data || !ready->context) {
		tn_wb_ready_free(ready);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	(void)pcre2_set_match_limit(ready->context, STEPS_MAX);
	(void)pcre2_set_depth_limit(ready->context, DEPTH_MAX);
	(void)pcre2_set_heap_limit(ready->context, HEAP_KIB);
	*ret = ready;
	return TENON_OK;
}

bool tn_wb_ready_match(struct tn_wb_ready *ready, struct tn_str line, struct tn_buf *ret_url)
{
	const char *text = line.data ? line.data : "";
	int groups = pcre2_match(ready->code, (PCRE2_SPTR)text, line.size, 0, 0, ready->data,
				 ready->context);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(ready->data);

	if (groups < 1)
		return false;
	if (groups > 1 && at[2] != PCRE2_UNSET)
		tn_buf_append(ret_url, text + at[2], at[3] - at[2]);
	return true;
}

/* ---- its address ---- */

bool tn_wb_ready_address(struct tn_str said, struct tn_buf *ret_url)
{
	bool everywhere;
	struct tn_url url;

	said = tn_str_trim(said);
	if (!tn_url_parse(said, &url) || (!tn_str_equal_nocase(url.scheme, TN_STR("http")) &&
					  !tn_str_equal_nocase(url.scheme, TN_STR("https"))))
		return false;
	everywhere = tn_str_is(url.host, "0.0.0.0") || tn_str_is(url.host, "[::]");
	if (!everywhere && !tn_url_is_loopback(&url))
		return false;
	tn_buf_format(ret_url, "%.*s://", (int)url.scheme.size, url.scheme.data);
	if (everywhere)
		tn_buf_append_text(ret_url, url.host.data[0] == '[' ? "localhost" : "127.0.0.1");
	else
		tn_buf_append_str(ret_url, url.host);
	tn_buf_format(ret_url, ":%u", url.port);
	tn_buf_append_str(ret_url, url.target.size ? url.target : TN_STR("/"));
	return !ret_url->failed;
}

unsigned tn_wb_ready_port(void)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(here);
	unsigned port = 0;

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&here, size) == 0 &&
	    getsockname(fd, (struct sockaddr *)&here, &size) == 0)
		port = ntohs(here.sin_port);
	if (fd >= 0)
		(void)close(fd); /* the command takes it */
	return port;
}
