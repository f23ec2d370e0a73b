/** Changes what is there. */
export function orNull<In, Out>(value: In | null, change: (value: In) => Out): Out | null {
  return value === null ? null : change(value)
}
