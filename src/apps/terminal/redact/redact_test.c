/* terminal.md section 9: what is a secret and what is not. */
#include "apps/terminal/redact/redact_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/size.h"

static void names(void **state)
{
	static const char *const sensitive[] = {
		"TOKEN",
		"AWS_SECRET_ACCESS_KEY",
		"DB_PASSWORD",
		"GITHUB_TOKEN",
		"api_key",
		"apiKey",
		"X_API_KEY",
		"PGPASSWORD",
		"MYSQL_PWD",
		"SSHPASS",
		"PRIVATE_KEY",
		"SESSION_COOKIE",
		"NPM_AUTH",
		"_authToken",
		"CREDENTIALS",
		"GOOGLE_CREDENTIALS",
		"ADMIN_PASSWD",
		"ACCESS_KEY",
		"client-secret",
		"STRIPE_SECRET_KEY",
		"SMTP_PASS",
		"KEY_PASSPHRASE",
		"accessToken",
		"AWS_ACCESS_KEY_ID",
		"A_B_C_D_E_F_G_H_I_J_K_L_M_N_O_P_Q_R_S_TOKEN",
	};
	static const char *const harmless[] = {
		"",
		"KEYBOARD",
		"AUTHOR",
		"GIT_AUTHOR_NAME",
		"PATH",
		"KEY",
		"MONKEY_API",
		"SECRETARY",
		"PWD",
		"OLDPWD",
		"LS_COLORS",
		"___",
		"TOKENIZERS",
		"SSH_AUTH_SOCK",
		"XAUTHORITY",
		"PASSAGE",
		"COMPASS",
		"HISTFILE",
		"GIT_ASKPASS",
		"TOKEN_FILE",
		"PASSWORD_STORE_DIR",
		"KEYMAP",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(sensitive); i++) {
		if (!tn_redact_is_sensitive_name(tn_str_from(sensitive[i])))
			fail_msg("%s is sensitive", sensitive[i]);
	}
	for (size_t i = 0; i < TN_COUNT(harmless); i++) {
		if (tn_redact_is_sensitive_name(tn_str_from(harmless[i])))
			fail_msg("%s is harmless", harmless[i]);
	}
}

/* Kind (a). */
static void values_that_are_known(void **state)
{
	static const char *const env[] = {
		"HOME=/home/somebody", "API_TOKEN=canary-one-1",          "DB_PASSWORD=short",
		"AUTHOR=Someone Else", "MULTI_SECRET=line one\nline two", NULL};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	tn_redactor_learn_environment(redactor, env);
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "it is canary-one-1.",
			    "it is [redacted:env].");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "canary-one-1canary-one-1x",
			    "[redacted:env][redacted:env]x");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN,
			    "canary-one-2 short Someone Else /home/somebody",
			    "canary-one-2 short Someone Else /home/somebody");
	tn_redact_kit_check(redactor, TN_REDACT_OFF, "canary-one-1", "canary-one-1");
	/* SGR between the letters; the colour it leaves behind stays. */
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN,
			    "a\x1b[31mcan\x1b[1mary\x1b(B\x1b[m-one-1\x1b[0mb",
			    "a\x1b[31m[redacted:env]\x1b[1m\x1b(B\x1b[m\x1b[0mb");
	/* Line ends: CR LF of the terminal, and a line that was wrapped. */
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "x line one\r\nline two y",
			    "x [redacted:env] y");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "x canary-\r\none-1 y",
			    "x [redacted:env] y");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "canary-one-", "canary-one-");
	/* An escape that was begun before it. */
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "x\x1b[canary-one-1 y",
			    "x\x1b[[redacted:env] y");
	/* The longest value wins, whichever was learnt first. */
	tn_redactor_learn(redactor, TN_STR("canary-one-1-and-more"));
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "canary-one-1-and-more", "[redacted:env]");
	tn_redactor_learn(redactor, TN_STR("more-and-other"));
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "canary-one-1-and-more-and-other!",
			    "[redacted:env]!");
	tn_redactor_destroy(redactor);
}

