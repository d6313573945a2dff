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
#include "commands/defrem.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "tcop/utility.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"

#include "compat.h"
#include "nodes/plan_log.h"
#include "nodes/vexec_nodes.h"
#include "planner/planner.h"
#include "settings.h"

static ExecutorStart_hook_type prev_executor_start = NULL;
static ExecutorRun_hook_type prev_executor_run = NULL;
static ProcessUtility_hook_type prev_process_utility = NULL;

static int	depth = 0;			/* queries and commands running around this one */

/* Does a plan node scan a table of the user's? */
static bool
find_table_scan(PlanState *ps, void *context)
{
	if (OidIsValid(vexec_scanned_table(ps)))
		return true;
	return planstate_tree_walker(ps, find_table_scan, context);
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

	if (!find_table_scan(desc->planstate, NULL) || find_vector_node(desc->planstate, NULL))
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

/* Is the query that starts now the client's own? */
static bool
is_clients_query(void)
{
	/* triggers run outside the executor too: those of foreign keys, deferred ones at COMMIT */
	return depth == 0 && !IsParallelWorker() &&
		DatumGetInt32(DirectFunctionCall1(pg_trigger_depth, (Datum) 0)) == 0;
}

static void
executor_start(QueryDesc *queryDesc, int eflags)
{
	if (prev_executor_start != NULL)
		prev_executor_start(queryDesc, eflags);
	else
		standard_ExecutorStart(queryDesc, eflags);
	if (vexec_require && (eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && is_clients_query())
		check_statement(queryDesc);
#ifdef PG_VEXEC_TEST
	if (vexec_test_log_plans && (eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && is_clients_query())
		vexec_log_plan(queryDesc);
#endif
}

static void
executor_run(VEXEC_EXECUTOR_RUN_PARAMETERS)
{
	depth++;
	PG_TRY();
	{
		if (prev_executor_run != NULL)
			prev_executor_run(VEXEC_EXECUTOR_RUN_ARGUMENTS);
		else
			standard_ExecutorRun(VEXEC_EXECUTOR_RUN_ARGUMENTS);
	}
	PG_FINALLY();
	{
		depth--;
	}
	PG_END_TRY();
}

/* Does the command carry a query of the client's?  The others may run queries of their own. */
static bool
carries_query(Node *command)
{
	switch (nodeTag(command))
	{
		case T_ExplainStmt:
		case T_ExecuteStmt:
		case T_DeclareCursorStmt:
		case T_CreateTableAsStmt:
			return true;
		case T_CopyStmt:
			return ((CopyStmt *) command)->query != NULL;
		default:
			return false;
	}
}

/*
 * Is the command one that pg_vexec.test_core_explain wants planned as by core:
 * an EXPLAIN without ANALYZE?
 */
static bool
wants_core_plan(Node *command)
{
#ifdef PG_VEXEC_TEST
	bool		analyze = false;

	if (!vexec_test_core_explain || !vexec_enabled || !IsA(command, ExplainStmt))
		return false;
	foreach_ptr(DefElem, option, ((ExplainStmt *) command)->options)
	{
		if (strcmp(option->defname, "analyze") == 0)
			analyze = defGetBoolean(option);
	}
	return !analyze;
#else
	return false;
#endif
}

static void
process_utility(PlannedStmt *pstmt, const char *queryString, bool readOnlyTree,
				ProcessUtilityContext context, ParamListInfo params, QueryEnvironment *queryEnv,
				DestReceiver *dest, QueryCompletion *qc)
{
	volatile int step = carries_query(pstmt->utilityStmt) ? 0 : 1;
	volatile int settings_level = 0;

	if (wants_core_plan(pstmt->utilityStmt))
	{
		/* Cached plans are discarded now and at the end; an error ends the level too. */
		settings_level = NewGUCNestLevel();
		set_config_option("pg_vexec.enabled", "off", PGC_USERSET, PGC_S_SESSION,
						  GUC_ACTION_SAVE, true, 0, false);
	}
	depth += step;
	PG_TRY();
	{
		if (prev_process_utility != NULL)
			prev_process_utility(pstmt, queryString, readOnlyTree, context, params, queryEnv,
								 dest, qc);
		else
			standard_ProcessUtility(pstmt, queryString, readOnlyTree, context, params, queryEnv,
									dest, qc);
	}
	PG_FINALLY();
	{
		depth -= step;
	}
	PG_END_TRY();
	if (settings_level > 0)
		AtEOXact_GUC(true, settings_level);
}

void
vexec_require_init(void)
{
	prev_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
	prev_executor_run = ExecutorRun_hook;
	ExecutorRun_hook = executor_run;
	prev_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
}
