/*-------------------------------------------------------------------------
 *
 * main.c
 *	  Runs SQL files with the extension off and on, and compares what a client
 *	  sees.
 *
 * The file format and the meaning of a difference are described at the head
 * of test/diff, which compiles and calls this program.
 *
 * For each file a database is made and its setup statements run once.  Each
 * mode then runs the other statements in one session of its own, in a copy of
 * that database made page by page, so that no mode sees what another one has
 * written, and all see the same pages.  The first mode is the oracle.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "diff_runner.h"

#define MAX_MODES 32

/* Lines of the server's log that are printed before the end of a crashed process. */
#define SHOWN_LOG_LINES 25

/* Seconds to wait for a server that restarts after a crash. */
#define RESTART_SECONDS 60

static Mode modes[MAX_MODES];
static int	nmodes = 0;
static char *common_settings[MAX_SETTINGS];
static int	ncommon = 0;
static const char *log_path = NULL;
static bool verbose = false;

/* --- Sessions and databases --------------------------------------------- */

/* Connects to a database; the server is that of the PGHOST family of variables. */
static PGconn *
try_connect(const char *database)
{
	const char *keywords[] = {"dbname", "application_name", NULL};
	const char *values[] = {database, "diff_runner", NULL};
	PGconn	   *conn = PQconnectdbParams(keywords, values, 0);

	if (PQstatus(conn) != CONNECTION_OK)
	{
		PQfinish(conn);
		return NULL;
	}
	return conn;
}

/* Connects, waiting for a server that restarts. */
static PGconn *
connect_to(const char *database)
{
	PGconn	   *conn;

	for (int tries = 0; tries < RESTART_SECONDS * 10; tries++)
	{
		conn = try_connect(database);
		if (conn != NULL)
			return conn;
		usleep(100000);
	}
	die("cannot connect to database %s within %d s", database, RESTART_SECONDS);
}

/* Runs a statement of the runner itself; NULL when it succeeds, else the message. */
static char *
try_command(PGconn *conn, const char *text)
{
	PGresult   *result = PQexec(conn, text);
	ExecStatusType status = PQresultStatus(result);
	char	   *message = NULL;

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		message = copy_text(PQerrorMessage(conn), strlen(PQerrorMessage(conn)));
	PQclear(result);
	return message;
}

static void
ignore_notice(void *arg, const PGresult *result)
{
	(void) arg;
	(void) result;
}

static void
command(PGconn *conn, const char *format,...) __attribute__((format(printf, 2, 3)));

static void
command(PGconn *conn, const char *format,...)
{
	char		text[1024];
	char	   *message;
	va_list		args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	message = try_command(conn, text);
	if (message != NULL)
		die("\"%s\": %s", text, message);
}

/* Opens a session in the given mode. */
static PGconn *
open_session(const char *database, const Mode *mode)
{
	PGconn	   *conn = connect_to(database);

	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	command(conn, "LOAD 'pg_vexec'");
	for (int i = 0; i < ncommon; i++)
		command(conn, "SET %s", common_settings[i]);
	for (int i = 0; i < mode->nsettings; i++)
		command(conn, "SET %s", mode->settings[i]);
	return conn;
}

/* The position where the server's log ends. */
static long
log_end(void)
{
	FILE	   *f;
	long		end = 0;

	if (log_path == NULL || (f = fopen(log_path, "rb")) == NULL)
		return 0;
	if (fseek(f, 0, SEEK_END) == 0)
		end = ftell(f);
	fclose(f);
	return end;
}

static void
print_log_line(const char *line)
{
	printf("        %.*s\n", (int) strcspn(line, "\n"), line);
}

/*
 * Prints what the server has logged since a position about a crash: the lines
 * that name a failed assertion or a sanitizer's finding, and the last lines up
 * to the end of the process.
 */
