#include "apps/terminal/session/place.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/session/session.h"
#include "loop/proc_stat.h"

/* ---- directories ---- */

/* By its real path, and only if that is still it: between two looks a link may have been turned. */
static enum tenon_code hold(const struct tn_term_config *config, const char *base,
			    const char *wanted, struct tn_held *ret, struct tenon_error *err)
{
	char path[PATH_MAX], again[PATH_MAX];
	enum tenon_code code = tn_term_config_directory(config, base, wanted, path, err);

	if (code == TENON_OK)
		code = tn_held_folder(ret, AT_FDCWD, path, err);
	if (code != TENON_OK || strcmp(ret->path, path) == 0)
		return code;
	code = tn_term_config_directory(config, NULL, ret->path, again, err);
	/* What is held is what was looked at, not what its name leads to by now. */
	if (code == TENON_OK && strcmp(ret->path, again) != 0)
		code = tn_fail(err, TENON_NOT_FOUND, "the directory is being exchanged");
	if (code != TENON_OK)
		tn_held_finish(ret);
	return code;
}

/* Where the conversation itself runs, as far as that may be used. */
static bool hold_own(const struct tn_term_config *config, const struct tn_term_caller *caller,
		     struct tn_held *ret)
{
	char path[PATH_MAX];

	if (caller && caller->process > 0 && tn_proc_directory((pid_t)caller->process, path) &&
	    hold(config, NULL, path, ret, NULL) == TENON_OK)
		return true;
	return caller && caller->directory &&
	       hold(config, NULL, caller->directory, ret, NULL) == TENON_OK;
}

/* From there, otherwise from where the settings say. */
static enum tenon_code hold_start(const struct tn_term_config *config,
				  const struct tn_term_caller *caller, const char *wanted,
				  struct tn_held *ret, struct tenon_error *err)
{
	struct tn_held own;
	enum tenon_code code;

	if ((wanted && wanted[0] == '/') || !hold_own(config, caller, &own))
		return hold(config, NULL, wanted, ret, err);
	if (!wanted) {
		*ret = own;
		return TENON_OK;
	}
	code = hold(config, own.path, wanted, ret, err);
	tn_held_finish(&own);
	return code;
}

/* Where a session stands: the directory of its shell itself, whatever its name leads to by now. One
 * that has not been started stands where it will be. */
static void hold_session(const struct tn_term_session *s, bool in_front, struct tn_held *ret)
{
	bool runs = s->pty && tn_term_session_open(s);
	int fd = runs ? tn_pty_directory_fd(s->pty, in_front) : -1;
	bool held = fd >= 0 && tn_held_folder_fd(ret, fd, NULL) == TENON_OK;

	if (fd >= 0)
		(void)close(fd); /* duplicated, or of no use */
	if (!held && s->folder.fd >= 0)
		held = tn_held_folder_fd(ret, s->folder.fd, NULL) == TENON_OK;
	if (!held && tn_held_folder(ret, AT_FDCWD, tn_term_session_cwd(s), NULL) != TENON_OK)
		(void)snprintf(ret->path, sizeof(ret->path), "%s", tn_term_session_cwd(s));
}

bool tn_term_place_stands(const struct tn_term_session *s, const struct tn_held *folder)
{
	struct tn_held now;
	bool same;

	tn_held_init(&now);
	hold_session(s, false, &now);
	same = now.fd < 0 || folder->fd < 0 ||
	       (now.device == folder->device && now.inode == folder->inode);
	tn_held_finish(&now);
	return same;
}

/* ---- sessions ---- */

/* False: *fault. */
static bool choose(struct tn_term *term, const struct tn_term_place_wish *wish,
		   struct tn_term_place *place, struct tn_term_fault *fault)
{
	const char *active = term && !wish->caller->passes_by
				     ? tn_term_active_id(term, wish->caller->key)
				     : NULL;
	struct tn_term_session *s;

	if (!term || wish->is_new || (!wish->session_id && !active)) {
		place->temporary = wish->caller->passes_by && !wish->is_new && !wish->isolated;
		return true;
	}
	s = tn_term_find(term, wish->caller, wish->session_id, fault);
	if (wish->isolated) {
		place->like = s;
		return s || !wish->session_id;
	}
	if (!s || !tn_term_usable(s, wish->caller, fault))
		return false;
	if (wish->leaves_busy && tn_term_session_busy(s)) {
		place->like = s;
		place->temporary = true;
	} else {
		place->session = s;
	}
	return true;
}

static enum tenon_code choose_folder(const struct tn_term_config *config,
				     const struct tn_term_place_wish *wish,
				     struct tn_term_place *place, struct tenon_error *err)
{
	const struct tn_term_session *at = place->session ? place->session : place->like;
	struct tn_held base;
	enum tenon_code code;

	if (!at)
		return hold_start(config, wish->caller, wish->cwd, &place->folder, err);
	tn_held_init(&base);
	hold_session(at, wish->in_front, &base);
	if (place->session && !wish->cwd) {
		place->folder = base;
		return TENON_OK;
	}
	code = hold(config, base.path, wish->cwd ? wish->cwd : base.path, &place->folder, err);
	tn_held_finish(&base);
	return code;
}

bool tn_term_place_find(struct tn_term *term, const struct tn_term_config *config,
			const struct tn_term_place_wish *wish, struct tn_term_place *ret,
			struct tn_term_fault *fault)
{
	struct tenon_error err = {0};
	enum tenon_code code;

	*ret = (struct tn_term_place){.session = NULL};
	tn_held_init(&ret->folder);
	if (!choose(term, wish, ret, fault))
		return false;
	ret->moves = ret->session && wish->cwd;
	code = choose_folder(config, wish, ret, &err);
	if (code != TENON_OK)
		tn_term_fault_from_directory(fault, code, &err);
	return code == TENON_OK;
}
