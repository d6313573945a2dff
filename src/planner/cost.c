/*-------------------------------------------------------------------------
 *
 * cost.c
 *	  The one place for costs.
 *
 * The unit is core's: 1.0 is one sequential page read, and core charges
 * cpu_tuple_cost = 0.01 for a row that its sequential scan returns.  The
 * constants are settings; settings.c has their measurement.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/spccache.h"

#include "compat.h"
#include "expr/expr.h"
#include "settings.h"

/* Bitmapset of the columns used, in pull_varattnos' numbering. */
static Bitmapset *
columns_of(RelOptInfo *rel, List *exprs)
{
	Bitmapset  *columns = NULL;

	pull_varattnos((Node *) exprs, rel->relid, &columns);
	return columns;
}

double
vexec_parallel_divisor(int workers)
{
	double		leader = 1.0 - 0.3 * workers;

	/* core's estimate of what the leader has time for, see costsize.c */
	return parallel_leader_participation && leader > 0 ? workers + leader : workers;
}

int
vexec_scan_workers(RelOptInfo *rel)
{
	if (!rel->consider_parallel || rel->lateral_relids != NULL)
		return 0;
	return Max(compute_parallel_worker(rel, rel->pages, -1, max_parallel_workers_per_gather), 0);
}

/* Does a list of paths have one of lower cost? */
static bool
any_cheaper(List *paths, Cost cost)
{
	foreach_ptr(Path, path, paths)
	{
		if (path->total_cost < cost && !vexec_path_is_disabled(path))
			return true;
	}
	return false;
}

bool
vexec_cost_hopeless(RelOptInfo *rel, RelOptInfo *input)
{
	Cost		visits = vexec_tuple_cost * input->tuples;
	int			workers = vexec_scan_workers(input);

	if (vexec_force || !any_cheaper(rel->pathlist, vexec_startup_cost + visits))
		return false;
	if (workers > 0)
	{
		Cost		least = vexec_startup_cost + visits / vexec_parallel_divisor(workers);

		return any_cheaper(rel->pathlist, least) || any_cheaper(rel->partial_pathlist, least);
	}
	return true;
}

Cost
vexec_cost_pages(RelOptInfo *rel)
{
	double		page_cost;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	return page_cost * rel->pages;
}

Cost
vexec_cost_columns(RelOptInfo *rel, List *exprs, List *quals, double rows)
{
	Bitmapset  *columns = bms_difference(columns_of(rel, exprs), columns_of(rel, quals));

	return bms_num_members(columns) * rows * vexec_column_cost;
}

Cost
vexec_cost_exprs(PlannerInfo *root, List *exprs, double rows)
{
	Cost		cost = 0;

	foreach_ptr(Node, expr, exprs)
	{
		char	   *reason;

		if (expr == NULL)
			continue;
		if (vexec_expr_supported(expr, &reason))
			cost += vexec_expr_count_kernels(expr) * rows * vexec_operator_cost;
		else
		{
			QualCost	qual;

			/* core's evaluation, and a row put into a slot for it */
			cost_qual_eval_node(&qual, expr, root);
			cost += qual.startup + (qual.per_tuple + vexec_emit_cost) * rows;
		}
	}
	return cost;
}

/* A condition's selectivity: core keeps it where it keeps the condition. */
static Selectivity
qual_selectivity(PlannerInfo *root, RelOptInfo *rel, Node *qual)
{
	foreach_node(RestrictInfo, rinfo, rel->baserestrictinfo)
	{
		if ((Node *) rinfo->clause == qual)
			return clause_selectivity(root, (Node *) rinfo, 0, JOIN_INNER, NULL);
	}
	return clause_selectivity(root, qual, 0, JOIN_INNER, NULL);
}

Cost
vexec_cost_filter(PlannerInfo *root, RelOptInfo *rel, List *quals, int nvector)
{
	double		rows = rel->tuples;
	Cost		cost;
	List	   *done = NIL;
	int			i = 0;

	cost = vexec_cost_pages(rel) + vexec_tuple_cost * rel->tuples;
	foreach_ptr(Node, qual, quals)
	{
		List	   *one = list_make1(qual);

		cost += vexec_cost_columns(rel, one, done, rows);
		if (i < nvector)
			cost += vexec_expr_count_kernels(qual) * rows * vexec_operator_cost;
		else
		{
			QualCost	core;

			cost_qual_eval_node(&core, qual, root);
			cost += core.startup + core.per_tuple * rows;
			if (i == nvector)
				cost += vexec_emit_cost * rows;
		}
		rows *= qual_selectivity(root, rel, qual);
		done = lappend(done, qual);
		i++;
	}
	return cost;
}
