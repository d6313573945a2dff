/*-------------------------------------------------------------------------
 *
 * kernel_families.h
 *	  The families of kernels, one per kernel file, and who may see them:
 *	  kernels.c, which finds a kernel by its function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_FAMILIES_H
#define VEXEC_KERNEL_FAMILIES_H

#include "expr/kernel.h"

#define VEXEC_FAMILY_DECLARE(name) \
	extern const VexecKernelFamily name##_base; \
	extern const VexecKernelFamily name##_v3; \
	extern const VexecKernelFamily name##_v4

VEXEC_FAMILY_DECLARE(vexec_kernels_compare);
VEXEC_FAMILY_DECLARE(vexec_kernels_int);
VEXEC_FAMILY_DECLARE(vexec_kernels_cast);
VEXEC_FAMILY_DECLARE(vexec_kernels_float);
VEXEC_FAMILY_DECLARE(vexec_kernels_datetime);
VEXEC_FAMILY_DECLARE(vexec_kernels_numeric_compare);
VEXEC_FAMILY_DECLARE(vexec_kernels_numeric);
VEXEC_FAMILY_DECLARE(vexec_kernels_numeric_cast);
VEXEC_FAMILY_DECLARE(vexec_kernels_text);
VEXEC_FAMILY_DECLARE(vexec_kernels_like);

/*
 * The families at the level in force; the array and its contents are static.
 */
extern const VexecKernelFamily *const *vexec_kernel_families(int *count);

#endif							/* VEXEC_KERNEL_FAMILIES_H */
