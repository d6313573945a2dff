/*-------------------------------------------------------------------------
 *
 * call_mode.c
 *	  How an aggregate is computed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/agg.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

/* The only argument, or NULL. */
static Expr *
single_argument(const Aggref *aggref)
{
	return list_length(aggref->args) == 1 ? linitial_node(TargetEntry, aggref->args)->expr : NULL;
}

static bool
is_extreme(const VexecAggregate *aggregate)
{
	const char *name = aggregate->transition.name;

	return strncmp(name, "min_", 4) == 0 || strncmp(name, "max_", 4) == 0;
}

/*
 * Does the aggregate's result depend neither on the order of its rows nor on
 * which one of equal values it gets?
 */
static bool
is_order_free(const VexecAggregate *aggregate, const Expr *arg)
{
	if (aggregate->aggfnoid == F_COUNT_ANY)
		return true;
	switch (aggregate->transition.arg)
	{
		case VEXEC_INT16:
		case VEXEC_INT32:
		case VEXEC_INT64:
			return true;
		case VEXEC_NUMERIC:
			/* 1.0 and 1.00 are equal, and a sum shows which it got */
			return !is_extreme(aggregate) && exprTypmod((const Node *) arg) >= 0;
		default:
			return false;
	}
}

/* DISTINCT by hashing of the only argument. */
static bool
can_hash_values(const Aggref *aggref, const Expr *arg)
{
	SortGroupClause *clause = linitial_node(SortGroupClause, aggref->aggdistinct);
	const char *reason;
	VexecKeyType key = {
		.kind = vexec_kind_of_type(exprType((const Node *) arg)),
		.typid = exprType((const Node *) arg),
		.typmod = exprTypmod((const Node *) arg),
		.collation = exprCollation((const Node *) arg),
		.eq_operator = clause->eqop,
	};

	return clause->hashable && vexec_key_supported(&key, &reason);
}

/* Can states be passed on to another aggregation step? */
static bool
has_partial_state(const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	result = OidIsValid(form->aggcombinefn) &&
		(aggref->aggtranstype != INTERNALOID ||
		 (OidIsValid(form->aggserialfn) && OidIsValid(form->aggdeserialfn)));
	ReleaseSysCache(tuple);
	return result;
}

static VexecCallMode
complete_mode(const Aggref *aggref)
{
	const VexecAggregate *aggregate = vexec_aggregate_lookup(aggref->aggfnoid);
	Expr	   *arg = single_argument(aggref);

	if (AGGKIND_IS_ORDERED_SET(aggref->aggkind))
		return VEXEC_CALL_SORT;
	if (aggref->aggdistinct == NIL && aggref->aggorder == NIL)
		return aggregate != NULL && !aggref->aggvariadic && list_length(aggref->args) <= 1 ?
			VEXEC_CALL_VECTOR : VEXEC_CALL_CORE;
	if (aggregate == NULL || arg == NULL || aggref->aggvariadic || !is_order_free(aggregate, arg))
		return VEXEC_CALL_SORT;

	/* an order of the argument's own values cannot be seen, repeated values may be */
	if (aggref->aggdistinct == NIL || is_extreme(aggregate))
		return VEXEC_CALL_VECTOR;
	return can_hash_values(aggref, arg) ? VEXEC_CALL_SET : VEXEC_CALL_SORT;
}

bool
vexec_call_mode(Aggref *aggref, VexecCallMode *mode, char **reason)
{
	const VexecAggregate *aggregate;

	if (contain_volatile_functions((Node *) aggref->args) ||
		contain_volatile_functions((Node *) aggref->aggdirectargs) ||
		contain_volatile_functions((Node *) aggref->aggfilter))
	{
		*reason = psprintf("aggregate %s has a volatile argument",
						   get_func_name(aggref->aggfnoid));
		return false;
	}
	if (DO_AGGSPLIT_COMBINE(aggref->aggsplit))
	{
		*reason = psprintf("aggregate %s combines partial states",
						   get_func_name(aggref->aggfnoid));
		return false;
	}

	*mode = complete_mode(aggref);
	if (aggref->aggsplit == AGGSPLIT_SIMPLE)
		return true;

	/* a partial state is passed on as core's */
	aggregate = vexec_aggregate_lookup(aggref->aggfnoid);
	if (*mode == VEXEC_CALL_VECTOR && aggregate->partial == NULL)
		*mode = VEXEC_CALL_CORE;
	if ((*mode != VEXEC_CALL_VECTOR && *mode != VEXEC_CALL_CORE) || !has_partial_state(aggref))
	{
		*reason = psprintf("aggregate %s has no partial state",
						   format_procedure(aggref->aggfnoid));
		return false;
	}
	return true;
}
