/** For the default case of a `switch` over a union: compilation fails if a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
