/*-------------------------------------------------------------------------
 *
 * vexec_hook_test.c
 *	  Prints a NOTICE for each call of the object-access hook about executing a
 *	  function, while vexec_hook_test.print is on: how an extension like
 *	  sepgsql sees a query.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "utils/guc.h"
#include "utils/regproc.h"

PG_MODULE_MAGIC;

extern void _PG_init(void);

static object_access_hook_type prev_object_access = NULL;
static bool print_calls = false;

static void
print_object_access(ObjectAccessType access, Oid class, Oid object, int sub, void *arg)
{
	if (prev_object_access != NULL)
		prev_object_access(access, class, object, sub, arg);
	if (print_calls && access == OAT_FUNCTION_EXECUTE && class == ProcedureRelationId)
		ereport(NOTICE, errmsg("executes %s", format_procedure(object)));
}

void
_PG_init(void)
{
	DefineCustomBoolVariable("vexec_hook_test.print", "Prints the functions that are to be executed.",
							 NULL, &print_calls, false, PGC_USERSET, 0, NULL, NULL, NULL);
	prev_object_access = object_access_hook;
	object_access_hook = print_object_access;
}
