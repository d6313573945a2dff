/*-------------------------------------------------------------------------
 *
 * agg_rights.c
 *	  The checks of execution rights that core's Agg node makes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/agg_rights.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

static void
check_acl(Oid function, Oid role, ObjectType type)
{
	AclResult	result = object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, type, get_func_name(function));
}

static void
check_execute(Oid function, Oid role, ObjectType type)
{
	if (!OidIsValid(function))
		return;
	check_acl(function, role, type);
	InvokeFunctionExecuteHook(function);
}

static Oid
function_owner(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return owner;
}

void
vexec_check_aggregate_rights(const Aggref *aggref, bool new_transition)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);

	check_execute(aggref->aggfnoid, GetUserId(), OBJECT_AGGREGATE);
	owner = function_owner(aggref->aggfnoid);
	if (!DO_AGGSPLIT_SKIPFINAL(aggref->aggsplit))
		check_execute(form->aggfinalfn, owner, OBJECT_FUNCTION);
	if (aggref->aggtranstype == INTERNALOID && DO_AGGSPLIT_SERIALIZE(aggref->aggsplit))
		check_execute(form->aggserialfn, owner, OBJECT_FUNCTION);
	if (aggref->aggtranstype == INTERNALOID && DO_AGGSPLIT_DESERIALIZE(aggref->aggsplit))
		check_execute(form->aggdeserialfn, owner, OBJECT_FUNCTION);
	if (new_transition)
		check_execute(DO_AGGSPLIT_COMBINE(aggref->aggsplit) ? form->aggcombinefn :
					  form->aggtransfn, owner, OBJECT_FUNCTION);
	ReleaseSysCache(tuple);

	/* one column of DISTINCT is compared without a check, several are compared by an expression */
	if (new_transition && list_length(aggref->aggdistinct) > 1)
	{
		for (int i = list_length(aggref->aggdistinct) - 1; i >= 0; i--)
		{
			SortGroupClause *clause = list_nth_node(SortGroupClause, aggref->aggdistinct, i);

			check_execute(get_opcode(clause->eqop), GetUserId(), OBJECT_FUNCTION);
		}
	}
}

void
vexec_check_key_rights(Oid eq_operator)
{
	check_execute(get_opcode(eq_operator), GetUserId(), OBJECT_FUNCTION);
}

static bool
check_node_rights(Node *node, void *context)
{
	Oid			function = InvalidOid;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			function = ((FuncExpr *) node)->funcid;
			break;
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			function = get_opcode(((OpExpr *) node)->opno);
			break;
		case T_ScalarArrayOpExpr:
			function = get_opcode(((ScalarArrayOpExpr *) node)->opno);
			break;
		default:
			break;
	}
	if (OidIsValid(function))
		check_acl(function, GetUserId(), OBJECT_FUNCTION);
	return expression_tree_walker(node, check_node_rights, context);
}

void
vexec_check_expression_rights(Node *expr)
{
	(void) check_node_rights(expr, NULL);
}
