/**
 * The service cannot start for a reason that the operator can fix. The message is one sentence for
 * the operator.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The data folder belongs to a running service. */
export class DataFolderInUse extends StartupError {}

/**
 * Another service has taken the data folder, or the folder's database was moved or replaced. The
 * service must stop, without an automatic restart.
 */
export class DataFolderLost extends Error {
  override readonly name = 'DataFolderLost'
}
