const defaultWidth = 80

/**
 * Returns the number of columns of the terminal, or 80 if it is unknown. Infinite for a pipe or a
 * file, because programs expect unwrapped lines.
 */
export function outputWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || defaultWidth : Infinity
}
