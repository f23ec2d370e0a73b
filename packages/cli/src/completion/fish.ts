import type { CommandWords, OptionWords } from './words.ts'

export function fishCompletion(words: readonly CommandWords[]): string {
  const subcommandPaths = words.flatMap(({ path, commands }) => commands.map(({ name }) => quote(`${path} ${name}`))).join(' ')
  return `# fish completion for framegate: framegate completion fish > ~/.config/fish/completions/framegate.fish
function __framegate_is_at
    set -l command ''
    for each in (commandline -opc)[2..-1]
        if contains -- "$command $each" ${subcommandPaths}
            set command (string trim -- "$command $each")
        end
    end
    test "$command" = "$argv[1]"
end
complete -c framegate -f
${words.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, commands, options, argumentChoices }: CommandWords): string[] {
  const start = `complete -c framegate -n ${quote(`__framegate_is_at ${quote(path)}`)}`
  return [
    ...commands.map(({ name, summary }) => `${start} -a ${name} -d ${quote(summary)}`),
    ...argumentChoices.map((choice) => `${start} -a ${choice}`),
    ...options.map(({ flags, summary, value }) =>
      [start, ...flags.map(flagOf), valueOf(value), '-d', quote(summary)].join(' ').replace(/ {2,}/g, ' '),
    ),
  ]
}

function flagOf(flag: string): string {
  return flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`
}

function valueOf(value: OptionWords['value']): string {
  if (value === 'none') return ''
  if (value === 'other') return '-x'
  return value === 'file' ? '-r -F' : `-x -a ${quote(value.join(' '))}`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
