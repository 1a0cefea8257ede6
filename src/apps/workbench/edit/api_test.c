#include "apps/workbench/edit/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/edit/recover.h"
#include "apps/workbench/values/folder_kit.h"
#include "base/mem.h"
#include "tenon/edit.h"

static char *answer;

/* Sends the request, with ' for ". */
static const char *ask(const char *request)
{
	char *text = tn_mem_copy_text(request, strlen(request));

	for (char *at = text; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	tenon_edit_free_text(answer);
	answer = NULL;
	(void)tenon_edit_files(folder_path(), text, strlen(text), &answer);
	tn_mem_free(text);
	assert_non_null(answer);
	return answer;
}

static void assert_fails(const char *request, const char *code, const char *path)
{
	const char *said = ask(request);
	char expected[128];

	(void)snprintf(expected, sizeof(expected), "{\"ok\":false,\"error\":{\"code\":\"%s\"",
		       code);
	if (strncmp(said, expected, strlen(expected)) != 0)
		fail_msg("%s instead of %s", said, code);
	if (path && !strstr(said, path))
		fail_msg("%s without %s", said, path);
}

static void assert_is(const char *name, const char *expected)
{
	char path[256], text[4096] = "";
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder_path(), name);
	file = fopen(path, "r");
	if (!expected) {
		assert_null(file);
		return;
	}
	assert_non_null(file);
	(void)!fread(text, 1, sizeof(text) - 1, file);
	(void)fclose(file);
	assert_string_equal(text, expected);
}

static void at(const char *name, char ret[256])
{
	(void)snprintf(ret, 256, "%s/%s", folder_path(), name);
}

/* D3: offsets in bytes, half-open; the answer has what is there now. */
static void texts_change_where_they_are_to(void **state)
{
	(void)state;
	folder_write("src/a.tsx", "one\r\ntwo\r\n\xF0\x9F\x8D\x9E!\r\n");
	ask("{'edits':[{'kind':'text','filePath':'src/a.tsx','edits':[{'start':10,'end':14,"
	    "'newText':'x'},{'start':0,'end':3,'newText':'ONE'},{'start':3,'end':3,'newText':'+'},"
	    "{'start':3,'end':3,'newText':'-'}]}]}");
	assert_string_equal(
		answer, "{\"ok\":true,\"files\":[{\"filePath\":\"src/a.tsx\",\"sha256\":\""
			"9af17328345f43453d2a94e8578f25e41e1f4b27516f9493a753b7cf08de56d0\"}]}");
	assert_is("src/a.tsx", "ONE+-\r\ntwo\r\nx!\r\n");
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	folder_write("a.txt", "h\xC3\xA9llo");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[{'start':0,'end':3,"
		     "'newText':''},{'start':1,'end':4,'newText':''}]}]}",
		     "invalidEdit", "a.txt");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[{'start':0,'end':7,"
		     "'newText':''}]}]}",
		     "invalidEdit", "a.txt");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[{'start':3,'end':1,"
		     "'newText':''}]}]}",
		     "invalidEdit", "a.txt");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[{'start':2,'end':3,"
		     "'newText':''}]}]}",
		     "invalidEdit", "inside a character");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[]},{'kind':'delete',"
		     "'filePath':'a.txt'}]}",
		     "invalidEdit", "twice");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','expectedSha256':'12',"
		     "'edits':[]}]}",
		     "invalidEdit", "64 hex");
	assert_fails("{'edits':[{'filePath':'a.txt'}]}", "invalidEdit", "a.txt");
	assert_fails("[]", "invalidEdit", NULL);
	assert_fails("{", "invalidEdit", NULL);
	assert_fails("{'readOnlyFiles':['[']}", "invalidEdit", NULL);
	assert_fails("{'edits':[{'kind':'text','filePath':'b.txt','edits':[]}]}", "notFound",
		     "b.txt");
	assert_fails("{'edits':[{'kind':'delete','filePath':'b.txt'}]}", "notFound", "b.txt");
	assert_fails("{'edits':[{'kind':'create','filePath':'a.txt','contents':''}]}", "conflict",
		     "a.txt");
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','expectedSha256':"
		     "'0000000000000000000000000000000000000000000000000000000000000000',"
		     "'edits':[]}]}",
		     "conflict", "a.txt");
	assert_is("a.txt", "h\xC3\xA9llo");
}

/* Appendix C: absolute and ".." paths; links; what is no file. */
static void paths_stay_inside(void **state)
{
	static const char *const paths[] = {"/etc/passwd", "../x", "a/../../x", "a//b",
					    ".",           "",     "a/./b"};
	char path[256], request[512];

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		(void)snprintf(request, sizeof(request),
			       "{'edits':[{'kind':'create','filePath':'%s','contents':''}]}",
			       paths[i]);
		assert_fails(request, "invalidEdit", NULL);
	}
	at("out", path);
	assert_int_equal(symlink("/tmp", path), 0);
	assert_fails("{'edits':[{'kind':'create','filePath':'out/x','contents':''}]}",
		     "permissionDenied", "out/x");
	at("passwd", path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'passwd','edits':[]}]}",
		     "permissionDenied", "passwd");
	at("fifo", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'fifo','edits':[]}]}", "permissionDenied",
		     "fifo");
	folder_write("d/e", "");
	assert_fails("{'edits':[{'kind':'delete','filePath':'d'}]}", "invalidEdit", "d");
	assert_fails("{'edits':[{'kind':'create','filePath':'d/e/f','contents':''}]}", "notFound",
		     "d/e/f");
}

