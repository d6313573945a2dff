/*
 * What cppcheck must know of the server's macros that stand for a loop or a
 * block; it does not read the server's headers.
 */
#define foreach(cell, list) for (; (cell) != 0;)
#define foreach_ptr(type, var, list) for (type *var = first(list); var != 0; var = next(list))
#define foreach_node(type, var, list) foreach_ptr(type, var, list)
#define foreach_int(var, list) for (int var = first(list); var != 0; var = next(list))
#define foreach_oid(var, list) for (Oid var = first(list); var != 0; var = next(list))
#define forboth(cell1, list1, cell2, list2) for (; (cell1) != 0 && (cell2) != 0;)
#define PG_TRY(...) {
#define PG_CATCH(...) } {
#define PG_FINALLY(...) } {
#define PG_END_TRY(...) }
#define PG_FUNCTION_ARGS FunctionCallInfo fcinfo
#define pg_attribute_noreturn()
#define PG_USED_FOR_ASSERTS_ONLY
