/* engine.c - a small engine, a program and no script, and its provider: for tests/studio/held.py.
 *
 * Started as terraform-provider-* it prints TAG. As the engine, `apply` appends to seen.txt which
 * engine it is, the plan it was given, what extra.tf says, and what its provider is. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TAG
#define TAG "good"
#endif
#define PROVIDERS ".terraform/providers/example.org/x"
#define PROVIDER PROVIDERS "/terraform-provider-x"

/* As much as fits; empty when it cannot be read. */
static void read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, out, size - 1);

	if (fd >= 0)
		(void)close(fd);
	out[got > 0 ? got : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

static void ask_provider(char *out, size_t size)
{
	int line[2], status;
	pid_t child;
	ssize_t got;

	out[0] = '\0';
	if (pipe(line) != 0)
		return;
	child = fork();
	if (child == 0) {
		(void)dup2(line[1], 1);
		(void)execl(PROVIDER, PROVIDER, (char *)NULL);
		_exit(127);
	}
	(void)close(line[1]);
	got = read(line[0], out, size - 1);
	out[got > 0 ? got : 0] = '\0';
	(void)close(line[0]);
	(void)waitpid(child, &status, 0);
}

static int apply(const char *plan)
{
	char made[64], extra[64], provider[64];
	FILE *seen;

	read_file(plan, made, sizeof(made));
	read_file("extra.tf", extra, sizeof(extra));
	ask_provider(provider, sizeof(provider));
	seen = fopen("terraform.tfstate.backup", "a"); /* a file of the engine's own */
	if (!seen)
		return 1;
	(void)fprintf(seen, "%s|%s|%s|%s\n", TAG, made, extra, provider);
	(void)fclose(seen);
	(void)printf("{\"@level\":\"info\",\"@message\":\"done\",\"type\":\"change_summary\","
		     "\"changes\":{\"add\":1,\"change\":0,\"import\":0,\"remove\":0,"
		     "\"operation\":\"apply\"}}\n");
	return 0;
}

static int plan(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		FILE *file;

		if (strncmp(argv[i], "-out=", 5) != 0)
			continue;
		file = fopen(argv[i] + 5, "w");
		if (!file)
			return 1;
		(void)fprintf(file, "plan-good\n");
		if (getenv("PLAN_MIB"))
			(void)fseek(file, atol(getenv("PLAN_MIB")) << 20, SEEK_SET);
		(void)fprintf(file, "\n");
		(void)fclose(file);
	}
	(void)printf(
		"{\"@level\":\"info\",\"@message\":\"Plan: 1 to add\",\"type\":\"change_summary\","
		"\"changes\":{\"add\":1,\"change\":0,\"import\":0,\"remove\":0,"
		"\"operation\":\"plan\"}}\n");
	return 0;
}

static int show(int argc)
{
	(void)printf("{\"format_version\":\"1.2\",\"terraform_version\":\"1.9.0\"");
	if (argc > 3)
		(void)printf(",\"resource_changes\":[{\"address\":\"terraform_data.alpha\","
			     "\"mode\":\"managed\",\"type\":\"terraform_data\",\"name\":\"alpha\","
			     "\"provider_name\":\"terraform.io/builtin/terraform\",\"change\":{"
			     "\"actions\":[\"create\"],\"before\":null,\"after\":{},"
			     "\"after_unknown\":{},\"before_sensitive\":false,"
			     "\"after_sensitive\":{}}}],\"applyable\":true,\"complete\":true,"
			     "\"errored\":false");
	(void)printf("}\n");
	return 0;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *command = argc > 1 ? argv[1] : "";

	if (strncmp(slash ? slash + 1 : argv[0], "terraform-provider", 18) == 0)
		return printf("%s", TAG) > 0 ? 0 : 1;
	if (strcmp(command, "version") == 0)
		return printf("{\"terraform_version\":\"1.9.0\"}\n") > 0 ? 0 : 1;
	if (strcmp(command, "init") == 0)
		return mkdir(".terraform", 0700) != 0 && access(".terraform", F_OK) != 0;
	if (strcmp(command, "plan") == 0)
		return plan(argc, argv);
	if (strcmp(command, "show") == 0)
		return show(argc);
	return strcmp(command, "apply") == 0 ? apply(argv[argc - 1]) : 1;
}
