# POSIX sh: says when commands begin and end (terminal.md 5). Above stand __tn_nonce, __tn_dir and
# __tn_login. There are no hooks but PS1 and no local variables; functions turn off what would
# export or print theirs, and turn it on again.
unset ENV # it named this file; a child must not read it
__tn_esc=$(printf '\033') __tn_bel=$(printf '\007')

# Straight to the terminal: the shell's own standard output may have been sent elsewhere.
__tn_mark() {
	{ printf '%s' "$__tn_esc]133;$1;tn=$__tn_nonce$2$__tn_bel" >/dev/tty; } 2>/dev/null ||
		printf '%s' "$__tn_esc]133;$1;tn=$__tn_nonce$2$__tn_bel"
}

__tn_encode() { # percent-encodes $1 to standard output
	while [ -n "$1" ]; do
		__tn_x=${1%"${1#?}"}
		case $__tn_x in
		[A-Za-z0-9/._-]) printf '%s' "$__tn_x" ;;
		*) printf '%%%02X' "$(($(LC_ALL=C printf '%d' "'$__tn_x") & 255))" ;;
		esac
		set -- "${1#?}"
	done
}

__tn_end_mark() { # exit code, further fields, directory
	case $3 in
	*[!A-Za-z0-9/._-]*) set -- "$1" "$2" "$(LC_ALL=C __tn_encode "$3")" ;;
	esac
	__tn_mark "D;$1" "$2;cwd=$3"
}

# The surroundings of one command: called by its file.
__tn_cd() {
	__tn_pwd=$PWD __tn_oldpwd=${OLDPWD-} __tn_go=$1
	\cd -- "$1" || __tn_c='\cd -- "$__tn_go"' # never run it elsewhere; say why
}

__tn_set() { # NAME VALUE; what was there stands in __tn_undo, to be evaluated
	eval "__tn_x=\${$1+set} __tn_y=\${$1-}"
	__tn_i=$((__tn_i + 1))
	eval "__tn_old_$__tn_i=\$__tn_y"
	case "
$(export -p)
" in
	*"
export $1
"* | *"
export $1="*) __tn_y=exported ;;
	*) __tn_y= ;;
	esac
	if [ -z "$__tn_x" ]; then
		__tn_undo="$__tn_undo unset $1;"
	elif [ -n "$__tn_y" ]; then
		__tn_undo="$__tn_undo export $1=\"\$__tn_old_$__tn_i\"; unset __tn_old_$__tn_i;"
	else # unset takes the export away
		__tn_undo="$__tn_undo unset $1; $1=\$__tn_old_$__tn_i; unset __tn_old_$__tn_i;"
	fi
	export "$1=$2"
}

__tn_restore() {
	eval "$__tn_undo"
	__tn_undo= __tn_i=0
	[ -n "$__tn_pwd" ] || return 0
	\cd -- "$__tn_pwd" && OLDPWD=$__tn_oldpwd
	__tn_pwd=
}

__tn_close() { # the open command has ended with $1
	__tn_restore
	__tn_end_mark "$1" ";n=$__tn_n" "$PWD"
	__tn_n=0
}

# In a subshell of PS1, so it changes nothing; after it PS1 sets __tn_n and __tn_said to 0.
__tn_first() {
	set +eux
	if [ "$__tn_n" -gt 0 ]; then
		__tn_end_mark "$1" ";n=$__tn_n" "${__tn_pwd:-$PWD}"
	elif [ "$__tn_said" -eq 0 ]; then
		__tn_end_mark "$1" '' "$PWD"
	fi
	__tn_mark A ''
	[ -t 2 ] || __tn_mark B '' # the prompt will not be seen
}

__tn_hook() { # puts the marks back into the prompt
	if [ -n "$__tn_fixed" ]; then # it is readonly: what comes next is the prompt
		[ "$__tn_n" -ne 0 ] || {
			__tn_mark A ''
			__tn_mark B ''
		}
		return 0
	fi
	case ${PS1-} in
	"$__tn_1"*"$__tn_2") ;;
	*) PS1=$__tn_1${PS1-}$__tn_2 ;;
	esac
}

__tn_quiet() { # its return status is not looked at
	__tn_flags=
	case $1 in *a*) __tn_flags=a ;; esac
	case $1 in *e*) __tn_flags=e$__tn_flags ;; esac
	case $1 in *u*) __tn_flags=u$__tn_flags ;; esac
	case $1 in *v*) __tn_flags=v$__tn_flags ;; esac
	case $1 in *x*) __tn_flags=x$__tn_flags ;; esac
}

# Around a command: __tn_b N "$?" "$-" "$_"; eval "$__tn_c"; __tn_e "$?" "$-" "$__tn_u". They give
# on the status.
__tn_b() {
	set +aeuvx
	__tn_quiet "$3${__tn_x-}"
	[ "$__tn_n" -eq 0 ] || __tn_close 130
	__tn_restore # a line that was aborted has not come to it, and PS1 cannot
	unset __tn_n __tn_said __tn_c __tn_u # and the export that PS1 may have given them
	__tn_c='echo "The command could not be read." >&2; ! :' __tn_u=$4
	[ ! -r "$__tn_dir/c$1" ] || . "$__tn_dir/c$1"
	__tn_n=$1 __tn_said=0 __tn_x=
	case $__tn_flags in # set -x shows nothing of our line: it is on again where the command begins
	x*)
		__tn_x=x __tn_flags=${__tn_flags#x}
		__tn_c="{ unset __tn_x;set -x;__tn_p $2&&:;} 2>/dev/null;$__tn_c"
		;;
	esac
	__tn_hook
	__tn_mark C ";n=$1"
	[ -z "$__tn_flags" ] || set "-$__tn_flags"
	return "$2"
}

__tn_p() {
	return "$1"
}

__tn_e() {
	set +aeuvx
	__tn_quiet "$2"
	[ "$__tn_n" -eq 0 ] || __tn_close "$1"
	__tn_c= __tn_n=0 __tn_said=1
	__tn_hook
	[ -z "$__tn_flags" ] || set "-$__tn_flags"
	return "$1"
}

__tn_n=0 __tn_said=0 __tn_i=0 __tn_x= __tn_c= __tn_u= __tn_undo= __tn_pwd= __tn_oldpwd= __tn_flags= __tn_z=
# Only where __tn_a is set: the prompt may have been exported to another shell.
__tn_a=1
__tn_1='${__tn_a:+$(__tn_first "$?")${__tn_z#$((__tn_n = __tn_said = 0))}}'
__tn_b_mark="$__tn_esc]133;B;tn=$__tn_nonce$__tn_bel"
__tn_2='${__tn_b_mark-}'
[ -z "${BASH_VERSION-}" ] || __tn_2='\[${__tn_b_mark-}\]' # bash as sh: not part of the width

# What a login shell would have read before ENV. With __tn_take it took the place of another shell.
unset __tn_take
if [ -n "$__tn_login" ]; then
	[ ! -r /etc/profile ] || . /etc/profile
	[ ! -r ~/.profile ] || . ~/.profile
	[ -z "${ENV-}" ] || [ ! -r "$ENV" ] || . "$ENV"
fi
unset __tn_login
HISTFILE=/dev/null
__tn_fixed=
(PS1=$PS1) 2>/dev/null || __tn_fixed=1
__tn_hook
