/*-------------------------------------------------------------------------
 *
 * pg_vexec.c
 *	  Start of the library.
 *
 * The library may be loaded at any time: by shared_preload_libraries, at the
 * start of a session, in the middle of a transaction.  It needs no shared
 * memory.  It is never unloaded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "explain.h"
#include "loading.h"
#include "nodes/vexec_nodes.h"
#include "planner/planner.h"
#include "settings.h"

#ifdef PG_MODULE_MAGIC_EXT
PG_MODULE_MAGIC_EXT(.name = "pg_vexec", .version = VEXEC_VERSION);
#else
PG_MODULE_MAGIC;
#endif

/*
 * Settings come first: they are what can fail (a name is taken), and then no
 * hook is left behind.
 */
void
_PG_init(void)
{
	vexec_loading_init();
	vexec_define_settings();
	vexec_nodes_init();
	vexec_explain_init();
	vexec_planner_init();
}
