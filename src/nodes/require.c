/*-------------------------------------------------------------------------
 *
 * require.c
 *	  pg_vexec.require: refuse a statement that uses no vector node.
 *
 * The check is made when execution starts, so that it covers cached plans.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/require.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "nodes/vexec_nodes.h"
#include "planner/planner.h"
#include "settings.h"

static ExecutorStart_hook_type prev_executor_start = NULL;
static ExecutorRun_hook_type prev_executor_run = NULL;

static int	run_depth = 0;		/* queries running around this one */

/* Does the statement read a table of the user's? */
static bool
reads_table(PlannedStmt *stmt)
{
	Index		rti = 0;

	foreach_node(RangeTblEntry, rte, stmt->rtable)
	{
		rti++;
		if (rte->rtekind != RTE_RELATION || rte->relid < FirstNormalObjectId)
			continue;
		if (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW)
			continue;
		if (stmt->commandType == CMD_INSERT && vexec_is_result_relation(stmt, rti))
			continue;
		return true;
	}
	return false;
}

static bool
find_vector_node(PlanState *ps, void *context)
{
	if (vexec_is_vector_node(ps->plan))
		return true;
	return planstate_tree_walker(ps, find_vector_node, context);
}

static void
check_statement(QueryDesc *desc)
{
	StringInfoData detail;

	if (!reads_table(desc->plannedstmt) || find_vector_node(desc->planstate, NULL))
		return;

	initStringInfo(&detail);
	if (!vexec_enabled)
		appendStringInfoString(&detail, "pg_vexec.enabled is off.");
	else
	{
		List	   *reasons = vexec_reasons(desc->sourceText, desc->plannedstmt->stmt_location);

		foreach_ptr(char, reason, reasons)
			appendStringInfo(&detail, "%s%s", detail.len > 0 ? "\n" : "", reason);
	}
	if (detail.len == 0)
		appendStringInfoString(&detail, "The plan was made before its reasons could be remembered.");
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("statement reads a table but its plan has no vectorized node"),
			 errdetail_internal("%s", detail.data),
			 errhint("Set \"pg_vexec.require\" to off to run it with core's plan.")));
}

static void
executor_start(QueryDesc *queryDesc, int eflags)
{
	if (prev_executor_start != NULL)
		prev_executor_start(queryDesc, eflags);
	else
		standard_ExecutorStart(queryDesc, eflags);
	if (vexec_require && run_depth == 0 && !IsParallelWorker() &&
		(eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
		check_statement(queryDesc);
}

static void
executor_run(VEXEC_EXECUTOR_RUN_PARAMETERS)
{
	run_depth++;
	PG_TRY();
	{
		if (prev_executor_run != NULL)
			prev_executor_run(VEXEC_EXECUTOR_RUN_ARGUMENTS);
		else
			standard_ExecutorRun(VEXEC_EXECUTOR_RUN_ARGUMENTS);
	}
	PG_FINALLY();
	{
		run_depth--;
	}
	PG_END_TRY();
}

void
vexec_require_init(void)
{
	prev_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
	prev_executor_run = ExecutorRun_hook;
	ExecutorRun_hook = executor_run;
}
