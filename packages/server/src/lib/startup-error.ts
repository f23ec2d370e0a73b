/** Error at start-up that the operator can fix. The message is one sentence for the operator. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Another running service uses the data folder. */
export class DataFolderInUse extends StartupError {}

/**
 * Another service has taken over the data folder, or the database in it was moved or replaced. The
 * service must stop, and must not be restarted automatically.
 */
export class DataFolderLost extends Error {
  override readonly name = 'DataFolderLost'
}
