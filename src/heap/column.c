/*-------------------------------------------------------------------------
 *
 * column.c
 *	  One column of a batch: the kernel of its kind, and then what the kernel
 *	  leaves (toasted values, unusual numerics, nulls, missing values).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "utils/numeric.h"
#include "varatt.h"

#include "heap/column.h"

/* The scale of a numeric type with typmod; it is negative for numeric(3,-2). */
#define TYPMOD_SCALE(typmod) (((((typmod) - VARHDRSZ) & 0x7FF) ^ 1024) - 1024)

VexecColumn *
vexec_column_create(TupleDesc tupdesc, AttrNumber attno)
{
	Form_pg_attribute form = TupleDescAttr(tupdesc, attno - 1);
	VexecColumn *column = palloc0(sizeof(VexecColumn));
	bool		isnull;

	column->att = attno - 1;
	column->vec = vexec_vector_create(vexec_kind_of_type(form->atttypid), false);
	column->len = form->attlen;
	column->byval = form->attbyval;
	if (form->atttypid == NUMERICOID)
	{
		if (form->atttypmod < VARHDRSZ)
			column->scale = VEXEC_SCALE_BY_BATCH;
		else
		{
			/* digits left of the point are rounded away, none is displayed */
			column->scale = Max(TYPMOD_SCALE(form->atttypmod), 0);
			if (column->scale > VEXEC_MAX_SCALE)
				column->scale = VEXEC_SCALE_NEVER;
		}
	}
	column->offsets = palloc(sizeof(uint16) * VEXEC_BATCH_ROWS);
	column->missing = getmissingattr(tupdesc, attno, &isnull);
	column->has_missing = !isnull;
	return column;
}

static inline const struct varlena *
value_at(const VexecColumn *column, const VexecWalk *walk, int row)
{
	const char *data = walk->data[row];
	int			position = walk->from ? walk->from[row] : walk->from_constant;

	position = vexec_align_offset(data, position, -1, column->align);
	return (const struct varlena *) (data + position);
}

static inline bool
is_toasted(const struct varlena *value)
{
	return VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value);
}

/* The value with a 4-byte header, in batch memory where that takes a copy. */
static struct varlena *
detoast(const VexecColumnDecoder *decoder, const struct varlena *value)
{
	MemoryContext oldcontext = MemoryContextSwitchTo(decoder->memory);
	struct varlena *whole = pg_detoast_datum((struct varlena *) value);

	MemoryContextSwitchTo(oldcontext);
	return whole;
}

/* ----------------------------------------------------------------
 *		Numeric columns
 * ----------------------------------------------------------------
 */

/*
 * The scale to try: that of the type, or of the first value.  VEXEC_SCALE_NEVER
 * where there is none.
 */
static int
batch_scale(const VexecColumn *column, const VexecWalk *walk)
{
	const struct varlena *value;
	int			scale;

	if (column->scale != VEXEC_SCALE_BY_BATCH)
		return column->scale;
	if (walk->end > 0)
		value = value_at(column, walk, walk->sel ? walk->sel[0] : 0);
	else if (column->has_missing)
		value = (const struct varlena *) DatumGetPointer(column->missing);
	else
		return 0;
	if (is_toasted(value))
		return VEXEC_SCALE_NEVER;
	scale = vexec_numeric_display_scale(value);
	return scale < 0 || scale > VEXEC_MAX_SCALE ? VEXEC_SCALE_NEVER : scale;
}

/*
 * Values as integers at one scale, which the first part of a batch chooses.
 * Returns false if that cannot be; *stop as in vexec_column_decode.
 */
