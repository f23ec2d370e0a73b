/** The end of a `switch` over a union: it stops compiling when a case is added and forgotten. */
export function unreachable(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
