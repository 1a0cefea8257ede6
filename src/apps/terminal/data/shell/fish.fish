# fish: says when commands begin and end (terminal.md 5). Above stand __tn_nonce, __tn_dir and
# __tn_login. Read after the user's own files.

# Straight to the terminal: it is the one place that surely is read.
function __tn_mark
    begin
        builtin printf '\e]133;%s;tn=%s%s\a' "$argv[1]" $__tn_nonce "$argv[2]" >/dev/tty
    end 2>/dev/null
    or builtin printf '\e]133;%s;tn=%s%s\a' "$argv[1]" $__tn_nonce "$argv[2]"
end

function __tn_end_mark # exit code, further fields
    __tn_mark "D;$argv[1]" "$argv[2];cwd="(builtin string escape --style=url -- $PWD)
end

# A prompt begins: as soon as a command has ended, before fish sets modes for its line editor.
function __tn_begin
    set -g __tn_begun 1
    __tn_mark A ''
end

# The surroundings of one command: called by its file.
function __tn_cd
    set -g __tn_pwd $PWD
    set -g __tn_go $argv[1]
    builtin cd -- $argv[1]
    or set -g __tn_c 'builtin cd -- $__tn_go' # never run it elsewhere; say why
end

function __tn_set # NAME VALUE
    set -l kind unset
    if set -qg $argv[1]
        set kind -u
        set -qgx $argv[1]
        and set kind -x
        set -g __tn_old_$argv[1] $$argv[1]
    end
    set -a __tn_saved $argv[1] $kind
    builtin true # set leaves $status as it was, unless it fails
    set -gx $argv[1] $argv[2]
    or set -g __tn_c "set -gx $argv[1]"
end

function __tn_restore
    while set -q __tn_saved[1]
        set -l name $__tn_saved[1]
        set -l old __tn_old_$name
        if test $__tn_saved[2] = unset
            set -eg $name
        else
            set -g $__tn_saved[2] $name $$old
            set -e $old
        end
        set -e __tn_saved[1..2]
    end
    if test -n "$__tn_pwd"
        builtin cd -- $__tn_pwd
        set -g __tn_pwd ''
    end
end

function __tn_close # the open command has ended with $argv[1]
    set -l number $__tn_n
    set -g __tn_n ''
    __tn_restore
    __tn_end_mark $argv[1] ";n=$number"
end

function __tn_stopped # the groups of stopped jobs
    builtin jobs -q
    and builtin jobs | builtin string match -rg '^\d+\t(\d+)\t(?:[^\t]*\t)?stopped\t'
end

# Around a command: __tn_b N; eval $__tn_c; __tn_e $status. They give on the exit status.
function __tn_b
    set -l code $status
    test -n "$__tn_n"
    and __tn_close 130
    set -g __tn_c 'echo "The command could not be read." >&2; false'
    test -r $__tn_dir/c$argv[1]
    and builtin source $__tn_dir/c$argv[1]
    set -g __tn_n $argv[1]
    set -g __tn_old_stopped (__tn_stopped)
    __tn_mark C ";n=$argv[1]"
    return $code
end

function __tn_e
    set -l code $argv[1]
    if test $code = 0 # of a stopped job fish says 0
        for group in (__tn_stopped)
            contains -- $group $__tn_old_stopped
            or set code 148
        end
    end
    test -n "$__tn_n"
    and __tn_close $code
    and __tn_begin
    set -g __tn_c ''
    return $argv[1]
end

function __tn_pre --on-event fish_preexec
    builtin string match -q '* __tn_b *' -- " $argv[1]"
    or begin
        set -g __tn_typed 1
        __tn_mark C ''
    end
end

function __tn_post --on-event fish_postexec
    set -l code $status
    if test -n "$__tn_typed"
        set -g __tn_typed ''
        __tn_end_mark $code ''
        __tn_begin
    end
end

function __tn_first --on-event fish_prompt
    set -l code $status
    if test -n "$__tn_n" # its line was aborted
        __tn_close $code
    end
    test -n "$__tn_begun"
    or __tn_begin
    set -g __tn_begun ''
    builtin functions fish_prompt | builtin string match -q '*__tn_mark B*'
    or __tn_wrap
end

function __tn_wrap # the user's prompt, between marks
    builtin functions -e __tn_prompt
    builtin functions -c fish_prompt __tn_prompt
    function fish_prompt
        set -l code $status
        __tn_return $code
        __tn_prompt
        # While it ends, fish draws a last one.
        test -n "$__tn_n"
        or builtin printf '\e]133;B;tn=%s\a' $__tn_nonce # __tn_mark B
    end
end

function __tn_return
    return $argv[1]
end

function __tn_clear # what stands on the input line goes; the pager was closed by the key before
    builtin commandline -r ''
    if test "$fish_key_bindings" = fish_vi_key_bindings
        set -g fish_bind_mode insert
        builtin commandline -f repaint-mode
    end
end

set -gu __tn_c ''
set -gu __tn_n ''
set -gu __tn_pwd ''
set -gu __tn_typed ''
set -gu __tn_saved
set -g fish_greeting
set -g fish_history ''
set -e __tn_login
set -e __tn_take
for mode in default insert visual replace replace_one
    builtin bind -M $mode \e\[25173~ cancel
    builtin bind -M $mode \e\[25174~ __tn_clear
    builtin bind -M $mode \e\[201~ __tn_clear
end
__tn_end_mark 0 ''
__tn_begin
