/* client_curl.c - the half of the plug-in behind loop/http_client.h: libcurl's multi interface on
 * one thread.
 *
 * A batch is a row of transfers, each in one state; one loop starts those that are due, lets curl
 * work for at most TN_HTTP_CANCEL_MS / 2 and collects what has ended. */
#include <curl/curl.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "plugins/client_engine.h"
#include "plugins/client_memory.h"
#include "plugins/client_tls.h"

enum { CONNECT_TIMEOUT_MS = 10000, FIRST_RETRY_MS = 500, POLL_MS = TN_HTTP_CANCEL_MS / 2 };

/* OpenSSL keeps memory for each thread it ran on and frees it when the thread ends, or never when
 * the process ends first. Weak, as curl may have been built with another TLS library. */
extern void OPENSSL_thread_stop(void) __attribute__((weak));

enum transfer_state { WAITING, RUNNING, DONE };

struct transfer {
	const struct tn_http_request *request;
	struct tn_http_answer *answer;
	CURL *easy;
	struct curl_slist *headers;
	enum transfer_state state;
	uint32_t tries;
	uint64_t due_ms; /* WAITING: not before this */
};

struct run {
	const struct tn_http_batch *batch;
	struct transfer *transfers;
	CURLM *multi;
	size_t running;
	size_t done;
};

static size_t take_body(char *data, size_t size, size_t count, void *user)
{
	struct tn_buf *body = user;

	tn_buf_append(body, data, size * count);
	return body->failed ? 0 : size * count; /* another number makes curl give up */
}

static bool set_headers(struct transfer *transfer)
{
	for (const char *const *at = transfer->request->headers; at && *at; at++) {
		struct curl_slist *longer = curl_slist_append(transfer->headers, *at);

		if (!longer)
			return false;
		transfer->headers = longer;
	}
	return true;
}

static bool set_body(struct transfer *transfer)
{
	struct tn_str body = transfer->request->body;

	if (!body.data)
		return true;
	return curl_easy_setopt(transfer->easy, CURLOPT_POST, 1L) == CURLE_OK &&
	       curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE,
				(curl_off_t)body.size) == CURLE_OK &&
	       curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDS, body.data) == CURLE_OK;
}

static bool set_safety(struct transfer *transfer)
{
	CURL *easy = transfer->easy;

	/* The defaults say the same; they are written down because they must never change. */
	return curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       (!transfer->request->direct ||
		curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK);
}

static bool set_limits(struct transfer *transfer)
{
	CURL *easy = transfer->easy;

	return curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)transfer->request->timeout_ms) ==
		       CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS) ==
		       CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer->answer->body) == CURLE_OK;
}

static bool prepare(struct transfer *transfer)
{
	transfer->easy = curl_easy_init();
	return transfer->easy && set_headers(transfer) && set_body(transfer) &&
	       set_safety(transfer) && set_limits(transfer) &&
	       curl_easy_setopt(transfer->easy, CURLOPT_URL, transfer->request->url) == CURLE_OK &&
	       curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers) ==
		       CURLE_OK &&
	       curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, (char *)transfer) == CURLE_OK;
}

static void finish(struct run *run, struct transfer *transfer)
{
	transfer->state = DONE;
	run->done++;
	if (run->batch->finished)
		atomic_fetch_add(run->batch->finished, 1);
}

static void finish_failed(struct run *run, struct transfer *transfer, enum tenon_code code,
			  const char *message)
{
	transfer->answer->code = tn_fail(&transfer->answer->err, code, "%s", message);
	finish(run, transfer);
}

static void start(struct run *run, struct transfer *transfer)
{
	tn_buf_clear(&transfer->answer->body);
	if (client_memory_is_short() || (!transfer->easy && !prepare(transfer)) ||
	    curl_multi_add_handle(run->multi, transfer->easy) != CURLM_OK) {
		finish_failed(run, transfer, TENON_NO_MEMORY, "the request cannot be set up");
		return;
	}
	transfer->state = RUNNING;
	transfer->tries++;
	run->running++;
}

/* How long until another try, or false when this answer is the last one. */
static bool wants_retry(const struct transfer *transfer, unsigned status, uint64_t *ret_after_ms)
{
	curl_off_t seconds = 0;

	if ((status != 429 && status < 500) || transfer->tries > transfer->request->retries)
		return false;
	*ret_after_ms = FIRST_RETRY_MS;
	if (curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK &&
	    seconds > 0) {
		/* A server that asks for more patience than the caller has gets no second try. */
		if (seconds > TN_HTTP_RETRY_AFTER_MAX_MS / 1000)
			return false;
		*ret_after_ms = (uint64_t)seconds * 1000;
	}
	return true;
}