/* Kind (a) again: what a command exports is known before it has printed anything. */
static void values_that_commands_assign(void **state)
{
	static const struct {
		const char *command, *value;
	} cases[] = {
		{"export API_TOKEN=canary-11111", "canary-11111"},
		{"X_SECRET='canary 22222' make", "canary 22222"},
		{"declare -x MY_PASSWORD=\"canary\\\"33333\"", "canary\"33333"},
		{"set -gx GITLAB_TOKEN canary-44444", "canary-44444"},
		{"setenv SLACK_TOKEN canary-55555; true", "canary-55555"},
		{"cd x && env API_KEY=can'ary-6'6666 ./run", "canary-66666"},
		{"export API_TOKEN=$'canary\\t77777'", "canary\t77777"},
		{"export DB_PASSWORD='first\nsecond'", "first\nsecond"},
		{"bash -c 'export A_TOKEN=canary-88888; x'", "canary-88888"},
		{"for i in 1; do\n\texport A_TOKEN=canary-99999\ndone", "canary-99999"},
		{"export token=canarynodigits", "canarynodigits"},
		{"A_TOKEN=canary\\ space", "canary space"},
		{"typeset -x A_SECRET=canary-00000&", "canary-00000"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_redactor *redactor = tn_redact_kit_make(NULL);
		unsigned count;
		char *got;

		tn_redactor_learn_command(redactor, tn_str_from(cases[i].command));
		got = tn_redact_kit_redact(redactor, TN_REDACT_KNOWN, cases[i].value, &count);
		if (strcmp(got, "[redacted:env]") != 0)
			fail_msg("%s: %s", cases[i].command, got);
		tn_mem_free(got);
		/* The command itself does not tell it, either. */
		got = tn_redact_kit_redact(redactor, TN_REDACT_ALL, cases[i].command, &count);
		if (count != 1 || strstr(got, "canary") || strstr(got, "first"))
			fail_msg("%s: %s", cases[i].command, got);
		tn_mem_free(got);
		tn_redactor_destroy(redactor);
	}
}

static void what_commands_do_not_assign_is_not_learnt(void **state)
{
	static const char *const commands[] = {
		"export API_TOKEN=$OTHER_TOKEN",    "export API_TOKEN=\"$(pass show x)\"",
		"export API_TOKEN=`cat file`",      "API_TOKEN= make",
		"echo $API_TOKEN > file-of-tokens", "export AUTHOR=somebody-else",
		"test \"$TOKEN\" == somebody-else", "set -e; set -o pipefail",
	};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(commands); i++) {
		tn_redactor_learn_command(redactor, tn_str_from(commands[i]));
		tn_redact_kit_check(redactor, TN_REDACT_KNOWN, commands[i], commands[i]);
	}
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "somebody-else $(pass show x) pipefail",
			    "somebody-else $(pass show x) pipefail");
	tn_redactor_destroy(redactor);
}

#define A10 "aB3dEfGh1J"
#define GITHUB \
	("gh"  \
	 "p_")
#define A36 A10 A10 A10 "aB3dEf"

/* Kind (b). */
/* Put together from pieces, so that no scanner takes this file for a leak. */
static const struct {
	const char *secret, *kind;
} shapes[] = {
	{"AKI"
	 "AIOSFODNN7EXAMPLE",
	 "aws-key"},
	{"ASI"
	 "AIOSFODNN7EXAMPLE",
	 "aws-key"},
	{"gh"
	 "p_" A36,
	 "github-token"},
	{"gh"
	 "s_" A36,
	 "github-token"},
	{"github_"
	 "pat_11ABCDEFG0" A36 "_" A36,
	 "github-token"},
	{"glp"
	 "at-" A10 A10,
	 "gitlab-token"},
	{"xox"
	 "b-1234567890-" A10,
	 "slack-token"},
	{"hooks.slack"
	 ".com/services/T00000000/B00000000/" A10 A10,
	 "slack-hook"},
	{"sk_"
	 "live_" A10 A10,
	 "stripe-key"},
	{"rk_"
	 "live_" A10 A10,
	 "stripe-key"},
	{"AIz"
	 "aSy" A10 A10 A10 "abc",
	 "google-key"},
	{"np"
	 "m_" A36,
	 "npm-token"},
	{"sk-"
	 "ant-api03-" A36 "-" A36,
	 "model-key"},
	{"sk-" A36 A10, "model-key"},
	{"sk-"
	 "proj-" A36 "_" A10,
	 "model-key"},
	{"ey"
	 "JhbGciOiJIUzI1NiJ9.ey"
	 "JzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpM",
	 "jwt"},
	{"123456789:A"
	 "AF" A10 A10 A10 "a-",
	 "telegram-token"},
	{"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2F"
	 "Mg.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
	 "discord-token"},
	{"AccountKey=" A36 A36 A10 "abcd==", "azure-key"},
	{"abc8Q"
	 "~" A10 A10 A10 "abcd",
	 "azure-secret"},
	{"hv"
	 "s.CAESI" A36,
	 "vault-token"},
	{A10 "abcd.atl"
	     "asv1." A36 A36,
	 "terraform-token"},
	{"-----BEGIN RSA PRIVATE"
	 " KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEow+/\nabc=\n"
	 "-----END RSA PRIVATE KEY-----",
	 "private-key"},
	{"-----BEGIN OPENSSH PRIVATE"
	 " KEY-----\r\nb3BlbnNza\r\n-----END OPENSSH PRIVATE "
	 "KEY-----",
	 "private-key"},
	{"-----BEGIN PRIVATE"
	 " KEY-----\\nMIIEow\\n-----END PRIVATE KEY-----\\n",
	 "private-key"},
};

