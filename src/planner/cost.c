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

#include <math.h>

#include "planner/paths.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type_d.h"
#include "executor/nodeHash.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/spccache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "expr/expr.h"
#include "settings.h"

/*
 * What a state of core's owns where pg_aggregate does not tell: a value by
 * reference; an array of a few elements; a StringInfo or another structure.
 */
#define VALUE_STATE_BYTES 96
#define ARRAY_STATE_BYTES 256
#define INTERNAL_STATE_BYTES 1024

/*
 * Touching a page of memory for such states first: two faults.  Core's sorted
 * aggregation needs one state.
 */
#define STATE_PAGE_COST 1.0

/* Making a value for a row: 30 ns, in units of 6.4 us. */
#define MADE_VALUE_COST 0.005

/* Partitions of a level when groups are spilled: as many as spill.c makes at most. */
#define SPILL_PARTITIONS 32

#define LOG2(x) (log(x) / 0.693147180559945)

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

/*
 * Does a list of paths have one of lower cost?  Those that take parameters from
 * the other side of a join return a few rows each time: they compare with
 * nothing.
 */
static bool
any_cheaper(List *paths, Cost cost)
{
	foreach_ptr(Path, path, paths)
	{
		if (path->total_cost < cost && path->param_info == NULL && !vexec_path_is_disabled(path))
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

bool
vexec_cost_rows_hopeless(RelOptInfo *rel, Path *input)
{
	return !vexec_force && any_cheaper(rel->pathlist, input->total_cost + vexec_startup_cost);
}

/* Decoding those columns of exprs that the quals have not decoded. */
static Cost
cost_columns(RelOptInfo *rel, List *exprs, List *quals, double rows)
{
	Bitmapset  *columns = bms_difference(columns_of(rel, exprs), columns_of(rel, quals));

	return bms_num_members(columns) * rows * vexec_column_cost;
}

/* Evaluating expressions for a number of rows. */
static Cost
cost_exprs(PlannerInfo *root, List *exprs, double rows)
{
	Cost		cost = 0;

	foreach_ptr(Node, expr, exprs)
	{
		char	   *reason;

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

		cost += cost_columns(rel, one, done, rows);
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

Cost
vexec_cost_table_inputs(PlannerInfo *root, RelOptInfo *rel, List *exprs)
{
	List	   *quals = vexec_order_quals(root, rel->baserestrictinfo);
	double		rows = clamp_row_est(rel->rows);
	char	   *reason;

	return vexec_cost_filter(root, rel, quals, vexec_count_vector_quals(quals, &reason)) +
		cost_columns(rel, exprs, quals, rows) + cost_exprs(root, exprs, rows);
}

Cost
vexec_cost_row_inputs(PlannerInfo *root, List *exprs, double rows)
{
	List	   *columns = NIL;

	foreach_ptr(Node, column, pull_var_clause((Node *) exprs, PVC_INCLUDE_PLACEHOLDERS |
											  PVC_INCLUDE_AGGREGATES))
		columns = list_append_unique(columns, column);
	return vexec_row_cost * (1 + list_length(columns) / 2.0) * rows +
		cost_exprs(root, exprs, rows);
}

static Size
core_state_bytes(const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	Size		bytes = VALUE_STATE_BYTES;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	if (form->aggtransspace > 0)
		bytes = form->aggtransspace;
	else if (form->aggtransfn == F_ARRAY_AGG_TRANSFN)
		bytes = ARRAY_STATE_BYTES;
	else if (form->aggtranstype == INTERNALOID)
		bytes = INTERNAL_STATE_BYTES;
	ReleaseSysCache(tuple);
	return bytes;
}

/* Bytes that a group will take, by the planner's widths. */
static Size
group_size(const VexecAggParts *parts)
{
	int			nkeys = list_length(parts->keys);
	int			ntransitions = 0;
	VexecKeyType *keys = palloc(sizeof(VexecKeyType) * Max(nkeys, 1));
	int32	   *widths = palloc(sizeof(int32) * Max(nkeys, 1));
	const VexecTransition **transitions =
		palloc(sizeof(VexecTransition *) * Max(list_length(parts->aggrefs), 1));
	Size		size = 0;

	for (int i = 0; i < nkeys; i++)
	{
		Node	   *expr = list_nth(parts->keys, i);

		keys[i] = vexec_key_type(expr, list_nth_oid(parts->key_operators, i));
		widths[i] = get_typavgwidth(exprType(expr), exprTypmod(expr));
	}
	foreach_node(Aggref, aggref, parts->aggrefs)
	{
		VexecCallMode mode;
		char	   *reason;

		if (!vexec_call_mode(aggref, &mode, &reason))
			continue;
		if (mode == VEXEC_CALL_VECTOR || mode == VEXEC_CALL_SET)
			transitions[ntransitions++] = &vexec_aggregate_lookup(aggref->aggfnoid)->transition;
		else if (mode == VEXEC_CALL_CORE)
			size += core_state_bytes(aggref);
	}
	return size + vexec_group_size_estimate(nkeys, keys, widths, ntransitions, transitions);
}

/* Writing rows that find no room, and reading them again. */
static Cost
cost_spill(const VexecAggParts *parts, double rows, double groups)
{
	double		needed = groups * group_size(parts);
	double		limit = get_hash_memory_limit();
	double		share;
	double		width = 0;
	int			levels = 1;

	if (parts->keys == NIL || needed <= limit)
		return 0;
	foreach_ptr(Node, expr, vexec_agg_inputs(parts))
		width += get_typavgwidth(exprType(expr), exprTypmod(expr));
	share = 1 - limit / needed;
	for (double rest = needed / SPILL_PARTITIONS; rest > limit; rest /= SPILL_PARTITIONS)
		levels++;
	return levels * share * rows * (2 * seq_page_cost * width / BLCKSZ + 2 * cpu_tuple_cost);
}

/*
 * Text and numerics that an aggregate of core's takes: for each row a value of
 * its own is made of what the vector holds, where core's plan points into the
 * page.
 */
static int
count_made_values(const Aggref *aggref)
{
	int			count = 0;

	foreach_node(TargetEntry, entry, aggref->args)
	{
		VexecKind	kind = vexec_kind_of_type(exprType((Node *) entry->expr));

		count += !IsA(entry->expr, Const) && (kind == VEXEC_STRING || kind == VEXEC_NUMERIC);
	}
	return count;
}

Cost
vexec_cost_grouping(PlannerInfo *root, const VexecAggParts *parts, double rows, double groups,
					Cost *group_cost)
{
	Cost		row_cost = list_length(parts->keys) * vexec_group_cost;
	Cost		cost = 0;
	double		state_bytes = 0;	/* of core's */
	Bitmapset  *transitions = NULL;	/* of core's */

	*group_cost = 0;
	foreach_node(Aggref, aggref, parts->aggrefs)
	{
		VexecCallMode mode;
		char	   *reason;

		*group_cost += cpu_operator_cost;
		if (!vexec_call_mode(aggref, &mode, &reason))
			continue;
		switch (mode)
		{
			case VEXEC_CALL_VECTOR:
				row_cost += vexec_operator_cost;
				break;
			case VEXEC_CALL_SET:
				row_cost += 2 * vexec_group_cost + vexec_operator_cost;
				break;
			case VEXEC_CALL_SORT:
				cost += rows * (LOG2(Max(rows, 2.0)) * 2 * cpu_operator_cost + vexec_emit_cost);
				/* FALLTHROUGH */
			case VEXEC_CALL_CORE:
				if (bms_is_member(aggref->aggtransno, transitions))
					break;
				transitions = bms_add_member(transitions, aggref->aggtransno);
				row_cost += cpu_operator_cost;
				if (mode == VEXEC_CALL_CORE)
					state_bytes += groups * core_state_bytes(aggref);

				/* with keys core's own plan is slower than estimated by more than that */
				if (parts->keys == NIL && mode == VEXEC_CALL_CORE)
					row_cost += count_made_values(aggref) * MADE_VALUE_COST;
				break;
		}
	}
	state_bytes = Min(state_bytes, get_hash_memory_limit());
	return cost + state_bytes / BLCKSZ * STATE_PAGE_COST + rows * row_cost +
		cost_spill(parts, rows, groups);
}
