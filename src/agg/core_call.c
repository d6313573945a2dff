/*-------------------------------------------------------------------------
 *
 * core_call.c
 *	  Aggregates by core's transition and final functions.
 *
 * The functions are called with a stand-in AggState, which has what they can
 * reach through fmgr's aggregate API: the aggregate context, the Aggref,
 * whether the state is shared, callbacks before the context is reset.  The
 * rules of nodeAgg.c are kept: strict functions, initial values, copies of
 * by-reference results, read-only expanded objects for final functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/calls.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type_d.h"
#include "executor/execExpr.h"
#include "executor/executor.h"
#include "executor/nodeAgg.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_agg.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

/* The first array of states holds this many. */
#define FIRST_STATES 16

struct VexecCoreCall
{
	AggState   *aggstate;		/* the stand-in */
	AggStatePerTransData *pertrans; /* aggstate->pertrans, one element */
	AggStatePerGroupData *states;	/* by ticket, in memory */
	uint32		nstates;		/* initialised elements */
	uint32		capacity;
	MemoryContext memory;		/* holds the array */
	Size		initial_size;	/* bytes of a copy of the initial value */
	Oid		   *argtypes;		/* of the arguments passed */
	bool		owns_context;	/* the aggregate context is not shared */
};

struct VexecCoreFinal
{
	VexecCoreCall *core;
	AggStatePerAggData peragg;
	List	   *direct_args;	/* borrowed ExprStates */
	FunctionCallInfo fcinfo;	/* of the final function */
	bool		repeatable;		/* results leave the state as it is */
};

/* --- creation --------------------------------------------------------------- */

static Form_pg_aggregate
aggregate_form(Oid aggfnoid, HeapTuple *tuple)
{
	*tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggfnoid));
	if (!HeapTupleIsValid(*tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggfnoid);
	return (Form_pg_aggregate) GETSTRUCT(*tuple);
}

/* The initial state, converted by the transition type's input function. */
static void
init_initial_value(VexecCoreCall *core, HeapTuple tuple)
{
	AggStatePerTransData *pertrans = core->pertrans;
	Datum		initial;
	Oid			input_function;
	Oid			io_param;

	initial = SysCacheGetAttr(AGGFNOID, tuple, Anum_pg_aggregate_agginitval,
							  &pertrans->initValueIsNull);
	if (pertrans->initValueIsNull)
		return;
	getTypeInputInfo(pertrans->aggtranstype, &input_function, &io_param);
	pertrans->initValue = OidInputFunctionCall(input_function, TextDatumGetCString(initial),
											   io_param, -1);
	if (!pertrans->transtypeByVal)
		core->initial_size = datumGetSize(pertrans->initValue, false, pertrans->transtypeLen);
}

/* As build_pertrans_for_aggref. */
static void
init_transition(VexecCoreCall *core, Aggref *aggref, bool shared)
{
	AggStatePerTransData *pertrans = core->pertrans;
	Oid			types[FUNC_MAX_ARGS];
	int			ntypes = get_aggregate_argtypes(aggref, types);
	int			ndirect = list_length(aggref->aggdirectargs);
	HeapTuple	tuple;
	Form_pg_aggregate form = aggregate_form(aggref->aggfnoid, &tuple);
	Expr	   *expr;

	pertrans->aggref = aggref;
	pertrans->aggshared = shared;
	pertrans->aggCollation = aggref->inputcollid;
	pertrans->transfn_oid = form->aggtransfn;
	pertrans->aggtranstype = aggref->aggtranstype;
	pertrans->numInputs = list_length(aggref->args);
	pertrans->numTransInputs = AGGKIND_IS_ORDERED_SET(aggref->aggkind) ?
		list_length(aggref->args) : ntypes;
	get_typlenbyval(pertrans->aggtranstype, &pertrans->transtypeLen, &pertrans->transtypeByVal);

	build_aggregate_transfn_expr(types, ntypes, ndirect, aggref->aggvariadic,
								 pertrans->aggtranstype, aggref->inputcollid,
								 pertrans->transfn_oid, InvalidOid, &expr, NULL);
	fmgr_info(pertrans->transfn_oid, &pertrans->transfn);
	fmgr_info_set_expr((Node *) expr, &pertrans->transfn);
	pertrans->transfn_fcinfo = palloc0(SizeForFunctionCallInfo(pertrans->numTransInputs + 1));
	InitFunctionCallInfoData(*pertrans->transfn_fcinfo, &pertrans->transfn,
							 pertrans->numTransInputs + 1, pertrans->aggCollation,
							 (Node *) core->aggstate, NULL);
	init_initial_value(core, tuple);
	ReleaseSysCache(tuple);

	/* strictness may have changed since the aggregate was made */
	if (pertrans->transfn.fn_strict && pertrans->initValueIsNull &&
		(ntypes <= ndirect || !IsBinaryCoercible(types[ndirect], pertrans->aggtranstype)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("aggregate %u needs to have compatible input type and transition type",
						aggref->aggfnoid)));

	/* the types of the columns, which may be others where the function takes "any" */
	core->argtypes = palloc0(sizeof(Oid) * Max(pertrans->numInputs, 1));
	foreach_node(TargetEntry, entry, aggref->args)
		core->argtypes[foreach_current_index(entry)] = exprType((Node *) entry->expr);
	Assert(pertrans->numTransInputs <= pertrans->numInputs);
}

