/*-------------------------------------------------------------------------
 *
 * column_stages.c
 *	  Which columns are decoded when.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/column_stages.h"

#include "access/sysattr.h"
#include "optimizer/optimizer.h"

static Bitmapset *
columns_of(Node *expr, Index relid)
{
	Bitmapset  *attributes = NULL;
	Bitmapset  *columns = NULL;
	int			member = -1;

	pull_varattnos(expr, relid, &attributes);
	while ((member = bms_next_member(attributes, member)) >= 0)
	{
		int			attno = member + FirstLowInvalidHeapAttributeNumber;

		if (attno > 0)
			columns = bms_add_member(columns, attno);
	}
	return columns;
}

void
vexec_column_stages(VexecColumnStages *stages, List *quals, List *rest, Index relid)
{
	int			i = 0;

	stages->count = list_length(quals) + 1;
	stages->sets = palloc0(sizeof(Bitmapset *) * stages->count);
	foreach_ptr(Node, qual, quals)
		stages->sets[i++] = columns_of(qual, relid);
	stages->sets[i] = columns_of((Node *) rest, relid);
}
