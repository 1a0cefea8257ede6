/* The light front: relays for AI hosts itself, and hands every other verb over to the program
 * beside it that does the work.
 *
 * It is started once per conversation by AI hosts and once per line by shells, so it does nothing
 * it need not. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/relay/relay.h"
#include "loop/standard.h"

enum { EXIT_USAGE = 1, EXIT_UNREACHABLE = 4, ARGUMENTS_MAX = 4096, PATH_BYTES = 4096 };

/* The path of tenond: beside this program, wherever it was started from. */
static int find_tenond(char path[PATH_BYTES])
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_BYTES - sizeof("tenond"));
	char *slash;

	if (size <= 0)
		return -1;
	path[size] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return -1;
	memcpy(slash + 1, "tenond", sizeof("tenond"));
	return 0;
}

/* tenond knows the verbs, and what to say of a word that is none. */
static int hand_over(int argc, char **argv)
{
	char path[PATH_BYTES];
	char *arguments[ARGUMENTS_MAX + 2] = {"tenond"};

	if (argc > ARGUMENTS_MAX) {
		(void)fprintf(stderr, "tenon: more than %d arguments\n", ARGUMENTS_MAX);
		return EXIT_USAGE;
	}
	for (int i = 1; i < argc; i++)
		arguments[i] = argv[i];
	if (find_tenond(path) != 0) {
		(void)fprintf(stderr,
			      "tenon: cannot find out where this program is: "
			      "/proc/self/exe: %s\n",
			      strerror(errno));
		return EXIT_UNREACHABLE;
	}
	(void)execv(path, arguments); /* returns only when it failed */
	(void)fprintf(stderr, "tenon: cannot start %s: %s\n", path, strerror(errno));
	return EXIT_UNREACHABLE;
}

/* What the relay takes; every other option is tenond's to explain. */
static bool is_relay(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "mcp") != 0)
		return false;
	for (int i = 2; i < argc; i++) {
		if (argv[i][0] == '-' && strcmp(argv[i], "--core") != 0 &&
		    strcmp(argv[i], "--all") != 0 && strcmp(argv[i], "--fit") != 0 &&
		    strncmp(argv[i], "--fit=", 6) != 0)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	tn_standard_open();
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0 ||
	    strcmp(verb, "version") == 0) {
		(void)printf("tenon %s\n", TENON_VERSION);
		return 0;
	}
	if (is_relay(argc, argv))
		return tn_relay_main(argc - 1, argv + 1);
	return hand_over(argc, argv);
}
