#include "proof/polkit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "base/limits.h"

#define ACTION "io.tenon.consent.approve"
/* Never what the environment says: that is of whoever started the daemon. */
#define SYSTEM_BUS "unix:path=/run/dbus/system_bus_socket"

enum { QUICK_MS = 10000 };

/* polkit's answer, org.freedesktop.PolicyKit1.Authority.CheckAuthorization. */
struct verdict {
	bool authorized, challenge, dismissed;
};

/* ---- the bus ---- */

static enum tenon_code open_bus(sd_bus **ret, struct tenon_error *err)
{
	sd_bus *bus = NULL;
	int code = sd_bus_new(&bus);

	if (code >= 0)
		code = sd_bus_set_address(bus, SYSTEM_BUS);
	if (code >= 0)
		code = sd_bus_set_bus_client(bus, 1);
	if (code >= 0)
		code = sd_bus_start(bus);
	if (code < 0) {
		sd_bus_unref(bus);
		return tn_fail(err, TENON_NOT_FOUND, "polkit: there is no system bus here: %s",
			       strerror(-code));
	}
	*ret = bus;
	return TENON_OK;
}

static int put_detail(sd_bus_message *m, const char *key, const char *value)
{
	return sd_bus_message_append(m, "{ss}", key, value);
}

static int put_details(sd_bus_message *m, const struct tn_proof_question *q)
{
	struct tn_buf shown;
	int code;

	tn_buf_init(&shown, 64 * TN_KIB);
	tn_proof_question_show(q, &shown);
	tn_buf_append_byte(&shown, '\0');
	code = shown.failed ? -12 : sd_bus_message_open_container(m, 'a', "{ss}");
	if (code >= 0)
		code = put_detail(m, "question", shown.data);
	if (code >= 0)
		code = put_detail(m, "digest", q->digest);
	if (code >= 0)
		code = sd_bus_message_close_container(m);
	tn_buf_finish(&shown);
	return code;
}

static int make_call(sd_bus *bus, const struct tn_proof_question *q, bool interaction,
		     sd_bus_message **ret)
{
	sd_bus_message *m = NULL;
	int code = sd_bus_message_new_method_call(
		bus, &m, "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
		"org.freedesktop.PolicyKit1.Authority", "CheckAuthorization");

	if (code >= 0)
		code = sd_bus_message_append(m, "(sa{sv})", "unix-process", 3, "pid", "u",
					     (uint32_t)q->process, "start-time", "t",
					     (uint64_t)q->started, "uid", "i", (int32_t)getuid());
	if (code >= 0)
		code = sd_bus_message_append(m, "s", ACTION);
	if (code >= 0)
		code = put_details(m, q);
	if (code >= 0) /* 1: AllowUserInteraction; no cancellation id: ending us cancels it */
		code = sd_bus_message_append(m, "us", interaction ? 1U : 0U, "");
	*ret = m;
	return code;
}

/* ---- its answers ---- */

static enum tenon_code explain(const sd_bus_error *error, int code, struct tenon_error *err)
{
	const char *said = error->message ? error->message : strerror(-code);

	if (strstr(said, "is not registered"))
		return tn_fail(err, TENON_NOT_FOUND,
			       "polkit does not know %s: its policy file is not installed (sudo "
			       "make install)",
			       ACTION);
	if (strstr(said, "pass details"))
		return tn_fail(
			err, TENON_DENIED,
			"polkit lets this user show no question, or has no policy file of "
			"ours; as root: tenon-proof "
			"--policy USER > /usr/share/polkit-1/actions/io.tenon.consent.policy");
	if (sd_bus_error_has_name(error, SD_BUS_ERROR_SERVICE_UNKNOWN) ||
	    sd_bus_error_has_name(error, SD_BUS_ERROR_NAME_HAS_NO_OWNER))
		return tn_fail(err, TENON_NOT_FOUND, "polkit does not run on this machine");
	return tn_fail(err, TENON_SYSTEM, "polkit: %.200s", said);
}

