/* The light front: looks at the first word and hands over to the program beside it that does the
 * work.
 *
 * It is started once per conversation by AI hosts and once per line by shells, so it links libc
 * only and does nothing it need not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 1, EXIT_UNREACHABLE = 4, ARGUMENTS_MAX = 1024, PATH_BYTES = 4096 };

static const char help[] =
	"usage: tenon VERB [ARGUMENT...]\n"
	"\n"
	"  tenon serve APP... [--http ADDR:PORT]   serve apps over MCP: on stdio, HTTP, or a "
	"socket\n"
	"  tenon plan explain [FILE]               explain a Terraform or OpenTofu plan\n"
	"  tenon plan --help                       everything else plans are good for\n"
	"  tenon --version\n"
	"\n"
	"Apps: plan\n";

/* Each verb is served by tenond, which is told so by these words. */
static const struct {
	const char *verb;
	const char *words[2];
} verbs[] = {
	{"serve", {"--foreground", NULL}},
	{"plan", {"plan", NULL}},
};

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

static int hand_over(const char *const words[2], int argc, char **argv)
{
	char path[PATH_BYTES];
	const char *arguments[ARGUMENTS_MAX + 4] = {"tenond"};
	size_t count = 1;

	if (argc > ARGUMENTS_MAX) {
		(void)fprintf(stderr, "tenon: more than %d arguments\n", ARGUMENTS_MAX);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < 2 && words[i]; i++)
		arguments[count++] = words[i];
	for (int i = 2; i < argc; i++)
		arguments[count++] = argv[i];
	arguments[count] = NULL;
	if (find_tenond(path) == 0)
		(void)execv(path, (char *const *)arguments); /* returns only when it failed */
	(void)fprintf(stderr, "tenon: cannot start tenond beside this program: %s\n",
		      strerror(errno));
	return EXIT_UNREACHABLE;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "--help";

	if (strcmp(verb, "--version") == 0) {
		(void)printf("tenon %s\n", TENON_VERSION);
		return 0;
	}
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "help") == 0 || strcmp(verb, "-h") == 0) {
		(void)fputs(help, argc > 1 ? stdout : stderr);
		return argc > 1 ? 0 : EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verb, verbs[i].verb) == 0)
			return hand_over(verbs[i].words, argc, argv);
	}
	(void)fprintf(stderr, "tenon: unknown verb \"%s\"; tenon --help lists them\n", verb);
	return EXIT_USAGE;
}
