# Loading of the library: every way in, what new sessions get, and that nobody
# is locked out.
#
# VEXEC_STAGE names a writable folder with share/extension and lib of the
# extension; the tests remove the library from it and put it back.

use strict;
use warnings FATAL => 'all';

use File::Copy qw(copy);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $stage = $ENV{VEXEC_STAGE} or die "VEXEC_STAGE is not set";
my $library = "$stage/lib/pg_vexec.so";
my $away = "$stage/pg_vexec.away";

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf(
	'postgresql.conf', qq{
extension_control_path = '$stage/share:\$system'
dynamic_library_path = '$stage/lib:\$libdir'
autovacuum = off
});
$primary->start;

# Runs SQL in a new session; returns output, messages and exit status.
sub run_sql
{
	my ($node, $database, $sql, %options) = @_;
	my ($out, $messages) = ('', '');
	my $status = $node->psql(
		$database, $sql,
		stdout => \$out,
		stderr => \$messages,
		on_error_stop => 0,
		extra_params => $options{user} ? [ '-U', $options{user} ] : []);
	return ($out, $messages, $status);
}

# The same, with settings given by the client.
sub run_sql_with
{
	my ($options, @arguments) = @_;
	local $ENV{PGOPTIONS} = $options;
	return run_sql(@arguments);
}

# What a new session says about how it got the library.
sub loaded_by
{
	my ($node, $database, %options) = @_;
	my ($out) = run_sql(
		$node, $database,
		q{SELECT loaded_before, loaded_by FROM pg_vexec_library()}, %options);
	return $out;
}

sub database_with_extension
{
	my ($database) = @_;
	$primary->safe_psql('postgres', "CREATE DATABASE $database");
	$primary->safe_psql($database, 'CREATE EXTENSION pg_vexec');
}

my $by_trigger = 't|login trigger';
my $by_call = 'f|function call';
my ($out, $messages, $status);

# CREATE EXTENSION

$primary->safe_psql('postgres', 'CREATE DATABASE created');
($out, $messages) = run_sql(
	$primary, 'created', q{
SET pg_vexec.enabled = on;
CREATE EXTENSION pg_vexec;
SHOW pg_vexec.enabled;
SET pg_vexec.enabled = off;
SHOW pg_vexec.enabled;
SET pg_vexec.enabled = maybe;
SET pg_vexec.nonsense = on;
SELECT loaded_before, loaded_by FROM pg_vexec_library();
});
is($out, "on\noff\nt|CREATE EXTENSION", 'settings take effect in the session of CREATE EXTENSION');
like($messages, qr/parameter "pg_vexec.enabled" requires a Boolean value/,
	'an invalid value is refused');
like($messages, qr/invalid configuration parameter name "pg_vexec.nonsense"/,
	'an unknown setting is refused');
like($messages, qr/NOTICE: +pg_vexec is loaded in this session only\n.*SELECT pg_vexec_enable_database\(\); /,
	'CREATE EXTENSION says what is to be done for new sessions');
like($messages, qr/SET shared_preload_libraries = 'pg_vexec';/, '... or for the server');

($out, $messages) = run_sql(
	$primary, 'created', q{
DROP EXTENSION pg_vexec;
SET client_min_messages = warning;
CREATE EXTENSION pg_vexec;
SHOW client_min_messages;
});
is($messages, '', 'client_min_messages silences the notice');
is($out, 'warning', '... and is kept');

($out, $messages) = run_sql(
	$primary, 'created', q{
DROP EXTENSION pg_vexec;
CREATE SCHEMA "Other Place";
CREATE EXTENSION pg_vexec SCHEMA "Other Place";
SHOW client_min_messages;
});
like($messages, qr/SELECT "Other Place"\.pg_vexec_enable_database\(\);/, 'the notice names the schema');
is($out, 'notice', 'client_min_messages is as before');

($out, $messages) = run_sql(
	$primary, 'created', q{
SET pg_vexec.enabled = maybe;
SET pg_vexec.force = on;
SET pg_vexec.nonsense = on;
LOAD 'pg_vexec';
SHOW pg_vexec.enabled;
SHOW pg_vexec.force;
});
is($out, "off\non", 'values set before loading apply when the library is loaded');
like($messages, qr/WARNING: .*parameter "pg_vexec.enabled" requires a Boolean value/,
	'... with a warning for an invalid value');
