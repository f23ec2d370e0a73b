/**
 * The server that a command uses, with its key. Disposing stops the server if it was started for
 * the command.
 */
export interface ServerInUse extends AsyncDisposable {
  baseUrl: string
  apiKey: string
}
