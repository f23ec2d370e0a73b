/** The service cannot start, for a reason that a person can put right. The message is one sentence for that person. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The data folder belongs to a service that runs. */
export class DataFolderInUse extends StartupError {}

/** Another service has taken the data folder, or its database was moved or replaced: the service must stop, without an automatic restart. */
export class DataFolderLost extends Error {
  override readonly name = 'DataFolderLost'
}
