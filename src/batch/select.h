/*-------------------------------------------------------------------------
 *
 * select.h
 *	  The kernels behind vexec_selection_filter; private to batch/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SELECT_H
#define VEXEC_SELECT_H

#include "batch/batch.h"

/* Both return how many rows they kept; nulls may be NULL. */
typedef struct VexecSelectKernels
{
	int			(*dense) (const uint8 *values, const uint64 *nulls, int n, uint16 *rows);
	int			(*listed) (const uint8 *values, const uint64 *nulls, const uint16 *list, int n,
						   uint16 *rows);
	/* Element-wise AND; result may be a or b. */
	void		(*both) (const uint8 *a, const uint8 *b, uint8 *result, int n);
} VexecSelectKernels;

#endif							/* VEXEC_SELECT_H */