like($messages, qr/WARNING: .*invalid configuration parameter name "pg_vexec.nonsense", removing it/,
	'... and one for an unknown setting');

# Ways in

database_with_extension('ways');
is(loaded_by($primary, 'ways'), $by_call, 'by default a new session has no library');
($out) = run_sql($primary, 'ways',
	q{LOAD 'pg_vexec'; SELECT loaded_before, loaded_by FROM pg_vexec_library()});
is($out, 't|LOAD', 'LOAD');
($out) = run_sql_with('-c session_preload_libraries=pg_vexec',
	$primary, 'ways', 'SELECT loaded_before, loaded_by, preloaded_by FROM pg_vexec_library()');
is($out, 't|session_preload_libraries|', 'session_preload_libraries given by the client');
$primary->safe_psql('postgres', 'ALTER DATABASE ways SET session_preload_libraries = auto_explain, pg_vexec');
($out) = run_sql($primary, 'ways',
	'SELECT loaded_before, loaded_by, preloaded_by FROM pg_vexec_library()');
is($out, 't|session_preload_libraries|session_preload_libraries', 'session_preload_libraries of the database');
$primary->safe_psql('postgres', 'ALTER DATABASE ways RESET session_preload_libraries');

($out) = run_sql($primary, 'ways', q{
SELECT value FROM pg_vexec_status() WHERE item = 'loaded before this call';
SELECT value, remark FROM pg_vexec_status() WHERE item = 'loaded before this call';
SELECT value FROM pg_vexec_status() WHERE item = 'new sessions load it';
SELECT value, remark FROM pg_vexec_status() WHERE item = 'pg_vexec.enabled';
SET pg_vexec.enabled = on;
SELECT value, remark FROM pg_vexec_status() WHERE item = 'pg_vexec.enabled';
SELECT count(DISTINCT value) FROM pg_vexec_status() WHERE item IN ('library version', 'SQL version');
});
is($out, "no\nyes|by function call\nno\noff|source: default\non|source: session\n1",
	'status of a session that did not load the library');

# A database whose new sessions load the library

database_with_extension('enabled');
$primary->append_conf('postgresql.conf', "session_preload_libraries = 'auto_explain'");
$primary->reload;
($out, $messages, $status) = run_sql($primary, 'enabled', 'SELECT pg_vexec_enable_database()');
like($out, qr/new sessions of database enabled load pg_vexec/, 'pg_vexec_enable_database');
is(loaded_by($primary, 'enabled'), $by_trigger, 'a new session has the library');
is(loaded_by($primary, 'ways'), $by_call, '... but not one of another database');
($out) = run_sql($primary, 'enabled',
	'SHOW session_preload_libraries; SHOW auto_explain.log_min_duration');
is($out, "auto_explain\n-1", 'session_preload_libraries of the configuration stays in force');
$primary->adjust_conf('postgresql.conf', 'session_preload_libraries', undef);
$primary->reload;

($out, $messages, $status) = run_sql($primary, 'enabled', 'SELECT pg_vexec_enable_database()');
is($status, 0, 'enabling it again is no error');
($out) = run_sql($primary, 'enabled', 'SET pg_vexec.enabled = on; SHOW pg_vexec.enabled; SET pg_vexec.enabled = x');
is($out, 'on', 'SET works at once');
$primary->safe_psql('postgres', 'ALTER DATABASE enabled SET pg_vexec.enabled = on');
($out) = run_sql($primary, 'enabled', q{SELECT value, remark FROM pg_vexec_status()
	WHERE item IN ('pg_vexec.enabled', 'loaded before this call', 'new sessions load it') ORDER BY item});
is($out, "yes|by login trigger\nyes|by the login trigger of this database\non|source: database",
	'status with the setting of the database');
($out) = run_sql_with('-c pg_vexec.batch_rows=7', $primary, 'enabled', 'SHOW pg_vexec.batch_rows');
is($out, '7', 'settings given by the client apply');

