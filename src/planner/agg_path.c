/*-------------------------------------------------------------------------
 *
 * agg_path.c
 *	  VexecAgg: scan, filter and aggregation of one table in one node.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "catalog/pg_aggregate.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "expr/expr.h"
#include "nodes/vexec_nodes.h"
#include "settings.h"

/*
 * Until groups spill, the estimate must fit this many times into the memory
 * limit: estimates of group counts are easily off by a small factor.
 */
#define MEMORY_MARGIN 2.0

/* What the aggregation consists of. */
typedef struct AggParts
{
	List	   *keys;			/* grouping expressions */
	List	   *key_operators;	/* OIDs of their equality operators */
	List	   *aggrefs;		/* distinct Aggrefs */
	const char *problem;		/* why this cannot be done, or NULL */
} AggParts;

static int
find_expr(List *list, Node *expr)
{
	int			at = 0;

	foreach_ptr(Node, known, list)
	{
		if (equal(known, expr))
			return at;
		at++;
	}
	return -1;
}

/*
 * Collect Aggrefs, and Vars outside of them that are no grouping expression:
 * those depend on the grouping columns and become further keys.
 */
static bool
collect_parts(Node *node, AggParts *parts)
{
	if (node == NULL)
		return false;
	if (find_expr(parts->keys, node) >= 0)
		return false;
	if (IsA(node, Aggref))
	{
		parts->aggrefs = list_append_unique(parts->aggrefs, node);
		return false;
	}
	if (IsA(node, Var))
	{
		Oid			eq_operator;
		bool		hashable;

		get_sort_group_operators(exprType(node), false, false, false, NULL, &eq_operator, NULL,
								 &hashable);
		if (!OidIsValid(eq_operator) || !hashable)
			parts->problem = "a column that depends on the grouping columns has no hash equality";
		else
		{
			parts->keys = lappend(parts->keys, node);
			parts->key_operators = lappend_oid(parts->key_operators, eq_operator);
		}
		return false;
	}
	if (IsA(node, GroupingFunc))
		parts->problem = "GROUPING() is not vectorized";
	return expression_tree_walker(node, collect_parts, parts);
}

VexecKeyType
vexec_key_type(Node *expr, Oid eq_operator)
{
	VexecKeyType key = {
		.kind = vexec_kind_of_type(exprType(expr)),
		.typid = exprType(expr),
		.typmod = exprTypmod(expr),
		.collation = exprCollation(expr),
		.eq_operator = eq_operator,
	};

	/* strings are compared by bytes; other collations need core's functions */
	if (key.kind == VEXEC_STRING && !get_collation_isdeterministic(key.collation))
		key.kind = VEXEC_DATUM;
	return key;
}

/* Why an aggregate cannot be computed here, or NULL. */
static const char *
aggref_problem(Aggref *aggref)
{
	const VexecAggregate *aggregate = vexec_aggregate_lookup(aggref->aggfnoid);
	char	   *name = get_func_name(aggref->aggfnoid);

	if (aggref->aggkind != AGGKIND_NORMAL || aggref->aggdirectargs != NIL)
		return psprintf("%s is an ordered-set aggregate", name);
	if (aggref->aggorder != NIL)
		return psprintf("aggregate %s has ORDER BY", name);
	if (aggref->aggdistinct != NIL)
		return psprintf("aggregate %s has DISTINCT", name);
	if (aggref->aggvariadic || list_length(aggref->args) > 1)
		return psprintf("aggregate %s has several arguments", name);
	if (aggregate == NULL)
		return psprintf("aggregate %s has no vector state",
						format_procedure(aggref->aggfnoid));
	if (aggref->aggsplit != AGGSPLIT_SIMPLE)
		return psprintf("aggregate %s is computed in parts", name);
	if (contain_volatile_functions((Node *) aggref->args) ||
		contain_volatile_functions((Node *) aggref->aggfilter))
		return psprintf("aggregate %s has a volatile argument", name);
	return NULL;
}

static List *
aggregate_arguments(List *aggrefs)
{
	List	   *arguments = NIL;

	foreach_node(Aggref, aggref, aggrefs)
		arguments = lappend(arguments, aggref->args == NIL ? NULL :
							(void *) linitial_node(TargetEntry, aggref->args)->expr);
	return arguments;
}

static List *
aggregate_filters(List *aggrefs)
{
	List	   *filters = NIL;

	foreach_node(Aggref, aggref, aggrefs)
		filters = lappend(filters, aggref->aggfilter);
	return filters;
}

