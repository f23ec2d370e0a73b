import { quote, type CommandWords, type OptionWords } from './words.ts'

// Patterns and branches of `case` statements in the bash and zsh scripts.

/** Returns patterns that match the path of a command followed by the name of a subcommand. */
export function subcommandPatterns(words: readonly CommandWords[]): string {
  return words.flatMap(({ path, commands }) => commands.map(({ name }) => quote(`${path} ${name}`))).join('|')
}

/** Returns one branch for each option that takes a value, with the completions of the value. */
export function valueBranches(
  words: readonly CommandWords[],
  complete: (value: Exclude<OptionWords['value'], 'none'>) => string,
): string {
  return words
    .flatMap(({ path, options }) =>
      options.flatMap(({ flags, value }) =>
        value === 'none' ? [] : [`    ${flags.map((flag) => quote(`${path} ${flag}`)).join('|')}) ${complete(value)}; return ;;`],
      ),
    )
    .join('\n')
}
