-- text, varchar and char(n): comparison and order by collation, LIKE in all its shapes, blanks of
-- char(n), lengths around the one-byte header limit, multi-byte characters, empty strings against
-- nulls, and string functions through the fallback.

-- setup
CREATE TABLE tx_t (id int NOT NULL, t text, v varchar(40), c char(10), u text, b bytea, nm name, k int);
INSERT INTO tx_t
SELECT g,
	CASE WHEN g % 13 > 0 THEN (ARRAY['', 'a', 'ab', 'abc', 'ABC', 'abcabc', 'a%c', 'a_c', 'a\c', 'x', 'MAIL', 'SHIP', 'DELIVER IN PERSON', 'TAKE BACK RETURN', 'special requests', 'the special odd requests sleep',
		'forest green', 'green', ' green', 'green ', '%', '_', '\', 'aaaaaaaaaab', 'abababababac', repeat('ab', 60) || 'c'])[g % 26 + 1] END,
	CASE WHEN g % 11 > 0 THEN 'v' || g % 200 END,
	CASE WHEN g % 7 > 0 THEN (ARRAY['', 'a', 'ab', 'abc', 'abcdefghij', ' a', 'a b', 'x', 'X'])[g % 9 + 1] END,
	CASE WHEN g % 9 > 0 THEN (ARRAY['ä', 'äöü', 'Ä', 'ß', 'ss', '日本語', '日本', '本', 'naïve', 'naive', 'é', 'e' || U&'\0301', '😀', '😀😀', 'a😀b', 'zürich', 'Zürich', 'zurich'])[g % 18 + 1] END,
	CASE WHEN g % 5 > 0 THEN decode(lpad(to_hex(g % 300), 4, '0'), 'hex') END,
	CASE WHEN g % 6 > 0 THEN 'name' || g % 20 END, g % 7
FROM generate_series(1, 4000) g;
-- Lengths 0..400, around the short header limit of 126 bytes; compressible and not.
CREATE TABLE tx_len (id int, t text, r text, late int);
INSERT INTO tx_len SELECT g, repeat('x', g % 401), substr(repeat(md5(g::text), 14), 1, g % 401), g FROM generate_series(1, 3000) g;
-- bpchar without a length: padded as written, and values of no length at all.
CREATE TABLE tx_bare (id int, c bpchar);
INSERT INTO tx_bare SELECT g, (ARRAY['', 'a', 'a  ', NULL, '        ', 'abcdefgh', 'abcdefgh    ', 'a       ', repeat('x', 64), repeat('x', 65)])[g % 10 + 1]
FROM generate_series(10, 1000) g;
ANALYZE tx_t; ANALYZE tx_len; ANALYZE tx_bare;
-- end setup

SET standard_conforming_strings = on;

-- Comparison.
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t = 'abc';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t <> 'abc';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t = '';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t IS NULL;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE v = 'v17' OR v = 'v170' OR v = 'v1';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = 'a';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = 'a         ';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = 'a           '::char(12);
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = 'a'::text;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = 'a '::text;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = '';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c::text = '';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c <> 'abc' AND c <> 'abcdefghij';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c = t;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t = v OR v = c;
-- require
SELECT count(*) FILTER (WHERE t < 'b' COLLATE "C"), count(*) FILTER (WHERE t <= 'abc' COLLATE "C"), count(*) FILTER (WHERE t > 'abc' COLLATE "C"), count(*) FILTER (WHERE t >= '' COLLATE "C"),
	count(*) FILTER (WHERE v < 'v2' COLLATE "C"), count(*) FILTER (WHERE c < 'ab' COLLATE "C"), count(*) FILTER (WHERE c >= 'X' COLLATE "C"), count(*) FILTER (WHERE u > 'z' COLLATE "C") FROM tx_t;
-- require
SELECT count(*) FILTER (WHERE t < 'b'), count(*) FILTER (WHERE t <= 'abc'), count(*) FILTER (WHERE t > 'abc'), count(*) FILTER (WHERE t >= ''),
	count(*) FILTER (WHERE v < 'v2'), count(*) FILTER (WHERE c < 'ab'), count(*) FILTER (WHERE c >= 'X'), count(*) FILTER (WHERE u > 'z') FROM tx_t;
-- require
SELECT count(*) FILTER (WHERE t COLLATE "en-x-icu" < 'b'), count(*) FILTER (WHERE t COLLATE "en-x-icu" <= 'abc'), count(*) FILTER (WHERE c COLLATE "en-x-icu" >= 'X'),
	count(*) FILTER (WHERE u COLLATE "en-x-icu" > 'z'), count(*) FILTER (WHERE u COLLATE "de-x-icu" < 'ß'), count(*) FILTER (WHERE t COLLATE "POSIX" < 'a') FROM tx_t;
-- require
SELECT id, u FROM tx_t WHERE u COLLATE "en-x-icu" BETWEEN 'e' AND 'o' AND id < 300;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u = 'é';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE b = '\x0011' OR b > '\x0100';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE nm = 'name3' OR nm > 'name8';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t || v = 'abcv29' OR v || c = 'v5a';
-- require
SELECT min(t COLLATE "C"), max(t COLLATE "C"), min(u COLLATE "C"), max(u COLLATE "C"), min(u COLLATE "en-x-icu"), max(u COLLATE "en-x-icu"), min(c COLLATE "C"), max(c COLLATE "C"), min(v COLLATE "C"), max(v) FROM tx_t;
-- require
SELECT k, min(t COLLATE "C"), max(t COLLATE "C"), min(u COLLATE "en-x-icu"), max(c), count(t), count(c) FROM tx_t GROUP BY k;
SELECT count(*) FROM tx_t WHERE t < u COLLATE "en-x-icu" AND u COLLATE "C" < v;
SELECT count(*) FROM tx_t WHERE t COLLATE "C" < u COLLATE "en-x-icu";

-- LIKE: every position of the wildcards.
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'abc';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'ab%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%bc';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%green%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%special%requests%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t NOT LIKE '%special%requests%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a%c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a_c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '_';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '__';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '_%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%_';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%a%b%c%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '_b_a%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%aab';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%abac%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a\%c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a\_c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a\\c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '\\';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '\%' OR t LIKE '\_';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '%\%%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a#%c' ESCAPE '#';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE 'a\c' ESCAPE '';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE '\a\b\c';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t ILIKE 'ABC%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t ~~ 'ab%' AND t !~~ '%abc';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE v LIKE 'v1_' OR v LIKE 'v%9';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c LIKE 'a';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c LIKE 'a%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c LIKE '% ';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c LIKE '__________';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c NOT LIKE '%b%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE c::text LIKE 'a';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '_';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '__';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '日%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '%本%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '_本_';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE 'a_b';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE '%_ürich';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u LIKE 'na_ve' OR u LIKE 'na%ve' AND k = 1;
-- require
SELECT count(*), sum(id) FROM tx_t WHERE u ILIKE 'Z_RICH' OR u ILIKE 'ä%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t LIKE v OR (t <> '\' AND v LIKE t);
-- require
SELECT count(*), sum(id) FROM tx_t WHERE 'abcabc' LIKE t || '%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE b LIKE '\000%';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE nm LIKE 'name1_';
-- require
SELECT id, t LIKE 'a%' AS a, t NOT LIKE '%c' AS b, (t LIKE '%b%') IS NULL AS n FROM tx_t WHERE id <= 30;
SELECT count(*) FROM tx_t WHERE t LIKE NULL OR id = 1;
SELECT count(*) FROM tx_t WHERE t LIKE 'abc\';
SELECT id FROM tx_t WHERE t LIKE 'ab\';
SELECT count(*) FROM tx_t WHERE t LIKE 'zzz\';
SELECT count(*) FROM tx_t WHERE t LIKE '%\';
SELECT count(*) FROM tx_t WHERE id < 0 AND t LIKE '%\';
SELECT count(*) FROM tx_t WHERE t LIKE 'a' ESCAPE 'xx';
SELECT count(*) FROM tx_t WHERE 'aab' LIKE t;
-- require
SELECT t LIKE '%e%' AS k, count(*), min(t COLLATE "C") FROM tx_t GROUP BY 1;
-- require
SELECT sum(CASE WHEN t LIKE 'SHIP%' OR t LIKE 'MAIL%' THEN 1 ELSE 0 END) AS s, count(*) FILTER (WHERE t LIKE '%requests') AS f FROM tx_t;

-- Regular expressions and functions.
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t ~ '^a.c$';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t !~* 'B' AND u ~ '\w{4}';
-- require
SELECT count(*), sum(id) FROM tx_t WHERE t SIMILAR TO '(ab|x)%';
-- require
SELECT id, upper(t) AS up, lower(c) AS lo, initcap(t) AS ic, length(t) AS l, length(c) AS lc, octet_length(u) AS ol, char_length(u) AS cl, bit_length(c) AS bl FROM tx_t WHERE id % 40 = 1;
-- require
SELECT id, t || '|' || c || '|' || v AS cat, t || k AS tk, c || c AS cc, concat(t, c, NULL, k) AS con, concat_ws(',', t, v) AS ws, substr(t, 2, 3) AS s, left(u, 1) AS l, right(u, 1) AS r FROM tx_t WHERE id % 40 = 2;
-- require
SELECT id, trim(t) AS tr, ltrim(t) AS lt, rtrim(c) AS rt, lpad(v, 6, '*') AS lp, rpad(u, 5) AS rp, repeat(u, 2) AS re, replace(t, 'a', 'ä') AS rep, reverse(u) AS rev, position('b' in t) AS p, strpos(u, '本') AS sp, translate(t, 'abc', 'xyz') AS tl FROM tx_t WHERE id % 40 = 3;
-- require
SELECT id, t::varchar(2) AS v2, t::char(3) AS c3, c::char(2) AS cc2, c::text AS ct, c::varchar AS cv, v::char(4) AS vc, v::name AS vn, u::bytea AS ub, t::char AS c1, md5(t) AS m, quote_literal(t) AS q, ascii(u) AS a FROM tx_t WHERE id % 40 = 4;
-- require
SELECT id, greatest(t, v COLLATE "C") AS g, least(t, v, c COLLATE "C") AS l, coalesce(t, v, 'none') AS co, nullif(t, 'a') AS n, nullif(c, 'a') AS nc, CASE t WHEN 'a' THEN 'first' WHEN 'ab' THEN c ELSE v END AS ca FROM tx_t WHERE id % 40 = 5;
-- require
SELECT split_part(v, '1', 1) AS k, count(*) FROM tx_t GROUP BY 1;
-- require
SELECT count(*), sum(length(t)), max(length(u)), sum(octet_length(u)), avg(length(c)) FROM tx_t WHERE length(t) > 2;
-- serial
SELECT id, v::int AS bad FROM tx_t WHERE id > 0;
SELECT id, substr(v, 2)::int AS fine FROM tx_t WHERE id % 100 = 1;
SELECT id, t::int AS bad FROM tx_t WHERE t = 'abc';
-- serial
SELECT id, (t || 'x')::varchar(3)::int AS bad FROM tx_t WHERE id > 3;
SELECT id, u::"char" AS ch, substr(t, 2, -1) AS bad FROM tx_t WHERE id > 0;
SELECT id, repeat(t, 10000000) AS bad FROM tx_t WHERE length(t) > 110;
SELECT id, chr(k - 1) AS bad FROM tx_t WHERE id > 0;

-- Lengths.
-- require
SELECT length(t) AS l, count(*), sum(late) FROM tx_len GROUP BY length(t);
-- require
SELECT t, count(*) FROM tx_len WHERE late % 7 = 0 GROUP BY t;
-- require
SELECT id, length(t) AS lt, length(r) AS lr, late FROM tx_len WHERE length(r) BETWEEN 122 AND 132;
-- require
SELECT id, late FROM tx_len WHERE t = repeat('x', 126) OR t = repeat('x', 127) OR t = repeat('x', 128) OR t = repeat('x', 400);
-- require
SELECT count(*), sum(late) FROM tx_len WHERE r LIKE '%a%b%c%d%e%' AND t LIKE '%xxx';
-- require
SELECT min(t COLLATE "C"), length(max(t COLLATE "C")) AS m, min(r COLLATE "C"), max(r COLLATE "C") FROM tx_len;
-- require
SELECT id, t FROM tx_len WHERE r < t COLLATE "C" AND late % 100 = 3;

-- bpchar without a length.
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE c = '';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE c <> '';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE id % 10 IN (0, 3, 4) AND c = '  ';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE c = 'a';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE id % 10 <> 0 AND c = 'a';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE id % 10 > 3 AND c <> 'abcdefgh';
-- require
SELECT count(*), sum(id) FROM tx_bare WHERE id % 10 > 7 AND c = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx';