VexecCoreCall *
vexec_core_call_create(const VexecCall *call, PlanState *ps, ExprContext *aggcontext,
					   ExprContext *tmpcontext)
{
	VexecCoreCall *core = palloc0(sizeof(VexecCoreCall));
	AggState   *aggstate = makeNode(AggState);

	core->aggstate = aggstate;
	core->pertrans = palloc0(sizeof(AggStatePerTransData));
	core->memory = CurrentMemoryContext;
	aggstate->ss.ps.state = ps->state;
	aggstate->ss.ps.plan = ps->plan;
	aggstate->ss.ps.ps_ExprContext = ps->ps_ExprContext;
	aggstate->tmpcontext = tmpcontext;
	core->owns_context = aggcontext == NULL;
	aggstate->curaggcontext = aggcontext != NULL ? aggcontext : CreateWorkExprContext(ps->state);
	aggstate->aggcontexts = palloc(sizeof(ExprContext *));
	aggstate->aggcontexts[0] = aggstate->curaggcontext;
	aggstate->aggs = list_make1(call->aggref);
	aggstate->numaggs = 1;
	aggstate->numtrans = 1;
	aggstate->maxsets = 1;
	aggstate->aggstrategy = AGG_HASHED;
	aggstate->aggsplit = call->aggref->aggsplit;
	aggstate->pertrans = core->pertrans;

	init_transition(core, call->aggref, call->shared);
	return core;
}

/* --- states ------------------------------------------------------------------- */

static MemoryContext
aggregate_context(const VexecCoreCall *core)
{
	return core->aggstate->curaggcontext->ecxt_per_tuple_memory;
}

static uint64
capacity_for(const VexecCoreCall *core, uint32 count)
{
	return vexec_grown_capacity(core->capacity, Max(count, FIRST_STATES));
}

void
vexec_core_call_grow(VexecCoreCall *core, uint32 count)
{
	AggStatePerTransData *pertrans = core->pertrans;
	MemoryContext old_context;

	if (count <= core->nstates)
		return;
	if (count > core->capacity)
	{
		/* tickets are below 2^31, so that the capacity fits as well */
		uint64		capacity = capacity_for(core, count);
		Size		size = capacity * sizeof(AggStatePerGroupData);

		core->states = core->states == NULL ? MemoryContextAllocHuge(core->memory, size) :
			repalloc_huge(core->states, size);
		core->capacity = (uint32) capacity;
	}
	old_context = MemoryContextSwitchTo(aggregate_context(core));
	for (uint32 ticket = core->nstates; ticket < count; ticket++)
	{
		AggStatePerGroupData *state = &core->states[ticket];

		state->transValue = pertrans->initValueIsNull ? (Datum) 0 :
			datumCopy(pertrans->initValue, pertrans->transtypeByVal, pertrans->transtypeLen);
		state->transValueIsNull = pertrans->initValueIsNull;
		state->noTransValue = pertrans->initValueIsNull;
	}
	MemoryContextSwitchTo(old_context);
	core->nstates = count;
}

Size
vexec_core_call_growth(const VexecCoreCall *core, uint32 count)
{
	Size		size = 0;

	if (count > core->capacity)
		size = (capacity_for(core, count) - core->capacity) * sizeof(AggStatePerGroupData);
	if (count > core->nstates)
		size += (count - core->nstates) * core->initial_size;
	return size;
}

int
vexec_core_call_inputs(const VexecCoreCall *core, bool *strict)
{
	*strict = core->pertrans->transfn.fn_strict;
	return core->pertrans->numTransInputs;
}

void
vexec_core_call_reset(VexecCoreCall *core)
{
	if (core->owns_context)
		ReScanExprContext(core->aggstate->curaggcontext);
	core->nstates = 0;
	if (core->capacity > FIRST_STATES)
	{
		pfree(core->states);
		core->states = NULL;
		core->capacity = 0;
	}
}

Size
vexec_core_call_memory(const VexecCoreCall *core)
{
	return core->capacity * sizeof(AggStatePerGroupData);
}

/* --- transition ------------------------------------------------------------------ */

/*
 * Advance a state; the arguments are in the call's fcinfo, from 1 on.  As
 * advance_transition_function; the current context is the temporary one.
 */
