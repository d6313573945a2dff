/*-------------------------------------------------------------------------
 *
 * vector.c
 *	  Vectors: creation, and single elements from and to Datums.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "batch/batch.h"

#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "utils/date.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"
#include "varatt.h"

#define VECTOR_ALIGNMENT 64

Size
vexec_kind_width(VexecKind kind)
{
	switch (kind)
	{
		case VEXEC_BOOL:
			return sizeof(uint8);
		case VEXEC_INT16:
			return sizeof(int16);
		case VEXEC_INT32:
		case VEXEC_FLOAT4:
			return sizeof(int32);
		case VEXEC_INT64:
		case VEXEC_FLOAT8:
			return sizeof(int64);
		case VEXEC_NUMERIC:
			StaticAssertStmt(sizeof(Numeric) == sizeof(int64),
							 "a numeric vector holds either in place");
			return sizeof(int64);
		case VEXEC_STRING:
			return sizeof(VexecString);
		case VEXEC_DATUM:
			return sizeof(Datum);
	}
	elog(ERROR, "unrecognized vector kind: %d", (int) kind);
	return 0;
}

VexecKind
vexec_kind_of_type(Oid typid)
{
	switch (typid)
	{
		case BOOLOID:
			return VEXEC_BOOL;
		case INT2OID:
			return VEXEC_INT16;
		case INT4OID:
		case DATEOID:
			return VEXEC_INT32;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return VEXEC_INT64;
		case FLOAT4OID:
			return VEXEC_FLOAT4;
		case FLOAT8OID:
			return VEXEC_FLOAT8;
		case NUMERICOID:
			return VEXEC_NUMERIC;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return VEXEC_STRING;
		default:
			return VEXEC_DATUM;
	}
}

VexecVector *
vexec_vector_create(VexecKind kind, bool constant)
{
	VexecVector *vec = palloc0(sizeof(VexecVector));
	Size		count = constant ? 1 : VEXEC_BATCH_ROWS;

	vec->kind = kind;
	vec->constant = constant;
	vec->values = palloc_aligned(count * vexec_kind_width(kind), VECTOR_ALIGNMENT,
								 MCXT_ALLOC_ZERO);
	vec->nulls = palloc_aligned(VEXEC_NULL_WORDS * sizeof(uint64), VECTOR_ALIGNMENT,
								MCXT_ALLOC_ZERO);
	return vec;
}

/* What stands at a null row: nothing that a kernel could follow. */
static void
store_null(VexecVector *vec, int row)
{
	if (vec->kind == VEXEC_STRING)
	{
		VEXEC_VALUES(vec, VexecString)[row].data = "";
		VEXEC_VALUES(vec, VexecString)[row].len = 0;
	}
	else
	{
		Size		width = vexec_kind_width(vec->kind);

		memset((char *) vec->values + row * width, 0, width);
	}
	if (!vec->has_nulls)
	{
		memset(vec->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
		vec->has_nulls = true;
	}
	vexec_set_null(vec, row);
}

void
vexec_vector_store(VexecVector *vec, int row, Oid typid, Datum value, bool isnull)
{
	Assert(vec->kind == VEXEC_DATUM || vec->kind == vexec_kind_of_type(typid));
	Assert(row >= 0 && row < (vec->constant ? 1 : VEXEC_BATCH_ROWS));

	if (isnull)
	{
		store_null(vec, row);
		return;
	}
	if (vec->has_nulls)
		vexec_clear_null(vec, row);

	switch (vec->kind)
	{
		case VEXEC_BOOL:
			VEXEC_VALUES(vec, uint8)[row] = DatumGetBool(value);
			break;
		case VEXEC_INT16:
			VEXEC_VALUES(vec, int16)[row] = DatumGetInt16(value);
			break;
		case VEXEC_INT32:
			VEXEC_VALUES(vec, int32)[row] = DatumGetInt32(value);
			break;
		case VEXEC_INT64:
			VEXEC_VALUES(vec, int64)[row] = DatumGetInt64(value);
			break;
		case VEXEC_FLOAT4:
			VEXEC_VALUES(vec, float4)[row] = DatumGetFloat4(value);
			break;
		case VEXEC_FLOAT8:
			VEXEC_VALUES(vec, float8)[row] = DatumGetFloat8(value);
			break;
		case VEXEC_NUMERIC:
			Assert(!vec->is_decimal);
			VEXEC_VALUES(vec, Numeric)[row] = DatumGetNumeric(value);
			break;
		case VEXEC_STRING:
			{
				struct varlena *body = PG_DETOAST_DATUM_PACKED(value);

				VEXEC_VALUES(vec, VexecString)[row].data = VARDATA_ANY(body);
				VEXEC_VALUES(vec, VexecString)[row].len = VARSIZE_ANY_EXHDR(body);
				break;
			}
		case VEXEC_DATUM:
			VEXEC_VALUES(vec, Datum)[row] = value;
			break;
	}
}

Datum
vexec_vector_fetch(const VexecVector *vec, int row, Oid typid, bool *isnull)
{
	Assert(vec->kind == VEXEC_DATUM || vec->kind == vexec_kind_of_type(typid));
	Assert(row >= 0 && row < VEXEC_BATCH_ROWS);

	if (vec->constant)
		row = 0;
	*isnull = vexec_is_null(vec, row);
	if (*isnull)
		return (Datum) 0;

	switch (vec->kind)
	{
		case VEXEC_BOOL:
			return BoolGetDatum(VEXEC_VALUES(vec, uint8)[row] != 0);
		case VEXEC_INT16:
			return Int16GetDatum(VEXEC_VALUES(vec, int16)[row]);
		case VEXEC_INT32:
			return Int32GetDatum(VEXEC_VALUES(vec, int32)[row]);
		case VEXEC_INT64:
			return Int64GetDatum(VEXEC_VALUES(vec, int64)[row]);
		case VEXEC_FLOAT4:
			return Float4GetDatum(VEXEC_VALUES(vec, float4)[row]);
		case VEXEC_FLOAT8:
			return Float8GetDatum(VEXEC_VALUES(vec, float8)[row]);
		case VEXEC_NUMERIC:
			if (vec->is_decimal)
				return NumericGetDatum(int64_div_fast_to_numeric(VEXEC_VALUES(vec, int64)[row],
																 vec->scale));
			return NumericGetDatum(VEXEC_VALUES(vec, Numeric)[row]);
		case VEXEC_STRING:
			{
				const VexecString *string = &VEXEC_VALUES(vec, VexecString)[row];
				Size		size = (Size) string->len + VARHDRSZ;
				struct varlena *copy = palloc(size);

				SET_VARSIZE(copy, size);
				memcpy(VARDATA(copy), string->data, string->len);
				return PointerGetDatum(copy);
			}
		case VEXEC_DATUM:
			return VEXEC_VALUES(vec, Datum)[row];
	}
	elog(ERROR, "unrecognized vector kind: %d", (int) vec->kind);
	return (Datum) 0;
}

void
vexec_vector_undecimal(VexecVector *vec, const uint16 *sel, int n)
{
	Assert(vec->kind == VEXEC_NUMERIC);

	if (!vec->is_decimal)
		return;
	if (vec->constant)
	{
		sel = NULL;
		n = 1;
	}
	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;
		int64		value = VEXEC_VALUES(vec, int64)[row];

		/* a pointer at a null row is never followed */
		if (vec->has_nulls && vexec_null_bit(vec->nulls, row))
			VEXEC_VALUES(vec, Numeric)[row] = NULL;
		else
			VEXEC_VALUES(vec, Numeric)[row] = int64_div_fast_to_numeric(value, vec->scale);
	}
	vec->is_decimal = false;
}
