# fish completion of vkassay: the program prints the candidates for the last word.
function __vkassay_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete $words[2..-1] 2>/dev/null
end
complete -c vkassay -a '(__vkassay_complete)'
