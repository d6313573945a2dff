/*-------------------------------------------------------------------------
 *
 * partial_test.c
 *	  Compare partial results of vector states with those of core's transition
 *	  functions, and what core's combine and final functions make of both.
 *
 * Random values go through a vector transition, and one by one through the
 * transition function of the aggregate.  The partial results must be the same
 * bytes, except where partial.c says that they may differ.  Then some of the
 * partial results of several rounds, ours or core's by chance, are combined by
 * core, as a Finalize node does it, and the final result must not depend on
 * whose they were.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "agg/agg.h"
#include "batch/isa.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(vexec_partial_test);

/* Partial results that are combined to one. */
#define MAX_PARTS 4

#define GROUPS 3

extern int	vexec_isa;

/* An aggregate as nodeAgg sees it. */
typedef struct CoreAggregate
{
	Oid			argtype;		/* InvalidOid: no argument */
	FmgrInfo	transfn;
	FmgrInfo	serialfn;		/* fn_oid is invalid where there is none */
	FmgrInfo	deserialfn;
	FmgrInfo	combinefn;
	FmgrInfo	finalfn;
	Datum		init;
	bool		init_is_null;
	Oid			transtype;
	Oid			partial_type;	/* bytea if transtype is internal */
	Oid			result_type;
	Node	   *context;		/* an AggState for functions that want one */
} CoreAggregate;

typedef struct Value
{
	Datum		value;
	bool		isnull;
} Value;

static pg_prng_state prng;

static int
below(int n)
{
	return (int) pg_prng_uint64_range(&prng, 0, n - 1);
}

/* --- core ------------------------------------------------------------------------ */

static void
lookup_function(Oid function, FmgrInfo *flinfo)
{
	flinfo->fn_oid = InvalidOid;
	if (OidIsValid(function))
		fmgr_info(function, flinfo);
}

static void
lookup_aggregate(Oid aggfnoid, CoreAggregate *agg)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggfnoid));
	Form_pg_aggregate form;
	AggState   *agg_state;
	Oid		   *argtypes;
	int			nargs;
	Oid			input;
	Oid			ioparam;
	Datum		init;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "no aggregate %u", aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	agg->result_type = get_func_signature(aggfnoid, &argtypes, &nargs);
	agg->argtype = nargs == 0 ? InvalidOid : argtypes[0] == ANYOID ? INT4OID : argtypes[0];
	agg->transtype = form->aggtranstype;
	agg->partial_type = agg->transtype == INTERNALOID ? BYTEAOID : agg->transtype;
	lookup_function(form->aggtransfn, &agg->transfn);
	lookup_function(form->aggserialfn, &agg->serialfn);
	lookup_function(form->aggdeserialfn, &agg->deserialfn);
	lookup_function(form->aggcombinefn, &agg->combinefn);
	lookup_function(form->aggfinalfn, &agg->finalfn);
	init = SysCacheGetAttr(AGGFNOID, tuple, Anum_pg_aggregate_agginitval, &agg->init_is_null);
	if (!agg->init_is_null)
	{
		getTypeInputInfo(agg->transtype, &input, &ioparam);
		agg->init = OidInputFunctionCall(input, TextDatumGetCString(init), ioparam, -1);
	}
	ReleaseSysCache(tuple);

	agg_state = makeNode(AggState);
	agg_state->curaggcontext = makeNode(ExprContext);
	agg_state->curaggcontext->ecxt_per_tuple_memory = CurrentMemoryContext;
	agg_state->tmpcontext = agg_state->curaggcontext;
	agg->context = (Node *) agg_state;
}

static Value
copy_value(Value value, Oid type)
{
	if (!value.isnull && type != INTERNALOID)
		value.value = datumCopy(value.value, get_typbyval(type), get_typlen(type));
	return value;
}