static void
print_log(long start)
{
	static const char *const causes[] = {"TRAP:", "PANIC:", "ERROR: AddressSanitizer",
		"runtime error:"};
	char	   *text;
	const char *from,
			   *end,
			   *p;
	int			lines = 0;

	if (log_path == NULL)
		return;
	text = read_file(log_path);
	from = text;
	if ((size_t) start <= strlen(text))
		from += start;
	end = strstr(from, " was terminated by signal ");
	if (end == NULL)
		end = from + strlen(from);
	p = end;
	while (p > from && lines <= SHOWN_LOG_LINES)
	{
		p--;
		if (*p == '\n')
			lines++;
	}
	if (*p == '\n')
		p++;

	printf("    server log:\n");
	for (const char *line = from; line < p; line += strcspn(line, "\n") + 1)
	{
		for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		{
			const char *found = strstr(line, causes[i]);

			if (found != NULL && found < line + strcspn(line, "\n"))
				print_log_line(line);
		}
	}
	for (const char *line = p; line <= end && *line; line += strcspn(line, "\n") + 1)
	{
		print_log_line(line);
		if (line[strcspn(line, "\n")] == '\0')
			break;
	}
	free(text);
}

static PGTransactionStatusType
run_annotated(PGconn *conn, const Statement *s, const Mode *mode, Outcome *outcome)
{
	bool		require = s->require && mode->force && PQtransactionStatus(conn) != PQTRANS_INERROR;

	bool		serial = s->serial && mode->workers != NULL &&
		PQtransactionStatus(conn) != PQTRANS_INERROR;

	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	if (require)
		command(conn, "SET pg_vexec.require = on");
	if (serial)
		command(conn, "SET max_parallel_workers_per_gather = 0");
	run_statement(conn, s->text, outcome);
	if ((require || serial) && !outcome->lost)
	{
		PQsetNoticeReceiver(conn, ignore_notice, NULL);
		/* In a failed transaction the rollback will undo the settings. */
		if (PQtransactionStatus(conn) != PQTRANS_INERROR)
		{
			if (require)
				command(conn, "SET pg_vexec.require = off");
			if (serial)
				command(conn, "SET %s", mode->workers);
		}
	}
	return PQtransactionStatus(conn);
}

/* An SQLSTATE that tells of a mistake in the test file. */
static bool
is_mistake(const char *sqlstate)
{
	static const char *const mistakes[] = {"42601", "42P01", "42703", "42883", "42704", "42P02"};

	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
	{
		if (strcmp(sqlstate, mistakes[i]) == 0)
			return true;
	}
	return false;
}

/* Compares one file; returns the number of statements compared. */
static int
compare_file(const char *path)
{
	char	   *text = read_file(path);
	StatementList list = {0};
	PGconn	   *admin = connect_to("postgres");
	PGconn	   *conn;
	Outcome    *oracle;
	char		base[64],
				copy[64];
	int			compared = 0;
	int			before = count_differences();
	bool		lost = false;
	struct timespec t0,
				t1;

	clock_gettime(CLOCK_MONOTONIC, &t0);
	PQsetNoticeReceiver(admin, ignore_notice, NULL);
	parse_file(path, text, &list);
	snprintf(base, sizeof(base), "vexec_diff_%d", (int) getpid());
	snprintf(copy, sizeof(copy), "vexec_diff_%d_copy", (int) getpid());
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", base);
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", copy);
	command(admin, "CREATE DATABASE %s TEMPLATE template0 STRATEGY file_copy", base);

	conn = connect_to(base);
	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	command(conn, "CREATE EXTENSION IF NOT EXISTS pg_vexec");
	PQfinish(conn);
	conn = open_session(base, &modes[0]);
	for (int i = 0; i < list.count && !lost; i++)
	{
		Statement  *s = &list.items[i];
		Outcome		outcome;

		if (!s->setup)
		{
			compared++;
			continue;
		}
		run_statement(conn, s->text, &outcome);
		for (int k = 0; k < outcome.count; k++)
		{
			if (outcome.answers[k].error != NULL)
			{
				report(path, s, &modes[0], "setup failed");
				printf("    %s\n", outcome.answers[k].error);
				lost = true;
			}
		}
		lost = lost || outcome.lost;
		free_outcome(&outcome);
	}
	PQfinish(conn);

	oracle = allocate(list.count * sizeof(Outcome));
	for (int m = 0; m < nmodes && !lost; m++)
	{
		Mode	   *mode = &modes[m];
		long		log_start = log_end();

		command(admin, "CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", copy, base);
		conn = open_session(copy, mode);
		for (int i = 0; i < list.count; i++)
		{
			Statement  *s = &list.items[i];
			Outcome		outcome;

			if (s->setup)
				continue;
			run_annotated(conn, s, mode, &outcome);
			if (outcome.lost)
			{
				report(path, s, mode, "the server closed the connection");
				lost = true;
				free_outcome(&outcome);
				break;
			}
			if (m == 0)
			{
				oracle[i] = outcome;
				for (int k = 0; k < outcome.count; k++)
				{
					Answer	   *a = &outcome.answers[k];

					if (a->error != NULL && !s->error && is_mistake(a->sqlstate))
					{
						report(path, s, mode, "a mistake in the file (else annotate it with \"-- error\")");
						printf("    %s\n", a->error);
					}
					else if (a->error != NULL && verbose)
						printf("%s:%d: raises %s\n", path, s->line, a->error);
				}
			}
			else
			{
				compare_outcomes(path, s, mode, &oracle[i], &outcome);
				free_outcome(&outcome);
			}
		}
		PQfinish(conn);
		if (lost)
		{
			/* Wait until the server has noticed the crash and is back: its log is complete then. */
			PQfinish(admin);
			sleep(1);
			admin = connect_to("postgres");
			print_log(log_start);
			PQsetNoticeReceiver(admin, ignore_notice, NULL);
		}
		command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", copy);
	}
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", base);
	PQfinish(admin);

	clock_gettime(CLOCK_MONOTONIC, &t1);
	printf("%s: %d statements, %d differences, %.1f s\n", path, compared, count_differences() - before,
		   (t1.tv_sec - t0.tv_sec) + (t1.tv_nsec - t0.tv_nsec) / 1e9);
	fflush(stdout);

	for (int i = 0; i < list.count; i++)
	{
		free_outcome(&oracle[i]);
		free(list.items[i].text);
	}
	free(oracle);
	free(list.items);
	free(text);
	return compared;
}