static void
advance(VexecCoreCall *core, AggStatePerGroupData *state)
{
	AggState   *aggstate = core->aggstate;
	AggStatePerTransData *pertrans = core->pertrans;
	FunctionCallInfo fcinfo = pertrans->transfn_fcinfo;
	Datum		value;

	if (pertrans->transfn.fn_strict)
	{
		for (int i = 1; i <= pertrans->numTransInputs; i++)
		{
			if (fcinfo->args[i].isnull)
				return;
		}
		if (state->noTransValue)
		{
			/* the first input becomes the state */
			ExecAggInitGroup(aggstate, pertrans, state, aggstate->curaggcontext);
			return;
		}
		if (state->transValueIsNull)
			return;
	}

	aggstate->curpertrans = pertrans;
	fcinfo->args[0].value = state->transValue;
	fcinfo->args[0].isnull = state->transValueIsNull;
	fcinfo->isnull = false;
	value = FunctionCallInvoke(fcinfo);
	aggstate->curpertrans = NULL;

	if (!pertrans->transtypeByVal &&
		DatumGetPointer(value) != DatumGetPointer(state->transValue))
		value = ExecAggCopyTransValue(aggstate, pertrans, value, fcinfo->isnull,
									  state->transValue, state->transValueIsNull);
	state->transValue = value;
	state->transValueIsNull = fcinfo->isnull;
}

void
vexec_core_call_advance(VexecCoreCall *core, uint32 ticket, const Datum *values,
						const bool *isnull)
{
	FunctionCallInfo fcinfo = core->pertrans->transfn_fcinfo;
	MemoryContext temporary = core->aggstate->tmpcontext->ecxt_per_tuple_memory;
	MemoryContext old_context;

	Assert(ticket < core->nstates);
	MemoryContextReset(temporary);
	for (int i = 0; i < core->pertrans->numTransInputs; i++)
	{
		fcinfo->args[i + 1].value = values[i];
		fcinfo->args[i + 1].isnull = isnull[i];
	}
	old_context = MemoryContextSwitchTo(temporary);
	advance(core, &core->states[ticket]);
	MemoryContextSwitchTo(old_context);
}

void
vexec_core_call_advance_row(VexecCoreCall *core, uint32 ticket, const VexecVector *const *args,
							int row)
{
	FunctionCallInfo fcinfo = core->pertrans->transfn_fcinfo;
	MemoryContext temporary = core->aggstate->tmpcontext->ecxt_per_tuple_memory;
	MemoryContext old_context;

	Assert(ticket < core->nstates);

	/* a cancel must not wait for a batch of calls of a slow function */
	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(temporary);
	old_context = MemoryContextSwitchTo(temporary);
	for (int i = 0; i < core->pertrans->numTransInputs; i++)
		fcinfo->args[i + 1].value = vexec_vector_fetch(args[i], row, core->argtypes[i],
													   &fcinfo->args[i + 1].isnull);
	advance(core, &core->states[ticket]);
	MemoryContextSwitchTo(old_context);
}

/* --- results ---------------------------------------------------------------------- */

static void
init_final_function(VexecCoreFinal *final, Oid finalfn, bool extra)
{
	Aggref	   *aggref = final->peragg.aggref;
	Oid			types[FUNC_MAX_ARGS];
	int			ntypes = get_aggregate_argtypes(aggref, types);
	Expr	   *expr;

	final->peragg.finalfn_oid = finalfn;
	final->peragg.numFinalArgs = (extra ? ntypes : list_length(aggref->aggdirectargs)) + 1;
	build_aggregate_finalfn_expr(types, final->peragg.numFinalArgs, aggref->aggtranstype,
								 aggref->aggtype, aggref->inputcollid, finalfn, &expr);
	fmgr_info(finalfn, &final->peragg.finalfn);
	fmgr_info_set_expr((Node *) expr, &final->peragg.finalfn);
	final->fcinfo = palloc0(SizeForFunctionCallInfo(final->peragg.numFinalArgs));
	InitFunctionCallInfoData(*final->fcinfo, &final->peragg.finalfn, final->peragg.numFinalArgs,
							 aggref->inputcollid, (Node *) final->core->aggstate, NULL);
}

static void
init_serial_function(VexecCoreCall *core, Oid serialfn)
{
	AggStatePerTransData *pertrans = core->pertrans;
	Expr	   *expr;

	if (!OidIsValid(serialfn))
		elog(ERROR, "aggregate %u has no serialization function", pertrans->aggref->aggfnoid);
	pertrans->serialfn_oid = serialfn;
	build_aggregate_serialfn_expr(serialfn, &expr);
	fmgr_info(serialfn, &pertrans->serialfn);
	fmgr_info_set_expr((Node *) expr, &pertrans->serialfn);
	pertrans->serialfn_fcinfo = palloc0(SizeForFunctionCallInfo(1));
	InitFunctionCallInfoData(*pertrans->serialfn_fcinfo, &pertrans->serialfn, 1, InvalidOid,
							 (Node *) core->aggstate, NULL);
}

