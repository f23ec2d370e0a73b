/** The processes that run tasks on this database. */
export interface Workers {
  /** Counts this process among those that run tasks from now on. */
  joinWorkers(): Promise<void>
  /**
   * Number of processes that run tasks, as of some seconds ago, and the index of this one, from 0.
   */
  readonly workers: WorkersShare
  /** Whether other processes write to the database too. */
  readonly isShared: boolean
}

export interface WorkersShare {
  count: number
  rank: number
}
