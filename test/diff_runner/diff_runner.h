/*-------------------------------------------------------------------------
 *
 * diff_runner.h
 *	  What the parts of the runner share.
 *
 * Memory is allocated with malloc and kept as long as one file is compared.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DIFF_RUNNER_H
#define DIFF_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include <libpq-fe.h>

#define MAX_SETTINGS 32

typedef struct Statement
{
	char	   *text;
	int			line;			/* of its first character, from 1 */
	bool		setup;
	bool		require;
	bool		approx;
	bool		serial;			/* its answer is free in parallel plans */
	bool		error;			/* a mistake in the statement is meant */
	bool		ordered;
} Statement;

typedef struct StatementList
{
	Statement  *items;
	int			count;
	int			size;
} StatementList;

typedef struct Mode
{
	const char *name;
	const char *oracle;			/* name of the mode compared with */
	int			nsettings;
	char	   *settings[MAX_SETTINGS]; /* "name = value" */
	bool		force;			/* sets pg_vexec.force = on */
	const char *workers;		/* its setting that allows parallel plans, or NULL */
} Mode;

/* One result of a statement; a query string can give several. */
typedef struct Answer
{
	ExecStatusType status;
	char	   *tag;			/* command tag */
	char	   *columns;		/* names and types */
	int			ncolumns;
	Oid		   *types;
	char	  **rows;			/* in the escapes of COPY's text format */
	int			nrows;
	int			size;
	char	   *error;			/* all fields that a client sees, or NULL */
	char		sqlstate[6];
} Answer;

typedef struct Outcome
{
	Answer	   *answers;
	int			count;
	char	   *warnings;		/* all messages of level WARNING, in order */
	bool		lost;			/* the connection broke */
} Outcome;

/* --- util.c: they end the program, with status 2, rather than fail -------- */

extern void die(const char *format,...) __attribute__((format(printf, 1, 2), noreturn));

/* Zeroed. */
extern void *allocate(size_t size);
extern void *reallocate(void *p, size_t size);

/* A copy with a null byte behind it. */
extern char *copy_text(const char *text, size_t length);

/* Appends to *text, which is NULL or from here. */
extern void append(char **text, const char *format,...) __attribute__((format(printf, 2, 3)));

/* A whole file, with a null byte behind it. */
extern char *read_file(const char *path);

/* --- statements.c ----------------------------------------------------------- */

/* Appends the statements of a file to the list; dies of what it does not understand. */
extern void parse_file(const char *path, const char *text, StatementList *list);

/* --- answers.c --------------------------------------------------------------- */

/* Runs a statement to its end; all of the outcome is the caller's, to be freed as a whole. */
extern void run_statement(PGconn *conn, const char *text, Outcome *outcome);
extern void free_outcome(Outcome *outcome);

/* --- compare.c --------------------------------------------------------------- */

/* Counts a difference and starts the report of it. */
extern void report(const char *path, const Statement *s, const Mode *mode, const char *format,...)
			__attribute__((format(printf, 4, 5)));

/* Reports the first difference from the oracle's outcome, if there is one. */
extern void compare_outcomes(const char *path, const Statement *s, const Mode *mode,
							 const Outcome *off, const Outcome *on);

/* How many differences were reported. */
extern int	count_differences(void);

#endif							/* DIFF_RUNNER_H */