static int read_verdict(sd_bus_message *reply, struct verdict *ret)
{
	const char *key, *value;
	int authorized = 0, challenge = 0;
	int code = sd_bus_message_enter_container(reply, 'r', "bba{ss}");

	if (code > 0)
		code = sd_bus_message_read(reply, "bb", &authorized, &challenge);
	if (code > 0)
		code = sd_bus_message_enter_container(reply, 'a', "{ss}");
	*ret = (struct verdict){authorized != 0, challenge != 0, false};
	while (code > 0 && (code = sd_bus_message_read(reply, "{ss}", &key, &value)) > 0)
		ret->dismissed = ret->dismissed || strcmp(key, "polkit.dismissed") == 0;
	return code;
}

static enum tenon_code check(sd_bus *bus, const struct tn_proof_question *q, bool interaction,
			     struct verdict *ret, struct tenon_error *err)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus_message *m = NULL, *reply = NULL;
	int code = make_call(bus, q, interaction, &m);
	enum tenon_code result = TENON_OK;

	if (code >= 0)
		code = sd_bus_call(bus, m, (interaction ? TN_PROOF_MS : QUICK_MS) * UINT64_C(1000),
				   &error, &reply);
	if (code < 0)
		result = explain(&error, code, err);
	else if (read_verdict(reply, ret) < 0)
		result = tn_fail(err, TENON_SYSTEM, "polkit's answer is not understood");
	sd_bus_error_free(&error);
	sd_bus_message_unref(m);
	sd_bus_message_unref(reply);
	return result;
}

/* A yes that comes without asking proves nothing: root's, or one by a rule of the machine. */
static enum tenon_code check_asks(sd_bus *bus, const struct tn_proof_question *q,
				  struct tenon_error *err)
{
	struct verdict v = {.authorized = false};
	enum tenon_code code = check(bus, q, false, &v, err);

	if (code != TENON_OK)
		return code;
	if (v.authorized)
		return tn_fail(err, TENON_DENIED,
			       "polkit approves %s without asking anybody here%s, which proves "
			       "nothing",
			       ACTION, getuid() == 0 ? ", as it does for root" : "");
	if (!v.challenge)
		return tn_fail(err, TENON_DENIED, "polkit's rules refuse %s to this user", ACTION);
	return TENON_OK;
}

static enum tenon_code judge(const struct verdict *v, struct tenon_error *err)
{
	if (v->authorized)
		return TENON_OK;
	if (v->dismissed)
		return tn_fail(err, TENON_DENIED, "the dialog was closed, so nothing is approved");
	if (v->challenge)
		return tn_fail(err, TENON_DENIED,
			       "polkit found nobody to ask: no authentication agent runs in this "
			       "session (a desktop has one; in a terminal: pkttyagent)");
	return tn_fail(err, TENON_DENIED, "polkit was not convinced, so nothing is approved");
}

/* ---- asking ---- */

enum tenon_code tn_proof_polkit(const struct tn_proof_question *question, struct tenon_error *err)
{
	struct verdict v = {.authorized = false};
	sd_bus *bus = NULL;
	enum tenon_code code = open_bus(&bus, err);

	if (code != TENON_OK)
		return code;
	code = check_asks(bus, question, err);
	if (code == TENON_OK)
		code = check(bus, question, true, &v, err);
	if (code == TENON_OK)
		code = judge(&v, err);
	sd_bus_flush_close_unref(bus);
	return code;
}

/* Of ourselves; field 22 of /proc/self/stat, proc(5). */
static bool find_started(int64_t *ret)
{
	char line[1024];
	const char *rest;
	FILE *file = fopen("/proc/self/stat", "re");
	bool read = file && fgets(line, sizeof(line), file);

	if (file)
		(void)fclose(file);              /* only read */
	rest = read ? strrchr(line, ')') : NULL; /* a name may hold anything else */
	return rest && sscanf(rest + 1,
			      " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
			      "%*d %*d %*d %" SCNd64,
			      ret) == 1;
}

enum tenon_code tn_proof_polkit_check(struct tenon_error *err)
{
	struct tn_proof_question question = {
		.summary = "", .detail = "", .client = "", .digest = "", .process = getpid()};
	sd_bus *bus = NULL;
	enum tenon_code code = find_started(&question.started)
				       ? open_bus(&bus, err)
				       : tn_fail(err, TENON_SYSTEM, "/proc cannot be read");

	if (code != TENON_OK)
		return code;
	code = check_asks(bus, &question, err);
	sd_bus_flush_close_unref(bus);
	return code;
}
