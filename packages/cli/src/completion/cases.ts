import { quoted, type CommandWords, type OptionWords } from './words.ts'

/** The parts that the scripts for bash and zsh share: patterns of a `case`. */

/** Each word that goes one command deeper, after the command so far. */
export function deeperPatterns(words: readonly CommandWords[]): string {
  return words.flatMap(({ path, commands }) => commands.map(({ name }) => quoted(`${path} ${name}`))).join('|')
}

/** One branch for each option that takes a value: what completes that value. */
export function valueBranches(
  words: readonly CommandWords[],
  complete: (value: Exclude<OptionWords['value'], 'none'>) => string,
): string {
  return words
    .flatMap(({ path, options }) =>
      options.flatMap(({ flags, value }) =>
        value === 'none'
          ? []
          : [`    ${flags.map((flag) => quoted(`${path} ${flag}`)).join('|')}) ${complete(value)}; return ;;`],
      ),
    )
    .join('\n')
}