($out, $messages) = run_sql_with('-c event_triggers=off', $primary, 'enabled',
	q{SELECT value FROM pg_vexec_status() WHERE item LIKE '%load%'; SELECT pg_vexec_enable_database()});
like($out, qr/^no\nno\n/, 'status when event triggers are off');
like($messages, qr/WARNING: +new sessions do not load pg_vexec while event_triggers is off/, '... and a warning');

($out, $messages, $status) = run_sql($primary, 'enabled', q{
CREATE TABLE t AS SELECT generate_series(1, 10000) AS a;
SET debug_parallel_query = regress;
SELECT sum(a) FROM t;
});
is($out, '50005000', 'parallel workers start');

$primary->safe_psql('postgres', 'CREATE DATABASE copied TEMPLATE enabled');
is(loaded_by($primary, 'copied'), $by_trigger, 'a database copied from it does the same');
my $dump = "$PostgreSQL::Test::Utils::tmp_check/enabled.sql";
$primary->command_ok(
	[ 'pg_dump', '-f', $dump, '-d', $primary->connstr('enabled') ], 'dump');
$primary->safe_psql('postgres', 'CREATE DATABASE restored');
$primary->command_ok(
	[ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $primary->connstr('restored') ], 'restore');
is(loaded_by($primary, 'restored'), $by_call, 'a restored database needs the call again');

$primary->safe_psql('enabled', 'SELECT pg_vexec_disable_database()');
is(loaded_by($primary, 'enabled'), $by_call, 'pg_vexec_disable_database');
($out, $messages, $status) = run_sql($primary, 'enabled', 'SELECT pg_vexec_disable_database()');
is("$status$messages", '0', 'disabling it again is no error');
is($primary->safe_psql('enabled', 'SELECT count(*) FROM pg_event_trigger'), '0', 'nothing is left');

# Privileges

$primary->safe_psql('postgres', q{
CREATE ROLE owner LOGIN;
CREATE ROLE user1 LOGIN;
CREATE DATABASE owned OWNER owner;
});
$primary->safe_psql('owned', 'CREATE SCHEMA closed; CREATE EXTENSION pg_vexec SCHEMA closed');
($out, $messages, $status) = run_sql($primary, 'owned', 'CREATE EXTENSION pg_vexec', user => 'owner');
like($messages, qr/ERROR/, 'an ordinary user cannot create the extension');
$primary->safe_psql('owned', 'GRANT USAGE ON SCHEMA closed TO owner');
($out, $messages, $status) = run_sql($primary, 'owned', q{
SELECT closed.pg_vexec_enable_database();
SELECT closed.pg_vexec_disable_database();
SELECT closed.pg_vexec_enable_database();
}, user => 'owner');
is($messages, '', 'the owner of the database enables and disables it');
($out, $messages, $status) = run_sql($primary, 'owned', 'SET pg_vexec.enabled = 1; SHOW pg_vexec.enabled; SET pg_vexec.x = 1',
	user => 'user1');
is($out, 'on', 'sessions of a user without USAGE on the schema load the library');
like($messages, qr/invalid configuration parameter name/, '... before their first command');
$primary->safe_psql('owned', 'GRANT USAGE ON SCHEMA closed TO user1');
($out, $messages) = run_sql($primary, 'owned', q{
SELECT closed.pg_vexec_enable_database();
SELECT closed.pg_vexec_disable_database();
SELECT count(*) > 5 FROM closed.pg_vexec_status();
SET pg_vexec.force = on;
}, user => 'user1');
my @denied = $messages =~ /permission denied for function pg_vexec_(?:en|dis)able_database/g;
is(scalar @denied, 2, 'other users cannot enable or disable it');
is($out, 't', '... but read the status');
like($messages, qr/permission denied to set parameter "pg_vexec.force"/, '... and cannot force plans');
($out, $messages) = run_sql_with('-c pg_vexec.force=on', $primary, 'owned', 'SHOW pg_vexec.force', user => 'user1');
is($out, 'off', '... nor before the library is loaded');