static void links_inside_are_followed(void **state)
{
	char path[256];
	struct stat status;

	(void)state;
	folder_write("real/a.tsx", "old");
	at("link.tsx", path);
	assert_int_equal(symlink("real/a.tsx", path), 0);
	assert_fails("{'readOnlyFiles':['real/**'],'edits':[{'kind':'text','filePath':'link.tsx',"
		     "'edits':[{'start':0,'end':3,'newText':'new'}]}]}",
		     "permissionDenied", "link.tsx");
	ask("{'edits':[{'kind':'text','filePath':'link.tsx','edits':[{'start':0,'end':3,"
	    "'newText':'new'}]}]}");
	assert_is("real/a.tsx", "new");
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

/* The mode stays, and what has the name of the old file elsewhere has the old file. */
static void modes_stay_and_hard_links_part(void **state)
{
	char path[256], other[256];
	struct stat status;

	(void)state;
	folder_write("a.sh", "old");
	at("a.sh", path);
	at("b.sh", other);
	assert_int_equal(chmod(path, 0751), 0);
	assert_int_equal(link(path, other), 0);
	ask("{'edits':[{'kind':'text','filePath':'a.sh','edits':[{'start':0,'end':0,"
	    "'newText':'#'}]}]}");
	assert_is("a.sh", "#old");
	assert_is("b.sh", "old");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0751);
	assert_int_equal(status.st_nlink, 1);
}

static void files_come_and_go(void **state)
{
	(void)state;
	folder_write("gone.txt", "x");
	folder_write("there.txt", "x");
	ask("{'edits':[{'kind':'create','filePath':'a/b/c.txt','contents':'new'},"
	    "{'kind':'create','filePath':'there.txt','contents':'y','overwrite':true},"
	    "{'kind':'delete','filePath':'gone.txt'},"
	    "{'kind':'delete','filePath':'never.txt','allowMissing':true}]}");
	assert_non_null(strstr(answer, "{\"filePath\":\"gone.txt\",\"sha256\":null}"));
	assert_is("a/b/c.txt", "new");
	assert_is("there.txt", "y");
	assert_is("gone.txt", NULL);
}

/* All files or none: the last one is in the way. */
static void one_failure_undoes_all(void **state)
{
	char path[256];

	(void)state;
	if (geteuid() == 0)
		skip();
	folder_write("a.txt", "a");
	folder_write("closed/b.txt", "b");
	at("closed", path);
	assert_int_equal(chmod(path, 0500), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[{'start':0,'end':1,"
		     "'newText':'A'}]},{'kind':'create','filePath':'n/m/x','contents':'x'},"
		     "{'kind':'delete','filePath':'closed/b.txt'}]}",
		     "permissionDenied", "closed/b.txt");
	assert_int_equal(chmod(path, 0700), 0);
	assert_is("a.txt", "a");
	assert_is("closed/b.txt", "b");
	at("n", path);
	assert_int_equal(access(path, F_OK), -1);
	at(".tenon-save.json", path);
	assert_int_equal(access(path, F_OK), -1);
}

static void a_read_only_file_is_left_alone(void **state)
{
	char path[256];

	(void)state;
	if (geteuid() == 0)
		skip();
	folder_write("a.txt", "a");
	at("a.txt", path);
	assert_int_equal(chmod(path, 0444), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'a.txt','edits':[]}]}",
		     "permissionDenied", "a.txt");
}

/* ---- journals ---- */

static void link_in(const char *from, const char *to)
{
	char a[256], b[256];

	at(from, a);
	at(to, b);
	assert_int_equal(link(a, b), 0);
}