VexecCoreFinal *
vexec_core_final_create(VexecCoreCall *core, const VexecCallResult *result)
{
	VexecCoreFinal *final = palloc0(sizeof(VexecCoreFinal));
	Aggref	   *aggref = result->aggref;
	HeapTuple	tuple;
	Form_pg_aggregate form = aggregate_form(aggref->aggfnoid, &tuple);

	final->core = core;
	final->direct_args = result->direct_args;
	final->peragg.aggref = aggref;
	final->peragg.transno = 0;
	final->peragg.shareable = !core->pertrans->aggshared;
	final->repeatable = DO_AGGSPLIT_SKIPFINAL(aggref->aggsplit) ||
		form->aggfinalmodify == AGGMODIFY_READ_ONLY;
	get_typlenbyval(aggref->aggtype, &final->peragg.resulttypeLen,
					&final->peragg.resulttypeByVal);
	if (!DO_AGGSPLIT_SKIPFINAL(aggref->aggsplit) && OidIsValid(form->aggfinalfn))
		init_final_function(final, form->aggfinalfn, form->aggfinalextra);
	if (DO_AGGSPLIT_SERIALIZE(aggref->aggsplit) && aggref->aggtranstype == INTERNALOID &&
		!OidIsValid(core->pertrans->serialfn_oid))
		init_serial_function(core, form->aggserialfn);
	ReleaseSysCache(tuple);
	return final;
}

bool
vexec_core_final_repeatable(const VexecCoreFinal *final)
{
	return final->repeatable;
}

/* The state as a value for others, who must not change it. */
static Datum
state_value(const VexecCoreCall *core, uint32 ticket, bool *isnull)
{
	AggStatePerGroupData *state = &core->states[ticket];

	Assert(ticket < core->nstates);
	*isnull = state->transValueIsNull;
	return MakeExpandedObjectReadOnly(state->transValue, state->transValueIsNull,
									  core->pertrans->transtypeLen);
}

/* As finalize_aggregate. */
Datum
vexec_core_final(VexecCoreFinal *final, uint32 ticket, ExprContext *econtext, bool *isnull)
{
	VexecCoreCall *core = final->core;
	FunctionCallInfo fcinfo = final->fcinfo;
	bool		has_function = OidIsValid(final->peragg.finalfn_oid);
	bool		any_null = false;
	int			i = 1;
	Datum		value;

	/* direct arguments are evaluated even where no function takes them */
	foreach_ptr(ExprState, expr, final->direct_args)
	{
		bool		arg_null;
		Datum		arg = ExecEvalExpr(expr, econtext, &arg_null);

		if (has_function)
		{
			fcinfo->args[i].value = arg;
			fcinfo->args[i].isnull = arg_null;
		}
		any_null |= arg_null;
		i++;
	}
	if (!has_function)
		return state_value(core, ticket, isnull);

	fcinfo->args[0].value = state_value(core, ticket, &fcinfo->args[0].isnull);
	any_null |= fcinfo->args[0].isnull;
	for (; i < final->peragg.numFinalArgs; i++)
	{
		fcinfo->args[i].value = (Datum) 0;
		fcinfo->args[i].isnull = true;
		any_null = true;
	}
	*isnull = final->peragg.finalfn.fn_strict && any_null;
	if (*isnull)
		return (Datum) 0;

	core->aggstate->curperagg = &final->peragg;
	fcinfo->isnull = false;
	value = FunctionCallInvoke(fcinfo);
	core->aggstate->curperagg = NULL;
	*isnull = fcinfo->isnull;
	return MakeExpandedObjectReadOnly(value, fcinfo->isnull, final->peragg.resulttypeLen);
}

/* As finalize_partialaggregate. */
Datum
vexec_core_partial(VexecCoreFinal *final, uint32 ticket, bool *isnull)
{
	AggStatePerTransData *pertrans = final->core->pertrans;
	FunctionCallInfo fcinfo = pertrans->serialfn_fcinfo;
	Datum		value = state_value(final->core, ticket, isnull);

	if (!OidIsValid(pertrans->serialfn_oid))
		return value;
	if (pertrans->serialfn.fn_strict && *isnull)
		return (Datum) 0;
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = *isnull;
	fcinfo->isnull = false;
	value = FunctionCallInvoke(fcinfo);
	*isnull = fcinfo->isnull;
	return MakeExpandedObjectReadOnly(value, fcinfo->isnull, final->peragg.resulttypeLen);
}
