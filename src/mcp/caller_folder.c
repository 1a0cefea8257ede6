#include "mcp/caller_folder.h"

#include "loop/proc_stat.h"
#include "mcp/call.h"

const char *tn_peer_folder(const struct tn_peer *peer, char room[PATH_MAX])
{
	if (peer->foreign)
		return NULL;
	/* A host may have moved its relay since; what it said itself is for where /proc is not. */
	if (peer->process > 0 && tn_proc_directory((pid_t)peer->process, room))
		return room;
	return peer->directory;
}

const char *tn_call_folder(struct tenon_call *call)
{
	char room[PATH_MAX];
	const char *folder = call->peer ? tn_peer_folder(call->peer, room) : NULL;

	return folder ? tn_arena_copy(&call->arena, tn_str_from(folder)) : NULL;
}

const char *tn_call_path(struct tenon_call *call, const struct tn_roots *roots, const char *path)
{
	char whole[PATH_MAX];
	const char *meant;

	if (!path)
		return NULL;
	meant = tn_place_from(roots, tn_call_folder(call), path, whole);
	return meant == whole ? tn_arena_copy(&call->arena, tn_str_from(whole)) : path;
}
