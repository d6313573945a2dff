/*-------------------------------------------------------------------------
 *
 * compile.c
 *	  Expression trees to programs.
 *
 * The planner's question "is there a kernel for all of this" and the
 * executor's compilation are one walk: in a dry run no vectors are made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/compile.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/regproc.h"

#include "compat.h"

/* An IN list up to this long runs as a chain of comparisons and ORs. */
#define MAX_EXPANDED_LIST 3

/* Longer lists than this are not expanded either; core hashes them. */
#define MAX_CHAINED_LIST 16

typedef struct Compiler
{
	VexecProgram *program;		/* NULL in a dry run */
	VexecExpr  *test_value;		/* what CaseTestExpr stands for */
	bool		uses_test_value;
	int			kernels;
	char	   *reason;
} Compiler;

static VexecExpr *compile(Compiler *c, Node *node);

static VexecExpr *
decline(Compiler *c, char *reason)
{
	if (c->reason == NULL)
		c->reason = reason;
	return NULL;
}

static VexecExpr *
make_expr(Compiler *c, VexecOp op, Oid typid, int nargs)
{
	VexecExpr  *expr = palloc0(sizeof(VexecExpr));

	expr->op = op;
	expr->typid = typid;
	expr->nargs = nargs;
	expr->args = palloc0(sizeof(VexecExpr *) * Max(nargs, 1));
	if (c->program != NULL && op != VEXEC_OP_COLUMN)
	{
		bool		constant = op == VEXEC_OP_CONST || op == VEXEC_OP_PARAM;

		expr->result = vexec_vector_create(vexec_kind_of_type(typid), constant);
	}
	if (c->program != NULL &&
		(op == VEXEC_OP_AND || op == VEXEC_OP_OR || op == VEXEC_OP_CASE || op == VEXEC_OP_COALESCE))
	{
		expr->rows = palloc(sizeof(uint16) * VEXEC_BATCH_ROWS);
		expr->hits = palloc(sizeof(uint16) * VEXEC_BATCH_ROWS);
		expr->merged = palloc(sizeof(uint16) * VEXEC_BATCH_ROWS);
	}
	c->kernels++;
	return expr;
}

static bool
compile_args(Compiler *c, VexecExpr *expr, List *args)
{
	int			i = 0;

	foreach_ptr(Node, arg, args)
	{
		VexecExpr  *compiled = compile(c, arg);

		if (compiled == NULL)
			return false;
		expr->args[i++] = compiled;
		expr->can_stop |= compiled->can_stop;
	}
	return true;
}

static inline bool
is_constant(const VexecExpr *expr)
{
	return expr->op == VEXEC_OP_CONST || expr->op == VEXEC_OP_PARAM;
}

/* Numeric as int64 * 10^-scale, if it is finite and fits. */
static bool
numeric_to_decimal(Datum value, int64 *decimal, int16 *scale)
{
	Numeric		number = DatumGetNumeric(value);
	int32		dscale;
	Datum		scaled;
	Datum		limit;

	if (numeric_is_nan(number) || numeric_is_inf(number))
		return false;
	dscale = DatumGetInt32(DirectFunctionCall1(numeric_scale, NumericGetDatum(number)));
	if (dscale > VEXEC_MAX_SCALE)
		return false;

	/* 10^18 leaves room for the sign and fits whatever the scale */
	scaled = DirectFunctionCall2(numeric_mul, NumericGetDatum(number),
								 NumericGetDatum(int64_div_fast_to_numeric(1, -dscale)));
	limit = NumericGetDatum(int64_to_numeric(INT64CONST(1000000000000000000)));
	if (DatumGetBool(DirectFunctionCall2(numeric_ge,
										 DirectFunctionCall1(numeric_abs, scaled), limit)))
		return false;
	*decimal = DatumGetInt64(DirectFunctionCall1(numeric_int8, scaled));
	*scale = dscale;
	return true;
}

void
vexec_constant_store(VexecVector *vec, Oid typid, Datum value, bool isnull)
{
	vec->has_nulls = isnull;
	vec->is_decimal = false;
	vexec_clear_null(vec, 0);
	if (isnull && vec->kind == VEXEC_NUMERIC)
	{
		/* a null takes part in decimal arithmetic like any number */
		vec->is_decimal = true;
		vec->scale = 0;
		VEXEC_VALUES(vec, int64)[0] = 0;
		vexec_set_null(vec, 0);
		return;
	}
	if (!isnull && vec->kind == VEXEC_NUMERIC)
	{
		int64		decimal;
		int16		scale;

		if (numeric_to_decimal(value, &decimal, &scale))
		{
			vec->is_decimal = true;
			vec->scale = scale;
			VEXEC_VALUES(vec, int64)[0] = decimal;
			return;
		}
	}
	vexec_vector_store(vec, 0, typid, value, isnull);
}

