# What every interactive shell reads; the last file of one that is no login shell.
if [[ -n $__tn_zdotdir ]]; then ZDOTDIR=$__tn_zdotdir; else unset ZDOTDIR; fi
[[ -r ${ZDOTDIR:-$HOME}/.zshrc ]] && . "${ZDOTDIR:-$HOME}/.zshrc"
if [[ -n $__tn_login ]]; then
	__tn_zdotdir=${ZDOTDIR-}
	ZDOTDIR=$__tn_dir
else
	unset __tn_login __tn_zdotdir
	__tn_start 2>/dev/null
	unfunction __tn_start
	unsetopt prompt_sp # its work is done in __tn_first
	setopt hist_ignore_space interactive_comments # a text has comments
fi
