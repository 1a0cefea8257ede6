# The last file of a login shell.
if [[ -n $__tn_zdotdir ]]; then ZDOTDIR=$__tn_zdotdir; else unset ZDOTDIR; fi
[[ -r ${ZDOTDIR:-$HOME}/.zlogin ]] && . "${ZDOTDIR:-$HOME}/.zlogin"
unset __tn_login __tn_zdotdir
__tn_start 2>/dev/null
unfunction __tn_start
unsetopt prompt_sp # its work is done in __tn_first
setopt hist_ignore_space interactive_comments # a text has comments
