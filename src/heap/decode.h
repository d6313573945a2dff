/*-------------------------------------------------------------------------
 *
 * decode.h
 *	  Private to the heap folder: the layout of a table's tuples and the
 *	  decode kernels, which exist once for each instruction set level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_HEAP_DECODE_H
#define VEXEC_HEAP_DECODE_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "storage/bufpage.h"

#include "batch/batch.h"

/* Offsets are below BLCKSZ (at most 32768), so these two are free. */
#define VEXEC_OFFSET_MISSING	0xFFFE	/* the tuple is older than the column */
#define VEXEC_OFFSET_NULL		0xFFFF

/* One attribute as the walk sees it. */
typedef struct VexecAttribute
{
	int16		len;			/* bytes, -1 varlena, -2 zero-terminated */
	uint8		align;			/* bytes: 1, 2, 4 or 8 */
	bool		byval;
	uint16	   *offsets;		/* where the general walk writes the offset of
								 * the value, by row; NULL: nobody asks */
} VexecAttribute;

/* What a walk over null-free tuples passes. */
typedef enum VexecStepKind
{
	VEXEC_STEP_FIXED,			/* position = align(position) + size */
	VEXEC_STEP_VARLENA,
	VEXEC_STEP_CSTRING
} VexecStepKind;

typedef struct VexecStep
{
	VexecStepKind kind;
	uint8		align;
	uint16		size;			/* FIXED: at most BLCKSZ */
} VexecStep;

/*
 * Which values a kernel visits.  Positions are bytes from the start of the
 * tuple's data, before the padding of the value that stands there.
 */
typedef struct VexecWalk
{
	const char *const *data;	/* start of the tuples' data, by row; in pinned
								 * pages, so the tuple header stands before it */
	const uint16 *from;			/* positions by row; NULL: from_constant */
	int			from_constant;
	uint16	   *to;				/* positions behind the values; may be from in
								 * skip only; NULL: nobody asks */
	const uint16 *sel;			/* NULL: every row is selected */
	int			begin;			/* visit selected rows number begin .. end-1 */
	int			end;
} VexecWalk;

/* What gathering a page's tuples finds. */
typedef struct VexecGathered
{
	uint16		infomask;		/* of all tuples, or'ed */
	uint16		natts;			/* of the tuple with the fewest */
} VexecGathered;

/*
 * The kernels.  Values land at their row.  A kernel that fills a list of odd
 * rows (ascending, capacity VEXEC_BATCH_ROWS) returns its length; values there
 * are left to the caller.
 */
typedef struct VexecDecodeKernels
{
	/* Tuples of a prepared page, into arrays of n elements. */
	void		(*gather) (Page page, const OffsetNumber *lines, int n,
						   const char **data, uint8 *header_size, VexecGathered *gathered);

	/* Move positions over attributes that no tuple has as null. */
	void		(*skip) (const VexecWalk *walk, const VexecStep *steps, int nsteps);

	/*
	 * Walk attributes att .. last-1 (0-based) of tuples that may be short or
	 * have nulls, and write the offsets that are asked for.
	 */
	void		(*walk) (const VexecWalk *walk, const uint8 *header_size,
						 const VexecAttribute *attributes, int att, int last);

	/*
	 * Rows whose offset is that of a value; the others are marked in nulls, at
	 * the n selected rows only.  Returns the number of rows with a value; sets
	 * *missing if a tuple is older than the column.
	 */
	int			(*split) (const uint16 *offsets, const uint16 *sel, int n, uint16 *present,
						  uint64 *nulls, bool *missing);

	/* Fixed width by value, as stored (width 1, 2, 4 or 8). */
	void		(*fixed) (const VexecWalk *walk, int align, int width, void *values);

	/* The same, widened to Datum as fetch_att does. */
	void		(*datum) (const VexecWalk *walk, int align, int width, Datum *values);

	/* Pointers to fixed-width (len > 0) or varlena (len = -1) values. */
	void		(*pointer) (const VexecWalk *walk, int align, int len, Datum *values);

	/* Strings; odd: compressed or out of line. */
	int			(*string) (const VexecWalk *walk, int align, VexecString *values, uint16 *odd);

	/*
	 * Numerics at a scale (0 .. VEXEC_MAX_SCALE); odd: not in the short
	 * format, of another display scale, or of more digits than the kernel
	 * takes.
	 */
	int			(*numeric) (const VexecWalk *walk, int align, int scale, int64 *values,
							uint16 *odd);
} VexecDecodeKernels;

/* The kernels at the instruction set level in force. */
extern const VexecDecodeKernels *vexec_decode_kernels(void);

/*
 * The layout of a table's tuples: attributes by number - 1, and where the
 * leading fixed-width ones end.
 */
typedef struct VexecLayout
{
	int			natts;
	VexecAttribute *attributes;
	int			prefix;			/* attributes 0 .. prefix-1 have fixed width */
	int			prefix_size;	/* position behind them in a tuple without
								 * nulls; capped, see layout.c */
	int		   *constant;		/* offset of each of them in such a tuple */
} VexecLayout;

/* Allocated in the current memory context. */
extern VexecLayout *vexec_layout_create(TupleDesc tupdesc);

/*
 * The steps that pass attributes first .. last-1 (0-based), as few as can be;
 * allocated in the current memory context.
 */
extern VexecStep *vexec_layout_steps(const VexecLayout *layout, int first, int last, int *nsteps);

/* Bytes from a position to the value that stands behind its padding. */
static inline int
vexec_align_offset(const char *data, int position, int len, int align)
{
	/* a zero byte is padding, or begins an aligned 4-byte header */
	if (len == -1 && data[position] != 0)
		return position;
	return TYPEALIGN(align, position);
}

#endif							/* VEXEC_HEAP_DECODE_H */