# DROP EXTENSION

database_with_extension('dropped');
$primary->safe_psql('dropped', 'SELECT pg_vexec_enable_database(); SELECT pg_vexec_disable_database(); DROP EXTENSION pg_vexec');
($out, $messages) = run_sql($primary, 'dropped', 'SELECT 1');
is("$out$messages", '1', 'a new session after disabling and DROP EXTENSION');
$primary->safe_psql('dropped', 'CREATE EXTENSION pg_vexec; SELECT pg_vexec_enable_database()');
($out, $messages) = run_sql($primary, 'dropped', 'DROP EXTENSION pg_vexec; SET pg_vexec.enabled = on; SHOW pg_vexec.enabled');
is("$out$messages", 'on', 'DROP EXTENSION while sessions load the library');
($out, $messages) = run_sql($primary, 'dropped', 'SELECT count(*) FROM pg_event_trigger');
is("$out$messages", '0', 'a new session after it');

# The library is missing or not to be used

my $log_offset = -s $primary->logfile;

database_with_extension('missing');
$primary->safe_psql('missing', 'SELECT pg_vexec_enable_database()');

sub check_without_library
{
	my ($what, $reason) = @_;

	my ($out, $messages, $status) = run_sql($primary, 'missing', 'SELECT 1');
	is("$out|$status", '1|0', "$what: a new session starts");
	like($messages, qr/WARNING: +pg_vexec could not be loaded: $reason/, "$what: with a warning");
	($out, $messages) = run_sql($primary, 'missing', q{
SET client_min_messages = error;
SELECT value, remark FROM pg_vexec_status() WHERE item = 'loaded before this call';
SELECT count(*) > 5 FROM pg_vexec_status();
});
	like($out, qr/^no\|cannot be loaded: $reason.*\nt$/s, "$what: status says why");
}

rename($library, $away) or die "$library: $!";
check_without_library('no library', 'could not access file');
($out, $messages) = run_sql($primary, 'missing', 'SELECT pg_vexec_disable_database()');
($out, $messages) = run_sql($primary, 'missing', 'SELECT 1');
is("$out$messages", '1', 'no library: pg_vexec_disable_database ends the warning');
($out, $messages) = run_sql($primary, 'missing', 'SELECT pg_vexec_enable_database()');
like($messages, qr/ERROR: +could not access file/, 'no library: pg_vexec_enable_database fails');
is($primary->safe_psql('missing', 'SELECT count(*) FROM pg_event_trigger'), '0', '... and changes nothing');

copy($away, $library);
chmod 0755, $library;
$primary->safe_psql('missing', 'SELECT pg_vexec_enable_database()');
is(loaded_by($primary, 'missing'), $by_trigger, 'the library is back');
unlink($library);
append_to_file($library, "no library\n");
check_without_library('broken library', 'could not load library');
unlink($library);
($out, $messages, $status) = run_sql($primary, 'missing', 'DROP EXTENSION pg_vexec');
is($status, 0, 'no library: DROP EXTENSION');
($out, $messages) = run_sql($primary, 'missing', 'SELECT 1');
is("$out$messages", '1', '... and a new session after it');
unlike(slurp_file($primary->logfile, $log_offset), qr/FATAL/, 'no session was refused');

# The rescue lines for preload settings

$primary->safe_psql('postgres', 'ALTER DATABASE ways SET session_preload_libraries = pg_vexec');
($out, $messages, $status) = run_sql($primary, 'ways', 'SELECT 1');
like($messages, qr/FATAL: +could not access file/, 'a missing library in session_preload_libraries refuses sessions');
($out, $messages, $status) = run_sql_with('-c session_preload_libraries=', $primary, 'ways',
	'ALTER DATABASE ways RESET session_preload_libraries');
is($status, 0, '... a superuser connects without it');
($out, $messages, $status) = run_sql($primary, 'ways', 'SELECT 1');
is($out, '1', '... and ends that');
rename($away, $library) or die "$away: $!";

# shared_preload_libraries, standby