/* Keys, aggregates and the reason against, for a grouped relation. */
static void
find_parts(PlannerInfo *root, RelOptInfo *output_rel, List *having, AggParts *parts)
{
	foreach_node(SortGroupClause, clause, root->processed_groupClause)
	{
		Node	   *expr = get_sortgroupclause_expr(clause, root->processed_tlist);

		if (!clause->hashable)
			parts->problem = "a grouping column has no hash equality";
		parts->keys = lappend(parts->keys, expr);
		parts->key_operators = lappend_oid(parts->key_operators, clause->eqop);
	}
	collect_parts((Node *) output_rel->reltarget->exprs, parts);
	collect_parts((Node *) having, parts);
	if (parts->problem != NULL)
		return;

	for (int i = 0; i < list_length(parts->keys); i++)
	{
		Node	   *expr = list_nth(parts->keys, i);
		VexecKeyType key = vexec_key_type(expr, list_nth_oid(parts->key_operators, i));

		/* the rows that it returns are made below the grouping, in a node of core */
		if (expression_returns_set(expr))
			parts->problem = "a grouping expression returns a set";
		else if (contain_volatile_functions(expr))
			parts->problem = "a grouping expression is volatile";
		else
			(void) vexec_key_supported(&key, &parts->problem);
		if (parts->problem != NULL)
			return;
	}
	foreach_node(Aggref, aggref, parts->aggrefs)
	{
		parts->problem = aggref_problem(aggref);
		if (parts->problem != NULL)
			return;
	}
}

/* Bytes that a group will take, by the planner's widths. */
static Size
group_size(AggParts *parts)
{
	int			nkeys = list_length(parts->keys);
	int			naggs = list_length(parts->aggrefs);
	VexecKeyType *keys = palloc(sizeof(VexecKeyType) * Max(nkeys, 1));
	int32	   *widths = palloc(sizeof(int32) * Max(nkeys, 1));
	const VexecTransition **transitions = palloc(sizeof(VexecTransition *) * Max(naggs, 1));

	for (int i = 0; i < nkeys; i++)
	{
		Node	   *expr = list_nth(parts->keys, i);

		keys[i] = vexec_key_type(expr, list_nth_oid(parts->key_operators, i));
		widths[i] = get_typavgwidth(exprType(expr), exprTypmod(expr));
	}
	for (int i = 0; i < naggs; i++)
		transitions[i] = &vexec_aggregate_lookup(list_nth_node(Aggref, parts->aggrefs, i)->aggfnoid)
			->transition;
	return vexec_group_size_estimate(nkeys, keys, widths, naggs, transitions);
}

static Plan *
plan_agg(PlannerInfo *root, RelOptInfo *rel, struct CustomPath *best_path, List *tlist,
		 List *clauses, List *custom_plans)
{
	CustomScan *cscan = makeNode(CustomScan);
	RelOptInfo *input_rel = find_base_rel(root, intVal(linitial(best_path->custom_private)));
	List	   *having = vexec_order_quals(root, (List *) root->parse->havingQual);
	AggParts	parts = {0};
	VexecAggPlan plan = {0};
	List	   *quals;
	List	   *arguments;
	List	   *filters;
	List	   *scan_tlist = NIL;
	List	   *columns;

	find_parts(root, rel, having, &parts);
	quals = vexec_order_quals(root, input_rel->baserestrictinfo);
	arguments = aggregate_arguments(parts.aggrefs);
	filters = aggregate_filters(parts.aggrefs);

	foreach_ptr(Expr, key, parts.keys)
		scan_tlist = lappend(scan_tlist, makeTargetEntry(key, list_length(scan_tlist) + 1, NULL,
														 false));
	foreach_ptr(Expr, aggref, parts.aggrefs)
		scan_tlist = lappend(scan_tlist, makeTargetEntry(aggref, list_length(scan_tlist) + 1, NULL,
														 false));
	columns = pull_var_clause((Node *) list_make4(quals, parts.keys, arguments, filters),
							  PVC_RECURSE_PLACEHOLDERS);
	foreach_ptr(Expr, column, columns)
	{
		if (tlist_member(column, scan_tlist) == NULL)
			scan_tlist = lappend(scan_tlist, makeTargetEntry(column, list_length(scan_tlist) + 1,
															 NULL, true));
	}

	plan.nkeys = list_length(parts.keys);
	plan.ncompared = list_length(root->processed_groupClause);
	plan.naggs = list_length(parts.aggrefs);
	plan.grouped = root->parse->groupClause != NIL;
	plan.key_operators = parts.key_operators;
	plan.groups = floatVal(lsecond(best_path->custom_private));

	cscan->scan.plan.targetlist = tlist;
	cscan->scan.plan.qual = having;
	cscan->scan.scanrelid = input_rel->relid;
	cscan->flags = best_path->flags;
	cscan->custom_scan_tlist = scan_tlist;
	cscan->custom_exprs = list_make4(quals, parts.keys, arguments, filters);
	cscan->custom_private = vexec_agg_plan_write(&plan);
	cscan->methods = &vexec_agg_methods;
	return &cscan->scan.plan;
}