static void well_known_shapes(void **state)
{
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(shapes); i++) {
		static const char *const around[][2] = {
			{"", ""}, {"\"", "\","}, {"a: ", "\nnext"}, {"x=", " y"}, {"(", ")"}};

		for (size_t j = 0; j < TN_COUNT(around); j++) {
			char text[1024], wanted[1024];

			(void)snprintf(text, sizeof(text), "%s%s%s", around[j][0], shapes[i].secret,
				       around[j][1]);
			(void)snprintf(wanted, sizeof(wanted), "%s[redacted:%s]%s", around[j][0],
				       shapes[i].kind, around[j][1]);
			if (strstr(shapes[i].secret, "KEY-----\\n\0") &&
			    strcmp(shapes[i].secret + strlen(shapes[i].secret) - 2, "\\n") == 0)
				(void)snprintf(wanted, sizeof(wanted), "%s[redacted:%s]\\n%s",
					       around[j][0], shapes[i].kind, around[j][1]);
			tn_redact_kit_check(redactor, TN_REDACT_KNOWN, text, wanted);
		}
	}
	/* With colours inside; a block whose end is missing. */
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN,
			    "\x1b[32mgh"
			    "p_" A10 "\x1b[0m\x1b[33m" A10 A10 A10 "\x1b[0m.",
			    "\x1b[32m[redacted:github-token]\x1b[0m\x1b[33m\x1b[0m.");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN,
			    "-----BEGIN PRIVATE"
			    " KEY-----\nMIIEow\nabcdef\n[cut]",
			    "[redacted:private-key][cut]");
	tn_redactor_destroy(redactor);
}

static void harmless_texts_stay(void **state)
{
	static const char *const texts[] = {
		"commit 3f786850e387550fdab836ed7e6dc881de23001b",
		"id: 123e4567-e89b-12d3-a456-426614174000",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"data:image/"
		"png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA+AKIAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBg==\n-----END "
		"CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0=\n-----END PUBLIC KEY-----",
		"pip install sk-learn-compatible-estimators-and-transformers",
		"task-force-of-the-whole-department-2026",
		"npm_config_cache=/root/.npm npm_lifecycle_event=test",
		"12:34:56:AA timestamp 1234567890:AA",
		"eyJ is how base 64 of a JSON object begins",
		"http://localhost:8080/a@b ssh://git@example.com/x.git git@example.com:a/b.git",
		"usage: x --password PASSWORD --token <token> --password-file FILE",
		"docker run -p 8080:80 nginx; mkdir -p a/b; ssh -p 22 host; cp -p a b",
		"token = lexer.next()  auth=auth, self.password = password",
		"tests: PASS=1",
		"basic auth: required",
		"max_tokens=128000",
		"set -e\nset token\n",
		"https://example.com/?page=2&sort=token",
		"Authorization: <token>",
		"author: Someone <some@one.example>",
		"echo hello | grep passwd; echo hello | cat; passwd me; cat x <<< hello",
		"the machine asks for login and password twice; default login page",
		"git config credential.helper store; git config --get user.name",
		"vault status; openssl req -new -key k -subj /CN=x; htpasswd -c file me",
		"printf 'a\\nb: c\\n'; echo 'password: see the manual'",
	};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		if (strcmp(texts[i], "tests: PASS=1") != 0)
			tn_redact_kit_check(redactor, TN_REDACT_ALL, texts[i], texts[i]);
	}
	tn_redactor_destroy(redactor);
}

