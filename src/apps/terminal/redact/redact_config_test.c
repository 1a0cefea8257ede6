/* Secrets in addresses, cookies, statements and files that people write, and what looks like them
 * (terminal.md section 9, kind c). */
#include "apps/terminal/redact/redact_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/size.h"

struct pair {
	const char *text, *wanted;
};

static void run(const struct pair *pairs, size_t count)
{
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	for (size_t i = 0; i < count; i++) {
		const char *wanted = pairs[i].wanted;

		tn_redact_kit_check(redactor, TN_REDACT_ALL, pairs[i].text, wanted);
		tn_redact_kit_check(redactor, TN_REDACT_ALL, wanted, wanted);
	}
	tn_redactor_destroy(redactor);
}

static void addresses(void **state)
{
	static const struct pair pairs[] = {
		{"git clone https://a1b2c3d4e5f6a7b8c9d0e1f2@github.com/x/y",
		 "git clone https://[redacted:url]@github.com/x/y"},
		{"git remote add o https://a1b2c3d4e5f6a7b8c9d0e1f2:x-oauth-basic@github.com/x",
		 "git remote add o https://[redacted:url]:[redacted:url]@github.com/x"},
		{"https://oauth2:a1b2c3d4@gitlab.com/x",
		 "https://oauth2:[redacted:url]@gitlab.com/x"},
		{"https://x.blob.core.windows.net/c/b?sv=2024&sp=r&sig=aB3%2FdEfGh1JaB3dEf%3D&se=2",
		 "https://x.blob.core.windows.net/c/b?sv=2024&sp=r&sig=[redacted:assigned]&se=2"},
		{"curl 'https://x/b?sig=aB3%2FdEfGh1JaB3dEf%3D'",
		 "curl 'https://x/b?sig=[redacted:assigned]'"},
		{"https://b.s3.amazonaws.com/k?X-Amz-Signature=0123456789abcdef0123&X-Amz-Date=2",
		 "https://b.s3.amazonaws.com/k?X-Amz-Signature=[redacted:assigned]&X-Amz-Date=2"},
		{"<a href=\"https://x/b?sp=r&amp;sig=aB3%2FdEfGh1JaB3dEf%3D\">",
		 "<a href=\"https://x/b?sp=r&amp;sig=[redacted:assigned]\">"},
	};

	(void)state;
	run(pairs, TN_COUNT(pairs));
}

static void options(void **state)
{
	static const struct pair pairs[] = {
		{"curl -b session=canary https://x",
		 "curl -b session=[redacted:argument] https://x"},
		{"curl -b 'a=1; session=canary' https://x",
		 "curl -b 'a=[redacted:argument]' https://x"},
		{"curl -sb sid=canary x", "curl -sb sid=[redacted:argument] x"},
		{"curl --cookie sid=canary x", "curl --cookie sid=[redacted:argument] x"},
		{"curl -c jar -b jar.txt https://x", "curl -c jar -b jar.txt https://x"},
		{"curl --cookie jar.txt https://x", "curl --cookie jar.txt https://x"},
		{"curl --oauth2-bearer canary https://x",
		 "curl --oauth2-bearer [redacted:argument] https://x"},
		{"x --bearer=canary", "x --bearer=[redacted:assigned]"},
	};

	(void)state;
	run(pairs, TN_COUNT(pairs));
}

static void statements(void **state)
{
	static const struct pair pairs[] = {
		{"psql -c \"ALTER USER x PASSWORD 'canary'\"",
		 "psql -c \"ALTER USER x PASSWORD '[redacted:assigned]'\""},
		{"alter role x with login password 'canary' valid until 'infinity';",
		 "alter role x with login password '[redacted:assigned]' valid until 'infinity';"},
		{"CREATE USER x IDENTIFIED BY 'canary';",
		 "CREATE USER x IDENTIFIED BY '[redacted:assigned]';"},
		{"mysql -e 'create user x identified by \"canary\"'",
		 "mysql -e 'create user x identified by \"[redacted:assigned]\"'"},
		{"ALTER USER x IDENTIFIED WITH caching_sha2_password BY 'canary'",
		 "ALTER USER x IDENTIFIED WITH caching_sha2_password BY '[redacted:assigned]'"},
		{"mysql -e \"GRANT ALL ON *.* TO x IDENTIFIED BY \\\"canary\\\"\"",
		 "mysql -e \"GRANT ALL ON *.* TO x IDENTIFIED BY \\\"[redacted:assigned]\\\"\""},
		{"SET PASSWORD FOR x = PASSWORD('canary');",
		 "SET PASSWORD FOR x = PASSWORD('[redacted:assigned]');"},
		{"CREATE LOGIN x WITH PASSWORD = 'canary';",
		 "CREATE LOGIN x WITH PASSWORD = [redacted:assigned];"},
		{"ALTER USER x PASSWORD 'abc''defcanary';",
		 "ALTER USER x PASSWORD '[redacted:assigned]';"},
		{"CREATE USER x IDENTIFIED BY 'ab\\'canary';",
		 "CREATE USER x IDENTIFIED BY '[redacted:assigned]';"},
		{"alter user x password 'canary\\'\nselect 'y'",
		 "alter user x password '[redacted:assigned]\\'\nselect 'y'"},
		{"alter user x password 'ab''canary", "alter user x password '[redacted:assigned]"},
		{"\"alter user x password \\\"canary",
		 "\"alter user x password \\\"[redacted:assigned]"},
		{"mysql -e \"alter user x identified by \\\"ab\\\"\\\"canary\\\"\"",
		 "mysql -e \"alter user x identified by \\\"[redacted:assigned]\\\"\""},
		{"psql -c 'ALTER USER x PASSWORD '\\''ab'\\'''\\''canary'\\'''",
		 "psql -c 'ALTER USER x PASSWORD '\\''[redacted:assigned]'\\'''"},
		{"CREATE LOGIN x WITH PASSWORD = 'abcdefgh''canary';",
		 "CREATE LOGIN x WITH PASSWORD = [redacted:assigned];"},
		{"ALTER USER scott IDENTIFIED BY tiger;",
		 "ALTER USER scott IDENTIFIED BY [redacted:assigned];"},
		{"CREATE USER \"Scott T\" IDENTIFIED BY tiger;",
		 "CREATE USER \"Scott T\" IDENTIFIED BY [redacted:assigned];"},
		{"grant connect to scott identified by tiger",
		 "grant connect to scott identified by [redacted:assigned]"},
		{"psql -c 'ALTER USER x PASSWORD '\\''canary'\\'''",
		 "psql -c 'ALTER USER x PASSWORD '\\''[redacted:assigned]'\\'''"},
	};

	(void)state;
	run(pairs, TN_COUNT(pairs));
}

