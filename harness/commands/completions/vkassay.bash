# bash completion of vkassay: the program prints the candidates for the last word.
_vkassay() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    words=$("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [ ${#COMPREPLY[@]} -eq 0 ]; then mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
}
complete -o filenames -F _vkassay vkassay
