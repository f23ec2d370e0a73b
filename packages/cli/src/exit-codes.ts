/** Exit codes of the process. Scripts rely on them. */
export const exitCodes = {
  ok: 0,
  /** Any other failure, for example of a task, the server, a check or a route test. */
  failed: 1,
  /**
   * Wrong usage: unknown options, invalid values, parameters that the server rejects, or objects
   * that do not exist.
   */
  usage: 2,
  /** The wait timed out. The task continues. */
  timeUp: 3,
  /** `framegate apply --dry-run` found that the installation differs from the file. */
  differs: 4,
  /**
   * Another service has taken over the data folder, or the database was moved or replaced. A
   * supervisor must not restart the service.
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
    'failure: a task, the server, a check of `framegate doctor` or a route test failed, the server rejected the key, the ledger ' +
      'is inconsistent, or a file is damaged',
  ],
  [
    exitCodes.usage,
    'wrong usage: unknown options, invalid values, parameters that the server rejects, objects that do not exist',
  ],
  [exitCodes.timeUp, 'the wait timed out; the task continues'],
  [exitCodes.differs, '`framegate apply --dry-run` found changes to make'],
  [
    exitCodes.lostFolder,
    '`framegate serve` lost its data folder: another service took it over, or the database was moved or replaced',
  ],
  [exitCodes.interrupted, 'interrupted by Ctrl-C'],
  [143, 'ended by SIGTERM'],
]
