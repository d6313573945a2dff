/*-------------------------------------------------------------------------
 *
 * spill_row.c
 *	  Rows of vectors as bytes, and back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/spill_row.h"

#include "access/tupmacs.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

/* Form of a numeric: its scale if it is a decimal, else this. */
#define FORM_NUMERIC 0xFF

/* --- layout ------------------------------------------------------------------------ */

/* The call's argument columns need to be valid only where its filter is true. */
static void
find_guards(VexecSpillLayout *layout, const VexecGroupingPlan *plan)
{
	for (int i = 0; i < plan->ncolumns; i++)
		layout->columns[i].guards = palloc_array(int, plan->ncalls + 1);
	for (int i = 0; i < plan->nkeys; i++)
		layout->columns[i].nguards = -1;
	for (int c = 0; c < plan->ncalls; c++)
		if (plan->calls[c].filter >= 0)
			layout->columns[plan->calls[c].filter].nguards = -1;
	for (int c = 0; c < plan->ncalls; c++)
	{
		const VexecCall *call = &plan->calls[c];

		for (int a = 0; a < call->nargs; a++)
		{
			VexecSpillColumn *column = &layout->columns[call->args[a]];

			if (column->nguards < 0)
				continue;
			if (call->filter < 0)
				column->nguards = -1;
			else if (column->nguards == 0 ||
					 column->guards[column->nguards - 1] != call->filter)
				column->guards[column->nguards++] = call->filter;
		}
	}
}

static void
lay_out(VexecSpillLayout *layout, const VexecGroupingPlan *plan)
{
	layout->fixed = true;
	layout->align = 1;
	layout->null_bytes = (layout->ncolumns + 7) / 8;
	layout->fixed_bytes = layout->null_bytes;
	for (int i = 0; i < layout->ncolumns; i++)
	{
		VexecSpillColumn *column = &layout->columns[i];

		column->kind = plan->columns[i].kind;
		column->width = -1;
		switch (column->kind)
		{
			case VEXEC_NUMERIC:
				layout->align = Max(layout->align, (int) sizeof(int32));
				break;
			case VEXEC_STRING:
				break;
			case VEXEC_DATUM:
				get_typlenbyval(plan->columns[i].typid, &column->typlen,
								&column->typbyval);
				if (column->typbyval)
					column->width = sizeof(Datum);
				else
					layout->align = MAXIMUM_ALIGNOF;
				break;
			default:
				column->width = (int) vexec_kind_width(column->kind);
				break;
		}
		if (column->width < 0)
			layout->fixed = false;
		else
			layout->fixed_bytes += column->width;
	}
	if (!layout->fixed)
		layout->fixed_bytes += sizeof(uint32);
}

VexecSpillLayout *
vexec_spill_layout(const VexecGroupingPlan *plan)
{
	VexecSpillLayout *layout = palloc0(sizeof(VexecSpillLayout));

	layout->ncolumns = plan->ncolumns;
	layout->columns = palloc0_array(VexecSpillColumn, plan->ncolumns);
	lay_out(layout, plan);
	find_guards(layout, plan);
	for (int i = 0; i < layout->ncolumns; i++)
		if (layout->columns[i].kind == VEXEC_NUMERIC)
			layout->columns[i].forms = palloc(VEXEC_BATCH_ROWS);
	return layout;
}

/* --- writing ----------------------------------------------------------------------- */

static inline bool
is_guarded_null(const VexecSpillColumn *column,
				const VexecVector *const *columns, int row)
{
	for (int i = 0; i < column->nguards; i++)
	{
		const VexecVector *guard = columns[column->guards[i]];

		if (!vexec_is_null(guard, row) && VEXEC_VALUES(guard, uint8)[guard->constant ? 0 : row])
			return false;
	}
	return column->nguards >= 0;
}

static inline bool
is_null(const VexecSpillLayout *layout, int i, const VexecVector *const *columns, int row)
{
	const VexecSpillColumn *column = &layout->columns[i];

	return is_guarded_null(column, columns, row) || vexec_is_null(columns[i], row);
}

static Size
datum_size(const VexecSpillColumn *column, Datum value)
{
	const char *pointer = DatumGetPointer(value);

	if (column->typlen > 0)
		return column->typlen;
	if (column->typlen == -2)
		return strlen(pointer) + 1;
	if (VARATT_IS_EXTERNAL_EXPANDED(pointer))
		return EOH_get_flat_size(DatumGetEOHP(value));
	return VARSIZE_ANY(pointer);
}

