# bash: says when commands begin and end (terminal.md 5). Above stand __tn_nonce, __tn_dir and
# __tn_login. Everything here works with any IFS, locale, shell option and an empty PATH.
shopt -u expand_aliases # an alias must not end up inside these functions

# builtin: a function of the user's may have the name of what is meant. Behind it an assignment is a
# word like any other, so it is quoted.

# Prints one mark: what comes after "133;", and what comes after the nonce. Straight to the
# terminal: the shell's own standard output may have been sent elsewhere.
__tn_mark() {
	{ builtin printf '\e]133;%s;tn=%s%s\a' "$1" "$__tn_nonce" "$2" >/dev/tty; } 2>/dev/null ||
		builtin printf '\e]133;%s;tn=%s%s\a' "$1" "$__tn_nonce" "$2"
}

# The directory, percent-encoded, into the caller's __tn_w.
__tn_where() {
	builtin local LC_ALL=C IFS= __tn_i __tn_x
	__tn_w=
	for ((__tn_i = 0; __tn_i < ${#PWD}; __tn_i++)); do
		__tn_x=${PWD:__tn_i:1}
		case $__tn_x in
		[A-Za-z0-9/._-]) ;;
		*) builtin printf -v __tn_x '%%%02X' "'$__tn_x" ;;
		esac
		__tn_w+=$__tn_x
	done
}

__tn_end_mark() { # $1: exit code, $2: further fields
	builtin local __tn_w
	__tn_where
	__tn_mark "D;$1" "$2;cwd=$__tn_w"
}

# The surroundings of one command: called by its file.
__tn_cd() {
	__tn_pwd=$PWD __tn_oldpwd=${OLDPWD-}
	__tn_go=$1
	builtin cd -- "$1" || __tn_c='builtin cd -- "$__tn_go"' # never run it elsewhere; say why
}

__tn_set() { # NAME VALUE
	builtin local __tn_kind=unset
	if [[ -v $1 ]]; then
		__tn_kind=plain
		[[ ${!1@a} == *x* ]] && __tn_kind=exported
	fi
	__tn_saved+=("$1" "$__tn_kind" "${!1-}")
	builtin export "$1=$2" || __tn_c="builtin export $1=" # it may be read-only: say so
}

__tn_restore() {
	builtin local __tn_i
	for ((__tn_i = 0; __tn_i < ${#__tn_saved[@]}; __tn_i += 3)); do
		case ${__tn_saved[__tn_i + 1]} in
		unset) builtin unset -v "${__tn_saved[__tn_i]}" ;;
		plain) builtin export -n "${__tn_saved[__tn_i]}=${__tn_saved[__tn_i + 2]}" ;;
		*) builtin export "${__tn_saved[__tn_i]}=${__tn_saved[__tn_i + 2]}" ;;
		esac
	done
	__tn_saved=()
	if [[ $__tn_pwd ]]; then
		builtin cd -- "$__tn_pwd" && OLDPWD=$__tn_oldpwd
		__tn_pwd=
	fi
}

__tn_close() { # the open command has ended with $1
	builtin local "__tn_number=$__tn_n"
	__tn_n=
	__tn_restore
	__tn_end_mark "$1" ";n=$__tn_number"
}

# Puts the hooks back where the user's files or a command took them away.
__tn_hook() {
	builtin local IFS=' ' __tn_all
	__tn_all=${PROMPT_COMMAND[*]-}
	[[ $__tn_all == "$__tn_before"*"$__tn_after" ]] && builtin return
	if [[ ${PROMPT_COMMAND@a} == *r* ]]; then
		__tn_without
		builtin return
	fi
	if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
		PROMPT_COMMAND=("${PROMPT_COMMAND[@]//"$__tn_before"/}")
		PROMPT_COMMAND=("$__tn_before" "${PROMPT_COMMAND[@]//"$__tn_after"/}" "$__tn_after")
	else
		PROMPT_COMMAND=${PROMPT_COMMAND-}
		PROMPT_COMMAND=${PROMPT_COMMAND//"$__tn_before"/}
		PROMPT_COMMAND=$__tn_before$'\n'${PROMPT_COMMAND//"$__tn_after"/}$'\n'$__tn_after
	fi
}

# The prompt that will be shown gets its marks.
__tn_dress() {
	# Left: the end of an open command, should these hooks have been taken away meanwhile.
	builtin local __tn_l='\[${__tn_n:+$__tn_d$?$__tn_t$__tn_n$__tn_z}\]' \
		__tn_r='\[${__tn_b-}\]' __tn_p='${__tn_o-}'
	if ! builtin shopt -q promptvars; then
		__tn_l= __tn_r="\\[$__tn_b\\]" __tn_p=$__tn_o
	fi
	if [[ ${PS1-} != "$__tn_l"*"$__tn_r" && ${PS1@a} != *r* ]]; then
		PS1=${PS1-}
		PS1=${PS1//"$__tn_l"/}
		PS1=$__tn_l${PS1//"$__tn_r"/}$__tn_r
	fi
	[[ ${PS0-} == *"$__tn_p"* || ${PS0@a} == *r* ]] || PS0=${PS0-}$__tn_p
}

# Where the user has made PROMPT_COMMAND readonly: our lines end where a prompt follows, and PS1 is
# dressed then; where that is readonly, too, what comes next is the prompt.
__tn_without() {
	__tn_dress
	[[ $__tn_n ]] && builtin return
	__tn_mark A ''
	[[ -t 0 && ${PS1@a} != *r* ]] || __tn_mark B ''
}

# A line of ours is no command of the user's: set -x shows nothing of it, and the traps ERR and DEBUG
# do not run for it. What is taken away stands in __tn_x; it comes back where the command begins, or
# with the end of the line. (In a function without functrace the traps would be hidden, so the first
# half is a text for eval.)
__tn_s() { # before it: $? and $_ are kept (in a function, or set -a would export them)
	builtin local -
	builtin set +aeuvx
	__tn_a=$1 __tn_v=$2 __tn_x=
}

__tn_k() {
	builtin local -
	builtin set +aeuvx
	__tn_x+=$1
}

# What stood in the file for a moment, the text of the traps, does not stay there.
__tn_back() {
	if [[ $__tn_x == *t ]]; then
		builtin local -a __tn_s # mapfile, because IFS may be readonly
		builtin mapfile -d '' -t __tn_s <"$__tn_dir/t"
		builtin : >|"$__tn_dir/t"
		builtin eval "${__tn_s[0]-}"
	fi
	[[ $__tn_x == x* ]] && builtin set -x
	builtin unset -v __tn_x
}

__tn_r() {
	__tn_back
	builtin return "$__tn_a"
}

# Before everything else of PROMPT_COMMAND: the end of a typed line, or of a command whose line was
# aborted.
__tn_first() {
	builtin local "__tn_s=$?"
	[[ ${__tn_x-} ]] && __tn_back
	builtin local -
	builtin set +aeuvx
	if [[ $__tn_n ]]; then
		__tn_close "$__tn_s"
	elif [[ $__tn_said ]]; then
		__tn_said=
	else
		__tn_end_mark "$__tn_s" ''
	fi
	__tn_hook
	builtin return "$__tn_s"
}

# After everything else of it.
__tn_last() {
	builtin local "__tn_s=$?" -
	builtin set +aeuvx
	__tn_dress
	__tn_mark A '' # here, where the line editor has not begun to set modes
	# The prompt will not be seen, or cannot say it.
	[[ -t 3 && ${PS1@a} != *r* ]] || __tn_mark B ''
	builtin return "$__tn_s"
}

# Around a command: __tn_s "$?" "$_"; eval "$__tn_q"; __tn_b N; eval "$__tn_c"; __tn_e "$?". What
# these two print besides the marks goes nowhere, and they give on the exit status that they found.
__tn_b() {
	builtin local "__tn_s=$__tn_a" -
	builtin set +aeuvx
	[[ $__tn_n ]] && __tn_close 130
	__tn_u=$__tn_v
	__tn_c='builtin echo "The command could not be read." >&2; ! :'
	[[ -r $__tn_dir/c$1 ]] && builtin . "$__tn_dir/c$1"
	__tn_n=$1 __tn_said=
	[[ $__tn_x ]] && __tn_c='{ __tn_r "$__tn_v"&&[[ 1 ]];} >"$__tn_out" 2>/dev/null;'$__tn_c
	__tn_hook
	__tn_mark C ";n=$1"
	builtin return "$__tn_s"
}

__tn_e() {
	[[ ${__tn_x-} ]] && __tn_back
	builtin local -
	builtin set +aeuvx
	[[ $__tn_n ]] && __tn_close "$1"
	__tn_c= __tn_said=1
	__tn_hook
	builtin return "$1"
}

__tn_start() {
	builtin local - __tn_map
	builtin set +aeuvx
	[[ ${HISTFILE@a} == *r* ]] || HISTFILE=/dev/null
	[[ ${HISTCONTROL@a} == *r* ]] || HISTCONTROL=${HISTCONTROL:+$HISTCONTROL:}ignorespace
	__tn_before='{ "${__tn_1-:}";} 2>/dev/null'
	__tn_after='{ { "${__tn_2-:}";} 2>/dev/null;} 3>&2'
	__tn_1=__tn_first __tn_2=__tn_last
	__tn_b=$'\e]133;B;tn='$__tn_nonce$'\a'
	__tn_o=$'\e]133;C;tn='$__tn_nonce$'\a'
	__tn_d=$'\e]133;D;' __tn_t=";tn=$__tn_nonce;n=" __tn_z=$'\a'
	__tn_q='[[ $- == *x* ]] && __tn_k x && builtin set +x
		builtin trap -p ERR DEBUG >|"$__tn_dir/t" && [[ -s $__tn_dir/t ]] &&
			__tn_k t && builtin trap - ERR DEBUG; builtin :'
	__tn_out=/dev/stdout # marks go straight to the terminal, if there is one
	{ : >/dev/tty; } 2>/dev/null && __tn_out=/dev/null
	__tn_c= __tn_n= __tn_u= __tn_said= __tn_pwd= __tn_oldpwd= __tn_saved=() __tn_x= __tn_a= __tn_v=
	for __tn_map in emacs vi-insert; do
		builtin bind -m "$__tn_map" '"\e[25173~": kill-whole-line'
		builtin bind -m "$__tn_map" '"\e[25174~": kill-whole-line'
		builtin bind -m "$__tn_map" '"\e[201~": kill-whole-line' # outside of a paste
	done
	builtin bind -m vi-command '"\e[25173~": kill-whole-line'
	builtin bind -m vi-command '"\e[201~": kill-whole-line'
	builtin bind -m vi-command '"\e[25174~": vi-insertion-mode'
	__tn_hook
	builtin readonly __tn_nonce __tn_dir __tn_before __tn_after __tn_1 __tn_2 __tn_b __tn_o \
		__tn_d __tn_t __tn_z __tn_q __tn_out
	builtin readonly -f __tn_mark __tn_where __tn_end_mark __tn_cd __tn_set __tn_restore __tn_close \
		__tn_hook __tn_dress __tn_without __tn_first __tn_last __tn_b __tn_e \
		__tn_back __tn_r __tn_s __tn_k
}
shopt -s expand_aliases

# What bash would have read itself. It takes this file for ~/.bashrc. With __tn_take it has read that
# already: it took the place of another shell.
if [[ ${__tn_take-} ]]; then
	\builtin unset -v __tn_take
elif [[ $__tn_login ]]; then
	[[ -r /etc/profile ]] && . /etc/profile
	if [[ -r ~/.bash_profile ]]; then
		. ~/.bash_profile
	elif [[ -r ~/.bash_login ]]; then
		. ~/.bash_login
	elif [[ -r ~/.profile ]]; then
		. ~/.profile
	fi
elif [[ -r ~/.bashrc ]]; then
	. ~/.bashrc
fi
\builtin unset -v __tn_login
{ __tn_start && \builtin unset -f __tn_start; } 2>/dev/null