static Value
call(CoreAggregate *agg, FmgrInfo *flinfo, int nargs, Value first, Value second)
{
	LOCAL_FCINFO(fcinfo, 2);
	Value		result;

	InitFunctionCallInfoData(*fcinfo, flinfo, nargs, DEFAULT_COLLATION_OID, agg->context, NULL);
	fcinfo->args[0].value = first.value;
	fcinfo->args[0].isnull = first.isnull;
	fcinfo->args[1].value = second.value;
	fcinfo->args[1].isnull = second.isnull;
	result.value = FunctionCallInvoke(fcinfo);
	result.isnull = fcinfo->isnull;
	return result;
}

/* Call a transition or combine function, with nodeAgg's rules for strict ones. */
static Value
advance(CoreAggregate *agg, FmgrInfo *flinfo, int nargs, Value state, Value input)
{
	if (flinfo->fn_strict && nargs > 1)
	{
		if (input.isnull)
			return state;
		if (state.isnull)
			return copy_value(input, agg->transtype);
	}
	return call(agg, flinfo, nargs, state, input);
}

static Value
initial_state(CoreAggregate *agg)
{
	Value		state = {agg->init, agg->init_is_null};

	return copy_value(state, agg->transtype);
}

static Value
serialize(CoreAggregate *agg, Value state)
{
	if (!OidIsValid(agg->serialfn.fn_oid) || state.isnull)
		return state;
	return call(agg, &agg->serialfn, 1, state, (Value) {0, true});
}

static Value
combine(CoreAggregate *agg, const Value *parts, int n)
{
	Value		state = initial_state(agg);

	for (int i = 0; i < n; i++)
	{
		Value		part = copy_value(parts[i], agg->partial_type);

		if (OidIsValid(agg->deserialfn.fn_oid) && !part.isnull)
			part = call(agg, &agg->deserialfn, 2, part, (Value) {0, false});
		state = advance(agg, &agg->combinefn, 2, state, part);
	}
	if (!OidIsValid(agg->finalfn.fn_oid))
		return state;
	if (agg->finalfn.fn_strict && state.isnull)
		return state;
	return call(agg, &agg->finalfn, 1, state, (Value) {0, true});
}

/* --- values ---------------------------------------------------------------------- */

static Datum
numeric_of(const char *text)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

static int64
random_integer(int bits)
{
	int64		value = (int64) (pg_prng_uint64(&prng) >> (64 - bits));

	return below(2) ? value : ~value;
}

/* Of a kind: 0 small and alike, 1 large, 2 with everything that is special. */
static Datum
numeric_value(int variety)
{
	static const char *const special[] = {
		"NaN", "Infinity", "-Infinity", "0", "0.000", "1e-16383", "-1e-300", "1e131000", "-9e130000",
		"1e40", "-1e38", "0.00000000000000000000000000000000000001", "9e36", "9999e33", "5e-37",
		"170141183460469231731687303715884105727", "-42535295865117307932921825928971026432"
	};

	if (variety == 2 && below(3) == 0)
		return numeric_of(special[below(lengthof(special))]);
	if (variety == 0)
		return NumericGetDatum(int64_div_fast_to_numeric(random_integer(20), 2));
	return NumericGetDatum(int64_div_fast_to_numeric(random_integer(1 + below(62)), below(30)));
}

static float8
random_float(int variety)
{
	static const float8 special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-30, 1e15, -1e15};

	if (variety == 2 && below(4) == 0)
		return special[below(lengthof(special))];
	return (pg_prng_double(&prng) - 0.5) * (variety == 0 ? 100 : 1e9);
}

static Datum
random_value(Oid type, int variety)
{
	static const char *const strings[] = {"", "a", "B", "ab", "ab ", "b", "zz", "a longer value"};

	switch (type)
	{
		case INT2OID:
			return Int16GetDatum((int16) random_integer(1 + below(15)));
		case INT4OID:
		case DATEOID:
			return Int32GetDatum((int32) random_integer(1 + below(31)));
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return Int64GetDatum(random_integer(variety == 0 ? 20 : 1 + below(63)));
		case FLOAT4OID:
			return Float4GetDatum((float4) random_float(variety));
		case FLOAT8OID:
			return Float8GetDatum(random_float(variety));
		case NUMERICOID:
			return numeric_value(variety);
		case TEXTOID:
		case BPCHAROID:
			return CStringGetTextDatum(strings[below(lengthof(strings))]);
		default:
			elog(ERROR, "no values for type %u", type);
	}
	return (Datum) 0;
}

