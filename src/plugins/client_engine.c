#include "plugins/client_engine.h"

#include <curl/curl.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "loop/limits.h"
#include "loop/loop.h"
#include "plugins/client_memory.h"
#include "plugins/limits.h"

struct tn_http_engine {
	const struct tn_http_engine_user *calls;
	void *user;
	CURLM *multi;
	struct tn_http_transfer *first;
	long alarm_ms;  /* what curl asked for; -1: nothing */
	size_t resumes; /* transfers that wait for curl_easy_pause */
	size_t begun;   /* transfers that curl has not acted on */
	bool starved;   /* a socket cannot be watched */
};

struct tn_http_transfer {
	struct tn_http_engine *engine;
	struct tn_http_transfer *next, **link;
	void *request;
	CURL *easy;
	struct curl_slist *headers;
	struct tn_buf lines; /* of the head, as they come */
	bool head_told;
	bool too_long; /* the head */
	bool starved;
	bool wants_resume;
};

/* ---- what curl calls ---- */

static int socket_wanted(CURL *easy, curl_socket_t fd, int what, void *user, void *socket)
{
	struct tn_http_engine *engine = user;
	void *slot = socket;
	int events = 0;

	(void)easy;
	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
		events |= TN_IO_READ;
	if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
		events |= TN_IO_WRITE;
	if (!engine->calls->watch(engine->user, fd, events, &slot))
		engine->starved = true; /* -1 would make the whole engine unusable */
	/* Fails only for a socket that curl does not know, which it has just named. */
	(void)curl_multi_assign(engine->multi, fd, slot);
	return 0;
}

static void set_alarm(struct tn_http_engine *engine)
{
	bool now = engine->resumes || engine->starved;

	engine->calls->alarm(engine->user, now ? 0 : engine->alarm_ms);
}

static int timer_wanted(CURLM *multi, long after_ms, void *user)
{
	struct tn_http_engine *engine = user;

	(void)multi;
	engine->alarm_ms = after_ms;
	set_alarm(engine);
	return 0;
}

static uint32_t retry_after(CURL *easy)
{
	curl_off_t seconds = 0;

	if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) != CURLE_OK || seconds <= 0)
		return 0;
	return seconds > UINT32_MAX / 1000 ? UINT32_MAX : (uint32_t)seconds * 1000;
}

static void tell_head(struct tn_http_transfer *transfer)
{
	struct tn_http_head head = {.lines = tn_buf_str(&transfer->lines)};
	long status = 0;

	(void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	head.status = status > 0 ? (unsigned)status : 0;
	head.retry_after_ms = retry_after(transfer->easy);
	transfer->head_told = true;
	transfer->engine->calls->head(transfer->request, &head);
}

/* One line with its end. Each answer of several (100, 103, then the real one) starts with a status
 * line; trailers come after the body and are nobody's. */
static size_t take_header(char *data, size_t size, size_t count, void *user)
{
	struct tn_http_transfer *transfer = user;
	struct tn_str line = tn_str(data, size * count);
	long status = 0;

	if (transfer->head_told)
		return line.size;
	if (tn_str_starts(line, TN_STR("HTTP/"))) {
		tn_buf_clear(&transfer->lines);
		return line.size;
	}
	if (tn_str_trim(line).size) {
		tn_buf_append_str(&transfer->lines, line);
		transfer->too_long = transfer->lines.failed;
		return transfer->too_long ? 0 : line.size;
	}
	(void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status >= 200)
		tell_head(transfer);
	return line.size;
}

static size_t take_body(char *data, size_t size, size_t count, void *user)
{
	struct tn_http_transfer *transfer = user;
	struct tn_str bytes = tn_str(data, size * count);

	if (!transfer->head_told)
		tell_head(transfer);
	if (!transfer->engine->calls->body(transfer->request, bytes))
		return CURL_WRITEFUNC_PAUSE;
	return bytes.size;
}

/* On its way to the request a transfer ends here rather than take more of the reserve. */
static bool may_go_on(struct tn_http_transfer *transfer)
{
	transfer->starved |= client_memory_is_low();
	return !transfer->starved;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
	(void)purpose;
	if (!may_go_on(user))
		return CURL_SOCKET_BAD;
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int before_request(void *user, char *server_ip, char *own_ip, int server_port, int own_port)
{
	(void)server_ip;
	(void)own_ip;
	(void)server_port;
	(void)own_port;
	return may_go_on(user) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

/* ---- a transfer ---- */

static bool set_headers(struct tn_http_transfer *transfer, const char *const *headers)
{
	for (; headers && *headers; headers++) {
		struct curl_slist *longer = curl_slist_append(transfer->headers, *headers);

		if (!longer)
			return false;
		transfer->headers = longer;
	}
	return curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers) == CURLE_OK;
}

static bool set_method(CURL *easy, const struct tn_http_stream_request *what)
{
	if (strcmp(what->method, "POST") == 0)
		return curl_easy_setopt(easy, CURLOPT_POST, 1L) == CURLE_OK &&
		       curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
					(curl_off_t)what->body.size) == CURLE_OK &&
		       curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
					what->body.data ? what->body.data : "") == CURLE_OK;
	return curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, what->method) == CURLE_OK;
}

