const widthDefault = 80

/** Columns of the terminal; 80 where it does not say. Infinite for a pipe or a file: programs read whole lines. */
export function outputWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || widthDefault : Infinity
}
