/** Exit codes of the process. Scripts rely on them. */
export const exitCodes = {
  ok: 0,
  /**
   * The task or the server failed, a doctor check or a route test failed, or the server could not
   * start.
   */
  failed: 1,
  /**
   * Wrong usage: unknown options, invalid values, parameters that the server rejects, or objects
   * that do not exist.
   */
  usage: 2,
  /** The time limit for waiting was reached. The task continues. */
  timeUp: 3,
  /** The installation differs from the file. Only a dry run ends with this code. */
  differs: 4,
  /**
   * Another service has taken over the data folder, or its database was moved or replaced. The
   * service must not be restarted automatically.
   */
  lostFolder: 5,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const

/** The meanings of the codes, for the help texts. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.ok, 'done'],
  [
    exitCodes.failed,
    'failure: a task, the server, a doctor check or a route test failed, the server rejected the key, or the ledger or a ' +
      'file is inconsistent',
  ],
  [
    exitCodes.usage,
    'wrong usage: unknown options, invalid values, parameters that the server rejects, objects that do not exist',
  ],
  [exitCodes.timeUp, 'the time limit for waiting was reached; the task continues'],
  [exitCodes.differs, 'framegate apply --dry-run found something to change'],
  [exitCodes.lostFolder, 'framegate serve lost its data folder: another service took it, or its database was moved or replaced'],
  [exitCodes.interrupted, 'interrupted by Ctrl-C; 143 after SIGTERM'],
]