static bool set_safety(CURL *easy, const struct tn_http_stream_request *what)
{
	/* The defaults say the same of the first four; they must never change. Headers carry tokens
	 * and are not for a proxy. */
	return curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) == CURLE_OK &&
	       (!what->ca_file ||
		curl_easy_setopt(easy, CURLOPT_CAINFO, what->ca_file) == CURLE_OK) &&
	       (!what->direct || curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK);
}

static bool set_calls(struct tn_http_transfer *transfer)
{
	CURL *easy = transfer->easy;

	return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PRIVATE, (char *)transfer) == CURLE_OK;
}

static bool prepare(struct tn_http_transfer *transfer, const struct tn_http_stream_request *what)
{
	CURL *easy = curl_easy_init();

	transfer->easy = easy;
	return easy && set_headers(transfer, what->headers) && set_method(easy, what) &&
	       set_safety(easy, what) && set_calls(transfer) &&
	       curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)what->connect_timeout_ms) ==
		       CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)what->timeout_ms) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_URL, what->url) == CURLE_OK;
}

static void free_transfer(struct tn_http_transfer *transfer)
{
	if (transfer->wants_resume)
		transfer->engine->resumes--;
	if (transfer->link) {
		*transfer->link = transfer->next;
		if (transfer->next)
			transfer->next->link = transfer->link;
	}
	curl_easy_cleanup(transfer->easy);
	curl_slist_free_all(transfer->headers);
	tn_buf_finish(&transfer->lines);
	tn_mem_free(transfer);
}

void client_engine_cancel(struct tn_http_transfer *transfer)
{
	struct tn_http_engine *engine = transfer->engine;

	(void)curl_multi_remove_handle(engine->multi, transfer->easy); /* it was added by start */
	free_transfer(transfer);
	if (engine->starved)
		set_alarm(engine);
}

/* ---- its end ---- */

/* What OpenSSL says of a chain (X509_V_ERR_..., openssl-verify(1)). The name is checked by libcurl,
 * before it asks OpenSSL: nothing is said then (1, or 0 in other versions). */
static const char *certificate_fault(CURL *easy)
{
	long verdict = 0;

	(void)curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
	switch (verdict) {
	case 0:
	case 1:
	case 62:
		return "it is not this host's";
	case 9:
		return "it is not valid yet";
	case 10:
		return "it has expired";
	case 18: /* self-signed, alone or at the end of a chain; the issuer is not known */
	case 19:
	case 20:
	case 21:
		return "nobody we trust has signed it";
	default:
		return "it does not pass the check";
	}
}

static enum tenon_code judge(const struct tn_http_transfer *transfer, CURLcode result,
			     struct tenon_error *err)
{
	if (transfer->starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	switch (result) {
	case CURLE_OK:
		*err = (struct tenon_error){0};
		return TENON_OK;
	case CURLE_OPERATION_TIMEDOUT:
		return tn_fail(err, TENON_EXPIRED, "no answer in time");
	case CURLE_OUT_OF_MEMORY:
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	case CURLE_URL_MALFORMAT:
		return tn_fail(err, TENON_INVALID, "the URL is not valid");
	case CURLE_UNSUPPORTED_PROTOCOL: /* of the URL, or of an answer without a status line */
	case CURLE_WEIRD_SERVER_REPLY:
		return tn_fail(err, TENON_INVALID, "this is no HTTP");
	case CURLE_PEER_FAILED_VERIFICATION:
		return tn_fail(err, TENON_SYSTEM, "the server's certificate is refused: %s",
			       certificate_fault(transfer->easy));
	case CURLE_SSL_CACERT_BADFILE:
		return tn_fail(err, TENON_INVALID, "the file of trusted certificates is none");
	case CURLE_WRITE_ERROR:
		if (transfer->too_long)
			return tn_fail(err, TENON_LIMIT, "the answer's headers are too long");
		break;
	default:
		break;
	}
	/* The library's words name no host and no header. */
	return tn_fail(err, TENON_SYSTEM, "%s", curl_easy_strerror(result));
}

static void finish(struct tn_http_transfer *transfer, enum tenon_code code,
		   const struct tenon_error *err)
{
	struct tn_http_engine *engine = transfer->engine;
	void *request = transfer->request;

	(void)curl_multi_remove_handle(engine->multi, transfer->easy); /* it was added by start */
	if (code == TENON_OK && !transfer->head_told)
		tell_head(transfer);
	free_transfer(transfer);
	engine->calls->done(request, code, err);
}

static void fail_all(struct tn_http_engine *engine, enum tenon_code code, const char *message)
{
	struct tenon_error err;

	(void)tn_fail(&err, code, "%s", message);
	while (engine->first)
		finish(engine->first, code, &err);
}

static void collect(struct tn_http_engine *engine)
{
	CURLMsg *message;
	int left = 0;

	while ((message = curl_multi_info_read(engine->multi, &left))) {
		struct tn_http_transfer *transfer;
		struct tenon_error err;
		char *user = NULL;
		enum tenon_code code;

		if (message->msg != CURLMSG_DONE ||
		    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user) != CURLE_OK)
			continue;
		transfer = (struct tn_http_transfer *)(void *)user;
		code = judge(transfer, message->data.result, &err);
		finish(transfer, code, &err);
	}
}

