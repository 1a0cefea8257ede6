/* analysis_danger.c - which programs harm, and which run others. */
#include "apps/terminal/policy/internal.h"

#include "base/size.h"

/* Programs that delete, overwrite, end or send away, or that run others. Who is looked at as if it
 * was run need not be harmful: the rules say. */
static const char *const dangerous[] = {
	"rm",         "srm",     "shred",   "unlink",    "rmdir",    "wipe",       "dd",
	"mkfs",       "mke2fs",  "mkswap",  "wipefs",    "truncate", "blkdiscard", "find",
	"sh",         "bash",    "dash",    "zsh",       "ksh",      "ash",        "fish",
	"csh",        "tcsh",    "busybox", "toybox",    "sudo",     "doas",       "su",
	"chmod",      "chown",   "chattr",  "git",       "docker",   "podman",     "kubectl",
	"terraform",  "tofu",    "aws",     "systemctl", "kill",     "pkill",      "killall",
	"crontab",    "userdel", "curl",    "wget",      "rsync",    "mv",         "cp",
	"tee",        "xargs",   "chroot",  "gcloud",    "az",       "helm",       "shutdown",
	"cryptsetup", "zfs",     "rimraf",  "trash-put", "dropdb",   "nohup",      "env",
	"timeout",    "perl",    "python",  "python3",   "ruby",     "node",       "pulumi",
};

bool tn_code_is_dangerous(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(dangerous); i++) {
		if (tn_str_is(name, dangerous[i]))
			return true;
	}
	return tn_str_starts(name, TN_STR("mkfs."));
}

bool tn_code_destroys(struct tn_str name)
{
	static const char *const names[] = {"rm",       "srm",    "shred",     "unlink",
					    "wipe",     "dd",     "mke2fs",    "wipefs",
					    "truncate", "rimraf", "blkdiscard"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i]))
			return true;
	}
	return tn_str_starts(name, TN_STR("mkfs"));
}
