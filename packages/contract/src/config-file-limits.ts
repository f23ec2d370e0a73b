/** Maximum size in bytes of `framegate.yaml` and of a file for `framegate apply`. */
export const configFileBytesMax = 1024 * 1024
/**
 * Maximum number of lines, entries and brackets, which determine the parsing time. They are counted
 * before the text is parsed.
 */
export const configFileTokensMax = 50_000
const tokenPattern = /[\n,[\]{}&*!|>]|[-?:] /
/**
 * Maximum number of values after aliases are expanded, because a few lines of aliases can expand to
 * any number of values.
 */
export const configFileValuesMax = 100_000

export function exceedsConfigFileTokens(text: string): boolean {
  return text.split(tokenPattern, configFileTokensMax + 2).length > configFileTokensMax + 1
}