$primary->safe_psql('enabled', 'SELECT pg_vexec_enable_database()');
$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
is(loaded_by($standby, 'enabled'), $by_trigger, 'sessions on a standby load the library');
$standby->adjust_conf('postgresql.conf', 'dynamic_library_path', q{'$libdir'});
$standby->reload;
($out, $messages, $status) = run_sql($standby, 'enabled', 'SELECT 1');
is("$out|$status", '1|0', 'a standby without the library takes sessions');
like($messages, qr/WARNING: +pg_vexec could not be loaded/, '... with a warning');
($out) = run_sql($standby, 'enabled',
	q{SELECT value, remark FROM pg_vexec_status() WHERE item = 'new sessions load it'});
like($out, qr/^no\|the login trigger of this database fails/, '... and the status says so');
$primary->safe_psql('enabled', 'SELECT pg_vexec_disable_database()');
$primary->wait_for_replay_catchup($standby);
($out, $messages, $status) = run_sql($standby, 'enabled', 'SELECT 1');
is("$out$messages", '1', '... and so it does after disabling');
$standby->stop;

$primary->safe_psql('postgres', q{ALTER SYSTEM SET shared_preload_libraries = 'auto_explain', 'pg_vexec'});
$primary->restart;
is(loaded_by($primary, 'ways'), 't|shared_preload_libraries', 'shared_preload_libraries');
($out) = run_sql($primary, 'ways',
	q{SELECT value, remark FROM pg_vexec_status() WHERE item = 'new sessions load it'});
is($out, 'yes|by shared_preload_libraries', '... and the status');
$primary->safe_psql('postgres', 'CREATE DATABASE quiet');
($out, $messages) = run_sql($primary, 'quiet', 'CREATE EXTENSION pg_vexec');
is($messages, '', '... and no notice of CREATE EXTENSION');
$primary->append_conf('postgresql.conf', 'pg_vexec.enabled = on');
$primary->reload;
ok($primary->poll_query_until('ways', 'SHOW pg_vexec.enabled', 'on'), 'reload changes a setting');
$primary->adjust_conf('postgresql.conf', 'pg_vexec.enabled', undef);
$primary->reload;
ok($primary->poll_query_until('ways', 'SHOW pg_vexec.enabled', 'off'), '... and back');

# Cached plans follow the settings

($out, $messages) = run_sql($primary, 'enabled', q{
SET plan_cache_mode = force_generic_plan;
SET pg_vexec.enabled = off;
CREATE FUNCTION uses_vexec() RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	FOR line IN EXPLAIN (COSTS OFF) EXECUTE p LOOP
		IF line LIKE '%Vexec%' THEN RETURN 'vector'; END IF;
	END LOOP;
	RETURN 'core';
END $$;
PREPARE p AS SELECT sum(a) FROM t;
SELECT uses_vexec();
SET pg_vexec.enabled = on;
SET pg_vexec.force = on;
SELECT uses_vexec();
SET pg_vexec.enabled = off;
SELECT uses_vexec();
BEGIN;
SET LOCAL pg_vexec.enabled = on;
SELECT uses_vexec();
SELECT 1/0;
ROLLBACK;
SELECT uses_vexec();
BEGIN;
SAVEPOINT s;
SET LOCAL pg_vexec.enabled = on;
SELECT uses_vexec();
ROLLBACK TO s;
SELECT uses_vexec();
COMMIT;
ALTER FUNCTION uses_vexec() SET pg_vexec.enabled = on;
SELECT uses_vexec();
ALTER FUNCTION uses_vexec() RESET pg_vexec.enabled;
SELECT uses_vexec();
});
is($out, join("\n", qw(core vector core vector core vector core vector core)),
	'cached plans follow pg_vexec.enabled through SET, ROLLBACK and function settings');

# A library that is missing from shared_preload_libraries

rename($library, $away) or die "$library: $!";
is($primary->restart(fail_ok => 1), 0, 'the server does not start without a library of shared_preload_libraries');
$primary->adjust_conf('postgresql.auto.conf', 'shared_preload_libraries', undef);
$primary->start;
is($primary->safe_psql('ways', 'SELECT 1'), '1', '... and does when the line is removed');

done_testing();