static bool
decode_decimal(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk,
			   bool may_detoast, int *stop)
{
	VexecVector *vec = column->vec;
	int64	   *values = VEXEC_VALUES(vec, int64);
	int			nodd;

	if (walk->begin == 0)
	{
		vec->scale = batch_scale(column, walk);
		vec->is_decimal = vec->scale >= 0;
	}
	if (!vec->is_decimal)
		return false;

	nodd = decoder->kernels->numeric(walk, column->align, vec->scale, values, decoder->odd);
	for (int i = 0; i < nodd; i++)
	{
		int			row = decoder->odd[i];
		const struct varlena *value = value_at(column, walk, row);

		if (is_toasted(value))
		{
			if (!may_detoast)
			{
				*stop = row;
				break;
			}
			value = detoast(decoder, value);
		}
		if (!vexec_numeric_to_decimal(value, vec->scale, &values[row]))
		{
			vec->is_decimal = false;
			return false;
		}
	}
	return true;
}

/* All values as pointers. */
static int
decode_numeric_pointers(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	Numeric    *values = VEXEC_VALUES(column->vec, Numeric);

	column->vec->is_decimal = false;
	for (int k = walk->begin; k < walk->end; k++)
	{
		int			row = walk->sel ? walk->sel[k] : k;
		const struct varlena *value = value_at(column, walk, row);

		if (!decoder->detoast && is_toasted(value))
			return row;
		values[row] = (Numeric) detoast(decoder, value);
	}
	return VEXEC_BATCH_ROWS;
}

static void
skip_column(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	VexecStep	step = {VEXEC_STEP_VARLENA, column->align, 0};

	if (walk->to)
		decoder->kernels->skip(walk, &step, 1);
}

static int
decode_numeric(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	int			stop = VEXEC_BATCH_ROWS;

	if (decode_decimal(decoder, column, walk, decoder->detoast, &stop))
		return stop;
	skip_column(decoder, column, walk);
	return decode_numeric_pointers(decoder, column, walk);
}

/* ----------------------------------------------------------------
 *		Other kinds
 * ----------------------------------------------------------------
 */

static int
decode_string(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	VexecString *values = VEXEC_VALUES(column->vec, VexecString);
	int			nodd = decoder->kernels->string(walk, column->align, values, decoder->odd);

	for (int i = 0; i < nodd; i++)
	{
		int			row = decoder->odd[i];
		struct varlena *whole;

		if (!decoder->detoast)
			return row;
		whole = detoast(decoder, value_at(column, walk, row));
		values[row].data = VARDATA(whole);
		values[row].len = VARSIZE(whole) - VARHDRSZ;
	}
	return VEXEC_BATCH_ROWS;
}

/* Kinds that the kernel does alone. */
static void
decode_fixed(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	const VexecDecodeKernels *kernels = decoder->kernels;
	VexecVector *vec = column->vec;

	if (vec->kind != VEXEC_DATUM)
		kernels->fixed(walk, column->align, column->len, vec->values);
	else if (column->byval)
		kernels->datum(walk, column->align, column->len, vec->values);
	else
		kernels->pointer(walk, column->align, column->len, vec->values);
}

int
vexec_column_decode(VexecColumnDecoder *decoder, VexecColumn *column, VexecWalk *walk, int n)
{
	walk->begin = 0;
	walk->end = n;
	column->vec->has_nulls = false;
	switch (column->vec->kind)
	{
		case VEXEC_NUMERIC:
			return decode_numeric(decoder, column, walk);
		case VEXEC_STRING:
			return decode_string(decoder, column, walk);
		default:
			decode_fixed(decoder, column, walk);
			return VEXEC_BATCH_ROWS;
	}
}