/* Splits "a = b; c = d" into settings. */
static int
split_settings(char *text, char **settings)
{
	int			n = 0;

	for (char *part = strtok(text, ";"); part != NULL; part = strtok(NULL, ";"))
	{
		while (isspace((unsigned char) *part))
			part++;
		if (*part == '\0')
			continue;
		if (n == MAX_SETTINGS)
			die("more than %d settings", MAX_SETTINGS);
		settings[n++] = part;
	}
	return n;
}

static void
usage(void)
{
	fprintf(stderr,
			"usage: diff_runner [-v] [-l LOG] [-s 'NAME = VALUE; ...'] -m 'MODE: NAME = VALUE; ...' ... FILE...\n"
			"  -m  a mode and its settings; the first one is the oracle\n"
			"  -s  settings of all modes\n"
			"  -l  the server's log file, for the report of a crash\n"
			"  -v  print the statements that raise an error in the first mode\n");
	exit(2);
}

int
main(int argc, char **argv)
{
	int			c;
	int			compared = 0;

	while ((c = getopt(argc, argv, "vl:s:m:")) != -1)
	{
		switch (c)
		{
			case 'v':
				verbose = true;
				break;
			case 'l':
				log_path = optarg;
				break;
			case 's':
				ncommon = split_settings(optarg, common_settings);
				break;
			case 'm':
				{
					Mode	   *mode = &modes[nmodes];
					char	   *colon = strchr(optarg, ':');

					if (nmodes == MAX_MODES || colon == NULL)
						usage();
					*colon = '\0';
					mode->name = optarg;
					mode->oracle = modes[0].name;
					mode->nsettings = split_settings(colon + 1, mode->settings);
					for (int i = 0; i < mode->nsettings; i++)
					{
						if (strstr(mode->settings[i], "pg_vexec.force = on") != NULL)
							mode->force = true;
						if (strstr(mode->settings[i], "max_parallel_workers_per_gather = ") != NULL)
							mode->workers = mode->settings[i];
					}
					nmodes++;
					break;
				}
			default:
				usage();
		}
	}
	if (nmodes < 2 || optind == argc)
		usage();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = optind; i < argc; i++)
		compared += compare_file(argv[i]);
	printf("%d statements x %d modes, %d differences\n", compared, nmodes - 1,
		   count_differences());
	return count_differences() > 0 ? 1 : 0;
}
