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
	memset(&list->items[list->count], 0, sizeof(Statement));
	return &list->items[list->count++];
}

void
parse_file(const char *path, const char *text, StatementList *list)
{
	const char *p = text;
	int			line = 1;
	bool		setup = false;
	bool		require = false,
				approx = false,
				serial = false,
				error = false;
	Ordering	ordering = ORDERING_FROM_TEXT;

	while (*p)
	{
		const char *start,
				   *next;
		int			depth = 0,
					bodies = 0,
					words = 0;
		bool		has_order = false,
					routine = false;
		char		previous[16] = "",
					word[16];
		Statement  *s;

		/* Between statements. */
		if (isspace((unsigned char) *p))
		{
			line += *p == '\n';
			p++;
			continue;
		}
		next = skip_opaque(p, p);
		if (p[0] == '-' && p[1] == '-')
		{
			char	   *comment;
			const char *from = p + 2,
					   *to = next;

			while (from < to && isspace((unsigned char) *from))
				from++;
			while (to > from && isspace((unsigned char) to[-1]))
				to--;
			comment = copy_text(from, to - from);
			if (strcmp(comment, "setup") == 0)
				setup = true;
			else if (strcmp(comment, "end setup") == 0)
				setup = false;
			else if (strcmp(comment, "require") == 0)
				require = true;
			else if (strcmp(comment, "approx") == 0)
				approx = true;
			else if (strcmp(comment, "serial") == 0)
				serial = true;
			else if (strcmp(comment, "error") == 0)
				error = true;
			else if (strcmp(comment, "ordered") == 0)
				ordering = ORDERING_ORDERED;
			else if (strcmp(comment, "unordered") == 0)
				ordering = ORDERING_UNORDERED;
			free(comment);
			p = next;
			continue;
		}
		if (p[0] == '/' && p[1] == '*')
		{
			for (; p < next; p++)
				line += *p == '\n';
			continue;
		}
		if (*p == ';')
		{
			p++;
			continue;
		}
		if (*p == '\\')
			die("%s:%d: backslash commands are not understood", path, line);

		/* A statement. */
		start = p;
		s = add_statement(list);
		s->line = line;
		while (*p && !(*p == ';' && depth == 0 && bodies == 0))
		{
			next = skip_opaque(p, start);
			if (next > p)
			{
				for (; p < next; p++)
					line += *p == '\n';
				continue;
			}
			if (*p == '(')
				depth++;
			else if (*p == ')' && depth > 0)
				depth--;
			else if (is_word_char(*p))
			{
				size_t		length = 0;

				while (is_word_char(p[length]))
					length++;
				if (length < sizeof(word))
				{
					for (size_t i = 0; i < length; i++)
						word[i] = tolower((unsigned char) p[i]);
					word[length] = '\0';
				}
				else
					strcpy(word, "?");

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
				p += length;

				/* A prefixed quote: the quote must see its prefix. */
				continue;
			}
			line += *p == '\n';
			p++;
		}
		if (*p != ';')
			die("%s:%d: statement without a semicolon", path, s->line);
		s->text = copy_text(start, p - start);
		p++;
		s->setup = setup;
		s->require = require;
		s->approx = approx;
		s->serial = serial;
		s->error = error;
		s->ordered = ordering == ORDERING_ORDERED || (ordering == ORDERING_FROM_TEXT && has_order);
		require = approx = serial = error = false;
		ordering = ORDERING_FROM_TEXT;
	}
	if (setup)
		die("%s: no \"-- end setup\"", path);
}
