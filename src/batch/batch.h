/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  Vectors and selections: the words that every other folder speaks.
 *
 * A batch is up to VEXEC_BATCH_ROWS rows.  A vector is one column of a batch:
 * a width-exact array plus a null bitmap.  A selection lists the rows of a
 * batch that are still alive, in ascending order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_BATCH_H
#define VEXEC_BATCH_H

#include "postgres.h"

/* Capacity of every vector; pg_vexec.batch_rows may only lower the rows used. */
#define VEXEC_BATCH_ROWS 1024
#define VEXEC_NULL_WORDS (VEXEC_BATCH_ROWS / 64)

/*
 * Physical kinds.  The SQL type decides the kind (vexec_kind_of_type); several
 * types may share one: date is INT32, timestamp and timestamptz are INT64.
 */
typedef enum VexecKind
{
	VEXEC_BOOL,					/* uint8, 0 or 1 */
	VEXEC_INT16,				/* int16 */
	VEXEC_INT32,				/* int32 */
	VEXEC_INT64,				/* int64 */
	VEXEC_FLOAT4,				/* float4 */
	VEXEC_FLOAT8,				/* float8 */
	VEXEC_NUMERIC,				/* int64 at one scale, or Numeric pointers */
	VEXEC_STRING,				/* VexecString */
	VEXEC_DATUM					/* Datum, anything else */
} VexecKind;

/* Body of a text, varchar or char(n) value, without varlena header. */
typedef struct VexecString
{
	const char *data;			/* borrowed: pinned page, batch memory or a
								 * constant; not zero-terminated */
	uint32		len;			/* bytes; char(n) keeps its trailing blanks */
} VexecString;

/*
 * Values at null rows: readable but meaningless for fixed-width kinds, an
 * empty string for STRING, not to be followed for pointers.  Values at rows
 * outside the selection that a vector was computed for are readable bytes of
 * no meaning; pointers there must not be followed.
 */
typedef struct VexecVector
{
	VexecKind	kind;
	bool		constant;		/* element 0 stands for every row */
	bool		has_nulls;		/* false: nobody may read the bitmap */
	bool		is_decimal;		/* NUMERIC: values are int64 * 10^-scale, else
								 * Numeric (detoasted, 4-byte header) */
	int16		scale;			/* NUMERIC, is_decimal: display scale of every
								 * value, 0..VEXEC_MAX_SCALE */
	void	   *values;			/* VEXEC_BATCH_ROWS elements (1 if constant) */
	uint64	   *nulls;			/* VEXEC_NULL_WORDS words, bit set = null */
} VexecVector;

/* 10^18 is the largest power of ten in an int64. */
#define VEXEC_MAX_SCALE 18

#define VEXEC_VALUES(vec, type) ((type *) (vec)->values)

/* Rows of a batch that are alive. */
typedef struct VexecSelection
{
	int			count;			/* number of rows selected */
	bool		dense;			/* rows are 0 .. count-1; the list is unset */
	uint16		rows[VEXEC_BATCH_ROWS]; /* ascending row numbers */
} VexecSelection;

/* The list for kernels: NULL means rows 0 .. count-1. */
static inline const uint16 *
vexec_selection_list(const VexecSelection *sel)
{
	return sel->dense ? NULL : sel->rows;
}

/*
 * Loop over the selected rows; "row" is the loop variable.  The dense form is
 * a plain counted loop, which the compiler can vectorize.
 */
#define VEXEC_FOREACH(row, sel, n, body) \
	do { \
		if ((sel) == NULL) \
		{ \
			for (int row = 0; row < (n); row++) \
			{ body } \
		} \
		else \
		{ \
			for (int k_ = 0; k_ < (n); k_++) \
			{ \
				int			row = (sel)[k_]; \
				body \
			} \
		} \
	} while (0)

static inline bool
vexec_null_bit(const uint64 *nulls, int row)
{
	return (nulls[row >> 6] >> (row & 63)) & 1;
}

static inline bool
vexec_is_null(const VexecVector *vec, int row)
{
	return vec->has_nulls && vexec_null_bit(vec->nulls, vec->constant ? 0 : row);
}

static inline void
vexec_set_null(VexecVector *vec, int row)
{
	vec->nulls[row >> 6] |= UINT64CONST(1) << (row & 63);
}

static inline void
vexec_clear_null(VexecVector *vec, int row)
{
	vec->nulls[row >> 6] &= ~(UINT64CONST(1) << (row & 63));
}

/* Bytes of one element of a kind. */
extern Size vexec_kind_width(VexecKind kind);

/* The kind that holds values of a type; VEXEC_DATUM for types without kernels. */
extern VexecKind vexec_kind_of_type(Oid typid);

/*
 * A vector of VEXEC_BATCH_ROWS elements (or one, if constant), zeroed, in the
 * current memory context.  The arrays are 64-byte aligned.
 */
extern VexecVector *vexec_vector_create(VexecKind kind, bool constant);

/*
 * Store one Datum of type typid at a row.  By-reference values are borrowed,
 * except that a toasted or short-header value is detoasted into the current
 * memory context where the kind needs that.  A NUMERIC vector must not be
 * decimal: the value is stored as a pointer.
 */
extern void vexec_vector_store(VexecVector *vec, int row, Oid typid, Datum value, bool isnull);

/*
 * One element as a Datum of type typid, allocated in the current memory
 * context where it is by reference.
 */
extern Datum vexec_vector_fetch(const VexecVector *vec, int row, Oid typid, bool *isnull);

/*
 * Turn a decimal NUMERIC vector into one of Numeric pointers at the selected
 * rows, in place; the values are allocated in the current memory context.
 */
extern void vexec_vector_undecimal(VexecVector *vec, const uint16 *sel, int n);

/*
 * At rows 0 .. n-1, "result" becomes true where both bool vectors are true and
 * not null, else false or null.  It may be one of them.
 */
extern void vexec_vector_and(VexecVector *result, const VexecVector *a, const VexecVector *b,
							 int n);

/* Keep the selected rows before "stop" where a bool vector is true. */
extern void vexec_selection_filter(VexecSelection *sel, const VexecVector *vec, int stop);

/* Number of selected rows that lie before "stop". */
extern int	vexec_selection_clip(const uint16 *sel, int n, int stop);

#endif							/* VEXEC_BATCH_H */