static void files(void **state)
{
	static const struct pair pairs[] = {
		{"<password>canary</password>", "<password>[redacted:assigned]</password>"},
		{"<s:Password Type=\"x\">canary</s:Password>",
		 "<s:Password Type=\"x\">[redacted:assigned]</s:Password>"},
		{"<apiKey>\n  canary\n</apiKey>", "<apiKey>\n  [redacted:assigned]\n</apiKey>"},
		{"<password><![CDATA[canary]]></password>",
		 "<password><![CDATA[[redacted:assigned]]]></password>"},
		{"<apiKey>\n <![CDATA[ can<ary ]]>\n</apiKey>",
		 "<apiKey>\n <![CDATA[ [redacted:assigned] ]]>\n</apiKey>"},
		{"\"Server=h;Database=d;Uid=me;Pwd=canary;\"",
		 "\"Server=h;Database=d;Uid=me;Pwd=[redacted:assigned];\""},
		{"Pwd=canary;Uid=me;Server=h", "Pwd=[redacted:assigned];Uid=me;Server=h"},
		{"Data Source=h; User Id=me; Password=canary; x=1",
		 "Data Source=h; User Id=me; Password=[redacted:assigned]; x=1"},
		{"password:\n  canary-1\nhost: h", "password:\n  [redacted:assigned]\nhost: h"},
		{"db:\n  password: >-\n    can ary\n  host: h",
		 "db:\n  password: >-\n    [redacted:assigned]\n  host: h"},
		{"- token: |\n    canary\n    more\n\n- x: y",
		 "- token: |\n    [redacted:assigned]\n\n- x: y"},
		{"{\n  \"password\":\n    \"correct horse\",\n  \"a\": 1\n}",
		 "{\n  \"password\":\n    [redacted:assigned],\n  \"a\": 1\n}"},
		{"secret: 'correct horse'\n", "secret: [redacted:assigned]\n"},
	};

	(void)state;
	run(pairs, TN_COUNT(pairs));
}

static void what_looks_like_them_stays(void **state)
{
	static const char *const texts[] = {
		"https://someone@example.com/x https://first.last1234567890123@example.com",
		"ssh://git-user-name-1234567890@host/x git@github.com:a/b.git",
		"https://x/?sig=short&signature=none https://x/?sigma=0123456789abcdef0123",
		"make sig=0123456789abcdef0123",
		"curl -b cookies.txt -c cookies.txt x; cp -b a=b c; grep -b x=y z",
		"SELECT password FROM users WHERE name = 'x'; ORDER BY 'x'",
		"the password 'see the manual' is set by 'x'",
		"alter table t add column password text default 'x'",
		"<password></password><token>${TOKEN}</token><token>",
		"reset the password 'x'; reset password 'x'; an offset password 'y'",
		"webserver=h; pwd=abc; x",
		"Password:\n    at least 12 characters",
		"Credentials:\n  expire in 30 days",
		"alter user x password ''; select 'y'",
		"create a user who is identified by email; every user identified by name1",
		"create user x identified by values 'y'; identified by tiger",
		"<password><![CDATA[]]></password> <password><b/></password>",
		"usage: x <token> <password> y </b>",
		"if (token > 0) { x; } else if (password</b>",
		"PWD=/home/x; cd y; OLDPWD=/z; server=h; PWD=/srv",
		"password:\n\nhost: h",
		"auth:\n  user: x\n  kind: y1234567",
		"secrets:\n  - db_password1\n  - api_token22",
		"token:\nnext_line_1 = 2",
		"cookies: |\n",
		"password: >-\nhost: h12345678",
		"say what the token is:\n  something1",
		"error: invalid token:\n  at line 12345678",
	};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++)
		tn_redact_kit_check(redactor, TN_REDACT_ALL, texts[i], texts[i]);
	tn_redactor_destroy(redactor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(options),
		cmocka_unit_test(statements),
		cmocka_unit_test(files),
		cmocka_unit_test(what_looks_like_them_stays),
	};

	return cmocka_run_group_tests_name("redact-config", tests, NULL, NULL);
}
