#include "host/person/consent_said.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/person/ancestry.h"
#include "host/record/log.h"

/* The keeper of a session is what its processes are handed to when their parents end, so it stays
 * above all of them. What stands below it cannot choose its name. */
static bool is_below_terminal(void)
{
	struct tn_ancestry above;
	struct tenon_error err;

	/* What cannot be seen is not trusted: more wrappers than are read could be put above it. */
	if (tn_ancestry_read(getpid(), &above, &err) != TENON_OK)
		return true;
	for (size_t i = 1; i < above.count; i++) {
		if (strcmp(above.chain[i].name, "tenond") == 0)
			return true;
	}
	return false;
}

const char *tn_consent_said(void)
{
	const char *said = getenv("TENON_CONSENT");

	if (!said || strcmp(said, "allow") != 0 || !is_below_terminal())
		return said;
	tn_log(TN_LOG_WARNING, "consent",
	       "TENON_CONSENT=allow does not count: this server was started in a terminal of "
	       "Tenon's, where an assistant may have typed it, or what started it cannot be seen. "
	       "Start it in a terminal of your own.");
	return NULL;
}