static VexecExpr *
compile_var(Compiler *c, Var *var)
{
	VexecExpr  *expr;

	if (var->varlevelsup != 0 || var->varattno == 0)
		return decline(c, pstrdup("a whole-row reference"));
	if (var->varattno < 0)
		return decline(c, pstrdup("a system column"));
	expr = make_expr(c, VEXEC_OP_COLUMN, var->vartype, 0);
	expr->attno = var->varattno;
	return expr;
}

static VexecExpr *
compile_const(Compiler *c, Const *constant)
{
	VexecExpr  *expr;

	if (vexec_kind_of_type(constant->consttype) == VEXEC_DATUM)
		return decline(c, psprintf("a value of type %s", format_type_be(constant->consttype)));
	expr = make_expr(c, VEXEC_OP_CONST, constant->consttype, 0);
	if (c->program != NULL)
		vexec_constant_store(expr->result, constant->consttype,
							 constant->constvalue, constant->constisnull);
	return expr;
}

static VexecExpr *
compile_param(Compiler *c, Param *param)
{
	VexecExpr  *expr;

	if (vexec_kind_of_type(param->paramtype) == VEXEC_DATUM)
		return decline(c, psprintf("a parameter of type %s", format_type_be(param->paramtype)));
	expr = make_expr(c, VEXEC_OP_PARAM, param->paramtype, 0);
	expr->param_node = param;
	expr->can_stop = true;
	if (c->program != NULL)
	{
		expr->param = ExecInitExprWithParams((Expr *) param,
											 c->program->econtext->ecxt_param_list_info);
		c->program->params = lappend(c->program->params, expr);
	}
	return expr;
}

/* Does the kernel serve inputs of this collation? */
static bool
collation_fits(const VexecKernel *kernel, Oid collation)
{
	if ((kernel->flags & (VEXEC_KERNEL_DETERMINISTIC | VEXEC_KERNEL_COLLATE_C)) == 0)
		return true;
	if (!OidIsValid(collation))
		return false;			/* core raises "could not determine which collation" */
	if (kernel->flags & VEXEC_KERNEL_COLLATE_C)
		return vexec_collation_is_c(collation);
	return get_collation_isdeterministic(collation);
}

static VexecExpr *
compile_function(Compiler *c, Oid function, Oid result_type, Oid collation, List *args)
{
	const VexecKernel *kernel = vexec_kernel_lookup(function);
	VexecExpr  *expr;
	Const	   *constant = NULL;
	bool		all_constant = true;

	/* a prepared kernel may take further constant arguments, kept in the second */
	if (kernel == NULL || list_length(args) < kernel->nargs ||
		list_length(args) > Max(kernel->nargs, 2))
		return decline(c, psprintf("function %s", format_procedure(function)));
	if (!collation_fits(kernel, collation))
		return decline(c, psprintf("function %s under this collation", format_procedure(function)));

	if (list_length(args) > 1 && IsA(lsecond(args), Const))
		constant = lsecond_node(Const, args);

	expr = make_expr(c, VEXEC_OP_KERNEL, result_type, kernel->nargs);
	expr->kernel = kernel;
	expr->can_stop = (kernel->flags & VEXEC_KERNEL_CAN_STOP) != 0;
	if (!compile_args(c, expr, list_truncate(list_copy(args), kernel->nargs)))
		return NULL;
	for (int i = 0; i < kernel->nargs; i++)
	{
		if (vexec_kind_of_type(expr->args[i]->typid) != kernel->args[i])
			return decline(c, psprintf("function %s", format_procedure(function)));
		all_constant &= is_constant(expr->args[i]);
	}
	if (all_constant)
		return decline(c, psprintf("function %s of constants only", format_procedure(function)));
	if (kernel->prepare != NULL && !kernel->prepare(constant, &expr->prepared))
		return decline(c, psprintf("function %s with this argument", format_procedure(function)));
	return expr;
}

/* The equality function if this is an inequality function that lists use. */
static Oid
negated_equality(Oid function)
{
	switch (function)
	{
		case F_INT2NE:
			return F_INT2EQ;
		case F_INT4NE:
			return F_INT4EQ;
		case F_INT8NE:
			return F_INT8EQ;
		case F_DATE_NE:
			return F_DATE_EQ;
		case F_TIMESTAMP_NE:
			return F_TIMESTAMP_EQ;
		case F_TIMESTAMPTZ_NE:
			return F_TIMESTAMPTZ_EQ;
		case F_TEXTNE:
			return F_TEXTEQ;
		case F_BPCHARNE:
			return F_BPCHAREQ;
		default:
			return InvalidOid;
	}
}

