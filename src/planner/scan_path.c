/*-------------------------------------------------------------------------
 *
 * scan_path.c
 *	  VexecScan: a filtered scan of one table for any parent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "nodes/extensible.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "nodes/vexec_nodes.h"
#include "settings.h"

static Plan *
plan_scan(PlannerInfo *root, RelOptInfo *rel, struct CustomPath *best_path, List *tlist,
		  List *clauses, List *custom_plans)
{
	CustomScan *cscan = makeNode(CustomScan);

	cscan->scan.plan.targetlist = tlist;
	cscan->scan.plan.qual = extract_actual_clauses(clauses, false);
	cscan->scan.scanrelid = rel->relid;
	cscan->flags = best_path->flags;
	cscan->methods = &vexec_scan_methods;
	return &cscan->scan.plan;
}

static const CustomPathMethods scan_path_methods = {
	.CustomName = "VexecScan",
	.PlanCustomPath = plan_scan,
};

/*
 * A path whose conditions cost that much by one process; by several of which
 * each takes part of the blocks, if there are to be workers.
 */
static CustomPath *
create_path(PlannerInfo *root, RelOptInfo *rel, Cost cost, int workers)
{
	CustomPath *path = makeNode(CustomPath);
	double		divisor = workers > 0 ? vexec_parallel_divisor(workers) : 1;
	Cost		pages = vexec_cost_pages(rel);

	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = rel->reltarget;
	path->path.parallel_aware = workers > 0;
	path->path.parallel_safe = rel->consider_parallel;
	path->path.parallel_workers = workers;
	path->path.rows = workers > 0 ? clamp_row_est(rel->rows / divisor) : rel->rows;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION | CUSTOMPATH_SUPPORT_BACKWARD_SCAN;
	path->methods = &scan_path_methods;

	path->path.startup_cost = vexec_startup_cost + rel->reltarget->cost.startup;
	path->path.total_cost = path->path.startup_cost + pages + (cost - pages) / divisor +
		(vexec_emit_cost + rel->reltarget->cost.per_tuple) * path->path.rows;
	if (vexec_force)
	{
		path->path.startup_cost *= VEXEC_FORCED_COST;
		path->path.total_cost *= VEXEC_FORCED_COST;
	}
	else
		vexec_path_disable(&path->path, VEXEC_SEQSCAN_DISABLED(rel) ? 1 : 0);
	return path;
}

void
vexec_add_scan_path(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	const char *decline;
	char	   *alias;
	char	   *reason;
	List	   *quals;
	int			nvector;
	int			workers;
	Cost		cost;

	if (rte->rtekind != RTE_RELATION || IS_DUMMY_REL(rel) || rte->inh)
		return;					/* not the planner's question: no reason owed */
	alias = rte->eref->aliasname;
	if (vexec_cost_hopeless(rel, rel))
	{
		vexec_decline("scan of", alias, "another plan has a lower cost");
		return;
	}
	if (rel->baserestrictinfo == NIL && !vexec_force)
	{
		vexec_decline("scan of", alias, "there is no condition to evaluate on the scan");
		return;
	}
	decline = vexec_relation_decline(root, rel, rte);
	if (decline != NULL)
	{
		vexec_decline("scan of", alias, decline);
		return;
	}

	quals = vexec_order_quals(root, rel->baserestrictinfo);
	nvector = vexec_count_vector_quals(quals, &reason);
	if (nvector == 0 && !vexec_force)
	{
		vexec_decline("scan of", alias,
					  psprintf("no kernel for %s in the first condition evaluated", reason));
		return;
	}

	vexec_decline("scan of", alias, "another plan has a lower cost");
	cost = vexec_cost_filter(root, rel, quals, nvector);
	workers = vexec_scan_workers(rel);
	if (workers > 0)
		add_partial_path(rel, &create_path(root, rel, cost, workers)->path);
	add_path(rel, &create_path(root, rel, cost, 0)->path);
}
