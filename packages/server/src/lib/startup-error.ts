/** The service cannot start, for a reason that a person can put right. The message is one sentence for that person. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The data folder belongs to a service that runs. */
export class DataFolderInUse extends StartupError {}
