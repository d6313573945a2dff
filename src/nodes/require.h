/*-------------------------------------------------------------------------
 *
 * require.h
 *	  pg_vexec.require; private to nodes/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_REQUIRE_H
#define VEXEC_REQUIRE_H

extern void vexec_require_init(void);

#endif							/* VEXEC_REQUIRE_H */