#define JOURNAL(files) "{\"token\":\"T\",\"files\":[" files "]}"

/* A process was killed after it had replaced one of two, and made a third. */
static void a_change_that_was_not_made_is_taken_back(void **state)
{
	(void)state;
	folder_write("a", "new a");
	folder_write(".tenon-T-0.old", "old a");
	folder_write("b", "old b");
	link_in("b", ".tenon-T-1.old");
	folder_write(".tenon-T-1.new", "new b");
	folder_write("m/n/c", "made");
	link_in("m/n/c", "m/n/.tenon-T-2.new");
	folder_write(".tenon-save.json",
		     JOURNAL("{\"path\":\"a\",\"made\":0},{\"path\":\"b\",\"made\":0},"
			     "{\"path\":\"m/n/c\",\"made\":2}"));
	assert_true(tn_wb_edits_recover(folder_path()));
	assert_false(tn_wb_edits_recover(folder_path()));
	assert_is("a", "old a");
	assert_is("b", "old b");
	assert_is("m/n/c", NULL);
	assert_is(".tenon-T-0.old", NULL);
	assert_is(".tenon-T-1.old", NULL);
	assert_is(".tenon-T-1.new", NULL);
	assert_is(".tenon-save.json", NULL);
	assert_is("m", NULL);
}

static void a_change_that_was_made_is_tidied_up(void **state)
{
	(void)state;
	folder_write("a", "new a");
	folder_write(".tenon-T-0.old", "old a");
	folder_write(".tenon-save.done", JOURNAL("{\"path\":\"a\",\"made\":0}"));
	assert_true(tn_wb_edits_recover(folder_path()));
	assert_is("a", "new a");
	assert_is(".tenon-T-0.old", NULL);
	assert_is(".tenon-save.done", NULL);
}

/* It may be anything: it came with the folder. */
static void hostile_journals_reach_nothing(void **state)
{
	static const char *const journals[] = {
		"",
		"{",
		"[]",
		"{\"token\":\"../x\",\"files\":[]}",
		"{\"token\":1}",
		"{\"token\":\"T\",\"files\":[1,null,{\"path\":\"/etc/passwd\"},{\"path\":\"\"},"
		"{\"path\":\"../../etc/x\",\"made\":99999999999},{\"path\":\"out/x\",\"made\":-1},"
		"{\"path\":\".\",\"made\":5}]}"};
	char path[256];

	(void)state;
	folder_write("keep", "k");
	at("out", path);
	assert_int_equal(symlink("/tmp", path), 0);
	for (size_t i = 0; i < sizeof(journals) / sizeof(journals[0]); i++) {
		folder_write(".tenon-save.json", journals[i]);
		assert_true(tn_wb_edits_recover(folder_path()));
		assert_is("keep", "k");
	}
}

static void somebody_at_work_is_waited_for(void **state)
{
	char path[256];
	int fd;

	(void)state;
	folder_write("a", "a");
	folder_write(".tenon-save.json", JOURNAL("{\"path\":\"a\",\"made\":0}"));
	at(".tenon-save.json", path);
	fd = open(path, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'a','edits':[{'start':0,'end':1,"
		     "'newText':'b'}]}]}",
		     "conflict", "somebody else");
	(void)close(fd);
	ask("{'edits':[{'kind':'text','filePath':'a','edits':[{'start':0,'end':1,"
	    "'newText':'b'}]}]}");
	assert_is("a", "b");
}

static void large_files_are_not_read(void **state)
{
	char path[256];

	(void)state;
	folder_write("large", "");
	at("large", path);
	assert_int_equal(truncate(path, 100 * 1024 * 1024), 0);
	assert_fails("{'edits':[{'kind':'text','filePath':'large','edits':[]}]}", "invalidEdit",
		     "16 MiB");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(texts_change_where_they_are_to),
		IN_FOLDER(what_cannot_be_is_refused),
		IN_FOLDER(paths_stay_inside),
		IN_FOLDER(links_inside_are_followed),
		IN_FOLDER(modes_stay_and_hard_links_part),
		IN_FOLDER(files_come_and_go),
		IN_FOLDER(one_failure_undoes_all),
		IN_FOLDER(a_read_only_file_is_left_alone),
		IN_FOLDER(a_change_that_was_not_made_is_taken_back),
		IN_FOLDER(a_change_that_was_made_is_tidied_up),
		IN_FOLDER(hostile_journals_reach_nothing),
		IN_FOLDER(somebody_at_work_is_waited_for),
		IN_FOLDER(large_files_are_not_read),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tenon_edit_free_text(answer);
	return failed;
}
