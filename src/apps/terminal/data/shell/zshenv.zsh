# zsh: says when commands begin and end (terminal.md 5). Above stand __tn_nonce, __tn_dir and
# __tn_login. This stands in the folder that ZDOTDIR names; it and its three neighbours read the
# user's own, with the ZDOTDIR that is the user's.

# Straight to the terminal: the shell's own standard output may have been sent elsewhere.
__tn_mark() {
	{ builtin print -rn -- $'\e]133;'"$1;tn=$__tn_nonce$2"$'\a' >/dev/tty } 2>/dev/null ||
		builtin print -rn -- $'\e]133;'"$1;tn=$__tn_nonce$2"$'\a'
}

# The directory, percent-encoded, into the caller's __tn_w.
__tn_where() {
	builtin setopt local_options no_multibyte
	local __tn_i __tn_x
	__tn_w=
	for ((__tn_i = 1; __tn_i <= ${#PWD}; __tn_i++)); do
		__tn_x=${PWD[__tn_i]}
		[[ $__tn_x == [A-Za-z0-9/._-] ]] || __tn_x=%${(l:2::0:)$(([##16]#__tn_x))}
		__tn_w+=$__tn_x
	done
}

__tn_end_mark() { # exit code, further fields
	local __tn_w
	__tn_where
	__tn_mark "D;$1" "$2;cwd=$__tn_w"
}

# The surroundings of one command: called by its file.
__tn_cd() {
	__tn_pwd=$PWD __tn_oldpwd=$OLDPWD __tn_go=$1
	builtin cd -q -- "$1" || __tn_c='builtin cd -- "$__tn_go"' # never run it elsewhere; say why
}

__tn_set() { # NAME VALUE
	__tn_saved+=("$1" "${parameters[$1]-unset}" "${(P)1}")
	builtin export "$1=$2" || __tn_c="builtin export $1="
}

__tn_restore() {
	local __tn_name __tn_kind __tn_value
	for __tn_name __tn_kind __tn_value in "${__tn_saved[@]}"; do
		case $__tn_kind in
		unset) builtin unset -- "$__tn_name" ;;
		*export*) builtin export "$__tn_name=$__tn_value" ;;
		*) builtin typeset -g +x "$__tn_name=$__tn_value" ;;
		esac
	done
	__tn_saved=()
	if [[ -n $__tn_pwd ]]; then
		builtin cd -q -- "$__tn_pwd" && OLDPWD=$__tn_oldpwd
		__tn_pwd=
	fi
}

__tn_close() { # the open command has ended with $1
	local __tn_number=$__tn_n
	__tn_n=
	__tn_restore
	__tn_end_mark "$1" ";n=$__tn_number"
}

# Puts the hooks back where the user's files or a command took them away.
__tn_hook() {
	if [[ ${parameters[precmd_functions]} == *readonly* ]]; then
		[[ ${functions[precmd]} == *__tn_last* ]] || __tn_wrap
		return
	fi
	[[ ${precmd_functions[1]} == __tn_first && ${precmd_functions[-1]} == __tn_last ]] ||
		precmd_functions=(__tn_first ${precmd_functions:#__tn_(first|last)} __tn_last)
	[[ ${preexec_functions[-1]} == __tn_pre || ${parameters[preexec_functions]} == *readonly* ]] ||
		preexec_functions=(${preexec_functions:#__tn_pre} __tn_pre)
}

# Where precmd_functions is readonly: around the one function that has a name.
__tn_wrap() {
	[[ -n ${functions[precmd]} ]] && functions[__tn_precmd]=${functions[precmd]}
	precmd() {
		__tn_first
		((${+functions[__tn_precmd]})) && __tn_precmd "$@"
		__tn_last
	}
}

# Before all others: the end of a typed line, or of a command whose line was aborted.
__tn_first() {
	local __tn_s=$?
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	if [[ -n $__tn_n ]]; then
		__tn_close $__tn_s
	elif [[ -n $__tn_said ]]; then
		__tn_said=
	else
		__tn_end_mark $__tn_s ''
	fi
	# What the option prompt_sp does, but after the mark: a line that was not ended stays.
	if [[ -n $__tn_sp ]]; then
		builtin print -nP -- "${PROMPT_EOL_MARK-%B%S%#%s%b}" >/dev/tty
		builtin print -rn -- "${(l:COLUMNS-1:: :)}"$'\r \r' >/dev/tty
	fi
	return $__tn_s
}

# After all others: the prompt that will be shown gets its marks.
__tn_last() {
	local __tn_s=$?
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	if [[ ${parameters[PS1]} == *readonly* ]]; then
		__tn_mark A ''
		__tn_mark B '' # the prompt cannot say it
		return $__tn_s
	fi
	[[ $PS1 == *"$__tn_r" ]] || PS1=${PS1//"$__tn_r"/}$__tn_r
	[[ ${parameters[PS1]} == *export* ]] && builtin typeset -g +x PS1 # it has the nonce
	__tn_mark A ''
	[[ -t 2 ]] || __tn_mark B '' # the prompt will not be seen
	return $__tn_s
}

__tn_pre() { # a line begins that is not one of ours
	[[ $3 == *'__tn_b '* ]] || __tn_mark C ''
}

# What stood before a line of ours: $? and $_. In functions, or set -a would export it.
__tn_s() {
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	__tn_a=$1
	(($# < 2)) || __tn_v=$2
}

__tn_k() {
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	__tn_x=${1-}
}

# Around a command: __tn_s "$?" "$_"; __tn_b N; eval "$__tn_c"; __tn_e "$?". What these two print besides the
# marks goes nowhere, and they give on the exit status that they found.
__tn_b() {
	local __tn_s=$__tn_a
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	[[ -n $__tn_n ]] && __tn_close 130
	__tn_u=$__tn_v __tn_code=$__tn_s
	__tn_c='builtin echo "The command could not be read." >&2; ! :'
	[[ -r $__tn_dir/c$1 ]] && builtin . "$__tn_dir/c$1"
	__tn_hook
	__tn_n=$1 __tn_said=
	# set -x shows nothing of our line: it is on again where the command begins, or with the line's end
	# (in the line itself: a function cannot set it for others).
	[[ -n $__tn_x ]] && __tn_c='{ __tn_k;builtin setopt xtrace;__tn_p "$__tn_v"&&[[ 1 ]];} 2>/dev/null;'$__tn_c
	__tn_mark C ";n=$1"
	return $__tn_s
}

__tn_p() { # before a text that asks for $_
	return $__tn_code
}

__tn_e() {
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	[[ -n $__tn_n ]] && __tn_close $1
	__tn_c= __tn_said=1
	__tn_hook
	return $1
}

__tn_clear() { # what stands on the input line goes
	BUFFER=
	[[ $KEYMAP == vicmd ]] && builtin zle -K viins
}

__tn_start() {
	local __tn_map __tn_key
	[[ -o prompt_sp ]] && __tn_sp=1
	{ : >/dev/tty } 2>/dev/null && __tn_out=/dev/null # marks go straight to the terminal
	unset HISTFILE # zsh would put a new file in the place of /dev/null
	builtin emulate -L zsh
	builtin setopt no_xtrace no_verbose no_err_exit no_all_export
	SAVEHIST=0
	__tn_r=$'%{\e]133;B;tn='$__tn_nonce$'\a%}'
	builtin zle -N __tn_clear
	for __tn_map in emacs viins vicmd; do
		for __tn_key in '\e[25173~' '\e[25174~' '\e[201~'; do
			builtin bindkey -M $__tn_map $__tn_key __tn_clear
		done
	done
	__tn_hook
	builtin typeset -gr __tn_nonce __tn_dir __tn_r
}
typeset -g __tn_x= __tn_a=0 __tn_out=/dev/stdout __tn_v= __tn_code=0 __tn_c= __tn_n= __tn_u= __tn_said= __tn_pwd= __tn_oldpwd= __tn_go= __tn_sp= __tn_r=
typeset -ga __tn_saved

if [[ -n ${__tn_take-} ]]; then # it took the place of another shell, and has read the user's files
	unset __tn_take __tn_login
	__tn_start 2>/dev/null
	unfunction __tn_start
	unsetopt prompt_sp # as in .zshrc
	setopt hist_ignore_space interactive_comments
else
	unset ZDOTDIR
	[[ -r ~/.zshenv ]] && . ~/.zshenv
	__tn_zdotdir=${ZDOTDIR-}
	ZDOTDIR=$__tn_dir
fi
