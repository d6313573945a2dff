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

bool
vexec_cost_hopeless(RelOptInfo *rel, RelOptInfo *input)
{
	Cost		least = vexec_startup_cost + vexec_tuple_cost * input->tuples;

	if (vexec_force)
		return false;
	foreach_ptr(Path, path, rel->pathlist)
	{
		if (path->total_cost < least && !vexec_path_is_disabled(path))
			return true;
	}
	return false;
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
	double		page_cost;
	double		rows = rel->tuples;
	Cost		cost;
	List	   *done = NIL;
	int			i = 0;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	cost = page_cost * rel->pages + vexec_tuple_cost * rel->tuples;
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
