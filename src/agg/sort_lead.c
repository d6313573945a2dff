/*-------------------------------------------------------------------------
 *
 * sort_lead.c
 *	  The leading integer of an aggregate's sort.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/sort_lead.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "compat.h"

/* Bits of the leading integer below the ticket. */
#define PREFIX_BITS 33

/* Bits below a value of 32 bits where there is no ticket. */
#define ARRIVAL_BITS 31

/* Toggled, it makes the order of signed integers that of unsigned ones. */
#define SIGN_BIT (UINT64CONST(1) << 63)

/* Integers of this size are exact in a double. */
#define EXACT_DOUBLE (INT64CONST(1) << 53)

/* --- which values have bits --------------------------------------------------- */

/* How the leading integer can take part of an argument's value. */
static VexecLeadKind
prefix_kind(Oid typid, Oid collation, Oid sort_operator, bool *descending)
{
	TypeCacheEntry *type = lookup_type_cache(typid, TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);

	/* the bits are in the order of the type's own operators only */
	if (sort_operator != type->lt_opr && sort_operator != type->gt_opr)
		return VEXEC_LEAD_NONE;
	*descending = (sort_operator == type->gt_opr);
	switch (vexec_kind_of_type(typid))
	{
		case VEXEC_BOOL:
		case VEXEC_INT16:
		case VEXEC_INT32:
			return VEXEC_LEAD_EXACT;
		case VEXEC_INT64:
		case VEXEC_FLOAT4:
		case VEXEC_FLOAT8:
		case VEXEC_NUMERIC:
			return VEXEC_LEAD_INEXACT;
		case VEXEC_STRING:
			/* trailing blanks of char(n) are not compared */
			return typid != BPCHAROID && OidIsValid(collation) &&
				vexec_collation_is_c(collation) ? VEXEC_LEAD_INEXACT : VEXEC_LEAD_NONE;
		case VEXEC_DATUM:
			break;
	}
	return VEXEC_LEAD_NONE;
}

bool
vexec_sort_equal_is_same(Expr *expr, Oid sort_operator)
{
	Oid			typid = exprType((Node *) expr);
	Oid			collation = exprCollation((Node *) expr);
	TypeCacheEntry *type = lookup_type_cache(typid, TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);

	if (sort_operator != type->lt_opr && sort_operator != type->gt_opr)
		return false;
	switch (vexec_kind_of_type(typid))
	{
		case VEXEC_BOOL:
		case VEXEC_INT16:
		case VEXEC_INT32:
		case VEXEC_INT64:
			return true;
		case VEXEC_STRING:
			return typid != BPCHAROID && OidIsValid(collation) &&
				get_collation_isdeterministic(collation);
		default:
			return false;
	}
}

void
vexec_sort_lead_init(VexecSortLead *lead, bool grouped)
{
	memset(lead, 0, sizeof(*lead));
	lead->kind = VEXEC_LEAD_ARRIVAL;
	lead->grouped = grouped;
	lead->null_bit = grouped ? UINT64CONST(1) << (PREFIX_BITS - 1) : SIGN_BIT;
	lead->shift = grouped ? 64 - (PREFIX_BITS - 1) : 1;
}

void
vexec_sort_lead_by(VexecSortLead *lead, Aggref *aggref, SortGroupClause *clause)
{
	TargetEntry *entry = get_sortgroupclause_tle(clause, aggref->args);

	lead->arg = entry->resno - 1;
	lead->type = exprType((Node *) entry->expr);
	lead->nulls_first = clause->nulls_first;
	lead->kind = prefix_kind(lead->type, exprCollation((Node *) entry->expr), clause->sortop,
							 &lead->descending);
}

/* --- values to bits -------------------------------------------------------------- */

/* The bits of a double, in an unsigned order that is that of float8. */
static uint64
float_bits(double value)
{
	uint64		bits;

	if (isnan(value))
		return PG_UINT64_MAX;
	value += 0.0;				/* minus zero equals zero */
	memcpy(&bits, &value, sizeof(bits));
	return (bits & SIGN_BIT) ? ~bits : bits | SIGN_BIT;
}

/*
 * Conversions to double are rounded correctly, so they keep the order.  That
 * holds for a decimal's division as long as both operands are exact.
 */
