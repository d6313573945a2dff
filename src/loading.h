/*-------------------------------------------------------------------------
 *
 * loading.h
 *	  How the library came into this session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_LOADING_H
#define VEXEC_LOADING_H

/* The same as default_version in pg_vexec.control. */
#define VEXEC_VERSION "1.0"

/* Note what loads the library; to be called from _PG_init. */
extern void vexec_loading_init(void);

#endif							/* VEXEC_LOADING_H */
