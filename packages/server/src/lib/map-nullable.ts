/** Applies a function to a value that is not null. */
export function mapNullable<In, Out>(value: In | null, change: (value: In) => Out): Out | null {
  return value === null ? null : change(value)
}