void
vexec_column_decode_part(VexecColumnDecoder *decoder, VexecColumn *column, const VexecWalk *walk)
{
	int			stop = VEXEC_BATCH_ROWS;

	column->vec->has_nulls = false;
	switch (column->vec->kind)
	{
		case VEXEC_NUMERIC:
			/* these rows may not be asked for, so nothing may raise */
			if (!column->decoded || !decode_decimal(decoder, column, walk, false, &stop))
			{
				column->decoded = false;
				skip_column(decoder, column, walk);
			}
			else if (stop != VEXEC_BATCH_ROWS)
				column->decoded = false;
			break;
		case VEXEC_STRING:
			if (decoder->kernels->string(walk, column->align,
										 VEXEC_VALUES(column->vec, VexecString),
										 decoder->odd) != 0)
				column->decoded = false;
			break;
		default:
			decode_fixed(decoder, column, walk);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Nulls and missing values
 * ----------------------------------------------------------------
 */

/* Put a value at the rows that are older than the column. */
static void
fill_missing(VexecColumn *column, Datum missing, const uint16 *sel, int n)
{
	VexecVector *vec = column->vec;

	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;

		if (column->offsets[row] != VEXEC_OFFSET_MISSING)
			continue;
		vexec_clear_null(vec, row);
		switch (vec->kind)
		{
			case VEXEC_BOOL:
				VEXEC_VALUES(vec, uint8)[row] = DatumGetBool(missing);
				break;
			case VEXEC_INT16:
				VEXEC_VALUES(vec, int16)[row] = DatumGetInt16(missing);
				break;
			case VEXEC_INT32:
				VEXEC_VALUES(vec, int32)[row] = DatumGetInt32(missing);
				break;
			case VEXEC_INT64:
				VEXEC_VALUES(vec, int64)[row] = DatumGetInt64(missing);
				break;
			case VEXEC_FLOAT4:
				VEXEC_VALUES(vec, float4)[row] = DatumGetFloat4(missing);
				break;
			case VEXEC_FLOAT8:
				VEXEC_VALUES(vec, float8)[row] = DatumGetFloat8(missing);
				break;
			case VEXEC_STRING:
				{
					const struct varlena *value =
						(const struct varlena *) DatumGetPointer(missing);

					VEXEC_VALUES(vec, VexecString)[row].data = VARDATA_ANY(value);
					VEXEC_VALUES(vec, VexecString)[row].len = VARSIZE_ANY_EXHDR(value);
					break;
				}
			case VEXEC_NUMERIC:
			case VEXEC_DATUM:
				VEXEC_VALUES(vec, Datum)[row] = missing;
				break;
		}
	}
}

static bool
any_null(const uint64 *nulls)
{
	uint64		any = 0;

	for (int i = 0; i < VEXEC_NULL_WORDS; i++)
		any |= nulls[i];
	return any != 0;
}

int
vexec_column_decode_recorded(VexecColumnDecoder *decoder, VexecColumn *column,
							 const char *const *data, const uint16 *sel, int n)
{
	VexecVector *vec = column->vec;
	VexecWalk	walk = {.data = data, .from = column->offsets, .sel = sel};
	bool		missing;
	int			count;
	int			stop;

	count = decoder->kernels->split(column->offsets, sel, n, decoder->present, vec->nulls,
									&missing);
	if (count == n)
		return vexec_column_decode(decoder, column, &walk, n);

	walk.sel = decoder->present;
	stop = vexec_column_decode(decoder, column, &walk, count);

	if (missing && column->has_missing)
	{
		Datum		value = column->missing;
		int64		decimal;

		/* a missing value that does not go with the others' form changes it */
		if (vec->kind == VEXEC_NUMERIC && vec->is_decimal)
		{
			if (vexec_numeric_to_decimal((const struct varlena *) DatumGetPointer(value),
										 vec->scale, &decimal))
				value = Int64GetDatum(decimal);
			else
				stop = decode_numeric_pointers(decoder, column, &walk);
		}
		fill_missing(column, value, sel, n);
	}

	vec->has_nulls = any_null(vec->nulls);
	if (vec->has_nulls && vec->kind == VEXEC_STRING)
	{
		for (int k = 0; k < n; k++)
		{
			int			row = sel ? sel[k] : k;

			if (vexec_null_bit(vec->nulls, row))
			{
				VEXEC_VALUES(vec, VexecString)[row].data = "";
				VEXEC_VALUES(vec, VexecString)[row].len = 0;
			}
		}
	}
	return stop;
}