/* --- comparison ------------------------------------------------------------------ */

static char *
show(Value value, Oid type)
{
	Oid			output;
	bool		varlena;

	if (value.isnull)
		return "null";
	getTypeOutputInfo(type, &output, &varlena);
	return psprintf("%.300s", OidOutputFunctionCall(output, value.value));
}

static bool
same(Value a, Value b, Oid type)
{
	if (a.isnull || b.isnull)
		return a.isnull && b.isnull;
	return datumIsEqual(a.value, b.value, get_typbyval(type), get_typlen(type)) ||
		strcmp(show(a, type), show(b, type)) == 0;
}

/*
 * The same for partial results.  A numeric state ends in the number of values
 * with the largest scale, which is not compared, and those of NaN, infinity and
 * -infinity, of which only is compared whether there were any.
 */
static bool
same_partial(CoreAggregate *agg, Value ours, Value core)
{
	const int	tail = 4 * sizeof(int64);
	bytea	   *a;
	bytea	   *b;
	const char *a_tail;
	const char *b_tail;
	const int64 zero = 0;

	if (ours.isnull && !core.isnull && agg->transtype == INTERNALOID)
		return true;			/* rows without values; the final result tells */
	if (ours.isnull || core.isnull || agg->serialfn.fn_oid != F_NUMERIC_AVG_SERIALIZE)
		return same(ours, core, agg->partial_type);
	a = DatumGetByteaPP(ours.value);
	b = DatumGetByteaPP(core.value);
	if (VARSIZE_ANY_EXHDR(a) != VARSIZE_ANY_EXHDR(b) ||
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a) - tail) != 0)
		return false;
	a_tail = VARDATA_ANY(a) + VARSIZE_ANY_EXHDR(a) - tail;
	b_tail = VARDATA_ANY(b) + VARSIZE_ANY_EXHDR(b) - tail;
	for (int i = 1; i < 4; i++)
	{
		if ((memcmp(a_tail + i * sizeof(int64), &zero, sizeof(int64)) == 0) !=
			(memcmp(b_tail + i * sizeof(int64), &zero, sizeof(int64)) == 0))
			return false;
	}
	return true;
}

/*
 * One round: values of up to three batches, spread over groups.  Fills both
 * partial results of each group.
 */
static void
aggregate_values(CoreAggregate *agg, const VexecAggregate *vector, Value *ours, Value *core)
{
	VexecTransitionState *ts = vexec_transition_create(&vector->transition, agg->argtype,
													   DEFAULT_COLLATION_OID);
	int			ngroups = 1 + below(GROUPS);
	int			variety = below(3);
	int			null_percent = ((int[]) {0, 0, 20, 100})[below(4)];
	uint32		tickets[VEXEC_BATCH_ROWS];

	vexec_transition_grow(ts, GROUPS);
	for (int group = 0; group < GROUPS; group++)
		core[group] = initial_state(agg);

	for (int batch = below(4); batch > 0; batch--)
	{
		VexecKind	kind = OidIsValid(agg->argtype) ? vexec_kind_of_type(agg->argtype) : VEXEC_BOOL;
		VexecVector *vec = vexec_vector_create(kind, false);
		int			n = 1 + below(below(2) ? 3 : VEXEC_BATCH_ROWS);
		bool		decimal = kind == VEXEC_NUMERIC && below(2) == 0;

		vec->is_decimal = decimal;
		vec->scale = decimal ? below(VEXEC_MAX_SCALE + 1) : 0;
		for (int row = 0; row < n; row++)
		{
			Value		value = {0};

			tickets[row] = below(ngroups);
			if (!OidIsValid(agg->argtype))
			{
				core[tickets[row]] = advance(agg, &agg->transfn, 1, core[tickets[row]], value);
				continue;
			}
			value.isnull = below(100) < null_percent;
			if (value.isnull)
				vexec_vector_store(vec, row, agg->argtype, (Datum) 0, true);
			else if (decimal)
			{
				int64		integer = random_integer(variety == 0 ? 20 : 63);

				VEXEC_VALUES(vec, int64)[row] = integer;
				if (vec->has_nulls)
					vexec_clear_null(vec, row);
				value.value = NumericGetDatum(int64_div_fast_to_numeric(integer, vec->scale));
			}
			else
			{
				value.value = random_value(agg->argtype, variety);
				vexec_vector_store(vec, row, agg->argtype, value.value, false);
			}
			core[tickets[row]] = advance(agg, &agg->transfn, 2, core[tickets[row]], value);
		}
		ts->transition->update(ts, OidIsValid(agg->argtype) ? vec : NULL,
							   ngroups == 1 ? NULL : tickets, NULL, n);
	}
	for (int group = 0; group < GROUPS; group++)
	{
		core[group] = serialize(agg, core[group]);
		ours[group].value = vector->partial(ts, group, &ours[group].isnull);
	}
}

