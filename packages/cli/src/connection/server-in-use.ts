/**
 * The server that a command uses, with its key. Disposing stops the server if it was started for
 * the command.
 */
export interface ServerInUse extends AsyncDisposable {
  baseUrl: string
  apiKey: string
  /** Whether the server was started for the command. Its results are lost when the command ends. */
  isTemporary?: true
}