static bool
is_list_equality(Oid function)
{
	switch (function)
	{
		case F_INT2EQ:
		case F_INT4EQ:
		case F_INT8EQ:
		case F_DATE_EQ:
		case F_TIMESTAMP_EQ:
		case F_TIMESTAMPTZ_EQ:
		case F_TEXTEQ:
		case F_BPCHAREQ:
			return true;
		default:
			return false;
	}
}

/* x = ANY (list) or x <> ALL (list) as one lookup. */
static VexecExpr *
compile_in_list(Compiler *c, VexecExpr *scalar, Oid equality, bool negate, Oid element_type,
				Datum *elements, bool *nulls, int count)
{
	VexecExpr  *expr = make_expr(c, VEXEC_OP_IN_LIST, BOOLOID, 1);

	expr->args[0] = scalar;
	expr->can_stop = scalar->can_stop;
	expr->negate = negate;
	for (int i = 0; i < count; i++)
		expr->list_has_null |= nulls[i];
	if (c->program != NULL)
	{
		VexecKind	kind = vexec_kind_of_type(element_type);
		Size		width = vexec_kind_width(kind);
		char	   *values = palloc(width * Max(count, 1));
		VexecVector *one = vexec_vector_create(kind, true);
		int			n = 0;

		for (int i = 0; i < count; i++)
		{
			if (nulls[i])
				continue;
			vexec_vector_store(one, 0, element_type, elements[i], false);
			memcpy(values + width * n++, one->values, width);
		}
		expr->in_list = vexec_inlist_create(kind, equality == F_BPCHAREQ, values, n);
	}
	return expr;
}

/* scalar op ANY/ALL (constant array) */
static VexecExpr *
compile_array_op(Compiler *c, ScalarArrayOpExpr *saop)
{
	Node	   *scalar = linitial(saop->args);
	Const	   *constant = lsecond(saop->args);
	ArrayType  *array;
	Oid			element_type;
	int16		typlen;
	bool		typbyval;
	char		typalign;
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	Oid			equality;
	List	   *chain = NIL;

	set_opfuncid((OpExpr *) saop);
	if (!IsA(constant, Const) || constant->constisnull)
		return decline(c, pstrdup("an array that is not constant"));
	array = DatumGetArrayTypeP(constant->constvalue);
	element_type = ARR_ELEMTYPE(array);
	get_typlenbyvalalign(element_type, &typlen, &typbyval, &typalign);
	deconstruct_array(array, element_type, typlen, typbyval, typalign, &elements, &nulls, &count);

	equality = saop->useOr ? saop->opfuncid : negated_equality(saop->opfuncid);
	if (count > MAX_EXPANDED_LIST && is_list_equality(equality))
	{
		const VexecKernel *kernel = vexec_kernel_lookup(equality);
		VexecExpr  *compiled;

		if (kernel != NULL && collation_fits(kernel, saop->inputcollid))
		{
			compiled = compile(c, scalar);
			if (compiled == NULL)
				return NULL;
			if (!is_constant(compiled) &&
				vexec_kind_of_type(compiled->typid) == vexec_kind_of_type(element_type))
				return compile_in_list(c, compiled, equality, !saop->useOr, element_type,
									   elements, nulls, count);
		}
	}
	if (count == 0 || count > MAX_CHAINED_LIST)
		return decline(c, psprintf("a list of %d elements for operator %s", count,
								   get_opname(saop->opno)));

	for (int i = 0; i < count; i++)
	{
		Const	   *element = makeConst(element_type, -1, get_typcollation(element_type), typlen,
										elements[i], nulls[i], typbyval);
		OpExpr	   *op = (OpExpr *) make_opclause(saop->opno, BOOLOID, false, (Expr *) scalar,
												  (Expr *) element, InvalidOid,
												  saop->inputcollid);

		op->opfuncid = saop->opfuncid;
		chain = lappend(chain, op);
	}
	if (count == 1)
		return compile(c, linitial(chain));
	return compile(c, (Node *) makeBoolExpr(saop->useOr ? OR_EXPR : AND_EXPR, chain, -1));
}