/* What is wrong, or NULL. */
static char *
test_round(CoreAggregate *agg, const VexecAggregate *vector)
{
	Value		ours[MAX_PARTS][GROUPS];
	Value		core[MAX_PARTS][GROUPS];
	int			nparts = 1 + below(MAX_PARTS);

	for (int part = 0; part < nparts; part++)
	{
		aggregate_values(agg, vector, ours[part], core[part]);
		for (int group = 0; group < GROUPS; group++)
		{
			if (!same_partial(agg, ours[part][group], core[part][group]))
				return psprintf("partial result %s, core's is %s",
								show(ours[part][group], agg->partial_type),
								show(core[part][group], agg->partial_type));
		}
	}
	for (int group = 0; group < GROUPS; group++)
	{
		Value		mixed[MAX_PARTS];
		Value		all_core[MAX_PARTS];
		Value		result;
		Value		expected;

		for (int part = 0; part < nparts; part++)
		{
			all_core[part] = core[part][group];
			mixed[part] = below(3) ? ours[part][group] : core[part][group];
		}
		result = combine(agg, mixed, nparts);
		expected = combine(agg, all_core, nparts);
		if (!same(result, expected, agg->result_type))
			return psprintf("result of %d parts %s, core's is %s", nparts,
							show(result, agg->result_type), show(expected, agg->result_type));
	}
	return NULL;
}

/*
 * vexec_partial_test(level, seed, rounds, aggregate): null if the aggregate has
 * no vector state, "ok", or the first difference.
 */
Datum
vexec_partial_test(PG_FUNCTION_ARGS)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "partial test",
											   ALLOCSET_DEFAULT_SIZES);
	Oid			aggfnoid = PG_GETARG_OID(3);
	const VexecAggregate *vector;
	char	   *wrong = NULL;

	vexec_isa = PG_GETARG_INT32(0);
	vector = vexec_aggregate_lookup(aggfnoid);
	if (vector == NULL)
		PG_RETURN_NULL();
	pg_prng_seed(&prng, (uint64) PG_GETARG_INT64(1) ^ aggfnoid);
	for (int i = 0; i < PG_GETARG_INT32(2) && wrong == NULL; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(work);
		CoreAggregate agg = {0};

		CHECK_FOR_INTERRUPTS();
		lookup_aggregate(aggfnoid, &agg);
		wrong = test_round(&agg, vector);
		MemoryContextSwitchTo(old);
		if (wrong != NULL)
			wrong = pstrdup(wrong);
		MemoryContextReset(work);
	}
	MemoryContextDelete(work);
	PG_RETURN_TEXT_P(cstring_to_text(wrong != NULL ? wrong : "ok"));
}
