/*-------------------------------------------------------------------------
 *
 * inlist.h
 *	  The inside of an IN list, shared by inlist.c (which builds it) and
 *	  kernel_inlist.c (which looks values up).
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_INLIST_H
#define VEXEC_INLIST_H

#include "expr/kernel.h"
#include "expr/kernel_string.h"

/*
 * Up to so many integers are compared one after the other: a vectorized pass
 * over the batch costs less than a lookup per row.
 */
#define VEXEC_INLIST_SMALL_INTS 8

/* Up to so many strings are compared one after the other. */
#define VEXEC_INLIST_SMALL_STRINGS 4

struct VexecInList
{
	VexecKind	kind;
	bool		bpchar;			/* trailing blanks do not count */
	int			count;
	int64	   *ints;			/* INT16, INT32, INT64: the elements; owned */
	VexecString *strings;		/* STRING: the elements, without trailing blanks
								 * if bpchar; owned, bytes too */
	uint64	   *bitmap;			/* INT16, long list: one bit per value */
	int32	   *slots;			/* long list: element number or -1 */
	uint32		mask;			/* number of slots - 1 */
};

static inline uint64
vexec_inlist_hash_int(int64 v)
{
	const uint64 h = (uint64) v * UINT64CONST(0x9E3779B97F4A7C15);

	return h ^ (h >> 32);
}

#endif							/* VEXEC_INLIST_H */
