/** The default case of a `switch` over a union. Compilation fails when a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
