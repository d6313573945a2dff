/*-------------------------------------------------------------------------
 *
 * loading.c
 *	  How the library came into this session, and the SQL functions about it.
 *
 * PostgreSQL accepts SET for a setting of a library that is not loaded, and
 * nothing happens.  So new sessions should have the library before their
 * first command.  pg_vexec_enable_database() sees to that for one database,
 * by a login event trigger that belongs to the extension.  The alternative
 * would be session_preload_libraries of the database.  The trigger is better
 * because
 *
 *	- a library that is missing, of another server version, or failing to
 *	  start raises an error that the trigger's function turns into a warning.
 *	  From session_preload_libraries it refuses every connection, also on
 *	  standbys, where the database's setting cannot be changed;
 *	- DROP EXTENSION removes it.  The setting would stay;
 *	- it adds to the libraries of the configuration file.  The database's
 *	  setting replaces them with a copy, which goes stale;
 *	- a dump does not carry it to servers that lack the library.
 *
 * The price is a part of a millisecond when a session starts, and that a
 * restored dump needs the call again.
 *
 * The trigger's function is in PL/pgSQL, for one in C would be in the library
 * that may be missing.  It runs as the extension's owner, because the user of
 * the session need not have USAGE on the extension's schema.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "batch/isa.h"
#include "loading.h"

#define LIBRARY_NAME "pg_vexec"

typedef enum LoadedBy
{
	LOADED_BY_SHARED_PRELOAD,
	LOADED_BY_SESSION_PRELOAD,
	LOADED_BY_LOCAL_PRELOAD,
	LOADED_BY_LOGIN_TRIGGER,
	LOADED_BY_CREATE_EXTENSION,
	LOADED_BY_LOAD,
	LOADED_BY_CALL
} LoadedBy;

/* The first three are also names of settings. */
static const char *const loaded_by_text[] = {
	[LOADED_BY_SHARED_PRELOAD] = "shared_preload_libraries",
	[LOADED_BY_SESSION_PRELOAD] = "session_preload_libraries",
	[LOADED_BY_LOCAL_PRELOAD] = "local_preload_libraries",
	[LOADED_BY_LOGIN_TRIGGER] = "login trigger",
	[LOADED_BY_CREATE_EXTENSION] = "CREATE EXTENSION",
	[LOADED_BY_LOAD] = "LOAD",
	[LOADED_BY_CALL] = "function call"
};

static const char *const isa_text[] = {
	[VEXEC_ISA_BASE] = "base",
	[VEXEC_ISA_V3] = "v3",
	[VEXEC_ISA_V4] = "v4"
};

static LoadedBy loaded_by;

/* Start of the statement that loaded the library, and whether a function below was called since. */
static TimestampTz loaded_in_statement;
static bool called_since_loaded;

PG_FUNCTION_INFO_V1(vexec_load);
PG_FUNCTION_INFO_V1(vexec_library);

/*
 * Elements of a list of libraries as in shared_preload_libraries; NIL for one
 * that PostgreSQL would not accept.  Allocated in the current context.
 */
static List *
split_library_list(const char *libraries)
{
	List	   *names;

	if (!SplitDirectoriesString(pstrdup(libraries), ',', &names))
		return NIL;
	return names;
}

/* Does the list name this library, with or without folder and suffix? */
static bool
lists_library(const char *libraries)
{
	ListCell   *lc;

	if (libraries == NULL)
		return false;
	foreach(lc, split_library_list(libraries))
	{
		const char *name = lfirst(lc);
		const char *slash = strrchr(name, '/');

		if (slash != NULL)
			name = slash + 1;
		if (strcmp(name, LIBRARY_NAME) == 0 || strcmp(name, LIBRARY_NAME DLSUFFIX) == 0)
			return true;
	}
	return false;
}

void
vexec_loading_init(void)
{
	if (process_shared_preload_libraries_in_progress)
		loaded_by = LOADED_BY_SHARED_PRELOAD;
	else if (IsInitProcessingMode())
		loaded_by = lists_library(session_preload_libraries_string) ?
			LOADED_BY_SESSION_PRELOAD : LOADED_BY_LOCAL_PRELOAD;
	else if (creating_extension)
		loaded_by = LOADED_BY_CREATE_EXTENSION;
	else if (ActivePortal != NULL && ActivePortal->commandTag == CMDTAG_LOAD)
		loaded_by = LOADED_BY_LOAD;
	else
		loaded_by = LOADED_BY_CALL;
	loaded_in_statement = GetCurrentStatementStartTimestamp();
}

