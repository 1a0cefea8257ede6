#include "plugins/client_tls.h"

#include <curl/curl.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "plugins/client_memory.h"
#include "plugins/limits.h"

/* Each has a multi handle of its own: one that connections share looks through all of them for some
 * that seem dead or old whenever another begins, also through those that only carry bytes. */
struct tn_tls {
	CURLM *multi;
	CURL *easy;
	struct curl_slist *route;
	int fd;
	int events;                       /* that curl waits for */
	bool rings;                       /* curl goes on at once */
	size_t parcel_size;               /* 0: it has gone */
	char parcel[TN_TLS_PARCEL_BYTES]; /* on its way */
};

/* ---- what curl calls ---- */

static int socket_wanted(CURL *easy, curl_socket_t fd, int what, void *user, void *socket)
{
	struct tn_tls *tls = user;

	(void)easy;
	(void)fd;
	(void)socket;
	tls->events = 0;
	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
		tls->events |= TN_IO_READ;
	if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
		tls->events |= TN_IO_WRITE;
	return 0;
}

/* Later alarms are deadlines, and the caller has one. */
static int timer_wanted(CURLM *multi, long after_ms, void *user)
{
	struct tn_tls *tls = user;

	(void)multi;
	tls->rings = after_ms == 0;
	return 0;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
	const struct tn_tls *tls = user;

	(void)purpose;
	(void)address;
	return tls->fd;
}

static int is_connected(void *user, curl_socket_t fd, curlsocktype purpose)
{
	(void)user;
	(void)fd;
	(void)purpose;
	return CURL_SOCKOPT_ALREADY_CONNECTED;
}

static int close_socket(void *user, curl_socket_t fd)
{
	(void)user;
	(void)fd;
	return 0; /* the caller does */
}

/* ---- life ---- */

/* Of a server of this machine nothing is verified: no list of authorities is read for it either,
 * which would take 10 ms. */
static bool set_security(CURL *easy)
{
	return curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CAINFO, NULL) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) ==
		       CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
}

/* The name is for the server; the socket is there, so that no name is looked up. */
static bool set_route(struct tn_tls *tls, const char *host)
{
	CURL *easy = tls->easy;
	struct tn_buf url;
	bool set;

	tls->route = curl_slist_append(NULL, "::127.0.0.1:443");
	tn_buf_init(&url, TN_KIB);
	tn_buf_format(&url, "https://%s/", host);
	tn_buf_append_byte(&url, '\0');
	set = tls->route && !url.failed &&
	      curl_easy_setopt(easy, CURLOPT_URL, url.data) == CURLE_OK &&
	      curl_easy_setopt(easy, CURLOPT_CONNECT_TO, tls->route) == CURLE_OK &&
	      curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L) == CURLE_OK &&
	      curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)TN_TLS_CURL_BUFFER_BYTES) ==
		      CURLE_OK;
	tn_buf_finish(&url);
	return set;
}

static bool set_socket(struct tn_tls *tls)
{
	CURL *easy = tls->easy;

	return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, tls) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, is_connected) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket) == CURLE_OK &&
	       curl_multi_setopt(tls->multi, CURLMOPT_SOCKETFUNCTION, socket_wanted) == CURLM_OK &&
	       curl_multi_setopt(tls->multi, CURLMOPT_SOCKETDATA, tls) == CURLM_OK &&
	       curl_multi_setopt(tls->multi, CURLMOPT_TIMERFUNCTION, timer_wanted) == CURLM_OK &&
	       curl_multi_setopt(tls->multi, CURLMOPT_TIMERDATA, tls) == CURLM_OK;
}

static void tls_close(struct tn_tls *tls)
{
	if (!tls)
		return;
	if (tls->multi && tls->easy) /* says so when it was never added */
		(void)curl_multi_remove_handle(tls->multi, tls->easy);
	curl_easy_cleanup(tls->easy);
	(void)curl_multi_cleanup(tls->multi); /* nothing is left in it; accepts NULL */
	curl_slist_free_all(tls->route);
	tn_mem_free(tls);
}

static enum tenon_code tls_open(int fd, const char *host, struct tn_tls **ret,
				struct tenon_error *err)
{
	struct tn_tls *tls = client_memory_is_short() ? NULL : tn_mem_alloc(sizeof(*tls));

	if (!tls)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tls->fd = fd;
	tls->multi = curl_multi_init();
	tls->easy = tls->multi ? curl_easy_init() : NULL;
	if (!tls->easy || !set_security(tls->easy) || !set_route(tls, host) || !set_socket(tls) ||
	    curl_multi_add_handle(tls->multi, tls->easy) != CURLM_OK) {
		tls_close(tls);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = tls;
	return TENON_OK;
}

/* ---- the handshake ---- */

static enum tn_tls_step look(const struct tn_tls *tls)
{
	const CURLMsg *message;
	int left = 0;

	if (client_memory_is_low())
		return TN_TLS_FAILED;
	message = curl_multi_info_read(tls->multi, &left);
	if (!message || message->msg != CURLMSG_DONE)
		return TN_TLS_MORE;
	return message->data.result == CURLE_OK ? TN_TLS_READY : TN_TLS_FAILED;
}

static enum tn_tls_step tls_shake(struct tn_tls *tls, int events, int *ret_events)
{
	int bits = (events & TN_IO_READ ? CURL_CSELECT_IN : 0) |
		   (events & TN_IO_WRITE ? CURL_CSELECT_OUT : 0);
	enum tn_tls_step step = TN_TLS_MORE;
	int running = 0;

	if (bits && curl_multi_socket_action(tls->multi, tls->fd, bits, &running) != CURLM_OK)
		return TN_TLS_FAILED;
	step = look(tls);
	for (int turns = TN_TLS_TURNS_MAX; step == TN_TLS_MORE && tls->rings && turns; turns--) {
		tls->rings = false;
		if (curl_multi_socket_action(tls->multi, CURL_SOCKET_TIMEOUT, 0, &running) !=
		    CURLM_OK)
			return TN_TLS_FAILED;
		step = look(tls);
	}
	/* What curl has left to do at once is done when the socket can be written to: now. */
	*ret_events = tls->events | (tls->rings ? TN_IO_WRITE : 0);
	return step;
}

/* ---- bytes ---- */

static ssize_t tls_read(struct tn_tls *tls, char *bytes, size_t size)
{
	size_t got = 0;
	CURLcode code = curl_easy_recv(tls->easy, bytes, size, &got);

	if (code == CURLE_AGAIN)
		return -1;
	/* Most servers of developers close without a word of TLS. */
	return code == CURLE_OK ? (ssize_t)got : 0;
}

/* OpenSSL wants the very same memory again for what it could not send. */
static ssize_t tls_write(struct tn_tls *tls, const char *bytes, size_t size)
{
	size_t sent = 0;
	CURLcode code;

	if (!tls->parcel_size) {
		tls->parcel_size = size < sizeof(tls->parcel) ? size : sizeof(tls->parcel);
		memcpy(tls->parcel, bytes, tls->parcel_size);
	}
	code = curl_easy_send(tls->easy, tls->parcel, tls->parcel_size, &sent);
	if (code == CURLE_AGAIN)
		return 0;
	tls->parcel_size = 0;
	return code == CURLE_OK ? (ssize_t)sent : -1;
}

const struct tn_tls_library client_tls_library = {
	.open = tls_open,
	.close = tls_close,
	.shake = tls_shake,
	.read = tls_read,
	.write = tls_write,
};
