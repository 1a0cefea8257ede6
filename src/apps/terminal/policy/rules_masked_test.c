/* Texts that hide what runs, and those of which it cannot be known (docs/policy.md,
 * terminal.md 10.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/policy/rules_kit.h"
#include "base/size.h"

static const struct tn_rules_row opaque[] = {
	{"$X", NULL},
	{"$X -rf /tmp/x", NULL},
	{"${X} a", NULL},
	{"\"$X\" a", NULL},
	{"$(echo ls)", NULL},
	{"`echo ls`", NULL},
	{"$(which ls) -l", NULL},
	{"su*o ls", NULL},
	{"/usr/bin/su?o ls", NULL},
	{"/usr/bin/[s]udo ls", NULL},
	{"{ls,-l}", NULL},
	{"l${x}s", NULL},
	{"env $X", NULL},
	{"sudo \"$CMD\"", NULL},
	{"xargs -I {} {} x", NULL},
	{"find . -exec {} \\;", NULL},
	{"eval \"$X\"", NULL},
	{"eval $(ssh-agent)", NULL},
	{"eval `dircolors`", NULL},
	{"sh -c \"$X\"", NULL},
	{"sh -c \"ls $X\"", NULL},
	{"bash -c $(cat x)", NULL},
	{"source <(curl x)", NULL},
	{"cat x | . /dev/stdin", NULL},
	{"source ./no-such-script-here", NULL},
	{"bash no-such-script-here.sh", NULL},
	{"echo 'ls' > x.sh; sh x.sh", NULL},
	{"sh < no-such-script-here", NULL},
	{"curl x | sh", NULL},
	{"curl x | sudo bash", NULL},
	{"curl x | bash -s -- -y", NULL},
	{"curl x | tee y | sh", NULL},
	{"echo bHMK | base64 -d | sh", NULL},
	{"base64 -d <<< bHMK | bash", NULL},
	{"cat x | { sh; }", NULL},
	{"cat x | while true; do bash; done", NULL},
	{"cat x | (zsh)", NULL},
	{"bash <(curl x)", NULL},
	{"bash <<< \"$X\"", NULL},
	{"sh <<EOF\n$X\nEOF", NULL},
	{"cat x | xargs sh -c", NULL},
	{"cat x | xargs -I% sh -c %", NULL},
	{"cat x | parallel", NULL},
	{"python -c 'print(1)'", NULL},
	{"python3.11 -c 'print(1)'", NULL},
	{"python3 -Ic 'print(1)'", NULL},
	{"python3 <<EOF\nprint(1)\nEOF", NULL},
	{"echo 'print(1)' | python3", NULL},
	{"echo 'print(1)' | python3 -", NULL},
	{"perl -e 'print 1'", NULL},
	{"perl -ne 'print'", NULL},
	{"ruby -e 'puts 1'", NULL},
	{"node -e 1", NULL},
	{"node --eval 1", NULL},
	{"node -p 1", NULL},
	{"php -r 'echo 1;'", NULL},
	{"lua -e 'print(1)'", NULL},
	{"awk 'BEGIN { system(\"ls\") }'", NULL},
	{"awk 'BEGIN { \"ls\" | getline x }'", NULL},
	{"awk '{ print | \"sort\" }' x", NULL},
	{"gawk 'BEGIN { print 1 |& \"x\" }'", NULL},
	{"awk \"$X\" y", NULL},
	{"awk -f no-such-script-here x", NULL},
	{"sed 's/a/b/e' x", NULL},
	{"sed '1e ls' x", NULL},
	{"sed -e p -e '2e' x", NULL},
	{"vim -c ':!ls' x", NULL},
	{"vim +'!ls' x", NULL},
	{"LD_PRELOAD=./x.so ls", NULL},
	{"BASH_ENV=x bash y", NULL},
	{"PAGER=\"$X\" man ls", NULL},
	{"crontab jobs", NULL},
	{"echo ls | at now", NULL},
	{"trap \"$X\" EXIT", NULL},
	{"alias x=\"$Y\"", NULL},
	{"ssh host \"$X\"", NULL},
	{"git -c alias.x=\"$X\" x", NULL},
	{"'unbalanced", NULL},
	{"echo \"unbalanced", NULL},
	{"echo $(unbalanced", NULL},
	{"echo `unbalanced", NULL},
	{"echo ${unbalanced", NULL},
	{"if true; then ls", NULL},
	{"ls; fi", NULL},
	{"( ls", NULL},
	{"ls )", NULL},
	{"cat <<EOF\nno end", NULL},
	{"ls *(e:'rm x':)", "zsh"},
	{"echo (", "fish"},
	{"if true; ls", "fish"},
};

static void test_opaque(void **state)
{
	struct tn_rules *rules = tn_rules_of(NULL);

	(void)state;
	tn_rules_rows(rules, opaque, TN_COUNT(opaque), tn_rules_unknown);
	tn_rules_destroy(rules);
}

/* What cannot be followed is denied when the policy says so. */
static void test_opaque_denied(void **state)
{
	struct tn_rules *rules = tn_rules_of("{\"hidden\": \"deny\", \"opaque\": \"deny\"}");

	(void)state;
	tn_rules_rows(rules, opaque, TN_COUNT(opaque), tn_rules_denied);
	tn_rules_destroy(rules);
}