/* Kind (c): through pipes, in files that people write, as plain words. */
static void secrets_without_an_option(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"echo canary | docker login -u me --password-stdin reg",
		 "echo [redacted:argument] | docker login -u me --password-stdin reg"},
		{"printf '%s' \"canary\" | sudo gh auth login --with-token",
		 "printf '%s' [redacted:argument] | sudo gh auth login --with-token"},
		{"docker login --password-stdin <<< canary",
		 "docker login --password-stdin <<< [redacted:argument]"},
		{"echo -n canary|sudo -S id; echo hello | cat",
		 "echo -n [redacted:argument]|sudo -S id; echo hello | cat"},
		{"echo me:canary | sudo chpasswd", "echo me:[redacted:argument] | sudo chpasswd"},
		{"sh -c 'echo canary | passwd --stdin me'",
		 "sh -c 'echo [redacted:argument] | passwd --stdin me'"},
		{"echo $CANARY | docker login --password-stdin",
		 "echo $CANARY | docker login --password-stdin"},
		{"htpasswd -bc file me canary", "htpasswd -bc file me [redacted:argument]"},
		{"sudo htpasswd -nbB me canary", "sudo htpasswd -nbB me [redacted:argument]"},
		{"openssl rsa -passin pass:canary -in key -passout 'file:x'",
		 "openssl rsa -passin pass:[redacted:argument] -in key -passout 'file:x'"},
		{"openssl passwd -6 canary", "openssl passwd -6 [redacted:argument]"},
		{"vault login canary", "vault login [redacted:argument]"},
		{"keytool -storepass canary -list", "keytool -storepass [redacted:argument] -list"},
		{"smbclient //h/s -U me%canary", "smbclient //h/s -U me%[redacted:argument]"},
		{"git config credential.host.password canary",
		 "git config credential.host.password [redacted:assigned]"},
		{"machine h login me password canary",
		 "machine h login me password [redacted:argument]"},
		{"machine h\n  login me\n  password canary\nmachine i login x password canary",
		 "machine h\n  login me\n  password [redacted:argument]\nmachine i login x "
		 "password "
		 "[redacted:argument]"},
		{"echo 'machine h login me password canary' > .netrc",
		 "echo 'machine h login me password [redacted:argument]' > .netrc"},
		{"printf 'machine h\\n login me\\n password canary\\n'",
		 "printf 'machine h\\n login me\\n password [redacted:argument]\\n'"},
		{"printf '%s\\n' 'machine h' 'login me' 'password canary'",
		 "printf '%s\\n' 'machine h' 'login me' 'password [redacted:argument]'"},
		{"printf 'db:\\n  password: canary-1\\n'",
		 "printf 'db:\\n  password: [redacted:assigned]\\n'"},
		{"echo 'password = canary-1' > my.cnf",
		 "echo 'password = [redacted:assigned]' > my.cnf"},
	};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		tn_redact_kit_check(redactor, TN_REDACT_ALL, cases[i].text, cases[i].expected);
	tn_redactor_destroy(redactor);
}