static VexecExpr *
compile_case(Compiler *c, CaseExpr *node)
{
	VexecExpr  *expr;
	VexecExpr  *saved_test = c->test_value;
	int			i = 0;

	if (vexec_kind_of_type(node->casetype) == VEXEC_DATUM)
		return decline(c, psprintf("a value of type %s", format_type_be(node->casetype)));
	if (node->arg != NULL)
	{
		VexecExpr  *test = compile(c, (Node *) node->arg);

		if (test == NULL)
			return NULL;
		c->test_value = test;
	}
	expr = make_expr(c, VEXEC_OP_CASE, node->casetype, 2 * list_length(node->args) + 1);
	foreach_node(CaseWhen, when, node->args)
	{
		expr->args[i] = compile(c, (Node *) when->expr);
		if (expr->args[i] == NULL)
			return NULL;
		i++;
		expr->args[i] = compile(c, (Node *) when->result);
		if (expr->args[i] == NULL)
			return NULL;
		i++;
	}
	expr->args[i] = compile(c, (Node *) node->defresult);
	if (expr->args[i] == NULL)
		return NULL;
	for (i = 0; i < expr->nargs; i++)
		expr->can_stop |= expr->args[i]->can_stop;
	c->test_value = saved_test;
	return expr;
}

static VexecExpr *
compile_distinct(Compiler *c, DistinctExpr *node)
{
	const VexecKernel *kernel;
	VexecExpr  *expr;

	set_opfuncid((OpExpr *) node);
	kernel = vexec_kernel_lookup(node->opfuncid);
	if (kernel == NULL || kernel->nargs != 2 || !collation_fits(kernel, node->inputcollid) ||
		kernel->prepare != NULL)
		return decline(c, pstrdup("IS DISTINCT FROM for this type"));
	expr = make_expr(c, VEXEC_OP_DISTINCT, BOOLOID, 2);
	expr->kernel = kernel;
	expr->can_stop = (kernel->flags & VEXEC_KERNEL_CAN_STOP) != 0;
	if (!compile_args(c, expr, node->args))
		return NULL;
	if (vexec_kind_of_type(expr->args[0]->typid) != kernel->args[0] ||
		vexec_kind_of_type(expr->args[1]->typid) != kernel->args[1] ||
		(is_constant(expr->args[0]) && is_constant(expr->args[1])))
		return decline(c, pstrdup("IS DISTINCT FROM for these arguments"));
	return expr;
}

static VexecExpr *
compile_node(Compiler *c, Node *node)
{
	VexecExpr  *expr;

	switch (nodeTag(node))
	{
		case T_Var:
			return compile_var(c, (Var *) node);
		case T_Const:
			return compile_const(c, (Const *) node);
		case T_Param:
			return compile_param(c, (Param *) node);
		case T_OpExpr:
			{
				OpExpr	   *op = (OpExpr *) node;

				set_opfuncid(op);
				return compile_function(c, op->opfuncid, op->opresulttype, op->inputcollid,
										op->args);
			}
		case T_FuncExpr:
			{
				FuncExpr   *func = (FuncExpr *) node;

				return compile_function(c, func->funcid, func->funcresulttype, func->inputcollid,
										func->args);
			}
		case T_ScalarArrayOpExpr:
			return compile_array_op(c, (ScalarArrayOpExpr *) node);
		case T_DistinctExpr:
			return compile_distinct(c, (DistinctExpr *) node);
		case T_RelabelType:
			{
				RelabelType *relabel = (RelabelType *) node;
				VexecExpr  *arg = compile(c, (Node *) relabel->arg);

				if (arg == NULL)
					return NULL;
				/* text and char(n) differ in their functions, not in their vectors */
				if (vexec_kind_of_type(arg->typid) != vexec_kind_of_type(relabel->resulttype))
					return decline(c, psprintf("the cast to %s", format_type_be(relabel->resulttype)));
				return arg;
			}
		case T_BoolExpr:
			{
				BoolExpr   *boolexpr = (BoolExpr *) node;
				VexecOp		op = boolexpr->boolop == AND_EXPR ? VEXEC_OP_AND :
					boolexpr->boolop == OR_EXPR ? VEXEC_OP_OR : VEXEC_OP_NOT;

				expr = make_expr(c, op, BOOLOID, list_length(boolexpr->args));
				return compile_args(c, expr, boolexpr->args) ? expr : NULL;
			}
		case T_NullTest:
			{
				NullTest   *test = (NullTest *) node;

				if (test->argisrow)
					return decline(c, pstrdup("a row test"));
				expr = make_expr(c, VEXEC_OP_NULL_TEST, BOOLOID, 1);
				expr->test = test->nulltesttype;
				return compile_args(c, expr, list_make1(test->arg)) ? expr : NULL;
			}
		case T_BooleanTest:
			{
				BooleanTest *test = (BooleanTest *) node;

				expr = make_expr(c, VEXEC_OP_BOOLEAN_TEST, BOOLOID, 1);
				expr->test = test->booltesttype;
				return compile_args(c, expr, list_make1(test->arg)) ? expr : NULL;
			}
		case T_CaseExpr:
			return compile_case(c, (CaseExpr *) node);
		case T_CaseTestExpr:
			if (c->test_value == NULL)
				return decline(c, pstrdup("a test value"));
			c->uses_test_value = true;
			return c->test_value;
		case T_CoalesceExpr:
			{
				CoalesceExpr *coalesce = (CoalesceExpr *) node;

				if (vexec_kind_of_type(coalesce->coalescetype) == VEXEC_DATUM)
					return decline(c, psprintf("a value of type %s",
											   format_type_be(coalesce->coalescetype)));
				expr = make_expr(c, VEXEC_OP_COALESCE, coalesce->coalescetype,
								 list_length(coalesce->args));
				return compile_args(c, expr, coalesce->args) ? expr : NULL;
			}
		case T_SubPlan:
		case T_AlternativeSubPlan:
			return decline(c, pstrdup("a subquery"));
		case T_MinMaxExpr:
			return decline(c, pstrdup("GREATEST or LEAST"));
		case T_NullIfExpr:
			return decline(c, pstrdup("NULLIF"));
		case T_CoerceViaIO:
			return decline(c, psprintf("the cast to %s", format_type_be(exprType(node))));
		case T_CoerceToDomain:
			return decline(c, pstrdup("a domain check"));
		case T_SQLValueFunction:
			return decline(c, pstrdup("a current date or time function"));
		default:
			return decline(c, psprintf("an expression of type %s", format_type_be(exprType(node))));
	}
}

