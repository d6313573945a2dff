/*-------------------------------------------------------------------------
 *
 * statements.c
 *	  Splits a file of SQL into statements, and reads the annotations before each.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "diff_runner.h"

typedef enum Ordering
{
	ORDERING_FROM_TEXT,
	ORDERING_ORDERED,
	ORDERING_UNORDERED
} Ordering;

static bool
is_word_char(unsigned char c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/*
 * The length of a dollar quote's delimiter at p, which is a '$', or 0.
 */
static size_t
dollar_delimiter(const char *p)
{
	const char *q = p + 1;

	if (isdigit((unsigned char) *q))
		return 0;
	while (is_word_char(*q) && *q != '$')
		q++;
	return *q == '$' ? (size_t) (q - p + 1) : 0;
}

/*
 * The character after the comment, quoted text or dollar-quoted text at p, or p
 * when none starts there.
 */
static const char *
skip_opaque(const char *p, const char *start)
{
	if (p[0] == '-' && p[1] == '-')
	{
		while (*p && *p != '\n')
			p++;
	}
	else if (p[0] == '/' && p[1] == '*')
	{
		int			depth = 0;

		do
		{
			if (p[0] == '/' && p[1] == '*')
			{
				depth++;
				p += 2;
			}
			else if (p[0] == '*' && p[1] == '/')
			{
				depth--;
				p += 2;
			}
			else
				p++;
		} while (*p && depth > 0);
	}
	else if (*p == '\'' || *p == '"')
	{
		char		quote = *p;
		bool		escapes = quote == '\'' && p > start && (p[-1] == 'E' || p[-1] == 'e') &&
			(p - 1 == start || !is_word_char(p[-2]));

		/* A doubled quote ends one text and starts the next: same effect. */
		for (p++; *p && *p != quote; p++)
		{
			if (escapes && *p == '\\' && p[1])
				p++;
		}
		if (*p)
			p++;
	}
	else if (*p == '$' && (p == start || !is_word_char(p[-1])))
	{
		size_t		length = dollar_delimiter(p);

		if (length > 0)
		{
			const char *end = p + length;

			while (*end && strncmp(end, p, length) != 0)
				end++;
			p = *end ? end + length : end;
		}
	}
	return p;
}

static Statement *
add_statement(StatementList *list)
{
	if (list->count == list->size)
	{
		list->size = list->size ? list->size * 2 : 64;
		list->items = reallocate(list->items, list->size * sizeof(Statement));
	}
	return &list->items[list->count++];
}

/* Where in a file the parser is. */
typedef struct Parser
{
	const char *path;
	const char *p;
	int			line;			/* from 1 */
} Parser;

/* Goes on to a later place of the text. */
static void
advance(Parser *parser, const char *to)
{
	for (; parser->p < to; parser->p++)
		parser->line += *parser->p == '\n';
}

/*
 * Reads a comment from "--" to its end.  Where it is an annotation, notes it for the statements to
 * come.
 */
static void
read_comment(const char *from, const char *to, Statement *next, Ordering *ordering)
{
	char	   *comment;

	from += 2;
	while (from < to && isspace((unsigned char) *from))
		from++;
	while (to > from && isspace((unsigned char) to[-1]))
		to--;
	comment = copy_text(from, to - from);
	if (strcmp(comment, "setup") == 0)
		next->setup = true;
	else if (strcmp(comment, "end setup") == 0)
		next->setup = false;
	else if (strcmp(comment, "require") == 0)
		next->require = true;
	else if (strcmp(comment, "approx") == 0)
		next->approx = true;
	else if (strcmp(comment, "serial") == 0)
		next->serial = true;
	else if (strcmp(comment, "error") == 0)
		next->error = true;
	else if (strcmp(comment, "ordered") == 0)
		*ordering = ORDERING_ORDERED;
	else if (strcmp(comment, "unordered") == 0)
		*ordering = ORDERING_UNORDERED;
	free(comment);
}

/* Copies the word at p in lower case, "?" when it is longer than any that matters. */
static size_t
read_word(const char *p, char *word, size_t size)
{
	size_t		length = 0;

	while (is_word_char(p[length]))
		length++;
	if (length >= size)
	{
		strcpy(word, "?");
		return length;
	}
	for (size_t i = 0; i < length; i++)
		word[i] = tolower((unsigned char) p[i]);
	word[length] = '\0';
	return length;
}

/* Goes from the start of a statement to its semicolon.  Tells whether it has ORDER BY outermost. */
static bool
read_statement(Parser *parser)
{
	const char *start = parser->p;
	int			line = parser->line;
	int			depth = 0,
				bodies = 0,
				words = 0;
	bool		has_order = false,
				routine = false;
	char		previous[16] = "",
				word[16];

	while (*parser->p && !(*parser->p == ';' && depth == 0 && bodies == 0))
	{
		const char *p = parser->p;
		const char *next = skip_opaque(p, start);

		if (next == p && is_word_char(*p))
		{
			next = p + read_word(p, word, sizeof(word));
			if (depth == 0 && strcmp(previous, "order") == 0 && strcmp(word, "by") == 0)
				has_order = true;

			/* CREATE [OR REPLACE] FUNCTION ... BEGIN ATOMIC ... END */
			if (words < 4 && (strcmp(word, "function") == 0 || strcmp(word, "procedure") == 0))
				routine = true;
			if (routine && strcmp(previous, "begin") == 0 && strcmp(word, "atomic") == 0)
				bodies++;
			else if (bodies > 0 && strcmp(word, "case") == 0)
				bodies++;
			else if (bodies > 0 && strcmp(word, "end") == 0)
				bodies--;
			strcpy(previous, word);
			words++;
		}
		else if (next == p)
		{
			if (*p == '(')
				depth++;
			else if (*p == ')' && depth > 0)
				depth--;
			next = p + 1;
		}
		advance(parser, next);
	}
	if (*parser->p != ';')
		die("%s:%d: statement without a semicolon", parser->path, line);
	return has_order;
}

void
parse_file(const char *path, const char *text, StatementList *list)
{
	Parser		parser = {path, text, 1};
	Statement	next = {0};		/* as annotated so far */
	Ordering	ordering = ORDERING_FROM_TEXT;

	while (*parser.p)
	{
		const char *p = parser.p;
		const char *end = skip_opaque(p, p);
		bool		has_order;
		Statement  *s;

		/* Between statements. */
		if (isspace((unsigned char) *p) || *p == ';')
		{
			advance(&parser, p + 1);
			continue;
		}
		if ((p[0] == '-' && p[1] == '-') || (p[0] == '/' && p[1] == '*'))
		{
			if (*p == '-')
				read_comment(p, end, &next, &ordering);
			advance(&parser, end);
			continue;
		}
		if (*p == '\\')
			die("%s:%d: backslash commands are not understood", path, parser.line);

		s = add_statement(list);
		*s = next;
		s->line = parser.line;
		has_order = read_statement(&parser);
		s->text = copy_text(p, parser.p - p);
		s->ordered = ordering == ORDERING_ORDERED || (ordering == ORDERING_FROM_TEXT && has_order);
		advance(&parser, parser.p + 1);

		/* All annotations but that of a setup are for one statement. */
		next = (Statement) {.setup = next.setup};
		ordering = ORDERING_FROM_TEXT;
	}
	if (next.setup)
		die("%s: no \"-- end setup\"", path);
}
