/* tenon completion: the scripts for shells. They ask `tenon completion --words` what may follow, so
 * that they need not be made anew when verbs, apps or tools change. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "cli/shared/run.h"

enum { WORDS_MAX = 512 };

/* Readline ends words at = : and @, so that only what comes after the last of them is replaced. */
static const char bash[] =
	"# bash completion of tenon: source <(tenon completion bash)\n"
	"_tenon() {\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} current before word about\n"
	"\tlocal -a words\n"
	"\tread -ra words <<<\"$line\"\n"
	"\t[[ $line == *[[:space:]] ]] && words+=(\"\")\n"
	"\tcurrent=${words[${#words[@]} - 1]}\n"
	"\tbefore=${current%\"${current##*[=:@]}\"}\n"
	"\tCOMPREPLY=()\n"
	"\twhile IFS=$'\\t' read -r word about; do\n"
	"\t\tif [[ $word == :files ]]; then\n"
	"\t\t\tcompopt -o filenames\n"
	"\t\t\twhile IFS= read -r word; do\n"
	"\t\t\t\tCOMPREPLY+=(\"$word\")\n"
	"\t\t\tdone < <(compgen -f -- \"${current#\"$before\"}\")\n"
	"\t\telse\n"
	"\t\t\t[[ $word == *[=.] ]] && compopt -o nospace\n"
	"\t\t\tCOMPREPLY+=(\"${word#\"$before\"}\")\n"
	"\t\tfi\n"
	"\tdone < <(\"${words[0]}\" completion --words -- \"${words[@]:1}\" 2>/dev/null)\n"
	"}\n"
	"complete -F _tenon tenon\n";

static const char zsh[] =
	"#compdef tenon\n"
	"# zsh completion of tenon: source <(tenon completion zsh), or save it as _tenon in a\n"
	"# folder of $fpath.\n"
	"_tenon() {\n"
	"\tlocal line word about\n"
	"\tlocal -a plain open\n"
	"\tfor line in \"${(@f)$(\"${words[1]}\" completion --words -- \"${(@Q)words[2,CURRENT]}\" "
	"2>/dev/null)}\"; do\n"
	"\t\tword=${line%%$'\\t'*}\n"
	"\t\tabout=${line#*$'\\t'}\n"
	"\t\t[[ -n $word ]] || continue\n"
	"\t\tif [[ $word == :files ]]; then\n"
	"\t\t\tcompset -P '*@'\n"
	"\t\t\t_files\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\t[[ $line == *$'\\t'* ]] && about=\":$about\" || about=\n"
	"\t\tif [[ $word == *[=.] ]]; then\n"
	"\t\t\topen+=(\"${word//:/\\\\:}$about\")\n"
	"\t\telse\n"
	"\t\t\tplain+=(\"${word//:/\\\\:}$about\")\n"
	"\t\tfi\n"
	"\tdone\n"
	"\t_describe tenon plain -- open -S ''\n"
	"}\n"
	"if [[ $funcstack[1] == _tenon ]]; then\n"
	"\t_tenon \"$@\"\n"
	"else\n"
	"\tcompdef _tenon tenon\n"
	"fi\n";

static const char fish[] =
	"# fish completion of tenon: tenon completion fish | source\n"
	"function __tenon_complete\n"
	"\tset -l words (commandline -opc) (commandline -ct)\n"
	"\tset -l current (commandline -ct)\n"
	"\tfor line in ($words[1] completion --words -- $words[2..-1] 2>/dev/null)\n"
	"\t\tif test \"$line\" = :files\n"
	"\t\t\tset -l before (string match -r '^.*@' -- $current)\n"
	"\t\t\tset -l rest (string replace -r '^.*@' '' -- $current)\n"
	"\t\t\tfor file in (__fish_complete_path $rest)\n"
	"\t\t\t\techo $before$file\n"
	"\t\t\tend\n"
	"\t\telse\n"
	"\t\t\techo $line\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"complete -c tenon -f -a '(__tenon_complete)'\n";

static const struct {
	const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static int suggest(const struct tn_cli *cli, const char *const *words, size_t count)
{
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, 4 * TN_MIB);
	tn_complete(words, count, &out);
	exit = tn_cli_write(cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

int tn_cli_completion(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "completion"};
	const char *words[WORDS_MAX];
	bool wants_words = false;
	const struct tn_option table[] = {
		{.name = "words",
		 .kind = TN_OPTION_FLAG,
		 .value = &wants_words,
		 .help = "for the scripts: what may follow the words after --"},
	};
	const struct tn_options options = {
		.usage = "tenon completion bash|zsh|fish",
		.summary =
			"Prints a script that lets a shell complete verbs, options, apps, tools, "
			"their arguments,\nresources and files.\n\n"
			"  bash  source <(tenon completion bash)      in ~/.bashrc\n"
			"  zsh   source <(tenon completion zsh)       in ~/.zshrc, after compinit\n"
			"  fish  tenon completion fish | source       in "
			"~/.config/fish/config.fish",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = WORDS_MAX};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	if (wants_words)
		return suggest(&cli, words, count);
	for (size_t i = 0; i < TN_COUNT(shells) && count == 1; i++) {
		if (strcmp(words[0], shells[i].name) == 0) {
			(void)fputs(shells[i].script, stdout);
			return TN_EXIT_OK;
		}
	}
	return tn_cli_usage(&cli, "name a shell: bash, zsh or fish");
}
