# What a login shell reads second.
if [[ -n $__tn_zdotdir ]]; then ZDOTDIR=$__tn_zdotdir; else unset ZDOTDIR; fi
[[ -r ${ZDOTDIR:-$HOME}/.zprofile ]] && . "${ZDOTDIR:-$HOME}/.zprofile"
__tn_zdotdir=${ZDOTDIR-}
ZDOTDIR=$__tn_dir
