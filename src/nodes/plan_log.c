/*-------------------------------------------------------------------------
 *
 * plan_log.c
 *	  pg_vexec.test_log_plans: what the plans of executed queries consist of.
 *
 * test/core counts with it how many of the queries that could use a vector
 * node do, and why the others do not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/plan_log.h"

#ifdef PG_VEXEC_TEST

#include "catalog/pg_am.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

#include "nodes/vexec_nodes.h"
#include "planner/planner.h"
#include "settings.h"

typedef struct PlanShape
{
	bool		vector;
	bool		heap_scan;		/* some scan of a heap table */
	List	   *nodes;			/* constant strings */
} PlanShape;

/* Does the node scan a heap table of the user's, by whatever means? */
static bool
scans_heap_table(PlanState *ps)
{
	Oid			relid = vexec_scanned_table(ps);

	return OidIsValid(relid) && get_rel_relam(relid) == HEAP_TABLE_AM_OID;
}

static bool
describe_node(PlanState *ps, void *context)
{
	PlanShape  *shape = context;
	bool		scanned_before = shape->heap_scan;

	if (vexec_is_vector_node(ps->plan))
		shape->vector = true;
	shape->heap_scan = scans_heap_table(ps);
	if (shape->heap_scan && IsA(ps->plan, SeqScan))
		shape->nodes = list_append_unique_ptr(shape->nodes, "Seq Scan");
	planstate_tree_walker(ps, describe_node, shape);
	if (shape->heap_scan && IsA(ps->plan, Agg))
		shape->nodes = list_append_unique_ptr(shape->nodes, "Aggregate");
	shape->heap_scan |= scanned_before;
	return false;
}

void
vexec_log_plan(QueryDesc *desc)
{
	const PlannedStmt *stmt = desc->plannedstmt;
	const char *text = desc->sourceText;
	PlanShape	shape = {false, false, NIL};
	List	   *reasons = NIL;
	StringInfoData line;

	describe_node(desc->planstate, &shape);
	if (stmt->stmt_location >= 0 && stmt->stmt_location <= strlen(text))
		text += stmt->stmt_location;
	if (stmt->stmt_len > 0 && stmt->stmt_len < strlen(text))
		text = pnstrdup(text, stmt->stmt_len);
	if (vexec_enabled)
		reasons = vexec_reasons(desc->sourceText, stmt->stmt_location);

	initStringInfo(&line);
	appendStringInfoString(&line, "{\"query\": ");
	escape_json(&line, text);
	appendStringInfo(&line, ", \"reads\": %s, \"vector\": %s, \"command\": %s, \"nodes\": [",
					 shape.vector || shape.nodes != NIL ? "true" : "false",
					 shape.vector ? "true" : "false",
					 desc->operation != CMD_SELECT || stmt->rowMarks != NIL ? "true" : "false");
	foreach_ptr(char, node, shape.nodes)
		appendStringInfo(&line, "%s\"%s\"", foreach_current_index(node) > 0 ? ", " : "", node);
	appendStringInfoString(&line, "], \"reasons\": [");
	foreach_ptr(char, reason, reasons)
	{
		if (foreach_current_index(reason) > 0)
			appendStringInfoString(&line, ", ");
		escape_json(&line, reason);
	}
	appendStringInfoString(&line, "]}");
	ereport(LOG_SERVER_ONLY,
			(errmsg_internal("pg_vexec plan: %s", line.data),
			 errhidestmt(true), errhidecontext(true)));
}

#endif							/* PG_VEXEC_TEST */