/* Bytes that a value of varying width may take, padding included. */
static Size
varying_size(const VexecSpillColumn *column, const VexecVector *vec, int at)
{
	switch (column->kind)
	{
		case VEXEC_NUMERIC:
			if (vec->is_decimal)
				return 1 + sizeof(int64);
			return 1 + sizeof(int32) + VARSIZE(DatumGetPointer(VEXEC_VALUES(vec, Datum)[at]));
		case VEXEC_STRING:
			return sizeof(uint32) + VEXEC_VALUES(vec, VexecString)[at].len;
		default:
			return MAXIMUM_ALIGNOF + datum_size(column, VEXEC_VALUES(vec, Datum)[at]);
	}
}

Size
vexec_spill_row_size(const VexecSpillLayout *layout, const VexecVector *const *columns, int row)
{
	Size		size = layout->fixed_bytes;

	if (layout->fixed)
		return size;
	for (int i = 0; i < layout->ncolumns; i++)
		if (layout->columns[i].width < 0 && !is_null(layout, i, columns, row))
			size += varying_size(&layout->columns[i], columns[i],
								 columns[i]->constant ? 0 : row);
	return TYPEALIGN(layout->align, size);
}

#define PUT(type, value) \
	do { \
		type		put_ = (value); \
		memcpy(to, &put_, sizeof(type)); \
		to += sizeof(type); \
	} while (0)

/* Zeros up to the next multiple from the start of the row. */
static inline char *
pad(char *row, char *to, int align)
{
	char	   *end = row + TYPEALIGN(align, to - row);

	while (to < end)
		*to++ = 0;
	return to;
}

