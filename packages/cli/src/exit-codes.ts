/** What the process answers to the shell. Scripts rely on these. */
export const exitCodes = {
  ok: 0,
  /** The task or the server failed, or the server could not start. */
  failed: 1,
  /** Wrong usage: unknown options, wrong values, parameters that the server refuses. */
  usage: 2,
  /** Ctrl-C. */
  interrupted: 130,
} as const