static void settle(struct run *run, struct transfer *transfer, CURLcode result)
{
	uint64_t after_ms = 0;
	long status = 0;

	(void)curl_multi_remove_handle(run->multi, transfer->easy); /* it was added by start */
	run->running--;
	(void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	transfer->answer->status = status > 0 ? (unsigned)status : 0;
	switch (result) {
	case CURLE_OK:
		if (wants_retry(transfer, transfer->answer->status, &after_ms)) {
			transfer->state = WAITING;
			transfer->due_ms = tn_clock_now_ms(&tn_clock_system) + after_ms;
			return;
		}
		transfer->answer->code = TENON_OK;
		finish(run, transfer);
		return;
	case CURLE_WRITE_ERROR:
		finish_failed(run, transfer, TENON_LIMIT, "the answer is too large");
		return;
	case CURLE_OPERATION_TIMEDOUT:
		finish_failed(run, transfer, TENON_EXPIRED, "no answer in time");
		return;
	case CURLE_OUT_OF_MEMORY:
		finish_failed(run, transfer, TENON_NO_MEMORY, "out of memory");
		return;
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
		finish_failed(run, transfer, TENON_INVALID, "the URL is not valid");
		return;
	default: /* the library's words name no host and no header */
		finish_failed(run, transfer, TENON_SYSTEM, curl_easy_strerror(result));
		return;
	}
}

static bool start_due(struct run *run)
{
	uint64_t now_ms = tn_clock_now_ms(&tn_clock_system);

	for (size_t i = 0; i < run->batch->count; i++) {
		struct transfer *transfer = &run->transfers[i];

		if (run->running >= run->batch->parallel)
			break;
		if (transfer->state == WAITING && transfer->due_ms <= now_ms)
			start(run, transfer);
	}
	return run->done < run->batch->count;
}

static void collect(struct run *run)
{
	CURLMsg *message;
	int left = 0;

	while ((message = curl_multi_info_read(run->multi, &left))) {
		char *transfer = NULL;

		if (message->msg != CURLMSG_DONE)
			continue;
		if (curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer) ==
		    CURLE_OK)
			settle(run, (struct transfer *)(void *)transfer, message->data.result);
	}
}

static void give_up(struct run *run, enum tenon_code code, const char *message)
{
	for (size_t i = 0; i < run->batch->count; i++) {
		struct transfer *transfer = &run->transfers[i];

		if (transfer->state == DONE)
			continue;
		if (transfer->state == RUNNING)
			(void)curl_multi_remove_handle(run->multi, transfer->easy);
		finish_failed(run, transfer, code, message);
	}
}

static void go(struct run *run)
{
	const atomic_bool *cancel = run->batch->cancel;
	int active = 0;

	while (start_due(run)) {
		if (cancel && atomic_load(cancel)) {
			give_up(run, TENON_CANCELLED, "cancelled");
			return;
		}
		if (curl_multi_perform(run->multi, &active) != CURLM_OK ||
		    curl_multi_poll(run->multi, NULL, 0, POLL_MS, NULL) != CURLM_OK) {
			give_up(run, TENON_SYSTEM, "the HTTP client failed");
			return;
		}
		collect(run);
		if (client_memory_is_low()) {
			give_up(run, TENON_NO_MEMORY, "out of memory");
			return;
		}
	}
}

static enum tenon_code client_run(const struct tn_http_batch *batch, struct tenon_error *err)
{
	struct run run = {.batch = batch};

	run.transfers = tn_mem_alloc_array(batch->count ? batch->count : 1, sizeof(*run.transfers));
	run.multi = curl_multi_init();
	if (!run.transfers || !run.multi) {
		tn_mem_free(run.transfers);
		(void)curl_multi_cleanup(run.multi); /* accepts NULL */
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	for (size_t i = 0; i < batch->count; i++) {
		run.transfers[i].request = &batch->requests[i];
		run.transfers[i].answer = &batch->answers[i];
	}
	go(&run);
	for (size_t i = 0; i < batch->count; i++) {
		curl_easy_cleanup(run.transfers[i].easy);
		curl_slist_free_all(run.transfers[i].headers);
	}
	(void)curl_multi_cleanup(run.multi); /* nothing is left in it */
	tn_mem_free(run.transfers);
	if (OPENSSL_thread_stop)
		OPENSSL_thread_stop();
	return TENON_OK;
}

__attribute__((visibility("default"))) extern const struct tn_http_plugin tn_http_plugin;
const struct tn_http_plugin tn_http_plugin = {
	.version = TN_HTTP_PLUGIN_VERSION,
	.open = client_memory_install,
	.run = client_run,
	.engine_open = client_engine_open,
	.engine_close = client_engine_close,
	.engine_ready = client_engine_ready,
	.engine_alarm = client_engine_alarm,
	.start = client_engine_start,
	.cancel = client_engine_cancel,
	.resume = client_engine_resume,

	.tls = &client_tls_library,
};
