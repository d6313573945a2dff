/*-------------------------------------------------------------------------
 *
 * distinct_set.c
 *	  Which values of an aggregate's argument were seen in which group.
 *
 * The set is a ticket table of (group's ticket, value).  Its tickets are dense
 * and numbered by first appearance in row order, so a row is the first one of
 * its pair if and only if its ticket is the next in the numbering.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/calls.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

struct VexecDistinctSet
{
	VexecKeyType value;
	bool		grouped;		/* the table's first key is the group's ticket */
	VexecTicketTable *table;	/* NULL until the first rows */
	VexecVector *groups;		/* tickets of the batch as a vector */
	uint32	   *pairs;			/* the table's tickets of the batch, by row */
	VexecSelection not_null;
	MemoryContext memory;		/* owns the table */
};

VexecDistinctSet *
vexec_distinct_set_create(const VexecCall *call, VexecKind kind)
{
	VexecDistinctSet *set = palloc0(sizeof(VexecDistinctSet));
	Expr	   *arg = linitial_node(TargetEntry, call->aggref->args)->expr;

	Assert(list_length(call->aggref->aggdistinct) == 1);
	set->value.kind = kind;
	set->value.typid = exprType((Node *) arg);
	set->value.typmod = exprTypmod((Node *) arg);
	set->value.collation = exprCollation((Node *) arg);
	set->value.eq_operator = linitial_node(SortGroupClause, call->aggref->aggdistinct)->eqop;
	set->memory = AllocSetContextCreate(CurrentMemoryContext, "vexec distinct set",
										ALLOCSET_SMALL_SIZES);
	return set;
}

/* Whether there are groups is known with the first rows. */
static void
create_table(VexecDistinctSet *set, bool grouped)
{
	MemoryContext old_context = MemoryContextSwitchTo(set->memory);
	VexecKeyType group = {
		.kind = VEXEC_INT32,
		.typid = INT4OID,
		.typmod = -1,
	};
	VexecKeyType keys[2] = {group, set->value};

	set->grouped = grouped;
	set->table = vexec_tickets_create(grouped ? 2 : 1, grouped ? keys : &set->value, 1);
	set->pairs = palloc(VEXEC_BATCH_ROWS * sizeof(uint32));
	if (grouped)
		set->groups = vexec_vector_create(VEXEC_INT32, false);
	MemoryContextSwitchTo(old_context);
}

/* The selected rows whose value is not null. */
static const uint16 *
select_not_null(VexecDistinctSet *set, const VexecVector *value, const uint16 *sel, int *n)
{
	int			count = 0;

	if (!value->has_nulls)
		return sel;
	for (int k = 0; k < *n; k++)
	{
		int			row = sel ? sel[k] : k;

		if (!vexec_is_null(value, row))
			set->not_null.rows[count++] = row;
	}
	*n = count;
	return set->not_null.rows;
}

void
vexec_distinct_set_add(VexecDistinctSet *set, const VexecVector *value, const uint32 *tickets,
					   const uint16 *sel, int n, VexecSelection *first)
{
	const VexecVector *keys[2];
	uint32		next;

	first->count = 0;
	first->dense = false;
	if (set->table == NULL)
		create_table(set, tickets != NULL);
	Assert(set->grouped == (tickets != NULL));

	sel = select_not_null(set, value, sel, &n);
	if (n == 0)
		return;
	next = vexec_tickets_count(set->table);
	if (set->grouped)
	{
		/* a ticket is below 2^31 */
		int32	   *groups = VEXEC_VALUES(set->groups, int32);

		VEXEC_FOREACH(row, sel, n, groups[row] = (int32) tickets[row];);
		keys[0] = set->groups;
		keys[1] = value;
	}
	else
		keys[0] = value;
	(void) vexec_tickets_assign(set->table, keys, sel, n, set->pairs);
	if (vexec_tickets_count(set->table) == next)
		return;

	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;

		first->rows[first->count] = row;
		if (set->pairs[row] == next)
		{
			next++;
			first->count++;
		}
	}
	Assert(next == vexec_tickets_count(set->table));
}

Size
vexec_distinct_set_growth(const VexecDistinctSet *set, int n)
{
	return set->table == NULL ? 0 : vexec_tickets_growth(set->table, n);
}

Size
vexec_distinct_set_memory(const VexecDistinctSet *set)
{
	return MemoryContextMemAllocated(set->memory, true);
}

void
vexec_distinct_set_reset(VexecDistinctSet *set)
{
	MemoryContextReset(set->memory);
	set->table = NULL;
	set->pairs = NULL;
	set->groups = NULL;
}