static void act(struct tn_http_engine *engine, curl_socket_t fd, int events)
{
	int running = 0;

	if (fd == CURL_SOCKET_TIMEOUT)
		engine->begun = 0;
	if (curl_multi_socket_action(engine->multi, fd, events, &running) != CURLM_OK)
		fail_all(engine, TENON_SYSTEM, "the HTTP client failed");
	collect(engine);
	if (engine->starved || client_memory_is_low()) {
		fail_all(engine, TENON_NO_MEMORY, "out of memory");
		engine->starved = false;
	}
}

void client_engine_ready(struct tn_http_engine *engine, int fd, int events)
{
	int bits = 0;

	if (events & TN_IO_READ)
		bits |= CURL_CSELECT_IN;
	if (events & TN_IO_WRITE)
		bits |= CURL_CSELECT_OUT;
	act(engine, fd, bits);
}

/* Resuming hands curl's own bytes to take_body at once, so it waits until nobody is inside. */
void client_engine_resume(struct tn_http_transfer *transfer)
{
	if (transfer->wants_resume)
		return;
	transfer->wants_resume = true;
	transfer->engine->resumes++;
	set_alarm(transfer->engine);
}

static void resume_all(struct tn_http_engine *engine)
{
	struct tn_http_transfer *at = engine->first, *next;
	struct tenon_error err;

	for (; at && engine->resumes; at = next) {
		next = at->next;
		if (!at->wants_resume)
			continue;
		at->wants_resume = false;
		engine->resumes--;
		/* What curl kept is lost when it cannot be handed over or kept again. */
		if (curl_easy_pause(at->easy, CURLPAUSE_CONT) != CURLE_OK)
			finish(at, tn_fail(&err, TENON_NO_MEMORY, "out of memory"), &err);
	}
}

void client_engine_alarm(struct tn_http_engine *engine)
{
	engine->alarm_ms = -1;
	resume_all(engine);
	act(engine, CURL_SOCKET_TIMEOUT, 0);
}

/* ---- the engine ---- */

static bool set_up(struct tn_http_engine *engine)
{
	CURLM *multi = curl_multi_init();

	engine->multi = multi;
	return multi &&
	       curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_wanted) == CURLM_OK &&
	       curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, engine) == CURLM_OK &&
	       curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_wanted) == CURLM_OK &&
	       curl_multi_setopt(multi, CURLMOPT_TIMERDATA, engine) == CURLM_OK &&
	       curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)TN_HTTP_IDLE_CONNECTIONS_MAX) ==
		       CURLM_OK;
}

/* Idle connections may lie in the reserve, which is wanted for what begins now. */
static bool begin_anew(struct tn_http_engine *engine)
{
	if (engine->multi && !engine->first && client_memory_in_reserve()) {
		(void)curl_multi_cleanup(engine->multi); /* nothing is left in it */
		engine->multi = NULL;
	}
	return engine->multi || set_up(engine);
}

enum tenon_code client_engine_start(struct tn_http_engine *engine,
				    const struct tn_http_stream_request *what, void *request,
				    struct tn_http_transfer **ret, struct tenon_error *err)
{
	struct tn_http_transfer *transfer;

	if (engine->begun >= TN_HTTP_BEGIN_MAX)
		act(engine, CURL_SOCKET_TIMEOUT, 0);
	if (!begin_anew(engine) || client_memory_is_short())
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	transfer = tn_mem_alloc(sizeof(*transfer));
	if (!transfer)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	transfer->engine = engine;
	transfer->request = request;
	tn_buf_init(&transfer->lines, TN_HTTP_REPLY_HEADERS_MAX);
	if (!prepare(transfer, what) ||
	    curl_multi_add_handle(engine->multi, transfer->easy) != CURLM_OK) {
		free_transfer(transfer);
		return tn_fail(err, TENON_NO_MEMORY, "the request cannot be set up");
	}
	transfer->next = engine->first;
	if (transfer->next)
		transfer->next->link = &transfer->next;
	transfer->link = &engine->first;
	engine->first = transfer;
	engine->begun++;
	*ret = transfer;
	return TENON_OK;
}

enum tenon_code client_engine_open(const struct tn_http_engine_user *calls, void *user,
				   struct tn_http_engine **ret, struct tenon_error *err)
{
	struct tn_http_engine *engine = tn_mem_alloc(sizeof(*engine));

	if (!engine)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	engine->calls = calls;
	engine->user = user;
	engine->alarm_ms = -1;
	if (!set_up(engine)) {
		client_engine_close(engine);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = engine;
	return TENON_OK;
}

void client_engine_close(struct tn_http_engine *engine)
{
	while (engine->first)
		client_engine_cancel(engine->first);
	(void)curl_multi_cleanup(engine->multi); /* nothing is left in it; accepts NULL */
	tn_mem_free(engine);
}
