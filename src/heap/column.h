/*-------------------------------------------------------------------------
 *
 * column.h
 *	  Private to the heap folder: one column of a scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_HEAP_COLUMN_H
#define VEXEC_HEAP_COLUMN_H

#include "postgres.h"

#include "access/attnum.h"
#include "access/tupdesc.h"

#include "batch/batch.h"
#include "heap/decode.h"

/* Steps of the walk to a column, by the attribute that it begins at. */
typedef struct VexecColumnSteps
{
	struct VexecColumnSteps *next;
	int			first;
	int			nsteps;
	VexecStep  *steps;
} VexecColumnSteps;

/* How a numeric column's batches find their scale. */
#define VEXEC_SCALE_BY_BATCH	(-1)	/* no typmod: that of the first value */
#define VEXEC_SCALE_NEVER		(-2)	/* the type's scale is too large */

typedef struct VexecColumn
{
	int			att;			/* attribute number - 1 */
	VexecVector *vec;			/* lives as long as the scan */
	int16		len;
	uint8		align;
	bool		byval;
	int			scale;			/* NUMERIC */
	bool		has_missing;	/* older tuples have this value, not null */
	Datum		missing;		/* lives as long as the backend */

	/* the current batch */
	bool		decoded;		/* at all rows, while its pages were gathered */
	bool		recorded;		/* offsets are there */
	uint16	   *offsets;		/* by row, written by the general walk */

	VexecColumnSteps *steps;	/* used so far, in the scan's context */
} VexecColumn;

/* What the columns of a scan share while they are decoded. */
typedef struct VexecColumnDecoder
{
	const VexecDecodeKernels *kernels;
	bool		detoast;
	MemoryContext memory;		/* of the batch */
	uint16		odd[VEXEC_BATCH_ROWS];
	uint16		present[VEXEC_BATCH_ROWS];
} VexecColumnDecoder;

extern VexecColumn *vexec_column_create(TupleDesc tupdesc, AttrNumber attno);

/*
 * Decode a column at n selected rows, none of which has it as null.  Returns
 * the lowest row left undone because it needs detoasting, else
 * VEXEC_BATCH_ROWS.  Sets walk->begin and end.
 */
extern int	vexec_column_decode(VexecColumnDecoder *decoder, VexecColumn *column,
								VexecWalk *walk, int n);

/*
 * Decode rows walk->begin .. end-1 of the batch, called in ascending order from
 * row 0 on with column->decoded set before the first call.  Clears it where a
 * value takes more than the kernel: the function above then has to do the whole
 * batch.  walk->to is filled in any case.
 */
extern void vexec_column_decode_part(VexecColumnDecoder *decoder, VexecColumn *column,
									 const VexecWalk *walk);

/* The same from recorded offsets, which tell what is null or missing. */
extern int	vexec_column_decode_recorded(VexecColumnDecoder *decoder, VexecColumn *column,
										 const char *const *data, const uint16 *sel, int n);

/*
 * The value of a numeric at a scale.  false: another display scale, not
 * finite, or past 63 bits.  The value may have any header, but must not be
 * compressed or out of line.
 */
extern bool vexec_numeric_to_decimal(const struct varlena *value, int scale, int64 *result);

/* The display scale of such a numeric, -1 if it is not finite. */
extern int	vexec_numeric_display_scale(const struct varlena *value);

#endif							/* VEXEC_HEAP_COLUMN_H */
