const widthDefault = 80

/**
 * Columns of the terminal, or 80 if unknown. Infinite for a pipe or a file, because programs read
 * whole lines.
 */
export function outputWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || widthDefault : Infinity
}
