/*-------------------------------------------------------------------------
 *
 * agg_path.c
 *	  VexecAgg: aggregation of one table, with its scan and filter, or of the
 *	  rows of any plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "catalog/pg_aggregate.h"
#include "lib/stringinfo.h"
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
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "expr/expr.h"
#include "nodes/vexec_nodes.h"
#include "settings.h"

/* --- what is to be computed ----------------------------------------------- */

/*
 * Collect Aggrefs, and Vars outside of them that are no grouping expression:
 * those depend on the grouping columns and become further keys.
 */
static bool
collect_parts(Node *node, VexecAggParts *parts)
{
	if (node == NULL)
		return false;
	if (list_member(parts->keys, node))
		return false;
	if (IsA(node, Aggref))
	{
		parts->aggrefs = list_append_unique(parts->aggrefs, node);
		return false;
	}
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
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

static List *
aggregate_arguments(List *aggrefs)
{
	List	   *arguments = NIL;

	foreach_node(Aggref, aggref, aggrefs)
	{
		List	   *exprs = NIL;

		foreach_node(TargetEntry, entry, aggref->args)
			exprs = lappend(exprs, entry->expr);
		arguments = lappend(arguments, exprs);
	}
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

static List *
aggregate_direct_arguments(List *aggrefs)
{
	List	   *arguments = NIL;

	foreach_node(Aggref, aggref, aggrefs)
		arguments = lappend(arguments, aggref->aggdirectargs);
	return arguments;
}

List *
vexec_agg_inputs(const VexecAggParts *parts)
{
	List	   *inputs = list_copy(parts->keys);

	foreach_node(Aggref, aggref, parts->aggrefs)
	{
		foreach_node(TargetEntry, entry, aggref->args)
			inputs = lappend(inputs, entry->expr);
		if (aggref->aggfilter != NULL)
			inputs = lappend(inputs, aggref->aggfilter);
	}
	return inputs;
}

void
vexec_agg_parts(PlannerInfo *root, List *target_list, List *outputs, List *having,
				VexecAggParts *parts)
{
	parts->having = having;
	parts->grouped = root->parse->groupClause != NIL;
	foreach_node(SortGroupClause, clause, root->processed_groupClause)
	{
		if (!clause->hashable)
			parts->problem = "a grouping column has no hash equality";
		parts->keys = lappend(parts->keys, get_sortgroupclause_expr(clause, target_list));
		parts->key_operators = lappend_oid(parts->key_operators, clause->eqop);
	}
	parts->ncompared = list_length(parts->keys);
	collect_parts((Node *) outputs, parts);
	collect_parts((Node *) having, parts);
	if (parts->problem != NULL)
		return;

	for (int i = 0; i < list_length(parts->keys); i++)
	{
		VexecKeyType key = vexec_key_type(list_nth(parts->keys, i),
										  list_nth_oid(parts->key_operators, i));

		if (!vexec_key_supported(&key, &parts->problem))
			return;
	}
	foreach_node(Aggref, aggref, parts->aggrefs)
	{
		VexecCallMode mode;
		char	   *reason;

		if (!vexec_call_mode(aggref, &mode, &reason))
		{
			parts->problem = reason;
			return;
		}
	}
}

/* --- path to plan ----------------------------------------------------------- */

/* Aliases of what the rows come from, for messages. */
static char *
input_name(PlannerInfo *root, RelOptInfo *input_rel)
{
	StringInfoData name;
	int			relid = -1;

	initStringInfo(&name);
	while ((relid = bms_next_member(input_rel->relids, relid)) > 0)
	{
		RangeTblEntry *rte = planner_rt_fetch(relid, root);

		if (rte->rtekind != RTE_JOIN && rte->eref != NULL)
			appendStringInfo(&name, "%s%s", name.len > 0 ? ", " : "", rte->eref->aliasname);
	}
	return name.data;
}

/* The scan tuple: keys, aggregates, and what the expressions below need. */
static List *
make_scan_tlist(const VexecAggParts *parts, List *columns)
{
	List	   *scan_tlist = NIL;

	foreach_ptr(Expr, key, parts->keys)
		scan_tlist = lappend(scan_tlist, makeTargetEntry(key, list_length(scan_tlist) + 1, NULL,
														 false));
	foreach_ptr(Expr, aggref, parts->aggrefs)
		scan_tlist = lappend(scan_tlist, makeTargetEntry(aggref, list_length(scan_tlist) + 1, NULL,
														 false));
	foreach_ptr(Expr, column, columns)
	{
		if (tlist_member(column, scan_tlist) == NULL)
			scan_tlist = lappend(scan_tlist, makeTargetEntry(column, list_length(scan_tlist) + 1,
															 NULL, true));
	}
	return scan_tlist;
}

/* For each entry of the scan tuple the column of the plan below that is the same, or 0. */
static List *
match_columns(List *scan_tlist, Plan *child)
{
	List	   *columns = NIL;

	foreach_node(TargetEntry, entry, scan_tlist)
	{
		TargetEntry *column = tlist_member(entry->expr, child->targetlist);

		columns = lappend_int(columns, column == NULL ? 0 : column->resno);
	}
	return columns;
}

static Plan *
plan_agg(PlannerInfo *root, RelOptInfo *rel, struct CustomPath *best_path, List *tlist,
		 List *clauses, List *custom_plans)
{
	VexecAggPath *path = (VexecAggPath *) best_path;
	VexecAggParts *parts = &path->parts;
	CustomScan *cscan = makeNode(CustomScan);
	VexecAggPlan plan = {0};
	List	   *quals = NIL;
	List	   *arguments = aggregate_arguments(parts->aggrefs);
	List	   *filters = aggregate_filters(parts->aggrefs);
	List	   *columns = NIL;

	if (path->table != NULL)
	{
		quals = vexec_order_quals(root, path->table->baserestrictinfo);
		columns = pull_var_clause((Node *) list_make4(quals, parts->keys, arguments, filters),
								  PVC_RECURSE_PLACEHOLDERS);
		cscan->scan.scanrelid = path->table->relid;
	}
	else
	{
		foreach_node(TargetEntry, entry, ((Plan *) linitial(custom_plans))->targetlist)
			columns = lappend(columns, entry->expr);
	}
	cscan->custom_scan_tlist = make_scan_tlist(parts, columns);
	if (path->table == NULL)
		plan.input_columns = match_columns(cscan->custom_scan_tlist, linitial(custom_plans));

	plan.nkeys = list_length(parts->keys);
	plan.ncompared = parts->ncompared;
	plan.naggs = list_length(parts->aggrefs);
	plan.grouped = parts->grouped;
	plan.partial = path->partial;
	plan.key_operators = parts->key_operators;
	plan.groups = path->groups;
	plan.input_name = path->input_name;

	cscan->scan.plan.targetlist = tlist;
	cscan->scan.plan.qual = vexec_order_quals(root, parts->having);
	cscan->flags = best_path->flags;
	cscan->custom_plans = custom_plans;
	cscan->custom_exprs = list_make5(quals, parts->keys, arguments, filters,
									 aggregate_direct_arguments(parts->aggrefs));
	cscan->custom_private = vexec_agg_plan_write(&plan);
	cscan->methods = &vexec_agg_methods;
	return &cscan->scan.plan;
}

static const CustomPathMethods agg_path_methods = {
	.CustomName = "VexecAgg",
	.PlanCustomPath = plan_agg,
};

/* --- paths -------------------------------------------------------------------- */

VexecAggPath *
vexec_make_agg_path(PlannerInfo *root, RelOptInfo *parent, PathTarget *target,
					const VexecAggParts *parts, RelOptInfo *input_rel, Path *input, int workers,
					double rows, double groups)
{
	VexecAggPath *path = (VexecAggPath *) newNode(sizeof(VexecAggPath), T_CustomPath);
	Path	   *base = &path->custom.path;
	Cost		group_cost;

	path->parts = *parts;
	path->table = input == NULL ? input_rel : NULL;
	path->groups = groups;
	path->input_name = input_name(root, input_rel);

	base->pathtype = T_CustomScan;
	base->parent = parent;
	base->pathtarget = target;
	base->parallel_safe = parent->consider_parallel && input_rel->consider_parallel &&
		(input == NULL || input->parallel_safe);
	base->rows = groups;
	if (parts->having != NIL)
		base->rows = clamp_row_est(groups * clauselist_selectivity(root, parts->having, 0,
																   JOIN_INNER, NULL));
	path->custom.flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom.methods = &agg_path_methods;
	if (input != NULL)
	{
		path->custom.custom_paths = list_make1(input);
		base->parallel_workers = input->parallel_workers;
	}
	else
	{
		base->parallel_aware = workers > 0;
		base->parallel_workers = workers;
	}
	if (input == NULL)
	{
		Cost		pages = vexec_cost_pages(input_rel);
		Cost		cost = vexec_cost_table_inputs(root, input_rel, vexec_agg_inputs(parts));

		base->startup_cost = workers == 0 ? cost :
			pages + (cost - pages) / vexec_parallel_divisor(workers);
	}
	else
		base->startup_cost = input->total_cost +
			vexec_cost_row_inputs(root, vexec_agg_inputs(parts), rows);
	base->startup_cost += vexec_startup_cost + target->cost.startup +
		vexec_cost_grouping(root, parts, rows, groups, &group_cost);
	base->total_cost = base->startup_cost +
		groups * (cpu_tuple_cost + target->cost.per_tuple + group_cost);
	if (vexec_force)
	{
		base->startup_cost *= VEXEC_FORCED_COST;
		base->total_cost *= VEXEC_FORCED_COST;
	}
	else
		vexec_path_disable(base, (input == NULL ? (VEXEC_SEQSCAN_DISABLED(input_rel) ? 1 : 0) :
								  vexec_path_disabled_nodes(input)) +
						   (parts->keys != NIL && !enable_hashagg ? 1 : 0));
	return path;
}

double
vexec_estimate_groups(PlannerInfo *root, List *target_list, double rows)
{
	if (root->processed_groupClause == NIL)
		return 1;
	return estimate_num_groups(root,
							   get_sortgrouplist_exprs(root->processed_groupClause, target_list),
							   rows, NULL, NULL);
}

/* Why the table itself cannot be read and aggregated in one node, or NULL. */
static const char *
table_decline(PlannerInfo *root, RelOptInfo *input_rel, const VexecAggParts *parts)
{
	/* such expressions are evaluated below the grouping, in a node of core */
	foreach_ptr(Node, key, parts->keys)
	{
		if (expression_returns_set(key))
			return "a grouping expression returns a set";
		if (contain_volatile_functions(key))
			return "a grouping expression is volatile";
	}
	return vexec_relation_decline(root, input_rel, planner_rt_fetch(input_rel->relid, root));
}

void
vexec_add_agg_path(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *output_rel,
				   GroupPathExtraData *extra)
{
	VexecAggParts parts = {0};
	List	   *target_list = output_rel->reloptkind == RELOPT_OTHER_UPPER_REL ?
		extra->targetList : root->processed_tlist;
	Path	   *input = input_rel->cheapest_total_path;
	const char *problem = NULL;
	double		groups;
	bool		table;
	bool		partial;

	if (IS_DUMMY_REL(input_rel))
		return;
	if (input->param_info != NULL || vexec_cost_rows_hopeless(output_rel, input))
		input = NULL;
	table = (input_rel->reloptkind == RELOPT_BASEREL ||
			 input_rel->reloptkind == RELOPT_OTHER_MEMBER_REL) &&
		!vexec_cost_hopeless(output_rel, input_rel);
	partial = vexec_partial_agg_possible(input_rel, output_rel, table, extra);
	if (!table && input == NULL && !partial)
		problem = "another plan has a lower cost";
	else if (root->parse->groupingSets != NIL)
		problem = "grouping sets are not vectorized";
	else
	{
		vexec_agg_parts(root, target_list, output_rel->reltarget->exprs,
						(List *) extra->havingQual, &parts);
		problem = parts.problem;
	}
	if (problem != NULL)
	{
		vexec_decline("aggregation over", input_name(root, input_rel), problem);
		return;
	}

	/* forgotten if one of the paths makes it into the plan */
	vexec_decline("aggregation over", input_name(root, input_rel), "another plan has a lower cost");
	if (table && table_decline(root, input_rel, &parts) != NULL)
		table = false;
	if (table)
	{
		double		rows = clamp_row_est(input_rel->rows);

		groups = vexec_estimate_groups(root, target_list, rows);
		add_path(output_rel, (Path *) vexec_make_agg_path(root, output_rel, output_rel->reltarget,
														  &parts, input_rel, NULL, 0, rows,
														  groups));
	}
	if (input != NULL && !(table && vexec_force))
	{
		groups = vexec_estimate_groups(root, target_list, input->rows);
		add_path(output_rel, (Path *) vexec_make_agg_path(root, output_rel, output_rel->reltarget,
														  &parts, input_rel, input, 0, input->rows,
														  groups));
	}
	if (partial)
		vexec_add_partial_agg_paths(root, input_rel, output_rel, target_list, table, extra);
}
