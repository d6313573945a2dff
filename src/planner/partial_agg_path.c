/*-------------------------------------------------------------------------
 *
 * partial_agg_path.c
 *	  VexecAgg in several processes, each for part of the input, below a
 *	  Finalize Aggregate of core.
 *
 * Core has made its own partial paths when the hook for grouping runs, and has
 * gathered them; the Gather here is ours.  The target of a partial aggregation
 * is that of core, so that the Finalize node recognizes its aggregates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/prep.h"

#include "compat.h"
#include "settings.h"

/* What the paths have in common. */
typedef struct PartialContext
{
	PlannerInfo *root;
	RelOptInfo *input_rel;
	RelOptInfo *output_rel;
	RelOptInfo *partial_rel;
	List	   *target_list;
	GroupPathExtraData *extra;
	VexecAggParts parts;
	AggClauseCosts final_costs;
	double		groups;			/* of the result */
} PartialContext;

static void
add_final_path(PartialContext *context, Path *gathered, AggStrategy strategy)
{
	Path	   *path;

	path = (Path *) create_agg_path(context->root, context->output_rel, gathered,
									context->output_rel->reltarget, strategy,
									AGGSPLIT_FINAL_DESERIAL,
									context->root->processed_groupClause,
									(List *) context->extra->havingQual, &context->final_costs,
									context->groups);
	if (vexec_force)
	{
		path->startup_cost *= VEXEC_FORCED_COST;
		path->total_cost *= VEXEC_FORCED_COST;
	}
	add_path(context->output_rel, path);
}

/* The ways to bring the states of a partial path together. */
static void
add_gathered_paths(PartialContext *context, Path *path)
{
	PlannerInfo *root = context->root;
	double		states = clamp_row_est(path->rows * vexec_parallel_divisor(path->parallel_workers));
	Path	   *gathered;

	gathered = (Path *) create_gather_path(root, context->partial_rel, path, path->pathtarget,
										   NULL, &states);
	if (root->parse->groupClause == NIL)
	{
		add_final_path(context, gathered, AGG_PLAIN);
		return;
	}
	if ((context->extra->flags & GROUPING_CAN_USE_HASH) != 0 &&
		root->processed_groupClause != NIL)
		add_final_path(context, gathered, AGG_HASHED);

	/* sorted groups, which the query's order may want */
	if ((context->extra->flags & GROUPING_CAN_USE_SORT) != 0)
	{
		List	   *order = list_copy_head(root->group_pathkeys, root->num_groupby_pathkeys);

		if (order == NIL)
		{
			/* all keys are constants */
			add_final_path(context, gathered, AGG_SORTED);
			return;
		}
		add_final_path(context, (Path *) create_sort_path(root, context->partial_rel, gathered,
														  order, -1.0), AGG_SORTED);
		path = (Path *) create_sort_path(root, context->partial_rel, path, order, -1.0);
		gathered = (Path *) create_gather_merge_path(root, context->partial_rel, path,
													 path->pathtarget, order, NULL, &states);
		add_final_path(context, gathered, AGG_SORTED);
	}
}

/* Partial aggregation over the table, or over a partial path of the input. */
static void
add_partial_path_over(PartialContext *context, Path *input, int workers, double rows)
{
	double		groups = vexec_estimate_groups(context->root, context->target_list, rows);
	VexecAggPath *path = vexec_make_agg_path(context->root, context->partial_rel,
											 context->partial_rel->reltarget, &context->parts,
											 context->input_rel, input, workers, rows, groups);

	/* also over a plan: core calls a node in workers only if it is aware of them */
	path->custom.path.parallel_aware = true;
	path->partial = true;
	add_gathered_paths(context, (Path *) path);
}

bool
vexec_partial_agg_possible(RelOptInfo *input_rel, RelOptInfo *output_rel, bool table,
						   GroupPathExtraData *extra)
{
	if (!output_rel->consider_parallel || input_rel->partial_pathlist == NIL ||
		(extra->flags & GROUPING_CAN_PARTIAL_AGG) == 0)
		return false;
	return table || !vexec_cost_rows_hopeless(output_rel, linitial(input_rel->partial_pathlist));
}

void
vexec_add_partial_agg_paths(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *output_rel,
							List *target_list, bool table, GroupPathExtraData *extra)
{
	PartialContext context = {root, input_rel, output_rel};
	Path	   *input;
	int			workers;

	/* made by core for its own paths; the set of relations finds it */
	context.partial_rel = fetch_upper_rel(root, UPPERREL_PARTIAL_GROUP_AGG, output_rel->relids);
	if (context.partial_rel->reltarget->exprs == NIL || !context.partial_rel->consider_parallel)
		return;
	context.target_list = target_list;
	context.extra = extra;
	vexec_agg_parts(root, target_list, context.partial_rel->reltarget->exprs, NIL, &context.parts);
	if (context.parts.problem != NULL)
		return;
	if (extra->partial_costs_set)
		context.final_costs = extra->agg_final_costs;
	else
		get_agg_clause_costs(root, AGGSPLIT_FINAL_DESERIAL, &context.final_costs);
	context.groups = vexec_estimate_groups(root, target_list, clamp_row_est(input_rel->rows));

	workers = table ? vexec_scan_workers(input_rel) : 0;
	if (workers > 0)
		add_partial_path_over(&context, NULL, workers,
							  clamp_row_est(input_rel->rows / vexec_parallel_divisor(workers)));
	input = linitial(input_rel->partial_pathlist);
	if (input->param_info == NULL && input->parallel_safe && !(workers > 0 && vexec_force))
		add_partial_path_over(&context, input, 0, input->rows);
}
