import { subcommandPatterns, valueBranches } from './cases.ts'
import { quote, type CommandWords, type OptionWords } from './words.ts'

/**
 * Returns the completion script for zsh. It can be evaluated, or saved as `_framegate` in a folder
 * of `$fpath`.
 */
export function zshCompletion(words: readonly CommandWords[]): string {
  return `#compdef framegate
# zsh completion for framegate: eval "$(framegate completion zsh)"
_framegate() {
  local previous="\${words[CURRENT-1]}" command= each
  local -a commands options
  for each in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $each" in
    ${subcommandPatterns(words)}) command="\${command:+$command }$each" ;;
    esac
  done
  case "$command $previous" in
${valueBranches(words, completeValue)}
  esac
  case "$command" in
${words.map(branchOf).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" != -* ]] && (( $#commands )); then
    _describe -t commands 'command' commands
  else
    _describe -o -t options 'option' options
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _framegate "$@"
else
  compdef _framegate framegate
fi
`
}

function completeValue(value: Exclude<OptionWords['value'], 'none'>): string {
  if (value === 'other') return ':'
  return value === 'file' ? '_files' : `compadd -- ${value.map(quote).join(' ')}`
}

function branchOf({ path, commands, options, argumentChoices }: CommandWords): string {
  const entries = [...commands.map(({ name, summary }) => `${name}:${summary}`), ...argumentChoices]
  const flags = options.flatMap(({ flags, summary }) => flags.map((flag) => `${flag}:${summary}`))
  return `    ${quote(path)})
      commands=(${entries.map(quote).join(' ')})
      options=(${flags.map(quote).join(' ')}) ;;`
}