/* To be called first by every SQL function: did calling it load the library? */
static bool
loaded_by_this_call(void)
{
	bool		result = loaded_by == LOADED_BY_CALL && !called_since_loaded &&
		loaded_in_statement == GetCurrentStatementStartTimestamp();

	called_since_loaded = true;
	return result;
}

/*
 * CREATE EXTENSION hides notices of its script.  The user's own
 * client_min_messages is then the value saved below it.
 */
static int
message_level_of_user(void)
{
	struct config_generic *setting = find_option("client_min_messages", false, false, ERROR);

	if (setting->stack != NULL && setting->stack->state == GUC_SAVE)
		return setting->stack->prior.val.enumval;
	return client_min_messages;
}

/* Tell who creates the extension what makes the loading permanent. */
static void
announce_loading(const char *schema)
{
	StringInfoData libraries;
	ListCell   *lc;
	int			nest_level;

	if (loaded_by == LOADED_BY_SHARED_PRELOAD || message_level_of_user() > NOTICE)
		return;

	initStringInfo(&libraries);
	foreach(lc, split_library_list(shared_preload_libraries_string))
		appendStringInfo(&libraries, "%s, ", quote_literal_cstr(lfirst(lc)));
	appendStringInfoString(&libraries, "'" LIBRARY_NAME "'");

	nest_level = NewGUCNestLevel();
	(void) set_config_option("client_min_messages", "notice", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	ereport(NOTICE,
			(errmsg("pg_vexec is loaded in this session only"),
			 errhint("For all new sessions of this database, run: SELECT %s(); "
					 "for all sessions of the server, run: ALTER SYSTEM SET shared_preload_libraries = %s; and restart it.",
					 quote_qualified_identifier(strcmp(schema, "public") == 0 ? NULL : schema,
												"pg_vexec_enable_database"),
					 libraries.data)));
	AtEOXact_GUC(true, nest_level);
}

/*
 * pg_vexec_load(at_login boolean) returns void
 *
 * Does nothing: calling it has loaded the library.  at_login is true when the
 * login trigger calls.
 */
Datum
vexec_load(PG_FUNCTION_ARGS)
{
	bool		at_login = PG_GETARG_BOOL(0);

	/* A session that starts has no portal yet. */
	if (loaded_by_this_call() && at_login && ActivePortal == NULL)
		loaded_by = LOADED_BY_LOGIN_TRIGGER;
	if (creating_extension)
		announce_loading(get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)));
	PG_RETURN_VOID();
}

/*
 * The setting that makes new sessions load the library, or NULL.  What this
 * session alone was given by its client does not count.
 */
static const char *
preloaded_by(void)
{
	static char **const libraries[] = {
		[LOADED_BY_SHARED_PRELOAD] = &shared_preload_libraries_string,
		[LOADED_BY_SESSION_PRELOAD] = &session_preload_libraries_string,
		[LOADED_BY_LOCAL_PRELOAD] = &local_preload_libraries_string
	};

	for (int i = 0; i < lengthof(libraries); i++)
	{
		struct config_generic *setting = find_option(loaded_by_text[i], false, false, ERROR);

		if (setting->source < PGC_S_CLIENT && lists_library(*libraries[i]))
			return loaded_by_text[i];
	}
	return NULL;
}

/*
 * pg_vexec_library() returns one row
 *
 * version, loaded_by, loaded_before (this call), preloaded_by (the setting
 * that loads the library in new sessions, or null), instruction_set.
 */
Datum
vexec_library(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[5];
	bool		nulls[5] = {0};
	const char *preloaded = preloaded_by();

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (tupdesc->natts != lengthof(values))
		elog(ERROR, "pg_vexec_library returns %d columns instead of %d",
			 tupdesc->natts, (int) lengthof(values));

	values[2] = BoolGetDatum(!loaded_by_this_call());
	values[0] = CStringGetTextDatum(VEXEC_VERSION);
	values[1] = CStringGetTextDatum(loaded_by_text[loaded_by]);
	if (preloaded != NULL)
		values[3] = CStringGetTextDatum(preloaded);
	else
		nulls[3] = true;
	values[4] = CStringGetTextDatum(isa_text[vexec_isa_level()]);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), values, nulls));
}