static char *
encode_datum(const VexecSpillColumn *column, Datum value, char *row, char *to)
{
	Size		size = datum_size(column, value);

	to = pad(row, to, MAXIMUM_ALIGNOF);
	if (column->typlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		EOH_flatten_into(DatumGetEOHP(value), to, size);
	else
		memcpy(to, DatumGetPointer(value), size);
	return to + size;
}

static char *
encode_value(const VexecSpillColumn *column, const VexecVector *vec, int at, char *row, char *to)
{
	switch (column->kind)
	{
		case VEXEC_BOOL:
			PUT(uint8, VEXEC_VALUES(vec, uint8)[at]);
			return to;
		case VEXEC_INT16:
			PUT(int16, VEXEC_VALUES(vec, int16)[at]);
			return to;
		case VEXEC_INT32:
		case VEXEC_FLOAT4:
			PUT(uint32, VEXEC_VALUES(vec, uint32)[at]);
			return to;
		case VEXEC_INT64:
		case VEXEC_FLOAT8:
			PUT(uint64, VEXEC_VALUES(vec, uint64)[at]);
			return to;
		case VEXEC_NUMERIC:
			if (vec->is_decimal)
			{
				PUT(uint8, (uint8) vec->scale);
				PUT(int64, VEXEC_VALUES(vec, int64)[at]);
			}
			else
			{
				const char *numeric = DatumGetPointer(VEXEC_VALUES(vec, Datum)[at]);

				PUT(uint8, FORM_NUMERIC);
				to = pad(row, to, sizeof(int32));
				memcpy(to, numeric, VARSIZE(numeric));
				to += VARSIZE(numeric);
			}
			return to;
		case VEXEC_STRING:
			{
				VexecString value = VEXEC_VALUES(vec, VexecString)[at];

				PUT(uint32, value.len);
				if (value.len > 0)
					memcpy(to, value.data, value.len);
				return to + value.len;
			}
		case VEXEC_DATUM:
			if (!column->typbyval)
				return encode_datum(column, VEXEC_VALUES(vec, Datum)[at], row, to);
			PUT(Datum, VEXEC_VALUES(vec, Datum)[at]);
			return to;
	}
	pg_unreachable();
}

Size
vexec_spill_encode(const VexecSpillLayout *layout, const VexecVector *const *columns, int row,
				   char *start)
{
	char	   *to = start;
	uint8	   *nulls;

	if (!layout->fixed)
		to += sizeof(uint32);
	nulls = (uint8 *) to;
	memset(nulls, 0, layout->null_bytes);
	to += layout->null_bytes;
	for (int i = 0; i < layout->ncolumns; i++)
	{
		const VexecSpillColumn *column = &layout->columns[i];

		if (!is_null(layout, i, columns, row))
			to = encode_value(column, columns[i], columns[i]->constant ? 0 : row, start, to);
		else
		{
			nulls[i >> 3] |= 1 << (i & 7);
			if (layout->fixed)
			{
				memset(to, 0, column->width);
				to += column->width;
			}
		}
	}
	if (!layout->fixed)
	{
		uint32		length;

		to = pad(start, to, layout->align);
		length = (uint32) (to - start);
		memcpy(start, &length, sizeof(length));
	}
	return to - start;
}

/* --- reading ----------------------------------------------------------------------- */

#define GET(type, target) \
	do { \
		memcpy(&(target), from, sizeof(type)); \
		from += sizeof(type); \
	} while (0)

static const char *
decode_datum(const VexecSpillColumn *column, const char *row, const char *from, Datum *value)
{
	from = row + TYPEALIGN(MAXIMUM_ALIGNOF, from - row);
	*value = PointerGetDatum(from);
	return from + datum_size(column, *value);
}

/* Numerics of either form go into the vector's elements as they are. */
static const char *
decode_numeric(const VexecSpillColumn *column, VexecVector *vec, int at, const char *row,
			   const char *from)
{
	GET(uint8, column->forms[at]);
	if (column->forms[at] != FORM_NUMERIC)
		GET(int64, VEXEC_VALUES(vec, int64)[at]);
	else
	{
		from = row + TYPEALIGN(sizeof(int32), from - row);
		VEXEC_VALUES(vec, Datum)[at] = PointerGetDatum(from);
		from += VARSIZE(from);
	}
	return from;
}

static const char *
decode_value(const VexecSpillColumn *column, VexecVector *vec, int at, const char *row,
			 const char *from)
{
	switch (column->kind)
	{
		case VEXEC_BOOL:
			GET(uint8, VEXEC_VALUES(vec, uint8)[at]);
			return from;
		case VEXEC_INT16:
			GET(int16, VEXEC_VALUES(vec, int16)[at]);
			return from;
		case VEXEC_INT32:
		case VEXEC_FLOAT4:
			GET(uint32, VEXEC_VALUES(vec, uint32)[at]);
			return from;
		case VEXEC_INT64:
		case VEXEC_FLOAT8:
			GET(uint64, VEXEC_VALUES(vec, uint64)[at]);
			return from;
		case VEXEC_STRING:
			{
				VexecString *value = &VEXEC_VALUES(vec, VexecString)[at];

				GET(uint32, value->len);
				value->data = from;
				return from + value->len;
			}
		case VEXEC_DATUM:
			if (!column->typbyval)
				return decode_datum(column, row, from, &VEXEC_VALUES(vec, Datum)[at]);
			GET(Datum, VEXEC_VALUES(vec, Datum)[at]);
			return from;
		case VEXEC_NUMERIC:
			return decode_numeric(column, vec, at, row, from);
	}
	pg_unreachable();
}

static void
set_null(VexecVector *vec, int at)
{
	if (!vec->has_nulls)
		memset(vec->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
	vec->has_nulls = true;
	vexec_set_null(vec, at);
	if (vec->kind == VEXEC_STRING)
		memset(&VEXEC_VALUES(vec, VexecString)[at], 0, sizeof(VexecString));
}

void
vexec_spill_decode(const VexecSpillLayout *layout, const char *row, VexecVector *const *vectors,
				   int at)
{
	const char *from = row + (layout->fixed ? 0 : sizeof(uint32));
	const uint8 *nulls = (const uint8 *) from;

	from += layout->null_bytes;
	for (int i = 0; i < layout->ncolumns; i++)
	{
		const VexecSpillColumn *column = &layout->columns[i];

		if (nulls[i >> 3] & (1 << (i & 7)))
		{
			set_null(vectors[i], at);
			if (layout->fixed)
				from += column->width;
		}
		else
			from = decode_value(column, vectors[i], at, row, from);
	}
}

/* One scale for the vector, or pointers. */
static void
unify_numerics(VexecVector *vec, const uint8 *forms, int n)
{
	int			form = -1;
	bool		same = true;

	for (int i = 0; i < n; i++)
	{
		if (vexec_is_null(vec, i))
			continue;
		if (form < 0)
			form = forms[i];
		same &= (form == forms[i]);
	}
	vec->is_decimal = same && form != FORM_NUMERIC;
	vec->scale = vec->is_decimal && form >= 0 ? form : 0;
	if (same)
		return;
	for (int i = 0; i < n; i++)
		if (!vexec_is_null(vec, i) && forms[i] != FORM_NUMERIC)
			VEXEC_VALUES(vec, Datum)[i] =
				NumericGetDatum(int64_div_fast_to_numeric(VEXEC_VALUES(vec, int64)[i], forms[i]));
}

void
vexec_spill_unify_numerics(const VexecSpillLayout *layout, VexecVector *const *vectors, int n)
{
	for (int i = 0; i < layout->ncolumns; i++)
		if (layout->columns[i].kind == VEXEC_NUMERIC)
			unify_numerics(vectors[i], layout->columns[i].forms, n);
}
