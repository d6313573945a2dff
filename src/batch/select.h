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
} VexecSelectKernels;

#endif							/* VEXEC_SELECT_H */
