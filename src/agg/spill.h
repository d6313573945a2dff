/*-------------------------------------------------------------------------
 *
 * spill.h
 *	  Rows of groups that found no room, on disk in hash partitions.  Private to
 *	  this folder.
 *
 * Rounds: in the first one rows come from the plan, in each later one from one
 * partition.  The rows that a round cannot group are written to partitions of
 * the next level, chosen by a hash of the row's hash and the level.  Where all
 * hashes are equal a level has one partition, and every round still makes
 * progress, because it groups what fits into memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SPILL_H
#define VEXEC_SPILL_H

#include "agg/agg.h"

typedef struct VexecSpill VexecSpill;

/* The share of a memory limit that is left to buffers of partitions. */
#define SPILL_SHARE(limit) ((limit) / 8)

/*
 * Rows have the columns of this plan (borrowed).  All memory is in a child of
 * the current context; memory is about what buffers may take: each open
 * partition needs one, and a few are needed in any case.
 */
extern VexecSpill *vexec_spill_create(const VexecGroupingPlan *plan, Size memory);

/*
 * Write rows of a batch.  hashes[k] belongs to rows[k].  An argument of which
 * all calls have filters is written only where one of these is true, a column
 * that is neither key nor argument nor filter never.  The file obeys temp_file_limit
 * and temp_tablespaces, and goes with the resource owner.
 */
extern void vexec_spill_write(VexecSpill *spill, const VexecVector *const *columns,
							  const uint16 *rows, const uint64 *hashes, int n);

/*
 * End the round: the partition read is deleted, one that was written becomes
 * the next to read.  False if there is none.
 */
extern bool vexec_spill_next_round(VexecSpill *spill);

/* Has this round written rows? */
extern bool vexec_spill_wrote(const VexecSpill *spill);

/*
 * Read up to maxrows rows of the partition into vectors, which stay the
 * spill's and are valid until the next call.  Returns their number, 0 at the
 * end.  Rows keep the order in which they were written.  A NUMERIC vector is
 * decimal if all its values are, at one scale.
 */
extern int	vexec_spill_read(VexecSpill *spill, int maxrows, const VexecVector *const **columns);

/* Sums over all scans. */
extern uint64 vexec_spill_rows_written(const VexecSpill *spill);
extern uint64 vexec_spill_partitions(const VexecSpill *spill);

/* Bytes of the file, and of buffers in memory. */
extern Size vexec_spill_disk(const VexecSpill *spill);
extern Size vexec_spill_memory(const VexecSpill *spill);

/* Delete the file; the first round can begin again. */
extern void vexec_spill_reset(VexecSpill *spill);

#endif							/* VEXEC_SPILL_H */