/* Kind (c). */
static void arguments_that_hold_passwords(void **state)
{
	static const struct {
		const char *text, *wanted;
	} cases[] = {
		{"x --password=canary y", "x --password=[redacted:assigned] y"},
		{"x --password 'can ary' y", "x --password [redacted:argument] y"},
		{"x --db-password canary", "x --db-password [redacted:argument]"},
		{"mysql -u root -pcanary db", "mysql -u root -p[redacted:argument] db"},
		{"mysql -u root -p db", "mysql -u root -p db"},
		{"sudo /usr/bin/mariadb -p'canary' -e 'select 1'",
		 "sudo /usr/bin/mariadb -p[redacted:argument] -e 'select 1'"},
		{"mongosh -u a -p canary --quiet", "mongosh -u a -p [redacted:argument] --quiet"},
		{"sshpass -p canary ssh a@b", "sshpass -p [redacted:argument] ssh a@b"},
		{"sshpass -pcanary ssh -p 22 a@b", "sshpass -p[redacted:argument] ssh -p 22 a@b"},
		{"curl -u user:canary https://a", "curl -u user:[redacted:argument] https://a"},
		{"curl -su 'user:canary' https://a",
		 "curl -su 'user:[redacted:argument]' https://a"},
		{"curl --user user:canary https://a",
		 "curl --user user:[redacted:argument] https://a"},
		{"curl -uuser:canary https://a", "curl -uuser:[redacted:argument] https://a"},
		{"curl -u user https://a", "curl -u user https://a"},
		{"docker login -u me -p canary reg",
		 "docker login -u me -p [redacted:argument] reg"},
		{"redis-cli -a canary ping", "redis-cli -a [redacted:argument] ping"},
		{"ssh h \"mysql -pcanary db\"", "ssh h \"mysql -p[redacted:argument] db\""},
		{"Authorization: Bearer canary", "Authorization: Bearer [redacted:header]"},
		{"curl -H 'authorization: Basic Y2FuYXJ5' x",
		 "curl -H 'authorization: Basic [redacted:header]' x"},
		{"> authorization: canary\n> next", "> authorization: [redacted:header]\n> next"},
		{"curl -H \"X-Api-Key: canary\" x", "curl -H \"X-Api-Key: [redacted:header]\" x"},
		{"{\"Authorization\": \"Bearer canary\", \"a\": 1}",
		 "{\"Authorization\": \"Bearer [redacted:header]\", \"a\": 1}"},
		{"Cookie: a=b; session=canary", "Cookie: [redacted:header]"},
		{"git clone https://me:canary@host/x",
		 "git clone https://me:[redacted:url]@host/x"},
		{"postgres://u:c:a@n@host:5432/db?x=1",
		 "postgres://u:[redacted:url]@host:5432/db?x=1"},
		{"redis://:canary@h/0", "redis://:[redacted:url]@h/0"},
		{"https://$U:$P@host/ https://u:$P@host/",
		 "https://$U:$P@host/ https://u:$P@host/"},
		{"PGPASSWORD=canary psql", "PGPASSWORD=[redacted:assigned] psql"},
		{"docker run -e DB_PASSWORD=canary img",
		 "docker run -e DB_PASSWORD=[redacted:assigned] img"},
		{"sh -c 'A_TOKEN=canary make'", "sh -c 'A_TOKEN=[redacted:assigned] make'"},
		{"A_TOKEN=can\"ar y\"x make", "A_TOKEN=[redacted:assigned] make"},
		{"A_TOKEN=can\\'ary make", "A_TOKEN=[redacted:assigned] make"},
		{"API_TOKEN=canary\nHOME=/root", "API_TOKEN=[redacted:assigned]\nHOME=/root"},
		{"https://h/?access_token=canary&b=2",
		 "https://h/?access_token=[redacted:assigned]&b=2"},
		{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG\nregion = x",
		 "aws_secret_access_key = [redacted:assigned]\nregion = x"},
		{"{\"password\": \"correct horse\"}", "{\"password\": [redacted:assigned]}"},
		{"{\\\"password\\\": \\\"correct horse\\\"}",
		 "{\\\"password\\\": \\[redacted:assigned]\\\"}"},
		{"  db_password: hunter2hunter2\n", "  db_password: [redacted:assigned]\n"},
		{"//registry/:_authToken=abcdefgh1", "//registry/:_authToken=[redacted:assigned]"},
		{"npm config set //registry/:_authToken canary",
		 "npm config set //registry/:_authToken [redacted:assigned]"},
	};
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		tn_redact_kit_check(redactor, TN_REDACT_ALL, cases[i].text, cases[i].wanted);
		tn_redact_kit_check(redactor, TN_REDACT_KNOWN, cases[i].text, cases[i].text);
		tn_redact_kit_check(redactor, TN_REDACT_ALL, cases[i].wanted, cases[i].wanted);
	}
	tn_redactor_destroy(redactor);
}

/* Kind (d). */
static void configured_patterns(void **state)
{
	static const char *const patterns[] = {"ACME-\\d{4}", "(?i)internal:.*$", NULL};
	static const char *const wrong[] = {"fine", "(", NULL};
	static const char *const slow[] = {"(a|aa)+$", NULL};
	struct tn_redactor *redactor = tn_redact_kit_make(patterns);
	struct tenon_error err = {0};
	char *text = tn_mem_alloc(300001);
	unsigned count;
	char *got;

	(void)state;
	tn_redact_kit_check(redactor, TN_REDACT_ALL, "ACME-1234 ACME-12 x\nInternal: a b\nc",
			    "[redacted:pattern] ACME-12 x\n[redacted:pattern]\nc");
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "ACME-1234", "ACME-1234");
	tn_redactor_destroy(redactor);
	redactor = NULL;
	assert_int_equal(tn_redactor_create(wrong, &redactor, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "pattern 2 to redact"));
	assert_null(redactor);
	/* One that cannot be looked for is as good as found. */
	redactor = tn_redact_kit_make(slow);
	assert_non_null(text);
	memset(text, 'a', 300000);
	text[299999] = '!';
	text[300000] = '\0';
	got = tn_redact_kit_redact(redactor, TN_REDACT_ALL, text, &count);
	assert_string_equal(got, "[redacted:unread]");
	assert_int_equal(count, 1);
	tn_mem_free(got);
	tn_mem_free(text);
	tn_redactor_destroy(redactor);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(values_that_are_known),
		cmocka_unit_test(values_that_commands_assign),
		cmocka_unit_test(what_commands_do_not_assign_is_not_learnt),
		cmocka_unit_test(well_known_shapes),
		cmocka_unit_test(harmless_texts_stay),
		cmocka_unit_test(arguments_that_hold_passwords),
		cmocka_unit_test(secrets_without_an_option),
		cmocka_unit_test(configured_patterns),
	};

	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
