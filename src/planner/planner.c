/*-------------------------------------------------------------------------
 *
 * planner.c
 *	  The planner's hooks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/planner.h"

#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "nodes/vexec_nodes.h"
#include "planner/paths.h"
#include "planner/reasons.h"
#include "settings.h"

static planner_hook_type prev_planner = NULL;
static set_rel_pathlist_hook_type prev_set_rel_pathlist = NULL;
static create_upper_paths_hook_type prev_create_upper_paths = NULL;

/* Reasons against what became vectorized in the end are none. */
static void
drop_reasons(PlannedStmt *stmt, Plan *plan)
{
	if (plan == NULL)
		return;
	if (vexec_is_vector_node(plan))
	{
		CustomScan *cscan = (CustomScan *) plan;
		RangeTblEntry *rte = rt_fetch(cscan->scan.scanrelid, stmt->rtable);

		vexec_reasons_drop(rte->eref->aliasname, cscan->methods == &vexec_agg_methods);
	}
	drop_reasons(stmt, plan->lefttree);
	drop_reasons(stmt, plan->righttree);
	if (IsA(plan, Append))
		foreach_ptr(Plan, child, ((Append *) plan)->appendplans)
			drop_reasons(stmt, child);
	else if (IsA(plan, MergeAppend))
		foreach_ptr(Plan, child, ((MergeAppend *) plan)->mergeplans)
			drop_reasons(stmt, child);
	else if (IsA(plan, SubqueryScan))
		drop_reasons(stmt, ((SubqueryScan *) plan)->subplan);
}

static PlannedStmt *
plan_statement(VEXEC_PLANNER_PARAMETERS)
{
	PlannedStmt *result;
	void	   *outer;

	if (!vexec_enabled)
		return prev_planner != NULL ? prev_planner(VEXEC_PLANNER_ARGUMENTS) :
			standard_planner(VEXEC_PLANNER_ARGUMENTS);

	outer = vexec_reasons_begin(query_string, parse->stmt_location);
	PG_TRY();
	{
		result = prev_planner != NULL ? prev_planner(VEXEC_PLANNER_ARGUMENTS) :
			standard_planner(VEXEC_PLANNER_ARGUMENTS);
		drop_reasons(result, result->planTree);
		foreach_ptr(Plan, subplan, result->subplans)
			drop_reasons(result, subplan);
	}
	PG_FINALLY();
	{
		vexec_reasons_end(outer);
	}
	PG_END_TRY();
	return result;
}

static void
add_scan_paths(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	if (prev_set_rel_pathlist != NULL)
		prev_set_rel_pathlist(root, rel, rti, rte);
	if (vexec_enabled)
		vexec_add_scan_path(root, rel, rti, rte);
}

static void
add_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel,
				RelOptInfo *output_rel, void *extra)
{
	if (prev_create_upper_paths != NULL)
		prev_create_upper_paths(root, stage, input_rel, output_rel, extra);
	if (vexec_enabled && stage == UPPERREL_GROUP_AGG)
		vexec_add_agg_path(root, input_rel, output_rel, extra);
}

void
vexec_planner_init(void)
{
	prev_planner = planner_hook;
	planner_hook = plan_statement;
	prev_set_rel_pathlist = set_rel_pathlist_hook;
	set_rel_pathlist_hook = add_scan_paths;
	prev_create_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = add_upper_paths;
}
