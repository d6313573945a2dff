/*-------------------------------------------------------------------------
 *
 * spill_row.h
 *	  The form of spilled rows.  Private to spill.c and spill_row.c.
 *
 * A row is a bitmap of nulls and the values that are not null, one after the
 * other: raw bytes of fixed-width kinds; a numeric behind a tag that tells its
 * form; a string behind its length; other values by reference as they are
 * stored, toast pointers included (they live as long as the query's snapshot).
 * If all columns have a fixed width, rows have one too, and nulls are zeros;
 * else the row's length comes first, and rows are padded so that what is read
 * in place is aligned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SPILL_ROW_H
#define VEXEC_SPILL_ROW_H

#include "agg/agg.h"

/* A column as it is written. */
typedef struct VexecSpillColumn
{
	VexecKind	kind;
	int16		typlen;			/* DATUM */
	bool		typbyval;
	int			width;			/* bytes of a value; -1: it varies */
	int			nguards;		/* -1: the column is always valid; else at rows
								 * where one of the guards is true */
	int		   *guards;			/* filter columns */
	uint8	   *forms;			/* NUMERIC: of the batch read */
} VexecSpillColumn;

typedef struct VexecSpillLayout
{
	int			ncolumns;
	VexecSpillColumn *columns;
	int			null_bytes;
	Size		fixed_bytes;	/* bitmap, length and fixed-width values */
	bool		fixed;			/* no column varies: no length */
	int			align;			/* of rows */
} VexecSpillLayout;

/* The layout of rows with the plan's columns, in the current context. */
extern VexecSpillLayout *vexec_spill_layout(const VexecGroupingPlan *plan);

/* Bytes that a row of a batch takes at most. */
extern Size vexec_spill_row_size(const VexecSpillLayout *layout,
								 const VexecVector *const *columns, int row);

/* Write a row of a batch; returns its length. */
extern Size vexec_spill_encode(const VexecSpillLayout *layout, const VexecVector *const *columns,
							   int row, char *to);

/* The length of a row of which so many bytes are there; 0 if they do not tell. */
static inline Size
vexec_spill_row_length(const VexecSpillLayout *layout, const char *row, Size available)
{
	uint32		length;

	if (layout->fixed)
		return layout->fixed_bytes;
	if (available < sizeof(length))
		return 0;
	memcpy(&length, row, sizeof(length));
	return length;
}

/*
 * Read a row to element "at" of vectors without nulls so far; values by
 * reference are borrowed.  After the last row numerics of a batch must be
 * given one form.
 */
extern void vexec_spill_decode(const VexecSpillLayout *layout, const char *row,
							   VexecVector *const *vectors, int at);

/* One scale for a numeric vector, or pointers, made in the current context. */
extern void vexec_spill_unify_numerics(const VexecSpillLayout *layout,
									   VexecVector *const *vectors, int n);

#endif							/* VEXEC_SPILL_ROW_H */
