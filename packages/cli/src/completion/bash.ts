import { subcommandPatterns, valueBranches } from './cases.ts'
import { quote, type CommandWords, type OptionWords } from './words.ts'

/** Returns the completion script for bash 3.2 (the version of macOS) and later. */
export function bashCompletion(words: readonly CommandWords[]): string {
  return `# bash completion for framegate: eval "$(framegate completion bash)"
_framegate() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command= candidates= each
  COMPREPLY=()
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
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
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
}
complete -F _framegate framegate
`
}

function completeValue(value: Exclude<OptionWords['value'], 'none'>): string {
  if (value === 'other') return ':'
  if (value === 'file') return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))`
  return `COMPREPLY=($(compgen -W $'${value.join('\\n')}' -- "$word"))`
}

function branchOf({ path, commands, options, argumentChoices }: CommandWords): string {
  const candidates = [...commands.map(({ name }) => name), ...argumentChoices, ...options.flatMap(({ flags }) => flags)]
  return `    ${quote(path)}) candidates=$'${candidates.join('\\n')}' ;;`
}
