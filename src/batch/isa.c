/*-------------------------------------------------------------------------
 *
 * isa.c
 *	  The instruction set level that the kernels run at.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "batch/isa.h"
#include "settings.h"

/*
 * The level of the CPU: x86-64-v3 and -v4 as the processor supplement of the
 * System V ABI defines them, since that is what the compiler may emit.  The
 * registers' support by the operating system is part of the builtin's answer.
 */
static VexecIsaLevel
detect_level(void)
{
#if defined(VEXEC_MULTI_ISA) && defined(__x86_64__)
	const unsigned movbe_f16c = (1u << 22) | (1u << 29);
	const unsigned lzcnt = 1u << 5;
	unsigned	eax;
	unsigned	ebx;
	unsigned	ecx;
	unsigned	edx;

	__builtin_cpu_init();

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & movbe_f16c) != movbe_f16c ||
		!__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) || (ecx & lzcnt) == 0)
		return VEXEC_ISA_BASE;
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
		!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
		return VEXEC_ISA_BASE;
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
		!__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
		!__builtin_cpu_supports("avx512vl"))
		return VEXEC_ISA_V3;
	return VEXEC_ISA_V4;
#else
	return VEXEC_ISA_BASE;
#endif
}

VexecIsaLevel
vexec_isa_level(void)
{
	static int	detected = -1;

	if (detected < 0)
		detected = detect_level();
	return (VexecIsaLevel) Max(VEXEC_ISA_BASE, Min(detected, vexec_isa));
}
