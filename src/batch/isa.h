/*-------------------------------------------------------------------------
 *
 * isa.h
 *	  Which build of the kernel files runs: every kernel_*.c file is compiled
 *	  for the baseline, for x86-64-v3 (AVX2) and for x86-64-v4 (AVX-512).
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_ISA_H
#define VEXEC_ISA_H

typedef enum VexecIsaLevel
{
	VEXEC_ISA_BASE,
	VEXEC_ISA_V3,
	VEXEC_ISA_V4
} VexecIsaLevel;

/*
 * A kernel file's own level, and names that carry it: each of its symbols that
 * is not static needs one.
 */
#ifndef VEXEC_ISA
#define VEXEC_ISA base
#endif
#define VEXEC_ISA_NAME(name) VEXEC_ISA_NAME1(name, VEXEC_ISA)
#define VEXEC_ISA_NAME1(name, isa) VEXEC_ISA_NAME2(name, isa)
#define VEXEC_ISA_NAME2(name, isa) name##_##isa

/* Compiled in by the Makefile on x86-64 only. */
#ifdef VEXEC_MULTI_ISA
#define VEXEC_ISA_TABLE(name) {&name##_base, &name##_v3, &name##_v4}
#else
#define VEXEC_ISA_TABLE(name) {&name##_base, &name##_base, &name##_base}
#endif

/* The highest level that CPU and build have, capped by pg_vexec.isa. */
extern VexecIsaLevel vexec_isa_level(void);

#endif							/* VEXEC_ISA_H */