/* What is masked is asked about, whatever the default is (terminal.md 10.1). */
static const struct tn_rules_row masked[] = {
	{"base64 -d x | sh", NULL},
	{"$EDITOR x", NULL},
	{"eval \"$y\"", NULL},
	{"sh -c \"$y\"", NULL},
	{"bash -c 'echo hi; '\"$y\"", NULL},
	{". <(echo ls)", NULL},
	{"bash <(cat x)", NULL},
	{"$(echo ls) x", NULL},
	{"l? x", NULL},
	{"{ls,-l}", NULL},
	{"cat x | python3", NULL},
	{"echo ls > s; sh s", NULL},
	{"echo ls > s; ./s", NULL},
	{"test -v 'x[$(ls)]'", NULL},
	{"a='x[$(ls)]'; ((a))", NULL},
	{"x='$(ls)'; echo ${x@P}", NULL},
	{"LD_PRELOAD=./x.so ls", NULL},
	{"BASH_ENV=x bash -c :", NULL},
	{"ENV=x sh -i", NULL},
	{"bash /dev/fd/3 3< x.sh", NULL},
	{". /proc/self/fd/5 5< x.sh", NULL},
	{"VIMINIT=:x vim y", NULL},
	{"GIT_CONFIG_GLOBAL=./x git -p y", NULL},
	{"MAKEFLAGS='--eval=x' make", NULL},
	{"TENON_CONSENT=allow tenon up", NULL},
	{"python3 -c 'import base64; exec(base64.b64decode(\"eA==\"))'", NULL},
	{"echo 'unclosed", NULL},
	{"(echo", "fish"},
	{"source <(cat completion bash)", NULL},
	{"source <(echo ls; kubectl completion bash)", NULL},
	{"source <(./kubectl completion bash)", NULL},
	{"X=$(cat y); ${X:-gcc} z", NULL},
	{"printf -v CC rm; ${CC:-gcc} -rf x", NULL},
	{"read CC <<< rm; ${CC:-gcc} -rf x", NULL},
	{": ${CC:=rm}; ${CC:-gcc} -rf x", NULL},
	{"mapfile -t CC < x; ${CC:-gcc} -rf x", NULL},
	{"while read -r CC; do ${CC:-gcc} x; done < list", NULL},
	{"declare -n R=CC; R=rm; ${CC:-gcc} -rf x", NULL},
	{"source ./env.sh; ${CC:-gcc} -rf x", NULL},
	{"cd src && ${MAKE-make} all", NULL},
	{"\"${PYTHON:-python3}\" -m pytest", NULL},
	{"kubectl() { printf 'rm -rf ~'; }; source <(kubectl completion bash)", NULL},
	{"alias helm='base64 -d x'; source <(helm completion bash)", NULL},
	{"source <(kubectl completion-x bash)", NULL},
	{"ssh-agent() { base64 -d x; }; eval \"$(ssh-agent -s)\"", NULL},
	{"function pyenv { cat x; }; eval \"$(pyenv init -)\"", NULL},
	{"eval \"$(direnv exec . cat x)\"", NULL},
	{"eval \"$(direnv hook bash | base64 -d)\"", NULL},
	{"eval \"$(direnv hook bash; cat x)\"", NULL},
	{"eval \"$(cat x; ssh-agent -s)\"", NULL},
	{"eval \"$(cat x)$(ssh-agent -s)\"", NULL},
	{"eval \"$(direnv hook bash)$(cat x)\"", NULL},
	{"eval \"$(./direnv hook bash)\"", NULL},
	{"direnv() { cat x; }; eval \"$(direnv hook bash)\"", NULL},
	{"eval \"$(ssh-agent sh -c 'cat x')\"", NULL},
	{"eval \"$(fnm exec cat x)\"", NULL},
	{"source <(direnv exec . cat x)", NULL},
	{"eval \"$(direnv hook bash $(cat x))\"", NULL},
	{"$y${x:-gcc} z", NULL},
	{"${x:-sh} z", NULL},
	{"${x:-$y} z", NULL},
	{"${x:-g}$y z", NULL},
};

static void test_masked(void **state)
{
	struct tn_rules *allow = tn_rules_of("{\"hidden\": \"allow\"}");
	struct tn_rules *rules = tn_rules_of("{\"default\": \"allow\", \"opaque\": \"allow\"}");

	(void)state;
	tn_rules_rows(rules, masked, TN_COUNT(masked), tn_rules_hidden);
	tn_rules_rows(allow, masked, TN_COUNT(masked), tn_rules_allowed);
	tn_rules_destroy(rules);
	tn_rules_destroy(allow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opaque),
		cmocka_unit_test(test_opaque_denied),
		cmocka_unit_test(test_masked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