static uint64
numeric_bits(const VexecVector *arg, int row)
{
	static const double powers[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
		1e17, 1e18
	};
	bool		isnull;
	Datum		value;

	StaticAssertStmt(lengthof(powers) == VEXEC_MAX_SCALE + 1, "a power for each scale");
	if (arg->is_decimal)
	{
		int64		integer = VEXEC_VALUES(arg, int64)[row];

		if (integer > -EXACT_DOUBLE && integer < EXACT_DOUBLE)
			return float_bits((double) integer / powers[arg->scale]);
	}
	value = vexec_vector_fetch(arg, row, NUMERICOID, &isnull);
	return float_bits(DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value)));
}

static uint64
string_bits(const VexecString *string)
{
	uint64		bits = 0;

	for (int i = 0; i < sizeof(bits); i++)
		bits = bits << 8 | (i < string->len ? (uint8) string->data[i] : 0);
	return bits;
}

/* The order of integers of at most 32 bits is in the upper half. */
static uint64
int_bits(int32 value)
{
	return ((uint64) value << 32) ^ SIGN_BIT;
}

/* Bits of the leading integer in the order of the first ORDER BY value. */
static uint64
prefix_bits(const VexecSortLead *lead, const VexecVector *arg, int row)
{
	uint64		bits = 0;

	if (arg->constant)
		row = 0;
	if (vexec_is_null(arg, row))
		return lead->nulls_first ? 0 : lead->null_bit;
	switch (arg->kind)
	{
		case VEXEC_BOOL:
			bits = int_bits(VEXEC_VALUES(arg, uint8)[row] != 0);
			break;
		case VEXEC_INT16:
			bits = int_bits(VEXEC_VALUES(arg, int16)[row]);
			break;
		case VEXEC_INT32:
			bits = int_bits(VEXEC_VALUES(arg, int32)[row]);
			break;
		case VEXEC_INT64:
			/* a double has small values in its top 32 bits, too */
			bits = lead->grouped ? float_bits((double) VEXEC_VALUES(arg, int64)[row]) :
				(uint64) VEXEC_VALUES(arg, int64)[row] ^ SIGN_BIT;
			break;
		case VEXEC_FLOAT4:
			bits = float_bits(VEXEC_VALUES(arg, float4)[row]);
			break;
		case VEXEC_FLOAT8:
			bits = float_bits(VEXEC_VALUES(arg, float8)[row]);
			break;
		case VEXEC_NUMERIC:
			bits = numeric_bits(arg, row);
			break;
		case VEXEC_STRING:
			bits = string_bits(&VEXEC_VALUES(arg, VexecString)[row]);
			break;
		case VEXEC_DATUM:
			elog(ERROR, "value of an unexpected kind in an aggregate's sort");
	}
	if (lead->descending)
		bits = ~bits;
	return (lead->nulls_first ? lead->null_bit : 0) | bits >> lead->shift;
}

int64
vexec_sort_lead_value(const VexecSortLead *lead, const VexecVector *const *args, int row,
					  uint32 ticket, uint64 arrival)
{
	uint64		bits = lead->grouped ? (uint64) ticket << PREFIX_BITS : 0;

	/* arrivals may be numbered from 0 again: no order is promised */
	if (lead->kind == VEXEC_LEAD_ARRIVAL)
		bits |= arrival & ((UINT64CONST(1) << PREFIX_BITS) - 1);
	else if (lead->kind != VEXEC_LEAD_NONE)
		bits |= prefix_bits(lead, args[lead->arg], row);
	if (lead->arrival)
	{
		/* descending values have other bits there */
		bits = bits >> ARRIVAL_BITS << ARRIVAL_BITS;
		bits |= arrival & ((UINT64CONST(1) << ARRIVAL_BITS) - 1);
	}
	return (int64) (bits ^ SIGN_BIT);
}

uint32
vexec_sort_lead_ticket(const VexecSortLead *lead, int64 value)
{
	return lead->grouped ? (uint32) (((uint64) value ^ SIGN_BIT) >> PREFIX_BITS) : 0;
}

Datum
vexec_sort_lead_datum(const VexecSortLead *lead, int64 value, bool *isnull)
{
	uint64		bits = (uint64) value ^ SIGN_BIT;
	int32		integer;

	*isnull = ((bits & lead->null_bit) != 0) != lead->nulls_first;
	if (*isnull)
		return (Datum) 0;
	bits = bits << lead->shift;
	if (lead->descending)
		bits = ~bits;
	integer = (int32) ((bits ^ SIGN_BIT) >> 32);
	switch (vexec_kind_of_type(lead->type))
	{
		case VEXEC_BOOL:
			return BoolGetDatum(integer != 0);
		case VEXEC_INT16:
			return Int16GetDatum((int16) integer);
		default:
			return Int32GetDatum(integer);
	}
}