static VexecExpr *
compile(Compiler *c, Node *node)
{
	VexecExpr  *expr;
	bool		outer_uses = c->uses_test_value;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();		/* the search below is quadratic in all */
	if (c->program != NULL)
	{
		foreach_ptr(VexecExpr, known, c->program->nodes)
		{
			if (known->source != NULL && equal(known->source, node))
				return known;
		}
	}

	c->uses_test_value = false;
	expr = compile_node(c, node);
	if (expr != NULL && c->program != NULL && !list_member_ptr(c->program->nodes, expr))
	{
		if (!c->uses_test_value)
			expr->source = node;
		c->program->nodes = lappend(c->program->nodes, expr);
	}
	c->uses_test_value |= outer_uses;
	return expr;
}

bool
vexec_expr_supported(Node *expr, char **reason)
{
	Compiler	c = {0};

	if (compile(&c, expr) != NULL)
		return true;
	*reason = c.reason;
	return false;
}

int
vexec_expr_count_kernels(Node *expr)
{
	Compiler	c = {0};

	(void) compile(&c, expr);
	return c.kernels;
}

VexecProgram *
vexec_program_create(ExprContext *econtext)
{
	VexecProgram *program = palloc0(sizeof(VexecProgram));

	program->econtext = econtext;
	program->query_memory = CurrentMemoryContext;
	program->param_memory = AllocSetContextCreate(CurrentMemoryContext, "VexecParams",
												  ALLOCSET_SMALL_SIZES);
	program->batch_memory = AllocSetContextCreate(CurrentMemoryContext, "VexecBatch",
												  ALLOCSET_DEFAULT_SIZES);
	return program;
}

VexecExpr *
vexec_program_add(VexecProgram *program, Node *expr)
{
	Compiler	c = {.program = program};
	MemoryContext old = MemoryContextSwitchTo(program->query_memory);
	VexecExpr  *compiled;
	char	   *reason;

	/* first dry, so that a failure leaves no parts behind that would be run */
	compiled = vexec_expr_supported(expr, &reason) ? compile(&c, expr) : NULL;
	MemoryContextSwitchTo(old);
	return compiled;
}

bool
vexec_expr_can_stop(const VexecExpr *expr)
{
	return expr->can_stop;
}

bool
vexec_expr_is_cheap(const VexecExpr *expr)
{
	if (expr->op != VEXEC_OP_KERNEL || expr->can_stop)
		return false;
	for (int i = 0; i < expr->nargs; i++)
	{
		if (expr->args[i]->op != VEXEC_OP_COLUMN && expr->args[i]->op != VEXEC_OP_CONST)
			return false;
		if (expr->kernel->args[i] == VEXEC_STRING || expr->kernel->args[i] == VEXEC_DATUM)
			return false;
	}
	return true;
}
