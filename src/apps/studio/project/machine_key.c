/* A key of this machine, in the user's state folder and not in a project: what is digested with it
 * says nothing to whoever has the project alone. */
#include "apps/studio/project/internal.h"

#include <string.h>

#include "base/rng.h"
#include "store/file.h"

enum { KEY_BYTES = 32 };

static bool is_read(struct tn_studio_projects *projects, const char *path)
{
	struct tn_buf text;
	bool good;

	tn_buf_init(&text, sizeof(projects->machine_key));
	good = tn_file_read(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &text, NULL) ==
		       TENON_OK &&
	       text.size == sizeof(projects->machine_key) - 1;
	if (good)
		memcpy(projects->machine_key, text.data, text.size);
	if (text.data)
		explicit_bzero(text.data, text.capacity);
	tn_buf_finish(&text);
	return good;
}

static bool is_made(struct tn_studio_projects *projects, const char *path)
{
	tn_rng_token(projects->machine_key, KEY_BYTES);
	if (tn_file_write(path, 0600, tn_str_from(projects->machine_key), NULL) == TENON_OK)
		return true;
	projects->machine_key[0] = '\0';
	return false;
}

struct tn_str tn_studio_machine_key(struct tn_studio_projects *projects)
{
	struct tn_buf path;

	if (!projects->machine_key[0]) {
		tn_buf_init(&path, TN_MIB);
		if (tn_studio_state_path(projects, true, "studio-key", &path) &&
		    !is_read(projects, path.data))
			(void)!is_made(projects, path.data); /* "": nothing is digested */
		tn_buf_finish(&path);
	}
	return tn_str_from(projects->machine_key);
}