static const CustomPathMethods agg_path_methods = {
	.CustomName = "VexecAgg",
	.PlanCustomPath = plan_agg,
};

/* Why there is no VexecAgg for this, or NULL. */
static const char *
agg_decline(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *output_rel,
			GroupPathExtraData *extra, AggParts *parts)
{
	RangeTblEntry *rte;
	const char *problem;

	if (root->parse->groupingSets != NIL)
		return "grouping sets are not vectorized";
	if (input_rel->reloptkind != RELOPT_BASEREL)
		return "the input is not one table";
	if (output_rel->reloptkind != RELOPT_UPPER_REL || extra->patype != PARTITIONWISE_AGGREGATE_NONE)
		return "partitionwise aggregation is not vectorized";
	rte = planner_rt_fetch(input_rel->relid, root);
	problem = vexec_relation_decline(root, input_rel, rte);
	if (problem != NULL)
		return problem;
	find_parts(root, output_rel, (List *) extra->havingQual, parts);
	return parts->problem;
}

void
vexec_add_agg_path(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *output_rel,
				   GroupPathExtraData *extra)
{
	AggParts	parts = {0};
	CustomPath *path;
	const char *problem;
	const char *what = "aggregation";
	const char *alias = "";
	char	   *reason;
	List	   *quals;
	List	   *inputs;
	double		groups = 1;
	double		rows = clamp_row_est(input_rel->rows);
	Cost		input_cost;
	Cost		output_cost;
	int			nkeys;

	if (input_rel->reloptkind == RELOPT_BASEREL)
	{
		if (IS_DUMMY_REL(input_rel))
			return;
		what = "aggregation over";
		alias = planner_rt_fetch(input_rel->relid, root)->eref->aliasname;
	}
	if (input_rel->reloptkind == RELOPT_BASEREL && vexec_cost_hopeless(output_rel, input_rel))
		problem = "another plan has a lower cost";
	else
		problem = agg_decline(root, input_rel, output_rel, extra, &parts);
	if (problem != NULL)
	{
		vexec_decline(what, alias, problem);
		return;
	}

	nkeys = list_length(parts.keys);
	if (root->processed_groupClause != NIL)
		groups = estimate_num_groups(root,
									 get_sortgrouplist_exprs(root->processed_groupClause,
															 root->processed_tlist),
									 rows, NULL, NULL);
	if (nkeys > 0)
	{
		double		bytes = groups * group_size(&parts);
		double		limit = get_hash_memory_limit() / MEMORY_MARGIN;

		if (bytes > limit && !vexec_force)
		{
			vexec_decline(what, alias,
						  psprintf("about %.0f groups need %.0f MB, more than half of "
								   "work_mem * hash_mem_multiplier",
								   groups, bytes / (1024 * 1024)));
			return;
		}
	}

	quals = vexec_order_quals(root, input_rel->baserestrictinfo);
	inputs = list_concat_copy(parts.keys, aggregate_arguments(parts.aggrefs));
	inputs = list_concat(inputs, aggregate_filters(parts.aggrefs));
	input_cost = vexec_cost_filter(root, input_rel, quals,
								   vexec_count_vector_quals(quals, &reason)) +
		vexec_cost_columns(input_rel, inputs, quals, rows) +
		vexec_cost_exprs(root, inputs, rows) +
		(nkeys * vexec_group_cost + list_length(parts.aggrefs) * vexec_operator_cost) * rows;
	output_cost = groups * (cpu_tuple_cost + output_rel->reltarget->cost.per_tuple +
							list_length(parts.aggrefs) * cpu_operator_cost);

	path = makeNode(CustomPath);
	path->path.pathtype = T_CustomScan;
	path->path.parent = output_rel;
	path->path.pathtarget = output_rel->reltarget;
	path->path.parallel_safe = output_rel->consider_parallel && input_rel->consider_parallel;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->methods = &agg_path_methods;
	vexec_decline(what, alias, "another plan has a lower cost");
	path->custom_private = list_make2(makeInteger(input_rel->relid),
									  makeFloat(psprintf("%.17e", groups)));
	path->path.rows = groups;
	if (extra->havingQual != NULL)
		path->path.rows = clamp_row_est(groups *
										clauselist_selectivity(root, (List *) extra->havingQual, 0,
															   JOIN_INNER, NULL));
	if (!vexec_force)
	{
		path->path.startup_cost = vexec_startup_cost + input_cost +
			output_rel->reltarget->cost.startup;
		path->path.total_cost = path->path.startup_cost + output_cost;
		vexec_path_disable(&path->path, VEXEC_SEQSCAN_DISABLED(input_rel) +
						   (nkeys > 0 && !enable_hashagg ? 1 : 0));
	}
	add_path(output_rel, &path->path);
}
