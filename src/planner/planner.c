/*-------------------------------------------------------------------------
 *
 * planner.c
 *	  The planner's hooks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/planner.h"

#include "jit/jit.h"
#include "miscadmin.h"
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

/*
 * Visit the vector nodes of a finished plan: reasons against what became
 * vectorized in the end are none.  Returns the sum of the nodes' own costs.
 */
static Cost
settle_vector_nodes(PlannedStmt *stmt, Plan *plan)
{
	List	   *children = NIL;
	Cost		cost = 0;

	if (plan == NULL)
		return 0;
	check_stack_depth();
	if (vexec_is_vector_node(plan))
	{
		CustomScan *cscan = (CustomScan *) plan;

		if (cscan->methods == &vexec_agg_methods)
		{
			VexecAggPlan agg;

			vexec_agg_plan_read(cscan, &agg);
			vexec_reasons_drop("aggregation over", agg.input_name);
		}
		if (cscan->scan.scanrelid > 0)
			vexec_reasons_drop("scan of", rt_fetch(cscan->scan.scanrelid,
												   stmt->rtable)->eref->aliasname);
		cost = plan->total_cost;
		foreach_ptr(Plan, child, cscan->custom_plans)
			cost -= child->total_cost;
		cost = Max(cost, 0);
	}
	if (IsA(plan, Append))
		children = ((Append *) plan)->appendplans;
	else if (IsA(plan, MergeAppend))
		children = ((MergeAppend *) plan)->mergeplans;
	else if (IsA(plan, SubqueryScan))
		children = list_make1(((SubqueryScan *) plan)->subplan);
	else if (IsA(plan, CustomScan))
		children = ((CustomScan *) plan)->custom_plans;
	foreach_ptr(Plan, child, children)
		cost += settle_vector_nodes(stmt, child);
	return cost + settle_vector_nodes(stmt, plan->lefttree) +
		settle_vector_nodes(stmt, plan->righttree);
}

/*
 * The planner turns core's JIT on where a plan costs much, and compiled
 * expressions pay off over many rows.  The rows inside vector nodes do not go
 * through them, so the nodes' costs must not count: what they save would be
 * spent on compiling.
 */
static void
adjust_jit(PlannedStmt *stmt, Cost vector_cost)
{
	Cost		cost = stmt->planTree->total_cost - vector_cost;

	if (vector_cost == 0)
		return;
	if (cost <= jit_above_cost)
		stmt->jitFlags = PGJIT_NONE;
	if (cost <= jit_optimize_above_cost)
		stmt->jitFlags &= ~PGJIT_OPT3;
	if (cost <= jit_inline_above_cost)
		stmt->jitFlags &= ~PGJIT_INLINE;
}

static PlannedStmt *
plan_statement(VEXEC_PLANNER_PARAMETERS)
{
	PlannedStmt *volatile result;
	void	   *outer;

	if (!vexec_enabled)
		return prev_planner != NULL ? prev_planner(VEXEC_PLANNER_ARGUMENTS) :
			standard_planner(VEXEC_PLANNER_ARGUMENTS);

	outer = vexec_reasons_begin(query_string, parse->stmt_location);
	PG_TRY();
	{
		Cost		vector_cost;

		result = prev_planner != NULL ? prev_planner(VEXEC_PLANNER_ARGUMENTS) :
			standard_planner(VEXEC_PLANNER_ARGUMENTS);
		vector_cost = settle_vector_nodes(result, result->planTree);
		foreach_ptr(Plan, subplan, result->subplans)
			vector_cost += settle_vector_nodes(result, subplan);
		adjust_jit(result, vector_cost);
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
