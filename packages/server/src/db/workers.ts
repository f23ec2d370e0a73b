/** The processes that run tasks on this database. */
export interface Workers {
  /** Adds this process to the processes that run tasks. */
  joinWorkers(): Promise<void>
  /**
   * Registers this process as a user of the media store with this lock key, until it ends. If other
   * processes use another media store, registers nothing and returns their addresses.
   */
  joinMediaStore(lockKey: number): Promise<string[]>
  /**
   * Number of processes that run tasks, and the index (`rank`) of this process among them, from 0.
   * Both values may be some seconds old.
   */
  readonly workers: WorkerPosition
  /** Whether other processes or threads may change the database without this store's knowledge. */
  readonly isShared: boolean
}

export interface WorkerPosition {
  count: number
  rank: number
}
